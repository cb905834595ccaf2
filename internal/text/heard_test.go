package text

import (
	"strings"
	"testing"
	"time"
	"unicode"
)

// alike compares as the shared cases do: without white space, punctuation, case.
func alike(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPunct(r) {
			return -1
		}
		return r
	}, s))
}

// V10: the user's own cases.
func TestHeardSharedCases(t *testing.T) {
	for _, col := range sharedCases(t, "heard.tsv") {
		if len(col) < 3 {
			col = append(col, "")
		}
		if got := Heard(col[1], col[0], Signals{}); alike(got) != alike(col[2]) {
			t.Errorf("Heard(%q, %s) = %q, want %q", col[1], col[0], got, col[2])
		}
	}
}

// V10: fillers, wake residue and made-up subtitles go; words, numbers, units and
// negations stay.
func TestHeard(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"zh", "呃，那个，番茄放几个？", "番茄放几个？"},
		{"zh", "那个番茄放几个", "那个番茄放几个"},
		{"zh", "嗯嗯我要做饭", "我要做饭"},
		{"zh", "嗯。", "嗯"},
		{"zh", "呃……", ""},
		{"zh", "啊 停", "停"},
		{"zh", "额头上有汗", "额头上有汗"},
		{"zh", "小厨房在哪", "小厨房在哪"},
		{"zh", "小厨，下一步", "下一步"},
		{"zh", "你好小初打开做饭模式", "打开做饭模式"},
		{"zh", "你好小厨", ""},
		{"zh", "你好", "你好"},
		{"zh", "不要放三克盐", "不要放三克盐"},
		{"zh", "請不吝點贊訂閱轉發打賞支持明鏡與點點欄目", ""},
		{"zh", "中文字幕志愿者 李宗盛", ""},
		{"zh", "打开做饭模式。谢谢观看。", "打开做饭模式"},
		{"zh", "谢谢大家观看，下期再见", ""},
		{"zh", "字幕怎么打开", "字幕怎么打开"},
		{"zh", "放180°C", "放180°C"},
		{"zh", "加 3.5 克", "加3.5克"},
		{"zh", "乾隆白菜怎麼做", "乾隆白菜怎么做"},
		{"zh", "(音乐)", ""},
		{"en", "[BLANK_AUDIO]", ""},
		{"en", "(upbeat music)", ""},
		{"en", "♪ music ♪", ""},
		{"en", "Please subscribe to my channel.", ""},
		{"en", "Don't forget to like and subscribe!", ""},
		{"en", "Um, well, don't add 3.5 g of salt", "don't add 3.5 g of salt"},
		{"en", "Home bot, what time is it?", "what time is it?"},
		{"en", "homebots are nice", "homebots are nice"},
		{"en", "uh", ""},
		{"en", "do you know what time it is", "do you know what time it is"},
		{"en", "you are right", "you are right"},
		{"en", "Add -18 degrees", "Add -18 degrees"},
		{"en", "Subscribe me to milk delivery", "Subscribe me to milk delivery"},
	} {
		if got := Heard(c.in, c.lang, Signals{}); got != c.want {
			t.Errorf("Heard(%q, %s) = %q, want %q", c.in, c.lang, got, c.want)
		}
	}
}

// V10: what the recogniser itself doubts is believed less.
func TestHeardSignals(t *testing.T) {
	for _, c := range []struct {
		in   string
		g    Signals
		want string
	}{
		{"Yeah.", Signals{}, "Yeah"},
		{"Yeah.", Signals{NoSpeech: 0.9}, ""},
		{"谢谢", Signals{LogProb: -1.4}, ""},
		{"打开做饭模式", Signals{NoSpeech: 0.9}, "打开做饭模式"},
		{"打开做饭模式", Signals{NoSpeech: 0.9, LogProb: -1.4}, ""},
		{"今天天气很好我们去公园玩吧", Signals{Audio: 400 * time.Millisecond}, ""},
		{"打开做饭模式", Signals{Audio: 1200 * time.Millisecond}, "打开做饭模式"},
		{"hey cook open it", Signals{Wake: []string{"hey cook"}}, "open it"},
	} {
		if got := Heard(c.in, Lang(c.in, "en"), c.g); got != c.want {
			t.Errorf("Heard(%q, %+v) = %q, want %q", c.in, c.g, got, c.want)
		}
	}
}

// V10: cleaning what is clean changes nothing, and no digit or negation is lost.
func FuzzHeard(f *testing.F) {
	for _, s := range []string{"嗯 那个 番茄", "um start uh cooking", "你好小厨 打开", "O K 下一步", "A B C d", "不要 放 3.5 克", "呃呃呃", "嗯那个那个好", "小厨 小厨 停", "well so like oh", "。。", "hey home bot hey home bot"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Heard(s, "zh", Signals{})
		if again := Heard(got, "zh", Signals{}); again != got {
			t.Errorf("Heard(%q) = %q, and of that %q", s, got, again)
		}
		if got == "" {
			return
		}
		for _, keep := range []string{"0123456789", "不别没未无"} {
			in := strings.Map(only(keep), ToSimplified(s))
			if out := strings.Map(only(keep), got); !strings.Contains(s, "Amara") && len(out) < len(in) && !phantomInside(s) {
				t.Errorf("Heard(%q) = %q lost some of %q", s, got, in)
			}
		}
	})
}

func only(keep string) func(rune) rune {
	return func(r rune) rune {
		if strings.ContainsRune(keep, r) {
			return r
		}
		return -1
	}
}

// phantomInside: a made-up sentence may hold anything.
func phantomInside(s string) bool {
	for _, part := range Sentences(readable(s)) {
		if isPhantom(flatten(part)) {
			return true
		}
	}
	return false
}

func BenchmarkHeard(b *testing.B) {
	for b.Loop() {
		Heard("嗯 那个 番茄 放 几个", "zh", Signals{})
	}
}
