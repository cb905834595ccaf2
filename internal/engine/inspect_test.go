package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
)

// reporter is an agent with one report.
type reporter struct {
	Agent
	report string
}

func (r reporter) Inspect(context.Context, string, json.RawMessage) (any, error) {
	return r.report, nil
}

// served is a connection to a server, of which over is closed when it let go.
func served(ctx context.Context, report string) (c net.Conn, over chan struct{}) {
	s := &server{agent: reporter{newFake(), report}, bus: event.NewBus(event.State{})}
	c, its := net.Pipe()
	over = make(chan struct{})
	go func() { defer close(over); s.client(ctx, its, stopGrace) }()
	return c, over
}

const asksForReport = `{"op":"inspect","inspect":{"what":"context"}}` + "\n"

// R50: who asks for a report and does not read it counts as gone, and does not hold
// up the end of the engine.
func TestReportThatNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, over := served(t.Context(), strings.Repeat("x", 1<<20))
		defer c.Close()
		if _, err := c.Write([]byte(asksForReport)); err != nil {
			t.Fatal(err)
		}
		select {
		case <-over:
		case <-time.After(2 * writePatience):
			t.Error("the engine waits for a client that does not read")
		}
	})
}

// Each answer has its own time: one that comes long after another on the same
// connection is sent too.
func TestReportLongAfterAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, over := served(t.Context(), "all is well")
		in := bufio.NewReader(c)
		for _, ask := range []string{`{"op":"status"}` + "\n", asksForReport} {
			if _, err := c.Write([]byte(ask)); err != nil {
				t.Fatal(err)
			}
			if answer, err := in.ReadString('\n'); err != nil || strings.Contains(answer, `"error"`) {
				t.Errorf("%s: %s %v", strings.TrimSpace(ask), answer, err)
			}
			time.Sleep(2 * writePatience)
		}
		_ = c.Close()
		<-over
	})
}
