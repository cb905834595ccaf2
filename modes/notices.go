package modes

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"homebot/internal/store"
)

// NoticeKind says what a Notice is about. Its numbers are on disk.
type NoticeKind int

// Kinds of notice.
const (
	Expired           NoticeKind = iota // a mode ended by itself (R49)
	Resumed                             // action.json was damaged, the session goes on (R27)
	RecoveredInactive                   // the mode could not go on and was archived (R27)
	Repaired                            // a file of the session was damaged; what could be read goes on (R27)
	PluginFailed                        // the mode's own code failed; the mode goes on without it (R17)
	Lost                                // the session cannot be found: nothing is active, nothing was archived (R27)
)

// Notice is something the user is to be told once, with the next turn.
type Notice struct {
	Kind     NoticeKind `json:"kind"`
	ModeName string     `json:"mode_name"`
	At       time.Time  `json:"at"`
}

// noticesFile keeps what was not told yet: the process that ends a mode need not
// be the one that hears the next turn.
const noticesFile = "notices.json"

// maxNotices are kept, the newest: nobody listens to more.
const maxNotices = 16

func (m *Manager) noticesPath() string { return filepath.Join(m.dir(), noticesFile) }

// note keeps a notice until it was told. Called before the change it tells of is
// on disk: told of twice is better than never. m.mu is held.
func (m *Manager) note(n Notice) {
	m.loadNotices()
	n.ModeName = cleanName(n.ModeName)
	if slices.ContainsFunc(m.notices, n.repeats) {
		return
	}
	m.notices = append(m.notices, n)
	m.notices = m.notices[max(len(m.notices)-maxNotices, 0):]
	m.saveNotices()
}

// repeats reports whether n tells what old does: an exit that a power cut ended
// is done, and noted, once more.
func (n Notice) repeats(old Notice) bool {
	return n.Kind == old.Kind && n.ModeName == old.ModeName && (n.Kind != Expired || n.At.Equal(old.At))
}

// Notices are what the user has to be told; Told takes them away.
func (m *Manager) Notices() []Notice {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.loadNotices()
	return slices.Clone(m.notices)
}

// Told forgets notices after the turn that told them is on disk.
func (m *Manager) Told(told []Notice) {
	if len(told) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notices = slices.DeleteFunc(m.notices, func(n Notice) bool { return slices.ContainsFunc(told, n.repeats) })
	m.saveNotices()
}

func (m *Manager) loadNotices() {
	if m.noticesRead {
		return
	}
	m.noticesRead = true
	data, err := m.FS.ReadFile(m.noticesPath())
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var found []Notice
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if err != nil {
		m.Logger.Warn("what was still to be told cannot be read", "err", err)
		return
	}
	for _, n := range found[max(len(found)-maxNotices, 0):] {
		n.ModeName = cleanName(n.ModeName)
		m.notices = append(m.notices, n)
	}
}

// saveNotices writes them. A disk that refuses is no reason not to go on: they
// are still in memory.
func (m *Manager) saveNotices() {
	data, err := json.Marshal(m.notices)
	if err == nil {
		err = store.Replace(m.FS, m.noticesPath(), append(data, '\n'), filePerm)
	}
	if err != nil {
		m.Logger.Error("what is to be told may be lost at a restart, or told twice", "err", err)
	}
}

// cleanName keeps a name from a file that people edit on one line and out of the
// brackets of a header: it reaches the model (R26, R35).
func cleanName(s string) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]【】", r) || r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, s)), " ")
	if r := []rune(s); len(r) > maxNameRunes {
		s = string(r[:maxNameRunes])
	}
	return s
}

// nameOf is how a mode is called: by its skill, else as action.json says.
func (m *Manager) nameOf(a Action) string {
	if mode, ok := m.Registry.Scan().Lookup(a.ModeID); ok {
		return mode.DisplayName
	}
	return a.DisplayName
}
