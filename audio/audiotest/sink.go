package audiotest

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"homebot/audio"
)

var _ audio.Sink = (*Sink)(nil)

// defaultDelay is a Sink's latency when the test sets none.
const defaultDelay = 100 * time.Millisecond

// Sink is a loudspeaker that keeps what it played, in real time. Its zero value
// works. Write, Flush and Drain from one goroutine; the rest is for any.
type Sink struct {
	// Delay is the latency: how far Write runs ahead of the ear. Set it before
	// use; 0 is 100 ms.
	Delay time.Duration

	mu      sync.Mutex
	heard   []int16   // played, without the pauses
	pending []int16   // written and not yet played
	since   time.Time // when the first pending sample begins to sound
	lost    bool
	stalled bool
	closed  bool
	flushes int
	changed chan struct{}
}

// Heard is what has sounded until now, without the pauses between.
func (s *Sink) Heard() []int16 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.play(time.Now())
	return slices.Clone(s.heard)
}

// Flushes is how often Flush was called.
func (s *Sink) Flushes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.flushes
}

// Forget empties what Heard returns.
func (s *Sink) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.play(time.Now())
	s.heard = nil
}

// Unplug makes the next calls fail; what was pending is never heard.
func (s *Sink) Unplug() { s.change(func() { s.lost, s.pending = true, nil }) }

// Plug brings the device back.
func (s *Sink) Plug() { s.change(func() { s.lost = false }) }

// Stall makes Write block until Resume.
func (s *Sink) Stall() { s.change(func() { s.stalled = true }) }

// Resume ends a Stall.
func (s *Sink) Resume() { s.change(func() { s.stalled = false }) }

// play moves what has sounded by now from pending to heard.
func (s *Sink) play(now time.Time) {
	n := min(max(int(now.Sub(s.since)*audio.PlaybackRate/time.Second), 0), len(s.pending))
	if n == 0 {
		return
	}
	s.heard = append(s.heard, s.pending[:n]...)
	s.pending = s.pending[n:]
	s.since = s.since.Add(duration(n))
}

// Write blocks while more than Latency is pending.
func (s *Sink) Write(p []int16) (int, error) {
	accepted := false
	for {
		s.mu.Lock()
		if err := s.fault(); err != nil {
			s.mu.Unlock()
			return 0, err
		}
		now := time.Now()
		s.play(now)
		if !s.stalled && !accepted {
			if len(s.pending) == 0 {
				s.since = now
			}
			s.pending = append(s.pending, p...)
			accepted = true
		}
		over := duration(len(s.pending)) - s.latency()
		until, changed := now.Add(over), s.awaited()
		if s.stalled {
			until = time.Time{}
		}
		s.mu.Unlock()
		if accepted && over <= 0 {
			return len(p), nil
		}
		waitFor(until, changed)
	}
}

func (s *Sink) fault() error {
	switch {
	case s.closed:
		return io.ErrClosedPipe
	case s.lost:
		return fmt.Errorf("%w: unplugged", audio.ErrLost)
	}
	return nil
}

func (s *Sink) awaited() chan struct{} {
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}

// Latency is Delay.
func (s *Sink) Latency() time.Duration { return s.latency() }

func (s *Sink) latency() time.Duration {
	if s.Delay == 0 {
		return defaultDelay
	}
	return s.Delay
}

// Flush drops what was not yet heard.
func (s *Sink) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flushes++
	s.play(time.Now())
	s.pending = nil
	return s.fault()
}

// Drain waits until all was heard.
func (s *Sink) Drain() error {
	for {
		s.mu.Lock()
		s.play(time.Now())
		err, left := s.fault(), duration(len(s.pending))
		until, changed := time.Now().Add(left), s.awaited()
		s.mu.Unlock()
		if err != nil || left == 0 {
			return err
		}
		waitFor(until, changed)
	}
}

// Close ends a blocked Write.
func (s *Sink) Close() error {
	s.change(func() { s.closed = true })
	return nil
}

func (s *Sink) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.play(time.Now())
	f()
	close(s.awaited())
	s.changed = nil
}

// duration is the time of n samples, rounded up: a wait that long is enough.
func duration(n int) time.Duration {
	return (time.Duration(n)*time.Second + audio.PlaybackRate - 1) / audio.PlaybackRate
}
