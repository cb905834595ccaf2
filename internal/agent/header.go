package agent

import (
	"strings"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/text"
	"homebot/voice"
)

// field is one header line `[key: value]` that is sent only when it differs
// from what the visible history shows (R35).
type field struct{ key, value string }

// header is the head of the current user message: the time and the speaker
// always, the other fields when they are news, notices once.
func header(t voice.Turn, fields []field, shown map[string]string, notices []string) string {
	var b strings.Builder
	b.WriteString("[" + t.Heard.Format("15:04") + " " + t.Speaker + "]\n")
	for _, f := range fields {
		if shown[f.key] != f.value {
			b.WriteString("[" + f.key + ": " + f.value + "]\n")
		}
	}
	for _, n := range notices {
		b.WriteString(n + "\n")
	}
	return b.String()
}

// fieldsOf are the header fields of any turn, in their order; those of a mode
// follow them.
func fieldsOf(t voice.Turn) []field {
	return []field{{"date", dateOf(t.Heard)}, {"channel", t.Channel}}
}

func dateOf(t time.Time) string { return t.Format("2006-01-02 Monday") }

// shownFields are the header fields that the visible history shows, by the last
// value of each. After midnight nothing counts as shown (R35: all of them on the
// first turn of a day); neither does what was sent before the mode's own prompt
// came into force, which the record of the entering turn marks.
func shownFields(visible []conversation.Record, today string) map[string]string {
	shown := map[string]string{}
	for _, r := range visible {
		if r.Enter != nil {
			clear(shown)
			continue
		}
		for _, f := range parseHeader(r) {
			shown[f.key] = f.value
		}
	}
	if shown["date"] != today {
		clear(shown)
	}
	return shown
}

// words is what the model gets of the user's words: a command in one breath with
// the wake phrase begins after it. The gate and the record have all of them (R7).
func (t *turn) words() string {
	if t.Channel != voice.ChannelVoice {
		return t.Text
	}
	return text.AfterWake(t.Text, t.cfg.Wake)
}

// longestWake bounds the search for words that lost their wake phrase, in bytes.
const longestWake = 256

// beforeWords is the header of a message whose words lost their wake phrase.
func beforeWords(sent, user string) (head string, ok bool) {
	for i := range user {
		if i > longestWake {
			break
		}
		if head, ok := strings.CutSuffix(sent, "]\n"+user[i:]); ok {
			return head + "]\n", true
		}
	}
	return "", false
}

// parseHeader reads the fields back from a record's own header: what was sent
// before the user's words.
func parseHeader(r conversation.Record) []field {
	head, ok := strings.CutSuffix(r.SentContent(), r.User)
	if !ok {
		head, ok = beforeWords(r.SentContent(), r.User)
	}
	if !ok {
		return nil
	}
	var fields []field
	for line := range strings.Lines(head) {
		line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "["), "]")
		if key, value, ok := strings.Cut(line, ": "); ok && !strings.ContainsAny(key, " :") {
			fields = append(fields, field{key, value})
		}
	}
	return fields
}
