package speech

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Clockwork of a connection, both ends. A ping every pingEvery; a peer that was
// silent for deadAfter (three pings) is gone: that ends half-open connections.
const (
	pingEvery  = 5 * time.Second
	deadAfter  = 15 * time.Second
	writeWait  = 5 * time.Second // one message into the socket
	closeWait  = time.Second     // after our close frame, for the peer's
	outMessage = 256             // messages waiting for the socket: 5 s of 20 ms frames
)

// packet is one websocket message on its way out.
type packet struct {
	kind int // websocket.TextMessage or BinaryMessage
	data []byte
}

// wire is one websocket with its clockwork. One goroutine reads and one writes:
// pings, pongs and the closing frame go through the writer too, so that a reader
// is never held up by a full socket.
type wire struct {
	conn  *websocket.Conn
	out   chan packet // outMessage: see there; full means that the peer does not read
	pongs chan string // 1: the newest pong owed
	limit int64       // bytes of one message from the peer
}

func newWire(conn *websocket.Conn, limit int64) *wire {
	w := &wire{conn: conn, out: make(chan packet, outMessage), pongs: make(chan string, 1), limit: limit}
	conn.SetPongHandler(func(string) error { return w.alive() })
	conn.SetPingHandler(func(data string) error {
		select {
		case w.pongs <- data:
		default:
		}
		return w.alive()
	})
	conn.SetCloseHandler(func(int, string) error { return nil }) // the writer answers
	return w
}

// alive notes that the peer was heard of.
func (w *wire) alive() error { return w.conn.SetReadDeadline(time.Now().Add(deadAfter)) }

// send queues a message; false means that the queue is full.
func (w *wire) send(kind int, data []byte) bool {
	select {
	case w.out <- packet{kind, data}:
		return true
	default:
		return false
	}
}

// run moves messages until ctx ends or the peer is gone, and joins the writer.
// handle gets every message on the caller's goroutine; its error ends the
// connection. run returns why it ended: never nil.
func (w *wire) run(ctx context.Context, handle func(kind int, data []byte) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	read := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		defer w.conn.Close()
		w.write(ctx, cancel)
		select { // a close right away would reset what the peer has not read yet
		case <-read:
		case <-time.After(closeWait):
		}
	})
	w.read(ctx, cancel, handle)
	close(read)
	writer.Wait()
	return context.Cause(ctx)
}

// read hands messages to handle until the socket fails. Once ctx has ended it
// only reads on, so that the peer's closing frame is seen.
func (w *wire) read(ctx context.Context, cancel context.CancelCauseFunc, handle func(int, []byte) error) {
	_ = w.alive()
	for {
		kind, data, err := w.readMessage()
		if err != nil {
			cancel(readError(err))
			return
		}
		if ctx.Err() != nil {
			continue
		}
		_ = w.alive()
		if int64(len(data)) > w.limit {
			err = &refusal{websocket.CloseMessageTooBig, CodeBadFrame, fmt.Sprintf("a message longer than %d bytes", w.limit)}
		} else {
			err = handle(kind, data)
		}
		if err != nil {
			cancel(err)
		}
	}
}

// readMessage reads one message within the limit. (The library's own limit would
// close without saying why.)
func (w *wire) readMessage() (kind int, data []byte, err error) {
	kind, r, err := w.conn.NextReader()
	if err != nil {
		return 0, nil, err
	}
	data, err = io.ReadAll(io.LimitReader(r, w.limit+1))
	return kind, data, err
}

// readError words what ended reading.
func readError(err error) error {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return fmt.Errorf("closed by the other end (%d %s)", closed.Code, oneLine(closed.Text))
	}
	return fmt.Errorf("connection lost: %w", err)
}

// write empties the queue into the socket and keeps the pings going. When ctx
// ends it writes what is left, the reason and the closing frame.
func (w *wire) write(ctx context.Context, cancel context.CancelCauseFunc) {
	stop := context.AfterFunc(ctx, func() { // shorten a write that hangs now
		_ = w.conn.NetConn().SetWriteDeadline(time.Now().Add(closeWait))
	})
	defer stop()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for ctx.Err() == nil {
		if err := w.writeOne(ctx, ping.C); err != nil {
			cancel(fmt.Errorf("connection lost: %w", err))
		}
	}
	w.sayGoodbye(context.Cause(ctx))
}

// writeOne waits for one thing to write, and writes it.
func (w *wire) writeOne(ctx context.Context, ping <-chan time.Time) error {
	select {
	case p := <-w.out:
		return w.writePacket(p, writeWait)
	case data := <-w.pongs:
		return w.conn.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(writeWait))
	case <-ping:
		return w.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait))
	case <-ctx.Done():
		return nil
	}
}

func (w *wire) writePacket(p packet, wait time.Duration) error {
	_ = w.conn.SetWriteDeadline(time.Now().Add(wait))
	return w.conn.WriteMessage(p.kind, p.data)
}

// sayGoodbye writes what is queued, the reason and the closing frame, as far as
// the socket takes them within closeWait.
func (w *wire) sayGoodbye(cause error) {
	deadline := time.Now().Add(closeWait)
	for len(w.out) > 0 {
		if w.writePacket(<-w.out, time.Until(deadline)) != nil {
			return
		}
	}
	code, reason := websocket.CloseNormalClosure, ""
	var no *refusal
	if errors.As(cause, &no) {
		code, reason = no.close, no.code
		if w.writePacket(packet{websocket.TextMessage, no.heard()}, time.Until(deadline)) != nil {
			return
		}
	}
	_ = w.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), deadline)
}

// refusal ends a connection and tells the peer why: a Failure, then a close
// frame with code as its reason.
type refusal struct {
	close int // websocket close code
	code  string
	text  string
}

func (r *refusal) Error() string { return r.code + ": " + r.text }

func (r *refusal) heard() []byte {
	return mustJSON(Heard{Kind: Failure, Code: r.code, Text: r.text})
}
