package modes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/llm"
	"homebot/internal/store"
	"homebot/internal/text"
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
	Log  *conversation.Log // open; the turn's owner appends
	dir  string
	news bool // the dialogue was found damaged, for the first time
}

// Records is the whole dialogue so far.
func (s *Session) Records() []conversation.Record { return s.Log.Records() }

// Dir is where the session lies.
func (s *Session) Dir() string { return s.dir }

func (s *Session) path(name string) string { return filepath.Join(s.dir, name) }

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
// active by it yet; a crash leaves a directory nobody knows. A directory that lies
// outside the workspace is refused here: the next turn would not find it (R24).
func (m *Manager) create(a Action, f Frozen) error {
	if err := store.MkdirAll(m.FS, a.SessionDir, dirPerm); err != nil {
		return err
	}
	if there, err := m.exists(a); err != nil {
		return err
	} else if !there {
		return fmt.Errorf("%w: %s", store.ErrEscapes, a.SessionDir)
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
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errDamaged) {
		rebuilt = true
		f, err = m.rebuild(a, dir)
	}
	if err != nil {
		return nil, false, err
	}
	path := filepath.Join(dir, conversationFile)
	log, err := conversation.Open(m.FS, path)
	if err != nil && m.setAside(path) {
		log, err = conversation.Open(m.FS, path)
	}
	if err != nil {
		return nil, false, err
	}
	s = &Session{Action: a, Frozen: f, Log: log, dir: dir}
	s.news = m.keepDamaged(s)
	return s, rebuilt, nil
}

// keepDamaged looks whether the dialogue was damaged, and reports it once: a torn
// tail is cut off and kept by the log itself; lines that cannot be read stay
// where they are, and a copy of the log as it was found marks that it was told.
func (m *Manager) keepDamaged(s *Session) (news bool) {
	r := s.Log.Report()
	if r.Torn > 0 {
		m.Logger.Warn("conversation repaired", "session", s.SessionID, "torn_bytes", r.Torn, "kept", r.Kept)
		news = true
	}
	bad := r.Bad + r.BadRecords
	if bad == 0 {
		return news
	}
	aside := s.path(fmt.Sprintf("%s.damaged-%d", conversationFile, bad))
	if _, err := m.FS.Stat(aside); err == nil {
		return news
	}
	m.Logger.Warn("conversation is damaged", "session", s.SessionID, "lines_skipped", bad, "err", r.First, "kept", aside)
	data, err := m.FS.ReadFile(s.path(conversationFile))
	if err == nil {
		err = store.Replace(m.FS, aside, data, filePerm)
	}
	if err != nil {
		m.Logger.Warn("damaged conversation not kept aside", "err", err)
	}
	return true
}

// errDamaged: a frozen file is there and cannot be used.
var errDamaged = errors.New("frozen file is damaged")

// readFrozen reads the frozen files. One that cannot be what was written at entry
// is kept aside: without it the mode could neither go on nor be left (S3).
func (m *Manager) readFrozen(dir string) (Frozen, error) {
	system, err := m.readWhole(filepath.Join(dir, promptFile), text.IsText)
	if err != nil {
		return Frozen{}, err
	}
	tools, err := m.readWhole(filepath.Join(dir, toolsFile), func(b []byte) bool {
		names, err := llm.DecodeTools(b)
		return err == nil && slices.Contains(names, switchTool)
	})
	return Frozen{System: string(system), Tools: tools}, err
}

func (m *Manager) readWhole(path string, good func([]byte) bool) ([]byte, error) {
	data, err := m.FS.ReadFile(path)
	if err != nil && m.setAside(path) || err == nil && !good(data) && m.keepAside(path, data) {
		return nil, fmt.Errorf("%w: %s", errDamaged, path)
	}
	return data, err
}

func (m *Manager) rebuild(a Action, dir string) (Frozen, error) {
	mode, ok := m.Registry.Scan().Lookup(a.ModeID)
	if !ok { // without its skill the dialogue still goes on
		mode = Mode{ID: a.ModeID, DisplayName: a.DisplayName}
	}
	f := m.Freeze(mode, m.static(mode, a))
	return f, m.writeFrozen(dir, f)
}

// exists reports whether a session's directory is there, inside the workspace: a
// symbolic link that leads out of it is refused (R24). A disk that cannot say is
// an error: a session must not count as gone because a card stumbled once.
func (m *Manager) exists(a Action) (bool, error) {
	info, err := store.Confine(m.FS, m.Workspace).Stat(filepath.Join("modes", "sessions", a.ModeID, a.SessionID))
	switch {
	case err == nil:
		return info.IsDir(), nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return false, nil
	case errors.Is(err, store.ErrEscapes), errors.Is(err, syscall.ELOOP):
		m.Logger.Warn("session directory refused", "session", a.SessionID, "err", err)
		return false, nil
	}
	return false, err
}
