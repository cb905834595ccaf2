package audiotest

import (
	"fmt"
	"io"
	"sync"
	"time"

	"homebot/audio"
)

var _ audio.Source = (*Source)(nil)

// Source is a microphone that hears what the test says, in real time, and
// silence otherwise. Its zero value works. Read from one goroutine; the rest is
// for any.
type Source struct {
	mu        sync.Mutex
	script    []int16
	begun     time.Time
	position  int64 // samples given since begun
	lost      bool
	told      bool // Read reported the loss
	stalled   bool
	ends      bool
	overflows int
	frame     int
	changed   chan struct{} // closed and renewed when the test changes something
	closed    bool
}

// Say queues pcm (16 kHz) behind what is already to be heard.
func (s *Source) Say(pcm ...[]int16) {
	s.change(func() {
		for _, p := range pcm {
			s.script = append(s.script, p...)
		}
	})
}

// Wait queues silence.
func (s *Source) Wait(d time.Duration) {
	s.Say(make([]int16, d*audio.CaptureRate/time.Second))
}

// End makes Read return io.EOF once the script was heard, as a recording does.
func (s *Source) End() { s.change(func() { s.ends = true }) }

// Unplug takes the device away: Read reports it once and then blocks.
func (s *Source) Unplug() { s.change(func() { s.lost, s.told = true, false }) }

// Plug brings it back.
func (s *Source) Plug() {
	s.change(func() { s.lost, s.begun, s.position = false, time.Time{}, 0 })
}

// Stall makes Read block, as a device that hangs, until Resume; what it would
// have heard meanwhile comes in a burst then.
func (s *Source) Stall() { s.change(func() { s.stalled = true }) }

// Resume ends a Stall.
func (s *Source) Resume() { s.change(func() { s.stalled = false }) }

// Overflow loses the next d of the script, as a card that nobody read in time,
// and counts.
func (s *Source) Overflow(d time.Duration) {
	s.change(func() {
		s.overflows++
		s.script = s.script[min(int(d*audio.CaptureRate/time.Second), len(s.script)):]
	})
}

// Overflows is how often Overflow was called.
func (s *Source) Overflows() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.overflows
}

// SetFrame notes what was asked for; Frame tells the test.
func (s *Source) SetFrame(samples int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frame = samples
}

// Frame is the last SetFrame, 0 for none.
func (s *Source) Frame() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frame
}

// Left is how much of the script was not yet heard.
func (s *Source) Left() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration(len(s.script)) * time.Second / audio.CaptureRate
}

// Read gives the samples of len(p) at the time when they have sounded.
func (s *Source) Read(p []int16) (int, error) {
	for {
		n, until, changed, err := s.try(p)
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
		waitFor(until, changed)
	}
}

// try reads, or says until when (zero: for ever) to wait for what.
func (s *Source) try(p []int16) (n int, until time.Time, changed chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	if s.begun.IsZero() {
		s.begun = time.Now()
	}
	switch {
	case s.closed:
		return 0, until, nil, io.ErrClosedPipe
	case s.lost && !s.told:
		s.told = true
		return 0, until, nil, fmt.Errorf("%w: unplugged", audio.ErrLost)
	case s.lost, s.stalled:
		return 0, until, s.changed, nil
	}
	until = s.begun.Add(time.Duration(s.position+int64(len(p))) * time.Second / audio.CaptureRate)
	if time.Now().Before(until) {
		return 0, until, s.changed, nil
	}
	return s.give(p)
}

// give takes p from the script, filled up with silence, or ends with it.
func (s *Source) give(p []int16) (n int, until time.Time, changed chan struct{}, err error) {
	n = copy(p, s.script)
	s.script = s.script[n:]
	if s.ends && n < len(p) {
		return n, until, nil, io.EOF
	}
	clear(p[n:])
	s.position += int64(len(p))
	return len(p), until, nil, nil
}

// Close ends Read.
func (s *Source) Close() error {
	s.change(func() { s.closed = true })
	return nil
}

// change does f and wakes Read.
func (s *Source) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	if s.changed != nil {
		close(s.changed)
	}
	s.changed = make(chan struct{})
}

// waitFor blocks until a time (zero: for ever) or a change.
func waitFor(until time.Time, changed <-chan struct{}) {
	var at <-chan time.Time
	if !until.IsZero() {
		t := time.NewTimer(time.Until(until))
		defer t.Stop()
		at = t.C
	}
	select {
	case <-changed:
	case <-at:
	}
}
