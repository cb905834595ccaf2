package offline

import (
	"strings"

	"homebot/internal/lazyregexp"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// plain is the form in which words are compared: normalised, without punctuation
// (but with apostrophes), without white space at Chinese characters.
func plain(s string) string { return plainBut(s, "") }

// ask is a kind of question that has an answer here.
type ask string

const (
	askTime   ask = "time"
	askDate   ask = "date"
	askRepeat ask = "repeat"
	askHelp   ask = "help"
	askThanks ask = "thanks"
	askStop   ask = "stop"
)

// What may stand before and after a question without changing it. The whole
// sentence must be understood: 饭几点能好 asks for no clock.
const (
	leadZH = `(?:请问|请|那个|那|嗯|呃|哎|喂|你好小厨|你好|小厨|麻烦你|麻烦|好的|好|帮我|告诉我|给我|查一下|查下|看一下|看下|看看|说说|我想知道|你知道|知道|能不能|能|可以|可不可以)*`
	tailZH = `(?:了|呢|啊|呀|啦|吧|吗|嘛|一下|好吗|行吗|可以吗|谢谢你|谢谢|现在)*`
	leadEN = `(?:(?:hey home bot|home bot|homebot|hey|hi|hello|okay|ok|please|so|um|uh|well|oh|sorry|excuse me|can you|could you|would you|will you|do you know|tell me|let me know|i want to know|i'd like to know|just|and|now|yes|no) )*`
	tailEN = `(?: (?:please|now|right now|currently|thanks|thank you|home bot|homebot|for me|to me|today|again))*`
)

// asked is the table of what is understood. Each pattern is a whole sentence
// without lead and tail; the first one that fits counts.
var asked = []struct {
	kind    ask
	pattern *lazyregexp.Regexp
}{
	{askTime, sentences(
		`(?:现在|目前|这会儿|此刻|今天)*(?:是|到)?(?:几点钟|几点几分|几点|什么时间|什么时候|多少点)`,
		`(?:现在|目前)?的?(?:时间|报时|报一下时间|报个时|报下时间)(?:是多少|是几点|是)?`,
		`what time (?:is it|it is|do we have)|what(?:'s| is) the (?:current )?time|(?:what )?(?:the )?(?:current )?time`)},
	{askDate, sentences(
		`(?:今天|明天|后天|昨天|现在)?(?:是)?(?:几月几号|几月几日|几月份几号|几号|几日|多少号|什么日子|的?日期|哪一天|哪天)(?:是多少|是)?(?:星期几|周几)?`,
		`(?:今天|明天|后天|昨天|现在)?(?:是)?(?:星期几|周几|礼拜几)`,
		`what(?:'s| is)? (?:the )?(?:today's |tomorrow's |current )?(?:date|day)(?: of the week)?(?: is it| it is| is| was it| was)?(?: today| tomorrow| yesterday| the day after tomorrow)?`,
		`what(?:'s| is| was)? (?:today|tomorrow|yesterday)(?:'s date)?|(?:today's|tomorrow's|the) date|date`)},
	{askRepeat, sentences(
		`(?:(?:你)?再|重新)(?:说|讲|念|读|重复|来)(?:一遍|一次|一下|一回|遍|次)?(?:刚才的话|刚才那句|上一句|刚才说的)?`,
		`(?:请)?重复(?:一遍|一次|一下)?(?:你)?(?:刚才的话|刚才说的话|刚才说的|刚才那句|上一句|这句)?`,
		`(?:你)?(?:刚才|刚刚)?(?:说|讲)(?:的是|的|了|的是些)?(?:什么|啥)`,
		`(?:对不起|不好意思)?(?:我)?(?:刚才)?没(?:有)?听(?:清楚|清|见|到|明白|懂)`,
		`(?:repeat|say)(?: that| it| this| what you said| what you just said| the last (?:one|thing|answer|sentence|reply))?(?: again| once more| one more time)?`,
		`what did you (?:just )?say|what was that|pardon(?: me)?|come again|once more|one more time|(?:sorry )?i didn't (?:hear|catch|get) (?:that|you|it)`)},
	{askHelp, sentences(
		`帮助|帮帮我|救命|使用说明|说明|怎么用|怎么用你|(?:你)?有(?:什么|哪些|啥)(?:功能|本事|用)|你是谁|你好`,
		`(?:你)?(?:现在)?(?:都|还)?(?:能|会|可以)(?:帮我)?(?:做|干|帮|说|办)?(?:些|点)?(?:什么|啥|哪些事|哪些)(?:事|事情)?|我(?:能|可以|该)(?:对你)?(?:说|问)(?:些|点)?(?:什么|啥)`,
		`help(?: me)?|what (?:else )?can (?:you do|i say|i ask|you help(?: me)? with)(?: you)?|what do you do|what are you able to do|how (?:do|can) i use (?:you|this)|who are you|hello|hi`)},
	{askThanks, sentences(
		`(?:多谢|谢谢|谢了|感谢)(?:你|您|啦|哦|小厨)?`,
		`thanks(?: a lot| so much)?|thank you(?: very much| so much)?|cheers`)},
	{askStop, sentences(
		`(?:还是)?算了|不用|不用说|没事|没事儿|没什么|没有|停|停下|停下来|停止|别说|别说话|不要|取消|闭嘴|安静|够|好|好的|行|嗯|再见|拜拜|晚安|不|结束|没别的`,
		`stop(?: it| talking| that)?|never mind|nevermind|cancel(?: that| it)?|forget it|that's all|that's it|that is all|be quiet|quiet|shut up|(?:no )?thank you|no thanks|goodbye|good bye|bye(?: bye)?|good night|enough|nothing|okay|ok|yes|no|all right|alright|fine`)},
}

// sentences makes one pattern of alternatives in one or both languages. What is
// caught in them is without the tail, whichever language that is in.
func sentences(alternatives ...string) *lazyregexp.Regexp {
	either := `(?:` + strings.Join(alternatives, "|") + `)`
	return lazyregexp.New(`^` + leadZH + leadEN + either + tailZH + tailEN + `$`)
}

// askedFor finds what plain words ask for, "" when nothing here answers them.
func askedFor(plain string) ask {
	for _, a := range asked {
		if a.pattern.MatchString(plain) {
			return a.kind
		}
	}
	if text.IsStop(plain) {
		return askStop // nothing rings, or the agent would have ended it
	}
	return ""
}

// dayAsked is the day that a question after the date means.
func dayAsked(plain string) (sentence phrases.Phrase, days int) {
	switch {
	case strings.Contains(plain, "后天"), strings.Contains(plain, "day after tomorrow"):
		return phrases.OfflineDayAfter, 2
	case strings.Contains(plain, "明天"), strings.Contains(plain, "tomorrow"):
		return phrases.OfflineTomorrow, 1
	case strings.Contains(plain, "昨天"), strings.Contains(plain, "yesterday"):
		return phrases.OfflineYesterday, -1
	}
	return phrases.OfflineToday, 0
}

// Phrase is one set phrase that a closed-grammar recogniser should know. Phrases
// of one Kin mean the same and may sound alike.
type Phrase struct{ Text, Lang, Kin string }

// Phrases lists the set phrases understood in lang, "zh" or "en". Those that
// switch a mode are not among them: the modes declare their own.
func Phrases(lang string) []Phrase {
	var list []Phrase
	for _, p := range setPhrases {
		if p.Lang == lang {
			list = append(list, p)
		}
	}
	return list
}

var setPhrases = []Phrase{
	{"现在几点了", text.Chinese, string(askTime)},
	{"现在几点", text.Chinese, string(askTime)},
	{"几点了", text.Chinese, string(askTime)},
	{"今天几号", text.Chinese, string(askDate)},
	{"今天星期几", text.Chinese, string(askDate)},
	{"明天星期几", text.Chinese, string(askDate)},
	{"再说一遍", text.Chinese, string(askRepeat)},
	{"重复一下", text.Chinese, string(askRepeat)},
	{"你刚才说什么", text.Chinese, string(askRepeat)},
	{"你能做什么", text.Chinese, string(askHelp)},
	{"帮助", text.Chinese, string(askHelp)},
	{"谢谢", text.Chinese, string(askThanks)},
	{"不用了", text.Chinese, string(askStop)},
	{"算了", text.Chinese, string(askStop)},
	{"停下", text.Chinese, string(askStop)},
	{"what time is it", text.English, string(askTime)},
	{"what's the time", text.English, string(askTime)},
	{"what day is it", text.English, string(askDate)},
	{"what's the date", text.English, string(askDate)},
	{"repeat that", text.English, string(askRepeat)},
	{"say that again", text.English, string(askRepeat)},
	{"what did you say", text.English, string(askRepeat)},
	{"help", text.English, string(askHelp)},
	{"what can you do", text.English, string(askHelp)},
	{"thank you", text.English, string(askThanks)},
	{"thanks", text.English, string(askThanks)},
	{"never mind", text.English, string(askStop)},
	{"stop", text.English, string(askStop)},
	{"定时一分钟", text.Chinese, ""},
	{"定时三分钟", text.Chinese, ""},
	{"定时五分钟", text.Chinese, ""},
	{"定时八分钟", text.Chinese, ""},
	{"定时十分钟", text.Chinese, ""},
	{"定时十五分钟", text.Chinese, ""},
	{"定时半小时", text.Chinese, ""},
	{"还剩多久", text.Chinese, ""},
	{"取消定时", text.Chinese, ""},
	{"再加五分钟", text.Chinese, ""},
	{"别响了", text.Chinese, string(askStop)},
	{"停", text.Chinese, string(askStop)},
	{"大声点", text.Chinese, ""},
	{"小声点", text.Chinese, ""},
	{"音量最大", text.Chinese, ""},
	{"关掉麦克风", text.Chinese, ""},
	{"有什么菜谱", text.Chinese, ""},
	{"下一步", text.Chinese, ""},
	{"上一步", text.Chinese, ""},
	{"what recipes are there", text.English, ""},
	{"next step", text.English, ""},
	{"previous step", text.English, ""},
	{"louder", text.English, ""},
	{"quieter", text.English, ""},
	{"volume up", text.English, ""},
	{"volume down", text.English, ""},
	{"turn off the microphone", text.English, ""},
	{"set a timer for one minute", text.English, ""},
	{"set a timer for five minutes", text.English, ""},
	{"set a timer for ten minutes", text.English, ""},
	{"set a timer for twenty minutes", text.English, ""},
	{"set a timer for half an hour", text.English, ""},
	{"how long is left", text.English, ""},
	{"cancel the timer", text.English, ""},
	{"add five minutes", text.English, ""},
	{"stop ringing", text.English, string(askStop)},
}
