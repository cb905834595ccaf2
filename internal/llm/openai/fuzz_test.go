package openai

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"homebot/internal/llm"
)

// canned answers every request with one body, without a network.
type canned struct{ kind, body string }

func (c canned) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Status: "200 OK", Header: http.Header{"Content-Type": {c.kind}},
		Body: io.NopCloser(strings.NewReader(c.body)),
	}, nil
}

// Whatever a server sends, the stream ends, with at most one error, which is one
// of the four; calls have names and different ids, so that the history stays
// well-formed (C22).
func FuzzStream(f *testing.F) {
	for _, body := range []string{
		"data: [DONE]\n\n", "", "data: {}", "data:", "data: null\n\n", "data: {\"error\":5}\n\ndata: {\"error\":null}\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":\"<think>a</think>b\"},\"finish_reason\":\"stop\"}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},{\"id\":\"a\",\"function\":{\"name\":\"g\",\"arguments\":{}}},{\"index\":-1},{\"index\":\"x\",\"function\":{\"name\":\"h\"}}]}}]}\n\ndata: [DONE]\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"f\"}},{\"function\":{\"arguments\":\"{}\"}},{\"function\":{\"name\":\"f\"}}]},\"finish_reason\":\"length\"}],\"usage\":{\"prompt_tokens\":-1}}\n\n",
		"{\"choices\":[{\"message\":{\"content\":[{\"text\":\"a\"},null]}}]}", "<html>", "\x00\xff\r\n",
	} {
		f.Add("text/event-stream", body)
		f.Add("application/json", body)
	}
	f.Fuzz(func(t *testing.T, kind, body string) {
		c := New(Config{BaseURL: "http://canned/v1", HTTPClient: &http.Client{Transport: canned{kind, body}}})
		got := collect(t, c, context.Background(), ask("x"))
		if got.err != nil {
			checkError(t, got.err, kindOf(t, got.err))
		} else if strings.TrimSpace(got.text) == "" && len(got.calls) == 0 {
			t.Error("nothing came, and no error")
		}
		if !utf8.ValidString(got.text) {
			t.Errorf("text is not UTF-8: %q", got.text)
		}
		m := []llm.Message{{Role: llm.Assistant, ToolCalls: got.calls}}
		for _, c := range got.calls {
			m = append(m, llm.Message{Role: llm.ToolRole, ToolCallID: c.ID})
		}
		if err := llm.WellFormed(m); err != nil {
			t.Error(err)
		}
	})
}

func kindOf(t *testing.T, err error) error {
	t.Helper()
	for _, kind := range []error{llm.ErrUnreachable, llm.ErrRefused, llm.ErrSlow, llm.ErrNonsense} {
		if strings.HasPrefix(err.Error(), kind.Error()+": ") {
			return kind
		}
	}
	t.Fatalf("an error of no kind: %v", err)
	return nil
}

// R40: any JSON gives counts that make sense.
func FuzzUsage(f *testing.F) {
	f.Add([]byte(`{"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":64}}`))
	f.Add([]byte(`{"prompt_cache_hit_tokens":1e300,"prompt_cache_miss_tokens":"x"}`))
	f.Add([]byte(`{"input_tokens":-5,"cache_read_input_tokens":7,"output_tokens":2.5}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		u, ok := parseUsage(json.RawMessage(raw))
		if u.Prompt < 0 || u.Completion < 0 || u.Cached < 0 || u.Cached > u.Prompt {
			t.Errorf("%s gives %+v", raw, u)
		}
		if !ok && u.Prompt > 0 {
			t.Errorf("%s: a count was thrown away", raw)
		}
	})
}

// R40: the shapes as providers document them.
func TestUsageShapes(t *testing.T) {
	tests := []struct {
		raw  string
		want llm.Usage
	}{
		{`{"prompt_tokens":2006,"completion_tokens":300,"prompt_tokens_details":{"cached_tokens":1920}}`, llm.Usage{Prompt: 2006, Cached: 1920, Completion: 300}},
		{`{"prompt_tokens":100,"completion_tokens":3,"prompt_tokens_details":null}`, llm.Usage{Prompt: 100, Completion: 3}},
		{`{"prompt_tokens":100,"completion_tokens":3,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}`, llm.Usage{Prompt: 100, Cached: 64, Completion: 3}},
		{`{"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}`, llm.Usage{Prompt: 100, Cached: 64}},
		{`{"input_tokens":20,"output_tokens":5,"cache_read_input_tokens":1000,"cache_creation_input_tokens":100}`, llm.Usage{Prompt: 1120, Cached: 1000, Completion: 5}},
		{`{"prompt_tokens":1120,"completion_tokens":5,"cache_read_input_tokens":1000}`, llm.Usage{Prompt: 1120, Cached: 1000, Completion: 5}},
		{`{"prompt_tokens":300,"completion_tokens":5,"cached_tokens":256}`, llm.Usage{Prompt: 300, Cached: 256, Completion: 5}},
		{`{"prompt_tokens":3.0,"completion_tokens":1}`, llm.Usage{Prompt: 3, Completion: 1}},
		{`{"prompt_tokens":10,"cached_tokens":99}`, llm.Usage{Prompt: 10, Cached: 10}},
	}
	for _, tt := range tests {
		if got, ok := parseUsage(json.RawMessage(tt.raw)); !ok || got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.raw, got, tt.want)
		}
	}
	for _, raw := range []string{``, `null`, `{}`, `[]`, `7`, `{"prompt_tokens":null}`} {
		if _, ok := parseUsage(json.RawMessage(raw)); ok {
			t.Errorf("%s passed for a usage", raw)
		}
	}
}
