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
	all := m.cfg.Modes()
	if len(all) == 0 {
		return reply{}, false
	}
	plain = turnAround.ReplaceAllString(plain, "turn $2 $1")
	names, wishes := findNames(plain, all), findVerbs(plain)
	if len(names) == 0 {
		return hint(all[0], t.lang, plain, wishes)
	}
	verb, mode, ok := choose(plain, names, wishes)
	if !ok {
		return asks(phrases.OfflineModeWords.In(t.lang, words(enter, modeOf(all, names[0].value), t.lang),
			words(exit, modeOf(all, names[0].value), t.lang))), true
	}
	if !offers(r, switchTool) {
		return ends(phrases.OfflineNoSwitch.In(t.lang)), true
	}
	return reply{calls: []llm.ToolCall{{
		ID: fmt.Sprintf("offline_%d", t.number), Name: switchTool, Arguments: arguments(verb, mode),
	}}}, true
}

// bareSwitch is a wish to switch that names no mode.
var bareSwitch = lazyregexp.New(`^(?:退出|离开|exit|leave|quit)(?: it)?$`)

// hint tells the words that would work to somebody who speaks of a mode without
// naming one that exists.
func hint(first Mode, lang, plain string, wishes []found) (reply, bool) {
	speaksOfModes := strings.Contains(plain, "模式") || wordAt(plain, "mode", 0) >= 0
	if !bareSwitch.MatchString(plain) && (!speaksOfModes || len(wishes) == 0) {
		return reply{}, false
	}
	if wishes[len(wishes)-1].value == exit {
		return asks(phrases.ModeExitNeedsNameAndVerb.In(lang, words(exit, first, lang))), true
	}
	return asks(phrases.ModeNeedsNameAndVerb.In(lang, words(enter, first, lang))), true
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

// choose pairs a verb with a name: the pair that stands closest together, a name
// after its verb before one in front of it, the later pair of equals (people
// correct themselves).
func choose(plain string, names, wishes []found) (action, mode string, ok bool) {
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
				best, action, mode, ok = gap, v.value, n.value, true
			}
		}
	}
	return action, mode, ok
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

// tellSwitch says what the tool did, and nothing that it did not do (R8, V9).
func (m *Model) tellSwitch(t turn) reply {
	s := *t.switched
	if !s.OK {
		return m.tellRefusal(t.lang, s)
	}
	sentence := s.Note
	if sentence == "" {
		name := s.DisplayName
		if s.ModeID != "" {
			name = nameIn(modeOf(m.cfg.Modes(), s.ModeID), t.lang)
		}
		sentence = phrases.ModeEntered.In(t.lang, name)
		if s.Action == exit {
			sentence = phrases.ModeWillEnd.In(t.lang, name)
		}
	}
	said := phrases.OfflineDone.In(t.lang, lowerFirst(sentence))
	if s.Say != "" { // the mode's own line
		said += " " + s.Say
		if isQuestion(s.Say) {
			return asks(said)
		}
	}
	return ends(said)
}

func (m *Model) tellRefusal(lang string, s switched) reply {
	switch {
	case s.Reason == "negated":
		return ends(phrases.ModeNegated.In(lang, nameIn(modeOf(m.cfg.Modes(), s.ModeID), lang)))
	case s.Say == "" && s.Reason == "not_active":
		return ends(phrases.ModeNotActive.In(lang))
	case s.Say == "":
		return ends(phrases.OfflineNotSwitched.In(lang))
	case strings.ContainsAny(s.Say[len(s.Say)-1:], ".!?") || strings.HasSuffix(s.Say, "。") || strings.HasSuffix(s.Say, "！"):
		return ends(s.Say) // a sentence by itself
	case s.Reason == "other_active":
		return asks(phrases.OfflineOtherActive.In(lang, s.Say))
	case s.Action == exit:
		return asks(phrases.ModeExitNeedsNameAndVerb.In(lang, s.Say))
	}
	return asks(phrases.ModeNeedsNameAndVerb.In(lang, s.Say))
}

// lowerFirst makes an English sentence go on after a comma.
func lowerFirst(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}
