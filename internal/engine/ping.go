package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"time"
)

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
