package modes

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/internal/text"
	"homebot/skills"
)

// Archive reads the sessions that have ended. It changes nothing; any goroutine
// and any process may use it.
type Archive struct {
	FS        store.FS
	Workspace string
}

// Finished is one ended session.
type Finished struct {
	ModeID    string
	SessionID string
	StartedAt time.Time
	EndedAt   time.Time
	Reason    string // one of R28
	Source    string // who wrote the summary: llm or auto
	Text      string // summary.md without its front matter
	Line      string // one line about it: the plugin's own index, else the summary's beginning
}

// frontMatter of summary.md.
type summaryFront struct {
	SessionID string    `yaml:"session_id"`
	ModeID    string    `yaml:"mode_id"`
	StartedAt time.Time `yaml:"started_at"`
	EndedAt   time.Time `yaml:"ended_at"`
	Reason    string    `yaml:"exit_reason"`
	Source    string    `yaml:"source"`
}

// List are the ended sessions, newest first; modeID "" means of all modes. One
// that cannot be read is left out.
func (a Archive) List(modeID string) ([]Finished, error) {
	root := filepath.Join(a.Workspace, "modes", "sessions")
	modes, err := a.folders(root)
	if err != nil {
		return nil, err
	}
	var all []Finished
	for _, mode := range modes {
		if modeID != "" && mode != modeID || !idPattern.MatchString(mode) {
			continue
		}
		ids, err := a.folders(filepath.Join(root, mode))
		if err != nil {
			return nil, err
		}
		index := a.index(mode)
		for _, id := range ids {
			if f, err := a.read(mode, id); err == nil {
				f.Line = cmp.Or(index[id], f.Line)
				all = append(all, f)
			}
		}
	}
	slices.SortFunc(all, func(x, y Finished) int {
		return cmp.Or(strings.Compare(stampOf(y.SessionID), stampOf(x.SessionID)), strings.Compare(x.ModeID, y.ModeID))
	})
	return all, nil
}

func (a Archive) folders(dir string) ([]string, error) {
	entries, err := a.FS.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Find is one ended session by its id. A missing one is fs.ErrNotExist.
func (a Archive) Find(sessionID string) (Finished, error) {
	if sessionPattern.MatchString(sessionID) {
		modes, err := a.folders(filepath.Join(a.Workspace, "modes", "sessions"))
		if err != nil {
			return Finished{}, err
		}
		for _, mode := range modes {
			f, err := a.read(mode, sessionID)
			if !errors.Is(err, fs.ErrNotExist) {
				return f, err
			}
		}
	}
	return Finished{}, fmt.Errorf("session %q: %w", sessionID, fs.ErrNotExist)
}

func (a Archive) dir(modeID, sessionID string) string {
	return filepath.Join(a.Workspace, "modes", "sessions", modeID, sessionID)
}

func (a Archive) read(modeID, sessionID string) (Finished, error) {
	data, err := a.FS.ReadFile(filepath.Join(a.dir(modeID, sessionID), summaryFile))
	if err != nil {
		return Finished{}, err
	}
	var f summaryFront
	body, _, err := skills.FrontMatter(data, &f)
	if err != nil {
		return Finished{}, err
	}
	out := Finished{ModeID: modeID, SessionID: sessionID, StartedAt: f.StartedAt, EndedAt: f.EndedAt, Reason: f.Reason, Source: f.Source, Text: strings.TrimSpace(body)}
	first, _, _ := strings.Cut(out.Text, "\n")
	out.Line = fmt.Sprintf("%s · %s · %s · %s", f.StartedAt.Format("2006-01-02 15:04"), modeID, clip(first), sessionID)
	return out, nil
}

// Turns is the dialogue of an ended session.
func (a Archive) Turns(f Finished) ([]conversation.Record, error) {
	all, _, err := conversation.Load(a.FS, filepath.Join(a.dir(f.ModeID, f.SessionID), conversationFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(r conversation.Record) bool { return !r.IsTurn() }), err
}

// index are the lines of the index that a mode's plugin keeps, by session id.
func (a Archive) index(modeID string) map[string]string {
	data, err := store.Confine(a.FS, filepath.Join(a.Workspace, modeID)).ReadFile(indexFile)
	if err != nil {
		return nil
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return !isIDRune(r) }) {
			if sessionPattern.MatchString(word) {
				lines[word] = strings.TrimLeft(line, "-* ")
			}
		}
	}
	return lines
}

// indexFile is where plugins keep their index by custom.
const indexFile = "history.md"

func isIDRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-'
}

// Matches reports whether all words of query stand somewhere in a session: its
// line, its summary, or what was said. An empty query matches.
func (a Archive) Matches(f Finished, query string) bool {
	words := strings.Fields(text.Normalize(query))
	hay := text.Normalize(f.Line + "\n" + f.Text)
	if containsAll(hay, words) {
		return true
	}
	turns, err := a.Turns(f)
	if err != nil {
		return false
	}
	var b strings.Builder
	b.WriteString(hay)
	for _, t := range turns {
		b.WriteString("\n" + t.User + "\n" + t.Assistant)
	}
	return containsAll(text.Normalize(b.String()), words)
}

func containsAll(s string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(s, w) })
}

// Markdown is an ended session for people: the summary, then the dialogue.
func (a Archive) Markdown(f Finished) (string, error) {
	turns, err := a.Turns(f)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s — %s (%s)\n\n%s\n", f.SessionID, f.StartedAt.Format("2006-01-02 15:04"), f.EndedAt.Format("2006-01-02 15:04"), f.Reason, f.Text)
	if len(turns) > 0 {
		b.WriteString("\n## 对话 · Dialogue\n")
	}
	for _, t := range turns {
		fmt.Fprintf(&b, "\n**%s %s:** %s\n", t.Timestamp.Format("15:04"), t.SpeakerID, t.User)
		if t.Assistant != "" {
			fmt.Fprintf(&b, "\n> %s\n", strings.ReplaceAll(t.Assistant, "\n", "\n> "))
		}
	}
	return b.String(), err
}
