package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"homebot/internal/agent/load"
	"homebot/internal/agent/tables"
	"homebot/internal/cache"
	"homebot/internal/contextmode"
	"homebot/internal/llm"
)

// openContexts makes the parts of the context engine; nothing is read yet.
func (a *Agent) openContexts() {
	a.tables = tables.New(a.cfg.FS, a.cfg.Workspace, a.cfg.Logger)
	a.turnLog = turnLog{fs: a.cfg.FS, path: a.path("context", "turns.jsonl"), size: -1}
	a.upkeep = newUpkeep(a)
	if a.cfg.Meter == nil {
		a.cfg.Meter = &load.Meter{}
	}
}

// sampleLoad measures until ctx ends.
func (a *Agent) sampleLoad(ctx context.Context) {
	every := time.NewTicker(load.Every)
	defer every.Stop()
	for {
		a.cfg.Meter.Sample(time.Now())
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

// load is how busy machine and model are now (C13).
func (a *Agent) load() float64 {
	if a.cfg.Load != nil {
		return a.cfg.Load()
	}
	return a.cfg.Meter.Load(time.Now())
}

// waited measures how long the first word of an answer took; spoken is how much
// of it came before.
func (t *turn) waited(spoken int, began time.Time) {
	if spoken == 0 && !t.offline {
		t.cfg.Meter.Waited(time.Now(), time.Since(began))
	}
}

// errSlowProfile ends a request that took longer than its profile allows.
var errSlowProfile = errors.New("longer than the context profile allows")

// tooLong makes the end of a profile's time a slow model; ctx is the turn's own.
func tooLong(ctx, limited context.Context, err error) error {
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return fmt.Errorf("%w: %w", llm.ErrSlow, errSlowProfile)
	}
	return err
}

// under is the table and the profile of the newest turn: what is made beside
// turns belongs to them (C12).
type under struct {
	mu      sync.Mutex
	table   contextmode.Table
	profile contextmode.Profile
}

func (u *under) set(t contextmode.Table, p contextmode.Profile) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.table, u.profile = t, p
}

// Under is the table and the profile of the newest turn. Any goroutine may call
// it.
func (a *Agent) Under() (contextmode.Table, contextmode.Profile) {
	a.under.mu.Lock()
	defer a.under.mu.Unlock()
	if !a.under.profile.Valid() {
		return contextmode.Default(), contextmode.Full
	}
	return a.under.table, a.under.profile
}

// profileChanged tells the caches (C12).
func (a *Agent) profileChanged(from, to contextmode.Profile, flapping bool) {
	if !from.Valid() || from == to {
		return
	}
	for _, c := range []*cache.Cache{a.cfg.Answers, a.cfg.Audio} {
		if c != nil {
			c.Switch(from, to, flapping)
		}
	}
}
