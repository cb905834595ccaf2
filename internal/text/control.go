package text

import (
	"math"
	"slices"

	"homebot/internal/lazyregexp"
)

// Control is what words ask of the device itself.
type Control string

// Controls that words may ask for.
const (
	ControlStop   Control = "stop"   // end what is going on
	ControlRepeat Control = "repeat" // say the last reply again
	ControlMute   Control = "mute"   // turn the microphone off
)

// controlWords are whole sentences: who says one of them means the device and
// nothing else, so no model is asked. What may be an answer (够了, 可以了, enough)
// or a question about the food (再来一遍) is none.
var controlWords = map[Control][]string{
	ControlStop: {
		"停", "停停", "停一下", "停下", "停下来", "停止", "停吧", "别说了", "别再说了", "不要说了", "不用说了", "别念了", "别讲了", "安静", "闭嘴",
		"stop", "stop it", "stop stop", "stop talking", "stop that", "be quiet", "quiet", "shut up", "please stop", "stop please",
	},
	ControlRepeat: {
		"再说一遍", "再说一次", "再讲一遍", "再讲一次", "请再说一遍", "请再说一次", "再说一遍好吗", "你再说一遍", "再说一遍刚才的话", "重复一遍", "重复一下", "重说一遍", "刚才说什么", "你刚才说什么", "你刚才说了什么", "你说什么", "没听清", "我没听清", "没听清楚", "我没听清楚",
		"repeat that", "repeat that please", "please repeat that", "repeat", "repeat it", "say that again", "say it again", "say that again please", "say again", "can you repeat that", "could you repeat that", "can you say that again", "could you say that again", "what did you say", "what did you just say", "pardon", "pardon me", "come again", "one more time", "i didn't hear that", "i didn't catch that", "i didn't hear you",
	},
	ControlMute: {
		"静音", "请静音", "静音吧", "开启静音", "打开静音", "关麦克风", "关掉麦克风", "关闭麦克风", "把麦克风关掉", "把麦克风关了", "请关掉麦克风", "别听了", "不要听了",
		"mute", "mute yourself", "please mute", "mute please", "go mute", "mute the microphone", "turn off the microphone", "turn off your microphone", "turn the microphone off", "microphone off", "stop listening",
	},
}

// ControlOf is what the words ask of the device, "" when they ask for anything
// more or else. They are compared as a whole, as the gate compares (R7), without
// the wake phrase (nil: the default ones) and fillers around them.
func ControlOf(words string, wake []string) Control {
	said := plainWords(words, wake)
	for c, all := range controlWords {
		if slices.Contains(all, said) {
			return c
		}
	}
	return ""
}

// plainWords are words as whole sentences are compared.
func plainWords(words string, wake []string) string {
	return tokenize(Heard(words, "", Signals{Wake: wake})).src
}

// Volume is a loudness that words ask for: Percent, or else Steps from the
// present one.
type Volume struct {
	Percent  int // 0 to 100
	Steps    int // +1 is one step louder
	Absolute bool
	Vague    bool // "turn it down": beside a stove it may be the fire that is meant
}

// vagueVolume names no sound.
var vagueVolume = lazyregexp.New(`^` + askVolume + `(?:turn|make) (?:(?:it|that) )?(?:(?:all the way|a (?:bit|little)) )?(?:up|down)(?: a (?:bit|little))?` + thankVolume + `$`)

// volumeWords are whole sentences about the loudness. A group n is a percentage.
// Each names the sound: 大一点, half or the lowest alone answer a question about
// the fire, the portion or the oven.
var volumeWords = []struct {
	v       Volume
	pattern *lazyregexp.Regexp
}{
	{Volume{Steps: 1}, volumeSentence(
		`(?:你)?(?:再)?(?:把)?(?:声音|音量|音)(?:再)?(?:调|开|放|说|弄)?(?:的|得)?(?:大|高|响)(?:一)?(?:点|些)(?:声|儿)?|(?:再)?(?:调|开|放|说|弄)?(?:的|得)?(?:大|高|响)(?:一)?(?:点|些)(?:儿)?(?:声|声音|音量)|(?:你)?(?:再)?说(?:的|得)?(?:大|高|响)(?:一)?(?:点|些)(?:儿)?|(?:再)?响(?:一)?(?:点|些)|(?:再)?(?:说)?大(?:点|些)?声(?:一)?(?:点|些)?(?:说|儿)?|(?:声音|音量)(?:再)?(?:调)?大|(?:调大|提高|增大|加大|增加|放大)(?:一下|一点|点)?(?:声音|音量)|(?:声音|音量)(?:太小|太轻|有点小|小了)|太小声|听不见|我听不见|听不清|我听不清`,
		`(?:a (?:bit|little) )?louder|(?:speak|talk|play)(?: up| a (?:bit|little) louder| louder)|(?:turn|make) (?:it|the (?:volume|sound)|your volume|that) (?:up|louder|a (?:bit|little) (?:up|louder))(?: a (?:bit|little))?|turn up(?: the (?:volume|sound))?|(?:the )?volume up|(?:raise|increase) the volume|(?:it's |that's |you're )?too quiet|i can't hear you`)},
	{Volume{Steps: -1}, volumeSentence(
		`(?:你)?(?:再)?(?:把)?(?:声音|音量|音)(?:再)?(?:调|开|放|说|弄)?(?:的|得)?(?:小|低|轻)(?:一)?(?:点|些)(?:声|儿)?|(?:再)?(?:调|开|放|说|弄)?(?:的|得)?(?:小|低|轻)(?:一)?(?:点|些)(?:儿)?(?:声|声音|音量)|(?:你)?(?:再)?说(?:的|得)?(?:小|低|轻)(?:一)?(?:点|些)(?:儿)?|(?:再)?(?:说)?小(?:点|些)?声(?:一)?(?:点|些)?(?:说|儿)?|(?:声音|音量)(?:再)?(?:调)?小|(?:调小|降低|减小|减低|减少)(?:一下|一点|点)?(?:声音|音量)|(?:声音|音量)(?:太大|太响|有点大|大了)|太大声|太吵|太响`,
		`(?:a (?:bit|little) )?(?:quieter|softer)|(?:speak|talk|play)(?: down| (?:a (?:bit|little) )?(?:more quietly|quieter|softer|softly|quietly))|(?:turn|make) (?:it|the (?:volume|sound)|your volume|that) (?:down|quieter|softer|a (?:bit|little) (?:down|quieter|softer))(?: a (?:bit|little))?|turn down(?: the (?:volume|sound))?|(?:the )?volume down|(?:lower|decrease|reduce) the volume|(?:it's |that's |you're )?too loud|not so loud`)},
	{Volume{Percent: 100, Absolute: true}, volumeSentence(
		`(?:把)?(?:声音|音量)(?:调|开|放|设)?(?:到|成|为)?最(?:大|高|响)|最大(?:声|音量)|调到最大声`,
		`(?:set |turn |put )?(?:the |your )?volume (?:to |at )?(?:the )?(?:maximum|max|full|loudest|highest)|(?:set |turn )?(?:to |at )?(?:the )?(?:maximum|max|full|loudest|highest) volume|turn it all the way up|as loud as you can`)},
	{Volume{Percent: 50, Absolute: true}, volumeSentence(
		`(?:把)?(?:声音|音量)(?:调|开|放|设)?(?:到|成|为)?(?:一半|中间|中等)`,
		`(?:set |turn |put )?(?:the |your )?volume (?:to |at )?(?:the )?(?:half)|(?:set |turn )?(?:to |at )?(?:the )?(?:half) volume|(?:set )?(?:the )?volume (?:to |at )?medium`)},
	{Volume{Percent: 10, Absolute: true}, volumeSentence(
		`(?:把)?(?:声音|音量)(?:调|开|放|设)?(?:到|成|为)?最(?:小|低|轻)|最小(?:声|音量)|调到最小声`,
		`(?:set |turn |put )?(?:the |your )?volume (?:to |at )?(?:the )?(?:minimum|lowest|quietest)|(?:set |turn )?(?:to |at )?(?:the )?(?:minimum|lowest|quietest) volume|as quiet as you can`)},
	{Volume{Absolute: true}, volumeSentence(
		`(?:把)?(?:声音|音量)(?:调|开|放|设|改|设置|调整|调节|升|降|提高|降低)?(?:到|成|为|至)?(?:百分之)?(?P<n>[\d.]+|[零一二两三四五六七八九十百]+)`,
		`(?:set |turn |put |change |make )?(?:the |your )?volume (?:up |down )?(?:to |at )?(?P<n>[\d.]+|[a-z]+(?: [a-z]+)??)(?: percent)?`)},
}

// What may stand around the words, in both languages.
const (
	beforeVolume = `(?:请|麻烦你?|帮我|给我|能不能|可不可以|可以|能)*`
	afterVolume  = `(?:吧|好吗|行吗|可以吗|吗|呢|啊|呀|了|啦|谢谢)*`
	askVolume    = `(?:(?:please|can you|could you|would you|okay|ok) )*`
	thankVolume  = `(?: (?:please|now|thanks|thank you|again))*`
)

func volumeSentence(zh, en string) *lazyregexp.Regexp {
	return lazyregexp.New(`^(?:` + beforeVolume + `(?:` + zh + `)` + afterVolume + `|` + askVolume + `(?:` + en + `)` + thankVolume + `)$`)
}

// ParseVolume reads words that ask for a loudness and nothing else: 大声点,
// 音量调到三十, volume fifty.
func ParseVolume(words string) (Volume, bool) {
	said := plainWords(words, nil)
	for _, w := range volumeWords {
		m := w.pattern.FindStringSubmatch(said)
		if m == nil {
			continue
		}
		i := w.pattern.SubexpIndex("n")
		if i < 0 {
			w.v.Vague = vagueVolume.MatchString(said)
			return w.v, true
		}
		for _, n := range m[1:] {
			if n == "" {
				continue
			}
			if v, ok := Number(n); ok && v >= 0 && v <= 100 {
				return Volume{Percent: int(math.Round(v)), Absolute: true}, true
			}
		}
	}
	return Volume{}, false
}

// aboutVolume marks words that may ask for a loudness, or speak of one.
var aboutVolume = lazyregexp.New(`音量|声音|大声|小声|大点声|小点声|\b(volume|loud|louder|quiet|quieter|softer|turn it (up|down))\b`)

// NamesVolume reports whether words have to do with the loudness.
func NamesVolume(words string) bool { return aboutVolume.MatchString(plainWords(words, nil)) }
