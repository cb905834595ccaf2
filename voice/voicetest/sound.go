package voicetest

import (
	"slices"
	"sync"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
)

// Loudspeaker is an audiotest.Sink that notes when it sounds.
type Loudspeaker struct {
	audiotest.Sink

	mu     sync.Mutex
	end    time.Time   // of what was written
	began  []time.Time // sound after silence
	silent []time.Time // flushes
}

// Write plays p.
func (s *Loudspeaker) Write(p []int16) (int, error) {
	s.mu.Lock()
	if now := time.Now(); s.end.Before(now) {
		s.end = now
		s.began = append(s.began, now)
	}
	s.end = s.end.Add(time.Duration(len(p)) * time.Second / audio.PlaybackRate)
	s.mu.Unlock()
	return s.Sink.Write(p)
}

// Flush is silence at once.
func (s *Loudspeaker) Flush() error {
	s.mu.Lock()
	s.end = time.Now()
	s.silent = append(s.silent, s.end)
	s.mu.Unlock()
	return s.Sink.Flush()
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
	return slices.Clone(s.began)
}

// Flushed lists when it was silenced.
func (s *Loudspeaker) Flushed() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.silent)
}
