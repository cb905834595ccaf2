package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"homebot/internal/phrases"
)

// S4: an engine that was stopped takes connections and never answers: a command
// says so instead of waiting for ever. One that answers may take its time.
func TestEngineThatNeverAnswers(t *testing.T) {
	workspace := t.TempDir()
	lock, err := Acquire(workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	ln, err := listen(workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	c := &Client{workspace: workspace, patience: 10 * time.Millisecond}
	err = c.connect(context.Background())
	want := fmt.Sprintf("另一个 homebot 正在用这个工作目录（进程 %d），但它没有应答；请停掉那个进程再试", os.Getpid())
	if got := phrases.Told(err, phrases.Chinese); !errors.Is(err, ErrHeld) || got != want {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
}

// Once it has answered, nothing is bounded: a turn may take longer than that.
func TestTurnsAreNotBounded(t *testing.T) {
	r := run(t, t.TempDir())
	c := &Client{workspace: r.workspace, patience: time.Second}
	if err := c.connect(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	time.AfterFunc(c.patience*3/2, func() { close(r.agent.letGo) })
	if o, err := c.Turn(context.Background(), Turn{Channel: "text", Text: "slow"}, nil); err != nil || o.Reply != "you said <slow>" || len(r.agent.started) != 1 {
		t.Errorf("%+v %v, asked %d times", o, err, len(r.agent.started))
	}
}
