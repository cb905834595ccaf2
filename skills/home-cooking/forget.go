package homecooking

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"homebot/modes"
)

// forgotten takes a session out of the index and throws its summary away; with
// another summary it replaces the copy, and the line stays: it has the dish and
// how many ate, no words.
func forgotten(_ context.Context, s modes.Scope, summary string) error {
	file := path.Join(summariesDir, s.SessionID+".md")
	if summary != "" {
		if _, err := s.Data.Stat(file); err != nil {
			return present(err)
		}
		return s.Data.Replace(file, []byte(summary))
	}
	if err := present(s.Data.Remove(file)); err != nil {
		return err
	}
	old, err := s.Data.ReadFile(historyFile)
	if err != nil {
		return present(err)
	}
	var kept strings.Builder
	for line := range strings.Lines(string(old)) {
		if !strings.Contains(line, s.SessionID) {
			kept.WriteString(line)
		}
	}
	if kept.Len() == len(old) {
		return nil
	}
	return s.Data.Replace(historyFile, []byte(kept.String()))
}

// present: what is not there needs not be forgotten.
func present(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
