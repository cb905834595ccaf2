package modes

import (
	"slices"
	"strings"
	"sync"

	"homebot/internal/text"
)

// gateTable holds the words of one language that the gate knows: data, one
// table a language (R5). They are written as one speaks and compared in the
// form of R7. Lists named "our" hold what the specification does not name; they
// only ever make the gate refuse.
type gateTable struct {
	enter    []string // R5
	exit     []string // R6
	switchTo []string // R11: those of enter that may replace an active mode
	say      gateSay  // R3: the words that would work

	articles []string // R7: ignored before a name; before a verb it is a noun, after it another object
	negators []string // R13
	light    []string // R13: may stand between negator and verb
	takenOut []string // R13: sound like a negation and are none
	between  []string // R13: may stand between a verb and the name after it
	also     []string // R13: with light, may stand between a name and the verb after it
	again    []string // R11: begin anew

	ourNegators []string
	ourLight    []string
	ourTakenOut []string // words that only contain a negator
	ourBetween  []string
	notBefore   []string // 要不 is "or else" except after these
	asking      []string // before a verb: a question about it, no request
	reporting   []string // after a verb, last in its clause: it tells what is, no request
	weakEnter   []string // verbs too short to ask with; only their negation counts
	weakExit    []string
	particles   []string // may follow a verb that has no other object
	split       [][2]string
	keeping     map[string][]string // verb → words after the name that turn it round
	adjectives  []string            // verbs that are adjectives after the copula
	copulas     []string
	copulaGap   []string // may stand between the two, beside names
	fillers     []string // may come before what takes a request back
	dropEnter   []string // take an enter back, as a clause of their own after it
	dropExit    []string // the same for an exit
	dropLast    []string // take either back, at the very end only
}

// gateSay are the verbs of the words that would work, to be put before a name.
type gateSay struct{ enter, exit string }

var gateChinese = gateTable{
	enter:    []string{"打开", "进入", "开始", "切换", "启用", "开启", "启动"},
	exit:     []string{"关闭", "退出", "结束", "关掉", "停止", "离开"},
	switchTo: []string{"切换"},
	say:      gateSay{enter: "打开", exit: "退出"},
	negators: []string{
		"不", "没", "没有", "别", "先别", "别再", "不要", "不用", "不想", "不打算", "不准", "不许",
		"不必", "不能", "不是", "没说", "不可以", "不需要", "甭", "勿",
	},
	light: []string{"给我", "帮我", "再", "先", "就", "现在", "马上", "急着", "把", "去", "想", "要", "给", "你"},
	takenOut: []string{
		"别忘", "别忘了", "别忘记", "不要忘", "不要忘了", "不要忘记", "不能忘", "不能忘了", "不能忘记",
		"能不能", "可不可以", "可不可", "要不要", "是不是", "用不用", "会不会", "行不行", "好不好",
		"要不", "不如", "不妨", "不得不", "不好意思", "不错", "差不多",
	},
	between: []string{"到", "了", "一下", "那个"},
	also:    []string{"可以", "也"},
	again:   []string{"重新"},

	ourNegators: []string{
		"没想", "没要", "没说过", "没让", "没叫", "没打算", "没有打算", "没准备", "不准备", "没必要",
		"没有必要", "不会", "不该", "不应该", "不愿", "不愿意", "不肯", "不可", "不小心", "不同意", "不允许",
		"不建议", "不希望", "不喜欢", "用不着", "犯不着", "不可能", "不至于", "没到", "懒得", "禁止", "拒绝", "避免", "防止", "无需", "无须",
		"莫", "误", "已经", "刚刚", "刚才",
	},
	ourLight: []string{
		"让", "让我", "让你", "让他", "让她", "让它", "叫我", "叫你", "给他", "给她", "替我", "立刻",
		"立即", "自动", "自己", "随便", "随意", "擅自", "乱", "老", "总", "又", "再次", "重新", "继续", "着急",
		"忙着", "这么快", "那么快", "太早", "提前", "直接", "主动", "突然", "真的", "真", "太", "很", "每次",
		"今天", "今晚", "一直", "随时", "轻易",
	},
	ourTakenOut: []string{"特别", "分别", "识别"},
	ourBetween:  []string{"这个", "给我", "回", "成", "为", "下", "你的", "我的", "我们的", "咱们的"},
	notBefore:   []string{"只", "想", "需", "主", "重", "不"},
	asking:      []string{"怎么", "怎样", "如何", "怎么样", "为什么", "为啥", "干嘛", "谁", "什么时候"},
	reporting:   []string{"着", "着呢", "着吗", "不了", "干嘛", "干吗", "干什么", "做什么", "干啥", "了吗", "了没", "了没有", "没有"},
	weakEnter:   []string{"开", "进"},
	weakExit:    []string{"关", "停", "退"},
	particles: []string{
		"了", "吧", "啦", "吗", "啊", "呀", "呢", "哈", "哦", "嘛", "一下", "下", "它", "这个", "那个", "现在",
		"马上", "给我", "帮我", "一遍", "谢谢", "好吗", "可以吗", "行吗", "之后", "以后", "然后", "后", "再",
		"就", "先", "重新",
	},
	fillers:   []string{"哦", "啊", "呃", "嗯", "唉", "哎", "哎呀", "还是", "那", "就", "吧"},
	dropEnter: []string{"算了", "不用了", "不要了", "还是算了", "还是别了", "还是不要了", "别了", "不开了", "取消"},
	dropExit:  []string{"还是别了", "取消"},
	dropLast:  []string{"不", "不不", "不对", "不是", "先别", "先不", "别", "等等", "等一下", "等会", "等会儿", "开玩笑", "开玩笑的"},
}

var gateEnglish = gateTable{
	enter:    []string{"open", "enter", "start", "switch to", "enable", "turn on", "activate", "begin", "launch"},
	exit:     []string{"close", "exit", "leave", "end", "quit", "stop", "turn off", "finish"},
	switchTo: []string{"switch to"},
	say:      gateSay{enter: "open ", exit: "exit "},
	articles: []string{"the", "a", "my"},
	negators: []string{"don't", "do not", "never", "can't", "cannot", "won't", "not"},
	light:    []string{"please", "ever", "yet", "just", "to", "you"},
	takenOut: []string{
		"don't forget", "don't forget to", "do not forget", "do not forget to", "never mind",
		"don't worry", "do not worry", "why don't you", "can't you", "won't you",
	},
	again: []string{"again", "over"},

	ourNegators: []string{
		"doesn't", "didn't", "isn't", "wasn't", "aren't", "shouldn't", "wouldn't", "couldn't", "mustn't",
		"needn't", "haven't", "hasn't", "hadn't", "no need", "no reason", "without", "instead of",
		"rather than", "refuse", "avoid", "neither", "nor",
	},
	ourLight: []string{
		"want", "wanna", "need", "have", "going", "gonna", "let", "let it", "let's", "us", "me", "i", "intend",
		"wish", "try", "like", "plan", "mean", "meant", "say", "said", "saying", "ask", "asked", "asking", "tell",
		"told", "telling", "supposed", "ready", "about", "really", "actually", "also", "go",
		"go ahead and", "re", "again", "over", "even", "be", "dare", "accidentally", "automatically", "immediately",
		"suddenly", "soon", "too", "think", "we", "should", "under any circumstances",
	},
	ourBetween: []string{"up", "our", "your", "this", "that", "into", "back", "me"},
	asking:     []string{"how do i", "how do you", "how do we", "how to", "how can i", "how can you", "how can we", "why did you", "when did you", "did you", "did i", "does", "if i", "if you", "if we"},
	particles: []string{
		"it", "now", "please", "again", "over", "all", "once", "up", "right", "for me", "ok", "okay", "thanks", "thank you",
		"then", "that", "this", "and", "and then", "first", "just",
	},
	split:      [][2]string{{"turn", "on"}, {"turn", "off"}},
	keeping:    map[string][]string{"leave": {"on", "open", "running", "active", "enabled", "alone", "as", "be"}},
	adjectives: []string{"open"},
	copulas:    []string{"is", "are", "was", "were", "isn't", "be", "been", "being", "keep", "stay", "stays"},
	copulaGap:  []string{"still", "already", "now", "currently"},
	fillers:    []string{"oh", "uh", "um", "well", "but", "sorry", "actually", "please", "ok", "okay", "then"},
	dropEnter:  []string{"never mind", "forget it", "cancel", "cancel that", "scratch that", "forget that"},
	dropExit:   []string{"never mind", "forget it", "cancel that", "scratch that", "forget that"},
	dropLast: []string{
		"no", "nope", "don't", "no don't", "don't do it", "do not", "not now", "not yet", "no thanks",
		"no wait", "wait", "wait no", "hold on", "just kidding",
	},
}

// The two actions of switch_mode (R3).
const (
	gateEnter = "enter"
	gateExit  = "exit"
)

// gateLexicon is all tables in the form of R7, ready to be looked up.
type gateLexicon struct {
	verbs, weak, drop   map[string]gateSet // by action
	keeping             map[string]gateSet // by verb
	switchTo, again     gateSet
	articles            gateSet
	negators, light     gateSet
	takenOut, notBefore gateSet
	between, back       gateSet
	asking, reporting   gateSet
	particles, fillers  gateSet
	adjectives, copulas gateSet
	copulaGap, dropLast gateSet
	split               [][2]string
}

// gateLexiconOnce builds the lexicon at the first use; it never changes.
var gateLexiconOnce = sync.OnceValue(func() *gateLexicon {
	zh, en := &gateChinese, &gateEnglish
	l := &gateLexicon{
		verbs: map[string]gateSet{
			gateEnter: newGateSet(zh.enter, en.enter),
			gateExit:  newGateSet(zh.exit, en.exit),
		},
		weak: map[string]gateSet{
			gateEnter: newGateSet(zh.weakEnter, en.weakEnter),
			gateExit:  newGateSet(zh.weakExit, en.weakExit),
		},
		drop: map[string]gateSet{
			gateEnter: newGateSet(zh.dropEnter, en.dropEnter),
			gateExit:  newGateSet(zh.dropExit, en.dropExit),
		},
		keeping:    map[string]gateSet{},
		switchTo:   newGateSet(zh.switchTo, en.switchTo),
		again:      newGateSet(zh.again, en.again),
		articles:   newGateSet(zh.articles, en.articles),
		negators:   newGateSet(zh.negators, zh.ourNegators, en.negators, en.ourNegators),
		light:      newGateSet(zh.light, zh.ourLight, en.light, en.ourLight),
		takenOut:   newGateSet(zh.takenOut, zh.ourTakenOut, en.takenOut, en.ourTakenOut),
		notBefore:  newGateSet(zh.notBefore, en.notBefore),
		between:    newGateSet(zh.between, zh.ourBetween, en.between, en.ourBetween),
		back:       newGateSet(zh.light, zh.also, en.light, en.also),
		asking:     newGateSet(zh.asking, en.asking),
		reporting:  newGateSet(zh.reporting, en.reporting),
		particles:  newGateSet(zh.particles, en.particles),
		fillers:    newGateSet(zh.fillers, en.fillers),
		adjectives: newGateSet(zh.adjectives, en.adjectives),
		copulas:    newGateSet(zh.copulas, en.copulas),
		copulaGap:  newGateSet(zh.copulaGap, en.copulaGap),
		dropLast:   newGateSet(zh.dropLast, en.dropLast),
		split:      append(slices.Clone(zh.split), en.split...),
	}
	for _, t := range []*gateTable{zh, en} {
		for verb, after := range t.keeping {
			l.keeping[verb] = newGateSet(after)
		}
	}
	return l
})

// gateSet is a set of phrases, each a sequence of words, found by its first and
// by its last word.
type gateSet struct {
	first, last map[string][][]string
}

func newGateSet(lists ...[]string) gateSet {
	s := gateSet{first: map[string][][]string{}, last: map[string][][]string{}}
	for _, list := range lists {
		for _, phrase := range list {
			w := gateWordsOf(phrase)
			f, l := w[0], w[len(w)-1]
			s.first[f] = append(s.first[f], w)
			s.last[l] = append(s.last[l], w)
		}
	}
	return s
}

// longest returns how many of n words the longest phrase at their start has, 0
// if there is none. word gives the k-th of them.
func (s gateSet) longest(n int, word func(k int) string) int {
	best := 0
	if n == 0 {
		return 0
	}
	for _, p := range s.first[word(0)] {
		if len(p) > best && len(p) <= n && matchesWords(p, word) {
			best = len(p)
		}
	}
	return best
}

func matchesWords(phrase []string, word func(k int) string) bool {
	for k, w := range phrase {
		if word(k) != w {
			return false
		}
	}
	return true
}

// has reports whether the words joined by blanks are a phrase of the set.
func (s gateSet) has(joined string) bool {
	first, _, _ := strings.Cut(joined, " ")
	return slices.ContainsFunc(s.first[first], func(p []string) bool {
		return strings.Join(p, " ") == joined
	})
}

// gateWordsOf is a phrase in the words of the gate.
func gateWordsOf(phrase string) []string {
	var words []string
	for _, t := range gateTokens(text.Normalize(phrase)) {
		words = append(words, t.word)
	}
	return words
}
