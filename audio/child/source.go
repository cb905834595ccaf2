package child

import (
	"io"
	"sync"
	"time"

	"homebot/audio"
)

var _ audio.Source = (*Source)(nil)

// Source is a microphone behind a child. One goroutine reads it; SetFrame,
// Overflows, Device and Close are for any.
//
// When the device is lost (unplugged, sound server dead, no frame for 500 ms, or
// longer on a machine that proved slower) Read returns what it has and an error
// that wraps audio.ErrLost, once for the outage. Further Reads block while the
// child is restarted with growing pauses, and go on by themselves once the device
// is back, at most 5 s after it is where a start takes no longer than 3 s.
type Source struct {
	c      Config
	closed chan struct{}
	retry  retry
	rest   []int16 // received and not yet read
	lost   bool    // this outage was reported

	mu        sync.Mutex
	link      *link
	frame     int
	overflows int
	device    Ready
	isClosed  bool
}

// OpenSource returns the microphone c names. The child starts with the first
// Read, which is also where a missing device shows.
func OpenSource(c Config) *Source {
	return &Source{c: c, closed: make(chan struct{}), frame: audio.WaitingFrame}
}

// SetFrame makes the child deliver frames of so many samples from the next one
// on: audio.SessionFrame in a voice session, audio.WaitingFrame while only
// waiting for the wake word. Nothing is lost at the change; Read may be called
// with any length.
func (s *Source) SetFrame(samples int) {
	samples = min(max(samples, 1), maxFrame)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frame == samples {
		return
	}
	s.frame = samples
	if s.link != nil {
		_ = s.link.number(kindFrame, uint32(samples)) // a dead child shows in Read
	}
}

// Overflows is how many times the card lost samples because nobody read in
// time. What was read is still valid.
func (s *Source) Overflows() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.overflows
}

// Device is the device last opened; the zero value before that.
func (s *Source) Device() Ready {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.device
}

// Read fills p; see Source for what happens when the device is lost. After
// Close it returns io.ErrClosedPipe.
func (s *Source) Read(p []int16) (n int, err error) {
	for {
		k := copy(p[n:], s.rest)
		n, s.rest = n+k, s.rest[k:]
		if n == len(p) {
			return n, nil
		}
		if err := s.fill(); err != nil {
			return n, err
		}
	}
}

// fill gets the next frame into rest, or does one step towards having a device
// again. An error is for the reader.
func (s *Source) fill() error {
	l, err := s.connect()
	if err != nil {
		return s.outage(l, err)
	}
	if l == nil {
		return io.ErrClosedPipe
	}
	m, err := l.receive(s.retry.within(l, time.Now()))
	if err != nil {
		return s.outage(l, err)
	}
	switch m.kind {
	case kindPCM:
		s.take(l, m.payload)
	case kindOverflow:
		s.overflowed(int(m.number()))
	}
	return nil
}

// connect returns the running child, or starts one when it is time. nil: closed.
func (s *Source) connect() (*link, error) {
	s.mu.Lock()
	l, closed := s.link, s.isClosed
	s.mu.Unlock()
	if l != nil && !closed {
		return l, nil
	}
	if !closed && !s.pause(s.retry.due(time.Now())) {
		return nil, nil
	}
	s.retry.attempt(time.Now())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed {
		return nil, nil
	}
	l, err := s.c.dial("source", s.frame)
	s.link = l
	return l, err
}

// pause waits; false when the source was closed meanwhile.
func (s *Source) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.closed:
		return false
	case <-t.C:
		return true
	}
}

// take keeps a frame; with the first one the device is back.
func (s *Source) take(l *link, payload []byte) {
	if cap(s.rest) < len(payload)/2 {
		s.rest = make([]int16, 0, max(len(payload)/2, audio.WaitingFrame))
	}
	s.rest = s.rest[:len(payload)/2]
	audio.ParsePCM(s.rest, payload)
	if s.retry.pause == 0 {
		return
	}
	s.retry.reset()
	if l.ready != nil {
		s.mu.Lock()
		s.device = *l.ready
		s.mu.Unlock()
	}
	if s.lost {
		s.lost = false
		s.c.log().Info("the microphone is back", "device", s.Device().Device)
	}
}

func (s *Source) overflowed(times int) {
	s.mu.Lock()
	s.overflows += times
	total := s.overflows
	s.mu.Unlock()
	s.c.log().Warn("the microphone lost samples: this machine was too busy to read them", "times", times, "total", total)
}

// outage ends the child and returns the error if this outage was not reported
// yet.
func (s *Source) outage(l *link, err error) error {
	s.retry.failed(l, err, time.Now())
	s.mu.Lock()
	if l != nil {
		l.kill()
	}
	s.link = nil
	closed := s.isClosed
	s.mu.Unlock()
	switch {
	case closed:
		return io.ErrClosedPipe
	case s.lost:
		return nil
	}
	s.lost = true
	s.c.log().Warn("the microphone is lost", "err", err)
	return err
}

// Close ends the child; a blocked Read returns io.ErrClosedPipe.
func (s *Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed {
		return nil
	}
	s.isClosed = true
	close(s.closed)
	if s.link != nil {
		s.link.kill()
		<-s.link.process.Done()
		s.link = nil
	}
	return nil
}
