package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// ErrNobody: no engine serves the workspace.
var ErrNobody = phrases.Errorf(phrases.EngineNobody)

// Look asks the engine of the workspace for its state, and starts none: ErrNobody
// when there is none.
func Look(ctx context.Context, workspace string) (event.State, error) {
	conn, err := dial(workspace)
	if err != nil {
		return event.State{}, phrases.Errorf(phrases.Because, ErrNobody, err)
	}
	var c Client
	c.use(conn)
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()
	return c.Status()
}

// Ping returns nil when an engine answers on the workspace's socket, with
// whatever: a refusal is an answer. A watchdog asks it, from any goroutine.
func Ping(ctx context.Context, workspace string) error {
	c, err := dial(workspace)
	if err != nil {
		return err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })()
	if err := json.NewEncoder(c).Encode(request{Op: opStatus}); err != nil {
		return err
	}
	_, err = bufio.NewReader(c).ReadByte()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
