package modes

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"homebot/internal/conversation"
)

// repeatSessions is in how many sessions, the newest first, a repeated turn is
// looked for: the one it may have ended and the one it may have begun.
const repeatSessions = 2

// Recorded finds a turn by its id in the newest mode sessions, ended ones too: a
// turn that ended a mode must not be done again where it lands now (R43). Files
// that cannot be read hold nothing to find.
func (m *Manager) Recorded(id string) (conversation.Record, bool) {
	all, err := m.sessionsOnDisk()
	if err != nil {
		m.Logger.Warn("repeats not looked for", "err", err)
		return conversation.Record{}, false
	}
	for _, a := range all[max(len(all)-repeatSessions, 0):] {
		records, err := m.recordsWith(filepath.Join(a.SessionDir, conversationFile), id)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			m.Logger.Warn("repeats not looked for", "session", a.SessionID, "err", err)
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
