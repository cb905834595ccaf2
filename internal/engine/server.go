package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"

	"homebot/internal/event"
	"homebot/voice"
)

// Bounds of the socket: it is the family's own, but a client may have bugs.
const (
	maxLine    = 1 << 20 // bytes of one request
	maxClients = 32
	watchQueue = 64 // events a slow watcher may lag behind before it loses some
)

// server answers clients of the socket and of pipes in memory.
type server struct {
	agent  Agent
	timers Timers
	bus    *event.Bus
	logger *slog.Logger
}

// serve accepts until ctx ends, then waits for the requests in progress.
func (s *server) serve(ctx context.Context, ln net.Listener) error {
	stop := context.AfterFunc(ctx, func() { _ = ln.Close() })
	defer stop()
	var clients sync.WaitGroup
	defer clients.Wait()
	slots := make(chan struct{}, maxClients)
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		select {
		case slots <- struct{}{}:
			clients.Go(func() {
				defer func() { <-slots }()
				s.client(ctx, c)
			})
		default:
			_ = json.NewEncoder(c).Encode(response{Error: fmt.Sprintf("more than %d clients at once; close some", maxClients)})
			_ = c.Close()
		}
	}
}

// client answers one connection's requests, one after the other.
func (s *server) client(ctx context.Context, c net.Conn) {
	defer c.Close()
	// Between requests the end of the engine ends the connection; a request
	// in progress is finished first.
	var mu sync.Mutex
	stop := context.AfterFunc(ctx, func() { mu.Lock(); defer mu.Unlock(); _ = c.Close() })
	defer stop()
	session := &session{server: s, conn: c, out: json.NewEncoder(c)}
	session.out.SetEscapeHTML(false)
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		mu.Lock()
		err := session.answer(ctx, lines.Bytes())
		mu.Unlock()
		if err != nil {
			return
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		_ = session.out.Encode(response{Error: fmt.Sprintf("request longer than %d bytes", maxLine)})
	}
}

// session is one connection.
type session struct {
	*server
	conn net.Conn
	out  *json.Encoder
}

func (s *session) answer(ctx context.Context, line []byte) error {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return s.out.Encode(response{Error: "request is not JSON: " + err.Error()})
	}
	switch {
	case r.Op == opTurn && r.Turn != nil:
		return s.turn(ctx, *r.Turn)
	case r.Op == opStatus:
		state := s.bus.Snapshot()
		return s.out.Encode(response{State: &state})
	case r.Op == opInspect && r.Inspect != nil:
		return s.inspect(ctx, *r.Inspect)
	case r.Op == opExit:
		return s.exit(ctx)
	case r.Op == opWatch:
		return s.watch(ctx)
	case r.Op == opTimers && r.Timers != nil && s.timers != nil:
		done := s.timers.Do(ctx, *r.Timers)
		return s.out.Encode(response{Timers: &done})
	}
	return s.out.Encode(response{Error: fmt.Sprintf("unknown operation %q", r.Op)})
}

// turn runs to its end even when the client goes away meanwhile: what the user
// asked for is done, and a client that comes back with the same id gets the
// recorded reply.
func (s *session) turn(ctx context.Context, t Turn) error {
	r := &textReply{send: func(delta string) { _ = s.out.Encode(response{Delta: delta}) }}
	err := s.agent.Handle(context.WithoutCancel(ctx), voice.Turn{
		ID: t.ID, Channel: t.Channel, ChatID: t.ChatID, Speaker: t.Speaker, Text: t.Text, Lang: t.Lang, Profile: t.Profile,
	}, r)
	if err != nil {
		return s.out.Encode(response{Error: err.Error()})
	}
	o := outcomeOf(r.result)
	return s.out.Encode(response{Outcome: &o})
}

func (s *session) exit(ctx context.Context) error {
	m, err := s.agent.ExitMode(ctx)
	if err != nil {
		return s.out.Encode(response{Error: err.Error()})
	}
	return s.out.Encode(response{Ended: &ended{m}})
}

func (s *session) watch(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var gone sync.WaitGroup
	gone.Go(func() { // a watcher says nothing more: any read ends when it goes
		_, _ = s.conn.Read(make([]byte, 1))
		cancel()
	})
	defer func() { _ = s.conn.Close(); gone.Wait() }()
	state, events := s.bus.Watch(ctx, watchQueue)
	if err := s.out.Encode(response{State: &state}); err != nil {
		return err
	}
	for e := range events {
		if err := s.out.Encode(response{Event: &e}); err != nil {
			return err
		}
	}
	return io.EOF
}

// textReply is a reply that is read, not heard: all of it at once.
type textReply struct {
	send   func(delta string)
	text   strings.Builder
	result voice.Result
}

var _ voice.Reply = (*textReply)(nil)

func (r *textReply) Write(s string) { r.text.WriteString(s); r.send(s) }

func (r *textReply) Finish(context.Context, voice.Next) (string, bool) {
	return strings.TrimSpace(r.text.String()), true
}

func (r *textReply) Done(res voice.Result) { r.result = res }
