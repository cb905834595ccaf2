package child

import (
	"io"
	"sync"
	"time"

	"homebot/audio"
	"homebot/internal/phrases"
)

var _ audio.Sink = (*Sink)(nil)

const (
	// sinkFrame is what the child hands to the card at once, and the parent to
	// the child.
	sinkFrame = audio.PlaybackRate * 20 / 1000
	// sinkWindow is how far the parent runs ahead of the card. A flush throws it
	// away in the child at once, so it costs a barge-in nothing; with the card's
	// own 100 ms it is how long this program may be kept from running before the
	// sound has a hole.
	sinkWindow = audio.PlaybackRate * 100 / 1000
	// unsaid is what a sound server adds to the latency and does not tell the
	// library: its own mixing buffer. Without it Played would count what was
	// not heard yet.
	unsaid = 60 * time.Millisecond
	// longAgo is when a Write counts as the first of something new: everything
	// before it has long been played.
	longAgo = 2 * time.Second
	// assumedLatency stands for the card's own until it said it.
	assumedLatency = 120 * time.Millisecond
)

// Sink is a loudspeaker behind a child. One goroutine writes, flushes and
// drains; Device and Close are for any.
//
// When the device is lost, Write and Drain return an error that wraps
// audio.ErrLost, at once while it is not yet time for the next attempt. The
// child that ended while nothing was playing is replaced without a word.
type Sink struct {
	c      Config
	retry  retry
	unread int       // samples sent and not acknowledged
	sent   time.Time // the last Write
	// burst is what was sent since a pause and before anything of it was
	// acknowledged; isBurst says that this is so.
	burst   []int16
	isBurst bool
	serial  uint32
	why     error // of the present outage

	mu       sync.Mutex
	link     *link
	device   Ready
	isClosed bool
}

// OpenSink returns the loudspeaker c names and starts its child without waiting
// for it, so that the first earcon need not; a missing device shows in the
// first Write.
func OpenSink(c Config) *Sink {
	s := &Sink{c: c}
	_, _ = s.connect() // the first Write tries again
	return s
}

// Device is the device last opened; the zero value before the first Write.
func (s *Sink) Device() Ready {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.device
}

// Latency is the longest way of a sample: the window, one frame, the card and a
// sound server's own buffer.
func (s *Sink) Latency() time.Duration {
	d := s.Device().Latency
	if d == 0 {
		d = assumedLatency
	}
	return d + samples(sinkWindow+sinkFrame) + unsaid
}

func samples(n int) time.Duration { return time.Duration(n) * time.Second / audio.PlaybackRate }

// Write plays p and returns once all but the last 100 ms are with the card.
func (s *Sink) Write(p []int16) (n int, err error) {
	for n < len(p) {
		k := min(sinkFrame, len(p)-n)
		if err := s.send(p[n : n+k]); err != nil {
			return n, err
		}
		n += k
	}
	return n, nil
}

// send gives one frame to the child and waits for room. A child found dead with
// nothing under way is replaced once, and gets what the dead one did not play.
func (s *Sink) send(frame []int16) error {
	if time.Since(s.sent) > longAgo {
		s.settle()
		s.burst, s.isBurst = s.burst[:0], true
	}
	if s.isBurst {
		s.burst = append(s.burst, frame...)
	}
	err := s.trySend(frame)
	if err != nil && s.isBurst && s.fresh() {
		err = s.trySend(s.burst)
		s.isBurst = false
	}
	s.sent = time.Now()
	return err
}

// settle reads the acknowledgements of what was played long ago. If the child
// is dead that was an outage nobody heard.
func (s *Sink) settle() {
	s.mu.Lock()
	l := s.link
	s.mu.Unlock()
	for l != nil && s.unread > 0 {
		m, err := l.receive(flushTimeout)
		if err != nil {
			_ = s.fail(l, err)
			return
		}
		s.note(l, m)
	}
}

// fresh reports whether another attempt may be made at once.
func (s *Sink) fresh() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.isClosed && s.retry.due(time.Now()) == 0
}

// trySend waits until there is room; for a child just started until the card
// took something, so that a missing one shows.
func (s *Sink) trySend(frame []int16) error {
	l, err := s.connect()
	if err != nil {
		return err
	}
	_ = l.in.SetWriteDeadline(time.Now().Add(s.retry.within(l, time.Now())))
	if err := l.pcm(frame); err != nil {
		return s.fail(l, s.reason(l))
	}
	s.unread += len(frame)
	s.c.tap().Sent(frame)
	for s.unread > sinkWindow || l.ready == nil {
		m, err := l.receive(s.retry.within(l, time.Now()))
		if err != nil {
			return s.fail(l, err)
		}
		s.note(l, m)
	}
	return nil
}

// reason is what a child said before it closed its end.
func (s *Sink) reason(l *link) error {
	for {
		if _, err := l.receive(flushTimeout); err != nil {
			return err
		}
	}
}

// note books a message; a first one means that the device works.
func (s *Sink) note(l *link, m message) {
	if m.kind != kindAck {
		return
	}
	a := m.ack()
	s.c.tap().Taken(a.samples, a.silence, a.when())
	s.unread = max(s.unread-a.samples, 0)
	s.isBurst = false
	if s.retry.pause == 0 {
		return
	}
	s.retry.reset()
	s.mu.Lock()
	s.device = *l.ready
	s.mu.Unlock()
	if s.why != nil {
		s.why = nil
		s.c.log().Info("the loudspeaker is back", "device", s.Device().Device)
	}
}

// connect returns the running child or starts one when it is time.
func (s *Sink) connect() (*link, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed {
		return nil, io.ErrClosedPipe
	}
	if s.link != nil {
		return s.link, nil
	}
	now := time.Now()
	if s.retry.due(now) > 0 {
		return nil, phrases.Errorf(phrases.SoundWaiting, audio.ErrLost)
	}
	s.retry.attempt(now)
	l, err := s.c.dial("sink", sinkFrame)
	if err != nil {
		return nil, err
	}
	s.link, s.unread = l, 0
	return l, nil
}

// fail ends the child and keeps the reason.
func (s *Sink) fail(l *link, err error) error {
	s.mu.Lock()
	s.retry.failed(l, err, time.Now())
	l.kill()
	s.link = nil
	closed := s.isClosed
	s.mu.Unlock()
	s.unread = 0
	s.c.tap().Cut()
	if closed {
		return io.ErrClosedPipe
	}
	if s.why == nil {
		s.c.log().Warn("the loudspeaker is lost", "err", err)
	}
	s.why = err
	return err
}

// Flush silences the device: within 20 ms or so, and within 150 ms even if the
// child hangs, which is then ended.
func (s *Sink) Flush() error {
	err := s.ask(kindFlushed, flushTimeout)
	s.unread = 0
	s.c.tap().Cut()
	return err
}

// Drain waits until what was written was played.
func (s *Sink) Drain() error {
	err := s.ask(kindDrained, s.Latency()+firstTimeout)
	s.sent = time.Time{} // nothing is under way
	return err
}

// ask sends a request and reads until its answer. With no child there is
// nothing to do.
func (s *Sink) ask(kind byte, within time.Duration) error {
	s.mu.Lock()
	l, closed := s.link, s.isClosed
	s.mu.Unlock()
	if closed {
		return io.ErrClosedPipe
	}
	if l == nil || l.ready == nil {
		return nil
	}
	s.serial++
	end := time.Now().Add(within)
	_ = l.in.SetWriteDeadline(end)
	if err := l.number(kind, s.serial); err != nil {
		return s.fail(l, s.reason(l))
	}
	for {
		m, err := l.receive(time.Until(end))
		if err != nil {
			err = s.fail(l, err)
			if kind == kindFlushed {
				return nil // the child is dead, so it is silent
			}
			return err
		}
		if m.kind == kind && m.number() == s.serial {
			return nil
		}
		s.note(l, m)
	}
}

// Close ends the child without waiting for what is still to be played: Drain
// first for that.
func (s *Sink) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed {
		return nil
	}
	s.isClosed = true
	if s.link != nil {
		s.link.kill()
		<-s.link.process.Done()
		s.link = nil
	}
	return nil
}
