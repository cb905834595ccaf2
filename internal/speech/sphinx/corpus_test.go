package sphinx

import (
	"path/filepath"
	"slices"
	"testing"

	"homebot/internal/speech"
)

var enPhrases = []string{
	"open cooking mode", "start cooking mode", "enter cooking mode", "exit cooking mode", "close cooking mode", "stop cooking mode",
	"leave cooking mode", "what time is it", "what's the time", "what is the date", "what day is it", "repeat that", "say that again",
	"help", "what can you do", "stop", "thank you", "thanks", "next step", "previous step", "never mind", "go back",
	"what mode is active", "start over", "be quiet", "good night", "yes", "no", "turn off the light", "how are you",
}
var zhPhrases = []string{
	"打开做饭模式", "进入做饭模式", "开始做饭模式", "退出做饭模式", "关闭做饭模式", "结束做饭模式", "打开烹饪模式", "退出烹饪模式",
	"现在几点了", "几点了", "现在几点", "今天几号", "今天星期几", "再说一遍", "重复一遍", "请再说一次", "帮助", "你会做什么", "停止", "停",
	"谢谢", "谢谢你", "下一步", "上一步", "算了", "没事了", "现在是什么模式", "重新开始", "安静", "晚安",
}

var enForeign = []string{
	"I was talking to my sister about the weather yesterday", "the kitchen table is in the other room", "could you pass me the salt please",
	"my grandmother used to cook every sunday", "we need to buy milk and eggs tomorrow", "he lives in a small house by the sea",
	"did you see the game last night", "the train leaves at half past nine", "I don't know what you mean", "this soup needs more pepper",
	"hey there how have you been", "home is where the heart is", "a robot walked into the room", "hey jude don't make it bad",
	"put the bottle on the top shelf", "she opened the window and looked outside", "they stopped at the shop on the way", "let me think about it for a moment",
	"the meeting was moved to next thursday", "turn left at the next corner", "I would like a cup of tea", "hey honey what about dinner",
}
var zhForeign = []string{
	"我昨天跟妹妹聊了聊天气", "厨房的桌子在另外一个房间里", "请把盐递给我", "奶奶以前每个星期天都做饭", "明天我们要去买牛奶和鸡蛋",
	"他住在海边的小房子里", "你看昨天晚上的比赛了吗", "火车九点半开", "我不明白你的意思", "这个汤要多放一点胡椒",
	"你好，最近怎么样", "小明今天没有去学校", "你好吗，我很好", "今天天气真不错", "把瓶子放在最上面的架子上",
	"她打开窗户看了看外面", "他们在路上停下来买东西", "让我想一想", "会议改到下个星期四了", "在下一个路口左转",
	"我想喝一杯茶", "你好小芳，吃饭了吗",
}
var enVoices = []voiced{{"en-us", 150}, {"en-us+f3", 160}, {"en-gb", 160}, {"en-us+m3", 140}, {"en-gb+f2", 150}, {"en-us", 180}}
var zhVoices = []voiced{{"cmn-latn-pinyin", 150}, {"cmn-latn-pinyin+f3", 150}, {"cmn-latn-pinyin+m3", 140}, {"cmn-latn-pinyin", 175}, {"cmn-latn-pinyin+f2", 130}}

// corpus is what one language is tested with.
type corpus struct {
	lang, wake, join string
	phrases          []string // set phrases
	breath           []string // those said in one breath with the wake phrase
	voices           []voiced
	foreign          []string // sentences that are none of them
	warmup           string
}

var corpora = []corpus{
	{"en", "hey home bot", ", ", enPhrases, []string{"open cooking mode", "what time is it", "exit cooking mode", "repeat that"}, enVoices, enForeign, "hello, this is a test"},
	{"zh", "你好小厨", "，", zhPhrases, []string{"打开做饭模式", "现在几点了", "退出做饭模式", "再说一遍"}, zhVoices, zhForeign, "今天天气很好"},
}

// recordings are real speech that holds no wake phrase and no command.
var recordings = []string{"jfk.wav", "negative_zh_1.wav", "alexa.wav", "hey_jane_negative.wav", "haixiaowen_1.wav", "nihaowenwen_1.wav"}

func phraseList(lang string, texts []string) []speech.Phrase {
	var list []speech.Phrase
	for _, t := range texts {
		list = append(list, speech.Phrase{Text: t, Lang: lang})
	}
	return list
}

// testConfig is for the languages whose model is there; a named one that is
// missing skips the test.
func testConfig(tb testing.TB, langs ...string) Config {
	tb.Helper()
	c := Config{Languages: langs, Warmup: map[string][]int16{}}
	if len(langs) == 0 || slices.Contains(langs, mandarin) {
		c.MandarinDir = filepath.Join(sharedDir(tb), "models", "sphinx-zh")
	}
	for _, s := range corpora {
		if len(langs) == 0 || slices.Contains(langs, s.lang) {
			if _, err := c.model(s.lang); err != nil {
				tb.Skip(err)
			}
			c.Warmup[s.lang] = s.voices[0].say(tb, s.warmup)
		}
	}
	return c
}

// listener plays audio to a recogniser and ends each utterance 700 ms after its
// speech stopped, or 6 s after the wake, as the device does.
type listener struct {
	speech.Recognizer
	tb             testing.TB
	chunk          int // samples
	at             int
	taking         bool
	began, stopped int
}

// listen makes a listener for the corpora's phrases.
func listen(tb testing.TB, c Config, chunk int) *listener {
	tb.Helper()
	e, err := New(c)
	if err != nil {
		tb.Skip(err)
	}
	var h speech.Hello
	for _, s := range corpora {
		if slices.Contains(e.Languages(), s.lang) {
			h.Phrases = append(h.Phrases, phraseList(s.lang, s.phrases)...)
			h.Wake = append(h.Wake, speech.Phrase{Text: s.wake, Lang: s.lang})
		}
	}
	r, leftOut, err := e.NewRecognizer(tb.Context(), h)
	if err != nil {
		tb.Fatal(err)
	}
	if len(leftOut) > 0 {
		tb.Errorf("left out: %v", leftOut)
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
		e.Close()
	})
	l := &listener{Recognizer: r, tb: tb, chunk: chunk}
	l.play(pause(500))
	return l
}

// play returns what is heard in pcm.
func (l *listener) play(pcm ...[]int16) []speech.Heard {
	l.tb.Helper()
	var all []speech.Heard
	for chunk := range slices.Chunk(slices.Concat(pcm...), l.chunk) {
		heard, err := l.Accept(chunk)
		if err != nil {
			l.tb.Fatal(err)
		}
		l.at += len(chunk)
		l.note(heard)
		all = append(all, heard...)
		if l.taking && (l.stopped > 0 && l.at-l.stopped > 7*rate/10 || l.at-l.began > 6*rate) {
			all = append(all, l.done()...)
		}
	}
	return all
}

func (l *listener) note(heard []speech.Heard) {
	for _, h := range heard {
		switch h.Kind {
		case speech.Wake:
			l.taking, l.began, l.stopped = true, l.at, 0
		case speech.SpeechStarted:
			l.stopped = 0
		case speech.SpeechStopped:
			l.stopped = h.End
		}
	}
}

// done ends the utterance and waits for a wake phrase again.
func (l *listener) done() []speech.Heard {
	l.tb.Helper()
	heard, err := l.End()
	if err != nil {
		l.tb.Fatal(err)
	}
	if err := l.Wait(); err != nil {
		l.tb.Fatal(err)
	}
	l.taking = false
	return heard
}

// command plays pcm as a follow-up in lang and returns its final text, "" for no speech.
func (l *listener) command(lang string, pcm []int16) string {
	l.tb.Helper()
	if err := l.Take(lang); err != nil {
		l.tb.Fatal(err)
	}
	l.taking, l.began, l.stopped = false, l.at, 0
	heard := l.play(pause(200), pcm, pause(500))
	return final(append(heard, l.done()...))
}

// final is the last final transcript, woken the first wake phrase; "" for none.
func final(heard []speech.Heard) string { return find(heard, speech.Final).Text }
func woken(heard []speech.Heard) string { return find(heard, speech.Wake).Phrase }

func find(heard []speech.Heard, kind speech.HeardKind) speech.Heard {
	i := slices.IndexFunc(heard, func(h speech.Heard) bool { return h.Kind == kind })
	if i < 0 {
		return speech.Heard{}
	}
	return heard[i]
}
