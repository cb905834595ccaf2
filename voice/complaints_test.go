package voice_test

import (
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/internal/speech/speechtest"
	"homebot/voice"
	"homebot/voice/voicetest"
)

const half = 500 * time.Millisecond

// asks is a wake at 1.007 and a question that is understood by about 4.
func asks(lang, words string) []voicetest.Step {
	return []voicetest.Step{voicetest.Wakes(ms(1000), lang), voicetest.Says(ms(2500), words, lang, 700*time.Millisecond)}
}

// recipe takes about 8 s to say.
const (
	recipeZH = "先把番茄切块，再把鸡蛋打散。锅里放两勺油，油热了以后把鸡蛋倒进去。然后放番茄，炒三分钟，加一点糖。"
	recipeEN = "Cut four tomatoes and one onion into small pieces. Fry the onion gently in a little oil until it is soft. Then add the tomatoes."
)

// interruptions are what happens while the device speaks: complaints 20 to 26.
var interruptions = map[string]voicetest.Script{
	// 23: want to interrupt at any time.
	"30-stop-word": {
		Echo:    true,
		Steps:   append(asks("zh", "番茄炒蛋怎么做"), voicetest.Says(ms(6000), "停", "zh", 300*time.Millisecond)),
		Answers: []voicetest.Answer{{Says: recipeZH}},
		Until:   9 * seconds,
	},
	// The same where the loudspeaker is heard too: believed when it is final.
	"31-stop-word-over-the-echo": {
		Lang:    "en",
		Steps:   append(asks("en", "how do I make tomato soup"), voicetest.Says(ms(6000), "stop talking", "en", half)),
		Answers: []voicetest.Answer{{Says: recipeEN}},
		Until:   9 * seconds,
	},
	// 23: with echo cancellation whatever is said becomes a turn of the same talk.
	"32-free-speech": {
		Echo:  true,
		Steps: append(asks("zh", "番茄炒蛋怎么做"), voicetest.Talks(ms(6000), "zh", 400*time.Millisecond, "放", "多少盐")),
		Answers: []voicetest.Answer{
			{Says: recipeZH},
			{Says: "三克盐。", Next: voice.End},
		},
		Until: 13 * seconds,
	},
	// A cough, a pot: the reply rests for a second and goes on where it was.
	"33-cough": {
		Echo:    true,
		Steps:   append(asks("en", "how do I make tomato soup"), voicetest.Coughs(ms(6000), 300*time.Millisecond)),
		Answers: []voicetest.Answer{{Says: recipeEN, Next: voice.End}},
		Until:   20 * seconds,
	},
	// After two false alarms it rests for words only.
	"34-clatter-then-words": {
		Echo: true,
		Steps: append(asks("zh", "番茄炒蛋怎么做"),
			voicetest.Coughs(ms(4500), 200*time.Millisecond), voicetest.Coughs(ms(6500), 200*time.Millisecond),
			voicetest.Coughs(ms(7600), 200*time.Millisecond), voicetest.Says(ms(8200), "重新说一遍", "zh", 600*time.Millisecond)),
		Answers: []voicetest.Answer{{Says: recipeZH}, {Says: "先把番茄切块。", Next: voice.End}},
		Until:   16 * seconds,
	},
	// V6: a recogniser of set phrases makes one out of a pan that is put down.
	"34-clatter-heard-as-words": {
		Echo:    true,
		Steps:   append(asks("zh", "番茄炒蛋怎么做"), voicetest.Says(ms(6000), "帮助", "zh", 350*time.Millisecond)),
		Answers: []voicetest.Answer{{Says: recipeZH, Next: voice.End}},
		Until:   16 * seconds,
	},
	// 20, 21, 22, 24: it hears itself, while it speaks and just after.
	"35-hears-itself": {
		Echo: true,
		Steps: append(asks("zh", "做番茄炒蛋"),
			voicetest.Echoes(ms(4500), "好的我们先把番茄切快", "zh", 600*time.Millisecond),
			voicetest.Echoes(ms(6400), "几个人吃", "zh", half),
			voicetest.Says(ms(9500), "三个人", "zh", half)),
		Answers: []voicetest.Answer{{Says: "好的，我们先把番茄切块。今天几个人吃？"}, {Says: "那就用六个鸡蛋。", Next: voice.End}},
		Until:   15 * seconds,
	},
	// The other mistake of such a guard: an answer in the words of the question.
	"36-answers-in-the-words-of-the-question": {
		Echo: true, Lang: "en",
		Steps: append(asks("en", "make tomato soup"), voicetest.Says(ms(7200), "with salt", "en", half)),
		Answers: []voicetest.Answer{
			{Says: "All right. With salt or without salt?"}, {Says: "With salt, then.", Next: voice.End},
		},
		Until: 13 * seconds,
	},
	// A recogniser that has words only while it takes an utterance.
	"37-wake-phrase-as-words": {
		NoWake: true,
		Steps: append(asks("zh", "番茄炒蛋怎么做"),
			voicetest.WakesAndSays(ms(6000), "现在几点", "zh", 700*time.Millisecond)),
		Answers: []voicetest.Answer{{Says: recipeZH}, {Says: "晚上七点。", Next: voice.End}},
		Until:   12 * seconds,
	},
	// [voice] barge_in = "wake".
	"38-only-the-wake-word": {
		BargeIn: voice.BargeInWake, Echo: true,
		Steps: append(asks("en", "how do I make tomato soup"),
			voicetest.Says(ms(6000), "stop", "en", 300*time.Millisecond), voicetest.Wakes(ms(8000), "en")),
		Answers: []voicetest.Answer{{Says: recipeEN}},
		Until:   10 * seconds,
	},
	// 13: nobody spoke to it; the television goes on while it tells of a fault.
	"39-television-over-an-announcement": {
		Echo: true,
		Steps: []voicetest.Step{
			voicetest.Does(ms(1000), "(unplugged)", func(st *voicetest.Stage) { st.Mic.Unplug() }),
			voicetest.Does(ms(9000), "(plugged in)", func(st *voicetest.Stage) { st.Mic.Plug() }),
			voicetest.Says(ms(9300), "欢迎收看今天的新闻", "zh", time.Second),
		},
		Until: 13 * seconds,
	},
}

// endpoints are about where an utterance ends: complaints 27 to 33.
var endpoints = map[string]voicetest.Script{
	// 30, 32: interrupts me when I pause.
	"40-pause-after-that": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Talks(ms(2500), "zh", 600*time.Millisecond, "打开那个", "", "", "做饭模式"),
		},
		Answers: []voicetest.Answer{{Says: "已进入做饭模式。", Next: voice.End}},
		Until:   10 * seconds,
	},
	// 30: thinking aloud.
	"41-um": {
		Lang: "en",
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Talks(ms(2500), "en", 450*time.Millisecond, "um", "", "", "", "set a timer for five", "", "", "minutes"),
		},
		Answers: []voicetest.Answer{{Says: "Five minutes.", Next: voice.End}},
		Until:   11 * seconds,
	},
	// Long talk: a recipe read out, a second between its lines, for 30 s.
	"42-recipe-read-out": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Talks(ms(2500), "zh", time.Second,
				"记一个菜谱", "番茄四个", "鸡蛋三个", "", "番茄切块", "鸡蛋打散", "加一点盐", "", "锅里放油", "先炒鸡蛋", "盛出来", "",
				"再炒番茄", "炒三分钟", "加一点糖", "", "把鸡蛋放回去", "翻炒均匀", "撒葱花", "", "装盘", "大概四个人吃", "一共十五分钟", "记好了吗"),
		},
		Answers: []voicetest.Answer{{Says: "记好了。", Next: voice.End}},
		Until:   35 * seconds,
	},
	// 28: a short "stop" that runs to the limit, because something goes on sounding.
	"43-yes-under-noise": {
		Lang: "en",
		Steps: []voicetest.Step{
			voicetest.Noise(ms(500), true),
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Talks(ms(2500), "en", 300*time.Millisecond, "yes please"),
		},
		Answers: []voicetest.Answer{{Says: "All right.", Next: voice.End}},
		Until:   8 * seconds,
	},
	// 27: with noise it never ends.
	"44-question-under-noise": {
		Steps: []voicetest.Step{
			voicetest.Noise(ms(500), true),
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Talks(ms(2500), "zh", 400*time.Millisecond, "番茄", "炒蛋", "怎么做"),
		},
		Answers: []voicetest.Answer{{Says: "先把番茄切块。", Next: voice.End}},
		Until:   10 * seconds,
	},
	"45-nothing-but-noise": {
		Steps: []voicetest.Step{
			voicetest.Noise(ms(500), true),
			voicetest.Wakes(ms(1000), "zh"),
		},
		Until: 30 * seconds,
	},
	// 28, 1: a complete phrase ends sooner than a command.
	"46-short-answer": {
		Steps: append(asks("zh", "做汤"), voicetest.Says(ms(7000), "是的", "zh", 300*time.Millisecond)),
		Answers: []voicetest.Answer{
			{Says: "要不要放盐？"}, {Says: "好的，放一克。", Next: voice.End},
		},
		Until: 10 * seconds,
	},
	// 30: waits for the first word.
	"47-thinks-first": {
		Lang: "en",
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(9000), "what was I going to say", "en", time.Second),
		},
		Answers: []voicetest.Answer{{Says: "I don't know.", Next: voice.End}},
		Until:   14 * seconds,
	},
	// 29: no pause after the wake word, and a recogniser far away.
	"48-one-breath-far-away": {
		Remote:  true,
		Steps:   []voicetest.Step{voicetest.WakesAndSays(ms(1000), "打开做饭模式", "zh", 900*time.Millisecond)},
		Answers: []voicetest.Answer{{Says: "已进入做饭模式。", Next: voice.End}},
		Until:   6 * seconds,
	},
	// V7: the room gives the earcon back, and who was woken for thinks first.
	"49-earcon-in-the-room":               coughsThenAsks(ms(2100), ms(6000), false),
	"49-earcon-and-a-recogniser-far-away": coughsThenAsks(ms(2100), ms(6000), true),
	// A cough later on is asked about, as ever.
	"49-cough-instead-of-words": coughsThenAsks(ms(3200), ms(8500), false),
}

// coughsThenAsks: there is a sound without words after the wake, a question later.
func coughsThenAsks(cough, question time.Duration, remote bool) voicetest.Script {
	return voicetest.Script{
		Lang: "en", Remote: remote,
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"), voicetest.Coughs(cough, 350*time.Millisecond),
			voicetest.Says(question, "what time is it", "en", 700*time.Millisecond),
		},
		Answers: []voicetest.Answer{{Says: "It is seven.", Next: voice.End}},
		Until:   question + 5*seconds,
	}
}

// talks are about what comes after a reply, and what comes late: complaints 1 to
// 12, 34 to 38, 53 to 55.
var talks = map[string]voicetest.Script{
	// V3: 算了 ends it at once, and no model is asked.
	"50-dismissed": {
		Steps:   asks("zh", "算了"),
		Answers: []voicetest.Answer{{Says: "这句话不该有人听到。"}},
		Until:   8 * seconds,
	},
	// R41: no run mode keeps the microphone open against that.
	"51-never-mind-in-a-mode": {
		Lang: "en",
		Steps: append(asks("en", "open cooking mode"),
			voicetest.Says(ms(8500), "um, never mind", "en", 700*time.Millisecond)),
		Answers: []voicetest.Answer{
			{Says: "Cooking mode is on. What shall we cook?", Next: voice.Continue, Enter: &event.Mode{ID: "cooking", SessionID: "cook-1"}},
			{Says: "Nobody should hear this.", Next: voice.Continue},
		},
		Until: 14 * seconds,
	},
	// An answer that sounds like it is none.
	"52-no-need-is-an-answer": {
		Steps: append(asks("zh", "做汤"), voicetest.Says(ms(7000), "不用了", "zh", 400*time.Millisecond)),
		Answers: []voicetest.Answer{
			{Says: "要不要放盐？"}, {Says: "好的，不放盐。", Next: voice.End},
		},
		Until: 11 * seconds,
	},
	// 38: a talk ends by silence, however often the model says [[continue]].
	"53-silence-ends-it": {
		Lang: "en",
		Steps: append(asks("en", "tell me a story"),
			voicetest.Says(ms(8000), "go on", "en", 400*time.Millisecond), voicetest.Says(ms(14000), "go on", "en", 400*time.Millisecond)),
		Answers: []voicetest.Answer{
			{Says: "Once upon a time.", Next: voice.Continue}, {Says: "There was a king.", Next: voice.Continue}, {Says: "He cooked.", Next: voice.Continue},
		},
		Until: 30 * seconds,
	},
	// 53 to 55: what recognisers make of silence is no turn.
	"54-made-up-words": {
		Steps: append(asks("zh", "做汤"), voicetest.Says(ms(7000), "字幕由 Amara.org 社区提供", "zh", 900*time.Millisecond)),
		Answers: []voicetest.Answer{
			{Says: "几个人吃？"}, {Says: "这句话不该有人听到。"},
		},
		Until: 24 * seconds,
	},
	// 1, 12: a slow model is announced; nothing of it is history.
	"55-slow-model": {
		Filler: 2 * seconds,
		Steps:  asks("zh", "番茄炒蛋怎么做"),
		Answers: []voicetest.Answer{
			{Says: "先把番茄切块。", After: 5 * seconds, Next: voice.End},
		},
		Until: 11 * seconds,
	},
	// V5: a voice that gives a text's sound when all of it is computed begins with
	// the first breath of the first sentence, and is not caught up with.
	"56-voice-of-whole-texts": {
		Steps: append([]voicetest.Step{voicetest.Does(ms(500), "(a voice at 0.45 s for a second)", func(st *voicetest.Stage) {
			st.SetVoice(&speechtest.Synthesizer{RTF: 0.45})
		})}, asks("zh", "番茄炒蛋怎么做")...),
		Answers: []voicetest.Answer{{Says: recipeZH + "最后放盐。", Next: voice.End}},
		Until:   12 * seconds,
	},
	// The minimal profile has none.
	"57-no-filler": {
		Filler: 2 * seconds,
		Steps:  asks("zh", "几点了"),
		Answers: []voicetest.Answer{
			{Says: "七点。", After: 4 * seconds, Next: voice.End, NoFill: true},
		},
		Until: 10 * seconds,
	},
	// 2: a slow voice is waited for, not given up.
	"58-slow-voice": {
		Lang: "en",
		Steps: append([]voicetest.Step{voicetest.Does(ms(500), "(a slow voice)", func(st *voicetest.Stage) {
			st.SetVoice(&speechtest.Synthesizer{Delay: 6 * seconds})
		})}, asks("en", "what time is it")...),
		Answers: []voicetest.Answer{{Says: "It is seven.", Next: voice.End}},
		Until:   14 * seconds,
	},
	// 34 to 37: a wake is a new session, an answer is not.
	"59-sessions": {
		Steps: append(asks("zh", "做汤"),
			voicetest.Says(ms(7000), "三个人", "zh", half),
			voicetest.Wakes(ms(12000), "zh"), voicetest.Says(ms(13500), "几点了", "zh", half)),
		Answers: []voicetest.Answer{
			{Says: "几个人吃？"}, {Says: "那就放三碗水。", Next: voice.End}, {Says: "七点。", Next: voice.End},
		},
		Until: 18 * seconds,
	},
}

// failures are what breaks in a talk: complaints 39 to 45.
var failures = map[string]voicetest.Script{
	// 39: the microphone is pulled out in the middle of a reply that rests.
	"70-microphone-lost-over-a-reply": {
		Echo: true,
		Steps: append(asks("zh", "番茄炒蛋怎么做"),
			voicetest.Coughs(ms(5500), 300*time.Millisecond),
			voicetest.Does(ms(5700), "(unplugged)", func(st *voicetest.Stage) { st.Mic.Unplug() }),
			voicetest.Does(ms(20000), "(plugged in)", func(st *voicetest.Stage) { st.Mic.Plug() }),
			voicetest.Wakes(ms(26000), "zh")),
		Answers: []voicetest.Answer{{Says: recipeZH, Next: voice.Continue}},
		Until:   28 * seconds,
	},
	// 41: microphone and recogniser at once, and back one after the other.
	"71-two-losses-at-once": {
		Lang: "en",
		Steps: []voicetest.Step{
			voicetest.Does(ms(1000), "(the sound server dies)", func(st *voicetest.Stage) { st.Mic.Unplug(); st.Ears.Lose() }),
			voicetest.Does(ms(12003), "(the microphone is back)", func(st *voicetest.Stage) { st.Mic.Plug() }),
			voicetest.Does(ms(16000), "(the recogniser is back)", func(st *voicetest.Stage) { st.Ears.Restore() }),
			voicetest.Wakes(ms(20000), "en"), voicetest.Says(ms(21500), "what time is it", "en", 800*time.Millisecond),
		},
		Answers: []voicetest.Answer{{Says: "It is seven.", Next: voice.End}},
		Until:   27 * seconds,
	},
	// The wake phrase over the last words of a reply crosses what the end of the
	// reply orders: it wakes, and what follows is taken.
	"75-wake-crosses-the-end":    wakeCrosses(voice.End),
	"75-wake-crosses-the-window": wakeCrosses(voice.Continue),
	// 41: the loudspeaker is gone for one reply; the next is heard.
	"72-loudspeaker-lost-and-back": {
		Steps: append(asks("zh", "几点了"),
			voicetest.Does(ms(3600), "(the loudspeaker is gone)", func(st *voicetest.Stage) { st.Speaker.Unplug() }),
			voicetest.Does(ms(9000), "(it is back)", func(st *voicetest.Stage) { st.Speaker.Plug() }),
			voicetest.Wakes(ms(10000), "zh"), voicetest.Says(ms(11500), "几点了", "zh", 700*time.Millisecond)),
		Answers: []voicetest.Answer{{Says: "七点。", Next: voice.End}, {Says: "七点零一分。", Next: voice.End}},
		Until:   16 * seconds,
	},
	// 43: the connection breaks between a question and its answer's end.
	"73-recogniser-lost-over-a-reply": {
		Lang: "en",
		Steps: append(asks("en", "how do I make tomato soup"),
			voicetest.Does(ms(6000), "(the recogniser is gone)", func(st *voicetest.Stage) { st.Ears.Lose() }),
			voicetest.Does(ms(7000), "(it is back)", func(st *voicetest.Stage) { st.Ears.Restore() }),
			voicetest.Says(ms(16000), "with bread", "en", half)),
		Answers: []voicetest.Answer{{Says: recipeEN + " With what?", Next: voice.Continue}, {Says: "With bread.", Next: voice.End}},
		Until:   22 * seconds,
	},
	// 44: the far recogniser goes away for good; the one on the device stands in.
	"74-far-recogniser-lost": {
		Remote: true,
		Steps: append(asks("zh", "做汤"),
			voicetest.Does(ms(4500), "(the far recogniser is gone)", func(st *voicetest.Stage) { st.Remote.Lose() }),
			voicetest.Wakes(ms(12000), "zh"),
			voicetest.Does(ms(13500), "几点了", func(st *voicetest.Stage) {
				go st.Ears.Says("几点了", "zh", half)
			})),
		Answers: []voicetest.Answer{{Says: "好的，放三碗水。", Next: voice.End}, {Says: "七点。", Next: voice.End}},
		Until:   18 * seconds,
	},
	// V6: what hears was lost over a reply and is back, or the one on the device
	// stands in: the stop word interrupts the rest of that reply.
	"76-stop-word-after-a-loss": {
		Echo: true, Lang: "en",
		Steps: append(asks("en", "how do I make tomato soup"),
			voicetest.Does(ms(5000), "(the recogniser is gone)", func(st *voicetest.Stage) { st.Ears.Lose() }),
			voicetest.Does(ms(6000), "(it is back)", func(st *voicetest.Stage) { st.Ears.Restore() }),
			voicetest.Says(ms(8000), "stop", "en", half)),
		Answers: []voicetest.Answer{{Says: recipeEN}},
		Until:   12 * seconds,
	},
	"76-stop-word-after-a-far-loss": {
		Echo: true, Remote: true,
		Steps: append(asks("zh", "番茄炒蛋怎么做"),
			voicetest.Does(ms(4700), "(the far recogniser is gone)", func(st *voicetest.Stage) { st.Remote.Lose() }),
			voicetest.Does(ms(6000), "停 (300ms)", func(st *voicetest.Stage) {
				go st.Ears.Says("停", "zh", 300*time.Millisecond)
			})),
		Answers: []voicetest.Answer{{Says: recipeZH}},
		Until:   16 * seconds,
	},
}

// What owners of such devices complain about, as far as the session has a hand
// in it (field-reports.md): V5 (a reply begins early, or is announced), V6
// (interrupting and false alarms), V7 (two rules of endpointing, noise, one
// breath, its own voice), V3 and R41 (what ends a talk), V8 (losses).
func TestComplaints(t *testing.T) {
	for _, set := range []map[string]voicetest.Script{interruptions, endpoints, talks, failures} {
		for name, script := range set {
			t.Run(name, func(t *testing.T) {
				var got string
				synctest.Test(t, func(t *testing.T) { got = voicetest.Play(t, script) })
				golden(t, name, got)
			})
		}
	}
}

// V5: a reply that comes while the filler sounds does not wait for its end.
func TestFillerGivesWay(t *testing.T) {
	out := play(t, voicetest.Script{
		Filler: 2 * seconds, Lang: "en",
		Steps:   asks("en", "how do I make tomato soup"),
		Answers: []voicetest.Answer{{Says: "Cut four tomatoes. Then fry them.", After: 2100 * time.Millisecond, Next: voice.End}},
		Until:   10 * seconds,
	})
	has(t, out, "says     Let me see.", "  6.2", "says     Cut four tomatoes.", "⇒ \"Cut four tomatoes. Then fry them.\"")
}

// wakeCrosses: the news of a wake over a reply comes when that is over.
func wakeCrosses(next voice.Next) voicetest.Script {
	return voicetest.Script{
		Steps: append(asks("zh", "番茄炒蛋怎么做"),
			voicetest.WakesLate(ms(4400), "zh", 200*time.Millisecond), voicetest.Says(ms(7000), "几点了", "zh", 700*time.Millisecond)),
		Answers: []voicetest.Answer{{Says: "先把番茄切块，再把鸡蛋打散。", Next: next}, {Says: "七点。", Next: voice.End}},
		Until:   11 * seconds,
	}
}
