package agent

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"homebot/internal/contextmode"
	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/voice"
)

// Counts is what is counted of the context engine since start, for one table
// version and profile.
type Counts struct {
	Turns        int `json:"turns"`
	Cuts         int `json:"cuts"`
	TrimmedItems int `json:"trimmed_items"` // turns and session items that requests did not carry
	Estimated    int `json:"tokens_estimated"`
	Billed       int `json:"tokens_billed"` // of prompts
	Cached       int `json:"tokens_cached"` // of those
	Breaks       int `json:"prefix_breaks"`
	Overruns     int `json:"budget_overruns"`
	Fallbacks    int `json:"summary_fallbacks"` // summaries refused or missing
	Alarms       int `json:"switch_alarms"`
}

// CounterKey is whose counts they are.
type CounterKey struct {
	Table   int
	Profile contextmode.Profile
}

// counters is the zero value with nothing counted.
type counters struct {
	mu sync.Mutex
	by map[CounterKey]*Counts
}

func (c *counters) note(table int, p contextmode.Profile, add func(*Counts)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[CounterKey]*Counts{}
	}
	key := CounterKey{table, p}
	if c.by[key] == nil {
		c.by[key] = &Counts{}
	}
	add(c.by[key])
}

// Counters is a copy of what was counted since start. Any goroutine may call it.
func (a *Agent) Counters() map[CounterKey]Counts {
	a.counters.mu.Lock()
	defer a.counters.mu.Unlock()
	out := make(map[CounterKey]Counts, len(a.counters.by))
	for k, c := range a.counters.by {
		out[k] = *c
	}
	return out
}

// TurnLine is one line of context/turns.jsonl: what was decided about a turn's
// context, what its last request carried, and what it cost (C4, C17). It holds
// none of the words but the pinned facts.
type TurnLine struct {
	At      time.Time           `json:"at"`
	ID      string              `json:"id"`
	Session string              `json:"session"`
	Table   int                 `json:"table"`
	Profile contextmode.Profile `json:"profile"`
	Reason  contextmode.Reason  `json:"reason"`
	Header  string              `json:"header"` // the value of X-Homebot-Context
	Hint    contextmode.Hint    `json:"hint,omitempty"`
	Signals signalsLine         `json:"signals"`

	Budget     int                 `json:"budget"`
	Fixed      int                 `json:"fixed"`     // tokens of system prompt and tools, estimated
	Estimate   int                 `json:"estimate"`  // of the variable part
	Estimated  int                 `json:"estimated"` // of the whole first request
	Kept       int                 `json:"kept"`      // raw turns
	Blocks     int                 `json:"blocks"`
	Pinned     []string            `json:"pinned,omitempty"`
	Trimmed    contextmode.Trimmed `json:"trimmed"`
	Cuts       int                 `json:"cuts,omitempty"`
	Overrun    bool                `json:"overrun,omitempty"`
	Prompt     int                 `json:"prompt"`
	Cached     int                 `json:"cached"`
	Completion int                 `json:"completion"`

	FirstMS  int64   `json:"first_ms"`
	DecideMS float64 `json:"decide_ms"`
	TrimMS   float64 `json:"trim_ms"`

	Words       uint64 `json:"words,omitempty"` // a hash, to find repeats
	Corrected   bool   `json:"corrected,omitempty"`
	Interrupted bool   `json:"interrupted,omitempty"`
	Failed      string `json:"failed,omitempty"`
	Fallbacks   int    `json:"fallbacks,omitempty"`
	Breaks      int    `json:"breaks,omitempty"`
}

// signalsLine are the raw signals, as they came.
type signalsLine struct {
	Asked   contextmode.Profile `json:"asked,omitempty"`
	Restore bool                `json:"restore,omitempty"`
	Request string              `json:"request,omitempty"`
	Config  string              `json:"config,omitempty"`
	Mode    string              `json:"mode,omitempty"`
	Tier    string              `json:"tier,omitempty"`
	Turns   int                 `json:"turns"`
	Load    float64             `json:"load"`
	Before  contextmode.Profile `json:"before,omitempty"`
}

func (l TurnLine) stat() contextmode.TurnStat {
	return contextmode.TurnStat{
		Session: l.Session, At: l.At, Table: l.Table, Profile: l.Profile, Reason: l.Reason, Words: l.Words,
		Corrected: l.Corrected, Interrupted: l.Interrupted, Fallbacks: l.Fallbacks,
		Latency: time.Duration(l.FirstMS) * time.Millisecond, Prompt: l.Prompt, Cached: l.Cached, Completion: l.Completion,
		Cuts: l.Cuts, Breaks: l.Breaks, Trimmed: l.Trimmed.Turns + l.Trimmed.Items,
	}
}

// line is the turn's line.
func (t *turn) line() TurnLine {
	v, d := &t.view, t.view.decision
	s := d.Signals
	l := TurnLine{
		At: t.Heard, ID: t.ID, Session: t.id, Table: d.Table, Profile: d.Profile, Reason: d.Reason, Hint: d.Hint,
		Header: contextmode.HeaderValue(d, v.trimmed),
		Signals: signalsLine{
			Asked: s.Words.Profile, Restore: s.Words.Restore, Request: s.Request, Config: s.Config, Mode: s.Mode,
			Tier: s.Tier, Turns: s.Turns, Load: s.Load, Before: s.Before.Last,
		},
		Budget: v.budget, Fixed: v.fixed, Estimate: v.plan.After, Estimated: v.estimate, Kept: len(v.view.Turns),
		Blocks: len(v.view.Blocks), Pinned: v.view.Facts, Trimmed: v.trimmed, Cuts: v.made, Overrun: v.plan.Overrun,
		Prompt: v.billed.Prompt, Cached: v.billed.Cached, Completion: v.billed.Completion,
		FirstMS: t.result.Latency.FirstToken.Milliseconds(), DecideMS: millis(v.decideTime), TrimMS: millis(v.trimTime),
		Words: contextmode.WordsKey(t.Text), Interrupted: t.failed == conversation.FailedInterrupted, Failed: t.failed,
		Fallbacks: v.plan.Fallback, Breaks: v.breaks,
	}
	for _, f := range t.facts {
		l.Corrected = l.Corrected || f.Replaces != ""
	}
	return l
}

// account counts the turn, looks whether its conversation flaps, and hands its
// line to the log.
func (t *turn) account() {
	l := t.line()
	t.counters.note(l.Table, l.Profile, func(c *Counts) {
		c.Turns++
		c.Cuts += l.Cuts
		c.TrimmedItems += l.Trimmed.Turns + l.Trimmed.Items
		c.Estimated += l.Estimated
		c.Billed += l.Prompt
		c.Cached += l.Cached
		c.Breaks += l.Breaks
		c.Fallbacks += l.Fallbacks
	})
	before, changes, fires := t.turnLog.add(l)
	t.profileChanged(before, l.Profile, fires)
	if fires {
		t.counters.note(l.Table, l.Profile, func(c *Counts) { c.Alarms++ })
		t.alarm(l.Session, l.Table, changes)
	}
}

// turnLog keeps the newest lines in memory and writes them to turns.jsonl, two
// files of at most maxTurnLog bytes. Lines are written by the worker, without a
// sync: they are not worth a wait.
type turnLog struct {
	fs   store.FS
	path string

	mu     sync.Mutex
	recent []TurnLine // the newest keptLines
	unsaid int        // of them, those not written yet
	size   int64      // of the file; -1 unknown
}

const (
	keptLines  = 512
	maxTurnLog = 1 << 20
)

// add keeps a line. It returns the profile of the conversation's turn before,
// and whether the switch-rate alarm begins with this one (C16).
func (l *turnLog) add(line TurnLine) (before contextmode.Profile, changes int, fires bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recent = append(l.recent, line)
	l.unsaid++
	if drop := len(l.recent) - keptLines; drop > 0 {
		l.recent = slices.Clone(l.recent[drop:])
		l.unsaid = min(l.unsaid, keptLines)
	}
	var same []contextmode.TurnStat
	for _, r := range l.recent {
		if r.Session == line.Session {
			same = append(same, r.stat())
		}
	}
	if n := len(same); n > 1 {
		before = same[n-2].Profile
		fires = contextmode.Flapping(same) && !contextmode.Flapping(same[:n-1])
	}
	return before, contextmode.Switches(same), fires
}

// flush writes what is not written yet.
func (l *turnLog) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	for _, line := range l.recent[len(l.recent)-l.unsaid:] {
		data, err := json.Marshal(line)
		if err != nil {
			return err
		}
		b.Write(data)
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return nil
	}
	if err := l.append(b.String()); err != nil {
		return err
	}
	l.unsaid = 0
	return nil
}

func (l *turnLog) append(lines string) error {
	if err := l.rotate(len(lines)); err != nil {
		return err
	}
	f, err := l.fs.OpenFile(l.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	n, err := f.Write([]byte(lines))
	l.size += int64(n)
	return errors.Join(err, f.Close())
}

// rotate makes room for more bytes: the file becomes the older one, which goes.
func (l *turnLog) rotate(more int) error {
	if l.size < 0 {
		info, err := l.fs.Stat(l.path)
		if err == nil {
			l.size = info.Size()
		} else if errors.Is(err, fs.ErrNotExist) {
			l.size = 0
			dir := l.path[:strings.LastIndexByte(l.path, '/')]
			if err := store.MkdirAll(l.fs, dir, 0o700); err != nil {
				return err
			}
		} else {
			return err
		}
	}
	if l.size == 0 || l.size+int64(more) <= maxTurnLog {
		return nil
	}
	l.size = 0
	return l.fs.Rename(l.path, l.path+".1")
}

// all is what is on disk and what is not yet, oldest first. Lines that cannot be
// read are passed over.
func (l *turnLog) all() ([]TurnLine, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []TurnLine
	for _, path := range []string{l.path + ".1", l.path} {
		lines, _, err := store.ReadLog(l.fs, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, data := range lines {
			var line TurnLine
			if json.Unmarshal(data, &line) == nil && line.Profile.Valid() {
				out = append(out, line)
			}
		}
	}
	return append(out, l.recent[len(l.recent)-l.unsaid:]...), nil
}

// flushTurns is the worker's part.
func (a *Agent) flushTurns(context.Context) {
	if err := a.turnLog.flush(); err != nil {
		a.cfg.Logger.Warn("turns not logged", "err", err)
	}
}

// contextHeader is the header's value for a finished turn (C4).
func contextHeader(r voice.Result) string {
	return contextmode.HeaderValue(
		contextmode.Decision{Profile: contextmode.Profile(r.Profile), Reason: contextmode.Reason(r.ProfileReason), Table: r.Table},
		contextmode.Trimmed(r.Trimmed))
}
