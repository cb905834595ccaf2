package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// socket is a Service on a websocket.
type socket struct {
	o     Options
	begin func(Utterance) protocol
}

// Bounds of one utterance's connection.
const (
	dialWait  = 3 * time.Second
	writeWait = 3 * time.Second
	maxRead   = 1 << 20
	// queued is how much audio waits for a server that does not read, in pieces;
	// the longest utterance is bounded by the Listener. More is dropped.
	queued = 1024
)

// Open begins an utterance: dialling, writing and reading go on beside the caller.
func (s *socket) Open(ctx context.Context, u Utterance) Session {
	ctx, cancel := context.WithCancelCause(ctx)
	t := &talk{o: s.o, p: s.begin(u), ctx: ctx, cancel: cancel, audio: make(chan []int16, queued), done: make(chan struct{})}
	t.work.Go(t.run)
	return t
}

// talk is one utterance on a websocket. run and what it starts own the protocol.
type talk struct {
	o      Options
	p      protocol
	ctx    context.Context
	cancel context.CancelCauseFunc
	audio  chan []int16 // queued; closed by Finish
	sent   bool         // audio is closed
	heard  transcript
	work   sync.WaitGroup
	mu     sync.Mutex // guards p between writer and reader
	ended  bool       // guarded by mu: last was written
	done   chan struct{}
	err    error // set before done is closed; nil: the transcript is whole
}

func (t *talk) Send(pcm []int16) {
	if t.sent {
		return
	}
	select {
	case t.audio <- append([]int16(nil), pcm...):
	default:
		t.cancel(errors.New("the server does not take the audio"))
	}
}

func (t *talk) Partial() string { return t.heard.get() }

func (t *talk) Finish(ctx context.Context) (string, error) {
	t.closeAudio()
	select {
	case <-t.done:
		return t.heard.get(), t.err
	case <-ctx.Done():
		return "", errNoAnswer
	}
}

func (t *talk) closeAudio() {
	if !t.sent {
		t.sent = true
		close(t.audio)
	}
}

func (t *talk) Close() {
	t.closeAudio()
	t.cancel(context.Canceled)
	t.work.Wait()
}

// run is the whole utterance.
func (t *talk) run() {
	defer close(t.done)
	header := http.Header{}
	if t.o.Token != "" {
		header.Set("Authorization", "Bearer "+t.o.Token)
	}
	d := websocket.Dialer{HandshakeTimeout: dialWait, Subprotocols: []string{"binary"}}
	conn, resp, err := d.DialContext(t.ctx, t.o.URL, header)
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		t.err = fmt.Errorf("cannot be reached: %w", err)
		return
	}
	conn.SetReadLimit(maxRead)
	stop := context.AfterFunc(t.ctx, func() { _ = conn.Close() })
	defer stop()
	defer conn.Close()
	t.work.Go(func() {
		if err := t.write(conn); err != nil {
			t.cancel(err)
		}
	})
	t.err = t.read(conn)
}

// write sends hello, audio in the protocol's pieces, and the end.
func (t *talk) write(conn *websocket.Conn) error {
	hello, piece := t.p.first()
	for _, m := range hello {
		if err := send(conn, m); err != nil {
			return err
		}
	}
	var rest []int16
	for {
		select {
		case pcm, more := <-t.audio:
			rest = append(rest, pcm...)
			for len(rest) >= piece || !more && len(rest) > 0 {
				n := min(piece, len(rest))
				if err := send(conn, t.p.audio(rest[:n])); err != nil {
					return err
				}
				rest = rest[n:]
			}
			if !more {
				return t.end(conn)
			}
		case <-t.ctx.Done():
			return nil
		}
	}
}

func (t *talk) end(conn *websocket.Conn) error {
	t.mu.Lock()
	m := t.p.last()
	t.ended = true
	t.mu.Unlock()
	return send(conn, m)
}

func send(conn *websocket.Conn, m message) error {
	_ = conn.SetWriteDeadline(time.Now().Add(writeWait))
	return conn.WriteMessage(m.kind, m.data)
}

// read follows the server until it is done or closes; closing before the end was
// said is a failure.
func (t *talk) read(conn *websocket.Conn) error {
	for {
		_, data, err := conn.ReadMessage()
		t.mu.Lock()
		ended, done := t.ended, false
		if err == nil {
			var text string
			text, done = t.p.read(data)
			if len(text) > maxText {
				t.mu.Unlock()
				return errTooMuch
			}
			t.heard.set(text)
		}
		t.mu.Unlock()
		switch {
		case done:
			return nil
		case err != nil && ended && t.ctx.Err() == nil && closedInOrder(err):
			return nil
		case err != nil:
			return fmt.Errorf("connection lost: %w", errors.Join(context.Cause(t.ctx), err))
		}
	}
}

// closedInOrder reports whether the server said goodbye; a connection that just
// breaks may have swallowed the last words.
func closedInOrder(err error) bool {
	return websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway, websocket.CloseNoStatusReceived)
}
