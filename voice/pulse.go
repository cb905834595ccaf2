package voice

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// silentAfter is how long a microphone may give nothing and no error before the
// Listener calls it lost: ten times what audio/child waits for a frame, so that
// only a source which cannot judge itself gets here.
const silentAfter = 5 * time.Second

// errSilent: the source hangs.
var errSilent = fmt.Errorf("no sound for %v, and no reason given", silentAfter)

// errStopped is what Ping returns after Run has returned.
var errStopped = errors.New("the listener is not running")

// pulse is how the Listener proves that it lives. It belongs to Run.
type pulse struct {
	asked  chan chan<- error // of Ping
	over   chan struct{}     // closed when Run returns
	silent *time.Timer       // runs out when no frame came for silentAfter
	last   time.Time         // when the capture gave something
	ended  bool              // the recording is over; no frame is due
}

func newPulse() pulse {
	return pulse{asked: make(chan chan<- error), over: make(chan struct{})}
}

func (p *pulse) start() { p.silent = time.NewTimer(silentAfter) }

func (p *pulse) stop() {
	p.silent.Stop()
	close(p.over)
}

// frame notes that the capture gave something.
func (p *pulse) frame(ended bool) {
	p.ended, p.last = p.ended || ended, time.Now()
	if p.ended {
		p.silent.Stop()
		return
	}
	p.silent.Reset(silentAfter)
}

// Ping returns nil when the Listener has taken a message and either gets frames
// or knows, and has told, that the microphone is gone: a watchdog asks it, and an
// unplugged microphone is no reason to start anew. Any goroutine may call it.
func (l *Listener) Ping(ctx context.Context) error {
	answer := make(chan error, 1)
	select {
	case l.pulse.asked <- answer:
	case <-ctx.Done():
		return ctx.Err()
	case <-l.pulse.over:
		return errStopped
	}
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// alive is the answer to Ping.
func (l *Listener) alive() error {
	if quiet := time.Since(l.pulse.last); l.started && !l.deaf && !l.pulse.ended && quiet > 2*silentAfter {
		return fmt.Errorf("no sound for %v, which was not noticed", quiet.Round(time.Second))
	}
	return nil
}

// hung: the source gives neither sound nor an error. It is lost; a frame, should
// one come, brings it back.
func (l *Listener) hung(ctx context.Context) {
	if !l.pulse.ended {
		l.sourceLost(ctx, errSilent)
	}
}
