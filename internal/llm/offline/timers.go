package offline

import (
	"strings"
	"time"

	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// timerWords answers words about timers through the tools of the timers. The
// words are read by rules, not by exact sentences (text.ParseTimer).
func (m *Model) timerWords(r llm.Request, t turn) (reply, bool) {
	words := text.Heard(t.words, t.lang, text.Signals{})
	p, ok := text.ParseTimer(words, m.cfg.Now())
	if !ok || p.Span == 0 && p.At.IsZero() && p.Action == text.TimerSet {
		if before, asked := m.askedWhich(t); asked {
			before.Label = strings.Trim(words, "。.!！,， ")
			return m.timerCall(r, t, before)
		}
	}
	if !ok || p.Action == text.TimerResume && !p.Named || p.Action == text.TimerStop {
		return reply{}, false
	}
	return m.timerCall(r, t, p)
}

func (m *Model) timerCall(r llm.Request, t turn, p text.TimerPhrase) (reply, bool) {
	secs := int64(p.Span / time.Second)
	named := p.Label
	if named == "" && p.Span != 0 && p.Action != text.TimerAdd {
		named = text.SaySpan(p.Span, t.lang)
	}
	switch p.Action {
	case text.TimerSet:
		at := ""
		if !p.At.IsZero() {
			at, secs = p.At.Format(time.RFC3339), 0
		}
		return callTool(r, t, setTimer, object("seconds", secs, "at", at, "label", p.Label))
	case text.TimerAdd:
		return callTool(r, t, changeTimer, object("action", "add", "seconds", secs, "timer", p.Label))
	case text.TimerPause, text.TimerResume:
		return callTool(r, t, changeTimer, object("action", string(p.Action), "timer", named))
	case text.TimerCancel:
		return callTool(r, t, cancelTimer, object("timer", named))
	case text.TimerCancelAll:
		return callTool(r, t, cancelTimer, object("all", true))
	case text.TimerQuery:
		return callTool(r, t, listTimers, object())
	}
	return reply{}, false
}

// askedWhich: the reply before this turn asked which timer is meant; then the
// words before it hold what is to be done.
func (m *Model) askedWhich(t turn) (p text.TimerPhrase, ok bool) {
	n := len(t.earlier)
	if n < 2 || t.earlier[n-1].Role != llm.Assistant || t.earlier[n-2].Role != llm.User {
		return p, false
	}
	zh, _, _ := strings.Cut(phrases.TimerWhich.ZH, "%s")
	en, _, _ := strings.Cut(phrases.TimerWhich.EN, "%s")
	if said := t.earlier[n-1].Content; !strings.Contains(said, zh) && !strings.Contains(said, en) {
		return p, false
	}
	return text.ParseTimer(text.Heard(lastWords(t.earlier[n-2].Content), t.lang, text.Signals{}), m.cfg.Now())
}
