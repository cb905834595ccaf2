package homecooking

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"homebot/internal/lazyregexp"
	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/modes"
)

// Files of finished sessions.
const (
	historyFile  = "history.md"
	summariesDir = "summaries"
	historyHead  = "# 做饭历史 · Cooking history\n\n"
)

// archive copies the summary and adds the session to the index (R46). Done
// before, it changes nothing.
func archive(_ context.Context, s modes.Scope, e modes.Ended) error {
	summary := path.Join(summariesDir, s.SessionID+".md")
	if old, err := s.Data.ReadFile(summary); errors.Is(err, fs.ErrNotExist) || err == nil && string(old) != e.Summary {
		if err := s.Data.Replace(summary, []byte(e.Summary)); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	old, err := s.Data.ReadFile(historyFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if strings.Contains(string(old), s.SessionID) {
		return nil
	}
	line, err := historyLine(s, e)
	if err != nil {
		return err
	}
	return s.Data.Replace(historyFile, []byte(insert(string(old), line)))
}

// historyLine is one line: date, dish, people, link to the summary; in the
// language of the dishes.
func historyLine(s modes.Scope, e modes.Ended) (string, error) {
	p, err := readProgress(s)
	if err != nil {
		return "", err
	}
	dish, who := strings.Join(p.Dishes, "、"), people(s.Facts)
	lang := text.Lang(dish, text.Chinese)
	if lang == text.English {
		dish = strings.Join(p.Dishes, ", ")
	}
	if dish == "" {
		dish = "—"
	}
	if who == "" && p.Servings > 0 {
		who = phrases.CookedFor.In(lang, p.Servings)
	}
	if who == "" {
		who = "—"
	}
	return fmt.Sprintf("- %s · %s · %s · [%s](%s/%s.md)\n",
		e.StartedAt.Format("2006-01-02"), cell(dish), cell(who), s.SessionID, summariesDir, s.SessionID), nil
}

// cell keeps a value from looking like another part of the line.
func cell(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("·", " ", "[", "(", "]", ")").Replace(s)), " ")
}

var stamp = lazyregexp.New(`-(\d{8}-\d{6}-[0-9a-f]{6})\b`)

// insert puts line where its time belongs, newest first. What a person wrote in
// the file stays as it is.
func insert(old, line string) string {
	if strings.TrimSpace(old) == "" {
		return historyHead + line
	}
	if !strings.HasSuffix(old, "\n") {
		old += "\n"
	}
	lines := strings.SplitAfter(old, "\n")
	at := slices.IndexFunc(lines, func(l string) bool {
		m := stamp.FindStringSubmatch(l)
		return m != nil && m[1] < stamp.FindStringSubmatch(line)[1]
	})
	if at < 0 {
		return old + line
	}
	return strings.Join(slices.Insert(lines, at, line), "")
}
