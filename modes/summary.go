package modes

import (
	"bytes"
	"fmt"
	"strings"

	"homebot/internal/conversation"
	"homebot/internal/text"
)

// Bounds of a summary made without a model: enough to see what the session was
// about, short enough to be read at a glance.
const (
	summaryTurns = 12
	summaryRunes = 120
)

// summary is summary.md of a session whose last record is end (R46). Without a
// summary of the model it is made from the confirmed facts and the turns alone
// (R47), so that the same log always gives the same bytes.
func summary(a Action, all []conversation.Record, end conversation.Record) []byte {
	var b bytes.Buffer
	body, source := strings.TrimSpace(end.Exit.Summary), "llm"
	if body == "" {
		body, source = autoSummary(a, all), "auto"
	}
	fmt.Fprintf(&b, "---\nsession_id: %s\nmode_id: %s\nstarted_at: %s\nended_at: %s\nexit_reason: %s\nsource: %s\n---\n\n%s\n",
		a.SessionID, a.ModeID, a.StartedAt.Format(conversation.TimeLayout), end.Timestamp.Format(conversation.TimeLayout), end.Exit.Reason, source, body)
	if facts := Facts(all); len(facts) > 0 {
		b.WriteString("\n## 已确认\n\n")
		for _, f := range facts {
			fmt.Fprintf(&b, "- %s\n", f.Text)
		}
	}
	return b.Bytes()
}

// Facts are the confirmed facts of a dialogue in force now: in the order they
// were confirmed, a corrected one replaced, those of failed turns left out (R44).
func Facts(all []conversation.Record) []conversation.Fact {
	var facts []conversation.Fact
	gone := map[string]bool{}
	for _, r := range all {
		if r.Failed != "" {
			continue
		}
		for _, f := range r.Facts {
			if f.Replaces != "" {
				gone[f.Replaces] = true
			}
			facts = append(facts, f)
		}
	}
	kept := facts[:0]
	for _, f := range facts {
		if !gone[f.ID] {
			kept = append(kept, f)
		}
	}
	return kept
}

func autoSummary(a Action, all []conversation.Record) string {
	var said []conversation.Record
	for _, r := range all {
		if r.Failed == "" && r.User != "" {
			said = append(said, r)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s · %d\n", a.DisplayName, len(said))
	left := max(len(said)-summaryTurns, 0)
	if left > 0 {
		fmt.Fprintf(&b, "\n- … (%d)", left)
	}
	for _, r := range said[left:] {
		fmt.Fprintf(&b, "\n- %s → %s", clip(r.User), clip(r.Assistant))
	}
	return b.String()
}

// clip is s on one line, cut where a word ends when it is too long.
func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	r := []rune(s)
	if len(r) <= summaryRunes {
		return s
	}
	cut := r[:summaryRunes]
	if i := strings.LastIndex(string(cut), " "); i > summaryRunes/2 && !text.HasHan(s) {
		return string(cut)[:i] + "…"
	}
	return string(cut) + "…"
}
