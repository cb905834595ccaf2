package modes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/lazyregexp"
	"homebot/internal/phrases"
	"homebot/internal/store"
	"homebot/skills"
)

// Plugin is what a mode adds to its texts (R17). Every hook may be nil. Hooks
// run one at a time, on the goroutine of the turn or of the job that ends a
// mode.
type Plugin struct {
	ID          string // of the mode; must be that of its mode.json
	DisplayName string // for people who read the code; mode.json decides
	// HistoryFile is the index of finished sessions that AfterExit keeps, in
	// the mode's data directory; "" when there is none. Only its path is shown
	// to the model (R39).
	HistoryFile string

	// StaticPrompt is called once, at entry: text that ends the frozen system
	// message (R31).
	StaticPrompt func(context.Context, Scope) (string, error)
	// RuntimeContext is called for each turn: header fields of the current
	// user message, in their order (R35).
	RuntimeContext func(context.Context, Scope) ([]Field, error)
	// Tools are offered beside the common ones while the mode is active. Their
	// calls find the Scope with ScopeOf.
	Tools []skills.Tool
	// AfterExit is step 3 of an exit (R46): the plugin's own index. It may be
	// called more than once for the same session and must then change nothing.
	AfterExit func(context.Context, Scope, Ended) error
	// Forgotten is called when a session was forgotten, with "", or what somebody
	// said in it, with the summary that is true now.
	Forgotten func(ctx context.Context, s Scope, summary string) error
}

// Scope is what a hook or a tool of a plugin may know and touch.
type Scope struct {
	ModeID    string
	SessionID string
	Now       time.Time // the calendar, in the zone of the kitchen
	Lang      string    // of the turn: zh or en; "" outside a turn
	Data      store.Confined
	Facts     []conversation.Fact // confirmed and in force
}

// Field is one header field: `[Key: Value]`.
type Field struct{ Key, Value string }

// Ended is a session that ended, as AfterExit sees it.
type Ended struct {
	StartedAt time.Time
	EndedAt   time.Time
	Reason    string                // one of R28
	Summary   string                // summary.md, whole
	Turns     []conversation.Record // the dialogue, failed turns included
}

// HookError is what went wrong in a plugin's code, and where. The user hears one
// sentence about it, the log has all of it.
type HookError struct {
	File   string
	Line   int // 1-based; 0 when unknown
	Reason string
	ZH     string // Reason in Chinese; "": Reason is all there is
}

// Says returns e with what err says, in Chinese too if err knows it.
func (e HookError) Says(err error) *HookError {
	e.Reason, e.ZH = err.Error(), phrases.Told(err, phrases.Chinese)
	return &e
}

func (e *HookError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// Scripts makes plugins of scripts. Package modes/script is the one that runs
// them in a process of their own.
type Scripts interface {
	// Load makes the plugin called name of a script's text. file is its name
	// for people. An error is a *HookError when it is about the script.
	Load(file, name string, source []byte) (*Plugin, error)
}

type scopeKey struct{}

// WithScope returns a context in which tools find s.
func WithScope(ctx context.Context, s Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// ErrNoScope: a tool of a mode was called outside that mode.
var ErrNoScope = errors.New("this works only while its run mode is active")

// ScopeOf finds the scope a tool is called in.
func ScopeOf(ctx context.Context) (Scope, error) {
	s, ok := ctx.Value(scopeKey{}).(Scope)
	if !ok {
		return Scope{}, ErrNoScope
	}
	return s, nil
}

// switchTool is how the model asks to enter and leave (R3).
const switchTool = "switch_mode"

// commonTools are the names that every request has or will have (R37); a mode
// must not take one of them.
var commonTools = []string{
	switchTool, "note_fact", "read_history", "set_timer", "change_timer", "cancel_timer", "list_timers", "set_volume",
}

var toolPattern = lazyregexp.New(`^[a-z][a-z0-9_]{0,47}$`)

// wrongTools says what is wrong in the names of a plugin's tools, or in those
// that mode.json offers.
func (m Mode) wrongTools() (key string, why error) {
	var names []string
	if m.Plugin != nil {
		for _, t := range m.Plugin.Tools {
			switch {
			case !toolPattern.MatchString(t.Name):
				return "entrypoint", phrases.Errorf(phrases.ModeFileTool, t.Name)
			case slices.Contains(commonTools, t.Name) || slices.Contains(names, t.Name):
				return "entrypoint", phrases.Errorf(phrases.ModeFileToolTaken, t.Name)
			}
			names = append(names, t.Name)
		}
	}
	for _, n := range m.Tools {
		if !slices.Contains(names, n) {
			return "tools", phrases.Errorf(phrases.ModeFileNoTool, n, orNone(names))
		}
	}
	return "", nil
}

// orNone is a list of names, for a sentence.
func orNone(names []string) any {
	if len(names) == 0 {
		return phrases.ModeFileNoTools
	}
	return strings.Join(names, ", ")
}

// Offered are the tools of the mode's plugin that its requests have: those that
// mode.json names, or all.
func (m Mode) Offered() []skills.Tool {
	if m.Plugin == nil {
		return nil
	}
	if m.Tools == nil {
		return m.Plugin.Tools
	}
	var some []skills.Tool
	for _, t := range m.Plugin.Tools {
		if slices.Contains(m.Tools, t.Name) {
			some = append(some, t)
		}
	}
	return some
}

// hookTime bounds a hook. Those of scripts end earlier by themselves.
const hookTime = 10 * time.Second

// static is the text that the plugin adds to the system message, "" when it has
// none or failed: the mode then begins without it.
func (m *Manager) static(mode Mode, a Action) string {
	if mode.Plugin == nil || mode.Plugin.StaticPrompt == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), hookTime)
	defer cancel()
	s, err := mode.Plugin.StaticPrompt(ctx, m.scope(a, nil, ""))
	if err != nil {
		m.hookFailed(mode, "static_prompt", err)
		return ""
	}
	return strings.TrimSpace(s)
}

// staticLocked is static for callers that do not hold mu.
func (m *Manager) staticLocked(mode Mode, a Action) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.static(mode, a)
}

// RuntimeContext is what the plugin of a session's mode gives to the header of
// the current message (R35); false when there is no such hook, or it failed.
// Called by the turn that holds the session.
func (m *Manager) RuntimeContext(ctx context.Context, mode Mode, scope Scope) (fields []Field, ok bool) {
	if mode.Plugin == nil || mode.Plugin.RuntimeContext == nil {
		return nil, false
	}
	fields, err := mode.Plugin.RuntimeContext(ctx, scope)
	if ctx.Err() != nil {
		return nil, false // the turn was broken off; the plugin did nothing wrong
	}
	if err != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.hookFailed(mode, "runtime_context", err)
		return nil, false
	}
	return cleanFields(fields), true
}

// Bounds of header fields: they stand in every log line that changed them.
const (
	maxFields     = 16
	maxFieldRunes = 200
)

var fieldKey = lazyregexp.New(`^[\p{L}][\p{L}\p{N}_]{0,31}$`)

// cleanFields keeps header fields readable as such: one line each, no brackets.
func cleanFields(fields []Field) []Field {
	var kept []Field
	for _, f := range fields {
		if !fieldKey.MatchString(f.Key) || len(kept) == maxFields {
			continue
		}
		f.Value = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
			if r == '[' || r == ']' || r < ' ' {
				return ' '
			}
			return r
		}, f.Value)), " ")
		if r := []rune(f.Value); len(r) > maxFieldRunes {
			f.Value = string(r[:maxFieldRunes])
		}
		kept = append(kept, f)
	}
	return kept
}

// ModeOf is the mode of a session as its skill is now; false when it is gone.
func (m *Manager) ModeOf(s *Session) (Mode, bool) { return m.Registry.Scan().Lookup(s.ModeID) }

// ScopeOf is the scope of a session's plugin.
func (m *Manager) ScopeOf(s *Session, lang string) Scope { return m.scope(s.Action, s.Records(), lang) }

func (m *Manager) scope(a Action, records []conversation.Record, lang string) Scope {
	return Scope{
		ModeID: a.ModeID, SessionID: a.SessionID, Now: m.Now(), Lang: lang,
		Data: store.Confine(m.FS, m.DataDir(a.ModeID)), Facts: Facts(records),
	}
}

// index is step 3 of an exit. What the plugin does wrong is told and passed
// over: an exit never hangs on it. A disk that refuses is an error, and the step
// is made up later.
func (m *Manager) index(s *Session, r conversation.Record) error {
	mode, ok := m.Registry.Scan().Lookup(s.ModeID)
	if !ok || mode.Plugin == nil || mode.Plugin.AfterExit == nil {
		return nil
	}
	summary, err := m.FS.ReadFile(s.path(summaryFile))
	if err != nil {
		return err
	}
	e := Ended{StartedAt: s.StartedAt, EndedAt: r.Timestamp, Reason: r.Exit.Reason, Summary: string(summary)}
	for _, t := range s.Records() {
		if t.IsTurn() {
			e.Turns = append(e.Turns, t)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), hookTime)
	defer cancel()
	err = mode.Plugin.AfterExit(ctx, m.scope(s.Action, s.Records(), ""), e)
	switch store.Why(err) {
	case store.Full, store.ReadOnly, store.Broken:
		return err
	}
	if err != nil {
		m.hookFailed(mode, "after_exit", err)
	}
	return nil
}

// hookFailed logs what went wrong in a plugin, and has the user told once: of one
// that is called with every message, with every message.
// Called under mu.
func (m *Manager) hookFailed(mode Mode, hook string, err error) {
	m.Logger.Error("plugin failed", "mode", mode.ID, "hook", hook, "err", err)
	m.note(Notice{Kind: PluginFailed, ModeName: mode.DisplayName, At: m.Now()})
}
