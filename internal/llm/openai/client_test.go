package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

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

// Fragments without index and id: a name begins a call, unless it only says again
// whose piece this is.
func TestCallsWithoutAnyNumber(t *testing.T) {
	var l callList
	for _, raw := range []string{
		`{"function":{"name":"list","arguments":""}}`,
		`{"function":{"name":"note_fact","arguments":"{\"a\":"}}`,
		`{"function":{"name":"note_fact","arguments":"1}"}}`,
		`{"function":{"name":"note_fact","arguments":"{}"}}`,
	} {
		var f fragment
		if err := json.Unmarshal([]byte(raw), &f); err != nil {
			t.Fatal(err)
		}
		l.add(f)
	}
	want := []llm.ToolCall{
		{ID: "call_3_0", Name: "list", Arguments: "{}"},
		{ID: "call_3_1", Name: "note_fact", Arguments: `{"a":1}`},
		{ID: "call_3_2", Name: "note_fact", Arguments: "{}"},
	}
	if got := l.whole(3); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// R40: where caches are marked, the system message, what the request before ended
// with, and the newest message carry a mark; what they say is the same.
func TestCacheMarks(t *testing.T) {
	r := ask("一", "二")
	r.Messages = append(r.Messages[:2], llm.Message{Role: llm.Assistant, Content: "嗯。"}, llm.Message{Role: llm.User, Content: "二<"},
		llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "c1", Name: "x", Arguments: "{}"}}},
		llm.Message{Role: llm.ToolRole, ToolCallID: "c1", Content: "ok"})
	body, sent, err := encodeRequest(Config{Model: "m", CacheMarks: true}, r)
	if err != nil {
		t.Fatal(err)
	}
	var wire struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(body, &wire); err != nil {
		t.Fatal(err)
	}
	var marked []int
	for i, raw := range wire.Messages {
		var m struct {
			Role       string
			ToolCallID string `json:"tool_call_id"`
			Content    json.RawMessage
		}
		if err := json.Unmarshal(raw, &m); err != nil || m.Role != r.Messages[i].Role || m.ToolCallID != r.Messages[i].ToolCallID {
			t.Errorf("message %d: %s %v", i, raw, err)
		}
		var parts []struct {
			Type, Text string
			Mark       struct{ Type string } `json:"cache_control"`
		}
		if json.Unmarshal(m.Content, &parts) == nil && len(parts) == 1 && parts[0].Mark.Type == "ephemeral" && parts[0].Text == r.Messages[i].Content {
			marked = append(marked, i)
		}
	}
	if fmt.Sprint(marked) != "[0 2 5]" {
		t.Errorf("marked %v: %s", marked, body)
	}
	_, plain, err := encodeRequest(Config{Model: "m"}, r)
	if err != nil || !reflect.DeepEqual(plain.Messages, sent.Messages) {
		t.Error("the marks count as part of the prefix")
	}
}

// R40: who is told about caches, and how; most are not.
func TestCacheWays(t *testing.T) {
	for _, c := range []struct {
		url, model string
		key, marks bool
	}{
		{"https://api.openai.com/v1", "gpt-4o-mini", true, false},
		{"https://api.deepseek.com/v1", "deepseek-chat", false, false},
		{"https://api.anthropic.com/v1", "claude", false, true},
		{"https://openrouter.ai/api/v1", "anthropic/claude", false, true},
		{"https://openrouter.ai/api/v1", "qwen/qwen3", false, false},
		{"http://127.0.0.1:8000/v1", "qwen", false, false},
		{"https://api.openai.com.example.org/v1", "x", false, false},
		{"://", "x", false, false},
	} {
		if key, marks := CacheWays(c.url, c.model); key != c.key || marks != c.marks {
			t.Errorf("%s %s: %v %v", c.url, c.model, key, marks)
		}
	}
}
