package speech

import (
	"context"
	"fmt"
	"time"

	"github.com/gorilla/websocket"
)

// hearing is the worker's side of a connection: the Recognizer and how its
// sample counts relate to the client's.
type hearing struct {
	c        *connection
	rec      Recognizer
	accepted int       // samples the Recognizer got
	gaps     []gap     // what it did not get
	missed   int       // samples dropped and not yet reported
	reported time.Time // of the last overrun
}

// gap is audio that was dropped: samples of it, before sample at of what the
// Recognizer got.
type gap struct{ at, samples int }

// overrunEvery bounds how often dropped audio is reported.
const overrunEvery = time.Second

// work calls the Recognizer until ctx ends.
func (c *connection) work(ctx context.Context) {
	h := &hearing{c: c}
	defer h.close()
	for {
		select {
		case <-ctx.Done():
			return
		case it := <-c.in:
			if err := h.take(ctx, it); err != nil {
				c.server.health.fail(err)
				c.cancel(&refusal{websocket.CloseInternalServerErr, CodeEngine, oneLine(err.Error())})
				return
			}
		}
	}
}

func (h *hearing) close() {
	if h.rec == nil {
		return
	}
	h.c.server.health.leave()
	if err := h.rec.Close(); err != nil {
		h.c.server.log.Warn("recogniser did not close", "err", err)
	}
}

// take does what one message asks for.
func (h *hearing) take(ctx context.Context, it item) error {
	h.c.queued.Add(-int64(len(it.pcm)))
	h.skip(it.gap)
	if it.say.Type == sayHello {
		return h.begin(ctx, it.say.Hello)
	}
	defer h.c.server.labour.begin(h.c, "a message", hungAfter)()
	switch it.say.Type {
	case sayTake:
		if o, ok := h.rec.(Overhearer); ok && it.say.Overhear {
			return o.Overhear(it.say.Lang)
		}
		return h.rec.Take(it.say.Lang)
	case sayWait:
		return h.rec.Wait()
	case sayEnd:
		heard, err := h.rec.End()
		h.tell(heard)
		return err
	}
	h.accepted += len(it.pcm)
	heard, err := h.rec.Accept(it.pcm)
	h.tell(heard)
	return err
}

// begin makes the Recognizer and says who listens.
func (h *hearing) begin(ctx context.Context, hello Hello) error {
	s := h.c.server
	if s.Engine == nil {
		return errNoEngine
	}
	done := s.labour.begin(h.c, "loading its models", loadLimit)
	loaded := h.c.stillLoading(ctx)
	rec, leftOut, err := s.Engine.NewRecognizer(ctx, hello)
	loaded()
	done()
	if err != nil {
		return fmt.Errorf("no recogniser: %w", err)
	}
	h.rec = rec
	s.health.enter()
	info := s.describe()
	info.LeftOut = leftOut
	h.c.tell(Heard{Kind: Ready, Info: &info})
	return nil
}

// skip notes dropped audio and reports it, at most once in overrunEvery.
func (h *hearing) skip(n int) {
	if n > 0 {
		h.gaps = append(h.gaps, gap{h.accepted, n})
		h.missed += n
	}
	if h.missed == 0 || time.Since(h.reported) < overrunEvery {
		return
	}
	ms := h.missed * 1000 / CaptureRate
	h.c.tell(Heard{Kind: Failure, Code: CodeOverrun, End: h.position(h.accepted),
		Text: fmt.Sprintf("%d ms of audio were dropped: the recogniser is slower than the audio", ms)})
	h.c.server.log.Warn("audio dropped", "dropped_samples", h.missed)
	h.missed, h.reported = 0, time.Now()
}

// position turns a count of the Recognizer's samples into one of the client's.
func (h *hearing) position(n int) int {
	out := n
	for _, g := range h.gaps {
		if g.at > n {
			break
		}
		out += g.samples
	}
	return out
}

// tell sends what was heard, its counts in the client's samples.
func (h *hearing) tell(heard []Heard) {
	for _, x := range heard {
		if len(h.gaps) > 0 {
			x.Start, x.End = h.position(x.Start), h.position(x.End)
		}
		h.c.tell(x)
	}
}
