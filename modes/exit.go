package modes

import (
	"errors"

	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/store"
)

// finishExit does what is left of an exit whose intent r is the last record of s
// (R46): the summary, the plugin's index, the first record of the session that
// follows, then action.json. Each step may have been done before: it is repeated
// without harm.
// It returns the session that follows, opened, or nil.
func (m *Manager) finishExit(s *Session, r conversation.Record) (*Session, error) {
	if err := m.writeSummary(s, r); err != nil {
		return nil, err
	}
	if err := m.index(s, r); err != nil {
		return nil, err
	}
	var next *Session
	if r.Exit.Next != nil {
		var err error
		if next, err = m.beginNext(r); err != nil {
			return nil, err
		}
	}
	after := Action{ExitReason: r.Exit.Reason}
	if next != nil {
		after = next.Action
	}
	if err := m.write(after); err != nil {
		return nil, errors.Join(err, closeSession(next))
	}
	m.Changed(after.Watched(), event.Switch{Action: "exit", ModeID: s.ModeID, Reason: r.Exit.Reason})
	if next != nil {
		m.Changed(after.Watched(), event.Switch{Action: "enter", ModeID: next.ModeID})
	}
	return next, nil
}

func closeSession(s *Session) error {
	if s == nil {
		return nil
	}
	return s.Close()
}

func (m *Manager) writeSummary(s *Session, r conversation.Record) error {
	path := s.path(summaryFile)
	if _, err := m.FS.Stat(path); err == nil && !m.setAside(path) {
		return nil
	}
	return store.Replace(m.FS, path, summary(s.Action, s.Records(), r), filePerm)
}

// beginNext opens the session that r switches to and puts r into it as its first
// line, with the same id (R11). Its directory was made when the switch was
// accepted; should it be gone, it is made anew.
func (m *Manager) beginNext(r conversation.Record) (*Session, error) {
	a := m.nextAction(*r.Exit.Next, r)
	if err := store.MkdirAll(m.FS, a.SessionDir, dirPerm); err != nil {
		return nil, err
	}
	next, _, err := m.open(a)
	if err != nil {
		return nil, err
	}
	r.Exit, r.Enter = nil, r.Exit.Next
	if err := next.Log.Append(r); err != nil && !errors.Is(err, conversation.ErrDuplicate) {
		return nil, errors.Join(err, next.Close())
	}
	return next, nil
}

// nextAction rebuilds action.json of a session from its ids alone, so that
// recovery needs nothing that only lived in memory.
func (m *Manager) nextAction(e conversation.Enter, r conversation.Record) Action {
	return m.actionOf(m.Registry.Scan(), e, r)
}

func (m *Manager) actionOf(cat *Catalogue, e conversation.Enter, r conversation.Record) Action {
	a := Action{Active: true, ModeID: e.ModeID, SessionID: e.SessionID, SessionDir: m.sessionDir(e.ModeID, e.SessionID)}
	a.StartedAt = startOf(e.SessionID, r.Timestamp)
	mode, ok := cat.Lookup(e.ModeID)
	if !ok {
		mode = Mode{ID: e.ModeID, DisplayName: e.ModeID, Folder: e.ModeID, Expires: DefaultExpires}
	}
	a.DisplayName, a.SkillName = mode.DisplayName, mode.Folder
	a.ExpiresAt = ExpiresAt(a.StartedAt, mode.Expires)
	return a
}
