package sphinx

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

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

func phraseList(lang string, texts []string) (list []speech.Phrase) {
	for _, t := range texts {
		list = append(list, speech.Phrase{Text: t, Lang: lang})
	}
	return
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

func env(name string, def float64) float64 {
	if v, err := strconv.ParseFloat(os.Getenv(name), 64); err == nil {
		return v
	}
	return def
}

type run struct {
	r    speech.Recognizer
	t    testing.TB
	size int
}

// play streams pcm and ends each utterance 700 ms after speech stopped, or 5 s after wake.
func (x *run) play(pcm []int16) (all []speech.Heard) {
	stopped, taking, n := -1, -1, 0
	for c := range slices.Chunk(pcm, x.size) {
		h, err := x.r.Accept(c)
		if err != nil {
			x.t.Fatal(err)
		}
		n += len(c)
		for _, y := range h {
			switch y.Kind {
			case speech.Wake:
				taking = n
			case speech.SpeechStarted:
				stopped = -1
			case speech.SpeechStopped:
				stopped = n
			}
		}
		all = append(all, h...)
		if taking >= 0 && (stopped >= 0 && n-stopped > 7200 || n-taking > 6*rate) {
			all = append(all, x.end()...)
			x.r.Wait()
			stopped, taking = -1, -1
		}
	}
	if taking >= 0 {
		all = append(all, x.end()...)
		x.r.Wait()
	}
	return
}
func (x *run) end() []speech.Heard {
	h, err := x.r.End()
	if err != nil {
		x.t.Fatal(err)
	}
	return h
}

func brief(hs []speech.Heard) (s string) {
	for _, h := range hs {
		switch h.Kind {
		case speech.Wake:
			s += fmt.Sprintf(" WAKE(%s)@%.2f-%.2f", h.Phrase, float64(h.Start)/rate, float64(h.End)/rate)
		case speech.Final:
			s += fmt.Sprintf(" FINAL(%s %.2f)", h.Text, h.Confidence)
		case speech.Partial:
			s += fmt.Sprintf(" p(%s)", h.Text)
		case speech.SpeechStarted:
			s += fmt.Sprintf(" <%.2f", float64(h.Start)/rate)
		case speech.SpeechStopped:
			s += fmt.Sprintf(" >%.2f", float64(h.End)/rate)
		default:
			s += " " + string(h.Kind)
		}
	}
	return
}
func count(hs []speech.Heard, k speech.HeardKind) (n int, text string) {
	for _, h := range hs {
		if h.Kind == k {
			n++
			text = h.Text
		}
	}
	return
}

func TestMeasure(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		if l := os.Getenv("L"); l != "" && l != lang {
			continue
		}
		wake, cmds, voices, foreign, other := "hey home bot", enPhrases, enVoices, enForeign, zhForeign
		warm := voiced{"en-us", 160}.say(t, "hello, this is a test")
		if lang == "zh" {
			wake, cmds, voices, foreign, other = "你好小厨", zhPhrases, zhVoices, zhForeign, enForeign
			warm = voiced{"cmn-latn-pinyin", 150}.say(t, "今天天气很好")
		}
		e, err := New(Config{MandarinDir: sharedDir(t) + "/models/sphinx-zh", Languages: []string{lang}, Warmup: map[string][]int16{lang: warm}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		r, out, err := e.NewRecognizer(t.Context(), speech.Hello{Phrases: phraseList(lang, cmds)})
		if err != nil {
			t.Fatal(err)
		}
		t.Log("init", time.Since(began), "left out", out)
		x := &run{r, t, int(env("CHUNK", 320))}
		v := os.Getenv("V") != ""
		woke, oneB, oneOK, n := 0, 0, 0, 0
		cmd, cmdN := 0, 0
		gap := pause(900)
		one := map[string][]string{"en": {"open cooking mode", "what time is it", "exit cooking mode", "repeat that"}, "zh": {"打开做饭模式", "现在几点了", "退出做饭模式", "再说一遍"}}[lang]
		x.play(pause(1000))
		sep := ", "
		if lang == "zh" {
			sep = "，"
		}
		for _, vo := range voices {
			h := x.play(slices.Concat(gap, vo.say(t, wake), pause(1500), vo.say(t, one[0]), pause(1200)))
			k, _ := count(h, speech.Wake)
			woke += min(k, 1)
			n++
			_, f := count(h, speech.Final)
			if k == 0 || f != one[0] || v {
				t.Log(vo, "wake+pause:", brief(h))
			}
			for _, c := range one {
				h := x.play(slices.Concat(gap, vo.say(t, wake+sep+c), pause(1200)))
				_, f := count(h, speech.Final)
				k, _ := count(h, speech.Wake)
				oneB++
				woke += min(k, 1)
				n++
				if f == c {
					oneOK++
				}
				if f != c || v {
					t.Log(vo, "one breath:", c, "->", brief(h))
				}
			}
			for i, c := range cmds {
				if i%2 == 1 && os.Getenv("ALL") == "" {
					continue
				}
				cmdN++
				r.Take(lang)
				h := x.play(slices.Concat(pause(300), vo.say(t, c), pause(600)))
				h = append(h, x.end()...)
				r.Wait()
				if _, f := count(h, speech.Final); f == c {
					cmd++
				} else {
					t.Log(vo, "command:", c, "->", brief(h))
				}
			}
		}
		t.Logf("== %s wakes %d/%d, one breath %d/%d, commands %d/%d", lang, woke, n, oneB-oneB+oneOK, oneB, cmd, cmdN)
		fw, fc, fn, secs := 0, 0, 0, 0.0
		check := func(name string, pcm []int16) {
			secs += float64(len(pcm)) / rate
			fn++
			h := x.play(slices.Concat(gap, pcm, gap))
			if k, _ := count(h, speech.Wake); k > 0 {
				fw++
				t.Log("FALSE wake:", name, brief(h))
			}
			r.Take(lang)
			h = x.play(slices.Concat(pcm, pause(700)))
			h = append(h, x.end()...)
			r.Wait()
			if k, _ := count(h, speech.Final); k > 0 {
				fc++
				t.Log("FALSE command:", name, brief(h))
			}
		}
		for _, a := range []string{"jfk.wav", "negative_zh_1.wav", "alexa.wav", "hey_jane_negative.wav", "haixiaowen_1.wav", "nihaowenwen_1.wav"} {
			check(a, recording(t, a))
		}
		ov := voiced{"en-us", 160}
		if lang == "en" {
			ov = voiced{"cmn-latn-pinyin", 150}
		}
		for i, s := range foreign {
			check(s, voices[i%len(voices)].say(t, s))
			check(s, voices[(i+1)%len(voices)].say(t, s))
		}
		for _, s := range other {
			check(s, ov.say(t, s))
		}
		t.Logf("== %s false wakes %d, false commands %d in %d clips, %.0f s", lang, fw, fc, fn, secs)
		r.Close()
		e.Close()
	}
}
