package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/llm"
	"homebot/internal/llm/llmtest"
)

const testKey = "topsecret-1234567890"

func ask(words ...string) llm.Request {
	r := llm.Request{Messages: []llm.Message{{Role: llm.System, Content: "You are homebot."}}}
	for _, w := range words {
		r.Messages = append(r.Messages, llm.Message{Role: llm.User, Content: w})
	}
	return r
}

// collected is everything one stream gave.
type collected struct {
	text   string
	pieces int
	calls  []llm.ToolCall
	usage  *llm.Usage
	err    error
}

func collect(t *testing.T, m llm.Model, ctx context.Context, r llm.Request) (got collected) {
	t.Helper()
	for d, err := range m.Stream(ctx, r) {
		if got.err != nil {
			t.Fatal("the stream went on after its error")
		}
		if err != nil {
			if d != (llm.Delta{}) {
				t.Errorf("a delta came with the error: %+v", d)
			}
			got.err = err
			continue
		}
		got.add(t, d)
	}
	return got
}

func (c *collected) add(t *testing.T, d llm.Delta) {
	t.Helper()
	set := 0
	if d.Text != "" {
		set++
		c.text += d.Text
		c.pieces++
	}
	if d.ToolCall != nil {
		set++
		c.calls = append(c.calls, *d.ToolCall)
	}
	if d.Usage != nil {
		set++
		c.usage = d.Usage
	}
	if set != 1 {
		t.Errorf("a delta has %d fields set: %+v", set, d)
	}
}

func client(s *llmtest.Server) *Client {
	return New(Config{BaseURL: s.URL, Model: "test-model", APIKey: testKey})
}

func TestTextStreams(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Reply("两个人先放两个，约 150 克。<b>&\u2028").InChunks(3))
	got := collect(t, client(s), t.Context(), ask("番茄要放几个？"))
	if got.err != nil || got.text != "两个人先放两个，约 150 克。<b>&\u2028" || got.pieces < 5 {
		t.Errorf("got %+v", got)
	}
	if got.usage == nil || got.usage.Prompt == 0 || got.usage.Completion == 0 {
		t.Errorf("usage %+v", got.usage)
	}
	if auth := s.Requests()[0].Header.Get("Authorization"); auth != "Bearer "+testKey {
		t.Errorf("Authorization: %q", auth)
	}
}

// Tool calls arrive whole however a server cuts them up (C22: each with a name
// and an id of its own, so that each can have its one result).
func TestToolCallsInEveryShape(t *testing.T) {
	calls := []llmtest.Call{
		{Name: "switch_mode", Args: `{"action":"enter","mode_id":"cooking"}`},
		{Name: "note_fact", Args: `{"kind":"servings","text":"两个人"}`},
		{Name: "note_fact", Args: `{"kind":"allergy","text":"花生"}`},
	}
	for shape := llmtest.Fragments; shape <= llmtest.NoIDs; shape++ {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			step := llmtest.Calls(calls...).In(shape)
			step.Text = "好的，"
			s := llmtest.NewServer(t, step, llmtest.Reply("done"))
			r := ask("打开做饭模式")
			got := collect(t, client(s), t.Context(), r)
			if got.err != nil || got.text != "好的，" || len(got.calls) != len(calls) {
				t.Fatalf("got %+v", got)
			}
			m := llm.Message{Role: llm.Assistant, Content: got.text, ToolCalls: got.calls}
			r.Messages = append(r.Messages, m)
			for i, c := range got.calls {
				if c.Name != calls[i].Name || c.Arguments != calls[i].Args {
					t.Errorf("call %d: %+v", i, c)
				}
				r.Messages = append(r.Messages, llm.Message{Role: llm.ToolRole, ToolCallID: c.ID, Content: "ok"})
			}
			if err := llm.WellFormed(r.Messages); err != nil {
				t.Error(err)
			}
			if got := collect(t, client(s), t.Context(), r); got.text != "done" {
				t.Errorf("second round: %+v", got)
			}
		})
	}
}

// R40: every provider's shape of usage is read, over the wire.
func TestUsageInEveryShape(t *testing.T) {
	long := strings.Repeat("番茄炒蛋要先打蛋。", 60)
	for shape := llmtest.UsageOpenAI; shape <= llmtest.UsageInChoice; shape++ {
		s := llmtest.NewServer(t, llmtest.Reply("一").Billed(shape), llmtest.Reply("二").Billed(shape))
		c := client(s)
		r := ask(long)
		first := collect(t, c, t.Context(), r)
		r.Messages = append(r.Messages, llm.Message{Role: llm.Assistant, Content: "一"}, llm.Message{Role: llm.User, Content: "继续"})
		second := collect(t, c, t.Context(), r)
		if first.usage == nil || second.usage == nil {
			t.Fatalf("shape %d: no usage", shape)
		}
		want := s.Requests()[1]
		if first.usage.Cached != 0 || second.usage.Cached != want.Cached || want.Cached < 256 {
			t.Errorf("shape %d: cached %d then %d, want 0 then %d", shape, first.usage.Cached, second.usage.Cached, want.Cached)
		}
		if second.usage.Prompt != want.Tokens || second.usage.Completion == 0 {
			t.Errorf("shape %d: %+v, want prompt %d", shape, second.usage, want.Tokens)
		}
	}
	s := llmtest.NewServer(t, llmtest.Reply("一").Billed(llmtest.UsageNone))
	if got := collect(t, client(s), t.Context(), ask("x")); got.usage != nil || got.err != nil {
		t.Errorf("without usage: %+v", got)
	}
}

// R31, R37: the frozen bytes of the tools array reach the server as they are, also
// such as no encoder of ours would write, and go on doing so.
func TestToolsReachTheWireByteForByte(t *testing.T) {
	made := llm.EncodeTools([]llm.ToolDef{
		{Name: "switch_mode", Description: "a <b> & c \u2028 关", Schema: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"enum":["<",">"]}}}`)},
		{Name: "note_fact", Description: "notes", Schema: nil},
	})
	frozen := json.RawMessage(`[ {"function" : {"parameters":{"b":1,"a":2.50},"name":"old", "strict":false},` + "\n" + ` "type":"function", "x":"\u00e9<>"} ]` + "\n")
	for _, tools := range []json.RawMessage{made, frozen} {
		s := llmtest.NewServer(t, llmtest.Reply("a"), llmtest.Reply("b"))
		r := ask("hi")
		r.Tools = tools
		collect(t, client(s), t.Context(), r)
		collect(t, client(s), t.Context(), r)
		for _, rec := range s.Requests() {
			if strings.TrimSpace(string(tools)) != string(rec.Tools) || !strings.Contains(string(rec.Body), string(tools)) {
				t.Errorf("sent %s\ngot  %s", tools, rec.Tools)
			}
		}
	}
}

// R36: the messages of a request that goes on from another are its byte prefix on
// the wire, and Observe's hashes say the same.
func TestPrefixOnTheWire(t *testing.T) {
	s := llmtest.NewResponder(t, llmtest.Always(llmtest.Reply("ok")))
	var sent []Sent
	c := New(Config{BaseURL: s.URL, Model: "m", Observe: func(s Sent) { sent = append(sent, s) }})
	r := ask("[20:01 guest]\n番茄 <要> 放几个？")
	collect(t, c, t.Context(), r)
	r.Messages = append(r.Messages,
		llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "c1", Name: "note_fact", Arguments: `{"text":`}}},
		llm.Message{Role: llm.ToolRole, ToolCallID: "c1", Content: ""})
	collect(t, c, t.Context(), r)
	changed := ask("[20:01 guest]\n番茄 <要> 放几个?")
	collect(t, c, t.Context(), changed)

	reqs := s.Requests()
	if err := llmtest.PrefixOf(reqs[0], reqs[1]); err != nil {
		t.Error(err)
	}
	if llmtest.PrefixOf(reqs[0], reqs[2]) == nil {
		t.Error("a changed message passed for a prefix")
	}
	if !reflect.DeepEqual(sent[0].Messages, sent[1].Messages[:2]) || sent[0].Messages[1] == sent[2].Messages[1] {
		t.Error("the hashes do not follow the bytes")
	}
	if sent[1].Bytes != len(reqs[1].Body) {
		t.Errorf("%d bytes sent, said %d", len(reqs[1].Body), sent[1].Bytes)
	}
	// Content is there though empty; null only beside calls; broken arguments never leave.
	if got, want := string(reqs[1].Messages[2]), `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"note_fact","arguments":"{}"}}]}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := string(reqs[1].Messages[3]), `{"role":"tool","content":"","tool_call_id":"c1"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// R40: prompt_cache_key goes only to providers that take it.
func TestCacheKeyOnlyWhereTaken(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.Reply("a"), llmtest.Reply("b"), llmtest.Reply("c"))
	r := ask("hi")
	r.CacheKey = "cook-1"
	collect(t, New(Config{BaseURL: s.URL}), t.Context(), r)
	collect(t, New(Config{BaseURL: s.URL, PromptCacheKey: true}), t.Context(), r)
	r.CacheKey = ""
	collect(t, New(Config{BaseURL: s.URL, PromptCacheKey: true}), t.Context(), r)
	for i, want := range []string{"", "cook-1", ""} {
		req := s.Requests()[i]
		if req.CacheKey != want || strings.Contains(string(req.Body), "prompt_cache_key") != (want != "") {
			t.Errorf("request %d: key %q, want %q", i, req.CacheKey, want)
		}
	}
}

// Every way to fail has its error, in one line, without the key.
func TestFailures(t *testing.T) {
	done := "data: [DONE]\n\n"
	whole := func(kind, body string) llmtest.Step {
		s := llmtest.Garbage(body)
		s.Type = kind
		return s
	}
	tests := []struct {
		name string
		step llmtest.Step
		want error
		says string
	}{
		{"wrong key", llmtest.Fail(401, "Incorrect API key provided: "+testKey), llm.ErrRefused, "status 401: Incorrect API key provided: [key]"},
		{"masked key", llmtest.Fail(401, "Incorrect API key: sk-ab12****9xyz."), llm.ErrRefused, "[key]"},
		{"no such model", llmtest.Fail(404, `{"error":{"message":"no\nsuch model"}}`), llm.ErrRefused, "status 404: no such model"},
		{"quota", llmtest.Fail(429, "slow down"), llm.ErrRefused, "status 429"},
		{"gateway page", llmtest.Step{Status: 502, Body: "<html>bad gateway</html>", Type: "text/html"}, llm.ErrRefused, "status 502"},
		{"bare error text", llmtest.Step{Status: 500, Body: "boom"}, llm.ErrRefused, "status 500: boom"},
		{"no answer", llmtest.Drop(), llm.ErrUnreachable, ""},
		{"dropped at once", llmtest.Reply("一二三四五六七八").DroppedAfter(1), llm.ErrUnreachable, ""},
		{"dropped in a call", llmtest.ToolCall("note_fact", `{"text":"一二三四五六七八"}`).DroppedAfter(2), llm.ErrUnreachable, ""},
		{"ended without an end", llmtest.Step{Text: "一二", NoDone: true, NoFinish: true}, llm.ErrUnreachable, "broke off"},
		{"empty body", llmtest.Garbage(""), llm.ErrUnreachable, "broke off"},
		{"not JSON", llmtest.Garbage("data: {\"choices\": oops\n\n"), llm.ErrNonsense, ""},
		{"not SSE", llmtest.Garbage("hello\nworld\n" + done), llm.ErrNonsense, ""},
		{"wrong types", llmtest.Garbage("data: {\"choices\": 7}\n\n" + done), llm.ErrNonsense, ""},
		{"only the end", llmtest.Garbage(done), llm.ErrNonsense, "neither text nor a tool call"},
		{"empty choice", llmtest.Empty(), llm.ErrNonsense, "neither text nor a tool call"},
		{"white space", llmtest.Reply(" \n "), llm.ErrNonsense, ""},
		{"nameless call", llmtest.ToolCall("", `{}`), llm.ErrNonsense, ""},
		{"login page", whole("text/html; charset=utf-8", "<html>log in</html>"), llm.ErrNonsense, "web page"},
		{"error in the stream", llmtest.Garbage("data: {\"error\":{\"message\":\"overloaded\"}}\n\n" + done), llm.ErrRefused, "overloaded"},
		{"error text in the stream", llmtest.Garbage("data: {\"error\":\"overloaded\"}\n\n" + done), llm.ErrRefused, ""},
		{"error beside choices", llmtest.Garbage("data: {\"id\":\"1\",\"choices\":[],\"error\":{\"message\":\"overloaded\"}}\n\n" + done), llm.ErrRefused, "overloaded"},
		{"finish error", llmtest.Garbage("data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"error\"}]}\n\n" + done), llm.ErrRefused, ""},
		{"content filter", llmtest.Garbage("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\n" + done), llm.ErrRefused, "content filter"},
		{"error as a whole", whole("application/json", "{\n \"error\": {\"message\": \"nope\"}}"), llm.ErrRefused, "nope"},
		{"thoughts only", llmtest.Reply("<think>hm, hm"), llm.ErrNonsense, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := llmtest.NewServer(t, tt.step)
			got := collect(t, client(s), t.Context(), ask("x"))
			checkError(t, got.err, tt.want)
			if tt.says != "" && !strings.Contains(fmt.Sprint(got.err), tt.says) {
				t.Errorf("%v does not say %q", got.err, tt.says)
			}
			if len(got.calls) > 0 {
				t.Errorf("a failed answer handed out calls: %+v", got.calls)
			}
		})
	}
}

func checkError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
	for _, kind := range []error{llm.ErrUnreachable, llm.ErrRefused, llm.ErrSlow, llm.ErrNonsense} {
		if kind != want && errors.Is(err, kind) {
			t.Errorf("%v is also %v", err, kind)
		}
	}
	if text := err.Error(); strings.Contains(text, testKey) || strings.Contains(text, "\n") || len(text) > 400 {
		t.Errorf("not one short line without the key: %q", text)
	}
}

// Answers that are unusual and all the same good.
func TestTolerated(t *testing.T) {
	tests := []struct{ name, kind, body, want string }{
		{"not streamed", "application/json", "{\n\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"whole\"},\"finish_reason\":\"stop\"}],\n\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}\n", "whole"},
		{"stream under a wrong name", "application/json", "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}\n\ndata: [DONE]\n\n", "ok"},
		{"no final newline", "", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]", "a"},
		{"last line cut short of its newline", "", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}", "a"},
		{"no space after the colon, CRLF, comments", "", ": keep\r\n\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\r\n\r\n: keep\r\n\r\nevent: x\r\ndata: [DONE]\r\n\r\n", "b"},
		{"content in parts", "", "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"p\"},{\"type\":\"text\",\"text\":\"q\"}]},\"finish_reason\":\"stop\"}]}\n\n", "pq"},
		{"odd numbers", "", "data: {\"created\":1.5,\"choices\":[{\"index\":null,\"delta\":{\"content\":\"n\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3.0}}\n\n", "n"},
		{"another choice", "", "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}},{\"index\":0,\"delta\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}]}\n\n", "yes"},
		{"refusal", "", "data: {\"choices\":[{\"delta\":{\"refusal\":\"I can't.\"},\"finish_reason\":\"stop\"}]}\n\n", "I can't."},
		{"reasoning apart", "", "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\",\"content\":null}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"r\"},\"finish_reason\":\"stop\"}]}\n\n", "r"},
		{"message repeated at the end", "", "data: {\"choices\":[{\"delta\":{\"content\":\"m\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"message\":{\"content\":\"m\"},\"finish_reason\":\"stop\"}]}\n\n", "m"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			step := llmtest.Garbage(tt.body)
			step.Type = tt.kind
			s := llmtest.NewServer(t, step)
			if got := collect(t, client(s), t.Context(), ask("x")); got.err != nil || got.text != tt.want {
				t.Errorf("got %+v, want %q", got, tt.want)
			}
		})
	}
}

// A long wait full of comments is not an error of the stream.
func TestManyKeepAlives(t *testing.T) {
	body := strings.Repeat(": keep-alive\n\n", 2000) + "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n"
	s := llmtest.NewServer(t, llmtest.Garbage(body))
	if got := collect(t, client(s), t.Context(), ask("x")); got.err != nil || got.text != "a" {
		t.Errorf("got %+v", got)
	}
}

func TestEndlessLine(t *testing.T) {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for chunk := []byte("data: " + strings.Repeat("x", 1<<16)); ; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer h.Close()
	got := collect(t, New(Config{BaseURL: h.URL}), t.Context(), ask("x"))
	checkError(t, got.err, llm.ErrNonsense)
}

// Thoughts that a local server leaves in the text are not said; the same words
// later are.
func TestThoughtsAreNotSaid(t *testing.T) {
	for _, n := range []int{1, 3, 100} {
		s := llmtest.NewServer(t, llmtest.Reply("\n<think>用户要…</thin </think>\n\n好的 <think>x</think>。").InChunks(n))
		got := collect(t, client(s), t.Context(), ask("x"))
		if want := "好的 <think>x</think>。"; strings.TrimSpace(got.text) != want || got.err != nil {
			t.Errorf("chunks of %d: %q, want %q (%v)", n, got.text, want, got.err)
		}
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://user:" + testKey + "@" + l.Addr().String() + "/v1"
	l.Close()
	got := collect(t, New(Config{BaseURL: url, APIKey: testKey}), t.Context(), ask("x"))
	checkError(t, got.err, llm.ErrUnreachable)
	if !strings.Contains(got.err.Error(), l.Addr().String()) {
		t.Errorf("does not name the host: %v", got.err)
	}
}

func TestBadConfigurationAndTools(t *testing.T) {
	for _, url := range []string{"localhost:8080", "::", "ftp://x/v1", "/v1", "http://[bad"} {
		got := collect(t, New(Config{BaseURL: url}), t.Context(), ask("x"))
		checkError(t, got.err, llm.ErrUnreachable)
	}
	s := llmtest.NewResponder(t, llmtest.Always(llmtest.Reply("x")))
	r := ask("x")
	r.Tools = json.RawMessage(`[{"type":`)
	checkError(t, collect(t, client(s), t.Context(), r).err, llm.ErrRefused)
	if len(s.Requests()) != 0 {
		t.Error("a broken tools array was sent")
	}
	r.Tools = json.RawMessage(`[]`)
	if got := collect(t, client(s), t.Context(), r); got.err != nil {
		t.Error(got.err)
	}
	if strings.Contains(string(s.Requests()[0].Body), "tools") {
		t.Error("an empty tools array was sent")
	}
}

// The key shows in no printed form of a Client or Config.
func TestKeyIsNotPrinted(t *testing.T) {
	c := Config{BaseURL: "http://u:" + testKey + "@h/v1", Model: "m", APIKey: testKey}
	for _, s := range []string{fmt.Sprintf("%v %+v %#v %s", c, c, c, c), fmt.Sprintf("%v %+v %#v", New(c), New(c), New(c))} {
		if strings.Contains(s, testKey) || !strings.Contains(s, "m at h") {
			t.Errorf("printed %s", s)
		}
	}
}

// A consumer that stops early gets nothing more and leaves the server free.
func TestConsumerStops(t *testing.T) {
	step := llmtest.Reply(strings.Repeat("一二三", 100)).InChunks(3)
	step.Tools = []llmtest.Call{{Name: "a", Args: "{}"}}
	s := llmtest.NewResponder(t, llmtest.Always(step))
	for stopAt := 1; stopAt <= 102; stopAt += 25 {
		n := 0
		for range client(s).Stream(t.Context(), ask("x")) {
			if n++; n == stopAt {
				break
			}
		}
		if n != stopAt {
			t.Errorf("got %d deltas, wanted to stop at %d", n, stopAt)
		}
	}
}

// Answers leave the connection usable for the next turn.
func TestConnectionIsReused(t *testing.T) {
	s := llmtest.NewResponder(t, llmtest.Always(llmtest.Reply("ok")))
	var dials atomic.Int32
	tr := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		dials.Add(1)
		return (&net.Dialer{}).DialContext(ctx, network, addr)
	}}
	defer tr.CloseIdleConnections()
	c := New(Config{BaseURL: s.URL, HTTPClient: &http.Client{Transport: tr}})
	for range 4 {
		if got := collect(t, c, t.Context(), ask("x")); got.err != nil {
			t.Fatal(got.err)
		}
	}
	if dials.Load() != 1 {
		t.Errorf("%d connections for 4 answers", dials.Load())
	}
}

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
	body := "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n"
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, body)
		http.NewResponseController(w).Flush() //nolint:errcheck // a test
		<-r.Context().Done()
	}))
	defer h.Close()
	if got := collect(t, New(Config{BaseURL: h.URL}), t.Context(), ask("x")); got.err != nil || got.text != "a" {
		t.Errorf("got %+v", got)
	}
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
