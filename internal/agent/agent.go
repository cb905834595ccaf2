package agent

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"homebot/internal/agent/load"
	"homebot/internal/agent/tables"
	"homebot/internal/cache"
	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/lazyregexp"
	"homebot/internal/llm"
	"homebot/internal/store"
	"homebot/internal/text"
	"homebot/modes"
	"homebot/skills"
	"homebot/voice"
)

// Guest is the speaker nobody was recognised as.
const Guest = "guest"

// Fallback is a model that answers without a network what it understands.
type Fallback interface {
	llm.Model
	// Understands reports whether it has more to say to r than that it
	// cannot.
	Understands(r llm.Request) bool
}

// Config is what an Agent is made of.
type Config struct {
	FS        store.FS
	Workspace string // absolute
	Registry  *modes.Registry
	// Model answers; nil means that none is configured and Offline answers
	// everything.
	Model   llm.Model
	Offline Fallback
	// Tools beside switch_mode and note_fact, offered in every request (R37).
	Tools []skills.Tool
	// ModelName and Window are the model's own: how its tokens are estimated,
	// and how many it takes in one request (0: not known).
	ModelName string
	Window    int
	// Profile is [context] profile; "" is "auto" (C3).
	Profile string
	// Urgent reports whether a timer rings or has under a minute left (C13);
	// nil: never. Load, if set, is how busy the machine is instead of Meter.
	Urgent func(now time.Time) bool
	Load   func() float64
	Meter  *load.Meter // of the machine; nil measures the model's waits only
	// Answers and Audio are what is kept to be used again (C12); nil: nothing.
	Answers, Audio *cache.Cache
	// Timers are asked what is really set; nil means there are none.
	Timers Timers
	// Wake are the wake phrases; nil: the default ones. What a model gets begins
	// after them.
	Wake []string
	// Loudspeaker is turned up and down; nil means there is none.
	Loudspeaker Loudspeaker
	// Lang is spoken where a turn's own language cannot be judged: "zh" or "en".
	Lang   string
	Now    func() time.Time // the calendar; nil means time.Now
	Built  time.Time        // when this binary was built (R51)
	Boot   modes.Boot       // what the machine knows about its clock (R51)
	Bus    *event.Bus       // nil means nobody watches
	Logger *slog.Logger
}

// Agent answers turns. It is a voice.Handler; any goroutine may call its
// methods, and one turn runs at a time in each conversation (R50).
type Agent struct {
	cfg    Config
	modes  *modes.Manager
	tools  skills.Set // the common ones
	normal *normalSessions
	watch  prefixWatch
	locks  *conversations
	expiry *modes.Expiry

	tables      *tables.Store
	minds       minds
	calibration calibration
	counters    counters
	turnLog     turnLog
	summaries   summaryCache
	upkeep      *upkeep
	under       under
}

// New returns an agent that has read nothing yet: call Start first.
func New(c Config) *Agent {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	a := &Agent{cfg: c, locks: newConversations()}
	a.tools = skills.NewSet(append(a.commonTools(), c.Tools...)...)
	a.normal = &normalSessions{agent: a}
	a.openContexts()
	a.modes = modes.New(modes.Config{
		FS: c.FS, Workspace: c.Workspace, Registry: c.Registry, Freeze: a.freeze, Now: c.Now, Built: c.Built, Boot: c.Boot,
		Logger: c.Logger, Changed: a.modeChanged, PrefixBroken: a.prefixBroken, ClockStepped: a.clockStepped,
	})
	a.expiry = modes.NewExpiry(c.Now, a.modes.ExpiryTimes, a.expire)
	return a
}

// Start repairs what a crash left and publishes which mode is active, so that
// the light is right before the first turn (R52).
func (a *Agent) Start(ctx context.Context) error { return a.withMode(ctx, a.start) }

func (a *Agent) start() error {
	if err := store.MkdirAll(a.cfg.FS, a.cfg.Workspace, 0o700); err != nil {
		return err
	}
	if err := a.modes.Recover(); err != nil {
		return err
	}
	active, err := a.modes.Active()
	if err != nil {
		return err
	}
	a.update(func(s *event.State) { s.Mode = active.Watched() }, event.StateChanged, nil)
	return nil
}

// ExitMode archives the active mode by a person's own act, without words to
// check (R45). It waits for the turn in progress. It reports which mode ended,
// nil when none was active.
func (a *Agent) ExitMode(ctx context.Context) (ended *event.Mode, err error) {
	err = a.withMode(ctx, func() error {
		action, was, err := a.modes.Exit()
		if was && err == nil {
			ended = action.Watched()
		}
		return err
	})
	return ended, err
}

// Modes lists the run modes there are now.
func (a *Agent) Modes() *modes.Catalogue { return a.cfg.Registry.Scan() }

// modeChanged is called by the manager after a switch is on disk.
func (a *Agent) modeChanged(m *event.Mode, s event.Switch) {
	a.update(func(st *event.State) { st.Mode = m }, event.ModeSwitched, s)
	a.expiry.Rebuild() // a mode may end at a time of its own
}

func (a *Agent) prefixBroken(b event.PrefixBreak) {
	a.cfg.Logger.Warn("prefix break", "at", b.At, "reason", b.Reason)
	a.publish(event.PrefixBroken, b)
}

func (a *Agent) update(change func(*event.State), kind event.Kind, data any) {
	if a.cfg.Bus != nil {
		a.cfg.Bus.Update(change, kind, data)
	}
}

func (a *Agent) publish(kind event.Kind, data any) {
	if a.cfg.Bus != nil {
		a.cfg.Bus.Publish(kind, data)
	}
}

// turnID and chatID are the forms of R43; both become names of files or lines in
// them.
var (
	turnID = lazyregexp.New(`^[0-9a-f]{16}$`)
	chatID = lazyregexp.New(`^[a-z]+-[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$`)
)

// complete fills in what a channel may leave open.
func (a *Agent) complete(t voice.Turn) voice.Turn {
	if !turnID.MatchString(t.ID) {
		t.ID = conversation.NewID()
	}
	switch t.Channel {
	case voice.ChannelVoice: // its sessions are the loop's own
	case voice.ChannelText, voice.ChannelWeb:
		if !chatID.MatchString(t.ChatID) {
			t.ChatID = ""
		}
	default:
		t.Channel, t.ChatID = voice.ChannelText, ""
	}
	if t.Heard.IsZero() {
		t.Heard = a.cfg.Now()
	}
	if t.Speaker = cleanSpeaker(t.Speaker); t.Speaker == "" {
		t.Speaker = Guest
	}
	if t.Lang == "" {
		t.Lang = text.Lang(t.Text, a.cfg.Lang)
	}
	return t
}

// maxSpeakerRunes bounds a name that goes into every header.
const maxSpeakerRunes = 40

// cleanSpeaker keeps a speaker on one header line: no brackets, no line breaks.
func cleanSpeaker(s string) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r == '[' || r == ']' || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)), " ")
	if r := []rune(s); len(r) > maxSpeakerRunes {
		s = string(r[:maxSpeakerRunes])
	}
	return s
}

func (a *Agent) path(parts ...string) string {
	return filepath.Join(append([]string{a.cfg.Workspace}, parts...)...)
}
