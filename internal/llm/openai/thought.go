package openai

import "strings"

const (
	thoughtBegin = "<think>"
	thoughtEnd   = "</think>"
)

// thoughtFilter leaves out the <think>…</think> that local servers put before
// the answer of a reasoning model: it would be spoken. Only the very beginning
// counts; the same letters later on are the model's own words.
type thoughtFilter struct {
	held   string
	inside bool
	over   bool // the beginning is past
}

// pass takes more text and returns what of it is to be said now.
func (t *thoughtFilter) pass(more string) string {
	if t.over || more == "" {
		return more
	}
	t.held += more
	if !t.inside {
		start := strings.TrimLeft(t.held, " \r\n\t")
		switch {
		case strings.HasPrefix(start, thoughtBegin):
			t.inside = true
			t.held = start[len(thoughtBegin):]
		case strings.HasPrefix(thoughtBegin, start):
			return "" // may yet become one
		default:
			return t.rest()
		}
	}
	if _, after, closed := strings.Cut(t.held, thoughtEnd); closed {
		t.held, t.inside = strings.TrimLeft(after, " \r\n\t"), false
		return t.rest()
	}
	t.held = t.held[max(0, len(t.held)-len(thoughtEnd)):]
	return ""
}

// rest ends the beginning and returns what was held back; a thought that never
// ended is dropped.
func (t *thoughtFilter) rest() string {
	held := t.held
	if t.inside {
		held = ""
	}
	t.held, t.inside, t.over = "", false, true
	return held
}
