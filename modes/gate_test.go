package modes

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testModes are the built-in mode and three more, one name inside another.
func testModes() []GateMode {
	return []GateMode{
		{ID: "cooking", Names: []string{"做饭模式", "cooking mode", "烹饪模式", "作饭模式"}},
		{ID: "study", Names: []string{"学习模式", "study mode"}},
		{ID: "deep", Names: []string{"深度学习模式", "deep study mode"}},
		{ID: "launch", Names: []string{"启动模式", "launch mode"}},
	}
}

// gateRow is one judgement: the text, action and mode, and what is expected.
// want is "accept" or a reason; "refuse" is any reason.
type gateRow struct {
	text, action, mode, want string
}

func (r gateRow) check(t *testing.T, g *Gate) {
	t.Helper()
	v := g.Enter(r.text, r.mode)
	if r.action == "exit" {
		v = g.Exit(r.text, r.mode)
	}
	got := "accept"
	if !v.OK {
		got = string(v.Reason)
	}
	if v.OK != (v.Reason == "") {
		t.Errorf("%q: OK %v with reason %q", r.text, v.OK, v.Reason)
	}
	if got != r.want && (v.OK || r.want != "refuse") {
		t.Errorf("%s %s %q: %s, want %s", r.action, r.mode, r.text, got, r.want)
	}
}

// sharedDir is where the shared cases are, "" if they are not on this machine.
func sharedDir() string {
	if dir := os.Getenv("HOMEBOT_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(filepath.Dir(dir), "shared")
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// R2, R5, R6, R7, R13: every row of the user's own cases.
func TestGateSharedCases(t *testing.T) {
	f, err := os.Open(filepath.Join(sharedDir(), "cases", "gate.tsv"))
	if err != nil {
		t.Skip("no shared cases here: ", err)
	}
	defer f.Close()
	g := NewGate(testModes())
	lines := bufio.NewScanner(f)
	rows := 0
	for lines.Scan() {
		col := strings.Split(lines.Text(), "\t")
		if len(col) < 3 || col[1] == "action" {
			continue
		}
		rows++
		gateRow{col[0], col[1], "cooking", col[2]}.check(t, g)
	}
	if rows < 70 {
		t.Errorf("only %d rows read", rows)
	}
}

// R5, R6: both a name and a verb, in the raw words.
func TestGateNeedsNameAndVerb(t *testing.T) {
	g := NewGate(testModes())
	for _, r := range []gateRow{
		{"打开烹饪模式", "enter", "cooking", "accept"},
		{"启动作饭模式", "enter", "cooking", "accept"},
		{"离开做饭模式", "exit", "cooking", "accept"},
		{"关掉烹饪模式吧", "exit", "cooking", "accept"},
		{"launch cooking mode", "enter", "cooking", "accept"},
		{"begin cooking mode", "enter", "cooking", "accept"},
		{"turn off cooking mode", "exit", "cooking", "accept"},
		{"turn the cooking mode on", "enter", "cooking", "accept"},
		{"turn cooking mode off please", "exit", "cooking", "accept"},
		{"cooking mode, turn it off", "exit", "cooking", "accept"},
		{"打开", "enter", "cooking", "no_name"},
		{"open mode", "enter", "cooking", "no_name"},
		{"我们做饭吧", "enter", "cooking", "no_name"},
		{"做饭模式真好", "enter", "cooking", "no_verb"},
		{"cooking mode is nice", "exit", "cooking", "no_verb"},
		{"打开学习模式", "enter", "cooking", "no_name"},
		{"打开做饭模式", "enter", "nosuch", "unknown_mode"},
	} {
		r.check(t, g)
	}
}

// R7: how the words are compared.
func TestGateComparesWords(t *testing.T) {
	g := NewGate(testModes())
	for _, r := range []gateRow{
		{"打，开做。饭 模式", "enter", "cooking", "accept"},
		{"「打开」“做饭模式”", "enter", "cooking", "accept"},
		{"open  the   cooking - mode", "enter", "cooking", "accept"},
		{"open my cooking mode", "enter", "cooking", "accept"},
		{"Please, open a COOKING MODE!", "enter", "cooking", "accept"},
		{"don’t open cooking mode", "enter", "cooking", "negated"},
		{"donʼt open the cooking mode", "enter", "cooking", "negated"},
		{"dont open cooking mode", "enter", "cooking", "negated"},
		{"别“打开”做饭模式", "enter", "cooking", "negated"},
		{"別打開做飯模式", "enter", "cooking", "negated"},
		{"I recommend the cooking mode", "exit", "cooking", "no_verb"},
		{"reopen cooking mode", "enter", "cooking", "no_verb"},
		{"open cooking modes", "enter", "cooking", "no_name"},
		{"don't re-open cooking mode", "enter", "cooking", "negated"},
	} {
		r.check(t, g)
	}
}

// R7: a name found only inside a longer name of another mode does not count;
// nor does a verb that is part of a name.
func TestGateTwoModes(t *testing.T) {
	g := NewGate(testModes())
	for _, r := range []gateRow{
		{"打开深度学习模式", "enter", "deep", "accept"},
		{"打开深度学习模式", "enter", "study", "no_name"},
		{"打开学习模式", "enter", "study", "accept"},
		{"打开学习模式", "enter", "deep", "no_name"},
		{"open deep study mode", "enter", "study", "no_name"},
		{"open study mode", "enter", "deep", "no_name"},
		{"学习模式和深度学习模式，打开学习模式", "enter", "study", "accept"},
		{"启动模式", "enter", "launch", "no_verb"},
		{"launch mode", "enter", "launch", "no_verb"},
		{"打开启动模式", "enter", "launch", "accept"},
		{"退出做饭模式，打开学习模式", "enter", "study", "accept"},
		{"退出做饭模式，打开学习模式", "exit", "cooking", "accept"},
		{"退出做饭模式打开学习模式", "exit", "cooking", "accept"},
		{"退出做饭模式，打开学习模式", "enter", "cooking", "opposite_verb"},
		{"退出做饭模式，打开学习模式", "exit", "study", "refuse"},
		{"打开学习模式，不要做饭模式", "enter", "cooking", "no_verb"},
		{"不要打开学习模式，打开做饭模式", "enter", "study", "negated"},
		{"不要打开学习模式，打开做饭模式", "enter", "cooking", "accept"},
		{"close cooking mode and start study mode", "enter", "study", "accept"},
		{"close cooking mode and start study mode", "exit", "cooking", "accept"},
		{"close cooking mode and start study mode", "exit", "study", "refuse"},
		{"不要把做饭模式切换到学习模式", "enter", "study", "negated"},
		{"把做饭模式切换到学习模式", "enter", "cooking", "no_verb"},
	} {
		r.check(t, g)
	}
}

// R13: negators, light words, what is taken out, and the opposite verb.
func TestGateNegation(t *testing.T) {
	g := NewGate(testModes())
	for _, r := range []gateRow{
		{"不许给我打开做饭模式", "enter", "cooking", "negated"},
		{"我没有要打开做饭模式", "enter", "cooking", "negated"},
		{"先别急着把做饭模式打开", "enter", "cooking", "negated"},
		{"甭打开做饭模式", "enter", "cooking", "negated"},
		{"勿打开做饭模式", "enter", "cooking", "negated"},
		{"不可以现在就退出做饭模式", "exit", "cooking", "negated"},
		{"不，打开做饭模式", "enter", "cooking", "accept"},
		{"别！退出做饭模式", "exit", "cooking", "accept"},
		{"别忘了退出做饭模式", "exit", "cooking", "accept"},
		{"不能忘记打开做饭模式", "enter", "cooking", "accept"},
		{"不如打开做饭模式", "enter", "cooking", "accept"},
		{"不好意思打开做饭模式", "enter", "cooking", "accept"},
		{"差不多了打开做饭模式", "enter", "cooking", "accept"},
		{"是不是打开做饭模式", "enter", "cooking", "accept"},
		{"是不是不打开做饭模式", "enter", "cooking", "negated"},
		{"要。不打开做饭模式", "enter", "cooking", "negated"},
		{"never ever start cooking mode", "enter", "cooking", "negated"},
		{"you cannot just start cooking mode", "enter", "cooking", "negated"},
		{"please do not forget to open cooking mode", "enter", "cooking", "accept"},
		{"why don't you open cooking mode", "enter", "cooking", "accept"},
		{"won't you start cooking mode", "enter", "cooking", "accept"},
		{"no, don't. Start cooking mode", "enter", "cooking", "accept"},
		{"做饭模式也可以关闭", "enter", "cooking", "opposite_verb"},
		{"打开做饭模式，现在退出做饭模式", "enter", "cooking", "opposite_verb"},
		{"打开做饭模式，做饭模式现在可以退出", "enter", "cooking", "opposite_verb"},
		{"打开做饭模式，不要退出做饭模式", "enter", "cooking", "accept"},
		{"exit the cooking mode, then start cooking mode", "exit", "cooking", "opposite_verb"},
		{"start cooking mode and stop the radio", "enter", "cooking", "accept"},
	} {
		r.check(t, g)
	}
}

// R11: what an accepted enter asks for beside the mode.
func TestGateAgainAndSwitch(t *testing.T) {
	g := NewGate(testModes())
	for _, c := range []struct {
		text, mode      string
		again, switchTo bool
	}{
		{"打开做饭模式", "cooking", false, false},
		{"重新打开做饭模式", "cooking", true, false},
		{"把做饭模式重新开始一遍", "cooking", true, false},
		{"退出做饭模式再打开做饭模式", "cooking", true, false},
		{"先退出再打开做饭模式", "cooking", true, false},
		{"先退出做饭模式，再打开", "cooking", true, false},
		{"别退出做饭模式，打开做饭模式", "cooking", false, false},
		{"关闭计时器，打开做饭模式", "cooking", false, false},
		{"退出学习模式，打开做饭模式", "cooking", false, false},
		{"重新说一遍，打开做饭模式", "cooking", false, false},
		{"start cooking mode again", "cooking", true, false},
		{"start cooking mode all over again", "cooking", true, false},
		{"start over cooking mode", "cooking", true, false},
		{"stop and start cooking mode", "cooking", true, false},
		{"stop talking and start cooking mode", "cooking", false, false},
		{"say that again, then start cooking mode", "cooking", false, false},
		{"切换到学习模式", "study", false, true},
		{"切换学习模式", "study", false, true},
		{"把做饭模式切换到学习模式", "study", false, true},
		{"打开学习模式", "study", false, false},
		{"please switch to the study mode", "study", false, true},
		{"切换到做饭模式，打开学习模式", "study", false, false},
		{"重新切换到学习模式", "study", true, true},
	} {
		v := g.Enter(c.text, c.mode)
		if !v.OK || v.Again != c.again || v.SwitchTo != c.switchTo {
			t.Errorf("Enter(%q, %s) = %+v, want again %v, switch to %v", c.text, c.mode, v, c.again, c.switchTo)
		}
	}
}

// R13, where it is silent: kitchen talk, corrections, reports and questions
// that hold a name and a verb and ask for nothing.
func TestGateNaturalSentences(t *testing.T) {
	g := NewGate(testModes())
	for _, r := range naturalSentences {
		r.check(t, g)
	}
}

var naturalSentences = []gateRow{
	// requests inside a sentence
	{"小厨小厨，帮我把做饭模式打开吧，我要做番茄炒蛋", "enter", "cooking", "accept"},
	{"嗯……那个，打开做饭模式，谢谢", "enter", "cooking", "accept"},
	{"我饿了，开始做饭模式吧", "enter", "cooking", "accept"},
	{"今晚三个人吃饭不要放辣打开做饭模式", "enter", "cooking", "accept"},
	{"我特别想打开做饭模式", "enter", "cooking", "accept"},
	{"别人都吃完了，退出做饭模式", "exit", "cooking", "accept"},
	{"饭做好了，可以结束做饭模式了", "exit", "cooking", "accept"},
	{"没问题了，关闭做饭模式", "exit", "cooking", "accept"},
	{"麻烦关掉做饭模式，不用了", "exit", "cooking", "accept"},
	{"打开，嗯，做饭模式", "enter", "cooking", "accept"},
	{"做饭模式，帮我开启一下", "enter", "cooking", "accept"},
	{"could you open up cooking mode for me", "enter", "cooking", "accept"},
	{"okay let's begin cooking mode, it's just the two of us", "enter", "cooking", "accept"},
	{"I can't wait to start cooking mode", "enter", "cooking", "accept"},
	{"I'm not hungry any more, end cooking mode", "exit", "cooking", "accept"},
	{"we're done here so please leave cooking mode", "exit", "cooking", "accept"},
	{"don't bother me with questions and exit cooking mode", "exit", "cooking", "accept"},
	{"cooking mode, start it now", "enter", "cooking", "accept"},
	{"start, uh, cooking mode", "enter", "cooking", "accept"},
	// corrections
	{"打开学习模式，不对，打开做饭模式", "enter", "cooking", "accept"},
	{"打开做饭模式，不对", "enter", "cooking", "negated"},
	{"打开做饭模式，算了", "enter", "cooking", "negated"},
	{"打开做饭模式算了吧", "enter", "cooking", "negated"},
	{"打开做饭模式……算了，我们出去吃", "enter", "cooking", "negated"},
	{"打开做饭模式，哦不用了", "enter", "cooking", "negated"},
	{"打开做饭模式，不，别打开", "enter", "cooking", "negated"},
	{"打开做饭模式，盐不要了", "enter", "cooking", "accept"},
	{"打开做饭模式，别打开灯", "enter", "cooking", "accept"},
	{"盐放多了……算了，打开做饭模式", "enter", "cooking", "accept"},
	{"退出做饭模式，先别", "exit", "cooking", "negated"},
	{"退出做饭模式，等等，别退出", "exit", "cooking", "negated"},
	{"退出做饭模式，别关灯", "exit", "cooking", "accept"},
	{"我说的是退出做饭模式不是打开做饭模式", "exit", "cooking", "accept"},
	{"我说的是退出做饭模式不是打开做饭模式", "enter", "cooking", "negated"},
	{"start cooking mode, no wait, don't", "enter", "cooking", "negated"},
	{"start cooking mode. Actually, never mind.", "enter", "cooking", "negated"},
	{"exit cooking mode, hold on", "exit", "cooking", "negated"},
	{"not study mode, start cooking mode", "enter", "cooking", "accept"},
	// double negation: refused where it is not taken out
	{"不要不打开做饭模式", "enter", "cooking", "negated"},
	{"不能不退出做饭模式", "exit", "cooking", "negated"},
	{"只要不打开做饭模式就行", "enter", "cooking", "negated"},
	{"不得不退出做饭模式", "exit", "cooking", "accept"},
	{"don't not open cooking mode", "enter", "cooking", "negated"},
	// kitchen talk: the verb is for something else
	{"关闭计时器，做饭模式继续", "exit", "cooking", "no_verb"},
	{"打开烤箱，做饭模式等会儿再说", "enter", "cooking", "no_verb"},
	{"我离开一下，做饭模式别关", "exit", "cooking", "negated"},
	{"停止计时，做饭模式真方便", "exit", "cooking", "no_verb"},
	{"stop the timer, but stay in cooking mode", "exit", "cooking", "no_verb"},
	{"open the oven, cooking mode can wait", "enter", "cooking", "no_verb"},
	{"leave cooking mode on", "exit", "cooking", "no_verb"},
	{"at the end we talk about cooking mode", "exit", "cooking", "no_verb"},
	{"start the timer in cooking mode", "enter", "cooking", "no_verb"},
	{"can you stop the timer in cooking mode", "exit", "cooking", "no_verb"},
	{"I can't open the jar in cooking mode", "enter", "cooking", "refuse"},
	{"open the, uh, cooking mode", "enter", "cooking", "accept"},
	// reports and questions
	{"打开做饭模式干嘛", "enter", "cooking", "no_verb"},
	{"做饭模式退出不了", "exit", "cooking", "no_verb"},
	{"还没到退出做饭模式的时候", "exit", "cooking", "negated"},
	{"不可能打开做饭模式", "enter", "cooking", "negated"},
	{"打开做饭模式，开玩笑的", "enter", "cooking", "negated"},
	{"I do not think we should exit cooking mode", "exit", "cooking", "negated"},
	{"do not under any circumstances exit cooking mode", "exit", "cooking", "negated"},
	{"what happens if I exit cooking mode", "exit", "cooking", "no_verb"},
	{"when does cooking mode end", "exit", "cooking", "no_verb"},
	{"exit cooking mode and don't start it again", "exit", "cooking", "accept"},
	{"不是打开学习模式是打开做饭模式", "enter", "cooking", "accept"},
	{"谁让你打开做饭模式的", "enter", "cooking", "no_verb"},
	{"我不要退出做饭模式我要打开做饭模式", "exit", "cooking", "negated"},
	{"怎么退出做饭模式", "exit", "cooking", "no_verb"},
	{"做饭模式打开了吗", "enter", "cooking", "no_verb"},
	{"我不会打开做饭模式", "enter", "cooking", "negated"},
	{"我没让你打开做饭模式", "enter", "cooking", "negated"},
	{"没必要打开做饭模式", "enter", "cooking", "negated"},
	{"我不小心打开做饭模式", "enter", "cooking", "negated"},
	{"不用重新打开做饭模式", "enter", "cooking", "negated"},
	{"how do I exit cooking mode", "exit", "cooking", "no_verb"},
	{"is cooking mode open", "enter", "cooking", "no_verb"},
	{"I don't want to open cooking mode", "enter", "cooking", "negated"},
	{"I never said start cooking mode", "enter", "cooking", "negated"},
	{"I didn't ask you to exit cooking mode", "exit", "cooking", "negated"},
	{"there's no need to start the cooking mode", "enter", "cooking", "negated"},
	{"you shouldn't stop cooking mode", "exit", "cooking", "negated"},
	{"don't you dare start cooking mode", "enter", "cooking", "negated"},
	{"don't turn cooking mode off", "exit", "cooking", "negated"},
}

// R3: say is the words that would work, and the gate takes them.
func TestGateSay(t *testing.T) {
	g := NewGate(testModes())
	for _, c := range []struct{ action, id, lang, want string }{
		{"enter", "cooking", "zh", "打开做饭模式"},
		{"enter", "cooking", "en", "open cooking mode"},
		{"exit", "cooking", "zh", "退出做饭模式"},
		{"exit", "deep", "en", "exit deep study mode"},
		{"enter", "nosuch", "zh", ""},
	} {
		got := g.Say(c.action, c.id, c.lang)
		if got != c.want {
			t.Errorf("Say(%s, %s, %s) = %q, want %q", c.action, c.id, c.lang, got, c.want)
		}
		if got != "" {
			gateRow{got, c.action, c.id, "accept"}.check(t, g)
		}
	}
	only := NewGate([]GateMode{{ID: "x", Names: []string{"安静模式"}}})
	if got := only.Say("enter", "x", "en"); got != "open 安静模式" {
		t.Errorf("without an English name: %q", got)
	}
	gateRow{"open 安静模式", "enter", "x", "accept"}.check(t, only)
}

// R5, R6: every verb of the tables opens or closes, and its negation does not.
func TestGateTables(t *testing.T) {
	g := NewGate(testModes())
	for _, lang := range []struct {
		table     *gateTable
		name, not string
		gap       string
	}{{&gateChinese, "做饭模式", "不要", ""}, {&gateEnglish, "cooking mode", "don't", " "}} {
		for action, verbs := range map[string][]string{"enter": lang.table.enter, "exit": lang.table.exit} {
			for _, v := range verbs {
				gateRow{v + lang.gap + lang.name, action, "cooking", "accept"}.check(t, g)
				gateRow{lang.not + lang.gap + v + lang.gap + lang.name, action, "cooking", "negated"}.check(t, g)
			}
		}
		for _, n := range lang.table.negators {
			gateRow{n + lang.gap + lang.table.enter[0] + lang.gap + lang.name, "enter", "cooking", "negated"}.check(t, g)
		}
		for _, idiom := range lang.table.takenOut {
			gateRow{idiom + lang.gap + lang.table.enter[0] + lang.gap + lang.name, "enter", "cooking", "accept"}.check(t, g)
		}
	}
}

func BenchmarkGate(b *testing.B) {
	g := NewGate(testModes())
	g.Enter("開", "cooking") // load the tables
	for _, s := range []string{"先退出做饭模式再打开做饭模式", "please don't forget to switch to the cooking mode"} {
		b.Run(s, func(b *testing.B) {
			for b.Loop() {
				g.Enter(s, "cooking")
			}
		})
	}
}
