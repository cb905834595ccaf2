package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/skills/timers"
)

// Client talks to the engine of a workspace, wherever it runs. One goroutine
// uses it.
type Client struct {
	workspace string
	build     func() (*Engine, error)
	patience  time.Duration // with an engine that takes no request
	conn      net.Conn
	in        *bufio.Scanner
	out       *json.Encoder
	local     *local // the engine in this process, nil when another serves
}

// local is an engine that runs in the process of a command.
type local struct {
	lock *Lock
	stop context.CancelFunc
	done sync.WaitGroup
	err  error
}

// How long a command waits for an engine that has the lock and no socket yet
// (it is starting), and how often it looks.
const (
	startPatience = 2 * time.Second
	startLook     = 20 * time.Millisecond
)

// answerPatience is how long an engine that is alive may take to say how it is: it
// waits for no turn. One that was stopped takes connections and never answers.
const answerPatience = 5 * time.Second

// Connect reaches the engine of the workspace: the one that is alive, or one
// made by build and run in this process until Close (S4).
func Connect(ctx context.Context, workspace string, build func() (*Engine, error)) (*Client, error) {
	c := &Client{workspace: workspace, build: build, patience: answerPatience}
	return c, c.connect(ctx)
}

// ErrNoEngine: nothing runs on the workspace.
var ErrNoEngine = phrases.Errorf(phrases.EngineNone)

// Attach is Connect for orders that make sense only to an engine that is alive:
// without one it is ErrNoEngine.
func Attach(ctx context.Context, workspace string) (*Client, error) {
	c, err := Connect(ctx, workspace, func() (*Engine, error) { return nil, ErrNoEngine })
	if errors.Is(err, ErrNoEngine) {
		return nil, phrases.Errorf(phrases.EngineNoneStart, ErrNoEngine, workspace)
	}
	return c, err
}

func (c *Client) connect(ctx context.Context) error {
	starting, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	look := time.NewTicker(startLook)
	defer look.Stop()
	for {
		err := c.reach(ctx)
		var refused *failure
		if err == nil || errors.As(err, &refused) {
			return err
		}
		lock, held := Acquire(c.workspace)
		if held == nil {
			return c.serveHere(context.WithoutCancel(ctx), lock)
		}
		if !errors.Is(held, ErrHeld) {
			return held
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return phrases.Errorf(phrases.EngineHeldMute, held)
		}
		select {
		case <-look.C:
		case <-starting.Done():
			return phrases.Errorf(phrases.EngineHeldMute, held)
		}
	}
}

// reach dials the engine that is alive and waits until it answers. What is asked
// of it afterwards may wait for a turn, and takes as long as it takes.
func (c *Client) reach(ctx context.Context) error {
	conn, err := dial(c.workspace)
	if err != nil {
		return err
	}
	c.use(conn)
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	_ = conn.SetDeadline(time.Now().Add(c.patience))
	if _, err = c.Status(); err != nil {
		_ = conn.Close()
		return err
	}
	return conn.SetDeadline(time.Time{})
}

// serveHere runs the engine in this process, for this client through a pipe and
// for others through the socket.
func (c *Client) serveHere(ctx context.Context, lock *Lock) error {
	e, err := c.build()
	if err != nil {
		return errors.Join(err, lock.Release())
	}
	ctx, stop := context.WithCancel(ctx)
	l := &local{lock: lock, stop: stop}
	failed := make(chan struct{})
	l.done.Go(func() {
		defer close(failed)
		l.err = e.Run(ctx)
	})
	select {
	case <-e.Ready():
	case <-failed:
		stop()
		return errors.Join(l.err, lock.Release())
	}
	mine, its := net.Pipe()
	// Who ends this command waits for its turn no longer: no grace (Ctrl-C).
	l.done.Go(func() { e.server.client(ctx, its, 0) })
	c.local = l
	c.use(mine)
	return nil
}

func (c *Client) use(conn net.Conn) {
	c.conn = conn
	c.in = bufio.NewScanner(conn)
	c.in.Buffer(nil, maxAnswer)
	c.out = json.NewEncoder(conn)
	c.out.SetEscapeHTML(false)
}

// Local reports whether the engine runs in this process, and so only until Close.
func (c *Client) Local() bool { return c.local != nil }

// Close ends the connection, and the engine when it runs here.
func (c *Client) Close() error {
	if c.conn == nil {
		return nil
	}
	err := c.conn.Close()
	c.conn = nil
	if c.local == nil {
		return err
	}
	c.local.stop()
	c.local.done.Wait()
	return errors.Join(err, c.local.err, c.local.lock.Release())
}

// maxAnswer bounds one line of an engine, in bytes: an outcome holds the whole
// reply, which JSON may make six times as long.
const maxAnswer = 8 << 20

// errGone: the engine went away in the middle.
var errGone = phrases.Errorf(phrases.EngineGone)

// Turn sends a message and waits for its outcome; delta, if not nil, gets the
// reply as it is written. When the engine that served it dies, the client turns
// to the next one, or becomes it, and asks once more with the same id: what was
// done is not done twice.
func (c *Client) Turn(ctx context.Context, t Turn, delta func(string)) (Outcome, error) {
	if t.ID == "" {
		t.ID = conversation.NewID()
	}
	o, err := c.turnUntil(ctx, t, delta)
	if !errors.Is(err, errGone) || c.local != nil {
		return o, err
	}
	_ = c.conn.Close()
	if err := c.connect(ctx); err != nil {
		return Outcome{}, err
	}
	o, err = c.turnUntil(ctx, t, delta)
	if o.Error != nil && o.Error.Code == "duplicate" {
		o.Error = nil // recorded before the engine died: this is its answer
	}
	return o, err
}

// turnUntil is turn, broken off when ctx ends.
func (c *Client) turnUntil(ctx context.Context, t Turn, delta func(string)) (Outcome, error) {
	conn := c.conn
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	o, err := c.turn(t, delta)
	stop()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return o, err
}

func (c *Client) turn(t Turn, delta func(string)) (Outcome, error) {
	if err := c.out.Encode(request{Op: opTurn, Turn: &t}); err != nil {
		return Outcome{}, phrases.Errorf(phrases.Because, errGone, err)
	}
	for {
		r, err := c.read()
		if err != nil {
			return Outcome{}, err
		}
		if r.Outcome != nil {
			return *r.Outcome, nil
		}
		if delta != nil {
			delta(r.Delta)
		}
	}
}

// Status is a snapshot of what a watcher may see.
func (c *Client) Status() (event.State, error) {
	r, err := c.ask(request{Op: opStatus})
	if err != nil || r.State == nil {
		return event.State{}, err
	}
	return *r.State, nil
}

// Exit archives the active mode; nil when none was active.
func (c *Client) Exit() (*event.Mode, error) {
	r, err := c.ask(request{Op: opExit})
	if err != nil || r.Ended == nil {
		return nil, err
	}
	return r.Ended.Mode, nil
}

// Timers carries out an order about the timers.
func (c *Client) Timers(o timers.Command) (timers.Result, error) {
	r, err := c.ask(request{Op: opTimers, Timers: &o})
	if err != nil || r.Timers == nil {
		return timers.Result{}, err
	}
	return *r.Timers, nil
}

// Watch calls see with the state and then with each event until ctx ends or see
// returns false. The connection serves nothing else after it.
func (c *Client) Watch(ctx context.Context, see func(*event.State, *event.Event) bool) error {
	stop := context.AfterFunc(ctx, func() { _ = c.conn.Close() })
	defer stop()
	r, err := c.ask(request{Op: opWatch})
	for err == nil && see(r.State, r.Event) {
		r, err = c.read()
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (c *Client) ask(r request) (response, error) {
	if err := c.out.Encode(r); err != nil {
		if _, refused := c.read(); refused != nil && !errors.Is(refused, errGone) {
			return response{}, refused // at the door
		}
		return response{}, phrases.Errorf(phrases.Because, errGone, err)
	}
	return c.read()
}

// read takes one line; what the engine reports as an error is one.
func (c *Client) read() (response, error) {
	if !c.in.Scan() {
		if err := c.in.Err(); err != nil {
			return response{}, phrases.Errorf(phrases.Because, errGone, err)
		}
		return response{}, errGone
	}
	var r response
	if err := json.Unmarshal(c.in.Bytes(), &r); err != nil {
		return response{}, phrases.Errorf(phrases.EngineNoJSON, err)
	}
	if r.Error != "" {
		return response{}, &failure{r.Error, r.ErrorZH}
	}
	return r, nil
}
