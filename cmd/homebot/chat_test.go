package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"homebot/internal/engine"
	"homebot/internal/llm/llmtest"
)

// switchWhen answers words with a call of switch_mode where want says so, and
// the tool's result with a short sentence.
func switchWhen(want func(words string) (args string, ok bool)) func(llmtest.Request) llmtest.Step {
	return func(r llmtest.Request) llmtest.Step {
		if len(r.Results()) > 0 {
			return llmtest.Reply("好的。[[end]]")
		}
		if args, ok := want(r.Words()); ok {
			return llmtest.ToolCall("switch_mode", args)
		}
		return llmtest.Reply("嗯。[[end]]")
	}
}

const (
	enterCooking = `{"action":"enter","mode_id":"cooking"}`
	exitCooking  = `{"action":"exit"}`
)

// R2, R5–R8, R11, R13: every row of gate.tsv, end to end: a model that always
// proposes the switch, and a backend that checks the words.
func TestGateTable(t *testing.T) {
	f, err := os.Open(shared(t, "cases/gate.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ask := ""
	h := newHome(t, switchWhen(func(string) (string, bool) { return ask, ask != "" }))
	k := h.talk()
	rows := bufio.NewScanner(f)
	rows.Scan() // the head
	n := 0
	for rows.Scan() {
		c := strings.Split(rows.Text()+"\t\t\t", "\t")
		words, action, verdict := c[0], c[1], c[2]
		n++
		set := func(active bool) {
			ask = map[bool]string{true: enterCooking, false: exitCooking}[active]
			k.say(map[bool]string{true: "打开做饭模式", false: "退出做饭模式"}[active])
		}
		set(action == "exit")
		ask = map[string]string{"enter": enterCooking, "exit": exitCooking}[action]
		o := k.say(words)
		if words == "" {
			if o.Error == nil || o.Error.Code != "empty" || len(o.Switch) != 0 {
				t.Errorf("blank line: %+v", o)
			}
			continue
		}
		if len(o.Switch) != 1 || o.Switch[0].Accepted != (verdict == "accept") || (o.Switch[0].Reason == "") != o.Switch[0].Accepted {
			t.Errorf("%s %q: got %+v, want %s", action, words, o.Switch, verdict)
		}
		if active := o.Mode != nil; active != ((action == "enter") == (verdict == "accept")) {
			t.Errorf("%s %q: active is %v", action, words, active)
		}
	}
	if n < 70 {
		t.Errorf("only %d rows", n)
	}
	if code := k.end(); code != 0 {
		t.Errorf("exit code %d, %s", code, k.err)
	}
}

// R12, R22, R31–R36, R46, R52, S3: enter, talk, kill -9, talk, another speaker,
// an edited SKILL.md, talk, leave: one dialogue, one unbroken prefix, and what
// lies on disk is as specified.
func TestModeLastsAcrossProcesses(t *testing.T) {
	h := newHome(t, switchWhen(func(words string) (string, bool) {
		switch words {
		case "打开面包模式":
			return `{"action":"enter","mode_id":"bread"}`, true
		case "exit bread mode":
			return `{"action":"exit","summary":"一个面包"}`, true
		}
		return "", false
	}))
	skill := filepath.Join(h.workspace, "skills", "bread")
	write(t, filepath.Join(skill, "mode.json"), `{"id":"bread","display_name":"面包模式","aliases":["bread mode"],"on_enter":"先揉面"}`)
	write(t, filepath.Join(skill, "SKILL.md"), "---\nname: bread\ndescription: bakes\n---\nBake bread.\n")
	write(t, filepath.Join(h.workspace, "members/mama/USER.md"), "---\nname: 妈妈\n---\nLIKES CHILLI\n")

	k := h.talk()
	if o := k.say("打开面包模式"); o.Mode == nil || *o.Mode != "bread" || o.DialogueState != "idle" || o.Error != nil {
		t.Fatalf("enter: %+v", o)
	}
	k.say("五百克面粉")
	k.kill()

	k = h.talk("--speaker", "mama")
	if o := k.say("放多少水"); o.Mode == nil {
		t.Fatalf("after the kill: %+v", o)
	}
	write(t, filepath.Join(skill, "SKILL.md"), "---\nname: bread\ndescription: bakes\n---\nNEW TEXT\n")
	k.say("然后呢")
	if code := k.end(); code != 0 {
		t.Errorf("exit code %d: %s", code, k.err)
	}
	checkActive(t, h)

	k = h.talk()
	o := k.say("exit bread mode")
	if o.Mode != nil || o.SessionID != nil {
		t.Errorf("leave: %+v", o)
	}
	checkPrefixes(t, h)
	checkArchive(t, h)
}

func checkActive(t *testing.T, h *home) {
	t.Helper()
	data, _ := os.ReadFile(filepath.Join(h.workspace, "modes", "action.json"))
	id := h.action()["session_id"].(string)
	times := regexp.MustCompile(`"(started|expires)_at": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[58]:[03]0"`)
	got := times.ReplaceAllString(string(data), `"${1}_at": "T"`)
	want := `{
  "schema_version": 1,
  "active": true,
  "mode_id": "bread",
  "display_name": "面包模式",
  "session_id": "` + id + `",
  "skill_name": "bread",
  "started_at": "T",
  "expires_at": "T",
  "session_dir": "` + filepath.Join(h.workspace, "modes/sessions/bread", id) + `",
  "exit_reason": null
}
`
	if got != want {
		t.Errorf("action.json\n%s\nwant\n%s", got, want)
	}
}

// checkPrefixes looks at the first request of each turn under the mode's prompt.
func checkPrefixes(t *testing.T, h *home) {
	t.Helper()
	var first []llmtest.Request
	for _, q := range h.requests() {
		if strings.Contains(q.Read[0].Content, "Bake bread.") && len(q.Results()) == 0 {
			first = append(first, q)
		}
		if strings.Contains(string(q.Body), "LIKES CHILLI") && strings.Contains(string(q.Body), "Bake bread.") {
			t.Error("USER.md is in a request of the mode")
		}
		if strings.Contains(string(q.Body), "NEW TEXT") {
			t.Error("an edit of SKILL.md reached the session")
		}
	}
	if len(first) != 4 {
		t.Fatalf("%d turns under the mode's prompt, want 4", len(first))
	}
	clock := regexp.MustCompile(`\[\d\d:\d\d `)
	for i, q := range first {
		if i > 0 {
			if err := llmtest.PrefixOf(first[i-1].Recorded, q.Recorded); err != nil {
				t.Errorf("turn %d: %v", i, err)
			}
		}
		if clock.MatchString(q.Read[0].Content) || !clock.MatchString(q.User()) {
			t.Errorf("turn %d: the time is not in the last message only", i)
		}
	}
}

func checkArchive(t *testing.T, h *home) {
	t.Helper()
	records := h.records("modes/sessions/bread/*/conversation.jsonl")
	var words []string
	for _, r := range records {
		words = append(words, r.SpeakerID+" "+r.User)
	}
	want := "guest 打开面包模式|guest 五百克面粉|mama 放多少水|mama 然后呢|guest exit bread mode"
	if got := strings.Join(words, "|"); got != want {
		t.Errorf("log %s\nwant %s", got, want)
	}
	files, _ := filepath.Glob(filepath.Join(h.workspace, "modes/sessions/bread/*/summary.md"))
	if len(files) != 1 {
		t.Fatalf("%d summaries", len(files))
	}
	if data, _ := os.ReadFile(files[0]); !strings.Contains(string(data), "source: llm") || !strings.Contains(string(data), "一个面包") {
		t.Errorf("summary.md\n%s", data)
	}
	if a := h.action(); a["active"] != false || a["exit_reason"] != "user" {
		t.Errorf("action.json %v", a)
	}
}

// S4, R12, R52: chat beside run is its client; the snapshot on the socket shows
// the light; modes exit is a person's own act (R45).
func TestChatBesideRun(t *testing.T) {
	h := newHome(t, switchWhen(func(words string) (string, bool) { return enterCooking, words == "打开做饭模式" }))
	run := h.command("run", "--no-sound")
	run.Stderr = os.Stderr
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = run.Process.Kill(); _ = run.Wait() }()
	sock := h.awaitSocket()
	if info, err := os.Stat(sock); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("socket: %v %v", info.Mode(), err)
	}
	one, two := h.talk(), h.talk("--speaker", "mama")
	if o := one.say("打开做饭模式"); o.Mode == nil {
		t.Fatalf("enter: %+v", o)
	}
	if o := two.say("两个人吃"); o.Mode == nil || *o.Mode != "cooking" {
		t.Errorf("the other chat: %+v", o)
	}
	status := func() string { out, _, _ := h.once("", "modes", "status"); return out }
	within(t, patience, "the light is on", func() bool { return strings.Contains(status(), "light: on") })
	if _, errs, code := h.once("", "run"); code != 1 || !strings.Contains(errs, "another homebot") || strings.Count(errs, "\n") != 1 {
		t.Errorf("a second run: %d %q", code, errs)
	}
	if out, _, code := h.once("", "modes", "exit"); code != 0 || !strings.Contains(out, "cooking (做饭模式) is archived") {
		t.Errorf("modes exit: %d %q", code, out)
	}
	within(t, patience, "the light is off", func() bool { return strings.Contains(status(), "light: off") })
	if o := one.say("还在吗"); o.Mode != nil {
		t.Errorf("after modes exit: %+v", o)
	}
	last := h.records("modes/sessions/cooking/*/conversation.jsonl")
	if x := last[len(last)-1]; x.Channel != "system" || x.Exit == nil || x.Exit.Reason != "user" {
		t.Errorf("last record %+v", x)
	}
}

// S4: two chats without a run: the first is the engine, the second its client,
// and goes on when the first is gone.
func TestTwoChats(t *testing.T) {
	h := newHome(t, switchWhen(func(words string) (string, bool) { return enterCooking, words == "打开做饭模式" }))
	one := h.talk()
	one.say("你好")
	two := h.talk()
	two.say("打开做饭模式")
	if o := one.say("在吗"); o.Mode == nil {
		t.Errorf("the first: %+v", o)
	}
	one.kill()
	if o := two.say("还在吗"); o.Mode == nil || o.Error != nil {
		t.Errorf("the second after the first was killed: %+v", o)
	}
	if n := len(h.records("modes/sessions/cooking/*/conversation.jsonl")); n != 3 {
		t.Errorf("%d records, want 3", n)
	}
	if code := two.end(); code != 0 {
		t.Errorf("exit code %d: %s", code, two.err)
	}
}

// S4: a lock whose holder does not answer is one line and exit code 1; a socket
// that a killed engine left is no obstacle.
func TestDeadSocket(t *testing.T) {
	h := newHome(t, nil)
	k := h.talk()
	k.say("你好")
	k.kill()
	if _, err := os.Stat(filepath.Join(h.workspace, "homebot.sock")); err != nil {
		t.Fatal("the killed engine left no socket")
	}
	if out, _, code := h.once("你好\n", "chat", "--json"); code != 0 || strings.Count(out, "\n") != 1 {
		t.Errorf("after a kill: %d %s", code, out)
	}
	lock, err := engine.Acquire(h.workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	_, errs, code := h.once("你好\n", "chat")
	if code != 1 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "does not answer") {
		t.Errorf("lock held, socket dead: %d %q", code, errs)
	}
}

// The model down, slow, dropping, answering nonsense: one sentence in the user's
// language, error set, exit code 0.
func TestModelTrouble(t *testing.T) {
	step := llmtest.Reply("x")
	h := newHome(t, func(r llmtest.Request) llmtest.Step { return step })
	k := h.talk()
	call := func(name, args string) llmtest.Step { return llmtest.ToolCall(name, args) }
	for _, c := range []struct {
		name, words, code string
		step              llmtest.Step
	}{
		{"refused zh", "番茄怎么切", "llm_refused", llmtest.Fail(401, "bad key")},
		{"refused en", "how do I cut tomatoes", "llm_refused", llmtest.Fail(404, "no such model")},
		{"dropped", "番茄怎么切", "llm_unreachable", llmtest.Drop()},
		{"dropped midway", "how do I cut tomatoes", "llm_unreachable", llmtest.Reply("First cut them into wedges, then").InChunks(4).DroppedAfter(3)},
		{"empty", "番茄怎么切", "llm_nonsense", llmtest.Empty()},
		{"garbage", "how do I cut tomatoes", "llm_nonsense", llmtest.Garbage("data: {{{\n\n")},
		{"unknown tool for ever", "番茄怎么切", "tool_rounds", call("fly", "{}")},
		{"broken arguments for ever", "番茄怎么切", "tool_rounds", call("note_fact", `{"kind":`)},
	} {
		step = c.step
		o := k.say(c.words)
		if o.Error == nil || o.Error.Code != c.code || o.Reply == "" || !strings.HasSuffix(o.Reply, o.Error.Text) {
			t.Errorf("%s: %+v %+v", c.name, o, o.Error)
			continue
		}
		zh := regexp.MustCompile(`\p{Han}`).MatchString(o.Error.Text)
		if zh != regexp.MustCompile(`\p{Han}`).MatchString(c.words) {
			t.Errorf("%s: answered %q", c.name, o.Error.Text)
		}
	}
	step = llmtest.Step{Body: "<html>log in</html>", Type: "text/html", Raw: true} // a network that wants a login first
	if o := k.say("现在几点了"); o.Error == nil || o.Error.Code != "llm_nonsense" || !strings.HasPrefix(o.Reply, "现在是") {
		t.Errorf("what the device knows itself: %+v", o)
	}
	step = llmtest.Reply("好了。[[end]]")
	if o := k.say("现在呢"); o.Error != nil || o.Reply != "好了。" {
		t.Errorf("when it is well again: %+v", o)
	}
	if code := k.end(); code != 0 {
		t.Errorf("exit code %d: %s", code, k.err)
	}
	if refused := h.model.Refused(); len(refused) > 0 {
		t.Errorf("malformed requests: %v", refused)
	}
}

// A line that is too long gives its object, and nothing is done with it; the
// next line is answered.
func TestChatLongLine(t *testing.T) {
	h := newHome(t, nil)
	out, errs, code := h.once(strings.Repeat("\x01", 200_000)+"\n现在几点了\n", "chat", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 2 || !strings.Contains(lines[0], `"code":"too_long"`) || !strings.Contains(lines[1], `"error":null`) {
		t.Errorf("%d %.300q %q", code, out, errs)
	}
	if records := h.records("sessions/text/*.jsonl"); len(records) != 1 {
		t.Errorf("%d records", len(records))
	}
}

// A line that is not answered leaves the mode, and says so.
func TestChatEmptyLineInAMode(t *testing.T) {
	h := newHome(t, nil)
	out, errs, code := h.once("打开做饭模式\n\n现在几点了\n", "chat")
	if code != 0 || strings.Contains(out, "no mode is active") || strings.Count(out, "mode: cooking") != 1 {
		t.Errorf("%d %q %q", code, out, errs)
	}
}

// Without a model, and with one that is down, the offline answers do what they
// can: modes through the same gate, time, repeat.
func TestOffline(t *testing.T) {
	for _, down := range []bool{false, true} {
		t.Run(fmt.Sprintf("down=%v", down), func(t *testing.T) {
			h := newHome(t, nil)
			if down {
				h.env = append(h.env, "OPENAI_BASE_URL=http://127.0.0.1:1/v1")
			}
			k := h.talk()
			if o := k.say("打开做饭模式"); o.Mode == nil || (o.Error != nil) != down {
				t.Errorf("enter: %+v", o)
			}
			told := k.say("what time is it").Reply
			k.kill()
			k = h.talk()
			if again := k.say("repeat that").Reply; !strings.Contains(again, told) {
				t.Errorf("repeat: %q, want %q", again, told)
			}
			if o := k.say("退出做饭模式"); o.Mode != nil {
				t.Errorf("leave: %+v", o)
			}
		})
	}
}

// Without a model the title of one of the family's recipes is enough to begin it.
func TestOfflineTitle(t *testing.T) {
	h := newHome(t, nil)
	k := h.talk()
	k.say("打开做饭模式")
	if o := k.say("红烧肉"); !strings.Contains(o.Reply, "第一步") {
		t.Errorf("%+v", o)
	}
	if o := k.say("mapo tofu"); !strings.Contains(o.Reply, "Step one") {
		t.Errorf("%+v", o)
	}
}

// Without a model: how the cook asks after the step, goes on with a timer, and
// finds the words that leave.
func TestOfflineCooking(t *testing.T) {
	h := newHome(t, nil)
	k := h.talk()
	for _, c := range []struct{ words, want string }{
		{"打开做饭模式", "做饭模式"},
		{"开始做番茄炒蛋", "第一步"},
		{"还有几步", "现在是第1步"},
		{"这一步要多久", "这一步"},
		{"鸡蛋五分钟", "五分钟"},
		{"暂停鸡蛋", "暂停"},
		{"下一步", ""},
		{"继续鸡蛋", "继续"},
		{"how many steps are left", "This is step 2"},
		{"stop cooking", "“exit cooking mode”"},
	} {
		if o := k.say(c.words); !strings.Contains(o.Reply, c.want) {
			t.Errorf("%s: %+v", c.words, o)
		}
	}
}

// awaitSocket waits until an engine answers on the workspace's socket, and returns
// its path.
func (h *home) awaitSocket() string {
	h.t.Helper()
	sock := filepath.Join(h.workspace, "homebot.sock")
	within(h.t, patience, "the socket", func() bool {
		c, err := net.Dial("unix", sock)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	return sock
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A homebot that is told to end while its model hangs says so to who waits for
// the answer, on stderr; with --json it is the object's error.
func TestChatCutOff(t *testing.T) {
	asked := make(chan struct{}, 2)
	h := newHome(t, func(llmtest.Request) llmtest.Step {
		asked <- struct{}{}
		return llmtest.Reply("x").After(time.Minute)
	})
	run := h.command("run", "--no-sound")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = run.Process.Kill(); _ = run.Wait() }()
	h.awaitSocket()
	type end struct {
		out, errs string
		code      int
	}
	ends := map[string]chan end{"plain": make(chan end, 1), "json": make(chan end, 1)}
	chat := func(name, words string, args ...string) {
		out, errs, code := h.once(words+"\n", append([]string{"chat", "--speaker", name}, args...)...)
		ends[name] <- end{out, errs, code}
	}
	go chat("plain", "how do I cut tomatoes")
	go chat("json", "番茄怎么切", "--json")
	<-asked
	<-asked
	if err := run.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if e := <-ends["plain"]; e.code != 1 || e.out != "" || !strings.HasPrefix(e.errs, "homebot: homebot was stopped") || strings.Count(e.errs, "\n") != 1 {
		t.Errorf("%+v", e)
	}
	if e := <-ends["json"]; e.code != 0 || e.errs != "" || !strings.Contains(e.out, `"error":{"code":"cancelled","text":"homebot 被停止了`) {
		t.Errorf("%+v", e)
	}
}
