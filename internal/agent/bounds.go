package agent

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/voice"
)

// Bounds of what one turn puts into its record, so that it always fits a line of
// the log (store.MaxLine), twice where a text is there as said and as sent.
const (
	maxWordsBytes   = 64 << 10 // of the user
	maxReplyBytes   = 64 << 10 // of the model, all answers of the turn: an hour aloud
	maxSummaryRunes = 2000
	maxFactRunes    = 500
)

// errEndless ends an answer that does not.
var errEndless = fmt.Errorf("%w: longer than %d KiB", llm.ErrNonsense, maxReplyBytes>>10)

// taken is what of a piece of an answer still goes into the turn; whole is false
// when that is all of the answer that will. What nobody can say or see, and a
// terminal would obey, is left out.
func (t *turn) taken(piece string) (s string, whole bool) {
	s = strings.Map(func(r rune) rune {
		if text.Unseen(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, piece)
	left := maxReplyBytes - t.written
	if len(s) > left {
		for left > 0 && !utf8.RuneStart(s[left]) {
			left--
		}
		t.written = maxReplyBytes
		return s[:left], false
	}
	t.written += len(s)
	return s, true
}

// refuseLong reports words that are no sentence any more.
func (t *turn) refuseLong() {
	t.result.Err = &voice.TurnError{Code: "too_long", Text: phrases.LineTooLong.In(t.Lang, maxWordsBytes>>10)}
}

// tooLongFor tells the model what has to be shorter.
func tooLongFor(name, s string, most int) error {
	if n := utf8.RuneCountInString(s); n > most {
		return fmt.Errorf("%s has %d characters; at most %d", name, n, most)
	}
	return nil
}
