package contextmode

import (
	"strings"
	"unicode"

	"homebot/internal/lazyregexp"
	"homebot/internal/text"
)

// Words is what the user's own words say about the context profile.
type Words struct {
	Profile Profile // asked for until the conversation ends; "" none
	Restore bool    // 恢复默认: what was asked for no longer holds
	Hint    Hint    // for this turn only
}

// Hint asks for a shorter or longer reply this once. It changes no view (C3).
type Hint string

// The hints.
const (
	NoHint   Hint = ""
	Brief    Hint = "brief"    // 简单说, briefly
	Detailed Hint = "detailed" // 说详细点, in detail
)

// Line is the hint's header line, "" for NoHint.
func (h Hint) Line(lang string) string {
	switch {
	case h == Brief && lang == chinese:
		return "[简短回答]"
	case h == Brief:
		return "[answer briefly]"
	case h == Detailed && lang == chinese:
		return "[详细回答]"
	case h == Detailed:
		return "[answer in detail]"
	}
	return ""
}

// The patterns are data: verbs, names and negators of each language. In Chinese a
// verb stands directly before the name (一下 回 成 到 allowed between); English
// needs a verb before the name or "mode"/"profile" behind it. What negates the
// verb is directly before it, light words between.
var (
	zhNames = []struct {
		word    string
		profile Profile
	}{
		{"快速应答", Minimal}, {"快速回答", Minimal}, {"标准对话", Compact}, {"深度分析", Full},
	}
	zhSwitch  = lazyregexp.New(`(?:切换|切|换|改用|改|使用|用|启用|进入|打开)(?:到|成|回|为|一下)*(快速[应回]答|标准对话|深度分析)`)
	zhRestore = lazyregexp.New(`恢复(?:到|成|回|为)*默认|(?:切换|切|换|用|改)(?:到|成|回|为)+默认(?:模式|对话|上下文)?`)
	zhNegated = lazyregexp.New(`(?:不要|不用|不想|不能|不必|不是|没有|没|别|不|甭|勿|先别)(?:再|给我|帮我|先|就|现在|要|想|去|总是|老)*$`)
	// Asking about a profile, or reporting, is not asking for it.
	zhQuestion = lazyregexp.New(`^(?:模式)?(?:是什么|是啥|什么意思|干嘛|干什么|有什么|会怎么)`)

	enSwitch = lazyregexp.New(`\b(?:use|using|switch(?: back)? to|change(?: back)? to|go(?: back)? to|set|enable|turn on|give me|enter)(?: the| to| my| context| profile)* (quick answers?|fast answers?|standard(?: conversation| dialogue)?|deep analysis|in-depth analysis|minimal|compact|full)(?: (?:mode|profile|context))?(?:$|[^\w ]| please| now| from| for| and| then)`)
	enNamed  = lazyregexp.New(`\b(quick answers?|standard|deep analysis|minimal|compact|full) (?:answer )?(?:mode|profile)\b`)
	enBack   = lazyregexp.New(`\b(?:restore|reset)(?: to| the| my)* defaults?\b|\b(?:back|switch|return|go back|use) to(?: the)? default\b|\buse(?: the)? default (?:mode|profile|context)\b`)
	enNot    = lazyregexp.New(`(?:\bnot|n't|\bnever|\bdont|\bcannot|\bwithout|\bno)(?: (?:ever|please|just|to|use|want|a|the))*\s*$`)
	enAsk    = lazyregexp.New(`\b(?:what(?:'s| is| are| does)|why|how does|explain)\b[^.!,;]*$`)

	zhBrief  = lazyregexp.New(`简单(?:点|一点|些)?(?:地)?(?:说|讲|回答)|(?:说|讲|回答)得?(?:简单|简短|短|少)(?:点|一点|些|一些)|长话短说|简短(?:点|一点|些|地|回答)|简要(?:地)?(?:说|讲|回答)|一句话(?:说|讲|回答|告诉)`)
	zhDetail = lazyregexp.New(`(?:说|讲|解释|介绍|回答)得?(?:再)?(?:详细|具体|仔细|细)(?:点|一点|些|一些)|(?:详细|具体|仔细)(?:地)?(?:说|讲|解释|介绍|回答|展开)|展开(?:说|讲)`)
	enBrief  = lazyregexp.New(`\b(?:briefly|in brief|in short|in a nutshell|in (?:one|a) (?:word|sentence)|keep it (?:short|brief|simple)|(?:a |the )?short (?:answer|version)|make it (?:short|brief))\b`)
	enDetail = lazyregexp.New(`\b(?:in (?:more |full |great )?detail|more details?|at length|elaborate|thoroughly|step by step in detail)\b`)
)

// ReadWords finds in the raw words of a turn what they ask of the context
// profile. Words that are negated ask for nothing; of several the last counts.
func ReadWords(raw string) Words {
	if len(raw) > maxWords {
		raw = raw[:maxWords] // a pasted page is no command
	}
	w, s := Words{}, text.Normalize(raw)
	han := dropSpace(s)
	at := -1
	ask := func(i int, p Profile) {
		if i > at {
			at, w.Profile, w.Restore = i, p, p == ""
		}
	}
	for _, m := range zhSwitch.FindAllStringSubmatchIndex(han, -1) {
		if !zhNegated.MatchString(han[:m[0]]) && !zhQuestion.MatchString(han[m[1]:]) {
			ask(m[0], zhProfile(han[m[2]:m[3]]))
		}
	}
	for _, m := range zhRestore.FindAllStringIndex(han, -1) {
		if !zhNegated.MatchString(han[:m[0]]) {
			ask(m[0], "")
		}
	}
	readEnglish(s, ask)
	w.Hint = readHint(han, s)
	return w
}

// maxWords is far more than anybody says in one turn, in bytes.
const maxWords = 4000

func zhProfile(word string) Profile {
	for _, n := range zhNames {
		if n.word == word {
			return n.profile
		}
	}
	return ""
}

func readEnglish(s string, ask func(int, Profile)) {
	for _, pattern := range []*lazyregexp.Regexp{enSwitch, enNamed} {
		for _, m := range pattern.FindAllStringSubmatchIndex(s, -1) {
			if before := s[:m[0]]; !enNot.MatchString(before) && !enAsk.MatchString(before) {
				ask(m[0], enProfile(s[m[2]:m[3]]))
			}
		}
	}
	for _, m := range enBack.FindAllStringIndex(s, -1) {
		if !enNot.MatchString(s[:m[0]]) {
			ask(m[0], "")
		}
	}
}

func enProfile(name string) Profile {
	switch {
	case strings.HasPrefix(name, "standard"), name == "compact":
		return Compact
	case strings.HasPrefix(name, "quick"), strings.HasPrefix(name, "fast"), name == "minimal":
		return Minimal
	}
	return Full
}

func readHint(han, s string) Hint {
	at, hint := -1, NoHint
	for _, f := range []struct {
		in      string
		pattern *lazyregexp.Regexp
		negated *lazyregexp.Regexp
		hint    Hint
	}{
		{han, zhBrief, zhNegated, Brief}, {han, zhDetail, zhNegated, Detailed},
		{s, enBrief, enNot, Brief}, {s, enDetail, enNot, Detailed},
	} {
		for _, m := range f.pattern.FindAllStringIndex(f.in, -1) {
			if m[0] > at && !f.negated.MatchString(f.in[:m[0]]) {
				at, hint = m[0], f.hint
			}
		}
	}
	return hint
}

// dropSpace takes out white space, so that what a recogniser put between Chinese
// characters does not matter.
func dropSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// foldWords is the form in which the words of two turns, or two names, are
// compared: letters and digits only.
func foldWords(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text.Normalize(s))
}

// MayChoose reports whether raw could choose a profile or restore the default: a
// quick look that lets far too much pass, and nothing escape that ReadWords would
// find. It is for reading a long log back.
func MayChoose(raw string) bool {
	latin := false
	for _, r := range raw[:min(len(raw), maxWords)] {
		switch {
		case strings.ContainsRune("答荅话話析默", r):
			return true
		case r|0x20 >= 'a' && r|0x20 <= 'z':
			latin = true
		case r < 0x80, r >= 0x4E00 && r <= 0x9FFF, r >= 0x3001 && r <= 0x3011, r >= 0xFF01 && r <= 0xFF20, r >= 0x2010 && r <= 0x2026:
		default: // a letter in another form, or something unseen between letters
			return true
		}
	}
	if !latin {
		return false
	}
	raw = strings.ToLower(raw[:min(len(raw), maxWords)])
	for _, w := range []string{"quick", "fast", "standard", "deep", "depth", "minimal", "compact", "full", "default"} {
		if strings.Contains(raw, w) {
			return true
		}
	}
	return false
}
