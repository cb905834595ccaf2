package timers

import (
	"strings"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/skills"
)

// pick finds the timer that is meant: by id, by name, by its length, or the only
// one that fits. refusal is the tool's answer when that is none or several.
func (d *Desk) pick(named, lang string, fits func(Left) bool) (l Left, refusal string) {
	var all []Left
	for _, l := range d.book.List() {
		if fits(l) {
			all = append(all, l)
		}
	}
	found := all
	if named = cleanLabel(named); named != "" {
		found = match(all, named)
	}
	if len(found) > 1 && named == "" {
		if ringing := ringingOf(found); len(ringing) == 1 {
			found = ringing // who says no name while one rings means that one
		}
	}
	switch len(found) {
	case 0:
		return Left{}, d.refuse(ErrUnknown, lang, named)
	case 1:
		return found[0], ""
	}
	r := Result{Reason: "which_one", Say: phrases.TimerWhich.In(lang, names(found, d.now(), lang))}
	for _, l := range found {
		r.Timers = append(r.Timers, d.row(l))
	}
	return Left{}, skills.Answer(r)
}

func ringingOf(all []Left) []Left {
	var out []Left
	for _, l := range all {
		if l.Ringing() {
			out = append(out, l)
		}
	}
	return out
}

// match finds the timers that named may mean, the surest kind first.
func match(all []Left, named string) []Left {
	want := flat(named)
	span, hasSpan := text.Span(named)
	tests := []func(Left) bool{
		func(l Left) bool { return l.ID == named },
		func(l Left) bool { return flat(l.Label) == want && want != "" },
		func(l Left) bool { return hasSpan && time.Duration(l.Span)*time.Second == span },
		func(l Left) bool { return overlap(flat(l.Label), want) },
	}
	for _, test := range tests {
		var found []Left
		for _, l := range all {
			if test(l) {
				found = append(found, l)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func flat(s string) string { return strings.ReplaceAll(text.JoinHan(text.Normalize(s)), " ", "") }

// overlap: one name within the other, as 鸡蛋 in 煮鸡蛋 and egg in eggs.
func overlap(a, b string) bool {
	return a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
}

// News is what nobody heard, in one or more sentences, and told, which is called
// when they were said. Both are empty when there is no news.
func (d *Desk) News(lang string) (sentence string, told func() error) {
	missed, lost := d.book.Missed()
	if len(missed) == 0 && !lost {
		return "", nil
	}
	var parts []string
	switch {
	case lost && d.book.lostAll():
		parts = append(parts, phrases.TimersLost.In(lang))
	case lost:
		parts = append(parts, phrases.TimersSomeLost.In(lang))
	}
	for _, m := range missed {
		parts = append(parts, sayMissed(m, d.now(), lang))
	}
	between := map[bool]string{true: "", false: " "}[lang == phrases.Chinese]
	return strings.Join(parts, between), func() error { return d.book.Told(missed) }
}

// Silence ends the ringing; stopped is false when nothing rang.
func (d *Desk) Silence() (stopped bool, err error) {
	rang, err := d.book.Stop()
	return len(rang) > 0, err
}

// Rings reports whether something rings.
func (d *Desk) Rings() bool {
	for _, l := range d.book.List() {
		if l.Ringing() {
			return true
		}
	}
	return false
}
