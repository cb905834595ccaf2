package modes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/store"
)

// Files of a session directory.
const (
	promptFile       = "system_prompt.md"
	toolsFile        = "tools.json"
	conversationFile = "conversation.jsonl"
	summaryFile      = "summary.md"
)

// filePerm and dirPerm: what is said in a kitchen is the family's own.
const (
	filePerm = 0o600
	dirPerm  = 0o700
)

// Frozen is what a mode session's requests begin with, made once at entry and
// read from disk ever after (R31).
type Frozen struct {
	System string          // the complete system message
	Tools  json.RawMessage // the exact bytes of the tools array
}

// Session is one mode session on disk.
type Session struct {
	Action
	Frozen
	Log *conversation.Log // open; the turn's owner appends
	dir string
}

// Records is the whole dialogue so far.
func (s *Session) Records() []conversation.Record { return s.Log.Records() }

// Dir is where the session lies.
func (s *Session) Dir() string { return s.dir }

// Close closes the log. The session's files stay.
func (s *Session) Close() error { return s.Log.Close() }

// sessionDir is where a session must lie, by its ids (R24).
func (m *Manager) sessionDir(modeID, sessionID string) string {
	return filepath.Join(m.dir(), "sessions", modeID, sessionID)
}

// newAction is action.json for a session of mode that begins now.
func (m *Manager) newAction(mode Mode, now time.Time) Action {
	now = now.Truncate(time.Second)
	id := conversation.NewSessionID(mode.SessionPrefix, now)
	return Action{
		Active: true, ModeID: mode.ID, DisplayName: mode.DisplayName, SessionID: id, SkillName: mode.Folder,
		StartedAt: now, ExpiresAt: ExpiresAt(now, mode.Expires), SessionDir: m.sessionDir(mode.ID, id),
	}
}

// create makes the directory and the frozen files of a new session. Nothing is
// active by it yet; a crash leaves a directory nobody knows.
func (m *Manager) create(a Action, f Frozen) error {
	if err := store.MkdirAll(m.FS, a.SessionDir, dirPerm); err != nil {
		return err
	}
	return m.writeFrozen(a.SessionDir, f)
}

func (m *Manager) writeFrozen(dir string, f Frozen) error {
	if err := store.Replace(m.FS, filepath.Join(dir, toolsFile), f.Tools, filePerm); err != nil {
		return err
	}
	return store.Replace(m.FS, filepath.Join(dir, promptFile), []byte(f.System), filePerm)
}

// open reads a session's frozen files and its dialogue. Missing frozen files are
// made once more from the skill as it is now: rebuilt tells so (R27).
func (m *Manager) open(a Action) (s *Session, rebuilt bool, err error) {
	dir := m.sessionDir(a.ModeID, a.SessionID)
	f, err := m.readFrozen(dir)
	if errors.Is(err, fs.ErrNotExist) {
		rebuilt = true
		f, err = m.rebuild(a, dir)
	}
	if err != nil {
		return nil, false, err
	}
	log, err := conversation.Open(m.FS, filepath.Join(dir, conversationFile))
	if err != nil {
		return nil, false, err
	}
	if r := log.Report(); r.Torn > 0 || r.Skipped() > 0 {
		m.Logger.Warn("conversation repaired", "session", a.SessionID, "torn_bytes", r.Torn, "kept", r.Kept, "skipped", r.Skipped(), "err", r.First)
	}
	return &Session{Action: a, Frozen: f, Log: log, dir: dir}, rebuilt, nil
}

func (m *Manager) readFrozen(dir string) (Frozen, error) {
	system, err := m.FS.ReadFile(filepath.Join(dir, promptFile))
	if err != nil {
		return Frozen{}, err
	}
	tools, err := m.FS.ReadFile(filepath.Join(dir, toolsFile))
	return Frozen{System: string(system), Tools: tools}, err
}

func (m *Manager) rebuild(a Action, dir string) (Frozen, error) {
	mode, ok := m.Registry.Scan().Lookup(a.ModeID)
	if !ok {
		return Frozen{}, fmt.Errorf("mode %s is no longer there to rebuild %s from", a.ModeID, promptFile)
	}
	f := m.Freeze(mode)
	return f, m.writeFrozen(dir, f)
}

// exists reports whether a session's directory is there. A disk that cannot say
// is an error: a session must not count as gone because a card stumbled once.
func (m *Manager) exists(a Action) (bool, error) {
	info, err := m.FS.Stat(m.sessionDir(a.ModeID, a.SessionID))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil
	}
	return err == nil && info.IsDir(), err
}
