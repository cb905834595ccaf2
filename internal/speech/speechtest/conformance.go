package speechtest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/internal/speech"
)

// Sample is speech that an engine under test must understand: its audio at
// 16 kHz, and the wake phrase and command that are in it ("" when not).
type Sample struct {
	Name, Wake, Command, Lang string
	PCM                       []int16
}

// hello is what the conformance tests ask for.
func hello(samples []Sample) speech.Hello {
	h := speech.Hello{
		Version: speech.ProtocolVersion, Rate: speech.CaptureRate, Languages: []string{"zh", "en"},
		Wake:    []speech.Phrase{{Text: "hey home bot", Lang: "en"}, {Text: "你好小厨", Lang: "zh"}},
		Phrases: []speech.Phrase{{Text: "open cooking mode", Lang: "en"}, {Text: "打开做饭模式", Lang: "zh"}},
	}
	for _, s := range samples {
		if s.Wake != "" && !slices.ContainsFunc(h.Wake, func(p speech.Phrase) bool { return p.Text == s.Wake }) {
			h.Wake = append(h.Wake, speech.Phrase{Text: s.Wake, Lang: s.Lang})
		}
		if s.Command != "" && !slices.ContainsFunc(h.Phrases, func(p speech.Phrase) bool { return p.Text == s.Command }) {
			h.Phrases = append(h.Phrases, speech.Phrase{Text: s.Command, Lang: s.Lang})
		}
	}
	return h
}

// TestRecognizer holds an engine to the contract of speech.Recognizer. samples
// are optional: the fake brings Utter's, a real engine what it can hear.
func TestRecognizer(t *testing.T, engine speech.Engine, samples ...Sample) {
	t.Helper()
	open := func(t *testing.T) speech.Recognizer {
		t.Helper()
		r, _, err := engine.NewRecognizer(t.Context(), hello(samples))
		if err != nil {
			t.Fatalf("NewRecognizer: %v", err)
		}
		t.Cleanup(func() { _ = r.Close() })
		return r
	}
	t.Run("ended context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if r, _, err := engine.NewRecognizer(ctx, hello(nil)); err == nil {
			_ = r.Close()
			t.Error("NewRecognizer ignores an ended context")
		}
	})
	t.Run("silence wakes nobody", func(t *testing.T) {
		r := open(t)
		if heard := feed(t, r, make([]int16, 2*speech.CaptureRate), 1280); len(heard) > 0 {
			t.Errorf("silence was heard as %v", heard)
		}
	})
	t.Run("silence is no speech", func(t *testing.T) { testNoSpeech(t, open(t)) })
	t.Run("no audio is no speech", func(t *testing.T) {
		r := open(t)
		must(t, r.Take("en"))
		ended(t, r, speech.NoSpeech)
	})
	t.Run("wait drops the utterance", func(t *testing.T) {
		r := open(t)
		must(t, r.Take("en"))
		feed(t, r, make([]int16, speech.CaptureRate/2), 320)
		must(t, r.Wait())
		if heard := feed(t, r, make([]int16, speech.CaptureRate), 1280); len(heard) > 0 {
			t.Errorf("after Wait silence was heard as %v", heard)
		}
	})
	t.Run("odd frame lengths", func(t *testing.T) {
		r := open(t)
		feed(t, r, make([]int16, speech.CaptureRate), 317)
		feed(t, r, nil, 1)
		feed(t, r, make([]int16, speech.CaptureRate), speech.CaptureRate)
	})
	t.Run("closes twice", func(t *testing.T) {
		r := open(t)
		must(t, r.Close())
		must(t, r.Close())
	})
	for _, s := range samples {
		t.Run(s.Name, func(t *testing.T) { testSample(t, open(t), s) })
	}
}

// testNoSpeech takes silence, ends it, and does so again: End must leave the
// recogniser usable, and silent.
func testNoSpeech(t *testing.T, r speech.Recognizer) {
	for range 2 {
		must(t, r.Take("en"))
		for _, h := range feed(t, r, make([]int16, speech.CaptureRate), 320) {
			if h.Kind == speech.Partial || h.Kind == speech.Final {
				t.Errorf("silence was heard as %+v", h)
			}
		}
		ended(t, r, speech.NoSpeech)
		if heard := feed(t, r, make([]int16, speech.CaptureRate/2), 320); len(heard) > 0 {
			t.Errorf("after End something was heard: %v", heard)
		}
	}
}

// testSample plays s between two silences and expects its wake and its command.
func testSample(t *testing.T, r speech.Recognizer, s Sample) {
	silence := make([]int16, speech.CaptureRate/2)
	if s.Wake == "" {
		must(t, r.Take(s.Lang))
	}
	pcm := slices.Concat(silence, s.PCM, silence, silence)
	heard := feed(t, r, pcm, 320)
	woken := slices.ContainsFunc(heard, func(h speech.Heard) bool {
		return h.Kind == speech.Wake && h.Phrase == s.Wake && h.Lang == s.Lang
	})
	if s.Wake != "" && !woken {
		t.Fatalf("%q did not wake: heard %v", s.Wake, heard)
	}
	if s.Command == "" {
		return
	}
	final := ended(t, r, speech.Final)
	if got := strings.TrimSpace(final.Text); got != s.Command {
		t.Errorf("heard %q, want %q", got, s.Command)
	}
	if final.Lang != s.Lang {
		t.Errorf("language is %q, want %q", final.Lang, s.Lang)
	}
}

// feed gives pcm in frames and holds every answer to the rules of counts.
func feed(t *testing.T, r speech.Recognizer, pcm []int16, frame int) []speech.Heard {
	t.Helper()
	var all []speech.Heard
	for len(pcm) > 0 {
		n := min(frame, len(pcm))
		heard, err := r.Accept(pcm[:n])
		if err != nil {
			t.Fatalf("Accept: %v", err)
		}
		for _, h := range heard {
			if h.Start < 0 || h.End < h.Start {
				t.Errorf("%s has samples %d to %d", h.Kind, h.Start, h.End)
			}
		}
		all = append(all, heard...)
		pcm = pcm[n:]
	}
	return all
}

// ended calls End, whose last answer must be of the wanted kind.
func ended(t *testing.T, r speech.Recognizer, want speech.HeardKind) speech.Heard {
	t.Helper()
	heard, err := r.End()
	if err != nil {
		t.Fatalf("End: %v", err)
	}
	if len(heard) == 0 {
		t.Fatal("End answered nothing: it must answer Final or NoSpeech")
	}
	last := heard[len(heard)-1]
	if last.Kind != want {
		t.Fatalf("End answered %+v, want %s", last, want)
	}
	return last
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestSynthesizer holds a voice to the contract of speech.Synthesizer.
func TestSynthesizer(t *testing.T, s speech.Synthesizer) {
	t.Helper()
	for lang, text := range map[string]string{"en": "The eggs are ready.", "zh": "鸡蛋煮好了。"} {
		t.Run("speaks "+lang, func(t *testing.T) {
			n, loud := 0, false
			err := s.Speak(t.Context(), text, lang, func(pcm []int16) error {
				n += len(pcm)
				loud = loud || slices.ContainsFunc(pcm, func(v int16) bool { return v > 1000 })
				return nil
			})
			if err != nil {
				t.Fatalf("Speak: %v", err)
			}
			if n < speech.PlaybackRate/4 || n > 10*speech.PlaybackRate || !loud {
				t.Errorf("%d samples, loud: %v; want 0.25 s to 10 s of sound", n, loud)
			}
		})
	}
	t.Run("stops at emit's error", func(t *testing.T) {
		stop, calls := errors.New("stop"), 0
		err := s.Speak(t.Context(), strings.Repeat("One more word. ", 50), "en", func([]int16) error {
			calls++
			return stop
		})
		if !errors.Is(err, stop) || calls != 1 {
			t.Errorf("err %v after %d calls, want emit's own error after one", err, calls)
		}
	})
	t.Run("stops when ctx ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		began := time.Now()
		err := s.Speak(ctx, strings.Repeat("One more word. ", 50), "en", func([]int16) error {
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("err %v, want context.Canceled", err)
		}
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("took %v to stop", d)
		}
	})
	t.Run("nothing to say", func(t *testing.T) {
		if err := s.Speak(t.Context(), "", "en", func([]int16) error { return nil }); err != nil {
			t.Errorf("Speak: %v", err)
		}
	})
}
