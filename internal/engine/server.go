package engine

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/skills/timers"
	"homebot/voice"
)

// Bounds of the socket: it is the family's own, but a client may have bugs.
const (
	maxLine    = 1 << 20 // bytes of one request
	maxClients = 32
	watchQueue = 64 // events a slow watcher may lag behind before it loses some

	// writePatience is how long a client may not read: then it counts as gone.
	// Its turn goes on, and nobody else waits for it (R50).
	writePatience = 2 * time.Second
	// stopGrace is how long turns may go on when the engine is told to stop, which
	// is then over within 5 s.
	stopGrace = 4 * time.Second
)

// server answers clients of the socket and of pipes in memory.
type server struct {
	agent   Agent
	console Inspector
	timers  Timers
	sound   Sound // nil without ears and voice
	bus     *event.Bus
	logger  *slog.Logger
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
				s.client(ctx, c, stopGrace)
			})
		default:
			_ = newSession(s, c).send(failed(phrases.Errorf(phrases.EngineTooManyClients, maxClients)))
			_ = c.Close()
		}
	}
}

// client answers one connection's requests, one after the other. grace is how long
// its turn may go on when the engine is told to stop.
func (s *server) client(ctx context.Context, c net.Conn, grace time.Duration) {
	defer c.Close()
	// Between requests the end of the engine ends the connection; a request
	// in progress is finished first.
	var mu sync.Mutex
	stop := context.AfterFunc(ctx, func() { mu.Lock(); defer mu.Unlock(); _ = c.Close() })
	defer stop()
	session := newSession(s, c)
	session.grace = grace
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
		_ = session.send(failed(phrases.Errorf(phrases.EngineLongRequest, maxLine)))
	}
}

// session is one connection.
type session struct {
	*server
	conn  net.Conn
	out   *json.Encoder
	gone  error         // why nothing can be sent any more
	grace time.Duration // of a turn, when the engine stops
}

func newSession(s *server, c net.Conn) *session {
	n := &session{server: s, conn: c, out: json.NewEncoder(c)}
	n.out.SetEscapeHTML(false)
	return n
}

// send writes one line. A client that does not take it in time is gone: the
// connection is closed, and what follows is not sent.
func (s *session) send(r response) error {
	if s.gone != nil {
		return s.gone
	}
	_ = s.conn.SetWriteDeadline(time.Now().Add(writePatience))
	if s.gone = s.out.Encode(r); s.gone != nil {
		_ = s.conn.Close()
	}
	return s.gone
}

func (s *session) answer(ctx context.Context, line []byte) error {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return s.send(failed(phrases.Errorf(phrases.EngineRequestNotJSON, err)))
	}
	switch {
	case r.Op == opTurn && r.Turn != nil:
		return s.turn(ctx, *r.Turn)
	case r.Op == opStatus:
		state := s.bus.Snapshot()
		return s.send(response{State: &state})
	case r.Op == opInspect && r.Inspect != nil:
		return s.inspect(ctx, *r.Inspect)
	case r.Op == opControl && r.Control != nil:
		return s.control(ctx, *r.Control)
	case r.Op == opExit:
		return s.exit(ctx)
	case r.Op == opWatch:
		return s.watch(ctx)
	case r.Op == opTimers && r.Timers != nil:
		done := s.orderTimers(ctx, *r.Timers)
		return s.send(response{Timers: &done})
	}
	return s.send(failed(phrases.Errorf(phrases.EngineUnknownOp, r.Op)))
}

func (s *session) orderTimers(ctx context.Context, c timers.Command) timers.Result {
	if s.timers == nil {
		lang := cmp.Or(c.Lang, text.Lang(c.Words+c.Timer+c.Label, "en"))
		return timers.Result{Reason: "down", Say: phrases.TimersDown.In(lang)}
	}
	return s.timers.Do(ctx, c)
}

// turn runs to its end even when the client goes away meanwhile: what the user
// asked for is done, and a client that comes back with the same id gets the
// recorded reply. Only the end of the engine cancels it, after grace.
func (s *session) turn(ctx context.Context, t Turn) error {
	r := &textReply{send: func(delta string) { _ = s.send(response{Delta: delta}) }}
	turnCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(s.grace, cancel) })
	defer stop()
	arrived := time.Now()
	err := s.agent.Handle(turnCtx, voice.Turn{
		ID: t.ID, Channel: channelOf(t.Channel), ChatID: t.ChatID, Speaker: t.Speaker, Text: t.Text, Lang: t.Lang, Profile: t.Profile,
	}, r)
	if err != nil {
		return s.send(failed(err))
	}
	s.bus.Publish(event.TurnMeasured, voice.Measure(r.result, channelOf(t.Channel), arrived))
	o := outcomeOf(r.result)
	return s.send(response{Outcome: &o})
}

// channelOf is a channel that a client of the socket may speak on (R43); voice is
// the voice loop's alone.
func channelOf(asked string) string {
	if asked == voice.ChannelWeb {
		return asked
	}
	return voice.ChannelText
}

func (s *session) exit(ctx context.Context) error {
	m, err := s.agent.ExitMode(ctx)
	if err != nil {
		return s.send(failed(err))
	}
	return s.send(response{Ended: &ended{m}})
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
	if err := s.send(response{State: &state}); err != nil {
		return err
	}
	for e := range events {
		if err := s.send(response{Event: &e}); err != nil {
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
