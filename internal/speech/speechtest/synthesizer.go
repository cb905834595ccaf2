package speechtest

import (
	"context"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"homebot/internal/speech"
)

// Synthesizer is a voice for tests: 60 ms of tone for each character, in pieces
// of 50 ms. The zero value works; set fields before use.
type Synthesizer struct {
	Delay time.Duration // before the first audio
	RTF   float64       // work for a second of sound, done before any of it comes
	Err   error         // instead of any audio
	After int           // with Err: samples spoken before it

	mu   sync.Mutex
	said []Said
}

// Said is one text that was spoken.
type Said struct{ Text, Lang string }

var _ speech.Synthesizer = (*Synthesizer)(nil)

// perRune and piece are in samples at 24 kHz.
const (
	perRune = speech.PlaybackRate * 60 / 1000
	piece   = speech.PlaybackRate * 50 / 1000
)

// Samples is how long the Synthesizer speaks text.
func Samples(text string) int { return perRune * utf8.RuneCountInString(text) }

// Speak notes text and emits its tone.
func (s *Synthesizer) Speak(ctx context.Context, text, lang string, emit func([]int16) error) error {
	s.mu.Lock()
	s.said = append(s.said, Said{text, lang})
	s.mu.Unlock()
	total := Samples(text)
	work := s.Delay + time.Duration(s.RTF*float64(total)*float64(time.Second)/speech.PlaybackRate)
	if work > 0 {
		select {
		case <-time.After(work):
		case <-ctx.Done():
		}
	}
	if s.Err != nil {
		total = min(total, s.After)
	}
	for done := 0; done < total; {
		if err := ctx.Err(); err != nil {
			return err
		}
		pcm := make([]int16, min(piece, total-done))
		for i := range pcm {
			pcm[i] = tone(done + i)
		}
		if err := emit(pcm); err != nil {
			return err
		}
		done += len(pcm)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.Err
}

// tone is a 600 Hz triangle, audible and exactly known.
func tone(i int) int16 {
	const period = speech.PlaybackRate / 600
	p := i % period
	if p >= period/2 {
		p = period - p
	}
	return int16((p - period/4) * 600)
}

// Said returns what was spoken so far, in order.
func (s *Synthesizer) Said() []Said {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.said)
}
