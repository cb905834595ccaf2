package agent

import (
	"context"
	"errors"
	"sync"
	"time"

	"homebot/internal/event"
)

// clockLook is how often wall and monotonic clock are compared.
const clockLook = 10 * time.Second

// Run is what the agent does beside turns, until ctx ends: it ends a mode at its
// time (R49), watches the clock (R51), and keeps the contexts in order off the
// user's path (C13, C20).
func (a *Agent) Run(ctx context.Context) error {
	var jobs sync.WaitGroup
	defer jobs.Wait()
	jobs.Go(func() { _ = a.expiry.Run(ctx) })
	jobs.Go(func() { a.upkeep.run(ctx) })
	jobs.Go(func() { a.sampleLoad(ctx) })
	look := time.NewTicker(clockLook)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
			a.do(ctx, "clock", a.modes.CheckClock)
		}
	}
}

// expire ends a mode that is over; otherwise it does nothing.
func (a *Agent) expire(ctx context.Context) {
	a.do(ctx, "expiry", func() error {
		s, err := a.modes.Current()
		if s != nil {
			err = errors.Join(err, s.Close())
		}
		return err
	})
}

func (a *Agent) do(ctx context.Context, what string, f func() error) {
	if err := a.withMode(ctx, f); err != nil && ctx.Err() == nil {
		a.cfg.Logger.Error(what, "err", err)
	}
}

// clockStepped is called by the manager when the wall clock was set.
func (a *Agent) clockStepped(by time.Duration) {
	a.publish(event.ClockStepped, event.ClockStep{By: by})
	a.expiry.Rebuild()
}
