package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"homebot/internal/cli"
	"homebot/internal/led"
	"homebot/internal/phrases"
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
		fmt.Fprintf(w, "%s %s %s\n", cli.Pad(s.Name, 12), cli.Pad(s.Pattern(lang), 32), s.Means.In(lang))
	}
}

// examineStateLight takes the state light and gives it back. An engine that runs
// takes it again with its next step.
func (d doctor) examineStateLight() finding {
	name := d.cfg.LED.State
	lamp, err := led.OpenLamp(name, "/")
	if lamp != nil {
		err = errors.Join(err, lamp.Halt())
	}
	switch {
	case errors.Is(err, led.ErrNoLamp), errors.Is(err, led.ErrNoPin):
		return d.finding(phrases.DoctorNote, phrases.DoctorStateLight, err)
	case err != nil:
		return d.finding(phrases.DoctorBad, phrases.DoctorStateLight, err)
	case lamp == nil:
		return d.note(phrases.DoctorStateLight, phrases.DoctorNoStateLight)
	}
	return d.ok(phrases.DoctorStateLight, phrases.DoctorLightCodes, name)
}
