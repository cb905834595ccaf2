package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"homebot/internal/llm"
	"homebot/internal/llm/llmtest"
)

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
		{"quota", llmtest.Fail(429, "slow down"), llm.ErrBusy, "status 429"},
		{"gateway page", llmtest.Step{Status: 502, Body: "<html>bad gateway</html>", Type: "text/html"}, llm.ErrBusy, "status 502"},
		{"bare error text", llmtest.Step{Status: 500, Body: "boom"}, llm.ErrBusy, "status 500: boom"},
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
	for _, kind := range []error{llm.ErrUnreachable, llm.ErrRefused, llm.ErrBusy, llm.ErrSlow, llm.ErrNonsense} {
		if !errors.Is(want, kind) && errors.Is(err, kind) {
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
	if strings.Contains(got.err.Error(), "user") || !strings.Contains(got.err.Error(), l.Addr().String()) {
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
