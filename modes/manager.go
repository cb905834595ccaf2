package modes

import (
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/store"
)

// Config is what a Manager needs. All fields but the callbacks are required.
type Config struct {
	FS        store.FS
	Workspace string // absolute
	Registry  *Registry
	// Freeze makes the system message and the tools of a mode's requests;
	// static is what the mode's plugin adds to it. It is called once at each
	// entry.
	Freeze func(mode Mode, static string) Frozen
	// Now is the calendar: time.Now, or a test's.
	Now func() time.Time
	// Boot is what the machine knows about its clock.
	Boot Boot
	// Built is when this binary was built: a clock behind it is wrong (R51).
	Built  time.Time
	Logger *slog.Logger
	// Changed is told of every switch after it is on disk. It must not block.
	Changed func(*event.Mode, event.Switch)
	// PrefixBroken is told when a frozen prompt had to be rebuilt (C23).
	PrefixBroken func(event.PrefixBreak)
	// ClockStepped is told how far the wall clock was set. It must not block.
	ClockStepped func(time.Duration)
}

// Manager is the one writer of mode state: action.json and the mode sessions
// (R19). Its methods are called under the turn lock of the agent; those that
// touch action.json take its own lock too (R50).
type Manager struct {
	Config
	mu      sync.Mutex // action.json, notices and clock
	notices []Notice   // not told yet, as notices.json has them

	noticesRead bool // from the disk
	clock       clockWatch
	tries       int // of a recovery that the disk hinders
}

// New returns a manager that has read nothing yet: call Recover first.
func New(c Config) *Manager {
	if c.Changed == nil {
		c.Changed = func(*event.Mode, event.Switch) {}
	}
	if c.PrefixBroken == nil {
		c.PrefixBroken = func(event.PrefixBreak) {}
	}
	if c.ClockStepped == nil {
		c.ClockStepped = func(time.Duration) {}
	}
	return &Manager{Config: c, clock: newClockWatch(c.Now(), c.Boot)}
}

// DataDir is where a mode keeps what outlives its sessions (R20).
func (m *Manager) DataDir(modeID string) string { return filepath.Join(m.Workspace, modeID) }

func (m *Manager) dir() string        { return filepath.Join(m.Workspace, "modes") }
func (m *Manager) actionPath() string { return filepath.Join(m.dir(), "action.json") }

// Recover brings the disk into order after any stop: it repairs action.json,
// finishes an exit that a crash cut short, and ends an expired mode. Called at
// start, before the first turn.
func (m *Manager) Recover() error {
	if err := store.MkdirAll(m.FS, m.dir(), dirPerm); err != nil {
		return err
	}
	if err := m.finishForgetting(); err != nil {
		m.Logger.Warn("what was forgotten is not removed yet", "err", err)
	}
	s, err := m.Current()
	if err != nil || s == nil {
		return err
	}
	return s.Close()
}

// Active reads action.json as it is on disk, without repairing anything.
func (m *Manager) Active() (Action, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.readPlain()
}

func (m *Manager) readPlain() (Action, error) {
	data, err := m.FS.ReadFile(m.actionPath())
	if errors.Is(err, fs.ErrNotExist) {
		return Action{}, nil
	}
	if err != nil {
		return Action{}, err
	}
	return decodeAction(data)
}

// Current is the active session, opened, or nil. It is read from disk before
// every message, so an edit by hand counts (R26); what is damaged is repaired,
// what was cut short is finished, what is over is ended (R27, R46, R49).
func (m *Manager) Current() (*Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.checkClock(); err != nil {
		return nil, err
	}
	a, err := m.read()
	if err != nil || !a.Active {
		return nil, err
	}
	s, rebuilt, err := m.open(a)
	if err != nil {
		return nil, phrases.Errorf(phrases.ModeSessionWrong, a.SessionID, err)
	}
	if rebuilt {
		m.PrefixBroken(event.PrefixBreak{At: 0, Reason: promptFile + " or " + toolsFile + " was missing or damaged, both are rebuilt"})
	}
	if rebuilt || s.news {
		m.note(Notice{Kind: Repaired, ModeName: m.nameOf(a), At: m.Now()})
	}
	return m.settle(s)
}

// settle finishes what is due in a session before it may take a turn.
func (m *Manager) settle(s *Session) (*Session, error) {
	if last, ok := lastRecord(s); ok && last.Exit != nil {
		next, err := m.finishExit(s, last)
		return next, errors.Join(err, s.Close())
	}
	if m.expired(s) {
		return nil, errors.Join(m.expire(s), s.Close())
	}
	return s, nil
}

func lastRecord(s *Session) (conversation.Record, bool) {
	all := s.Records()
	if len(all) == 0 {
		return conversation.Record{}, false
	}
	return all[len(all)-1], true
}

// expired is R51: a restored clock is only ever behind, so nothing expires while
// now is before something that surely lies in the past.
func (m *Manager) expired(s *Session) bool {
	now := m.Now()
	if now.Before(m.Built) || now.Before(s.StartedAt) {
		return false
	}
	if last, ok := lastRecord(s); ok && now.Before(last.Timestamp) {
		return false
	}
	return now.After(s.ExpiresAt)
}

func (m *Manager) expire(s *Session) error {
	m.note(Notice{Kind: Expired, ModeName: m.nameOf(s.Action), At: s.ExpiresAt})
	_, err := m.exitWithoutTurn(s, ExitExpired)
	return err
}

// exitWithoutTurn archives a session that no reply ends (R45).
func (m *Manager) exitWithoutTurn(s *Session, reason string) (conversation.Record, error) {
	r := conversation.Record{
		Timestamp: m.Now(), Channel: conversation.ChannelSystem, ID: conversation.NewID(), Exit: &conversation.Exit{Reason: reason},
	}
	if err := s.Log.Append(r); err != nil {
		return r, err
	}
	_, err := m.finishExit(s, r)
	return r, err
}

// Exit archives the active session by a person's own act, without a gate (R45).
// It returns the mode that ended, or false when none was active.
func (m *Manager) Exit() (Action, bool, error) {
	s, err := m.Current()
	if err != nil || s == nil {
		return Action{}, false, err
	}
	defer s.Close()
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err = m.exitWithoutTurn(s, ExitUser)
	return s.Action, true, err
}

// write makes a the truth on disk and tells who watches.
func (m *Manager) write(a Action) error {
	return store.Replace(m.FS, m.actionPath(), a.encode(), filePerm)
}

// Watched is the active mode as watchers see it, nil when inactive.
func (a Action) Watched() *event.Mode {
	if !a.Active {
		return nil
	}
	return &event.Mode{ID: a.ModeID, DisplayName: a.DisplayName, SessionID: a.SessionID, ExpiresAt: a.ExpiresAt}
}
