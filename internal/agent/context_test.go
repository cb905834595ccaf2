package agent_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/internal/agent"
	"homebot/internal/contextmode"
	"homebot/internal/llm"
	"homebot/internal/store"
	"homebot/voice"
)

// useTable puts a table in force by its files, as an operator could by hand.
func useTable(t testing.TB, k *kitchen, text string) {
	t.Helper()
	writeFile(t, k, "context/tables/2.toml", "version = 2\n"+text)
	writeFile(t, k, "context/tables/current", `{"current":2}`)
}

// tight makes every profile cut after a few turns.
const tight = `
[decide]
first_turn = "compact"
[trim]
reply_reserve = 50
[profile.compact]
token_budget = 600
max_turns = -1
`

// long are words of about 45 tokens.
func long(i int) string {
	return fmt.Sprintf("第%d件事：先把番茄切块，再打鸡蛋，然后放盐和葱花，最后翻炒，你记住了没有，下面我再说一遍给你听。", i)
}

func (k *kitchen) cuts(path ...string) []contextmode.Cut {
	lines, _, err := store.ReadLog(k.disk, filepath.Join(append([]string{workspace}, path...)...))
	if err != nil {
		return nil
	}
	cuts, bad := contextmode.ParseCuts(lines)
	if bad > 0 {
		k.t.Errorf("%d bad cut records", bad)
	}
	return cuts
}

// modeCuts are those of the one mode session.
func (k *kitchen) modeCuts() []contextmode.Cut {
	id, _ := k.session()
	return k.cuts("modes", "sessions", "cooking", id, "context.jsonl")
}

// ask is a turn on the text channel.
func (k *kitchen) ask(in voice.Turn, steps ...step) (voice.Result, llm.Request) {
	k.t.Helper()
	n, r := len(k.model.requests), &reply{}
	if in.Channel == "" {
		in.Channel = voice.ChannelText
	}
	k.handle(in, r, steps...)
	if len(k.model.requests) == n {
		return r.result, llm.Request{}
	}
	return r.result, k.model.requests[n]
}

// C20, C22, C24, C6, R35, R36, R33: a conversation longer than its budget is cut
// at a high mark, in steps, with its cut record on disk before the request; pinned
// facts stay, in their newest wording; the first turn after the cut shows all
// header fields; between cuts every request begins with the one before.
func TestCutOnThePath(t *testing.T) {
	k := newKitchen(t, newDisk())
	useTable(t, k, tight)
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	breaks := watchBreaks(t, k)
	k.turn("花生过敏", call("note_fact", map[string]string{"kind": "allergy", "text": "小宝花生过敏"}), say("记下了。"))
	k.turn("两个人吃", call("note_fact", map[string]string{"kind": "servings", "text": "两个人吃"}), say("记下了。"))
	k.turn("不对，是三个人", call("note_fact", map[string]string{"kind": "servings", "text": "三个人吃", "replaces": "f2"}), say("改了。"))
	n, seen := 0, 0
	for i := range 30 {
		before := len(k.model.requests)
		k.turn(long(i))
		req := k.model.requests[before]
		cuts := k.modeCuts()
		content := last(req.Messages).Content
		switch cut := len(cuts) > seen; {
		case cut && !strings.Contains(content, "[session_dir: "):
			t.Errorf("the first turn after a cut sends %q", content)
		case !cut && strings.Contains(content, "[session_dir: "):
			t.Errorf("turn %d sends %q", i, content)
		}
		if corrected := strings.Contains(content, "[更正 三个人吃]"); corrected != (len(cuts) == 0) {
			t.Errorf("turn %d, %d cuts: correction in the header is %t", i, len(cuts), corrected)
		}
		if seen = len(cuts); seen > 0 {
			n++
			head := req.Messages[1].Content
			if !strings.Contains(head, "小宝花生过敏") || !strings.Contains(head, "三个人吃") || strings.Contains(head, "\n- 两个人吃") {
				t.Errorf("facts in %q", head)
			}
		}
		raw := 0
		for _, m := range req.Messages {
			if m.Role == llm.ToolRole || len(m.ToolCalls) > 0 {
				t.Error("a tool message of an earlier turn")
			}
			if m.Role == llm.Assistant {
				raw++
			}
		}
		if raw < 6 && i > 6 {
			t.Errorf("%d raw turns", raw)
		}
	}
	cuts := k.modeCuts()
	if len(cuts) < 2 || n == 0 {
		t.Fatalf("%d cuts", len(cuts))
	}
	for i, c := range cuts {
		if c.Reason != contextmode.CutHigh || c.Table != 2 || i > 0 && c.From != cuts[i-1].To {
			t.Errorf("cut %+v", c)
		}
	}
	if n := breaks(); n != 0 {
		t.Errorf("%d prefix breaks", n)
	}
	if _, records := k.session(); len(records) != 34 {
		t.Errorf("the log has %d records", len(records))
	}
}

// C11, C14, C21: the same log gives the same requests, whether the process runs
// on or is started anew for every turn; in normal mode too.
func TestSameViewAfterRestart(t *testing.T) {
	talk := func(restart bool) (requests []string, cuts int) {
		k := newKitchen(t, newDisk())
		useTable(t, k, tight)
		k.model.unbilled = true // estimates are corrected by what was billed, in memory
		var id string
		for i := range 25 {
			if restart {
				k.restart()
			}
			res, req := k.ask(voice.Turn{Text: long(i)})
			id = res.ChatID
			system := req.Messages[0].Content
			requests = append(requests, fmt.Sprint(len(system), texts(req.Messages[1:])))
		}
		return requests, len(k.cuts("sessions", "text", id+".context.jsonl"))
	}
	one, n := talk(false)
	two, m := talk(true)
	if n < 2 || n != m {
		t.Errorf("%d and %d cuts", n, m)
	}
	for i := range one {
		if one[i] != two[i] {
			t.Fatalf("request %d differs:\n%s\n%s", i, one[i], two[i])
		}
	}
}

// C2, C3: the rungs of the decision, in their order, each with its reason.
func TestDecision(t *testing.T) {
	load := 0.0
	k := newKitchen(t, newDisk())
	k.config = func(c *agent.Config) { c.Load = func() float64 { return load } }
	k.restart()
	writeFile(t, k, "members/mama/USER.md", "---\nname: 妈妈\ntier: premium\n---\n爱吃辣\n")
	step := func(in voice.Turn, profile, reason string) {
		t.Helper()
		res, _ := k.ask(in)
		if res.Profile != profile || res.ProfileReason != reason || res.Table != 1 {
			t.Errorf("%q: %s by %s of table %d, want %s by %s", in.Text, res.Profile, res.ProfileReason, res.Table, profile, reason)
		}
	}
	step(voice.Turn{Text: "你好"}, "full", "first_turn")
	step(voice.Turn{Text: "你好"}, "compact", "default")
	step(voice.Turn{Text: "你好", Profile: "minimal"}, "minimal", "request")
	step(voice.Turn{Text: "你好"}, "compact", "default")
	step(voice.Turn{Text: "用深度分析"}, "full", "explicit")
	k.restart() // what was asked for is in the log
	step(voice.Turn{Text: "你好", Profile: "minimal"}, "full", "explicit")
	step(voice.Turn{Text: "恢复默认"}, "compact", "default")
	step(voice.Turn{Text: "你好", Speaker: "mama"}, "full", "first_turn")
	step(voice.Turn{Text: "你好", Speaker: "mama"}, "full", "tier")
	load = 0.9
	step(voice.Turn{Text: "你好"}, "minimal", "load")
	step(voice.Turn{Text: "你好", Speaker: "mama"}, "minimal", "load")
	load = 0.1
	step(voice.Turn{Text: "你好"}, "minimal", "load") // it holds
	k.clock = k.clock.Add(4 * time.Minute)
	step(voice.Turn{Text: "你好"}, "compact", "default")
}

// C3: [context] profile; the run mode's own profile stands in the place of the
// default only.
func TestDecisionOfConfigAndMode(t *testing.T) {
	k := newKitchen(t, newDisk())
	writeFile(t, k, "skills/x/mode.json", `{"id":"study","display_name":"学习模式","context_profile":"minimal"}`)
	k = newOSKitchen(t, map[string]string{
		"skills/study/mode.json": `{"id":"study","display_name":"学习模式","context_profile":"minimal"}`,
		"skills/study/SKILL.md":  "---\nname: study\ndescription: helps to learn\n---\nLearn.\n",
	})
	k.turn("打开学习模式", enter("study"), say("好。"))
	if res := k.turn("第一题"); res.Profile != "minimal" || res.ProfileReason != "mode" {
		t.Errorf("in the mode: %s by %s", res.Profile, res.ProfileReason)
	}
	if system := last(k.model.requests).Messages[0].Content; !strings.Contains(system, contextmode.Default().Template(contextmode.Minimal, "zh")) {
		t.Error("the mode's prompt was not frozen with its profile's template (C14)")
	}
	k.config = func(c *agent.Config) { c.Profile = "full" }
	k.restart()
	if res := k.turn("第二题"); res.Profile != "full" || res.ProfileReason != "config" {
		t.Errorf("configured: %s by %s", res.Profile, res.ProfileReason)
	}
}

// C3: a wrong value in a request is reported, as it came, and decides nothing.
func TestWrongProfile(t *testing.T) {
	k := newKitchen(t, newDisk())
	res, _ := k.ask(voice.Turn{Text: "你好", Profile: "turbo"}, say("你好。"))
	if code(res) != "profile" || !strings.Contains(res.Err.Text, "turbo") || res.Profile != "full" || res.Reply != "你好。" {
		t.Errorf("got %+v %+v", res, res.Err)
	}
}

// C3, C14: a profile that is not the prompt's speaks once through the header, and
// once more when it goes back; words for this turn only are a hint and change no
// view; byte 0 of the prompt never moves.
func TestProfileSpeaksThroughTheHeader(t *testing.T) {
	k := newKitchen(t, newDisk())
	const full, compact, minimal = "[深度分析: 可以讲得完整一些，把理由和步骤说清楚。]", "[标准对话: 回答简洁自然。]", "[快速应答: 只说结论，一两句话。]"
	var system string
	for i, c := range []struct {
		words, profile, want string
	}{
		{"你好", "", ""}, // frozen with the prompt
		{"你好", "", compact},
		{"你好", "", ""},
		{"你好", "minimal", minimal},
		{"你好", "minimal", ""},
		{"你好", "full", full},
		{"简单说", "full", "[简短回答]"},
		{"in detail please", "full", "[answer in detail]"},
		{"你好", "", compact},
	} {
		_, req := k.ask(voice.Turn{Text: c.words, Profile: c.profile})
		if system == "" {
			system = req.Messages[0].Content
		}
		if req.Messages[0].Content != system || len(req.Messages) != 2+2*i {
			t.Errorf("turn %d: the prompt or the view changed", i)
		}
		lines := strings.Split(last(req.Messages).Content, "\n")
		got := strings.Join(slices.DeleteFunc(lines[1:len(lines)-1], func(l string) bool {
			return strings.HasPrefix(l, "[date: ") || strings.HasPrefix(l, "[channel: ")
		}), " ")
		if got != c.want {
			t.Errorf("turn %d says %q, want %q", i, got, c.want)
		}
	}
	if !strings.Contains(system, "可以讲得完整一些") {
		t.Error("the prompt has no template")
	}
}

// C11, C20: switching the profile a hundred times leaves no trace: nothing is cut,
// nothing of the log is rewritten, the whole conversation is still shown.
func TestSwitchingLeavesNoTrace(t *testing.T) {
	k := newKitchen(t, newDisk())
	useTable(t, k, "[profile.minimal]\nmax_turns = -1\ntoken_budget = 30000\n[profile.compact]\nmax_turns = -1\n")
	var id, log string
	for i := range 100 {
		p := []string{"full", "compact", "minimal"}[i%3]
		res, req := k.ask(voice.Turn{Text: fmt.Sprint("第", i, "句"), Profile: p})
		if id == "" {
			id = res.ChatID
		}
		if res.Profile != p || len(req.Messages) != 2+2*i || res.Trimmed != (voice.Trimmed{}) {
			t.Fatalf("turn %d: %s, %d messages", i, res.Profile, len(req.Messages))
		}
		now := k.read("sessions", "text", id+".jsonl")
		if !strings.HasPrefix(now, log) {
			t.Fatal("the log was rewritten")
		}
		log = now
	}
	if cuts := k.cuts("sessions", "text", id+".context.jsonl"); len(cuts) != 0 {
		t.Errorf("cut: %+v", cuts)
	}
}

// C21: load that flaps at every turn thrashes nothing: a change holds for ten
// turns or three minutes, so it is few cuts, and none moves back.
func TestLoadFlaps(t *testing.T) {
	load := 0.0
	k := newKitchen(t, newDisk())
	k.config = func(c *agent.Config) { c.Load = func() float64 { return load } }
	k.restart()
	var id, before string
	changes := 0
	for i := range 60 {
		load = map[bool]float64{true: 0.95, false: 0.1}[i%2 == 0]
		k.clock = k.clock.Add(-50 * time.Second) // ten seconds a turn
		res, _ := k.ask(voice.Turn{Text: long(i)})
		id = res.ChatID
		if before != "" && before != res.Profile {
			changes++
		}
		before = res.Profile
	}
	cuts := k.cuts("sessions", "text", id+".context.jsonl")
	start := 0
	for _, c := range cuts {
		if c.To < start {
			t.Error("the start moved back")
		}
		start = c.To
	}
	if changes > 7 || len(cuts) > 12 {
		t.Errorf("%d changes of profile, %d cuts", changes, len(cuts))
	}
}

// C6: a message larger than a small model takes is cut in the middle, and the user
// is told; a huge model takes it whole.
func TestWindows(t *testing.T) {
	words := strings.Repeat("很长的一段话，", 2000)
	for _, c := range []struct {
		window int
		whole  bool
	}{{4096, false}, {1_000_000, true}} {
		k := newKitchen(t, newDisk())
		k.config = func(a *agent.Config) { a.Window = c.window; a.ModelName = "deepseek-chat" }
		k.model.unbilled = true
		k.restart()
		for i := range 30 {
			k.ask(voice.Turn{Text: long(i)})
		}
		res, req := k.ask(voice.Turn{Text: words}, say("好。"))
		content := last(req.Messages).Content
		if got := strings.HasSuffix(content, words); got != c.whole {
			t.Errorf("window %d: sent whole is %t", c.window, got)
		}
		if told := strings.Contains(res.Reply, "太长"); told == c.whole {
			t.Errorf("window %d: reply %q", c.window, res.Reply)
		}
		total := contextmode.NewMeter("deepseek-chat", 0).Tokens(string(req.Tools))
		for _, m := range req.Messages {
			total += contextmode.NewMeter("deepseek-chat", 0).Tokens(m.Content) + contextmode.MessageTokens
		}
		if total > c.window {
			t.Errorf("window %d: %d tokens", c.window, total)
		}
		if !strings.HasPrefix(content, "[") || !c.whole && !strings.Contains(content, "…") {
			t.Errorf("window %d: content %.80q", c.window, content)
		}
	}
}

// C8: the estimate learns from what the provider bills.
func TestCalibration(t *testing.T) {
	k := newKitchen(t, newDisk())
	for i := range 40 {
		k.ask(voice.Turn{Text: long(i)})
	}
	// The model of these tests bills 10 tokens a request: far less than any
	// estimate, so that the correction is at its lower bound and budgets hold
	// twice as much.
	res, _ := k.ask(voice.Turn{Text: "你好"})
	r, err := k.agent.Inspect(t.Context(), agent.AskExplain, []byte(`{"last":1}`))
	if err != nil {
		t.Fatal(err)
	}
	line := r.(agent.ExplainReport).Turns[0]
	if line.ID != res.ID || line.Prompt != 10 || line.Cached != 4 {
		t.Errorf("line %+v", line)
	}
	first, err := k.agent.Inspect(t.Context(), agent.AskExplain, []byte(`{"last":100}`))
	if err != nil {
		t.Fatal(err)
	}
	turns := first.(agent.ExplainReport).Turns
	if a, b := turns[0].Fixed, line.Fixed; b*100 > a*52 || b*100 < a*48 {
		t.Errorf("the fixed part is estimated as %d, then %d tokens; want half", a, b)
	}
}

// C23, R37: tools that changed under a conversation are a prefix break, too; the
// next turn, with the same ones, is none.
func TestToolsThatChangeAreABreak(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	id, _ := k.session()
	breaks := watchBreaks(t, k)
	k.turn("一")
	writeFile(t, k, "modes/sessions/cooking/"+id+"/tools.json", `[{"type":"function","function":{"name":"switch_mode","parameters":{"type":"object"}}}]`)
	k.turn("二")
	k.turn("三")
	if n := breaks(); n != 1 {
		t.Errorf("%d prefix breaks, want 1", n)
	}
	if c := k.agent.Counters()[agent.CounterKey{Table: 1, Profile: contextmode.Compact}]; c.Breaks != 1 {
		t.Errorf("counted %+v", c)
	}
}
