package timers

import (
	"strings"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/text"
)

// name is what a timer is called in a sentence: its label, with its length when
// it has none.
func (t Timer) name(lang string) string {
	switch {
	case t.Label != "":
		return t.Label
	case t.Alarm():
		return phrases.AlarmUnnamed.In(lang)
	}
	return phrases.TimerUnnamed.In(lang)
}

// distinct is name, told apart from other unnamed ones by what was set.
func (t Timer) distinct(now time.Time, lang string) string {
	if t.Label != "" {
		return t.Label
	}
	what := text.SayMoment(t.Due, now, lang)
	if !t.Alarm() {
		what = text.SaySpan(time.Duration(t.Span)*time.Second, lang)
	}
	if lang == phrases.Chinese {
		return what + "的" + t.name(lang)
	}
	return t.name(lang) + " of " + what
}

func sayLeft(d time.Duration, lang string) string {
	return text.SaySpan(max(time.Second, d.Round(time.Second)), lang)
}

// saySet confirms a new timer.
func saySet(t Timer, now time.Time, lang string) string {
	span := text.SaySpan(time.Duration(t.Span)*time.Second, lang)
	due := text.SayMoment(t.Due, now, lang)
	switch {
	case t.Alarm() && t.Label != "":
		return phrases.AlarmSetNamed.In(lang, t.Label, due)
	case t.Alarm():
		return phrases.AlarmSet.In(lang, due)
	case t.Label != "":
		return phrases.TimerSetNamed.In(lang, t.Label, span)
	}
	return phrases.TimerSet.In(lang, span)
}

// clause is one timer in a list.
func clause(l Left, now time.Time, several bool, lang string) string {
	name := l.name(lang)
	if several {
		name = l.distinct(now, lang)
	}
	switch {
	case l.Ringing():
		return phrases.TimerRingsNow.In(lang, name)
	case l.Paused > 0:
		return phrases.TimerPausedAt.In(lang, name, sayLeft(l.Left, lang))
	case l.Alarm():
		return phrases.AlarmDue.In(lang, l.name(lang), text.SayMoment(l.Due, now, lang))
	}
	return phrases.TimerLeft.In(lang, name, sayLeft(l.Left, lang))
}

// sayList says what is set.
func sayList(all []Left, now time.Time, lang string) string {
	if len(all) == 0 {
		return phrases.TimersNone.In(lang)
	}
	var parts []string
	for _, l := range all {
		parts = append(parts, clause(l, now, len(all) > 1, lang))
	}
	return phrases.TimersList.In(lang, strings.Join(parts, comma(lang)))
}

func comma(lang string) string {
	if lang == phrases.Chinese {
		return "，"
	}
	return "; "
}

// names lists timers to choose from.
func names(all []Left, now time.Time, lang string) string {
	var parts []string
	for _, l := range all {
		parts = append(parts, l.distinct(now, lang))
	}
	between := map[bool]string{true: "、", false: ", "}[lang == phrases.Chinese]
	return strings.Join(parts, between)
}

// Announcement is what a ringing timer says, in its own language.
func (t Timer) Announcement(now time.Time) string {
	late := t.Rang.Sub(t.Due)
	switch {
	case late >= time.Minute:
		return phrases.TimerRingsLate.In(t.Lang, t.name(t.Lang), text.SayMoment(t.Due.In(now.Location()), now, t.Lang))
	case t.Label != "":
		return phrases.TimerRings.In(t.Lang, t.Label)
	}
	return phrases.TimerRingsPlain.In(t.Lang)
}

// sayMissed tells one that nobody heard.
func sayMissed(m Missed, now time.Time, lang string) string {
	due := text.SayMoment(m.Due.In(now.Location()), now, lang)
	if m.Unanswered {
		return phrases.TimerUnanswered.In(lang, m.name(lang), due)
	}
	return phrases.TimerMissed.In(lang, m.name(lang), due)
}
