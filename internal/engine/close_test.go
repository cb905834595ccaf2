package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"homebot/internal/event"
)

// A command that runs the engine itself and is interrupted does not wait for its
// turn.
func TestCloseEndsItsOwnTurn(t *testing.T) {
	agent := newFake()
	workspace := t.TempDir()
	c, err := Connect(context.Background(), workspace, func() (*Engine, error) {
		return New(Config{Workspace: workspace, Agent: agent, Bus: event.NewBus(event.State{Dialogue: event.Idle})}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	go func() { <-agent.started; interrupt() }()
	if _, err := c.Turn(ctx, Turn{Channel: "text", Text: "endless"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the turn: %v", err)
	}
	began := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took >= stopGrace {
		t.Errorf("it waited %v", took)
	}
}

// Ctrl-C ends a turn that is asked for anew, after the engine that served it died.
func TestInterruptAfterReconnect(t *testing.T) {
	workspace := t.TempDir()
	agents := make(chan *fakeAgent, 2)
	build := func() (*Engine, error) {
		agent := newFake()
		agents <- agent
		return New(Config{Workspace: workspace, Agent: agent, Bus: event.NewBus(event.State{Dialogue: event.Idle})}), nil
	}
	first, err := Connect(context.Background(), workspace, build)
	if err != nil {
		t.Fatal(err)
	}
	<-agents
	c, err := Connect(context.Background(), workspace, build)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	go func() { <-(<-agents).started; interrupt() }()
	over := make(chan error, 1)
	go func() {
		_, err := c.Turn(ctx, Turn{Channel: "text", Text: "endless"}, nil)
		over <- err
	}()
	select {
	case err := <-over:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the turn: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the turn goes on")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
