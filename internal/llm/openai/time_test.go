package openai

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/llm"
	"homebot/internal/llm/llmtest"
)

// pipeNet is a network in memory, for synctest bubbles.
type pipeNet struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
	fail  atomic.Int32 // so many dials fail
	dials atomic.Int32
}

func newPipeNet() *pipeNet { return &pipeNet{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipeNet) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p *pipeNet) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipeNet) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p *pipeNet) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	p.dials.Add(1)
	if p.fail.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	}
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inBubble runs f in a synctest bubble with a client of s over pipes.
func inBubble(t *testing.T, respond func(llmtest.Request) llmtest.Step, f func(t *testing.T, c *Client, p *pipeNet)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := newPipeNet()
		s := llmtest.New(respond)
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := s.Listen(p); err != nil {
				t.Errorf("serve: %v", err)
			}
		})
		tr := &http.Transport{DialContext: p.dial}
		f(t, New(Config{BaseURL: "http://pipe/v1", APIKey: testKey, HTTPClient: &http.Client{Transport: tr}}), p)
		tr.CloseIdleConnections()
		p.Close()
		wg.Wait()
		synctest.Wait()
	})
}

// Every limit is an ErrSlow, at exactly its time.
func TestSlow(t *testing.T) {
	tests := []struct {
		name string
		step llmtest.Step
		at   time.Duration
		says string
	}{
		{"first byte", llmtest.Reply("x").After(time.Hour), DefaultFirstByte, "no first byte within 15s"},
		{"idle", llmtest.Reply("一二三四五六七八九").Every(11 * time.Second), DefaultIdle, "no further byte within 10s"},
		{"total", llmtest.Reply(strings.Repeat("一", 1000)).InChunks(1).Every(9 * time.Second), DefaultTotal, "no end of the answer within 2m0s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, llmtest.Always(tt.step), func(t *testing.T, c *Client, _ *pipeNet) {
				began := time.Now()
				got := collect(t, c, t.Context(), ask("x"))
				checkError(t, got.err, llm.ErrSlow)
				if took := time.Since(began); took != tt.at || !strings.Contains(got.err.Error(), tt.says) {
					t.Errorf("after %s: %v", took, got.err)
				}
			})
		})
	}
}

// A consumer that takes its time does not make the server slow.
func TestSlowConsumer(t *testing.T) {
	inBubble(t, llmtest.Always(llmtest.Reply("一二三四五六").InChunks(1)), func(t *testing.T, c *Client, _ *pipeNet) {
		text := ""
		for d, err := range c.Stream(t.Context(), ask("x")) {
			if err != nil {
				t.Fatal(err)
			}
			text += d.Text
			time.Sleep(12 * time.Second)
		}
		if text != "一二三四五六" {
			t.Errorf("got %q", text)
		}
	})
}

// Cancelling ends the stream at once, with the context's error alone.
func TestCancel(t *testing.T) {
	for _, step := range []llmtest.Step{llmtest.Reply("x").After(time.Hour), llmtest.Reply("一二三四五六七八九").Every(5 * time.Second)} {
		inBubble(t, llmtest.Always(step), func(t *testing.T, c *Client, _ *pipeNet) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(3*time.Second, cancel)
			began := time.Now()
			got := collect(t, c, ctx, ask("x"))
			if !errors.Is(got.err, context.Canceled) || errors.Is(got.err, llm.ErrUnreachable) || time.Since(began) != 3*time.Second {
				t.Errorf("after %s: %v", time.Since(began), got.err)
			}
		})
	}
}

// An answer that is finished counts, whatever becomes of the connection.
func TestBrokenAfterTheFinish(t *testing.T) {
	step := llmtest.ToolCall("note_fact", `{}`).In(llmtest.Whole).DroppedAfter(1)
	s := llmtest.NewServer(t, step)
	if got := collect(t, client(s), t.Context(), ask("x")); got.err != nil || len(got.calls) != 1 {
		t.Errorf("got %+v", got)
	}
	// Its usage is waited for, but not long.
	held := llmtest.ToolCall("note_fact", `{}`).In(llmtest.Whole).Every(8 * time.Second)
	inBubble(t, llmtest.Always(held), func(t *testing.T, c *Client, _ *pipeNet) {
		began := time.Now()
		got := collect(t, c, t.Context(), ask("x"))
		if got.err != nil || len(got.calls) != 1 || time.Since(began) != time.Second {
			t.Errorf("after %s: %+v", time.Since(began), got)
		}
	})
}

// A connection that cannot be made is tried once more, and only once.
func TestOneRetryBeforeTheRequest(t *testing.T) {
	for fails, want := range map[int32]error{1: nil, 2: llm.ErrUnreachable} {
		inBubble(t, llmtest.Always(llmtest.Reply("ok")), func(t *testing.T, c *Client, p *pipeNet) {
			p.fail.Store(fails)
			began := time.Now()
			got := collect(t, c, t.Context(), ask("x"))
			if !errors.Is(got.err, want) || p.dials.Load() != 2 || time.Since(began) < retryPause {
				t.Errorf("%d failed dials: %v after %d dials in %s", fails, got.err, p.dials.Load(), time.Since(began))
			}
		})
	}
}

// An idle connection that has died is replaced, once.
func TestRetryOfADeadIdleConnection(t *testing.T) {
	s := llmtest.NewResponder(t, llmtest.Always(llmtest.Reply("ok")))
	var dials atomic.Int32
	tr := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		if err != nil || dials.Add(1) > 1 {
			return conn, err
		}
		return &mortal{Conn: conn}, nil
	}}
	defer tr.CloseIdleConnections()
	c := New(Config{BaseURL: s.URL, HTTPClient: &http.Client{Transport: tr}})
	for i := range 2 {
		if got := collect(t, c, t.Context(), ask("x")); got.err != nil || got.text != "ok" {
			t.Errorf("answer %d: %+v", i, got)
		}
	}
	if dials.Load() != 2 {
		t.Errorf("%d connections", dials.Load())
	}
}

// mortal is a connection that takes a second request and then is found dead.
type mortal struct {
	net.Conn
	writes atomic.Int32
}

func (m *mortal) Write(p []byte) (int, error) {
	if m.writes.Add(1) > 1 {
		m.Close()
		return len(p), nil
	}
	return m.Conn.Write(p)
}

// A request that may have been read is not sent twice.
func TestNoRetryAfterTheRequest(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Drop())
	checkError(t, collect(t, client(s), t.Context(), ask("x")).err, llm.ErrUnreachable)
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// Answers leave the connection usable for the next turn.
func TestConnectionIsReused(t *testing.T) {
	inBubble(t, llmtest.Always(llmtest.Reply("ok")), func(t *testing.T, c *Client, p *pipeNet) {
		for range 4 {
			if got := collect(t, c, t.Context(), ask("x")); got.err != nil {
				t.Fatal(got.err)
			}
		}
		if p.dials.Load() != 1 {
			t.Errorf("%d connections for 4 answers", p.dials.Load())
		}
	})
}
