package text

import (
	"slices"
	"strings"
	"time"

	"homebot/internal/lazyregexp"
)

// TimerFault is why words about timers cannot be done as they were said.
type TimerFault string

// Faults of a TimerPhrase.
const (
	FaultSeveral TimerFault = "several" // more than one amount; ParseTimers may tell them apart
	FaultRepeats TimerFault = "repeats" // every day: a timer rings once
	FaultTime    TimerFault = "time"    // 25:00 is no time of day
	FaultUnit    TimerFault = "unit"    // a number without its unit, which is the Label
	FaultLength  TimerFault = "length"  // 0 minutes, 400 days
)

// most is how many timers one sentence may set.
const most = 4

// ParseTimers is ParseTimer for words that may speak of several timers: 鸡蛋五分
// 钟，米饭十分钟. It returns one phrase for each where it is clear which name
// belongs to which amount; else one with FaultSeveral. ok is false when the words
// are not about timers.
func ParseTimers(words string, now time.Time) (all []TimerPhrase, ok bool) {
	p, ok := ParseTimer(words, now)
	if !ok {
		return nil, false
	}
	if p.Fault != FaultSeveral || p.Action != TimerSet && p.Action != TimerAdd {
		return []TimerPhrase{p}, true
	}
	r := readTimer(tokenize(words), now)
	if all = r.pieces(p, now); all == nil {
		all = r.clocks(p, now)
	}
	if all == nil {
		return []TimerPhrase{p}, true
	}
	return all, true
}

// pieces reads the part of the words that belongs to each amount, nil when that
// is not clear.
func (r *timerReader) pieces(whole TimerPhrase, now time.Time) []TimerPhrase {
	cuts := r.cuts(now)
	if cuts == nil || len(r.said) > most || r.times > 0 { // a date may hold for both times, or not
		return nil
	}
	var all []TimerPhrase
	var sides []int
	from := 0
	for _, to := range append(cuts, len(r.list)) {
		part := r.span(from, to)
		p, ok := ParseTimer(part, now)
		if !ok || p.Fault != "" || p.Action != whole.Action {
			return nil
		}
		p.Named, p.Sure = p.Named || whole.Named, p.Sure || whole.Sure
		all = append(all, p)
		sides = append(sides, side(part, p.Label, now))
		from = to
	}
	if slices.Min(sides) != slices.Max(sides) {
		return nil // one name before its amount and one after it, or one without
	}
	if same := slices.CompactFunc(slices.Clone(all), samePhrase); len(same) == 1 {
		return same // said twice
	}
	return all
}

func samePhrase(a, b TimerPhrase) bool {
	return a.Span == b.Span && a.At.Equal(b.At) && a.Label == b.Label
}

// side is -1 for a name before its amount, 1 behind it, 0 for no name.
func side(part, label string, now time.Time) int {
	r := readTimer(tokenize(part), now)
	if label == "" || len(r.said) == 0 {
		return 0
	}
	if strings.Index(r.src, label) < r.list[r.said[0].from].from {
		return -1
	}
	return 1
}

// cuts are the tokens at which the words fall into one part for each amount. An
// "and" between two amounts is such a place; without it all names stand before
// their amounts, or all behind them.
func (r *timerReader) cuts(now time.Time) []int {
	labelled := func(i, j int) bool {
		p, ok := ParseTimer(r.span(i, j), now)
		return ok && p.Label != ""
	}
	n := len(r.said)
	before := labelled(0, r.said[0].to)
	after := labelled(r.said[n-1].from, len(r.list))
	var cuts []int
	for k := 1; k < n; k++ {
		i, j := r.said[k-1].to, r.said[k].from
		if k, upTo := r.eatAny(i, "到", "至", "to"); r.within(i, j, inTurn...) || upTo && k == j {
			return nil
		}
		at := r.joints(i, j)
		switch {
		case len(at) == 1:
			cuts = append(cuts, at[0])
		case len(at) > 1 || before == after && (before || !r.alike()):
			return nil
		case before || before == after:
			cuts = append(cuts, i)
		default:
			cuts = append(cuts, j)
		}
	}
	return cuts
}

// alike: all lengths are the same, as of somebody who says it twice.
func (r *timerReader) alike() bool {
	for _, f := range r.spans {
		if f.length != r.spans[0].length {
			return false
		}
	}
	return r.times == 0
}

// joints are the tokens after each "and" from i up to j; several in a row are
// one.
func (r *timerReader) joints(i, j int) (at []int) {
	for k := i; k < j; k++ {
		l, ok := r.eatAny(k, jointWords...)
		if !ok || l > j {
			continue
		}
		if n := len(at); n > 0 && at[n-1] == k {
			at = at[:n-1]
		}
		at = append(at, l)
		k = l - 1
	}
	return at
}

// within reports whether words stand between tokens i and j.
func (r *timerReader) within(i, j int, words ...string) bool {
	for ; i < j; i++ {
		if k, ok := r.eatAny(i, words...); ok && k <= j {
			return true
		}
	}
	return false
}

var jointWords = []string{"还有", "另外", "以及", "和", "跟", "and also", "and", "plus", "also"}

// inTurn: one after the other, or either of them. Those are not two timers.
var inTurn = []string{
	"然后", "接着", "之后再", "再", "或者", "或", "还是", "then", "or", "followed by", "after that", "afterwards", "until",
}

// fault finds why the phrase cannot be done as it was said.
func (r *timerReader) fault() TimerFault {
	if r.p.Action == TimerQuery || r.p.Action == TimerStop || r.p.Action == TimerCancelAll {
		return ""
	}
	sets := r.p.Action == TimerSet
	switch {
	case sets && r.repeats():
		return FaultRepeats
	case sets && r.clockless():
		return FaultTime
	case r.several():
		return FaultSeveral
	case r.amount():
		return ""
	case r.zero:
		return FaultLength
	case sets && r.bareNumber() != "":
		return FaultUnit
	}
	return ""
}

// tooLong is how many years: 3 years, 三年; not 三年前, a 3 year old, 2026年.
var (
	tooLong    = lazyregexp.New(`([零一二两三四五六七八九十百千万\d.]+)年|\b([a-z]+|[\d.]+) years`)
	notLengths = lazyregexp.New(`年[级前陈]|years (?:ago|old)`)
)

// years: a length in years was said, which is longer than any timer.
func (r *timerReader) years() bool {
	m := tooLong.FindStringSubmatch(r.src)
	if m == nil || notLengths.MatchString(r.src) {
		return false
	}
	const firstDate = 1900 // 2026年 is no length
	v, ok := Number(m[1] + m[2])
	return ok && v > 1 && v < firstDate
}

// faulty: a timer was spoken of with an amount that is none.
func (r *timerReader) faulty() bool {
	return r.repeats() || r.clockless() || r.zero || r.bareNumber() != ""
}

// several: more amounts than one timer has, and nobody corrected himself.
func (r *timerReader) several() bool {
	n := len(r.said)
	if r.ranges() {
		return true
	}
	if n < 2 || r.times == 0 && r.adjacent() {
		return false
	}
	for k := 1; k < n; k++ {
		if r.corrected(r.said[k-1].to, r.said[k].from) {
			return false
		}
	}
	return r.times != 1 || r.sentOff()
}

// ranges: a bare number is joined to an amount, as in five or ten minutes, 三到五
// 分钟, 三五分钟 and "for seven and eight".
func (r *timerReader) ranges() bool {
	for _, f := range r.said {
		for k := 1; k <= 2; k++ { // tokens of the word between
			i := f.from - k
			if j, ok := r.eatAny(i, eitherWords...); ok && j == f.from && r.numberBefore(i) {
				return true
			}
		}
		if i, ok := r.eatAny(f.to, eitherWords...); ok {
			if _, j := r.number(i); j == len(r.list) && j > i {
				return true
			}
		}
		if loosely.MatchString(r.span(f.from, f.to)) {
			return true
		}
	}
	return false
}

// numberBefore: a number ends before token i that no amount holds.
func (r *timerReader) numberBefore(i int) bool {
	if i < 1 || r.used[i-1] {
		return false
	}
	_, j := r.number(i - 1)
	return j == i
}

// loosely is 三五分钟, three to five; 三十五分钟 is exact.
var loosely = lazyregexp.New(`^十?(?:一两|两三|三四|三五|四五|五六|六七|七八|八九)(?:个|分|秒|小时)`)

var eitherWords = []string{"或者", "还是", "或", "到", "至", "和", "to", "or", "and"}

// sentOff: beside the time of day a length counts from now: 五分钟后, in five
// minutes. Without it "ten minutes of cooking at seven" rings at seven.
func (r *timerReader) sentOff() bool {
	if len(r.spans) > 1 {
		return true
	}
	f := r.spans[0]
	_, later := r.eatAny(f.to, "之后", "以后", "后", "from now")
	_, in := r.eat(f.from-1, "in")
	return later || in
}

var repeating = lazyregexp.New(`每(?:天|日|周|星期|礼拜|月|年|个|隔|小时|半|早|晚|到|逢|[一二两三四五六七八九十\d])|天天|工作日|隔天|周一到|\b(?:every|each|daily|weekly|hourly|weekdays?|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b`)

// repeats: to ring more than once was asked for.
func (r *timerReader) repeats() bool {
	return repeating.MatchString(r.src) && !r.has("every timer", "every alarm", "each timer", "每个定时", "每个闹钟", "每个人")
}

var (
	clockLike = lazyregexp.New(`(?:^|[^\d:])\d{1,3}:\d{2}(?:$|[^\d:])`)
	hourLike  = lazyregexp.New(`(?:二十[五六七八九]|[三四五六七八九]十[一二三四五六七八九]?|2[5-9]|[3-9]\d)点(?:[^零一二三四五六七八九\d]|$)|\b(?:2[5-9]|[3-9]\d) ?(?:o'clock|am|pm)\b`)
)

// clockless: something is written like a time of day and is none.
func (r *timerReader) clockless() bool {
	return len(r.said) == 0 && clockLike.MatchString(r.src) || hourLike.MatchString(r.src)
}

// bareNumber is a number that stands alone: timer 90.
func (r *timerReader) bareNumber() string {
	if r.amount() {
		return ""
	}
	only := ""
	for i := 0; i < len(r.list); {
		_, j := r.number(i)
		if j == i {
			i++
			continue
		}
		if only != "" {
			return ""
		}
		if j < len(r.list) && !r.endsNumber(j) {
			return ""
		}
		only, i = r.span(i, j), j
	}
	return only
}

// endsNumber: what follows a number does not count anything.
func (r *timerReader) endsNumber(i int) bool {
	_, ok := r.eatAny(i, "please", "timer", "for", "的定时", "定时", "吧", "谢谢", "thanks")
	return ok
}
