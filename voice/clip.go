package voice

import (
	"context"
	"sync"

	"homebot/audio"
	"homebot/internal/text"
)

// clip is one sentence's sound while it is synthesised: one goroutine adds, one
// takes.
type clip struct {
	mu     sync.Mutex
	pcm    []int16
	taken  int
	closed bool
	err    error
	more   chan struct{} // capacity 1: something was added, or it was closed
}

func newClip() *clip { return &clip{more: make(chan struct{}, 1)} }

// add is a speech.Synthesizer's emit; pcm is copied.
func (c *clip) add(pcm []int16) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pcm = append(c.pcm, pcm...)
	c.poke()
	return nil
}

// close ends the clip, with the error that broke it off if any.
func (c *clip) close(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed, c.err = true, err
	c.poke()
}

func (c *clip) poke() {
	select {
	case c.more <- struct{}{}:
	default:
	}
}

// next waits for sound that was not taken yet; none at the end, or an error.
func (c *clip) next(ctx context.Context) ([]int16, error) {
	for {
		c.mu.Lock()
		pcm, closed, err := c.pcm[c.taken:], c.closed, c.err
		c.taken = len(c.pcm)
		c.mu.Unlock()
		if len(pcm) > 0 {
			return pcm, nil
		}
		if closed {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.more:
		}
	}
}

// Rough lengths of speech, in samples: 0.22 s a Chinese character, 0.065 s any
// other rune. They only stand in for a sentence that was broken off before its
// sound was complete.
const (
	samplesPerHan  = audio.PlaybackRate * 220 / 1000
	samplesPerRune = audio.PlaybackRate * 65 / 1000
)

// length is the number of samples of the whole sentence.
func (c *clip) length(sentence string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed && c.err == nil {
		return len(c.pcm)
	}
	guess := 0
	for _, r := range sentence {
		if text.IsHan(r) {
			guess += samplesPerHan
		} else {
			guess += samplesPerRune
		}
	}
	return max(guess, len(c.pcm))
}
