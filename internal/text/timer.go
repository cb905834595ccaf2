package text

import (
	"slices"
	"strings"
	"time"
)

// TimerAction is what somebody wants of the timers.
type TimerAction string

// Actions of a TimerPhrase. Stop ends the ringing; the others are about timers
// that run.
const (
	TimerSet       TimerAction = "set"
	TimerAdd       TimerAction = "add"
	TimerQuery     TimerAction = "query"
	TimerCancel    TimerAction = "cancel"
	TimerCancelAll TimerAction = "cancel_all"
	TimerPause     TimerAction = "pause"
	TimerResume    TimerAction = "resume"
	TimerStop      TimerAction = "stop"
)

// TimerPhrase is what words say about timers.
type TimerPhrase struct {
	Action TimerAction
	Span   time.Duration // the length said, 0 for none; of TimerAdd negative to take away
	At     time.Time     // the point in time said, zero for none
	Label  string        // what it is for, "" for nothing
	Named  bool          // a timer or alarm was spoken of in so many words
	Sure   bool          // Named, or to be told was asked for: it is not just talk of cooking
	Fault  TimerFault    // why this cannot be done as it was said, "" when it can
}

// ParseTimer reads what words in Chinese or English say about timers: 一刻钟后提醒
// 我关火, an hour and a half. ok is false when they are not about timers. now is
// where relative dates and the zone come from.
func ParseTimer(words string, now time.Time) (p TimerPhrase, ok bool) {
	t := tokenize(words)
	if len(t.list) == 0 {
		return TimerPhrase{}, false
	}
	r := readTimer(t, now)
	r.p.Named = r.has(timerNouns...)
	r.p.Sure = r.p.Named || r.has(alertWords...)
	r.p.Action = r.action()
	if r.p.Action == "" {
		return TimerPhrase{}, false
	}
	r.settle()
	r.p.Fault = r.fault()
	if r.p.Action != TimerStop && r.p.Action != TimerCancelAll {
		r.p.Label = r.label()
	}
	if r.p.Fault != "" {
		r.p.Span, r.p.At = 0, time.Time{} // none of them is what was meant
	}
	switch r.p.Fault {
	case FaultUnit:
		r.p.Label = r.bareNumber()
	case FaultRepeats, FaultTime, FaultLength:
		r.p.Label = ""
	}
	return r.p, true
}

// IsStop reports whether words end a ringing, and nothing else: 停, 别响了, stop.
// They may be said twice, and with the wake phrase before them.
func IsStop(words string) bool {
	t := tokenize(words)
	i := 0
	for i < len(t.list) {
		j, ok := t.eatAny(i, stopWords...)
		if !ok {
			if j, ok = t.eatAny(i, stopFillers...); !ok {
				return false
			}
		}
		i = j
	}
	return t.has(stopWords...)
}

func readTimer(t tokens, now time.Time) *timerReader {
	r := &timerReader{tokens: t, used: make([]bool, len(t.list))}
	r.amounts(now)
	return r
}

// timerReader reads one phrase.
type timerReader struct {
	tokens
	used  []bool // by an amount or a word that is no label
	p     TimerPhrase
	spans []found
	times int
	at    []moment // the points in time, in order
	wakes bool     // somebody wants to get up
	said  []found  // every amount, in order; the length of a point in time is 0
	zero  bool     // a length was said that is none: 0 minutes, 400 days
}

// amounts finds lengths and points of time and marks their words.
func (r *timerReader) amounts(now time.Time) {
	r.wakes = r.has(wakingWords...)
	for i := 0; i < len(r.list); i++ {
		m := r.momentAt(i)
		if m.to == i {
			m = r.alarmsFor(i)
		}
		if m.to > i {
			i = r.clockList(m, now) - 1
			continue
		}
		switch f := r.spanAt(i); {
		case f.to == i:
		case f.length > 0:
			i = r.length(f) - 1
		default:
			r.zero = true
			r.mark(f.from, f.to)
			i = f.to - 1
		}
	}
	r.zero = r.zero || r.years()
	r.alarmFor(now)
}

// length notes a length, and what it was corrected to. It returns the token after
// them.
func (r *timerReader) length(f found) int {
	if r.denied(f.from) {
		r.mark(f.from-1, f.to)
		return f.to
	}
	r.tookBack(f.from)
	for more := true; more; {
		r.spans, r.said = append(r.spans, f), append(r.said, found{from: f.from, to: f.to})
		r.mark(f.from, f.to)
		var next found
		if next, more = r.correctedLength(f); more {
			f = next
		}
	}
	return f.to
}

// alarmsFor reads the first of the bare hours of "alarms for 7 and 8 pm".
func (r *timerReader) alarmsFor(i int) moment {
	m := moment{from: i, to: i}
	if _, ok := r.eatAny(i-1, "for", "to", "at"); !ok || !r.wakes && !r.has("alarm", "alarms") {
		return m
	}
	first := r.momentAs(i, true)
	if j, ok := r.nextClock(first.to); first.to == i || !ok || j == first.to {
		return m
	}
	r.wakes = true
	return first
}

// alarmFor reads the bare hour of "an alarm for seven".
func (r *timerReader) alarmFor(now time.Time) {
	if r.times+len(r.spans) > 0 || !r.wakes && !r.has("alarm", "alarms") {
		return
	}
	i := r.find("for")
	if i < 0 {
		i = r.find("to")
	}
	if i < 0 {
		return
	}
	if m := r.momentAs(i+1, true); i >= 0 && m.to > i+1 {
		m.from, r.wakes = i, true
		r.clockList(m, now)
	}
}

func (r *timerReader) mark(i, j int) {
	for ; i < j; i++ {
		r.used[i] = true
	}
}

// amount reports whether a length or a point in time was said.
func (r *timerReader) amount() bool { return len(r.spans)+r.times > 0 }

// action decides what is wanted. The order of the questions is the order in
// which words outweigh each other.
func (r *timerReader) action() TimerAction {
	switch {
	case r.refused():
		return ""
	case !r.p.Named && IsStop(r.src):
		return TimerStop
	case r.has(cancelWords...) && r.has(allWords...), r.p.Named && r.has("清空"):
		return TimerCancelAll
	case r.cancels():
		return TimerCancel
	case r.has(pauseWords...):
		return TimerPause
	case r.has(resumeWords...) && !r.amount():
		return TimerResume
	case r.asks() && !r.amount() && !r.zero && !r.needs():
		return TimerQuery
	case !r.amount() && r.p.Named && (r.has(setVerbs...) || r.faulty()):
		return TimerSet // for how long is still to be asked
	case !r.amount() && r.p.Sure && (r.repeats() || r.clockless() || r.zero):
		return TimerSet
	case !r.amount():
		return ""
	case r.adds():
		return TimerAdd
	case r.wonders():
		return ""
	}
	return TimerSet
}

// refused: 别取消, don't pause. 不用定时了 is a cancellation.
func (r *timerReader) refused() bool {
	src := r.src
	for _, w := range notRefusals {
		src = strings.ReplaceAll(src, w, "")
	}
	s := tokenize(src)
	for i := range s.list {
		j, ok := s.eatAny(i, negators...)
		if !ok {
			continue
		}
		j = s.skip(j, "再", "把", "先", "给我", "帮我", "the", "please")
		if _, ok := s.eatAny(j, refusable...); ok {
			return true
		}
	}
	return false
}

func (r *timerReader) cancels() bool {
	if r.has(cancelWords...) {
		return r.p.Named || r.has(sureCancelWords...) || len(r.list) <= 6
	}
	return r.p.Named && r.has("stop", "停止", "停掉", "停了", "结束", "end", "不用", "不要", "别再", "no more")
}

func (r *timerReader) asks() bool {
	return r.has(queryWords...) && !r.has("how many steps", "how many more steps") || r.p.Named && r.has(queryNamedWords...)
}

// needs: how long something takes is asked, not how long is left of it.
func (r *timerReader) needs() bool {
	return !r.p.Named && r.has(needLeads...) && r.has(needWords...) && !r.has(leftWords...)
}

func (r *timerReader) adds() bool {
	if r.has(setAgainWords...) {
		return false
	}
	return r.has(addWords...) || r.lessens() || r.has("add", "plus", "another") && !r.p.Named ||
		r.has("add", "plus", "another", "more") && r.has("to the", "to my", "on the", "minutes to", "seconds to")
}

// lessens: the length is to be taken away.
func (r *timerReader) lessens() bool { return r.has(lessWords...) || r.takenOff() >= 0 }

// takenOff is which length stands between "take" and "off", -1 for none: take two
// minutes off the rice.
func (r *timerReader) takenOff() int {
	return slices.IndexFunc(r.spans, func(f found) bool {
		if f.from == 0 {
			return false
		}
		_, takes := r.eatAny(f.from-1, "take", "knock", "shave", "cut")
		_, off := r.eatAny(f.to, "off")
		return takes && off
	})
}

// wonders: a question about cooking that happens to hold an amount.
func (r *timerReader) wonders() bool {
	return !r.p.Named && !r.has(alertWords...) && r.has(wonderWords...)
}

// settle puts the amounts into the phrase.
func (r *timerReader) settle() {
	for _, f := range r.spans {
		r.p.Span += f.length
	}
	if n := len(r.spans); n > 1 && !r.adjacent() {
		r.p.Span = r.spans[n-1].length // who corrects himself means the last
	}
	if i := r.takenOff(); i >= 0 && r.p.Action == TimerAdd {
		r.mark(r.spans[i].from-1, r.spans[i].to+1) // no label
	}
	if r.p.Action == TimerAdd && r.lessens() {
		r.p.Span = -r.p.Span
	}
	if r.p.Span != 0 && !r.p.At.IsZero() && r.p.Action == TimerSet {
		r.p.Span = 0 // "ten minutes of cooking at seven": the hour is what rings
	}
}

// adjacent: the lengths stand next to each other and are one.
func (r *timerReader) adjacent() bool {
	for i := 1; i < len(r.spans); i++ {
		if r.spans[i-1].to != r.spans[i].from || r.spans[i].length >= r.spans[i-1].length {
			return false
		}
	}
	return true
}

// label is what is left when amounts and the words of timers are taken away: the
// group of words after "remind me" or "to", else the longest one.
func (r *timerReader) label() string {
	lead := r.strip()
	best := ""
	for i := 0; i < len(r.list); {
		if r.used[i] {
			i++
			continue
		}
		j := i
		for j < len(r.list) && !r.used[j] {
			j++
		}
		certain := slices.Contains(lead, i)
		group := r.trim(i, j, certain)
		switch {
		case group != "" && certain:
			return group
		case len([]rune(group)) > len([]rune(best)):
			best = group
		}
		i = j
	}
	return best
}

// strip marks the words that belong to timers and returns where labels begin for
// sure: after 提醒我, called, for.
func (r *timerReader) strip() (lead []int) {
	for i := range r.list {
		if r.used[i] {
			continue
		}
		if j, ok := r.eatAny(i, labelLeads...); ok && r.free(i, j) {
			r.mark(i, j)
			lead = append(lead, j)
			continue
		}
		words := timerWords
		if r.p.Action != TimerSet {
			words = slices.Concat(orderWords, timerWords)
		}
		if j, ok := r.eatAny(i, words...); ok && r.free(i, j) {
			r.mark(i, j)
		}
	}
	return lead
}

func (r *timerReader) free(i, j int) bool {
	for ; i < j; i++ {
		if r.used[i] {
			return false
		}
	}
	return true
}

// partsVerb: the word at token i belongs to the verb at token verb, which what is
// turned or put stands between: turn the oven off, put the kettle on.
func (r *timerReader) partsVerb(verb, i int) bool {
	return verb < i && slices.Contains(partedVerbs, r.word(verb)) && slices.Contains(verbParts, r.word(i))
}

// trim takes little words off both ends of a group; where a label begins for
// certain (提醒我给妈妈打电话) hardly any at its beginning.
func (r *timerReader) trim(i, j int, certain bool) string {
	leads := softLeads
	if certain {
		leads = sureLeads
	}
	for i < j {
		k, ok := r.eatAny(i, leads...)
		if !ok || k > j {
			break
		}
		i = k
	}
	for i < j && slices.Contains(softTails, r.word(j-1)) && !r.partsVerb(i, j-1) {
		j--
	}
	return r.tokens.span(i, j)
}
