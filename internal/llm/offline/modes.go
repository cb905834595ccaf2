package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"homebot/internal/lazyregexp"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// Actions of switch_mode.
const (
	enter = "enter"
	exit  = "exit"
)

// verbs that ask for a switch (R5, R6). Which words are enough is not decided
// here but by the gate behind the tool; these only tell that a switch is meant.
var verbs = map[string][]string{
	enter: {
		"打开", "进入", "开始", "切换", "启用", "开启", "启动",
		"open", "enter", "start", "switch to", "enable", "turn on", "activate", "begin", "launch",
	},
	exit: {
		"关闭", "退出", "结束", "关掉", "停止", "离开",
		"close", "exit", "leave", "end", "quit", "stop", "turn off", "finish",
	},
}

// turnAround brings "turn cooking mode on" into the order of the verbs.
var turnAround = lazyregexp.New(`\bturn ((?:[a-z']+ ){1,6}?)(on|off)\b`)

// found is a word found in a text, by bytes.
type found struct {
	from, to int
	value    string // action, or mode id
}

// modeWords answers words that name a mode, or speak of modes with a verb. ok is
// false for all others.
func (m *Model) modeWords(r llm.Request, t turn, plain string) (a reply, ok bool) {
	if askMode.MatchString(plain) && m.cfg.Active != nil {
		return ends(m.tellActive(t.lang)), true
	}
	all := m.cfg.Modes()
	if len(all) == 0 {
		return reply{}, false
	}
	plain = turnAround.ReplaceAllString(plain, "turn $2 $1")
	names, wishes := findNames(plain, all), findVerbs(plain)
	if len(names) == 0 {
		return m.hint(all, t.lang, plain, wishes)
	}
	w, ok := choose(plain, names, wishes)
	if marked, said, found := m.wishIn(t.words, clauseMarks); !ok || found && !marked.requested(said) {
		return asks(phrases.OfflineModeWords.In(t.lang, words(enter, modeOf(all, names[0].value), t.lang),
			words(exit, modeOf(all, names[0].value), t.lang))), true
	}
	if !offers(r, switchTool) {
		return ends(phrases.OfflineNoSwitch.In(t.lang)), true
	}
	a.calls = []llm.ToolCall{{
		ID: fmt.Sprintf("offline_%d", t.number), Name: switchTool, Arguments: arguments(w.action, w.mode),
	}}
	if timers, ok := m.timerCalls(r, t, m.besides(t)); ok {
		for i, c := range timers.calls {
			c.ID = fmt.Sprintf("offline_%d_timer_%d", t.number, i)
			a.calls = append(a.calls, c)
		}
	}
	return a, true
}

// askMode asks which mode is active.
var askMode = sentences(
	`(?:现在|目前|我们|我|你)*(?:是|在|处于|开着|用的是)*(?:什么|哪个|哪种|哪一个|啥)模式(?:里|中)?|(?:现在)?(?:的)?模式是(?:什么|哪个)`,
	`(?:what|which) mode (?:am i|are we|are you|is it|is this|is that)(?: in| on)?|(?:what|which) mode is (?:on|active|open|it)|what(?:'s| is) the (?:current |active )?mode`)

func (m *Model) tellActive(lang string) string {
	id := m.cfg.Active()
	if id == "" {
		return phrases.ModeNotActive.In(lang)
	}
	return phrases.OfflineActiveMode.In(lang, nameIn(modeOf(m.cfg.Modes(), id), lang))
}

// bareSwitch is a wish to switch that names no mode.
var bareSwitch = lazyregexp.New(`^(?:退出|离开|exit|leave|quit)(?: it)?(?: please|吧|一下)?$`)

// exitWhat ends what a mode is for, and does not say that it is a mode.
var exitWhat = sentences(
	`(?:退出|离开|结束|停止|关闭|关掉|不)(\p{Han}{1,8}?)`,
	`(?:exit|leave|quit|stop|end|finish|close) (?:the )?([a-z' ]{2,30}?)`)

// isStem reports whether word is the name of a mode without the word mode.
func isStem(all []Mode, word string) bool {
	return slices.ContainsFunc(all, func(m Mode) bool {
		return slices.ContainsFunc(m.Names, func(n string) bool {
			n = plain(n)
			stem := strings.TrimSuffix(strings.TrimSuffix(n, "模式"), " mode")
			return stem != n && stem == word
		})
	})
}

// unknownMode is the name of a mode after a verb, of one that does not exist.
var unknownMode = []*lazyregexp.Regexp{
	lazyregexp.New(`(?:打开|进入|开始|切换到|切换成|切换|启用|开启|启动|关闭|退出|结束|关掉|停止|离开)(?:一下|那个|一个)?([\p{Han}a-z]{1,8}?模式)`),
	lazyregexp.New(`\b(?:open|enter|start|switch to|enable|turn on|activate|begin|launch|close|exit|leave|end|quit|stop|turn off|finish) (?:up )?(?:the |a |an |my )?((?:[a-z']+ ){1,2}?mode)\b`),
}

// anyMode are words before 模式 that name none.
var anyMode = lazyregexp.New(`^(?:这个|那个|当前|现在的?|什么|哪个|所有|全部|一个|别的|其它|其他|另一个|this|that|the|current|any|which|what|another|other|a|my) ?(?:模式|mode)$`)

// hint answers somebody who speaks of a mode without naming one that exists.
func (m *Model) hint(all []Mode, lang, plain string, wishes []found) (reply, bool) {
	if w, ok := wordOf(exitWhat, plain); ok && isStem(all, w) {
		return m.hintExit(all, lang), true
	}
	speaksOfModes := strings.Contains(plain, "模式") || wordAt(plain, "mode", 0) >= 0
	if !bareSwitch.MatchString(plain) && (!speaksOfModes || len(wishes) == 0) {
		return reply{}, false
	}
	for _, u := range unknownMode {
		if f := u.FindStringSubmatch(plain); f != nil && !anyMode.MatchString(f[1]) {
			return asks(phrases.OfflineNoSuchMode.In(lang, f[1], listModes(all, lang))), true
		}
	}
	if len(wishes) == 0 || wishes[len(wishes)-1].value == exit {
		return m.hintExit(all, lang), true
	}
	return asks(phrases.ModeNeedsNameAndVerb.In(lang, words(enter, all[0], lang))), true
}

func (m *Model) hintExit(all []Mode, lang string) reply {
	leave := all[0]
	if m.cfg.Active != nil {
		id := m.cfg.Active()
		if id == "" {
			return ends(phrases.ModeNotActive.In(lang))
		}
		leave = modeOf(all, id)
	}
	return asks(phrases.ModeExitNeedsNameAndVerb.In(lang, words(exit, leave, lang)))
}

func listModes(all []Mode, lang string) string {
	var names []string
	for _, m := range all {
		names = append(names, nameIn(m, lang))
	}
	return strings.Join(names, map[bool]string{true: "、", false: ", "}[lang == phrases.Chinese])
}

func arguments(action, modeID string) string {
	raw, err := json.Marshal(struct {
		Action string `json:"action"`
		ModeID string `json:"mode_id"`
	}{action, modeID})
	if err != nil {
		panic("offline: " + err.Error()) // two strings cannot fail
	}
	return string(raw)
}

// wish is a switch that words speak of.
type wish struct {
	action, mode string
	verb         int // where the verb begins
	from, to     int // verb and name together
}

// choose pairs a verb with a name: the pair that stands closest together, a name
// after its verb before one in front of it, the later pair of equals (people
// correct themselves).
func choose(plain string, names, wishes []found) (w wish, ok bool) {
	const inFront = 3 // runes by which a name in front of its verb counts as further
	best := 1 << 30
	for _, v := range wishes {
		for _, n := range names {
			gap := 0
			switch {
			case n.from >= v.to:
				gap = utf8.RuneCountInString(plain[v.to:n.from])
			case n.to <= v.from:
				gap = utf8.RuneCountInString(plain[n.to:v.from]) + inFront
			default:
				continue // the verb is part of the name
			}
			if gap <= best {
				best, ok = gap, true
				w = wish{v.value, n.value, v.from, min(v.from, n.from), max(v.to, n.to)}
			}
		}
	}
	return w, ok
}

// findNames finds the names of modes, longest first, so that a name inside a
// longer one does not count (R7); in order of their place.
func findNames(words string, all []Mode) []found {
	var names []found
	for _, m := range all {
		for _, n := range m.Names {
			if n = plain(n); n != "" {
				names = append(names, places(words, n, m.ID)...)
			}
		}
	}
	return outermost(names)
}

func findVerbs(plain string) []found {
	var all []found
	for action, list := range verbs {
		for _, v := range list {
			all = append(all, places(plain, v, action)...)
		}
	}
	return outermost(all)
}

// places finds every occurrence of word, Latin ones as whole words.
func places(plain, word, value string) []found {
	var all []found
	for at := wordAt(plain, word, 0); at >= 0; at = wordAt(plain, word, at+len(word)) {
		all = append(all, found{at, at + len(word), value})
	}
	return all
}

// wordAt is the place of word in s at or after from, or -1.
func wordAt(s, word string, from int) int {
	for from <= len(s) {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return -1
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(word):])
		first, _ := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		if !joined(before, first) && !joined(last, after) {
			return at
		}
		from = at + len(word)
	}
	return -1
}

// joined tells whether two letters next to each other are one word.
func joined(a, b rune) bool { return inWord(a) && inWord(b) }

func inWord(r rune) bool {
	return r != utf8.RuneError && !text.IsHan(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'')
}

// outermost sorts by place and drops what lies within something longer.
func outermost(all []found) []found {
	slices.SortFunc(all, func(a, b found) int {
		if a.from != b.from {
			return a.from - b.from
		}
		if a.to != b.to {
			return b.to - a.to
		}
		return strings.Compare(a.value, b.value)
	})
	var kept []found
	for _, f := range all {
		if n := len(kept); n == 0 || f.from >= kept[n-1].to {
			kept = append(kept, f)
		}
	}
	return kept
}

func modeOf(all []Mode, id string) Mode {
	for _, m := range all {
		if m.ID == id {
			return m
		}
	}
	return Mode{ID: id}
}

// nameIn is the first name of a mode in lang, else its first name, else "".
func nameIn(m Mode, lang string) string {
	for _, n := range m.Names {
		if text.Lang(n, "") == lang {
			return n
		}
	}
	if len(m.Names) > 0 {
		return m.Names[0]
	}
	return m.ID
}

// words are the words that carry out action on a mode.
func words(action string, m Mode, lang string) string {
	if action == exit {
		return phrases.ModeExitWords.In(lang, nameIn(m, lang))
	}
	return phrases.ModeEnterWords.In(lang, nameIn(m, lang))
}
