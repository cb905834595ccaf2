package engine

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"sync"

	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/skills/timers"
	"homebot/voice"
)

// Agent is what an engine needs of the agent.
type Agent interface {
	voice.Handler
	Start(ctx context.Context) error
	ExitMode(ctx context.Context) (*event.Mode, error)
}

// Timers carries out what a person orders of the timers outside a dialogue
// (timers.Desk).
type Timers interface {
	Do(ctx context.Context, c timers.Command) timers.Result
}

// Config is what an Engine is made of.
type Config struct {
	Workspace string // absolute
	Agent     Agent
	Bus       *event.Bus
	Timers    Timers    // nil: there are none
	Sound     Sound     // nil: no ears and no voice
	Console   Inspector // answers questions that begin with "console/"; nil: there is none
	// Beside run as long as the engine: the light, the ears. The first that
	// fails ends the engine.
	Beside []func(ctx context.Context) error
	Logger *slog.Logger
}

// Engine serves one workspace. New starts nothing; Run does.
type Engine struct {
	Config
	server server
	ready  chan struct{}
}

// New returns an engine that holds nothing yet.
func New(c Config) *Engine {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Engine{
		Config: c,
		server: server{agent: c.Agent, timers: c.Timers, sound: c.Sound, console: c.Console, bus: c.Bus, logger: c.Logger},
		ready:  make(chan struct{}),
	}
}

// Ready is closed when the engine takes requests: what a crash left is repaired,
// the light is right, the socket is there.
func (e *Engine) Ready() <-chan struct{} { return e.ready }

// Run is the engine's life: it returns when ctx ends (nil) or something it
// cannot do without fails. It joins all it started; turns in progress are
// finished first. The caller holds the lock.
func (e *Engine) Run(ctx context.Context) error {
	if err := e.Agent.Start(ctx); err != nil {
		return phrases.Errorf(phrases.EngineStart, workspaceCause(e.Workspace, err))
	}
	ln, err := listen(e.Workspace)
	if err != nil {
		return err
	}
	return e.run(ctx, ln)
}

// run joins everything in an order: first who asks, then who answers, then who
// watches.
func (e *Engine) run(ctx context.Context, ln net.Listener) error {
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	busCtx, stopBus := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBus()
	var bus, all sync.WaitGroup
	bus.Go(func() { _ = e.Bus.Run(busCtx) })
	for _, f := range e.Beside {
		all.Go(func() {
			if err := f(inner); err != nil && inner.Err() == nil {
				stop(err)
			}
		})
	}
	all.Go(func() { stop(e.server.serve(inner, ln)) })
	close(e.ready)
	all.Wait()
	stopBus()
	bus.Wait()
	err := context.Cause(inner)
	if ctx.Err() != nil || errors.Is(err, net.ErrClosed) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// workspaceCause gives errors of the disk their way out.
func workspaceCause(workspace string, err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return workspaceError(workspace, err)
	}
	return err
}
