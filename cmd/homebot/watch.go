package main

import (
	"context"
	"slices"
	"strings"

	"homebot/internal/engine"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/watchdog"
)

// watchdog tells systemd about this service: ready when requests are taken and
// the device hears, or has told why not; alive as long as the engine's socket and
// the voice session's two loops take messages. s is nil without sound, events are
// the bus's from before anything ran.
func (h *house) watchdog(e *engine.Engine, s *sound, events <-chan event.Event) *watchdog.Dog {
	c := watchdog.Config{
		Log:    h.logger,
		Status: func() string { return statusLine(h.bus.Snapshot(), h.cfg.System.Language) },
		Ready: func(ctx context.Context) error {
			select {
			case <-e.Ready():
			case <-ctx.Done():
				return ctx.Err()
			}
			if s != nil && !settled(events) {
				<-ctx.Done() // the events end with the engine
				return ctx.Err()
			}
			return nil
		},
		Probes: []watchdog.Probe{{Name: "the socket", Ask: func(ctx context.Context) error {
			return engine.Ping(ctx, h.cfg.Workspace)
		}}},
	}
	if s != nil {
		c.Probes = append(c.Probes,
			watchdog.Probe{Name: "the listener", Ask: s.listener.Ping},
			watchdog.Probe{Name: "the voice loop", Ask: s.loop.Ping})
	}
	return watchdog.New(c)
}

// settled waits until the dialogue hears, or people were told why it does not:
// an unplugged microphone is a fault of the device, not of its start. It is false
// when the events end.
func settled(events <-chan event.Event) bool {
	began, told := false, map[string]bool{}
	for e := range events {
		if f, ok := e.Data.(event.Fault); ok {
			told[f.Code] = e.Kind == event.FaultAppeared
		}
		began = began || e.State.Deaf()
		unknown := slices.ContainsFunc(e.State.Faults, func(f event.Fault) bool {
			return (f.Code == event.FaultMicrophone || f.Code == event.FaultEars) && !told[f.Code]
		})
		if began && !unknown {
			return true
		}
	}
	return false
}

// statusLine is the state in one line: what is wrong, or that nothing is.
func statusLine(s event.State, lang string) string {
	if len(s.Faults) == 0 {
		return phrases.AllWell.In(lang)
	}
	var all []string
	for _, f := range s.Faults {
		all = append(all, f.Text)
	}
	return strings.Join(all, " ")
}
