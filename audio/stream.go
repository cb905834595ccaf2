package audio

import (
	"time"
)

// Stream is one piece of speech in a Player's queue: a sentence, or a whole
// reply. One goroutine calls Write and End; the other methods are for any.
type Stream struct {
	p       *Player
	space   chan struct{} // Run took something from the queue
	stopped chan struct{} // closed with err set
	done    chan struct{}
	release func() // detaches from the context

	// Below: guarded by p.mu.
	queue   []int16
	ended   bool
	written int    // samples the sink took
	marks   []mark // when it took them, as far back as the latency
	played  int    // final once over
	isOver  bool
	err     error
}

// mark says how many samples of a stream the sink had taken at a time.
type mark struct {
	at      time.Time
	written int
}

// Write queues pcm, 24 kHz, and blocks while a second is unplayed. It returns
// nil, ErrStopped after Player.Stop, the context's cause, or what the device
// failed with; the samples are copied.
func (s *Stream) Write(pcm []int16) error {
	for {
		n, err := s.push(pcm)
		if err != nil {
			return err
		}
		if pcm = pcm[n:]; len(pcm) == 0 {
			return nil
		}
		select {
		case <-s.space:
		case <-s.stopped:
		}
	}
}

// push queues as much of pcm as there is room for.
func (s *Stream) push(pcm []int16) (int, error) {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	if s.ended {
		return 0, ErrStopped
	}
	n := min(len(pcm), streamQueue-len(s.queue))
	s.queue = append(s.queue, pcm[:n]...)
	s.p.poke()
	return n, nil
}

// End says that no more comes; Done closes once all of it was heard. Twice is
// harmless.
func (s *Stream) End() {
	s.p.mu.Lock()
	s.ended = true
	s.p.mu.Unlock()
	s.p.poke()
}

// Done is closed when the stream is over: heard to the end, stopped or failed.
// Err and Played are final then.
func (s *Stream) Done() <-chan struct{} { return s.done }

// Err is nil while playing and when heard to the end; else why it is over.
func (s *Stream) Err() error {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	return s.err
}

// Played is the number of samples surely heard: those the device had taken a
// latency ago. It never falls, is at most what was written, and stays as it is
// once the stream is over: V6's measure of what was heard.
func (s *Stream) Played() int {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	if s.isOver {
		return s.played
	}
	return s.heard(time.Now().Add(-s.p.latency))
}

// mark books n more samples at now and forgets marks older than the latency.
func (s *Stream) mark(now time.Time, n int, latency time.Duration) {
	s.written += n
	s.marks = append(s.marks, mark{now, s.written})
	old := now.Add(-latency)
	for len(s.marks) > 1 && !s.marks[1].at.After(old) {
		s.marks = s.marks[1:]
	}
}

// heard is how much the sink had taken at a time, and never less than before.
func (s *Stream) heard(at time.Time) int {
	for _, m := range s.marks {
		if m.at.After(at) {
			break
		}
		s.played = max(s.played, m.written)
	}
	return s.played
}

func (s *Stream) lastMark() time.Time {
	if len(s.marks) == 0 {
		return time.Time{}
	}
	return s.marks[len(s.marks)-1].at
}

// given reports whether the sink has all of it.
func (s *Stream) given() bool { return s.ended && len(s.queue) == 0 }

func (s *Stream) over() bool { return s.isOver }

func (s *Stream) notify() {
	select {
	case s.space <- struct{}{}:
	default:
	}
}

// fail refuses further writes; finish follows after the flush.
func (s *Stream) fail(err error) {
	if s.err != nil {
		return
	}
	s.err = err
	s.queue = nil
	close(s.stopped)
}

// finish makes the stream over with played samples heard. Called once or more,
// the first counts; with the lock held.
func (s *Stream) finish(played int, err error) {
	if s.isOver {
		return
	}
	if err != nil {
		s.fail(err)
	}
	s.isOver, s.ended = true, true
	s.played = max(s.played, played)
	s.queue, s.marks = nil, nil
	s.release()
	close(s.done)
}
