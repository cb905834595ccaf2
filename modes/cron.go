package modes

import (
	"context"
	"time"

	"github.com/robfig/cron/v3"
)

// Expiry is the job that ends a mode by itself (R49). Not expired, it does
// nothing; a job that was missed is made up before the next turn (Current).
type Expiry struct {
	now   func() time.Time
	times func() []string
	due   func(context.Context)
	again chan struct{}
}

// NewExpiry returns a job that has not begun. now is the calendar, times the
// HH:MM at which modes may end, due what to do then. due may block; Run waits
// for it.
func NewExpiry(now func() time.Time, times func() []string, due func(context.Context)) *Expiry {
	return &Expiry{now: now, times: times, due: due, again: make(chan struct{}, 1)}
}

// Rebuild plans anew: the clock was set, or a mode with other times was entered.
// Any goroutine may call it.
func (e *Expiry) Rebuild() {
	select {
	case e.again <- struct{}{}:
	default: // one is waiting already
	}
}

// Run lives until ctx ends. cron sleeps on the monotonic clock, so it is built
// anew whenever the wall clock was set.
func (e *Expiry) Run(ctx context.Context) error {
	for {
		c := cron.New(cron.WithLogger(cron.DiscardLogger))
		c.Schedule(nightly{e.now, e.times}, cron.FuncJob(func() { e.due(ctx) }))
		c.Start()
		select {
		case <-ctx.Done():
			<-c.Stop().Done()
			return nil
		case <-e.again:
			<-c.Stop().Done()
		}
	}
}

// nightly is a cron.Schedule of our own: cron's parser knows no days on which
// 00:10 does not exist.
type nightly struct {
	now   func() time.Time
	times func() []string
}

// after is how long after the expiry the job runs: a mode has expired when now
// is after expires_at, not at it.
const after = time.Second

// Next is the first time after t at which a mode may have expired. t is by the
// clock of package time; the calendar may be another one (in tests).
func (n nightly) Next(t time.Time) time.Time {
	now := n.now()
	shift := time.Until(now).Round(time.Millisecond)
	calendar := t.Round(0).Add(shift).In(now.Location())
	var next time.Time
	for _, hhmm := range n.times() {
		if x := nextExpiry(calendar.Add(-after), hhmm); next.IsZero() || x.Before(next) {
			next = x
		}
	}
	if next.IsZero() {
		next = nextExpiry(calendar.Add(-after), DefaultExpires)
	}
	return next.Add(after - shift)
}

// nextExpiry is the first time after t at which a mode entered on some day
// expires: the same function as ExpiresAt, so both know the same odd days (R48).
func nextExpiry(t time.Time, hhmm string) time.Time {
	y, m, d := t.Date()
	for day := d - 1; ; day++ {
		x := ExpiresAt(time.Date(y, m, day, 12, 0, 0, 0, t.Location()), hhmm)
		if x.After(t) {
			return x
		}
	}
}

// ExpiryTimes are the HH:MM at which modes of the catalogue end, each once.
func (m *Manager) ExpiryTimes() []string {
	times := []string{DefaultExpires}
	for _, mode := range m.Registry.Scan().Modes {
		if mode.Expires != DefaultExpires {
			times = append(times, mode.Expires)
		}
	}
	return times
}
