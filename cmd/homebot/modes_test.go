package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"homebot/internal/llm/llmtest"
)

// R14, R17, R37: `modes new` makes a working mode: it is entered by voice or
// text, its script gives tools and header fields, keeps notes over a restart,
// and an index after the exit.
func TestNewMode(t *testing.T) {
	h := newHome(t, func(r llmtest.Request) llmtest.Step {
		switch words := r.Words(); {
		case len(r.Results()) > 0:
			return llmtest.Reply("好的。[[end]]")
		case words == "打开tea模式":
			return llmtest.ToolCall("switch_mode", `{"action":"enter","mode_id":"tea"}`)
		case words == "退出tea模式":
			return llmtest.ToolCall("switch_mode", `{"action":"exit"}`)
		case strings.HasPrefix(words, "记"):
			return llmtest.ToolCall("add_note", `{"text":"`+words+`"}`)
		}
		return llmtest.Reply("嗯。[[end]]")
	})
	if out, errs, code := h.once("", "modes", "new", "tea"); code != 0 || !strings.Contains(out, "打开tea模式") {
		t.Fatalf("%d %q %q", code, out, errs)
	}
	for name, want := range map[string]string{"tea": "already", "Tea": "small letter", "../x": "small letter", "cooking": "already"} {
		if _, errs, code := h.once("", "modes", "new", name); code == 0 || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: %d %q", name, code, errs)
		}
	}
	made, _ := os.ReadFile(filepath.Join(h.workspace, "skills", "tea", "mode.json"))
	if !strings.Contains(string(made), `"on_enter": "今天做点什么？"`) {
		t.Errorf("mode.json %s", made)
	}
	h.env = append(h.env, "LANG=en_US.UTF-8")
	h.once("", "modes", "new", "pie")
	made, _ = os.ReadFile(filepath.Join(h.workspace, "skills", "pie", "mode.json"))
	if !strings.Contains(string(made), `"on_enter": "What shall we do?"`) {
		t.Errorf("mode.json in English %s", made)
	}
	if out, _, _ := h.once("", "modes", "list"); !strings.Contains(out, "code mode.star:mode, tools add_note list_notes") || strings.Contains(out, "BROKEN") {
		t.Errorf("list\n%s", out)
	}
	k := h.talk()
	k.say("打开tea模式")
	if o := k.say("记红茶"); o.Error != nil || o.Reply != "好的。" {
		t.Errorf("%+v", o)
	}
	k.kill()
	k = h.talk()
	k.say("记绿茶")
	k.say("几条了")
	notes, _ := os.ReadFile(filepath.Join(h.workspace, "tea", "notes.json"))
	if string(notes) != `["记红茶","记绿茶"]` {
		t.Errorf("notes %s", notes)
	}
	last := h.requests()[len(h.requests())-1]
	if !strings.Contains(last.User(), "[notes: 2]") || !strings.Contains(string(last.Body), "add_note") {
		t.Errorf("last message %q", last.User())
	}
	id := h.action()["session_id"].(string)
	if o := k.say("退出tea模式"); o.Mode != nil || o.Error != nil {
		t.Errorf("%+v", o)
	}
	if index, _ := os.ReadFile(filepath.Join(h.workspace, "tea", "history.md")); string(index) != "- "+id+" · 5 turns\n" {
		t.Errorf("index %q", index)
	}
}

// R14, R17: a script that fails in a hook is one sentence and one line of the
// log with file and line; the mode, and the exit, go on.
func TestScriptFailsInAHook(t *testing.T) {
	h := newHome(t, switchWhen(func(words string) (string, bool) {
		return map[string]string{"打开茶模式": `{"action":"enter","mode_id":"tea"}`, "退出茶模式": `{"action":"exit"}`}[words], strings.HasSuffix(words, "茶模式")
	}))
	dir := filepath.Join(h.workspace, "skills", "tea")
	write(t, filepath.Join(dir, "SKILL.md"), "---\nname: tea\ndescription: tea\n---\nTea.\n")
	write(t, filepath.Join(dir, "mode.json"), `{"id":"tea","display_name":"茶模式","entrypoint":"mode.star:mode"}`)
	write(t, filepath.Join(dir, "mode.star"), "def runtime(ctx):\n    return {\"n\": 1 // 0}\n\ndef after(ctx, summary, turns):\n    for i in range(1000000000):\n        pass\n\nmode = struct(runtime_context = runtime, after_exit = after)\n")
	k := h.talk()
	k.say("打开茶模式")
	for range 2 { // as often as it fails
		o := k.say("你好")
		if o.Error != nil || strings.Count(o.Reply, "脚本出错了") != 1 || !strings.Contains(o.Reply, "嗯。") {
			t.Errorf("%+v", o)
		}
	}
	if o := k.say("退出茶模式"); o.Mode != nil || o.Error != nil {
		t.Errorf("exit: %+v", o)
	}
	if o := k.say("在吗"); o.Error != nil {
		t.Errorf("after it: %+v", o)
	}
	k.end()
	for _, want := range []string{"mode.star:2: ", "division by zero", "runs too long"} {
		if !strings.Contains(k.err.String(), want) {
			t.Errorf("the log lacks %q: %s", want, k.err)
		}
	}
}

// R14: scripts that loop or allocate for ever are listed as broken with the line
// where that is known, and the device runs on.
func TestHostileScripts(t *testing.T) {
	h := newHome(t, switchWhen(func(words string) (string, bool) { return enterCooking, words == "打开做饭模式" }))
	for name, source := range map[string]string{
		"loop":   "def f():\n    for i in range(1000000000):\n        pass\nf()\nmode = struct()\n",
		"memory": "x = [\"x\" * 10000000 + str(i) for i in range(1000)]\nmode = struct()\n",
		"absent": "other = struct()\n",
	} {
		dir := filepath.Join(h.workspace, "skills", name)
		write(t, filepath.Join(dir, "SKILL.md"), "---\nname: x\ndescription: x\n---\nX.\n")
		write(t, filepath.Join(dir, "mode.json"), fmt.Sprintf(`{"id":"%s","display_name":"%s模式","entrypoint":"mode.star:mode"}`, name, name))
		write(t, filepath.Join(dir, "mode.star"), source)
	}
	out, _, code := h.once("", "modes", "list")
	for try := 1; try < tries && strings.Contains(out, "takes longer than"); try++ { // a busy machine had no time for the memory
		out, _, code = h.once("", "modes", "list")
	}
	for _, want := range []string{"loop/mode.star:2: runs too long", "memory/mode.star: needs more than 64 MB", "absent/mode.star: entry point missing"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("%d, the list lacks %q\n%s", code, want, out)
		}
	}
	began := time.Now()
	k := h.talk()
	if o := k.say("打开做饭模式"); o.Mode == nil || o.Error != nil {
		t.Errorf("%+v", o)
	}
	if d := time.Since(began); d > patience {
		t.Errorf("took %v", d)
	}
}

// R14, R2, R7, R11: the gate with a second, a user-made and a broken mode in the
// registry: a name inside a longer one, another active mode, a switch, beginning
// anew, a mode that is broken.
func TestGateWithSeveralModes(t *testing.T) {
	want := ""
	h := newHome(t, switchWhen(func(string) (string, bool) { return want, want != "" }))
	for id, name := range map[string]string{"study": "学习模式", "child": "儿童做饭模式", "bad": ""} {
		dir := filepath.Join(h.workspace, "skills", id)
		write(t, filepath.Join(dir, "SKILL.md"), "---\nname: "+id+"\ndescription: x\n---\nX.\n")
		write(t, filepath.Join(dir, "mode.json"), fmt.Sprintf(`{"id":"%s","display_name":"%s"}`, id, name))
	}
	k := h.talk()
	for _, c := range []struct{ words, action, id, reason, mode string }{
		{"打开儿童做饭模式", "enter", "cooking", "no_name", ""},
		{"打开坏模式", "enter", "bad", "broken_mode", ""},
		{"打开飞行模式", "enter", "fly", "unknown_mode", ""},
		{"打开儿童做饭模式", "enter", "child", "", "child"},
		{"打开学习模式", "enter", "study", "other_active", "child"},
		{"打开做饭模式", "enter", "cooking", "other_active", "child"},
		{"退出做饭模式", "exit", "child", "no_name", "child"},
		{"切换到做饭模式", "enter", "cooking", "", "cooking"},
		{"打开做饭模式", "enter", "cooking", "", "cooking"},
		{"重新打开做饭模式", "enter", "cooking", "", "cooking"},
		{"不要切换到学习模式", "enter", "study", "negated", "cooking"},
		{"switch to 学习模式", "enter", "study", "", "study"},
		{"退出学习模式", "exit", "", "", ""},
		{"退出学习模式", "exit", "", "not_active", ""},
	} {
		want = fmt.Sprintf(`{"action":"%s","mode_id":"%s"}`, c.action, c.id)
		o := k.say(c.words)
		got := ""
		if o.Mode != nil {
			got = *o.Mode
		}
		if len(o.Switch) != 1 || o.Switch[0].Accepted != (c.reason == "") || o.Switch[0].Reason != c.reason || got != c.mode {
			t.Errorf("%s (%s): %+v, mode %q", c.words, want, o.Switch, got)
		}
	}
	sessions, _ := filepath.Glob(filepath.Join(h.workspace, "modes/sessions/*/*/summary.md"))
	if len(sessions) != 4 {
		t.Errorf("archived %v", sessions)
	}
	// seen while the program runs, and gone again
	dir := filepath.Join(h.workspace, "skills", "late")
	write(t, filepath.Join(dir, "SKILL.md"), "---\nname: late\ndescription: x\n---\nX.\n")
	write(t, filepath.Join(dir, "mode.json"), `{"id":"late","display_name":"晚到模式"}`)
	want = `{"action":"enter","mode_id":"late"}`
	if o := k.say("打开晚到模式"); o.Mode == nil || *o.Mode != "late" {
		t.Errorf("dropped in: %+v", o)
	}
}

// R20, R35, R39, R46: an evening in the kitchen: a recipe scaled and cooked step
// by step over a power cut, then found again.
func TestCooking(t *testing.T) {
	calls := map[string][2]string{
		"打开做饭模式":    {"switch_mode", enterCooking},
		"三个人吃番茄炒蛋":  {"cook_step", `{"action":"start","recipe":"番茄炒蛋","servings":3}`},
		"下一步":       {"cook_step", `{"action":"next"}`},
		"到哪了":       {"cook_step", `{"action":"where"}`},
		"退出做饭模式":    {"switch_mode", `{"action":"exit","summary":"番茄炒蛋，很好，下次少放糖。"}`},
		"上次番茄炒蛋怎么样": {"read_history", `{"query":"番茄炒蛋"}`},
	}
	h := newHome(t, func(r llmtest.Request) llmtest.Step {
		if len(r.Results()) > 0 {
			return llmtest.Reply("好的。[[end]]")
		}
		if c, ok := calls[r.Words()]; ok {
			return llmtest.ToolCall(c[0], c[1])
		}
		return llmtest.Reply("嗯。[[end]]")
	})
	last := func() llmtest.Request { all := h.requests(); return all[len(all)-1] }
	k := h.talk()
	k.say("打开做饭模式")
	k.say("三个人吃番茄炒蛋")
	if got := fmt.Sprint(last().Results()); !strings.Contains(got, "鸡蛋: 4 1/2 个") {
		t.Errorf("started with %s", got)
	}
	k.say("下一步")
	k.kill()
	k = h.talk()
	k.say("到哪了")
	if got := last().User(); !strings.Contains(got, "[step: 2/6]") || strings.Contains(got, "[recipe:") {
		t.Errorf("header %q", got)
	}
	if got := fmt.Sprint(last().Results()); !strings.Contains(got, `"step":2`) || !strings.Contains(got, "鸡蛋打散") {
		t.Errorf("where: %s", got)
	}
	k.say("退出做饭模式")
	k.say("上次番茄炒蛋怎么样")
	if got := fmt.Sprint(last().Results()); !strings.Contains(got, "番茄炒蛋 · 3 人") {
		t.Errorf("history: %s", got)
	}
	index, _ := os.ReadFile(filepath.Join(h.workspace, "cooking", "history.md"))
	if strings.Count(string(index), "\n- ") != 1 || !strings.Contains(string(index), "番茄炒蛋 · 3 人") {
		t.Errorf("index\n%s", index)
	}
	copies, _ := filepath.Glob(filepath.Join(h.workspace, "cooking/summaries/*.md"))
	if len(copies) != 1 {
		t.Fatalf("summaries %v", copies)
	}
	id := strings.TrimSuffix(filepath.Base(copies[0]), ".md")
	if out, _, _ := h.once("", "modes", "history", "cooking"); !strings.Contains(out, id) || strings.Count(out, "\n") != 1 || strings.ContainsAny(out, "[(") {
		t.Errorf("modes history\n%s", out)
	}
	if out, _, _ := h.once("", "modes", "history", "study"); !strings.Contains(out, `no session of mode "study"`) {
		t.Errorf("modes history study\n%s", out)
	}
	show, _, _ := h.once("", "modes", "history", "show", id)
	if !strings.Contains(show, "下次少放糖") || !strings.Contains(show, " guest: 下一步\n      ") || strings.Index(show, "下次少放糖") > strings.Index(show, "下一步") {
		t.Errorf("show\n%s", show)
	}
	if strings.Contains(show, "#") || strings.Contains(show, "**") || strings.Contains(show, "\n> ") {
		t.Errorf("show has marks of Markdown\n%s", show)
	}
	file := filepath.Join(t.TempDir(), "x.md")
	if _, errs, code := h.once("", "modes", "history", "export", id, "-o", file); code != 0 {
		t.Errorf("export: %s", errs)
	}
	if data, _ := os.ReadFile(file); !strings.HasPrefix(string(data), "# "+id) || !strings.Contains(string(data), "guest:** 下一步") {
		t.Errorf("export\n%s", data)
	}
	if _, errs, code := h.once("", "modes", "history", "show", "nope"); code != 1 || strings.Count(errs, "\n") != 1 {
		t.Errorf("no such session: %d %q", code, errs)
	}
}

// R4: the model never writes action.json, and no tool can: not the kitchen's, not
// a script's, whatever path a model puts into an argument.
func TestNoToolWritesTheActionFile(t *testing.T) {
	var tool, args string
	h := newHome(t, func(r llmtest.Request) llmtest.Step {
		switch {
		case len(r.Results()) > 0:
			return llmtest.Reply("好的。[[end]]")
		case strings.HasPrefix(r.Words(), "打开"):
			return llmtest.ToolCall("switch_mode", fmt.Sprintf(`{"action":"enter","mode_id":"%s"}`, strings.TrimSuffix(strings.TrimPrefix(r.Words(), "打开"), "模式")))
		case strings.HasPrefix(r.Words(), "退出"):
			return llmtest.ToolCall("switch_mode", `{"action":"exit"}`)
		}
		return llmtest.ToolCall(tool, args)
	})
	dir := filepath.Join(h.workspace, "skills", "evil")
	write(t, filepath.Join(dir, "SKILL.md"), "---\nname: evil\ndescription: x\n---\nX.\n")
	write(t, filepath.Join(dir, "mode.json"), `{"id":"evil","display_name":"evil模式","entrypoint":"mode.star:mode"}`)
	write(t, filepath.Join(dir, "mode.star"), "def put(ctx, path):\n    ctx.write(path, \"{}\")\nmode = struct(tools = [tool(\"put\", \"x\", put, params = {\"path\": \"string\"})])\n")
	k := h.talk()
	k.say("打开evil模式")
	path := filepath.Join(h.workspace, "modes", "action.json")
	tried := func(name string, all ...string) {
		t.Helper()
		before, _ := os.ReadFile(path)
		for _, target := range all {
			for _, out := range []string{"../modes/action.json", path, "../../modes/action.json", "/modes/action.json"} {
				tool, args = name, fmt.Sprintf(target, out)
				if o := k.say("做"); o.Error != nil && o.Error.Code != "tool_rounds" {
					t.Errorf("%s %s: %+v", name, args, o.Error)
				}
				if now, _ := os.ReadFile(path); string(now) != string(before) {
					t.Fatalf("%s %s wrote action.json: %s", name, args, now)
				}
			}
		}
	}
	tried("put", `{"path":"%s"}`)
	k.say("退出evil模式")
	tried("switch_mode", `{"action":"enter","mode_id":"%s"}`, `{"action":"write","mode_id":"%s"}`)
	tool, args = "switch_mode", enterCooking
	if o := k.say("做饭模式 enter"); o.Mode == nil {
		t.Fatalf("%+v", o)
	}
	tried("save_recipe", `{"title":"%s","servings":1,"ingredients":["a: 1"],"steps":["b"]}`)
	tried("correct_recipe", `{"recipe":"%s","part":"note","text":"x"}`)
	tried("cook_step", `{"action":"start","recipe":"%s"}`)
	tried("note_fact", `{"kind":"fact","text":"%s","replaces":"x"}`)
	tried("read_history", `{"session_id":"%s"}`)
}
