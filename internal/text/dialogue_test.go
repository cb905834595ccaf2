package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// V3: what ends the follow-up window at once; answers to a question do not.
func TestIsDismissal(t *testing.T) {
	for words, want := range map[string]bool{
		"算了": true, "算了。": true, "嗯，算了": true, "没事了": true, "沒事了": true, "你好小厨，没事了": true, "没什么": true,
		"Never mind.": true, "um, never mind": true, "hey home bot never mind": true, "Forget it": true,
		"不用了": false, "没有": false, "no thanks": false, "就这样": false, "算了一下": false, "算了，做汤吧": false,
		"never mind the salt": false, "": false, "停": false, "取消": false,
	} {
		if got := IsDismissal(words, nil); got != want {
			t.Errorf("IsDismissal(%q) = %v", words, got)
		}
	}
	if !IsDismissal("小爱同学算了", []string{"小爱同学"}) {
		t.Error("a wake phrase of one's own is not taken off")
	}
}

// V6: what silences a reply without the wake word.
func TestIsHush(t *testing.T) {
	for words, want := range map[string]bool{
		"停": true, "停止": true, "别说了": true, "别说了。": true, "stop": true, "Stop!": true, "be quiet": true, "please stop": true, "okay, stop": true,
		"停车": false, "知道了": false, "stop the timer": false, "don't stop": false, "安静的音乐": false, "": false,
	} {
		if got := IsHush(words, nil); got != want {
			t.Errorf("IsHush(%q) = %v", words, got)
		}
	}
}

// V7: after these words more is to be expected; after those not.
func TestUnfinished(t *testing.T) {
	for _, words := range []string{
		"先把番茄切块然后", "我要买鸡蛋还有", "打开那个", "那个", "然后", "定时五", "帮我定时十", "我想", "帮我", "三个人，", "因为", "番茄和",
		"first cut the onion and", "set a timer for", "set a timer for five", "um", "I want", "add the", "I would like to", "and then", "cut it, ",
	} {
		if !Unfinished(words) {
			t.Errorf("%q is taken for finished", words)
		}
	}
	for _, words := range []string{
		"打开做饭模式", "三个人", "三", "五分钟", "定时五分钟", "要", "嗯", "还是", "停", "", "好的", "第二", "现在几点", "20", "3.5",
		"what time is it", "five", "twenty one", "yes", "please", "set a timer for five minutes", "how many people", "stop", "demand", "第3",
	} {
		if Unfinished(words) {
			t.Errorf("%q is taken for unfinished", words)
		}
	}
}

// V7: who begins so goes on.
func TestOpensTalk(t *testing.T) {
	for words, want := range map[string]bool{
		"记一个菜谱，番茄四个": true, "让我想想": true, "Let me think": true, "take this down please": true, "打开做饭模式": false, "": false,
	} {
		if OpensTalk(words) != want {
			t.Errorf("OpensTalk(%q) = %v", words, !want)
		}
	}
}

// V7: what came out of the loudspeaker is found again although some of it was
// misheard; an answer that takes a word up is not an echo by its share alone.
func TestEcho(t *testing.T) {
	for _, c := range []struct {
		heard, spoken string
		least, most   float64
	}{
		{"先把番茄切块", "好的。先把番茄切块，再把鸡蛋打散。", 1, 1},
		{"先把翻茄切快", "好的。先把番茄切块，再把鸡蛋打散。", 0.6, 0.7},
		{"先把蕃茄切塊", "先把番茄切块", 0.8, 1},
		{"那个今天天气怎么样", "好的。先把番茄切块，再把鸡蛋打散。", 0, 0.3},
		{"fry the onions gently", "Fry the onion gently in a little oil.", 0.7, 0.8},
		{"what is the weather", "Fry the onion gently in a little oil.", 0, 0.3},
		{"加200克面粉", "加200克面粉。", 1, 1},
		{"放盐", "要不要放盐？", 1, 1},
		{"", "要不要放盐？", 0, 0},
		{"停", "", 0, 0},
	} {
		if got, _ := Echo(c.heard, c.spoken); got < c.least || got > c.most {
			t.Errorf("Echo(%q, %q) = %.2f, not %.2f to %.2f", c.heard, c.spoken, got, c.least, c.most)
		}
	}
}

// V6: the wake phrase at the head of an overheard transcript.
func TestCutWake(t *testing.T) {
	for _, c := range []struct{ in, rest, phrase string }{
		{"你好小厨，现在几点", "现在几点", "你好小厨"},
		{"Hey home bot what time is it", "what time is it", "hey home bot"},
		{"现在几点", "现在几点", ""},
		{"你好", "你好", ""},
	} {
		if rest, phrase := CutWake(c.in, nil); rest != c.rest || phrase != c.phrase {
			t.Errorf("CutWake(%q) = %q, %q", c.in, rest, phrase)
		}
	}
}

// V7: any transcript is judged, whatever it holds; its own words are an echo of
// themselves.
func FuzzDialogue(f *testing.F) {
	for _, s := range []string{"先把番茄切块然后", "set a timer for five", "你好小厨，算了", "stop", "a\xff，", "三", strings.Repeat("然后", 200)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if IsDismissal(s, nil) && IsHush(s, nil) {
			t.Errorf("%q is both", s)
		}
		if IsComplete(s) && Unfinished(s) && utf8.ValidString(s) && !strings.ContainsAny(s, "，,、…") {
			t.Errorf("%q is complete and unfinished", s)
		}
		Unfinished(s)
		CutWake(s, nil)
		if share, n := Echo(s, s); n > 0 && share != 1 {
			t.Errorf("%q is no echo of itself: %v of %d", s, share, n)
		}
	})
}
