package modes

import (
	"slices"

	"homebot/internal/text"
)

// GateMode is one mode as the gate knows it: its id, its display name and its
// aliases.
type GateMode struct {
	ID    string
	Names []string
}

// Reason says why a switch was refused (R3). It is "" when it was accepted.
type Reason string

// Reasons. The gate gives the first five; the others are the Manager's.
const (
	NoName       Reason = "no_name"
	NoVerb       Reason = "no_verb"
	Negated      Reason = "negated"
	OppositeVerb Reason = "opposite_verb"
	UnknownMode  Reason = "unknown_mode"
	BrokenMode   Reason = "broken_mode"
	OtherActive  Reason = "other_active"
	NotActive    Reason = "not_active"
)

// WantsWords reports whether other words would have been accepted: say are these
// words (R3), else a sentence.
func (r Reason) WantsWords() bool {
	return slices.Contains([]Reason{NoName, NoVerb, Negated, OppositeVerb, OtherActive}, r)
}

// Verdict is the gate's judgement of one switch. Again and SwitchTo matter only
// for an accepted enter (R11): Again means that the words ask to begin the mode
// anew, SwitchTo that they may replace another active mode.
type Verdict struct {
	OK       bool
	Reason   Reason
	Again    bool
	SwitchTo bool
}

// Gate is the phrase gate (R2): it decides whether the words really spoken ask
// for a switch. The model proposes, the words decide: they must hold a name of
// the mode and a verb of the action that is meant for it, is not negated (R13)
// and is not taken back later. Where the specification is silent, it refuses.
//
// A Gate is immutable and may be used from any goroutine.
type Gate struct {
	modes []GateMode
	names gateNames
	words *gateLexicon
}

// NewGate builds the gate over all modes there are. It must know all of them:
// a name found only inside a longer name of another mode does not count (R7).
func NewGate(modes []GateMode) *Gate {
	g := &Gate{modes: modes, names: gateNames{}, words: gateLexiconOnce()}
	for _, m := range modes {
		for _, name := range m.Names {
			g.names.add(gateWordsOf(name), m.ID)
		}
	}
	return g
}

// Enter judges whether raw, the words as heard (R7), asks to enter the mode
// with id.
func (g *Gate) Enter(raw, id string) Verdict {
	c, reason := g.check(raw, id, gateEnter)
	if reason != "" {
		return Verdict{Reason: reason}
	}
	return Verdict{OK: true, Again: c.again(), SwitchTo: c.switchTo()}
}

// Exit judges whether raw asks to leave the mode with id.
func (g *Gate) Exit(raw, id string) Verdict {
	_, reason := g.check(raw, id, gateExit)
	return Verdict{OK: reason == "", Reason: reason}
}

func (g *Gate) check(raw, id, action string) (gateCheck, Reason) {
	if !slices.ContainsFunc(g.modes, func(m GateMode) bool { return m.ID == id }) {
		return gateCheck{}, UnknownMode
	}
	c := gateCheck{gateSentence: g.read(raw), id: id, action: action}
	return c, c.judge()
}

// Say is the words that would work in lang, "zh" or "en": 打开学习模式, open
// study mode (R3). action is "enter" or "exit". It picks the first name of
// that language, else the first name; "" if there is no such mode.
func (g *Gate) Say(action, id, lang string) string {
	table := &gateEnglish
	if lang == text.Chinese {
		table = &gateChinese
	}
	verb := table.say.enter
	if action == gateExit {
		verb = table.say.exit
	}
	for _, m := range g.modes {
		if m.ID != id || len(m.Names) == 0 {
			continue
		}
		name := m.Names[0]
		for _, n := range m.Names {
			if text.HasHan(n) == (lang == text.Chinese) {
				name = n
				break
			}
		}
		return verb + name
	}
	return ""
}

// gateCheck judges one sentence for one mode and action.
type gateCheck struct {
	gateSentence
	id     string
	action string
}

// judge applies R5, R6 and R13; "" accepts.
func (c gateCheck) judge() Reason {
	if !slices.ContainsFunc(c.items, c.isOurs) {
		return NoName
	}
	asked := c.lastAsked()
	switch {
	case asked < 0 && c.anyVerb(0, c.isNegatedRequest):
		return Negated
	case c.anyVerb(asked+1, c.isOpposite):
		return OppositeVerb
	case asked < 0:
		return NoVerb
	case c.takenBack(asked + 1):
		return Negated
	}
	return ""
}

// isOurs reports whether the item is a name of the mode.
func (c gateCheck) isOurs(it gateItem) bool { return slices.Contains(it.ids, c.id) }

// lastAsked is the place of the last verb that asks for the action, or -1.
func (c gateCheck) lastAsked() int {
	for i := len(c.items) - 1; i >= 0; i-- {
		if c.isRequest(i) && !c.negated(i) {
			return i
		}
	}
	return -1
}

// anyVerb reports whether holds for an item from start on.
func (c gateCheck) anyVerb(start int, holds func(i int) bool) bool {
	for i := start; i < len(c.items); i++ {
		if holds(i) {
			return true
		}
	}
	return false
}

// isRequest reports whether item i is a verb of the action and meant for the
// mode: next to its name, or in one clause with it, or without an object of its
// own. (关闭计时器，学习模式继续 closes something else.)
func (c gateCheck) isRequest(i int) bool {
	if c.items[i].action != c.action || c.tells(i) {
		return false
	}
	if n := c.boundTo(i); n >= 0 {
		return c.isOurs(c.items[n])
	}
	return c.alone(i) || c.inClause(i) && !c.hasObject(i)
}

func (c gateCheck) isNegatedRequest(i int) bool { return c.isRequest(i) && c.negated(i) }

// isOpposite reports whether item i is an un-negated verb of the other action,
// bound to a name of the mode (R13).
func (c gateCheck) isOpposite(i int) bool {
	it := c.items[i]
	if !it.isVerb() || it.action == c.action || c.tells(i) || c.negated(i) {
		return false
	}
	n := c.boundTo(i)
	return n >= 0 && c.isOurs(c.items[n])
}

// negated is R13's rule: a negator, then only light words and names, then the
// verb, no punctuation between.
func (c gateCheck) negated(i int) bool {
	return c.follows(i, c.words.negators, gapWords{words: c.words.light, names: true})
}

// tells reports whether the verb at i asks about or tells what is: 怎么打开,
// 打开了吗, is it open, leave it on.
func (c gateCheck) tells(i int) bool {
	w := c.words
	if c.follows(i, w.asking, gapWords{words: w.light, names: true}) {
		return true
	}
	verb := c.items[i].word
	if w.adjectives.has(verb) && c.follows(i, w.copulas, gapWords{words: w.copulaGap, names: true}) {
		return true
	}
	object := i + 1
	if object < len(c.items) && (c.items[object].isName() || c.word(object) == "it") {
		object++
	}
	if c.phraseAt(w.keeping[verb], object) > 0 {
		return true
	}
	n := c.phraseAt(w.reporting, object)
	return n > 0 && !c.endsClause(object) && c.endsClause(object+n)
}

// boundTo returns the place of the name that the verb at i is bound to (R13):
// directly before it, else directly after it; punctuation does not count. -1 if
// there is none.
func (c gateCheck) boundTo(i int) int {
	j := i + 1
	for n := c.phraseAt(c.words.between, j); n > 0; n = c.phraseAt(c.words.between, j) {
		j += n
	}
	if j < len(c.items) && c.items[j].isName() {
		return j
	}
	bound := -1
	c.back(i, gapWords{words: c.words.back, cuts: true}, func(j int) bool {
		if c.items[j-1].isName() {
			bound = j - 1
		}
		return bound >= 0
	})
	return bound
}

// alone reports whether the verb at i has no object of its own: only particles
// up to the end of the clause or the next verb.
func (c gateCheck) alone(i int) bool {
	for j := i + 1; ; {
		if c.endsClause(j) || c.items[j].isVerb() {
			return true
		}
		n := c.phraseAt(c.words.particles, j)
		if c.items[j].taken || c.words.articles.has(c.word(j)) && c.endsClause(j+1) {
			n = 1
		}
		if n == 0 {
			return false
		}
		j += n
	}
}

// hasObject reports whether an article after the verb at i begins an object
// that is no mode: start the timer in study mode.
func (c gateCheck) hasObject(i int) bool {
	return c.words.articles.has(c.word(i+1)) && !c.endsClause(i+1) && !c.endsClause(i+2) && c.items[i+2].isPlain()
}

// inClause reports whether a name of the mode is in the clause of item i.
func (c gateCheck) inClause(i int) bool {
	for k := i; k >= 0; k-- {
		if c.isOurs(c.items[k]) {
			return true
		}
		if c.items[k].cut {
			break
		}
	}
	for k := i + 1; !c.endsClause(k); k++ {
		if c.isOurs(c.items[k]) {
			return true
		}
	}
	return false
}

// takenBack reports whether the request before start is taken back by what
// follows: the same verb negated, or a clause like 算了 or never mind. Ours.
func (c gateCheck) takenBack(start int) bool {
	return c.anyVerb(start, func(i int) bool {
		return c.refusesNow(i) || c.dropsAt(i)
	})
}

// refusesNow reports whether item i is a negated verb of the action about the
// mode: its own, or without another object. Short verbs count here (别关).
func (c gateCheck) refusesNow(i int) bool {
	if c.items[i].action != c.action && c.phraseAt(c.words.weak[c.action], i) == 0 || !c.negated(i) {
		return false
	}
	if n := c.boundTo(i); n >= 0 {
		return c.isOurs(c.items[n])
	}
	return c.alone(i)
}

// dropsAt reports whether a clause that takes the request back starts at i.
func (c gateCheck) dropsAt(i int) bool {
	if !c.startsClause(i) {
		return false
	}
	n := c.phraseAt(c.words.drop[c.action], i)
	if c.items[i].taken && c.words.drop[c.action].has(c.items[i].word) {
		n = 1
	}
	if n > 0 && c.endsClause(c.skipFillers(i+n)) {
		return true
	}
	n = c.phraseAt(c.words.dropLast, i)
	return n > 0 && c.skipFillers(i+n) == len(c.items)
}

// startsClause reports whether item i comes first in its clause, or after a
// name, a verb or a filler.
func (c gateCheck) startsClause(i int) bool {
	if i == 0 || c.items[i].cut || !c.items[i-1].isPlain() {
		return true
	}
	return len(c.phrasesBefore(c.words.fillers, i)) > 0
}

func (c gateCheck) skipFillers(i int) int {
	for n := c.phraseAt(c.words.fillers, i); n > 0; n = c.phraseAt(c.words.fillers, i) {
		i += n
	}
	return i
}

// switchTo reports whether the words may replace another active mode (R11):
// the verb is 切换 or switch to, and it is the mode's or the last one.
func (c gateCheck) switchTo() bool {
	last := c.lastAsked()
	return c.anyVerb(0, func(i int) bool {
		if !c.isRequest(i) || c.negated(i) || !c.words.switchTo.has(c.items[i].word) {
			return false
		}
		return i == last || c.boundTo(i) >= 0
	})
}

// again reports whether the words ask to begin the mode anew (R11): exit words
// for it before the enter verb, or 重新, again, over bound to that verb.
func (c gateCheck) again() bool {
	last := c.lastAsked()
	for i := range last {
		if c.leaves(i) {
			return true
		}
	}
	return c.anyVerb(0, func(i int) bool {
		return c.isRequest(i) && !c.negated(i) && c.anew(i)
	})
}

// leaves reports whether item i is an un-negated exit verb for the mode.
func (c gateCheck) leaves(i int) bool {
	if c.items[i].action != gateExit || c.tells(i) || c.negated(i) {
		return false
	}
	if n := c.boundTo(i); n >= 0 {
		return c.isOurs(c.items[n])
	}
	return c.alone(i)
}

// anew reports whether 重新, again or over is bound to the enter verb at i:
// before it, after it, or after the name that follows it.
func (c gateCheck) anew(i int) bool {
	if c.follows(i, c.words.again, gapWords{words: c.words.light, names: true}) {
		return true
	}
	j := i + 1
	if n := c.boundTo(i); n > i {
		if c.anewAt(j) {
			return true
		}
		j = n + 1
	}
	return c.anewAt(j)
}

// anewAt reports whether 重新, again or over stands at j, particles before it.
func (c gateCheck) anewAt(j int) bool {
	for !c.endsClause(j) {
		if c.phraseAt(c.words.again, j) > 0 {
			return true
		}
		n := c.phraseAt(c.words.particles, j)
		if n == 0 {
			return false
		}
		j += n
	}
	return false
}
