package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"homebot/audio"
	"homebot/internal/speech"
	"homebot/internal/speech/espeak"
	"homebot/internal/speech/models"
	"homebot/internal/speech/models/modelstest"
	"homebot/internal/speech/sherpa"
)

// say is text in the small voice, at the recogniser's rate.
func say(t *testing.T, text string) []int16 {
	t.Helper()
	var pcm []int16
	err := espeak.New(espeak.Config{}).Speak(t.Context(), text, "en", func(p []int16) error {
		pcm = append(pcm, p...)
		return nil
	})
	if err != nil {
		t.Skip(err)
	}
	pcm, err = audio.Resample(pcm, speech.PlaybackRate, speech.CaptureRate)
	if err != nil {
		t.Fatal(err)
	}
	return pcm
}

// V1: the engine of set phrases with the better voice activity: its words, and
// where speech begins and ends from the Silero model, in one breath with the wake
// phrase and after a pause.
func TestSetPhrasesWithSilero(t *testing.T) {
	needModel(t)
	if sherpa.Version() == "" {
		t.Skip(sherpa.ErrNotBuilt)
	}
	st, err := models.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(modelstest.VAD(t)), st.Path("silero-vad")); err != nil {
		t.Fatal(err)
	}
	url, _, _ := serving(t, strings.NewReader(""), "--models", st.Dir, "--languages", "en")
	c, next := client(t, url)
	if h := next(speech.Ready); h.Info == nil || h.Info.Engine != "sphinx+silero" {
		t.Fatalf("ready %+v", h)
	}
	send := func(pcm ...[]int16) {
		t.Helper()
		for frame := range slices.Chunk(slices.Concat(pcm...), 1280) {
			if err := c.Send(frame); err != nil {
				t.Fatal(err)
			}
		}
	}
	gap := make([]int16, speech.CaptureRate)
	for _, tt := range []struct {
		name string
		pcm  [][]int16
	}{
		{"in one breath", [][]int16{say(t, "hey home bot, open cooking mode")}},
		{"after a pause", [][]int16{say(t, "hey home bot"), gap, say(t, "open cooking mode")}},
	} {
		send(gap)
		send(tt.pcm...)
		send(gap)
		wake := next(speech.Wake)
		start := next(speech.SpeechStarted)
		stop := next(speech.SpeechStopped)
		if start.Start < wake.End || stop.End <= start.Start || stop.Start != start.Start || start.Lang != "en" {
			t.Errorf("%s: wake %+v, started %+v, stopped %+v", tt.name, wake, start, stop)
		}
		if err := c.End(); err != nil {
			t.Fatal(err)
		}
		if h := next(speech.Final); h.Text != "open cooking mode" {
			t.Errorf("%s: heard %+v", tt.name, h)
		}
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}
