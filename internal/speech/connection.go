package speech

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// Limits that are nobody's wish to change.
const (
	maxPhrase    = 200 // bytes of one phrase
	maxLanguages = 8
)

// listen serves one websocket on the request's goroutine, until it ends.
func (s *Server) listen(w http.ResponseWriter, r *http.Request) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		writeError(w, http.StatusServiceUnavailable, "connections", "", "too many connections")
		return
	}
	up := websocket.Upgrader{
		HandshakeTimeout: writeWait,
		CheckOrigin:      func(*http.Request) bool { return true }, // guard did
		ReadBufferSize:   4096, WriteBufferSize: 4096,
	}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		s.log.Debug("websocket refused", "err", err)
		return
	}
	c := &connection{
		server: s, wire: newWire(conn, max(2*samples(s.limits.Frame), s.limits.Text)),
		in: make(chan item, itemQueue),
	}
	err = c.run(r.Context())
	s.log.Debug("websocket ended", "remote", r.RemoteAddr, "err", err)
}

// itemQueue is how many messages may wait for the recogniser; audio is bounded by
// Limits.Queue before (500 frames of 20 ms in 10 s).
const itemQueue = 1024

// item is one message on its way to the recogniser. gap is the audio that was
// dropped just before it, in samples.
type item struct {
	pcm []int16
	say message
	gap int
}

// connection is one websocket of the server. Its reader (the request's
// goroutine) checks messages and queues them; its worker is the one goroutine
// that calls the Recognizer; the wire's writer sends.
type connection struct {
	server  *Server
	wire    *wire
	cancel  context.CancelCauseFunc
	in      chan item    // itemQueue
	queued  atomic.Int64 // samples in it
	late    *time.Timer  // ends a connection that says no hello
	greeted bool         // reader's: the hello came
	gap     int          // reader's: samples dropped since the last item
	dropped int          // reader's: samples dropped in all
}

// run serves until the client leaves, errs, or the server's context ends. It
// returns why.
func (c *connection) run(server context.Context) error {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(server))
	defer cancel(nil)
	c.cancel = cancel
	defer context.AfterFunc(server, func() { cancel(errShutdown) })()
	c.late = time.AfterFunc(c.server.limits.Hello, func() {
		cancel(badHello("no hello within %v", c.server.limits.Hello))
	})
	defer c.late.Stop()
	var worker sync.WaitGroup
	worker.Go(func() { c.work(ctx) })
	err := c.wire.run(ctx, c.accept)
	cancel(err)
	worker.Wait()
	return err
}

// errShutdown is how the end of the server is told to a client.
var errShutdown = &refusal{websocket.CloseGoingAway, CodeShutdown, "the speech server is stopping"}

func badHello(format string, args ...any) error {
	return &refusal{websocket.ClosePolicyViolation, CodeBadHello, fmt.Sprintf(format, args...)}
}

// accept takes one message from the client.
func (c *connection) accept(kind int, data []byte) error {
	if kind == websocket.BinaryMessage {
		return c.acceptFrame(data)
	}
	if int64(len(data)) > c.server.limits.Text {
		return &refusal{websocket.CloseMessageTooBig, CodeBadMessage, "text message too long"}
	}
	m, err := decodeMessage(data)
	if err != nil {
		return &refusal{websocket.CloseInvalidFramePayloadData, CodeBadMessage, oneLine(err.Error())}
	}
	switch m.Type {
	case sayHello:
		return c.acceptHello(m)
	case sayTake, sayEnd, sayWait:
		if !c.greeted {
			return badHello("%s before the hello", m.Type)
		}
		return c.queue(item{say: m})
	}
	return nil // additive: what we do not know, we ignore
}

func (c *connection) acceptHello(m message) error {
	if c.greeted {
		return badHello("a second hello")
	}
	if err := c.server.checkHello(m.Hello); err != nil {
		return err
	}
	c.greeted = true
	c.late.Stop()
	return c.queue(item{say: m})
}

// checkHello holds a hello to the limits. A later version is welcome: it only
// adds.
func (s *Server) checkHello(h Hello) error {
	switch {
	case h.Version < ProtocolVersion:
		return badHello("version %d is not spoken here, %d is", h.Version, ProtocolVersion)
	case h.Rate != CaptureRate:
		return badHello("rate is %d, it must be %d", h.Rate, CaptureRate)
	case len(h.Languages) > maxLanguages:
		return badHello("%d languages, at most %d", len(h.Languages), maxLanguages)
	case len(h.Wake) > s.limits.Wake:
		return badHello("%d wake phrases, at most %d", len(h.Wake), s.limits.Wake)
	case len(h.Phrases) > s.limits.Phrases:
		return badHello("%d phrases, at most %d", len(h.Phrases), s.limits.Phrases)
	}
	for _, p := range append(h.Wake[:len(h.Wake):len(h.Wake)], h.Phrases...) {
		if p.Text == "" || len(p.Text) > maxPhrase {
			return badHello("a phrase has %d bytes, it must have 1 to %d", len(p.Text), maxPhrase)
		}
	}
	return nil
}

// acceptFrame queues audio, or drops it when too much is waiting: the newest,
// so that what is being recognised stays whole. Sample counts go on counting.
func (c *connection) acceptFrame(data []byte) error {
	bad := func(text string) error {
		return &refusal{websocket.CloseUnsupportedData, CodeBadFrame, text}
	}
	if !c.greeted {
		return badHello("audio before the hello")
	}
	if len(data) > int(2*samples(c.server.limits.Frame)) {
		return bad(fmt.Sprintf("a frame of %d bytes is longer than %v", len(data), c.server.limits.Frame))
	}
	pcm, err := decodeFrame(data)
	if err != nil {
		return bad(err.Error())
	}
	if len(pcm) == 0 {
		return nil
	}
	if c.queued.Load()+int64(len(pcm)) <= samples(c.server.limits.Queue) {
		select {
		case c.in <- item{pcm: pcm, gap: c.gap}:
			c.queued.Add(int64(len(pcm)))
			c.gap = 0
			return nil
		default:
		}
	}
	return c.drop(len(pcm))
}

func samples(d time.Duration) int64 { return int64(d.Seconds() * CaptureRate) }

// drop counts audio that found no place.
func (c *connection) drop(n int) error {
	c.gap += n
	c.dropped += n
	if int64(c.dropped) > samples(c.server.limits.Dropped) {
		return &refusal{websocket.CloseTryAgainLater, CodeTooSlow, "the recogniser cannot keep up with the audio"}
	}
	return nil
}

// queue passes a command on, in order with the audio.
func (c *connection) queue(it item) error {
	it.gap = c.gap
	select {
	case c.in <- it:
		c.gap = 0
		return nil
	default:
		return &refusal{websocket.CloseTryAgainLater, CodeTooSlow, "the recogniser cannot keep up with the commands"}
	}
}

// tell sends h, on the worker's goroutine. A partial transcript is dropped when
// the client does not read, since a newer one follows; anything else ends the
// connection then.
func (c *connection) tell(h Heard) {
	data, err := json.Marshal(h)
	if err != nil { // a confidence that is no number
		c.cancel(&refusal{websocket.CloseInternalServerErr, CodeEngine, oneLine(err.Error())})
		return
	}
	if !c.wire.send(websocket.TextMessage, data) && h.Kind != Partial {
		c.cancel(&refusal{websocket.ClosePolicyViolation, CodeSlowReader, "the client does not read what was heard"})
	}
}
