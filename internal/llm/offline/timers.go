package offline

import (
	"fmt"
	"strings"
	"time"

	"homebot/internal/lazyregexp"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// timerWords answers words about timers through the tools of the timers. The
// words are read by rules, not by exact sentences (text.ParseTimers).
func (m *Model) timerWords(r llm.Request, t turn) (reply, bool) {
	words := text.Heard(t.words, t.lang, text.Signals{})
	all, ok := text.ParseTimers(words, m.cfg.Now())
	if !ok || len(all) == 1 && isBare(all[0]) {
		if p, ok := m.completed(t, words); ok {
			return m.timerCalls(r, t, []text.TimerPhrase{p})
		}
	}
	if !ok || all[0].Action == text.TimerResume && !all[0].Named && !m.resumesOne(t, all[0], words) || all[0].Action == text.TimerStop {
		return reply{}, false
	}
	return m.timerCalls(r, t, all)
}

// resumesOne: a timer is named that only a timer can be meant by. 继续 and "go on"
// may mean the recipe, unless they name the timer that was paused last.
func (m *Model) resumesOne(t turn, p text.TimerPhrase, words string) bool {
	return p.Label != "" && (resumeWords.MatchString(words) || strings.Contains(m.pausedLast(t.earlier), p.Label))
}

// pausedLast is what was said when a timer was paused last, by who asked and in
// answer, "" when none was.
func (m *Model) pausedLast(earlier []llm.Message) string {
	answer := ""
	for i := len(earlier) - 1; i >= 0; i-- {
		switch earlier[i].Role {
		case llm.Assistant:
			answer = earlier[i].Content
		case llm.User:
			words := lastWords(earlier[i].Content)
			if p, ok := text.ParseTimer(words, m.cfg.Now()); ok && p.Action == text.TimerPause {
				return words + "\n" + answer
			}
		}
	}
	return ""
}

var resumeWords = lazyregexp.New(`(?i)\b(?:resume|unpause)\b|恢复`)

// isBare: it sets a timer of which neither a length nor a time was said.
func isBare(p text.TimerPhrase) bool {
	return p.Span == 0 && p.At.IsZero() && p.Action == text.TimerSet && p.Fault == ""
}

// completed is what an earlier turn wanted, with the words that answer the
// question that was asked about it.
func (m *Model) completed(t turn, words string) (text.TimerPhrase, bool) {
	if before, asked := m.askedAbout(t, phrases.TimerWhich); asked {
		p, ok := text.ParseTimer(before, m.cfg.Now())
		p.Label = strings.Trim(words, "。.!！,， ")
		if p.Action == text.TimerCancel && allOfThem.MatchString(plain(words)) {
			p.Action = text.TimerCancelAll
		}
		return p, ok
	}
	if before, asked := m.askedAbout(t, phrases.TimerWhichUnit); asked {
		p, ok := text.ParseTimer(before+" "+words, m.cfg.Now())
		return p, ok && p.Fault == "" && p.Span > 0
	}
	return text.TimerPhrase{}, false
}

// allOfThem answers "Which one?".
var allOfThem = sentences(`(?:把)?(?:它们|两个|三个|几个)?(?:全部|全都|全|所有的?|都|两个都|每一?个)(?:取消|删掉|删|要)?(?:掉)?|(?:cancel )?(?:all|both|every one|everything|each)(?: of them| timers| the timers)?|every one of them`)

// bareCancel takes back the timer that runs, whichever that is.
var bareCancel = sentences(`(?:把)?(?:它|这个|那个)?取消(?:掉|它|这个|那个)?`, `cancel(?: that| it| this)?(?: one)?`)

// timerCalls asks for every timer that the words spoke of, in one answer, or says
// why it cannot.
func (m *Model) timerCalls(r llm.Request, t turn, all []text.TimerPhrase) (reply, bool) {
	var a reply
	for i, p := range all {
		if said, ok := phrases.TimerFault(string(p.Fault), p.Label, t.lang); ok {
			if !offers(r, setTimer) {
				return reply{}, false
			}
			return tellOrAsk(said), true
		}
		one, ok := m.timerCall(r, t, p)
		if !ok {
			return reply{}, false
		}
		if i > 0 {
			one.calls[0].ID += fmt.Sprint("_", i)
		}
		a.calls = append(a.calls, one.calls...)
	}
	return a, true
}

// tellOrAsk ends the dialogue unless what is said is a question.
func tellOrAsk(said string) reply {
	if isQuestion(said) {
		return asks(said)
	}
	return ends(said)
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

// askedAbout returns the words before this turn if the reply to them was the
// question q.
func (m *Model) askedAbout(t turn, q phrases.Phrase) (words string, ok bool) {
	n := len(t.earlier)
	if n < 2 || t.earlier[n-1].Role != llm.Assistant {
		return "", false
	}
	said := t.earlier[n-1].Content
	if !strings.Contains(said, opening(q.ZH)) && !strings.Contains(said, opening(q.EN)) {
		return "", false
	}
	for i := n - 2; i >= 0; i-- {
		if t.earlier[i].Role == llm.User {
			return text.Heard(lastWords(t.earlier[i].Content), t.lang, text.Signals{}), true
		}
	}
	return "", false
}

// opening is the longest part of a sentence that holds no verb.
func opening(sentence string) string {
	best := ""
	for part := range strings.SplitSeq(sentence, "%s") {
		if len(part) > len(best) {
			best = part
		}
	}
	return best
}
