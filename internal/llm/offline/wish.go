package offline

import (
	"strings"
	"unicode"

	"homebot/internal/lazyregexp"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// A switch is proposed only for a request. The gate decides on words, for any
// model; what only talks of a switch (should I open it, mum said open it, I opened
// it yesterday) is told apart here, as a model would.
var (
	// reported: somebody else says it.
	reported = lazyregexp.New(`[^我请]说$|[^我请]说(?:要|你|我|请|可以|应该|了)+$|告诉|听说|以为|觉得|\b(?:said|says|told|tells|asked|asks|thinks?|thought|heard|wrote)\b`)
	// notRequested are words before the verb, in its clause, that make no request
	// of it.
	notRequested = lazyregexp.New(`要不要|该不该|是不是|是否|有没有|为什么|怎么|怎样|如何|什么时候|如果|要是|假如|万一|昨天|前天|昨晚|刚才|刚刚|上次|上周|以前|已经|曾经|明天|后天|待会|等会|等一会|一会儿?再|过会|回头|等下|晚点|以后` +
		`|\b(?:should|shall|do|does|did|have|has|was|were|am|are|must) (?:i|we|he|she|they|you|it)\b` +
		`|\b(?:i|we|he|she|they)(?:'ll|'ve|'d already| will| would| may| might| was| were| have| had| just| already| usually| always| often| never| tried| forgot)(?: [a-z']+)? $` +
		`|\b(?:how|why|what|when|where|who|whether|if|unless)\b`)
	// notNow are words behind it that put it off or ask about it.
	notNow = lazyregexp.New(`^(?:一下)?(?:吗|了吗|了没|过|有什么|会怎|会不会|是什么|干什么|干嘛|要多久|的时候|以后|之后会|的话)|^了$|^ (?:later|tomorrow|yesterday|last|one day|sometime)\b`)
)

// requested reports whether w is asked for. said holds its clauses.
func (w wish) requested(said string) bool {
	lead, rest := said[:w.verb], said[w.to:]
	for _, end := range []string{"算了", "不对", "还是", "never mind", "actually"} {
		if i := strings.LastIndex(lead, end); i >= 0 {
			lead = lead[i+len(end):]
		}
	}
	clause := lead
	if i := strings.LastIndexAny(clause, clauseMarks); i >= 0 {
		clause = clause[i+1:]
	}
	if i := strings.LastIndex(clause, "了"); i >= 0 { // 已经做完了退出做饭模式
		clause = clause[i:]
	}
	if strings.HasPrefix(rest, "了") && pastLead.MatchString(clause) {
		return false
	}
	return !reported.MatchString(strings.TrimRight(lead, clauseMarks+" ")) && !notRequested.MatchString(clause) && !notNow.MatchString(rest)
}

// clauseMarks end a clause, in normalised text.
const clauseMarks = ",.!?;。、"

// wishIn is the switch that words ask for, and the text its places are in, which
// keeps the marks in keep.
func (m *Model) wishIn(words, keep string) (w wish, said string, ok bool) {
	said = turnAround.ReplaceAllString(plainBut(words, keep), "turn $2 $1")
	all := m.cfg.Modes()
	w, ok = choose(said, findNames(said, all), findVerbs(said))
	return w, said, ok
}

// pastLead before a verb with 了 behind it tells what happened.
var pastLead = lazyregexp.New(`^(?:我|我们|他|她|妈妈|爸爸)(?:们)?(?:把)?$`)

// besides are the timers that words ask for beside a switch of mode.
func (m *Model) besides(t turn) []text.TimerPhrase {
	w, kept, ok := m.wishIn(t.words, ".:/")
	if !ok {
		return nil
	}
	for _, part := range []string{kept[w.to:], kept[:w.from]} {
		part = joiningWords.ReplaceAllString(strings.Trim(part, " .:/"), "")
		all, ok := text.ParseTimers(part, m.cfg.Now())
		if ok && all[0].Sure && all[0].Action == text.TimerSet && !isBare(all[0]) {
			return all
		}
	}
	return nil
}

// joiningWords hold two orders together.
var joiningWords = lazyregexp.New(`^(?:然后|接着|再|并且|并|同时|顺便|另外|还有|和|and then|and also|and|then|also|plus)+ ?|(?:然后|接着|再|并且|并|同时|顺便|和| and then| and| then)+$`)

// besidesFault is what could not be done beside a switch of mode, "" if nothing.
func (m *Model) besidesFault(t turn) string {
	for _, p := range m.besides(t) {
		if said, ok := phrases.TimerFault(string(p.Fault), p.Label, t.lang); ok {
			return said
		}
	}
	return ""
}

// plainBut is plain with the marks in keep.
func plainBut(s, keep string) string {
	s = strings.Map(func(r rune) rune {
		if r != '\'' && !strings.ContainsRune(keep, r) && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			return ' '
		}
		return r
	}, text.Normalize(s))
	return strings.TrimSpace(text.JoinHan(s))
}
