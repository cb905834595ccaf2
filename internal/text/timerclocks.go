package text

import (
	"slices"
	"strings"
	"time"
)

// clockList notes the point in time m and, where alarms are spoken of, the bare
// hours that are joined to it: "at 7 and 8". It returns the token after them.
func (r *timerReader) clockList(m moment, now time.Time) int {
	lists := r.has(timerNouns...) || r.has(alertWords...)
	for {
		r.p.At = m.in(now, r.wakes)
		r.times++
		r.at = append(r.at, m)
		r.said = append(r.said, found{from: m.from, to: m.to})
		r.mark(m.from, m.to)
		i, ok := r.nextClock(m.to)
		if !ok || !lists {
			return m.to
		}
		m = r.momentAs(i, true)
	}
}

// nextClock finds the next hour of a list that may be bare, in English: after an
// "and" or a correction, or directly, where a comma stood.
func (t tokens) nextClock(i int) (int, bool) {
	i = t.skip(t.afterCorrection(i), jointWords...)
	if HasHan(t.word(i)) {
		return i, false
	}
	m := t.momentAs(i, true)
	if m.to == i {
		return i, false
	}
	_, more := t.number(m.to)
	return i, more > m.to || t.endsClocks(m.to)
}

// endsClocks: what follows an hour does not count anything, as in two eggs.
func (t tokens) endsClocks(i int) bool {
	if i == len(t.list) {
		return true
	}
	_, ok := t.eatAny(i, append([]string{"please", "to", "for", "so", "thanks", "thank you"}, jointWords...)...)
	return ok
}

// clocks reads several times of day that are said as one list: 七点和八点各叫我一
// 次, alarms for 7 and 8. All have the same name. nil when it is no such list, or
// one of the times is not clear.
func (r *timerReader) clocks(whole TimerPhrase, now time.Time) []TimerPhrase {
	n := len(r.at)
	if n < 2 || n > most || n != len(r.said) || whole.Action != TimerSet {
		return nil
	}
	for k, m := range r.at {
		if r.runsOn(m) || k > 0 && !r.joins(r.at[k-1].to, m.from) {
			return nil
		}
	}
	if !shareDays(r.at) {
		return nil
	}
	whole.Fault, whole.Label = "", r.eachLabel()
	var all []TimerPhrase
	for k, m := range r.at {
		from := now
		if k > 0 && !m.onDate() && m.hour > r.at[k-1].hour {
			from = all[k-1].At // 七点和八点 are one morning
		}
		p := whole
		p.At = m.in(from, r.wakes)
		if !p.At.After(now) || slices.ContainsFunc(all, func(q TimerPhrase) bool { return q.At.Equal(p.At) }) {
			return nil
		}
		all = append(all, p)
	}
	return all
}

// joins: nothing but an "and" stands between two times, or a comma, which is not
// among the tokens.
func (r *timerReader) joins(i, j int) bool { return r.skip(i, jointWords...) == j }

// runsOn: two numbers that may be an hour with its minutes or two hours: seven,
// ten and eleven.
func (r *timerReader) runsOn(m moment) bool {
	if HasHan(r.span(m.from, m.to)) {
		return false
	}
	for i := m.from; i < m.to-1; i++ {
		if _, j := r.number(i); j == i+1 && j < m.to {
			if _, k := r.number(j); k > j {
				return true
			}
		}
	}
	return false
}

// shareDays gives a date and a part of the day to the times that were said
// without: those of the time before, or of the last one where it ends the list
// (7 and 8 tomorrow). false when the hours do not fit to that.
func shareDays(at []moment) bool {
	if last := at[len(at)-1]; last.trails {
		for k := len(at) - 2; k >= 0 && !at[k].anchored(); k-- {
			if at[k].hour >= at[k+1].hour {
				return false
			}
			at[k].sameDay(last)
			at[k].part = last.part
		}
	}
	for k := 1; k < len(at); k++ {
		before, m := at[k-1], &at[k]
		switch {
		case m.onDate() || !before.anchored():
		case m.part != anyPart: // 明天早上七点和晚上八点
			m.sameDay(before)
		case m.hour <= before.hour:
			return false
		default:
			m.sameDay(before)
			m.part = before.part
		}
	}
	return true
}

// sameDay takes over the date of another time, if it has one.
func (m *moment) sameDay(o moment) {
	m.days, m.dated, m.weekday, m.week, m.month, m.date = o.days, o.dated, o.weekday, o.week, o.month, o.date
}

// eachLabel is the label of a list without what says that all of it is meant.
func (r *timerReader) eachLabel() string {
	for k := 1; k < len(r.at); k++ {
		r.mark(r.at[k-1].to, r.at[k].from)
	}
	label := r.label()
	for _, word := range []string{"各自", "各", "分别", "都", "each", "both", "twice", "once", "一次", "一声"} {
		if rest := strings.TrimSpace(strings.TrimPrefix(label, word)); rest != label {
			label = rest
		}
	}
	return label
}
