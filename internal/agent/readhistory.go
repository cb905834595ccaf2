package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"homebot/internal/conversation"
	"homebot/internal/text"
	"homebot/modes"
	"homebot/skills"
)

// historyTokens bounds an answer of read_history (R39).
const historyTokens = 1500

type readHistoryIn struct {
	Query     string `json:"query,omitempty" jsonschema:"description=words to look for, separated by spaces, such as the name of a dish"`
	Date      string `json:"date,omitempty" jsonschema:"description=YYYY-MM-DD, or YYYY-MM for a month"`
	SessionID string `json:"session_id,omitempty" jsonschema:"description=read this session: its summary, then its dialogue; with query only the turns around those words"`
}

const readHistoryText = "Look up earlier, finished run-mode sessions, also outside a mode: \"last time\", \"how much sugar did I use\". " +
	"Without session_id it answers one line for each matching session, newest first; with it that session's summary and dialogue."

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
		return readSession(archive, in)
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
	left := historyTokens - tokens(out.Note) - historyFrame
	for i, f := range found {
		if left -= tokens(f.Line) + 4; left < 0 {
			out.More = len(found) - i
			break
		}
		out.Sessions = append(out.Sessions, f.Line)
	}
	return skills.Answer(out), nil
}

func onDate(f modes.Finished, date string) bool {
	return date == "" || strings.HasPrefix(f.StartedAt.Format("2006-01-02"), date) || strings.HasPrefix(f.EndedAt.Format("2006-01-02"), date)
}

// historyFrame is what the JSON around an answer costs, in tokens.
const historyFrame = 40

func readSession(archive modes.Archive, in readHistoryIn) (string, error) {
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
	b, left := strings.Builder{}, historyTokens-historyFrame
	head := cutTokens(f.Text, left*2/3)
	b.WriteString(head + "\n")
	left -= tokens(head) + 2
	out := historyOut{OK: true}
	for i, t := range turns {
		line := fmt.Sprintf("%s %s: %s → %s\n", t.Timestamp.Format("15:04"), t.SpeakerID, t.User, t.Assistant)
		if left -= tokens(line) + 2; left < 0 {
			out.More = len(turns) - i
			break
		}
		b.WriteString(line)
	}
	out.Text = b.String()
	return skills.Answer(out), nil
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

// tokens is a cautious estimate: one for each Chinese character, one for three
// letters or digits, one for two of anything else.
func tokens(s string) int {
	sixths := 0
	for _, r := range s {
		sixths += sixthsOf(r)
	}
	return (sixths + 5) / 6
}

func sixthsOf(r rune) int {
	switch {
	case r > 0x2E80:
		return 6
	case r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' '):
		return 2
	default:
		return 3
	}
}

// cutTokens is the beginning of s that is no longer than limit tokens.
func cutTokens(s string, limit int) string {
	sixths := 0
	for i, r := range s {
		if sixths += sixthsOf(r); sixths > 6*limit {
			return s[:i] + "…"
		}
	}
	return s
}
