package offline

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

var tools = llm.EncodeTools([]llm.ToolDef{
	{Name: "note_fact"}, {Name: "switch_mode"}, {Name: "set_timer"}, {Name: "change_timer"}, {Name: "cancel_timer"}, {Name: "list_timers"},
})

func newModel() *Model {
	return New(Config{
		Now: func() time.Time { return time.Date(2026, 10, 22, 19, 55, 0, 0, time.UTC) },
		Modes: func() []Mode {
			return []Mode{
				{ID: "cooking", Names: []string{"做饭模式", "cooking mode", "烹饪模式", "作饭模式"}},
				{ID: "study", Names: []string{"学习模式", "study mode"}},
			}
		},
	})
}

// says collects what m answers: text, or the call written as name(arguments).
func says(t *testing.T, m *Model, r llm.Request) string {
	t.Helper()
	var b strings.Builder
	for d, err := range m.Stream(t.Context(), r) {
		switch {
		case err != nil:
			t.Fatal(err)
		case d.ToolCall != nil:
			if d.ToolCall.ID == "" {
				t.Error("a call without an id")
			}
			b.WriteString(d.ToolCall.Name + d.ToolCall.Arguments)
		default:
			b.WriteString(d.Text)
		}
	}
	return b.String()
}

func request(words string, earlier ...llm.Message) llm.Request {
	msgs := append([]llm.Message{{Role: llm.System, Content: "base"}}, earlier...)
	return llm.Request{Tools: tools, Messages: append(msgs, llm.Message{
		Role: llm.User, Content: "[19:55 妈妈]\n[date: 2026-10-22 Thursday]\n" + words})}
}

const (
	modeWordsZH = "要进入请说“打开做饭模式”，要离开请说“退出做饭模式”。[[continue]]"
	modeWordsEN = "To enter it, say “open cooking mode”. To leave it, say “exit cooking mode”.[[continue]]"

	toEnter   = `switch_mode{"action":"enter","mode_id":"cooking"}`
	toExit    = `switch_mode{"action":"exit","mode_id":"cooking"}`
	toStudy   = `switch_mode{"action":"enter","mode_id":"study"}`
	timeZH    = "现在是晚上七点五十五分。[[end]]"
	timeEN    = "It's 7:55 in the evening.[[end]]"
	todayZH   = "今天是十月二十二日星期四。[[end]]"
	todayEN   = "Today is Thursday, October 22nd.[[end]]"
	cannotZH  = "没有网络，这个我答不了，不过我可以定时、开关模式、报时间和日期、重复刚才的话。[[end]]"
	cannotEN  = "I can't answer that without a network, but I can set timers, open and close modes, tell the time and date, and repeat what I said.[[end]]"
	helpZH    = "现在没有网络，你可以说“打开做饭模式”、“定时十分钟”、“现在几点了”，或者“再说一遍”。[[continue]]"
	helpEN    = "There is no network, but you can say “open cooking mode”, “set a timer for ten minutes”, “what time is it”, or “repeat that”.[[continue]]"
	nothingZH = "我还没说过什么，没有可以重复的。[[end]]"
	nothingEN = "I haven't said anything yet, so there is nothing to repeat.[[end]]"
)

// The golden table: what a person says, and what is answered, without a network,
// in both languages. R3: modes go through switch_mode. V3: every reply ends in a
// marker.
func TestAnswers(t *testing.T) {
	tests := []struct{ words, want string }{
		{"打开做饭模式", toEnter},
		{"打開 做飯 模式 。", toEnter},
		{"帮我进入做饭模式吧", toEnter},
		{"把做饭模式打开一下", toEnter},
		{"打开烹饪模式", toEnter},
		{"切换到学习模式", toStudy},
		{"从做饭模式切换到学习模式", toStudy},
		{"打开做饭模式，八点结束", toEnter},
		{"先退出做饭模式再打开做饭模式", toEnter},
		{"别打开做饭模式", toEnter}, // the gate refuses it, and its reason is told
		{"退出做饭模式", toExit},
		{"打开做饭模式……算了，退出做饭模式", toExit},
		{"今天不做了退出做饭模式", toExit},
		{"Start cooking mode", toEnter},
		{"ｏｐｅｎ　ｃｏｏｋｉｎｇ　ｍｏｄｅ", toEnter},
		{"stop talking and start cooking mode", toEnter},
		{"turn cooking mode on please", toEnter},
		{"turn off the cooking mode", toExit},
		{"stop cooking mode please", toExit},
		{"stop cooking", "Say “exit cooking mode” and it will close.[[continue]]"},
		{"不做饭了", "说“退出做饭模式”就可以退出。[[continue]]"},
		{"stop cooking the eggs", cannotEN},
		{"switch to study mode", toStudy},
		{"做饭模式", "要进入请说“打开做饭模式”，要离开请说“退出做饭模式”。[[continue]]"},
		{"I recommend cooking mode", "To enter it, say “open cooking mode”. To leave it, say “exit cooking mode”.[[continue]]"},
		{"打开模式", "说“打开做饭模式”就可以进入。[[continue]]"},
		{"打开睡觉模式", "没有“睡觉模式”这个模式，有的是：做饭模式、学习模式。[[continue]]"},
		{"open tea mode", "There is no mode called “tea mode”. There is: cooking mode, study mode.[[continue]]"},
		{"should I open cooking mode?", modeWordsEN},
		{"I will open cooking mode later", modeWordsEN},
		{"my mum said open cooking mode", modeWordsEN},
		{"what happens if I open cooking mode", modeWordsEN},
		{"要不要打开做饭模式？", modeWordsZH},
		{"我昨天打开做饭模式了", modeWordsZH},
		{"我打开做饭模式了", modeWordsZH},
		{"妈妈说打开做饭模式", modeWordsZH},
		{"待会儿再打开做饭模式", modeWordsZH},
		{"打开做饭模式会怎么样", modeWordsZH},
		{"My mum said, open cooking mode.", modeWordsEN},
		{"已经做完了，退出做饭模式", toExit},
		{"刚才做完了退出做饭模式", toExit},
		{"如果下雨就算了，打开做饭模式", toEnter},
		{"I just finished eating, close cooking mode", toExit},
		{"能不能打开做饭模式", toEnter},
		{"可不可以打开做饭模式", toEnter},
		{"我说打开做饭模式", toEnter},
		{"I'd like to open cooking mode", toEnter},
		{"could you open cooking mode?", toEnter},
		{"打开做饭模式然后定时五分钟", toEnter + `set_timer{"seconds":300}`},
		{"open study mode and set a timer for 1.5 minutes", toStudy + `set_timer{"seconds":90}`},
		{"set a timer for 5 minutes and open study mode", toStudy + `set_timer{"seconds":300}`},
		{"退出", "说“退出做饭模式”就可以退出。[[continue]]"},
		{"exit the mode", "Say “exit cooking mode” and it will close.[[continue]]"},
		{"quit", "Say “exit cooking mode” and it will close.[[continue]]"},

		{"现在几点了？", timeZH},
		{"几点", timeZH},
		{"请问现在是几点钟", timeZH},
		{"现在什么时间啦", timeZH},
		{"報時", timeZH},
		{"what time is it", timeEN},
		{"What's the time, please?", timeEN},
		{"Hey, can you tell me what time it is right now?", timeEN},
		{"今天几号", todayZH},
		{"今天星期几", todayZH},
		{"今天是几月几号星期几", todayZH},
		{"明天星期几呢", "明天是十月二十三日星期五。[[end]]"},
		{"后天几号", "后天是十月二十四日星期六。[[end]]"},
		{"昨天是星期几", "昨天是十月二十一日星期三。[[end]]"},
		{"what day is it today", todayEN},
		{"what's the date?", todayEN},
		{"what day of the week is it", todayEN},
		{"what is tomorrow's date", "Tomorrow is Friday, October 23rd.[[end]]"},
		{"what day was yesterday", "Yesterday was Wednesday, October 21st.[[end]]"},

		{"再说一遍", nothingZH},
		{"你刚才说什么", nothingZH},
		{"我没听清", nothingZH},
		{"Repeat that, please.", nothingEN},
		{"sorry, what did you say?", nothingEN},
		{"你能做什么", helpZH},
		{"帮助", helpZH},
		{"你好", helpZH},
		{"help", helpEN},
		{"what can you do", helpEN},
		{"谢谢你", "不客气。[[end]]"},
		{"好的，谢谢", "不客气。[[end]]"},
		{"thanks a lot", "You're welcome.[[end]]"},
		{"算了", "好的。[[end]]"},
		{"不用了", "好的。[[end]]"},
		{"never mind", "All right.[[end]]"},
		{"Stop!", "All right.[[end]]"},

		{"番茄要放几个？", cannotZH},
		{"饭几点能好", cannotZH},
		{"鸡蛋煮几分钟", cannotZH},
		{"打开灯", cannotZH},
		{"我想做饭", cannotZH},
		{"set a timer for ten minutes", `set_timer{"seconds":600}`},
		{"what time does the shop open", cannotEN},
		{"help me cook an egg", cannotEN},
		{"stop the music", cannotEN},
		{"42", cannotZH},
		{"。", "我没听到内容，请再说一遍。[[continue]]"},
	}
	m := newModel()
	for _, tt := range tests {
		r := request(tt.words)
		if got := says(t, m, r); got != tt.want {
			t.Errorf("%s\n got  %s\n want %s", tt.words, got, tt.want)
		}
		if got, want := m.Understands(r), tt.want != cannotZH && tt.want != cannotEN; got != want {
			t.Errorf("Understands(%s) = %v", tt.words, got)
		}
	}
}

// afterSwitch is the request after switch_mode has answered.
func afterSwitch(words, args, result string) llm.Request {
	r := request(words)
	r.Messages = append(r.Messages,
		llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "x", Name: "switch_mode", Arguments: args}}},
		llm.Message{Role: llm.ToolRole, ToolCallID: "x", Content: result})
	return r
}

// R3, R8: after the tool the reply tells what happened and nothing else; refused,
// it gives the words that would work.
func TestTellsTheTruthAboutASwitch(t *testing.T) {
	in, out := `{"action":"enter","mode_id":"cooking"}`, `{"action":"exit"}`
	tests := []struct{ words, args, result, want string }{
		{"打开做饭模式", in, `{"ok":true,"reason":"","say":"","display_name":"做饭模式","note":"已进入做饭模式。"}`, "好的，已进入做饭模式。[[end]]"},
		{"open cooking mode", in, `{"ok":true,"reason":"","say":"","display_name":"做饭模式","note":"cooking mode is on."}`, "Okay, cooking mode is on.[[end]]"},
		{"打开做饭模式", in, `{"ok":true,"say":"今天做什么？"}`, "好的，已进入做饭模式。 今天做什么？[[continue]]"},
		{"open cooking mode", in, `{"ok":true}`, "Okay, cooking mode is on.[[end]]"},
		{"open cooking mode again", in, `{"ok":true,"note":"After this reply cooking mode will be archived and begin anew."}`, "Okay, after this reply cooking mode will be archived and begin anew.[[end]]"},
		{"退出做饭模式", out, `{"ok":true,"display_name":"做饭模式","note":"这句说完就退出做饭模式并归档。"}`, "好的，这句说完就退出做饭模式并归档。[[end]]"},
		{"exit cooking mode", `{"action":"exit","mode_id":"cooking"}`, `{"ok":true}`, "Okay, cooking mode will end and be archived after this reply.[[end]]"},
		{"做饭模式打开", in, `{"ok":false,"reason":"no_verb","say":"打开做饭模式"}`, "说“打开做饭模式”就可以进入。[[continue]]"},
		{"exit cooking", out, `{"ok":false,"reason":"no_name","say":"exit cooking mode"}`, "Say “exit cooking mode” and it will close.[[continue]]"},
		{"别打开做饭模式", in, `{"ok":false,"reason":"negated","say":"打开做饭模式"}`, "好的，不动做饭模式。[[end]]"},
		{"don't start cooking mode", in, `{"ok":false,"reason":"negated","say":"open cooking mode"}`, "All right, I leave cooking mode as it is.[[end]]"},
		{"打开学习模式", `{"action":"enter","mode_id":"study"}`, `{"ok":false,"reason":"other_active","say":"切换到学习模式"}`, "现在开着另一个模式，想换的话请说“切换到学习模式”。[[continue]]"},
		{"退出做饭模式", out, `{"ok":false,"reason":"not_active","say":"现在没有打开任何模式。"}`, "现在没有打开任何模式。[[end]]"},
		{"退出做饭模式", out, `{"ok":false,"reason":"not_active","say":""}`, "现在没有打开任何模式。[[end]]"},
		{"打开学习模式", in, `{"ok":false,"reason":"unknown_mode","say":"没有“study”这个模式。"}`, "没有“study”这个模式。[[end]]"},
		{"打开做饭模式", in, `{"ok":false,"reason":"storage","say":"存储空间满了，这句话没存下来，请清理一下空间。"}`, "存储空间满了，这句话没存下来，请清理一下空间。[[end]]"},
		{"打开做饭模式", in, `{"ok":false,"reason":"什么都没有做"}`, "模式没有换成，请再说一遍。[[end]]"},
		{"打开做饭模式", in, `not json`, "模式没有换成，请再说一遍。[[end]]"},
		{"打开做饭模式", in, `{"ok":"yes"}`, "模式没有换成，请再说一遍。[[end]]"},
		{"打开做饭模式", in, ``, "模式没有换成，请再说一遍。[[end]]"},
		{"打开做饭模式", `broken{"ok":true`, `{}`, "模式没有换成，请再说一遍。[[end]]"},
		{"打开做饭模式", `{"action":"enter","ok":true}`, `{}`, "模式没有换成，请再说一遍。[[end]]"},
	}
	m := newModel()
	for _, tt := range tests {
		r := afterSwitch(tt.words, tt.args, tt.result)
		if got := says(t, m, r); got != tt.want {
			t.Errorf("%s: %s\n got  %s\n want %s", tt.words, tt.result, got, tt.want)
		}
		if !m.Understands(r) {
			t.Errorf("%s: a switch in this turn must be told", tt.words)
		}
	}
}

// A switch of an earlier turn, or another tool's result, does not answer for this
// one.
func TestOnlyThisTurnsSwitchCounts(t *testing.T) {
	m := newModel()
	r := afterSwitch("打开做饭模式", `{"action":"enter"}`, `{"ok":true}`)
	r.Messages = append(r.Messages, llm.Message{Role: llm.Assistant, Content: "好的。"}, llm.Message{Role: llm.User, Content: "[20:00 guest]\n几点了"})
	if got := says(t, m, r); got != timeZH {
		t.Errorf("got %s", got)
	}
	r = request("几点了")
	r.Messages = append(r.Messages,
		llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "x", Name: "note_fact"}}},
		llm.Message{Role: llm.ToolRole, ToolCallID: "x", Content: `{"ok":true}`})
	if got := says(t, m, r); got != timeZH {
		t.Errorf("got %s", got)
	}
}

// R3: what is not offered is not called.
func TestNoSwitchToolNoCall(t *testing.T) {
	m := newModel()
	for _, offeredTools := range []json.RawMessage{nil, llm.EncodeTools([]llm.ToolDef{{Name: "note_fact"}}), json.RawMessage(`broken`)} {
		r := request("打开做饭模式")
		r.Tools = offeredTools
		if got, want := says(t, m, r), "这里现在不能切换模式。[[end]]"; got != want {
			t.Errorf("with tools %s: %s", offeredTools, got)
		}
	}
	if got := says(t, New(Config{}), request("打开做饭模式")); got != cannotZH {
		t.Errorf("without modes: %s", got)
	}
	if got := says(t, New(Config{}), request("help")); strings.Contains(got, "mode") {
		t.Errorf("help without modes: %s", got)
	}
}

// R32, R44: repeat comes from the rebuilt conversation, never from a failed turn,
// and keeps what was proposed to come after the reply (V3).
func TestRepeat(t *testing.T) {
	user := llm.Message{Role: llm.User, Content: "[19:50 guest]\nx"}
	says1 := func(content string) llm.Message { return llm.Message{Role: llm.Assistant, Content: content} }
	tests := []struct {
		name    string
		earlier []llm.Message
		want    string
	}{
		{"last one", []llm.Message{user, says1("先打蛋。[[end]]"), user, says1("再放番茄。[[end]]")}, "再放番茄。[[end]]"},
		{"a question", []llm.Message{user, says1("几个人吃？[[continue]]")}, "几个人吃？[[continue]]"},
		{"a question without a marker", []llm.Message{user, says1("几个人吃？")}, "几个人吃？[[continue]]"},
		{"a courtesy without a marker", []llm.Message{user, says1("好了。还有别的吗？")}, "好了。还有别的吗？[[end]]"},
		{"after failures", []llm.Message{user, says1("先打蛋。[[end]]"), user, says1(phrases.LLMDown.ZH), user, says1("加盐。" + phrases.LLMBroken.EN), user, says1(phrases.OfflineCannot.ZH + "[[end]]")}, "先打蛋。[[end]]"},
		{"only failures", []llm.Message{user, says1(phrases.LLMSlow.EN)}, nothingZH},
		{"calls and empty replies", []llm.Message{user, says1("先打蛋。"), user, {Role: llm.Assistant, Content: "等等", ToolCalls: []llm.ToolCall{{ID: "1", Name: "a"}}}, {Role: llm.ToolRole, ToolCallID: "1"}, says1("[[end]]")}, "先打蛋。[[end]]"},
		{"in the other language", []llm.Message{user, says1("Crack two eggs.[[end]]")}, "Crack two eggs.[[end]]"},
	}
	m := newModel()
	for _, tt := range tests {
		if got := says(t, m, request("再说一遍", tt.earlier...)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The language follows the words; where they have none, the words before them.
func TestLanguageOfNumbers(t *testing.T) {
	en := []llm.Message{{Role: llm.User, Content: "[19:50 guest]\nwhat time is it"}, {Role: llm.Assistant, Content: "…"}}
	if got := says(t, newModel(), request("42", en...)); got != cannotEN {
		t.Errorf("got %s", got)
	}
}

func TestLastWords(t *testing.T) {
	for content, want := range map[string]string{
		"[19:55 妈妈]\n几点了":                 "几点了",
		"[19:55 妈妈]\n[date: x]\n[a] b\nc": "[a] b\nc",
		"几点了":                             "几点了",
		"[19:55 guest]\n[x]":              "[x]",
		"[x]":                             "[x]",
		"":                                "",
		"[19:55 guest]\n":                 "",
		"[19:55 guest]\r\nhi":             "hi",
		"[19:55 guest]\n第一行\n[第二行]\n第三行":        "第一行\n[第二行]\n第三行",
		"[做饭模式已于 00:10 自动结束，已归档]\n[07:00 a]\n早": "早",
	} {
		if got := lastWords(content); got != want {
			t.Errorf("lastWords(%q) = %q, want %q", content, got, want)
		}
	}
}

// What is offered to a closed-grammar recogniser is understood, each phrase as
// the kind it says.
func TestPhrasesAreUnderstood(t *testing.T) {
	m := newModel()
	seen := map[Phrase]bool{}
	kitchen := llm.EncodeTools([]llm.ToolDef{{Name: cookStep}, {Name: findRecipe}})
	for _, lang := range []string{"zh", "en"} {
		list := Phrases(lang)
		if len(list) < 10 {
			t.Errorf("%s: only %d phrases", lang, len(list))
		}
		for _, p := range list {
			if p.Lang != lang || text.Lang(p.Text, "") != lang || seen[p] {
				t.Errorf("%+v is out of place", p)
			}
			seen[p] = true
			if got := askedFor(plain(p.Text)); string(got) != p.Kin {
				t.Errorf("%q is understood as %q, not %q", p.Text, got, p.Kin)
			}
			_, loudness := text.ParseVolume(p.Text) // the agent's, as are controls the device's
			cooks := request(p.Text)
			cooks.Tools = kitchen
			if !loudness && text.ControlOf(p.Text, nil) == "" && !m.Understands(request(p.Text)) && !m.Understands(cooks) {
				t.Errorf("%q is not understood", p.Text)
			}
		}
	}
	if Phrases("fr") != nil {
		t.Error("phrases in French")
	}
}

// The only error is the context's; a consumer may stop anywhere.
func TestCancelAndStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	var last error
	for _, err := range newModel().Stream(ctx, request("你能做什么")) {
		n++
		last = err
		cancel()
	}
	if n != 2 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d deltas, then %v", n, last)
	}
	for range newModel().Stream(t.Context(), request("你能做什么")) {
		break
	}
	for _, err := range newModel().Stream(ctx, request("打开做饭模式")) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// Without any user message it still answers.
func TestNoUserMessage(t *testing.T) {
	for _, msgs := range [][]llm.Message{nil, {{Role: llm.System}}, {{Role: llm.ToolRole, ToolCallID: "x"}}} {
		if got := says(t, newModel(), llm.Request{Messages: msgs}); !strings.HasSuffix(got, "[[continue]]") {
			t.Errorf("got %q", got)
		}
	}
}

// Every row of the gate's table that names a mode and a verb reaches the tool with
// the action that the gate would accept; the gate has the last word on the rest.
func TestGateTableReachesTheTool(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(shared(), "cases", "gate.tsv"))
	if err != nil {
		t.Skipf("no shared cases here: %v", err)
	}
	m := newModel()
	rows := 0
	for line := range strings.Lines(string(raw)) {
		cells := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(cells) < 3 || cells[2] != "accept" {
			continue
		}
		rows++
		want := `switch_mode{"action":"` + cells[1] + `","mode_id":"cooking"}`
		if got := says(t, m, request(cells[0])); got != want {
			t.Errorf("%s: got %s, want %s", cells[0], got, want)
		}
	}
	if rows < 30 {
		t.Errorf("only %d rows", rows)
	}
}

func shared() string {
	if dir := os.Getenv("HOMEBOT_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	for err == nil && filepath.Dir(dir) != dir {
		if _, statErr := os.Stat(filepath.Join(dir, "go.mod")); statErr == nil {
			return filepath.Join(dir, "..", "shared")
		}
		dir = filepath.Dir(dir)
	}
	return "shared"
}

func FuzzLastWords(f *testing.F) {
	f.Add("[19:55 妈妈]\n几点了")
	f.Add("[a]\n[b]\n[c]")
	f.Add("]\n[\n[]\n")
	f.Fuzz(func(t *testing.T, content string) {
		words := lastWords(content)
		if !strings.HasSuffix(content, words) {
			t.Errorf("%q is no end of %q", words, content)
		}
		if !strings.Contains(words, "\n") && !strings.HasPrefix(words, "[") {
			if got := lastWords("[00:00 x]\n[y: z]\n" + words); got != words {
				t.Errorf("behind a header %q became %q", words, got)
			}
		}
	})
}

// Whatever is said, the stream ends without an error: with one well-formed call,
// or with text that ends in one marker (V3).
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{"打开做饭模式", "turn cooking mode off", "what time is it", "模式 模式 exit", "\xff[[end]]", "再说一遍", "cooking modecooking mode open"} {
		f.Add(s, `{"ok":true,"note":"A"}`, "先打蛋。[[end]]")
		f.Add(s, `{"ok":false,"say":"\u0000"}`, "[[continue")
	}
	m := newModel()
	f.Fuzz(func(t *testing.T, words, result, earlier string) {
		r := request(words, llm.Message{Role: llm.User, Content: "x"}, llm.Message{Role: llm.Assistant, Content: earlier})
		got := says(t, m, r)
		args, isCall := strings.CutPrefix(got, "switch_mode")
		if isCall && !json.Valid([]byte(args)) {
			t.Errorf("arguments %q", args)
		}
		if !isCall {
			checkReply(t, got)
		}
		checkReply(t, says(t, m, afterSwitch(words, `{"action":"enter","mode_id":"cooking"}`, result)))
	})
}

func checkReply(t *testing.T, got string) {
	t.Helper()
	body, ok := strings.CutSuffix(got, proposeEnd)
	if !ok {
		body, ok = strings.CutSuffix(got, proposeContinue)
	}
	if !ok || strings.TrimSpace(body) == "" {
		t.Errorf("no reply with a marker: %q", got)
	}
	if !utf8.ValidString(got) {
		t.Errorf("not UTF-8: %q", got)
	}
}
