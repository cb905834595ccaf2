package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/modes"
)

// asChild makes the test binary be the child.
const asChild = "HOMEBOT_TEST_AS_SCRIPT"

func TestMain(m *testing.M) {
	if os.Getenv(asChild) != "" {
		if err := Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func newRunner(log *bytes.Buffer) *Runner {
	if log == nil {
		log = &bytes.Buffer{}
	}
	return New(Config{Args: []string{}, Env: []string{asChild + "=1"}, Logger: slog.New(slog.NewTextHandler(log, nil))})
}

const study = `
def words(ctx):
    return json.decode(ctx.read("words.json") or "[]")

def learn(ctx, word, times = 1):
    all = words(ctx) + [word] * times
    ctx.write("words.json", json.encode(all))
    return {"count": len(all)}

def say(ctx):
    return "hello " + ctx.mode_id

def static(ctx):
    ctx.write("started.txt", ctx.now + " " + ctx.session_id)
    return "Teach patiently."

def runtime(ctx):
    return {"words": len(words(ctx)), "last": (words(ctx) or ["none"])[-1], "facts": len(ctx.facts)}

def after(ctx, summary, turns):
    line = "%s %d turns, %s said %s" % (ctx.session_id, len(turns), turns[0].speaker, turns[0].user)
    old = ctx.read("history.md") or ""
    if ctx.session_id not in old:
        ctx.write("history.md", line + "\n" + old)

mode = struct(
    static_prompt = static, runtime_context = runtime, after_exit = after,
    tools = [
        tool("learn_word", "Notes a word.", learn, params = {"word": "string: the word", "times": "integer?"}),
        tool("say_hello", "Says hello.", say),
    ],
)
`

func scopeIn(t *testing.T) modes.Scope {
	return modes.Scope{
		ModeID: "study", SessionID: "study-20261022-195500-a1b2c3", Lang: "zh",
		Now:   time.Date(2026, 10, 22, 19, 55, 0, 0, time.FixedZone("CST", 8*3600)),
		Data:  store.Confine(store.OS(), filepath.Join(t.TempDir(), "study")),
		Facts: []conversation.Fact{{ID: "f1", Kind: "fact", Text: "Ann learns"}},
	}
}

// R17: a script has the four hooks, sees ctx, and reads and writes the mode's own
// directory; its tools have a schema in a fixed order (R37).
func TestHooks(t *testing.T) {
	p, err := newRunner(nil).Load("skills/study/mode.star", "mode", []byte(study))
	if err != nil {
		t.Fatal(err)
	}
	s, ctx := scopeIn(t), context.Background()
	if got, err := p.StaticPrompt(ctx, s); err != nil || got != "Teach patiently." {
		t.Errorf("static prompt %q %v", got, err)
	}
	if data, _ := s.Data.ReadFile("started.txt"); string(data) != "2026-10-22T19:55:00+08:00 study-20261022-195500-a1b2c3" {
		t.Errorf("started.txt %q", data)
	}
	in := modes.WithScope(ctx, s)
	for args, want := range map[string]string{
		`{"word":"苹果","times":2}`: `{"ok":true,"count":2}`,
		`{"times":1}`:             `{"ok":false,"reason":"arguments of learn_word: word is missing"}`,
		`{"word":3}`:              `{"ok":false,"reason":"arguments of learn_word: word must be string, not 3"}`,
	} {
		if got := p.Tools[0].Call(in, json.RawMessage(args)); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
	if got := p.Tools[1].Call(in, nil); got != `{"ok":true,"text":"hello study"}` {
		t.Errorf("say_hello: %s", got)
	}
	if got := p.Tools[1].Call(ctx, nil); !strings.Contains(got, `"ok":false`) {
		t.Errorf("outside the mode: %s", got)
	}
	want := `{"properties":{"word":{"type":"string","description":"the word"},"times":{"type":"integer"}},"type":"object","required":["word"]}`
	if got := string(p.Tools[0].Schema); got != want {
		t.Errorf("schema %s", got)
	}
	fields, err := p.RuntimeContext(ctx, s)
	if fmt.Sprint(fields) != "[{words 2} {last 苹果} {facts 1}]" || err != nil {
		t.Errorf("fields %v %v", fields, err)
	}
	ended := modes.Ended{Summary: "ok", Turns: []conversation.Record{{SpeakerID: "mama", User: "开始"}}}
	for range 2 {
		if err := p.AfterExit(ctx, s, ended); err != nil {
			t.Fatal(err)
		}
	}
	if data, _ := s.Data.ReadFile("history.md"); string(data) != s.SessionID+" 1 turns, mama said 开始\n" {
		t.Errorf("history.md %q", data)
	}
}

// R14: what is wrong in a script is found when it is loaded, with its line.
func TestLoadSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		line   int
		want   string
	}{
		"missing":     {"x = 1\n", 0, "entry point missing"},
		"not struct":  {"mode = 3\n", 0, "entry point missing"},
		"syntax":      {"x = 1\ndef f(:\n", 2, "got"},
		"undefined":   {"x = 1\n\nmode = struct(a = nowhere)\n", 3, "undefined: nowhere"},
		"eval":        {"def f():\n    return 1 // 0\nx = f()\n", 2, "division by zero"},
		"wrong hook":  {"mode = struct(static_prompt = 3)\n", 0, "static_prompt must be a function"},
		"unknown":     {"mode = struct(runtime = 3)\n", 0, "runtime has no use"},
		"wrong tools": {"mode = struct(tools = [1])\n", 0, "tools must hold tool"},
		"param":       {"def f(ctx): pass\nmode = struct(tools = [tool('a', 'b', f, {'x': 'list'})])\n", 2, "must be string, integer, number or boolean"},
		"load":        {"load('other.star', 'x')\nmode = struct()\n", 1, "load not implemented"},
		"for ever":    {"def f():\n    for i in range(1000000000):\n        pass\nf()\nmode = struct()\n", 2, "runs too long"},
		"memory":      {"x = 'x' * 100000000\ny = [x + str(i) for i in range(100)]\nmode = struct()\n", 0, "memory"},
		"recursion":   {"def f(n):\n    return f(n)\nf(1)\nmode = struct()\n", 2, "recursively"},
		"a big power": {"x = 3\nfor i in range(60):\n    x = x * x\nmode = struct()\n", 0, "stopped"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newRunner(nil).Load("skills/x/mode.star", "mode", []byte(c.source))
			var he *modes.HookError
			if !errors.As(err, &he) || he.Line != c.line || !strings.Contains(he.Reason, c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v (%+v), want line %d %q", err, he, c.line, c.want)
			}
			if starlarks := []string{"syntax", "undefined", "eval", "load", "recursion"}; (he.ZH == "") != slices.Contains(starlarks, name) {
				t.Errorf("in Chinese %q", he.ZH)
			}
		})
	}
}

// R15, R17: a script reads and writes nothing outside its directory, and what it
// wanted to write is not written when it fails.
func TestConfinement(t *testing.T) {
	s := scopeIn(t)
	secret := filepath.Join(filepath.Dir(s.Data.Dir()), "secret")
	if err := os.WriteFile(secret, []byte("SECRET"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Data.Replace("own", []byte("own")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(s.Data.Dir(), "link")); err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{
		"read up":       `ctx.read("../secret")`,
		"read absolute": `ctx.read("` + secret + `")`,
		"read a link":   `ctx.read("link")`,
		"write up":      `ctx.write("../other", "x")`,
		"write self":    `ctx.write(".", "x")`,
		"fail later":    `ctx.write("half", "x") or fail("no")`,
		"too many":      `[ctx.write(str(i), "x") for i in range(100)]`,
		"too much":      `ctx.write("big", "x" * 2000000)`,
	} {
		t.Run(name, func(t *testing.T) {
			source := "def run(ctx):\n    v = " + body + "\n    return str(v)\nmode = struct(static_prompt = run)\n"
			p, err := newRunner(nil).Load("mode.star", "mode", []byte(source))
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.StaticPrompt(context.Background(), s)
			var he *modes.HookError
			if !errors.As(err, &he) || he.Line != 2 || strings.Contains(got, "SECRET") {
				t.Errorf("got %q %v", got, err)
			}
			if all, _ := s.Data.ReadDir("."); len(all) != 2 {
				t.Errorf("files %v", all)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(s.Data.Dir()), "other")); err == nil {
		t.Error("wrote outside")
	}
}

// R17: a tool that fails tells the model that nothing was done, and the log says
// in which line.
func TestToolFails(t *testing.T) {
	var log bytes.Buffer
	p, err := newRunner(&log).Load("skills/x/mode.star", "mode", []byte("def f(ctx):\n    fail('no words')\nmode = struct(tools = [tool('a', 'b', f)])\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := p.Tools[0].Call(modes.WithScope(context.Background(), scopeIn(t)), nil)
	if got != `{"ok":false,"reason":"fail: no words"}` || !strings.Contains(log.String(), "skills/x/mode.star:2") {
		t.Errorf("%s\n%s", got, &log)
	}
}

// V6: a tool whose turn was broken off is no error of the script.
func TestToolOfATurnBrokenOff(t *testing.T) {
	var log bytes.Buffer
	p, err := newRunner(&log).Load("f", "mode", []byte(study))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(modes.WithScope(t.Context(), scopeIn(t)))
	cancel()
	if got := p.Tools[1].Call(ctx, nil); !strings.Contains(got, `"ok":false`) || log.Len() > 0 {
		t.Errorf("%s\n%s", got, &log)
	}
}

// A script is run once, however often its folder is looked at; a changed one is
// run again.
func TestLoadedOnce(t *testing.T) {
	r := newRunner(nil)
	p, _ := r.Load("f", "mode", []byte(study))
	if again, _ := r.Load("f", "mode", []byte(study)); again != p {
		t.Error("loaded twice")
	}
	if other, _ := r.Load("f", "mode", []byte(study+"\n")); other == p {
		t.Error("the new text was not loaded")
	}
}

// Secrets of the environment do not reach the child.
func TestChildHasNoSecrets(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-very-secret")
	t.Setenv("HOMEBOT_PLAIN", "yes")
	cmd, err := New(Config{}).command(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if env := strings.Join(cmd.Env, " "); strings.Contains(env, "sk-very-secret") || !strings.Contains(env, "HOMEBOT_PLAIN=yes") {
		t.Errorf("environment %s", env)
	}
}

// R17: a child that is not ours, or says nonsense, is one error.
func TestChildDies(t *testing.T) {
	for name, exe := range map[string]string{"false": "/bin/false", "nonsense": "/bin/echo", "not there": "/nowhere/homebot"} {
		t.Run(name, func(t *testing.T) {
			_, err := New(Config{Exe: exe, Args: []string{"x"}}).Load("f", "mode", []byte("mode = struct()"))
			if err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func FuzzRun(f *testing.F) {
	f.Add(study, callDescribe)
	f.Add("mode = struct()", callTool)
	f.Add("def f(ctx): return {1:2}\nmode = struct(runtime_context=f)", callRuntime)
	f.Fuzz(func(t *testing.T, source, call string) {
		if len(source) > 4096 || strings.ContainsAny(source, "*+") { // no bound on memory in here
			return
		}
		r := run(request{File: "f", Name: "mode", Source: source, Call: call, Tool: "a", Scope: &scope{DataDir: "/nowhere"}})
		if r.Error != nil && strings.Contains(r.Error.Reason, "\n") {
			t.Errorf("reason of more than one line: %q", r.Error.Reason)
		}
	})
}

// The overhead of a hook: one process.
func BenchmarkHook(b *testing.B) {
	p, err := newRunner(nil).Load("f", "mode", []byte("def f(ctx): return {'a': 1}\nmode = struct(runtime_context=f)"))
	if err != nil {
		b.Fatal(err)
	}
	s := modes.Scope{Data: store.Confine(store.OS(), b.TempDir())}
	for b.Loop() {
		if _, err := p.RuntimeContext(context.Background(), s); err != nil {
			b.Fatal(err)
		}
	}
}
