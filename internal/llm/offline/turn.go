package offline

import (
	"encoding/json"
	"strings"
	"unicode"

	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// switchTool is the tool that switches run modes (R3).
const switchTool = "switch_mode"

// turn is what a request says of the current turn.
type turn struct {
	words    string // the user's own words
	lang     string
	earlier  []llm.Message // before the current user message
	number   int           // of messages; makes ids of calls
	switched *switched     // the last switch of mode in this turn, nil if none
	answered []answered    // what other tools answered last in this turn
}

// switched is one call of switch_mode with its result.
type switched struct {
	Action string `json:"action"`
	ModeID string `json:"mode_id"`

	OK          bool   `json:"ok"`
	Reason      string `json:"reason"`
	Say         string `json:"say"`
	DisplayName string `json:"display_name"`
	Note        string `json:"note"`
}

// readTurn finds the last user message and what has followed it. Without a user
// message the words are empty.
func readTurn(msgs []llm.Message) turn {
	t := turn{number: len(msgs)}
	last := len(msgs)
	for i := len(msgs) - 1; i >= 0; i-- {
		if msgs[i].Role == llm.User {
			last = i
			break
		}
	}
	t.earlier = msgs[:min(last, len(msgs))]
	if last == len(msgs) {
		t.lang = text.Chinese
		return t
	}
	t.words = lastWords(msgs[last].Content)
	t.lang = langOf(t.words, t.earlier)
	t.switched = lastSwitch(msgs[last+1:])
	t.answered = lastAnswers(msgs[last+1:])
	return t
}

// lastWords takes the header lines off a user message (R30): lines in [ ] at its
// beginning. The last line is never a header, whatever it looks like: the user's
// words are never empty because of us.
func lastWords(content string) string {
	for {
		line, rest, more := strings.Cut(content, "\n")
		line = strings.TrimSpace(line)
		if !more || !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
			return content
		}
		content = rest
	}
}

// langOf is the language of words, else that of the latest words before them
// that had one.
func langOf(words string, earlier []llm.Message) string {
	if lang := text.Lang(words, ""); lang != "" {
		return lang
	}
	for i := len(earlier) - 1; i >= 0; i-- {
		if earlier[i].Role != llm.User {
			continue
		}
		if lang := text.Lang(lastWords(earlier[i].Content), ""); lang != "" {
			return lang
		}
	}
	return text.Chinese
}

// lastSwitch reads the last call of switch_mode that has a result.
func lastSwitch(msgs []llm.Message) *switched {
	asked := map[string]string{}
	var found *switched
	for _, m := range msgs {
		for _, c := range m.ToolCalls {
			if c.Name == switchTool {
				asked[c.ID] = c.Arguments
			}
		}
		args, ok := asked[m.ToolCallID]
		if m.Role != llm.ToolRole || !ok {
			continue
		}
		found = &switched{}
		// What cannot be read stays empty: then it did not succeed.
		_ = json.Unmarshal([]byte(args), found)
		found.OK = false
		if json.Unmarshal([]byte(m.Content), found) != nil {
			found.OK = false
		}
	}
	return found
}

// repeat says the last reply again that was no failure (R44), with the marker it
// had.
func repeat(t turn) reply {
	for i := len(t.earlier) - 1; i >= 0; i-- {
		m := t.earlier[i]
		if m.Role != llm.Assistant || len(m.ToolCalls) > 0 || isFailure(m.Content) {
			continue
		}
		var marker text.MarkerParser
		said := strings.TrimSpace(marker.Write(m.Content) + marker.Close())
		if !strings.ContainsFunc(said, isWordRune) {
			continue
		}
		if marker.Next() == text.MarkerContinue || marker.Next() == text.MarkerNone && isQuestion(said) {
			return asks(said)
		}
		return ends(said)
	}
	return ends(phrases.OfflineNothingToRepeat.In(t.lang))
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isQuestion(said string) bool {
	return text.EndsWithQuestion(said) && !text.IsCourtesy(text.LastSentence(said))
}

// failures are the sentences that are said instead of an answer.
var failures = []phrases.Phrase{
	phrases.LLMDown, phrases.LLMBroken, phrases.LLMRefused, phrases.LLMBusy, phrases.LLMNoKey, phrases.LLMSlow, phrases.LLMNonsense,
	phrases.TooManyRounds, phrases.EmptyLine, phrases.TurnWaitedTooLong, phrases.SomethingWrong, phrases.ToolCancelled,
	phrases.NotUnderstood, phrases.DiskFull, phrases.DiskReadOnly, phrases.DiskFailing, phrases.NotSaved,
	phrases.OfflineCannot, phrases.NoModelCannot, phrases.OfflineCannotCooking, phrases.NoModelCannotCooking, phrases.TimerOneAtATime, phrases.TimerNoRepeat, phrases.TimerNoSuchTime, phrases.TimerNoSuchLength, phrases.OfflineNotDone, phrases.OfflineNothingToRepeat, phrases.OfflineNotSwitched,
}

func isFailure(said string) bool {
	for _, p := range failures {
		if strings.Contains(said, p.ZH) || strings.Contains(said, p.EN) {
			return true
		}
	}
	return false
}
