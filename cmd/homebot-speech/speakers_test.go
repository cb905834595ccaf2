package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"homebot/audio/wav"
	"homebot/internal/speech"
	"homebot/internal/speech/models"
	"homebot/internal/speech/sherpa"
	"homebot/internal/speech/sherpa/onnxtest"
)

// withSpeakerModel puts a tiny speaker model of the manifest's size into st.
func withSpeakerModel(t *testing.T, st *models.Store) {
	t.Helper()
	m, ok := st.Catalog.Model("speaker-campplus")
	if !ok {
		t.Fatal("the manifest has no speaker model")
	}
	file := filepath.Join(st.Path(m.Name), m.Files()[0].Name)
	onnxtest.Embedding(t, file)
	onnxtest.Pad(t, file, m.Files()[0].Bytes)
}

// recordings writes three WAV files of different parts of pcm.
func recordings(t *testing.T, pcm []int16) (files []string) {
	t.Helper()
	dir := t.TempDir()
	for i := range 3 {
		f := filepath.Join(dir, fmt.Sprint(i, ".wav"))
		if err := wav.WriteFile(f, pcm[i*speech.CaptureRate/2:][:2*speech.CaptureRate], speech.CaptureRate); err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// A member is enrolled by recordings on the command line and named in what the
// server hears afterwards; after "forget" nobody is. Real commands, child, library
// and server; the model is tiny and tells spectra apart, not people.
func TestEnrolledMemberIsHeard(t *testing.T) {
	st := sherpaStore(t)
	withSpeakerModel(t, st)
	pcm := recording(t)
	speakers := func(args ...string) (stdout string) {
		t.Helper()
		code, stdout, stderr := call(t.Context(), strings.NewReader(""), append([]string{"speakers", "--models", st.Dir}, args...)...)
		if code != 0 {
			t.Fatalf("speakers %v: exit %d, %s", args, code, stderr)
		}
		return stdout
	}
	if out := speakers("list"); out != "" {
		t.Errorf("known before anybody is: %q", out)
	}
	if out := speakers(append([]string{"enrol", "mum"}, recordings(t, pcm)...)...); out != "mum is known by voice now\n" {
		t.Errorf("enrol says %q", out)
	}
	if out := speakers("list"); out != "mum\n" {
		t.Errorf("known are %q", out)
	}
	if info, err := os.Stat(filepath.Join(st.Dir, "members.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the members' file: %v %v", info, err)
	}
	if who := speakerHeard(t, st, pcm[:3*speech.CaptureRate]); who != "mum" {
		t.Errorf("mum is heard as %q", who)
	}
	speakers("forget", "mum")
	if who := speakerHeard(t, st, pcm[:3*speech.CaptureRate]); who != "" {
		t.Errorf("nobody is known, but %q is heard", who)
	}
}

// speakerHeard is who speaks in the final of a new server that is woken by pcm and
// then hears it.
func speakerHeard(t *testing.T, st *models.Store, pcm []int16) string {
	t.Helper()
	url, stop, ended := serving(t, strings.NewReader(""), "--models", st.Dir, "--engine", "sherpa")
	defer func() { stop(); exit(t, ended) }()
	c, next := clientOf(t, url, speech.Hello{Wake: []speech.Phrase{{Text: "你好", Lang: "zh"}}})
	next(speech.Ready)
	gap := make([]int16, speech.CaptureRate)
	for frame := range slices.Chunk(slices.Concat(gap, pcm, gap), 320) {
		if err := c.Send(frame); err != nil {
			t.Fatal(err)
		}
	}
	next(speech.Wake)
	next(speech.SpeechStopped)
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	return next(speech.Final).Speaker
}

// What cannot be enrolled is one line, and what was known stays.
func TestEnrolMistakes(t *testing.T) {
	st := sherpaStore(t)
	withSpeakerModel(t, st)
	good := recordings(t, recording(t))
	short := filepath.Join(t.TempDir(), "short.wav")
	if err := wav.WriteFile(short, make([]int16, 100), speech.CaptureRate); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(t.TempDir(), "text.wav")
	onnxtest.Write(t, text, []byte("no sound at all"))
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"mum", good[0], good[1]}, "2 recordings given"},
		{[]string{"mum", good[0], good[1], short}, "recording 3 is too short"},
		{[]string{"mum", good[0], good[1], text}, "text.wav"},
		{[]string{"mum", good[0], good[1], "/nowhere.wav"}, "/nowhere.wav"},
		{[]string{sherpa.Guest, good[0], good[1], good[2]}, "is no member's id"},
	} {
		code, stdout, stderr := call(t.Context(), strings.NewReader(""), append([]string{"speakers", "enrol", "--models", st.Dir}, tt.args...)...)
		if code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: exit %d, %q %q; want %q", tt.args, code, stdout, stderr, tt.want)
		}
	}
	if _, err := os.Stat(filepath.Join(st.Dir, "members.json")); err == nil {
		t.Error("a member was kept")
	}
}
