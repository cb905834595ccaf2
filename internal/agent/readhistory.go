package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"homebot/internal/contextmode"
	"homebot/internal/conversation"
	"homebot/internal/text"
	"homebot/modes"
	"homebot/skills"
)

// historyTokens bounds an answer of read_history (R39).
const historyTokens = 1500

type readHistoryIn struct {
	Query     string `json:"query,omitempty"`
	Date      string `json:"date,omitempty" jsonschema:"description=YYYY-MM-DD or YYYY-MM"`
	SessionID string `json:"session_id,omitempty"`
}

const readHistoryText = "Look up finished run-mode sessions (\"last time\"), newest first; with session_id that one's summary and dialogue."

// historyOut is what read_history answers.
type historyOut struct {
	OK       bool     `json:"ok"`
	Sessions []string `json:"sessions,omitempty"`
	Text     string   `json:"text,omitempty"`
	More     int      `json:"more,omitempty"`
	Note     string   `json:"note,omitempty"`
}

// readHistory answers read_history (R39).
func (a *Agent) readHistory(_ context.Context, in readHistoryIn) (string, error) {
	archive := modes.Archive{FS: a.cfg.FS, Workspace: a.cfg.Workspace}
	if in.SessionID != "" {
		return readSession(a.meter(), archive, in)
	}
	all, err := archive.List("")
	if err != nil {
		return "", err
	}
	found := slices.DeleteFunc(slices.Clone(all), func(f modes.Finished) bool {
		return !onDate(f, in.Date) || !archive.Matches(f, in.Query)
	})
	out := historyOut{OK: true}
	switch {
	case len(all) == 0:
		out.Note = "no session has ended yet"
	case len(found) == 0:
		found, out.Note = all, "nothing matches; these are the newest sessions"
	}
	return mostWithin(a.meter(), len(found), func(n int) historyOut {
		shown := out
		for _, f := range found[:n] {
			shown.Sessions = append(shown.Sessions, f.Line)
		}
		return shown
	}), nil
}

// mostWithin is the answer with as many of its n lines as fit.
func mostWithin(m contextmode.Meter, n int, with func(lines int) historyOut) string {
	answer := func(lines int) string {
		out := with(lines)
		out.More = n - lines
		return skills.Answer(out)
	}
	return answer(max(sort.Search(n+1, func(k int) bool { return m.Raw(answer(k)) > historyTokens })-1, 0))
}

func onDate(f modes.Finished, date string) bool {
	return date == "" || strings.HasPrefix(f.StartedAt.Format("2006-01-02"), date) || strings.HasPrefix(f.EndedAt.Format("2006-01-02"), date)
}

func readSession(m contextmode.Meter, archive modes.Archive, in readHistoryIn) (string, error) {
	f, err := archive.Find(in.SessionID)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no finished session %q; ask without session_id for the list", in.SessionID)
	}
	if err != nil {
		return "", err
	}
	turns, err := archive.Turns(f)
	if err != nil {
		return "", err
	}
	turns = around(turns, in.Query)
	head := cutTokens(m, f.Text, historyTokens/2)
	return mostWithin(m, len(turns), func(n int) historyOut {
		var b strings.Builder
		b.WriteString(head + "\n")
		for _, t := range turns[:n] {
			fmt.Fprintf(&b, "%s %s: %s → %s\n", t.Timestamp.Format("15:04"), t.SpeakerID, t.User, t.Assistant)
		}
		return historyOut{OK: true, Text: b.String()}
	}), nil
}

// around are the turns that hold a word of query and the one after each; all
// when none does.
func around(turns []conversation.Record, query string) []conversation.Record {
	words := strings.Fields(text.Normalize(query))
	var some []conversation.Record
	next := false
	for _, t := range turns {
		said := text.Normalize(t.User + " " + t.Assistant)
		hit := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
		if hit || next {
			some = append(some, t)
		}
		next = hit
	}
	if len(some) == 0 {
		return turns
	}
	return some
}

// cutTokens is the longest beginning of s that is no longer than limit tokens.
func cutTokens(m contextmode.Meter, s string, limit int) string {
	if m.Raw(s) <= limit {
		return s
	}
	r := []rune(s)
	n := sort.Search(len(r), func(n int) bool { return m.Raw(string(r[:n+1])) > limit })
	return string(r[:n]) + "…"
}
