package modes

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"homebot/internal/conversation"
)

// repeatSessions is in how many sessions, the newest first, a repeated turn is
// looked for: the one it may have ended and the one it may have begun.
const repeatSessions = 2

// Recorded finds a turn by its id in the newest mode sessions, ended ones too: a
// turn that ended a mode must not be done again where it lands now (R43). Files
// that cannot be read hold nothing to find.
func (m *Manager) Recorded(id string) (conversation.Record, bool) {
	all, err := m.newestSessions(repeatSessions)
	if err != nil {
		m.Logger.Warn("repeats not looked for", "err", err)
		return conversation.Record{}, false
	}
	for _, dir := range all {
		records, err := m.recordsWith(filepath.Join(dir, conversationFile), id)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			m.Logger.Warn("repeats not looked for", "session", filepath.Base(dir), "err", err)
		}
		for _, r := range records {
			if r.ID == id {
				return r, true
			}
		}
	}
	return conversation.Record{}, false
}

// recordsWith reads a log only when id stands somewhere in it: nearly never.
func (m *Manager) recordsWith(path, id string) ([]conversation.Record, error) {
	data, err := m.FS.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte(id)) {
		return nil, err
	}
	records, _, err := conversation.Load(m.FS, path)
	return records, err
}

// newestSessions are the directories of the n newest sessions of all modes. It
// reads no skill: this is done in every turn.
func (m *Manager) newestSessions(n int) ([]string, error) {
	root := filepath.Join(m.dir(), "sessions")
	modes, err := m.folders(root, idPattern)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, mode := range modes {
		ids, err := m.folders(filepath.Join(root, mode), sessionPattern)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			all = append(all, filepath.Join(root, mode, id))
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		return strings.Compare(stampOf(filepath.Base(a)), stampOf(filepath.Base(b)))
	})
	return all[max(len(all)-n, 0):], nil
}
