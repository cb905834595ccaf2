package modes

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/lazyregexp"
	"homebot/internal/store"
)

// read is action.json after repair (R27): always something a turn can go on
// with, and the same on disk.
func (m *Manager) read() (Action, error) {
	data, err := m.FS.ReadFile(m.actionPath())
	if errors.Is(err, fs.ErrNotExist) {
		return m.recoverSessions(false)
	}
	if err != nil && m.setAside(m.actionPath()) {
		return m.recoverSessions(true)
	}
	if err != nil {
		return Action{}, err
	}
	a, err := decodeAction(data)
	if err != nil {
		m.Logger.Warn("action.json is damaged", "err", err)
		if err := store.Replace(m.FS, m.damagedName(m.actionPath()), data, filePerm); err != nil {
			return Action{}, err
		}
		return m.recoverSessions(true)
	}
	if !a.Active {
		return a, nil
	}
	there, err := m.exists(a)
	if err != nil {
		return Action{}, err
	}
	if !there {
		return m.deactivate(a)
	}
	// The workspace may have been moved: the ids say where it is (R24).
	a.SessionDir = m.sessionDir(a.ModeID, a.SessionID)
	return a, nil
}

// deactivate drops an active mode whose session is gone, or lies elsewhere.
func (m *Manager) deactivate(a Action) (Action, error) {
	off := Action{ExitReason: ExitRecovered}
	m.note(Notice{Kind: Lost, ModeName: m.nameOf(a), At: m.Now()})
	if err := m.write(off); err != nil {
		return Action{}, err
	}
	m.Changed(nil, event.Switch{Action: "exit", ModeID: a.ModeID, Reason: ExitRecovered})
	return off, nil
}

// recoverSessions makes action.json anew. Where it was damaged (a copy was kept
// aside) the newest session that may go on is resumed; where it was missing none
// is. All others are archived: what was said in them is not lost with the file.
func (m *Manager) recoverSessions(resume bool) (Action, error) {
	open, err := m.unfinished()
	if err != nil {
		return Action{}, err
	}
	defer func() {
		for _, s := range open {
			_ = s.Close()
		}
	}()
	if !resume && len(open) == 0 {
		return Action{}, m.write(Action{}) // a new workspace
	}
	resumed := Action{ExitReason: ExitRecovered}
	for i, s := range slices.Backward(open) {
		if resume && i == len(open)-1 && !m.expired(s) {
			resumed = s.Action
			continue
		}
		if err := m.archive(s, ExitRecovered); err != nil {
			return Action{}, err
		}
	}
	m.noteRecovery(resumed, len(open) > 0)
	if err := m.write(resumed); err != nil {
		return Action{}, err
	}
	m.Changed(resumed.Watched(), event.Switch{Action: "recover", ModeID: resumed.ModeID, Reason: ExitRecovered})
	return resumed, nil
}

// noteRecovery claims no more than was done: archived is whether a session was.
func (m *Manager) noteRecovery(a Action, archived bool) {
	n := Notice{Kind: Lost, At: m.Now()}
	if archived {
		n.Kind = RecoveredInactive
	}
	if a.Active {
		n = Notice{Kind: Resumed, ModeName: a.DisplayName, At: m.Now()}
	}
	m.note(n)
}

// archive ends a session that is not the active one: the exit line, its summary,
// the plugin's index.
func (m *Manager) archive(s *Session, reason string) error {
	r, ok := lastRecord(s)
	if !ok || r.Exit == nil {
		r = conversation.Record{
			Timestamp: m.Now(), Channel: conversation.ChannelSystem, ID: conversation.NewID(), Exit: &conversation.Exit{Reason: reason},
		}
		if err := s.Log.Append(r); err != nil {
			return err
		}
	}
	if err := m.writeSummary(s, r); err != nil {
		return err
	}
	return m.index(s, r)
}

// unfinished opens the sessions with a dialogue and no end, oldest first. An
// exit that was cut short is finished on the way: its summary, the plugin's index
// and the first line of the session that follows it.
func (m *Manager) unfinished() ([]*Session, error) {
	var open []*Session
	all, err := m.sessionsOnDisk()
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		s, _, err := m.open(a)
		if err != nil && m.worthAnotherTry(err) {
			return open, err
		}
		if err != nil {
			m.Logger.Warn("session cannot be read", "session", a.SessionID, "err", err)
			continue
		}
		goesOn, err := m.finishIfEnded(s)
		if err != nil || !goesOn {
			_ = s.Close()
		} else {
			open = append(open, s)
		}
		if err != nil {
			return open, err
		}
	}
	return open, nil
}

// recoverTries is how often a session that the disk does not give is asked for: a
// card may stumble, but one that is dying must not keep everything from going on.
const recoverTries = 3

// worthAnotherTry reports whether recovery should rather be tried again with the
// next turn than go on without a session that failed with err.
func (m *Manager) worthAnotherTry(err error) bool {
	switch store.Why(err) {
	case store.Broken, store.Full, store.ReadOnly:
		m.tries++
		return m.tries < recoverTries
	}
	return false
}

// finishIfEnded reports whether s has a dialogue that goes on.
func (m *Manager) finishIfEnded(s *Session) (goesOn bool, err error) {
	last, ok := lastRecord(s)
	if !ok {
		return false, nil // entered and never spoken in: nothing was acknowledged
	}
	_, err = m.FS.Stat(s.path(summaryFile))
	if last.Exit == nil {
		missing := errors.Is(err, fs.ErrNotExist)
		if missing {
			err = nil
		}
		return missing, err
	}
	if last.Exit.Next != nil {
		next, err := m.beginNext(last)
		if err != nil {
			return false, err
		}
		if err := next.Close(); err != nil {
			return false, err
		}
	}
	if err := m.writeSummary(s, last); err != nil {
		return false, err
	}
	return false, m.index(s, last)
}

// sessionsOnDisk lists all session directories by the time in their names.
func (m *Manager) sessionsOnDisk() ([]Action, error) {
	root := filepath.Join(m.dir(), "sessions")
	modes, err := m.folders(root, idPattern)
	if err != nil || len(modes) == 0 {
		return nil, err
	}
	var all []Action
	cat := m.Registry.Scan()
	for _, mode := range modes {
		ids, err := m.folders(filepath.Join(root, mode), sessionPattern)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			e := conversation.Enter{ModeID: mode, SessionID: id}
			all = append(all, m.actionOf(cat, e, conversation.Record{Timestamp: m.Now()}))
		}
	}
	slices.SortFunc(all, func(a, b Action) int {
		return strings.Compare(stampOf(a.SessionID), stampOf(b.SessionID))
	})
	return all, nil
}

// folders lists the directories of dir whose names are ours; none when dir is
// missing.
func (m *Manager) folders(dir string, ours *lazyregexp.Regexp) ([]string, error) {
	entries, err := m.FS.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && ours.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// stampOf is the YYYYMMDD-HHMMSS-<6 hex> at the end of a session id.
func stampOf(sessionID string) string {
	const n = len("20060102-150405-abcdef")
	if len(sessionID) < n {
		return sessionID
	}
	return sessionID[len(sessionID)-n:]
}

// startOf is when a session began, by its id; otherwise fallback.
func startOf(sessionID string, fallback time.Time) time.Time {
	s := stampOf(sessionID)
	if len(s) < 15 {
		return fallback
	}
	t, err := time.ParseInLocation("20060102-150405", s[:15], fallback.Location())
	if err != nil {
		return fallback
	}
	return t
}
