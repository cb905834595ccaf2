package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/internal/cli"
	"homebot/internal/contextmode"
	"homebot/internal/llm/llmtest"
)

// The size of what every request begins with, in DeepSeek's tokens: in normal
// mode with all common tools and nobody's USER.md, and in cooking.
func TestFixedPart(t *testing.T) {
	h := newHome(t, switchWhen(func(words string) (string, bool) { return enterCooking, words == "打开做饭模式" }))
	k := h.talk()
	k.say("你好")
	k.say("打开做饭模式")
	k.say("番茄炒蛋")
	k.end()
	meter := contextmode.NewMeter("deepseek-chat", 0)
	size := func(r llmtest.Request) (prompt, tools int) {
		return meter.Tokens(r.Read[0].Content) + contextmode.MessageTokens, meter.Tokens(string(r.Tools))
	}
	all := h.requests()
	for _, c := range []struct {
		name  string
		r     llmtest.Request
		limit int
	}{{"normal mode", all[0], 1500}, {"cooking", all[len(all)-1], 2600}} {
		prompt, tools := size(c.r)
		t.Logf("fixed part in %s: %d tokens = prompt %d + tools %d (%s); at most %d", c.name, prompt+tools, prompt, tools, strings.Join(c.r.Offered, " "), c.limit)
		if prompt+tools > c.limit {
			t.Errorf("the fixed part in %s is larger than %d tokens", c.name, c.limit)
		}
	}
}

// C3, C4: the profile of a line is told, and can be asked for; a wrong one is
// refused with the way out.
func TestChatProfile(t *testing.T) {
	h := newHome(t, switchWhen(func(string) (string, bool) { return "", false }))
	k := h.talk()
	for _, want := range []string{"full first_turn", "compact default"} {
		if o := k.say("你好"); o.Profile+" "+o.ProfileReason != want || o.Table != 1 {
			t.Errorf("got %s %s of table %d, want %s", o.Profile, o.ProfileReason, o.Table, want)
		}
	}
	k.end()
	k = h.talk("--profile", "minimal")
	if o := k.say("你好"); o.Profile != "minimal" || o.ProfileReason != "request" {
		t.Errorf("asked for: %s %s", o.Profile, o.ProfileReason)
	}
	k.end()
	if _, stderr, code := h.once("你好\n", "chat", "--profile", "turbo"); code != cli.ExitUsage || !strings.Contains(stderr, "full, compact, minimal") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// C1, C15, C17: tables are listed, shown, put in force, given to a share of the
// sessions and taken back while homebot runs; the running process obeys within a
// second; explain tells of the last request.
func TestContextCommand(t *testing.T) {
	h := newHome(t, switchWhen(func(string) (string, bool) { return "", false }))
	run := func(args ...string) string {
		t.Helper()
		out, stderr, code := h.once("", append([]string{"context"}, args...)...)
		if code != 0 {
			t.Fatalf("context %v: %d %s", args, code, stderr)
		}
		return out
	}
	k := h.talk() // the engine that answers the commands
	k.say("你好")
	table := run("profiles", "show")
	if !strings.Contains(table, "version = 1") {
		t.Fatalf("show: %s", table)
	}
	file := filepath.Join(t.TempDir(), "mine.toml")
	write(t, file, strings.Replace(strings.Replace(table, "version = 1", "version = 2", 1), `default = "compact"`, `default = "minimal"`, 1))
	if out := run("profiles", "apply", file); !strings.Contains(out, "table 2 is in force") {
		t.Errorf("apply: %s", out)
	}
	if o := k.say("你好"); o.Profile != "minimal" || o.Table != 2 {
		t.Errorf("after apply: %s of table %d", o.Profile, o.Table)
	}
	if out := run("profiles", "list"); !strings.Contains(out, "1  built in") || !strings.Contains(out, "2  in force") {
		t.Errorf("list: %s", out)
	}
	began := time.Now()
	run("profiles", "rollback")
	if o := k.say("你好"); o.Profile != "compact" || o.Table != 1 {
		t.Errorf("after the rollback: %s of table %d", o.Profile, o.Table)
	}
	t.Logf("a rollback by command and the next turn took %s", time.Since(began))
	if out := run("profiles", "canary", file, "--share", "0.25"); !strings.Contains(out, "25 %") {
		t.Errorf("canary: %s", out)
	}
	if out := run("profiles", "compare"); strings.Count(out, "\n") != 3 {
		t.Errorf("compare: %s", out)
	}
	out := run("explain", "--last", "2")
	for _, want := range []string{"table 1 in force, 2 for 25 %", "decided    compact (default)", "pinned", "trimmed", "estimated", "billed"} {
		if !strings.Contains(out, want) {
			t.Errorf("explain lacks %q: %s", want, out)
		}
	}
	write(t, file, "version = 3\n[load]\nenter = 7\nlaeve = 1\n")
	_, stderr, code := h.once("", "context", "profiles", "apply", file)
	if code != cli.ExitFailure || !strings.Contains(stderr, "mine.toml:4") || !strings.Contains(stderr, "laeve") {
		t.Errorf("a wrong table: %d %s", code, stderr)
	}
	k.end()
	if out := run("explain"); !strings.Contains(out, "billed") { // another engine
		t.Errorf("explain by another process: %s", out)
	}
	data, err := os.ReadFile(filepath.Join(h.workspace, "context", "turns.jsonl"))
	if err != nil || !json.Valid([]byte(strings.SplitN(string(data), "\n", 2)[0])) {
		t.Errorf("turns.jsonl: %v %.100s", err, data)
	}
}

// C9, C20, C23: in the real process, through the real client: a long conversation
// is cut while nobody waits, with the model's summaries; the new prefix is warmed
// up, and every request begins as the one before, between cuts.
func TestCutsInTheProcess(t *testing.T) {
	h := newHome(t, func(r llmtest.Request) llmtest.Step {
		user := r.User()
		if !strings.HasPrefix(user, "[系统] 请把") {
			return llmtest.Reply("好，记住了。[[end]]")
		}
		var answer strings.Builder
		for line := range strings.Lines(user) {
			if label, _, ok := strings.Cut(line, "] “"); ok {
				answer.WriteString(label + "] 说了番茄炒蛋怎么做\n")
			}
		}
		return llmtest.Reply(answer.String())
	})
	table := filepath.Join(t.TempDir(), "t.toml")
	write(t, table, "version = 2\n[decide]\nfirst_turn = \"compact\"\n[profile.compact]\ntoken_budget = 1000\nmax_turns = -1\n")
	if _, stderr, code := h.once("", "context", "profiles", "apply", table); code != 0 {
		t.Fatal(stderr)
	}
	k := h.talk()
	warmed := func() bool {
		return slices.ContainsFunc(h.requests(), func(r llmtest.Request) bool { return strings.HasPrefix(r.User(), "[系统 system]") })
	}
	words := "先把番茄切块，再打鸡蛋，然后放盐和葱花，最后翻炒，你记住了没有，下面我再说一遍给你听。"
	for i := 0; i < 40 && !warmed(); i++ {
		k.say(words)
		// The next line ends a cut at work, so a slow machine gets more and more time.
		for end := time.Now().Add(time.Duration(10+i) * 30 * time.Millisecond); time.Now().Before(end) && !warmed(); {
			time.Sleep(10 * time.Millisecond)
		}
	}
	k.say(words)
	k.end()
	files, _ := filepath.Glob(filepath.Join(h.workspace, "sessions/text/*.context.jsonl"))
	if len(files) != 1 {
		t.Fatalf("cut logs: %q", files)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(data), "说了番茄炒蛋怎么做") {
		t.Errorf("cut log: %v %s", err, data)
	}
	out, _, _ := h.once("", "context", "explain")
	if !strings.Contains(out, "summary blocks") || strings.Contains(out, "BROKE") || strings.Contains(out, " 0 summary blocks") {
		t.Errorf("explain: %s", out)
	}
}
