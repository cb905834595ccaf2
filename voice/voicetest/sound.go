package voicetest

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"homebot/audio"
)

// Microphone is a silent audio.Source in real time that can be unplugged. Open
// it with its method Open.
type Microphone struct {
	mu     sync.Mutex
	gone   bool
	closed chan struct{} // of the Source that is open
	pulled chan struct{} // closed when it is unplugged
	opened int
}

// NewMicrophone returns one that is plugged in.
func NewMicrophone() *Microphone { return &Microphone{pulled: make(chan struct{})} }

// Open returns the microphone, or an error that wraps audio.ErrLost while it is
// unplugged.
func (m *Microphone) Open(context.Context) (audio.Source, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.gone {
		return nil, fmt.Errorf("open: %w", audio.ErrLost)
	}
	m.opened++
	return &source{mic: m, pulled: m.pulled, closed: make(chan struct{}), next: time.Now()}, nil
}

// Unplug ends every Read with audio.ErrLost.
func (m *Microphone) Unplug() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gone = true
	close(m.pulled)
}

// Plug makes Open work again.
func (m *Microphone) Plug() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gone, m.pulled = false, make(chan struct{})
}

// source is one opening of the microphone. Its frames end on the grid that
// began with it.
type source struct {
	mic    *Microphone
	pulled chan struct{}
	once   sync.Once
	closed chan struct{}
	next   time.Time
}

func (s *source) Read(p []int16) (int, error) {
	s.next = s.next.Add(time.Duration(len(p)) * time.Second / audio.CaptureRate)
	t := time.NewTimer(time.Until(s.next))
	defer t.Stop()
	select {
	case <-t.C:
		clear(p)
		return len(p), nil
	case <-s.pulled:
		return 0, fmt.Errorf("read: %w", audio.ErrLost)
	case <-s.closed:
		return 0, io.ErrClosedPipe
	}
}

func (s *source) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

// cardBuffer is how much the loudspeaker holds: what Write runs ahead.
const cardBuffer = 60 * time.Millisecond

// Loudspeaker is an audio.Sink in real time that notes when it sounds.
type Loudspeaker struct {
	mu     sync.Mutex
	end    time.Time // of what was written
	sounds []time.Time
	silent []time.Time // flushes
	broken error
}

// Break makes every Write fail with err; nil heals it.
func (s *Loudspeaker) Break(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = err
}

// Write plays p.
func (s *Loudspeaker) Write(p []int16) (int, error) {
	s.mu.Lock()
	if s.broken != nil {
		defer s.mu.Unlock()
		return 0, s.broken
	}
	if now := time.Now(); s.end.Before(now) {
		s.end = now
		s.sounds = append(s.sounds, now)
	}
	s.end = s.end.Add(time.Duration(len(p)) * time.Second / audio.PlaybackRate)
	ahead := time.Until(s.end) - cardBuffer
	s.mu.Unlock()
	time.Sleep(ahead)
	return len(p), nil
}

// Sounding reports whether something can be heard now.
func (s *Loudspeaker) Sounding() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Before(s.end)
}

// Began lists when it began to sound after silence.
func (s *Loudspeaker) Began() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]time.Time(nil), s.sounds...)
}

// Latency is that of a full buffer.
func (s *Loudspeaker) Latency() time.Duration { return cardBuffer }

// Flush is silence at once.
func (s *Loudspeaker) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end = time.Now()
	s.silent = append(s.silent, s.end)
	return nil
}

// Flushed lists when it was silenced.
func (s *Loudspeaker) Flushed() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]time.Time(nil), s.silent...)
}

// Drain waits for the end of what was written.
func (s *Loudspeaker) Drain() error {
	s.mu.Lock()
	left := time.Until(s.end)
	s.mu.Unlock()
	time.Sleep(left)
	return nil
}

// Close does nothing.
func (s *Loudspeaker) Close() error { return nil }
