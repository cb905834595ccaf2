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
