//go:build cgo

package portaudio_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/audio/child"
	"homebot/audio/portaudio"
	"homebot/audio/virtual"
)

// childEnv makes this test binary the sound child.
const childEnv = "HOMEBOT_TEST_AUDIO_IO"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		if err := portaudio.RunChild(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// config is the child of this test with an environment.
func config(device string, env []string) child.Config {
	return child.Config{Args: []string{}, Device: device, Env: append(slices.Clone(env), childEnv+"=1")}
}

func source(t testing.TB, device string, env []string) *child.Source {
	t.Helper()
	s := child.OpenSource(config(device, env))
	t.Cleanup(func() { s.Close() })
	return s
}

func sink(t testing.TB, device string, env []string) *child.Sink {
	t.Helper()
	s := child.OpenSink(config(device, env))
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSourceConforms(t *testing.T) {
	card := audiotest.SoundServer(t)
	audiotest.TestSource(t, func(t *testing.T) audio.Source { return source(t, "", card.Env()) })
}

func TestSinkConforms(t *testing.T) {
	card := audiotest.SoundServer(t)
	audiotest.TestSink(t, func(t *testing.T) audio.Sink { return sink(t, "", card.Env()) })
}

// V1: what is spoken into the card's microphone is what Read gives, in 80 ms
// frames, then 20 ms, then 80 ms again, and nothing is lost at the changes. As in
// TestPlayedIsHeard a busy machine may tear a hole, but not three times.
func TestCapturedIsPlayed(t *testing.T) {
	card := audiotest.SoundServer(t)
	rho, lost := 0.0, 0
	for try := 0; try < 3 && (rho < 0.99 || lost > 0); try++ {
		rho, lost = speakAndCapture(t, card)
	}
	if rho < 0.99 || lost > 0 {
		t.Errorf("correlation %.4f, want 0.99; %d overflows", rho, lost)
	}
}

// speakAndCapture gives the correlation of what was spoken with what was captured,
// 0 when its end is missing, and the overflows.
func speakAndCapture(t *testing.T, card *virtual.Card) (rho float64, overflows int) {
	t.Helper()
	s := source(t, "mic", card.Env())
	ref := audiotest.Babble(7, 3*time.Second, audio.CaptureRate)
	read := func(n int) []int16 {
		t.Helper()
		p := make([]int16, n)
		if _, err := s.Read(p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	read(audio.WaitingFrame)
	spoken := make(chan error, 1)
	go func() { spoken <- card.Speak(t.Context(), ref) }()
	var heard []int16
	for i := 0; len(heard) < 4*audio.CaptureRate; i++ {
		switch i {
		case 15:
			s.SetFrame(audio.SessionFrame)
		case 100:
			s.SetFrame(audio.WaitingFrame)
		}
		n := audio.WaitingFrame
		if i >= 15 && i < 100 {
			n = audio.SessionFrame
		}
		heard = append(heard, read(n)...)
	}
	if err := <-spoken; err != nil {
		t.Fatal(err)
	}
	at, rho := audiotest.Match(ref, heard)
	t.Logf("lag %d ms, correlation %.5f, device %+v", at*1000/audio.CaptureRate, rho, s.Device())
	if at+len(ref) > len(heard) {
		t.Logf("heard at %d of %d", at, len(heard))
		rho = 0
	}
	return rho, s.Overflows()
}

// What is written is heard from the loudspeaker, to its last sample (the
// library's own Stop would cut the end off). A machine that is busy for longer
// than the card's buffer tears a hole; three times in a row it is our fault.
func TestPlayedIsHeard(t *testing.T) {
	card := audiotest.SoundServer(t)
	s := sink(t, "speaker", card.Env())
	whole, end := 0.0, 0.0
	for try := 0; try < 3 && (whole < 0.99 || end < 0.99); try++ {
		whole, end = playAndRecord(t, card, s)
		t.Logf("correlation %.5f, of its end %.5f, device %+v", whole, end, s.Device())
	}
	if whole < 0.99 || end < 0.99 {
		t.Errorf("correlation %.4f, of its end %.4f, want 0.99", whole, end)
	}
}

// playAndRecord gives the correlation of what was written with what sounded, for
// all of it and for its last quarter of a second.
func playAndRecord(t *testing.T, card *virtual.Card, s *child.Sink) (whole, end float64) {
	t.Helper()
	ref := audiotest.Babble(3, 1500*time.Millisecond, audio.PlaybackRate)
	heard := make(chan []int16, 1)
	go func() { heard <- audiotest.Record(t, card, 3500*time.Millisecond) }()
	for _, pcm := range [][]int16{make([]int16, audio.PlaybackRate/2), ref} {
		if _, err := s.Write(pcm); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Drain(); err != nil {
		t.Fatal(err)
	}
	got := <-heard
	at, whole := audiotest.Match(ref, got)
	if at+len(ref) > len(got) {
		t.Errorf("the recording ends within the sound, which begins at %d", at)
	}
	_, end = audiotest.Match(ref[len(ref)-audio.PlaybackRate/4:], got)
	return whole, end
}

// V6: Stop silences the real loudspeaker within 200 ms, and Played is at most
// what was heard there. A busy machine is late for once, our fault is there each time.
func TestStopSilences(t *testing.T) {
	card := audiotest.SoundServer(t)
	took, after := stopAndListen(t, card)
	for try := 1; try < 3 && (took > 200*time.Millisecond || after > 250*time.Millisecond); try++ {
		took, after = stopAndListen(t, card)
	}
	if took > 200*time.Millisecond || after > 250*time.Millisecond {
		t.Errorf("Stop took %v, sound went on for %v", took, after)
	}
}

// stopAndListen is how long Stop takes, and what sounds after it, the recorder's own
// delay included.
func stopAndListen(t *testing.T, card *virtual.Card) (took, after time.Duration) {
	t.Helper()
	s := sink(t, "", card.Env())
	p := audio.NewPlayer(s, nil)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	rec, err := card.Loudspeaker(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if _, err := audio.ReadPCM(rec, make([]int16, 2400)); err != nil {
		t.Fatal(err)
	}
	st := p.Begin(t.Context())
	go st.Write(audiotest.Tone(500, 10*time.Second, audio.PlaybackRate))
	// The recorder is the ear: the barge-in comes after a second of sound.
	sounding, chunk := 0, make([]int16, 240)
	for sounding < audio.PlaybackRate {
		if _, err := audio.ReadPCM(rec, chunk); err != nil {
			t.Fatal(err)
		}
		if audiotest.Level(chunk) > 100 {
			sounding += len(chunk)
		}
	}
	begun := time.Now()
	p.Stop()
	took = time.Since(begun)
	for quiet := 0; quiet < audio.PlaybackRate/2; {
		if _, err := audio.ReadPCM(rec, chunk); err != nil {
			t.Fatal(err)
		}
		if quiet += len(chunk); audiotest.Level(chunk) > 100 {
			sounding, quiet = sounding+quiet, 0
		}
	}
	after = time.Duration(sounding-audio.PlaybackRate) * time.Second / audio.PlaybackRate
	t.Logf("Stop took %v, %v more were recorded, played %d of %d", took, after, st.Played(), sounding)
	if st.Played() > sounding || st.Played() < audio.PlaybackRate/2 {
		t.Errorf("Played %d with %d heard", st.Played(), sounding)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return took, after
}

// V8: the sound server dies: Read says so once, waits, and goes on within 5 s
// of its return.
func TestSourceSurvivesItsServer(t *testing.T) {
	card := audiotest.SoundServer(t)
	s := source(t, "", card.Env())
	frame := make([]int16, audio.SessionFrame)
	if _, err := s.Read(frame); err != nil {
		t.Fatal(err)
	}
	card.Kill()
	begun := time.Now()
	var err error
	for err == nil && time.Since(begun) < 5*time.Second {
		_, err = s.Read(frame)
	}
	if !errors.Is(err, audio.ErrLost) || time.Since(begun) > 4*time.Second {
		t.Fatalf("after %v: %v", time.Since(begun), err)
	}
	t.Logf("noticed after %v: %v", time.Since(begun), err)
	back := make(chan time.Time, 1)
	go func() {
		if _, err := s.Read(frame); err != nil {
			t.Errorf("told twice: %v", err)
		}
		back <- time.Now()
	}()
	time.Sleep(1500 * time.Millisecond)
	returned := time.Now()
	if err := card.Revive(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case at := <-back:
		t.Logf("back after %v", at.Sub(returned))
	case <-time.After(5 * time.Second):
		t.Error("not back 5s after the server")
	}
}

// V8: the loudspeaker too.
func TestSinkSurvivesItsServer(t *testing.T) {
	card := audiotest.SoundServer(t)
	s := sink(t, "", card.Env())
	tone := audiotest.Tone(440, 200*time.Millisecond, audio.PlaybackRate)
	if _, err := s.Write(tone); err != nil {
		t.Fatal(err)
	}
	card.Kill()
	begun := time.Now()
	var err error
	for err == nil && time.Since(begun) < 5*time.Second {
		_, err = s.Write(tone)
	}
	if !errors.Is(err, audio.ErrLost) {
		t.Fatalf("after %v: %v", time.Since(begun), err)
	}
	t.Logf("noticed after %v: %v", time.Since(begun), err)
	if err := card.Revive(t.Context()); err != nil {
		t.Fatal(err)
	}
	returned := time.Now()
	for time.Since(returned) < 5*time.Second {
		if _, err = s.Write(tone); err == nil {
			t.Logf("back after %v", time.Since(returned))
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("not back 5s after the server: %v", err)
}

// A child whose server went away and came back while nothing played is
// replaced without a word.
func TestSinkIdleOutage(t *testing.T) {
	card := audiotest.SoundServer(t)
	s := sink(t, "", card.Env())
	tone := audiotest.Tone(440, 100*time.Millisecond, audio.PlaybackRate)
	if _, err := s.Write(tone); err != nil {
		t.Fatal(err)
	}
	if err := s.Drain(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second) // the child has stopped the card by now
	card.Kill()
	if err := card.Revive(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write(tone); err != nil {
		t.Errorf("after an outage nobody heard: %v", err)
	}
}

// A device by a part of its name, and one that is not there: one line that says
// how to find the right one.
func TestDevices(t *testing.T) {
	card := audiotest.SoundServer(t)
	list, err := child.Devices(t.Context(), config("", card.Env()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	in, out := "", ""
	for _, d := range list {
		names = append(names, d.Name)
		if d.DefaultInput {
			in = d.Name
		}
		if d.DefaultOutput {
			out = d.Name
		}
	}
	if !slices.Contains(names, "mic") || !slices.Contains(names, "speaker") || in != "default" || out != "default" {
		t.Errorf("devices %q, default %q and %q", names, in, out)
	}
	if _, err := source(t, "MI", card.Env()).Read(make([]int16, 16)); err != nil {
		t.Errorf("by a part of its name: %v", err)
	}
	_, err = source(t, "banana", card.Env()).Read(make([]int16, 16))
	oneLine(t, err, audio.ErrNoDevice, `"banana"`, "homebot devices", "[audio] input")
	_, err = sink(t, "banana", card.Env()).Write(make([]int16, 16))
	oneLine(t, err, audio.ErrNoDevice, `"banana"`, "homebot devices", "[audio] output")
}

func oneLine(t *testing.T, err, kind error, words ...string) {
	t.Helper()
	if !errors.Is(err, kind) || !errors.Is(err, audio.ErrLost) {
		t.Errorf("%v is not %v", err, kind)
		return
	}
	t.Log(err)
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than a line: %q", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %s", err, w)
		}
	}
}

// alsa is an environment with this ALSA configuration and nothing else.
func alsa(t *testing.T, conf string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "asound.conf")
	if err := os.WriteFile(path, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"ALSA_CONFIG_PATH=" + path, "PULSE_SERVER=unix:/nonexistent", "JACK_NO_START_SERVER=1"}
}

// No device at all is a line, not a crash; nor is an ALSA configuration without
// a default, with which the library aborts its process.
func TestNoDevice(t *testing.T) {
	_, err := source(t, "", alsa(t, "pcm.!default { type hw card 7 }\n")).Read(make([]int16, 16))
	oneLine(t, err, audio.ErrNoDevice, "no default microphone", "homebot devices")
	_, err = source(t, "", alsa(t, `pcm.mic { type null hint { show on description "mic" } }`+"\n")).Read(make([]int16, 16))
	if !errors.Is(err, audio.ErrLost) || !strings.Contains(err.Error(), "TROUBLESHOOTING") {
		t.Errorf("without pcm.default: %v", err)
	}
	t.Log(err)
}
