package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// post sends a body to url and returns status and answer, as far as it came.
func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	got, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(got)
}

const tools = `[{"type":"function","function":{"name":"switch_mode","parameters":{}}}]`

func body(messages ...string) string {
	return `{"model":"m","stream":true,"tools":` + tools + `,"messages":[` + strings.Join(messages, ",") + `]}`
}

func user(text string) string { return fmt.Sprintf(`{"role":"user","content":%q}`, text) }

// Requests are kept byte for byte, and read for the respond function.
func TestRecordsAndReads(t *testing.T) {
	var seen Request
	s := NewResponder(t, func(r Request) Step { seen = r; return Reply("ok") })
	sent := body(`{ "role":"system", "content":"<s>" }`, user("[20:00 guest]\n[date: x]\n打开做饭模式"),
		`{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"switch_mode","arguments":"{}"}}]}`,
		`{"role":"tool","content":"{\"ok\":true}","tool_call_id":"1"}`)
	if status, got := post(t, s.URL, sent); status != 200 || !strings.HasSuffix(got, "data: [DONE]\n\n") {
		t.Fatalf("%d %s", status, got)
	}
	r := s.Requests()[0]
	if string(r.Body) != sent || string(r.Tools) != tools || string(r.Messages[0]) != `{ "role":"system", "content":"<s>" }` {
		t.Errorf("not as sent: %s", r.Body)
	}
	if seen.Words() != "打开做饭模式" || len(seen.Results()) != 1 || seen.Results()[0] != `{"ok":true}` || seen.Offered[0] != "switch_mode" {
		t.Errorf("read as %q %q %q", seen.Words(), seen.Results(), seen.Offered)
	}
}

// What strict providers refuse is refused here too, and remembered; the script
// does not move on.
func TestRefusesWhatProvidersRefuse(t *testing.T) {
	call := `{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}`
	result := `{"role":"tool","content":"","tool_call_id":"1"}`
	bad := map[string]string{
		"no JSON":            `{`,
		"no messages":        body(),
		"not streamed":       `{"messages":[` + user("x") + `]}`,
		"no content":         body(`{"role":"assistant","tool_calls":[]}`),
		"orphan result":      body(user("x"), result),
		"call unanswered":    body(user("x"), call),
		"answered too late":  body(call, user("x"), result),
		"answered twice":     body(call, result, result),
		"broken arguments":   body(strings.Replace(call, `"{}"`, `"{"`, 1), result),
		"nameless tool":      `{"stream":true,"tools":[{"type":"function"}],"messages":[` + user("x") + `]}`,
		"tools no array":     `{"stream":true,"tools":{},"messages":[` + user("x") + `]}`,
		"message no message": body(`7`),
	}
	s := New(Script(Reply("ok")))
	stop := s.serve()
	defer stop()
	for name, b := range bad {
		if status, got := post(t, s.URL, b); status != 400 {
			t.Errorf("%s: %d %s", name, status, got)
		}
	}
	if len(s.Refused()) != len(bad) || len(s.Requests()) != 0 {
		t.Errorf("%d refused, %d taken", len(s.Refused()), len(s.Requests()))
	}
	if status, got := post(t, s.URL, body(user("x"), call, result)); status != 200 {
		t.Errorf("a good one: %d %s", status, got)
	}
	if status, got := post(t, s.URL, body(user("x"))); status != 500 || !strings.Contains(got, "no more steps") {
		t.Errorf("after the script: %d %s", status, got)
	}
}

// The cache holds whole blocks of what earlier requests began with, and no more.
func TestPrefixCache(t *testing.T) {
	long := strings.Repeat("番茄炒蛋", 100) // 232 tokens
	var c cache
	bill := func(msgs ...string) (int, int) {
		r := Recorded{Tools: json.RawMessage(tools)}
		for _, m := range msgs {
			r.Messages = append(r.Messages, json.RawMessage(m))
		}
		return c.bill(r, nil)
	}
	first, cold := bill(user(long))
	if cold != 0 || first < 232 {
		t.Errorf("first request: %d tokens, %d cached", first, cold)
	}
	again, warm := bill(user(long))
	if again != first || warm != first/BlockTokens*BlockTokens {
		t.Errorf("the same again: %d tokens, %d cached", again, warm)
	}
	longer, warm := bill(user(long), user(long))
	if warm != first/BlockTokens*BlockTokens || longer < 2*232 {
		t.Errorf("an extension: %d of %d cached", warm, longer)
	}
	if _, warm := bill(user("x"+long), user(long)); warm >= BlockTokens {
		t.Errorf("a change at the beginning: %d cached", warm)
	}
	cut := user(long[:len(long)/2] + "x" + long[len(long)/2:])
	if _, warm := bill(cut); warm == 0 || warm >= first-BlockTokens {
		t.Errorf("a change in the middle: %d of %d cached", warm, first)
	}
	r := Recorded{Messages: []json.RawMessage{[]byte(user(long))}}
	if _, warm := c.bill(r, nil); warm >= BlockTokens {
		t.Errorf("without the tools: %d cached", warm)
	}
}

// R36: what PrefixOf takes for a prefix is one, byte for byte.
func TestPrefixOf(t *testing.T) {
	rec := func(tools string, msgs ...string) Recorded {
		r := Recorded{Tools: json.RawMessage(tools)}
		for _, m := range msgs {
			r.Messages = append(r.Messages, json.RawMessage(m))
		}
		return r
	}
	a := rec(tools, user("a"), user("b"))
	for name, b := range map[string]Recorded{"same": a, "longer": rec(tools, user("a"), user("b"), user("c"))} {
		if err := PrefixOf(a, b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, b := range map[string]Recorded{
		"shorter": rec(tools, user("a")), "changed": rec(tools, user("a"), user("x"), user("c")),
		"same JSON, other bytes": rec(tools, user("a"), `{"content":"b","role":"user"}`),
		"other tools":            rec(tools+" ", user("a"), user("b")), "no tools": rec("", user("a"), user("b")),
	} {
		if PrefixOf(a, b) == nil {
			t.Errorf("%s passed for a prefix", name)
		}
	}
}

// Start serves other processes: plain TCP on loopback, no test needed; stop does
// not wait for an answer that would take an hour.
func TestStartAndStop(t *testing.T) {
	url, stop := Start(Always(Reply("x").After(time.Hour)))
	if !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.HasSuffix(url, "/v1") {
		t.Errorf("url %s", url)
	}
	done := make(chan string)
	go func() {
		_, got := post(t, url, body(user("x")))
		done <- got
	}()
	stop()
	stop() // a second time does nothing
	if got := <-done; strings.Contains(got, "DONE") {
		t.Errorf("answered %q", got)
	}
	if status, _ := post(t, url, body(user("x"))); status != 0 {
		t.Error("still answers after stop")
	}
}

func TestDropsAndOtherPaths(t *testing.T) {
	s := NewServer(t, Drop(), Reply("一二三四五六七八九").DroppedAfter(1), Fail(429, "slow down"), Garbage("junk"))
	if status, _ := post(t, s.URL, body(user("x"))); status != 0 {
		t.Errorf("dropped: status %d", status)
	}
	if status, got := post(t, s.URL, body(user("x"))); status != 200 || strings.Count(got, "data:") != 1 {
		t.Errorf("dropped after one chunk: %d %q", status, got)
	}
	if status, got := post(t, s.URL, body(user("x"))); status != 429 || !strings.Contains(got, `"message":"slow down"`) {
		t.Errorf("failed: %d %q", status, got)
	}
	if status, got := post(t, s.URL, body(user("x"))); status != 200 || got != "junk" {
		t.Errorf("garbage: %d %q", status, got)
	}
	resp, err := http.Get(s.URL + "/models")
	if err != nil || resp.StatusCode != http.StatusNotFound {
		t.Errorf("another path: %v %v", resp, err)
	}
	resp.Body.Close()
}

func FuzzReadRequest(f *testing.F) {
	f.Add(body(user("[a]\nb")))
	f.Add(`{"stream":true,"messages":[null]}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, raw string) {
		r, err := readRequest([]byte(raw), nil)
		if err == nil && (len(r.Read) == 0 || len(r.Read) != len(r.Messages)) {
			t.Errorf("read %d of %d messages", len(r.Read), len(r.Messages))
		}
		var c cache
		tokens, _ := c.bill(r.Recorded, nil)
		if again, warm := c.bill(r.Recorded, nil); again != tokens || warm > tokens || tokens-warm >= BlockTokens+1 {
			t.Errorf("billed %d, then %d with %d cached", tokens, again, warm)
		}
	})
}

// A cache that keeps replies knows the next turn up to its new words.
func TestCacheKeepsReplies(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		s := New(Always(Reply(strings.Repeat("蛋", 300)))) // 174 tokens
		s.KeepsReplies = keeps
		user := func(words string) string { return `{"role":"user","content":"` + words + `"}` }
		for _, msgs := range []string{
			user("一"), user("一") + `,{"role":"assistant","content":"` + strings.Repeat("蛋", 300) + `"},` + user("二"),
		} {
			if _, _, err := s.take([]byte(`{"model":"m","stream":true,"messages":[`+msgs+`]}`), nil); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.Requests()[1].Cached; got != map[bool]int{false: 0, true: 128}[keeps] {
			t.Errorf("keeps replies: %t, cached %d", keeps, got)
		}
	}
}
