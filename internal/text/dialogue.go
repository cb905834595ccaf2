package text

import (
	"slices"
	"strings"
	"unicode"
)

// dismissals end a talk, and nothing else: whoever says one wants nothing any
// more (V3 names 算了, 没事了, never mind). What may be the answer to a question
// (不用了, no thanks, 就这样) is none.
var dismissals = []string{
	"算了", "算了吧", "算啦", "还是算了", "那算了", "没事了", "没事", "没事儿", "没事儿了", "没什么", "没什么了", "没什么事", "没什么事了",
	"当我没说", "不说了", "不问了", "退下", "退下吧",
	"never mind", "nevermind", "never mind that", "forget it", "forget about it", "it's nothing", "oh never mind", "it's okay never mind",
}

// hushes ask for silence while the device speaks. Not all that ends a ring does:
// 知道了 or got it may be said to somebody else while a recipe is read out.
var hushes = []string{
	"停", "停停", "停一下", "停下", "停下来", "停止", "停吧", "别说了", "别再说了", "不要说了", "不用说了", "别念了", "别讲了", "别吵了", "安静", "闭嘴", "可以了", "够了",
	"stop", "stop it", "stop stop", "stop talking", "stop that", "be quiet", "quiet", "shut up", "hush", "enough", "that's enough", "okay stop", "ok stop", "please stop", "stop please",
}

// Asides are what a recogniser of set phrases should know of these, beside what
// the offline answers list.
func Asides(lang string) []string {
	if lang == Chinese {
		return []string{"停止", "别说了", "没事了"}
	}
	return []string{"be quiet", "stop talking", "forget it"}
}

// shortAnswers are complete although short. A bare 好, 要, yes or okay is often
// followed by more, after a breath.
var shortAnswers = []string{
	"是的", "对的", "不用了", "不要了", "没有了", "谢谢", "谢谢你", "继续", "下一步", "再说一遍",
	"yes please", "no thanks", "no thank you", "thanks", "thank you", "go on", "next step", "say that again",
}

// IsDismissal reports whether words end the talk and say nothing else: 算了,
// 没事了, never mind. The wake phrase and fillers may stand before them.
func IsDismissal(words string, wake []string) bool { return isOneOf(words, wake, dismissals) }

// IsHush reports whether words ask for silence and nothing else: 停, 别说了, be
// quiet.
func IsHush(words string, wake []string) bool { return isOneOf(words, wake, hushes) }

// IsComplete reports whether words are a short answer, a hush or a dismissal, of
// which no more is to be expected.
func IsComplete(words string) bool {
	return isOneOf(words, nil, shortAnswers) || isOneOf(words, nil, hushes) || isOneOf(words, nil, dismissals)
}

func isOneOf(words string, wake, list []string) bool {
	return slices.Contains(list, Bare(Heard(words, "", Signals{Wake: wake})))
}

// Bare is the form in which whole phrases are compared: normalized, without
// marks, white space only between Latin words.
func Bare(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' {
			return r
		}
		return ' '
	}, Normalize(s))
	return JoinHan(strings.Join(strings.Fields(s), " "))
}

// CutWake takes a wake phrase off the beginning of a transcript and says which
// one it was; "" for none. nil are the default ones.
func CutWake(s string, wake []string) (rest, phrase string) {
	if wake == nil {
		wake = defaultWake
	}
	s = readable(s)
	for _, w := range wake {
		if rest, ok := cutWords(s, w); ok {
			return rest, w
		}
	}
	return s, ""
}

// AfterWake is what follows the wake phrase that raw begins with, unchanged: a
// tail of raw. Without one, or when nothing follows, it is raw.
func AfterWake(raw string, wake []string) string {
	if wake == nil {
		wake = defaultWake
	}
	for _, w := range wake {
		if rest, ok := cutWords(raw, w); ok && rest != "" {
			return rest
		}
	}
	return raw
}

// openEnds are last words after which more must come. They are read in this
// order: longer ones first.
var openEnds = map[string][]string{
	Chinese: {
		"然后呢就", "然后", "还有", "那个", "这个", "就是", "就是说", "以及", "或者", "还是", "因为", "所以", "但是", "不过", "如果", "要是", "比如", "比如说",
		"接着", "首先", "其次", "最后", "等一下", "我想", "我要", "我想要", "帮我", "请", "请你", "把", "给", "和", "跟", "与", "再", "在", "从", "到", "用", "加", "放", "先", "对了",
		"嗯", "呃", "额", "啊那个", "第一", "第二", "第三", "大概", "差不多",
	},
	English: {
		"and then", "and", "or", "but", "then", "so", "because", "if", "when", "um", "uh", "er", "erm", "hmm", "like", "well", "also", "plus", "with", "without",
		"of", "for", "to", "in", "on", "at", "by", "from", "into", "about", "the", "a", "an", "my", "your", "our", "some", "i", "i want", "i need", "i would like", "i'd like",
		"please", "let me", "let's", "can you", "could you", "set", "add", "put", "is", "are", "that", "which", "first", "second", "finally", "next we", "you know", "i mean",
	},
}

// talkOpeners begin long talk, however short they are themselves.
var talkOpeners = []string{
	"记一个菜谱", "记个菜谱", "记一下", "记下来", "帮我记", "我来念", "我念给你", "我给你念", "我跟你说", "听我说", "让我想想", "我想想",
	"take a note", "take this down", "write this down", "note this", "let me read", "i'll read", "i will read", "listen to this", "let me think", "let me tell you",
}

// OpensTalk reports whether words begin as somebody does who dictates, reads out
// or thinks aloud.
func OpensTalk(words string) bool {
	bare := Bare(words)
	return slices.ContainsFunc(talkOpeners, func(o string) bool { return strings.HasPrefix(bare, o) })
}

// aloneComplete are open ends that are an answer when nothing else is said.
var aloneComplete = []string{"还是", "嗯", "please", "再", "加", "放", "先", "first", "second", "第一", "第二", "第三", "最后", "finally"}

// Unfinished reports whether the words of a partial transcript look as if more
// were to come: they end in a connective, a filler, a comma, or a number without
// its unit. A number alone is an answer.
func Unfinished(words string) bool {
	words = strings.TrimSpace(words)
	if strings.HasSuffix(words, "，") || strings.HasSuffix(words, ",") || strings.HasSuffix(words, "、") || strings.HasSuffix(words, "…") {
		return true
	}
	bare := Bare(words)
	lang := Lang(lastRune(bare), English)
	for _, end := range openEnds[lang] {
		before, ok := strings.CutSuffix(bare, end)
		if !ok || lang == English && before != "" && !strings.HasSuffix(before, " ") {
			continue
		}
		if before == "" {
			return !slices.Contains(aloneComplete, end)
		}
		return true
	}
	return endsInNumber(bare)
}

func lastRune(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return ""
	}
	return string(r[len(r)-1:])
}

const hanNumerals = "零〇一二两三四五六七八九十百千万半"

var numberWords = strings.Fields("one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred half")

// endsInNumber: a number stands last, and something that is none before it.
func endsInNumber(bare string) bool {
	rest := strings.TrimRightFunc(bare, func(r rune) bool {
		return unicode.IsDigit(r) || unicode.IsSpace(r) || strings.ContainsRune(hanNumerals, r)
	})
	if rest != bare {
		return rest != "" && !strings.HasSuffix(rest, "第")
	}
	words := strings.Fields(bare)
	n := len(words)
	for n > 0 && slices.Contains(numberWords, words[n-1]) {
		n--
	}
	return n > 0 && n < len(words)
}

// Echo says how much of heard was in spoken, 0 to 1: the share of its units (a
// Han character, a Latin word or number) that occur there in order and close
// together. n is how many units heard has. A recogniser that hears a loudspeaker
// gets some of them wrong.
func Echo(heard, spoken string) (share float64, n int) {
	h, s := units(heard), units(spoken)
	if len(h) == 0 {
		return 0, 0
	}
	window := len(h) + len(h)/2 + 1
	best := 0
	for from := range s {
		best = max(best, common(h, s[from:min(from+window, len(s))]))
		if best == len(h) {
			break
		}
	}
	return float64(best) / float64(len(h)), len(h)
}

// maxUnits bounds the work of Echo: half a minute of speech.
const maxUnits = 120

func units(s string) []string {
	var out []string
	for _, w := range strings.Fields(Bare(s)) {
		from := 0
		for i, r := range w {
			if IsHan(r) {
				if i > from {
					out = append(out, w[from:i])
				}
				out = append(out, string(r))
				from = i + len(string(r))
			}
		}
		if from < len(w) {
			out = append(out, w[from:])
		}
	}
	return out[max(0, len(out)-maxUnits):]
}

// common is the length of the longest common subsequence.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
