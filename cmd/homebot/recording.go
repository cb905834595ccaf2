package main

import (
	"io"
	"sync"
	"time"

	"homebot/audio"
)

// recording is a microphone that hears recordings in real time, with quiet
// around them. Until begin it hears quiet, afterwards quiet for ever.
type recording struct {
	mu     sync.Mutex
	pcm    []int16
	at     int
	began  bool
	paced  time.Time // when the samples read so far have all sounded
	closed chan struct{}
	once   sync.Once
}

func newRecording() *recording {
	r := &recording{closed: make(chan struct{})}
	r.add(nil)
	return r
}

// add appends one recording and the quiet after it.
func (r *recording) add(pcm []int16) {
	r.pcm = append(r.pcm, pcm...)
	r.pcm = append(r.pcm, make([]int16, int(quiet.Seconds()*audio.CaptureRate))...)
}

// next lets one recording sound now, with quiet after it, in the place of those
// before it.
func (r *recording) next(pcm []int16) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pcm, r.at, r.began = nil, 0, true
	r.add(pcm)
}

// begin lets the recordings sound from now on.
func (r *recording) begin() { r.mu.Lock(); defer r.mu.Unlock(); r.began = true }

// over reports that everything was heard.
func (r *recording) over() bool { r.mu.Lock(); defer r.mu.Unlock(); return r.at >= len(r.pcm) }

// Read is audio.Source.
func (r *recording) Read(p []int16) (int, error) {
	if err := r.wait(len(p)); err != nil {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	if r.began {
		n = copy(p, r.pcm[r.at:])
		r.at += n
	}
	clear(p[n:])
	return len(p), nil
}

// wait lasts as long as samples do.
func (r *recording) wait(samples int) error {
	if now := time.Now(); r.paced.Before(now.Add(-time.Second)) {
		r.paced = now
	}
	r.paced = r.paced.Add(time.Duration(samples) * time.Second / audio.CaptureRate)
	t := time.NewTimer(time.Until(r.paced))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-r.closed:
		return io.ErrClosedPipe
	}
}

// Close is audio.Source.
func (r *recording) Close() error { r.once.Do(func() { close(r.closed) }); return nil }

// nowhere is a loudspeaker that nobody hears, in real time.
type nowhere struct{ until time.Time }

// Write is audio.Sink.
func (s *nowhere) Write(p []int16) (int, error) {
	if now := time.Now(); s.until.Before(now) {
		s.until = now
	}
	s.until = s.until.Add(time.Duration(len(p)) * time.Second / audio.PlaybackRate)
	return len(p), s.waitUntil(s.until.Add(-s.Latency()))
}

func (s *nowhere) waitUntil(t time.Time) error {
	if d := time.Until(t); d > 0 {
		<-time.After(d)
	}
	return nil
}

func (s *nowhere) Latency() time.Duration { return 100 * time.Millisecond }
func (s *nowhere) Flush() error           { s.until = time.Now(); return nil }
func (s *nowhere) Drain() error           { return s.waitUntil(s.until) }
func (s *nowhere) Close() error           { return nil }
