package console

import (
	"io"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"homebot/audio"
)

// What a browser's sound may be late or ahead.
const (
	// micAhead is what may wait to be heard; older sound is dropped. A phone that
	// was away for longer begins anew.
	micAhead = 2 * audio.CaptureRate
	// micLate is how long a gap in the middle of speech is waited for: a jitter of
	// Wi-Fi, seldom longer. A microphone that is closed gives silence at once.
	micLate = 250 * time.Millisecond
	// speakerAhead is what is sent before it is due; speakerDelay what a browser
	// adds until it is heard: 60 ms of its own queue, and its sound card.
	speakerAhead = 400 * time.Millisecond
	speakerDelay = 150 * time.Millisecond
)

// browserMic is audio.Source: what a browser sent, at the pace of a microphone,
// and silence while it sends nothing.
type browserMic struct {
	mu     sync.Mutex
	pcm    []int16
	last   time.Time // when sound came
	closed bool
	wake   chan struct{} // capacity 1

	due time.Time // of the next silent frame; touched by Read alone
}

func newBrowserMic() *browserMic { return &browserMic{wake: make(chan struct{}, 1)} }

// take keeps sound that came; it never waits.
func (m *browserMic) take(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pcm = append(m.pcm, samplesOf(data)...)
	if over := len(m.pcm) - micAhead; over > 0 {
		m.pcm = append(m.pcm[:0:0], m.pcm[over:]...)
	}
	m.last = time.Now()
	m.poke()
}

func (m *browserMic) poke() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// Read is audio.Source.
func (m *browserMic) Read(p []int16) (int, error) {
	frame := time.Duration(len(p)) * time.Second / audio.CaptureRate
	now := time.Now()
	if m.due.Before(now.Add(-frame)) {
		m.due = now
	}
	m.due = m.due.Add(frame)
	t := time.NewTimer(time.Until(m.due))
	defer t.Stop()
	for {
		n, late, err := m.fill(p)
		if n == len(p) || err != nil {
			return n, err
		}
		select {
		case <-m.wake:
		case <-t.C:
			if late > 0 {
				t.Reset(late)
				continue
			}
			return m.silence(p)
		}
	}
}

// fill takes a whole frame, if there is one; late is how much longer a gap may
// be waited for.
func (m *browserMic) fill(p []int16) (n int, late time.Duration, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, 0, io.ErrClosedPipe
	}
	if len(m.pcm) < len(p) {
		return 0, micLate - time.Since(m.last), nil
	}
	copy(p, m.pcm)
	m.pcm = m.pcm[len(p):]
	m.due = time.Now() // what is behind real time is caught up with
	return len(p), 0, nil
}

// silence fills a frame up that did not come.
func (m *browserMic) silence(p []int16) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := copy(p, m.pcm)
	m.pcm = nil
	clear(p[n:])
	return len(p), nil
}

// Close is audio.Source.
func (m *browserMic) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.poke()
	return nil
}

// browserSpeaker is audio.Sink: it sends sound a little before it is due.
type browserSpeaker struct {
	send func(message)

	mu   sync.Mutex
	ends time.Time // when all that was written will have sounded
	stop chan struct{}
	over bool
}

func newBrowserSpeaker(send func(message)) *browserSpeaker {
	return &browserSpeaker{send: send, stop: make(chan struct{})}
}

// Write is audio.Sink. It returns when no more than speakerAhead waits.
func (s *browserSpeaker) Write(p []int16) (int, error) {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return 0, io.ErrClosedPipe
	}
	now := time.Now()
	if s.ends.Before(now) {
		s.ends = now
	}
	s.ends = s.ends.Add(time.Duration(len(p)) * time.Second / audio.PlaybackRate)
	wait := s.ends.Sub(now) - speakerAhead
	s.mu.Unlock()
	s.send(message{websocket.BinaryMessage, bytesOf(p)})
	return len(p), s.rest(wait)
}

// rest waits, or until Close.
func (s *browserSpeaker) rest(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-s.stop:
		return io.ErrClosedPipe
	}
}

// Latency is audio.Sink: what was sent and is not heard yet.
func (s *browserSpeaker) Latency() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, time.Until(s.ends)) + speakerDelay
}

// Flush is audio.Sink.
func (s *browserSpeaker) Flush() error {
	s.mu.Lock()
	s.ends = time.Now()
	s.mu.Unlock()
	s.send(message{websocket.TextMessage, []byte(`{"type":"flush"}`)})
	return nil
}

// Drain is audio.Sink.
func (s *browserSpeaker) Drain() error { return s.rest(s.Latency()) }

// Close is audio.Sink.
func (s *browserSpeaker) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.over = true
		close(s.stop)
	}
	return nil
}
