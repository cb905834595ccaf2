package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"homebot/internal/led"
)

// runStateLight finds the state light and lets it follow the state. A host without
// it is not an error: then nothing is driven.
func (h *house) runStateLight(ctx context.Context) error {
	lamp, err := led.OpenLamp(h.cfg.LED.State, "/")
	if err != nil {
		h.logger.Info("no state light", "err", err)
	}
	return led.NewStateLight(lamp, h.logger).Run(ctx, h.bus)
}

// buttons are the push buttons, which do what the voice session is told by other
// ways too. Without sound there is nothing to press for.
func (h *house) buttons() []func(context.Context) error {
	if h.loop == nil {
		return nil
	}
	return []func(context.Context) error{
		h.button(h.cfg.LED.MutePin, "mute_pin", func(ctx context.Context) error {
			return h.loop.Mute(ctx, !h.bus.Snapshot().Muted)
		}),
		h.button(h.cfg.LED.StopPin, "stop_pin", h.loop.Stop),
	}
}

func (h *house) button(line, key string, press func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		b, err := led.OpenButton(line, key, press, h.logger)
		if err != nil {
			h.logger.Info("no button", "err", err)
		}
		return b.Run(ctx)
	}
}

// printLightCodes prints what the state light shows.
func printLightCodes(w io.Writer, lang string) {
	for _, s := range led.Signals() {
		fmt.Fprintf(w, "%-12s %-32s %s\n", s.Name, s.Pattern(), s.Means.In(lang))
	}
}

// examineStateLight takes the state light and gives it back. An engine that runs
// takes it again with its next step.
func (a *app) examineStateLight(name string) finding {
	lamp, err := led.OpenLamp(name, "/")
	if lamp != nil {
		err = errors.Join(err, lamp.Halt())
	}
	switch {
	case errors.Is(err, led.ErrNoLamp), errors.Is(err, led.ErrNoPin):
		return finding{"note", "state light", err.Error()}
	case err != nil:
		return finding{"BAD", "state light", err.Error()}
	case lamp == nil:
		return finding{"note", "state light", "none ([led] state)"}
	}
	return finding{"ok", "state light", name + "; homebot doctor --light-codes tells what it shows"}
}
