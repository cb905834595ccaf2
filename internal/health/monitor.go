// Package health knows what is wrong with the house around homebot: network,
// language model, disk, clock. What it finds is in event.State.Faults as long as
// it lasts, and goes from there by itself; people are told by whoever speaks.
//
// A Check looks now and then, and at once when it is nudged by a failure that
// somebody met (Model, FS). Looking is cheap while all is well: no request leaves
// the house for it but one connection in five minutes.
package health

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// Finding is one thing that is wrong: its code (event.Fault…), the sentence that
// says so, and the one that says that it is over.
type Finding struct {
	Code       string
	Gone, Back phrases.Phrase
}

// Check is one thing that is looked at. It is the one writer of its codes.
type Check struct {
	Codes []string
	// Ask returns what is wrong now, nothing when all is well. It runs on a
	// goroutine of the check's own, one call at a time, and must heed ctx.
	Ask func(ctx context.Context) []Finding
	// Every is the time between two looks while all is well, Again while
	// something is wrong.
	Every, Again time.Duration

	nudged chan struct{} // capacity 1
}

// Nudge makes the check look at once. Any goroutine may call it; it never waits.
func (c *Check) Nudge() {
	select {
	case c.nudged <- struct{}{}:
	default:
	}
}

// Teller says what is wrong, and that it is over, in its own time (voice.Loop).
// It returns when it has taken that.
type Teller interface {
	Trouble(ctx context.Context, code string, gone, back phrases.Phrase, wrong bool) error
}

// Config is what a Monitor needs.
type Config struct {
	Bus    *event.Bus
	Lang   string // of the faults' sentences: "zh" or "en"
	Teller Teller // nil: nobody speaks
	Now    func() time.Time
	Log    *slog.Logger
}

// Monitor looks after the checks.
type Monitor struct {
	cfg    Config
	checks []*Check
}

// New returns a Monitor that does nothing until Run.
func New(c Config, checks ...*Check) *Monitor {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	for _, check := range checks {
		check.nudged = make(chan struct{}, 1)
	}
	return &Monitor{cfg: c, checks: checks}
}

// Run looks until ctx ends. A check that hangs keeps no other from looking.
func (m *Monitor) Run(ctx context.Context) error {
	var all sync.WaitGroup
	for _, c := range m.checks {
		all.Go(func() { m.watch(ctx, c) })
	}
	all.Wait()
	return nil
}

func (m *Monitor) watch(ctx context.Context, c *Check) {
	var known []Finding
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		case <-c.nudged:
		}
		found := c.Ask(ctx)
		if ctx.Err() != nil {
			return
		}
		m.changed(ctx, known, found)
		known = found
		if len(found) > 0 {
			next.Reset(c.Again)
		} else {
			next.Reset(c.Every)
		}
	}
}

// changed tells what came and what went. What stayed keeps its time, and gets its
// new sentence if it has another one.
func (m *Monitor) changed(ctx context.Context, before, now []Finding) {
	for _, f := range before {
		if !has(now, f.Code) {
			m.cleared(ctx, f)
		}
	}
	for _, f := range now {
		i := slices.IndexFunc(before, func(b Finding) bool { return b.Code == f.Code })
		switch {
		case i < 0:
			m.appeared(ctx, f)
		case before[i].Gone != f.Gone:
			m.reworded(f)
		}
	}
}

func has(all []Finding, code string) bool {
	return slices.ContainsFunc(all, func(f Finding) bool { return f.Code == code })
}

func (m *Monitor) appeared(ctx context.Context, f Finding) {
	fault := event.Fault{Code: f.Code, Text: f.Gone.In(m.cfg.Lang), Since: m.cfg.Now()}
	m.cfg.Log.Warn("something is wrong", "fault", f.Code)
	m.cfg.Bus.Update(func(s *event.State) { s.Faults = append(without(s.Faults, f.Code), fault) }, event.FaultAppeared, fault)
	m.tell(ctx, f, true)
}

func (m *Monitor) reworded(f Finding) {
	m.cfg.Bus.Update(func(s *event.State) {
		s.Faults = slices.Clone(s.Faults)
		for i := range s.Faults {
			if s.Faults[i].Code == f.Code {
				s.Faults[i].Text = f.Gone.In(m.cfg.Lang)
			}
		}
	}, event.StateChanged, nil)
}

func (m *Monitor) cleared(ctx context.Context, f Finding) {
	m.cfg.Log.Info("it is over", "fault", f.Code)
	fault := event.Fault{Code: f.Code, Text: f.Gone.In(m.cfg.Lang)}
	m.cfg.Bus.Update(func(s *event.State) {
		for _, was := range s.Faults {
			if was.Code == f.Code {
				fault = was
			}
		}
		s.Faults = without(s.Faults, f.Code)
	}, event.FaultCleared, fault)
	m.tell(ctx, f, false)
}

func without(all []event.Fault, code string) []event.Fault {
	return slices.DeleteFunc(slices.Clone(all), func(f event.Fault) bool { return f.Code == code })
}

func (m *Monitor) tell(ctx context.Context, f Finding, wrong bool) {
	if m.cfg.Teller == nil {
		return
	}
	if err := m.cfg.Teller.Trouble(ctx, f.Code, f.Gone, f.Back, wrong); err != nil && ctx.Err() == nil {
		m.cfg.Log.Debug("a fault was not told", "fault", f.Code, "err", err)
	}
}
