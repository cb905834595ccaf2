package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/engine"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/store"
	"homebot/voice"
)

// controlCommands are the buttons of the device, for who sits at a terminal.
func (a *app) controlCommands() []*cobra.Command {
	press := func(use, short string, done phrases.Phrase) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: short, Args: cli.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error {
				_, err := a.control(c.Context(), engine.Control{Do: use})
				if err == nil {
					fmt.Fprintln(a.stdout, done.In(a.lang))
				}
				return err
			},
		}
	}
	volume := &cobra.Command{
		Use: "volume [N|+|-]", Short: phrases.HelpVolume.In(a.lang),
		Args: cli.AtMostArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.volume(c, args) },
	}
	return []*cobra.Command{
		volume,
		press(engine.DoMute, phrases.HelpMute.In(a.lang), phrases.ControlMuted),
		press(engine.DoUnmute, phrases.HelpUnmute.In(a.lang), phrases.ControlUnmuted),
		press(engine.DoStop, phrases.HelpStop.In(a.lang), phrases.ControlStopped),
		press(engine.DoRepeat, phrases.HelpRepeat.In(a.lang), phrases.ControlRepeats),
	}
}

// volume shows or sets it.
func (a *app) volume(c *cobra.Command, args []string) error {
	o := engine.Control{Do: engine.DoVolume}
	if len(args) > 0 {
		switch percent, err := strconv.Atoi(args[0]); {
		case args[0] == "+":
			o.Steps = 1
		case args[0] == "-":
			o.Steps = -1
		case err != nil || percent < 0 || percent > 100 || args[0][0] == '+': // +5 is no step, and 5 is not meant
			return cli.Usage(c, phrases.Errorf(phrases.ControlNoVolume, args[0]))
		default:
			o.Percent = &percent
		}
	}
	state, err := a.control(c.Context(), o)
	if err != nil {
		return err
	}
	now := phrases.ControlVolume
	switch state.Volume {
	case 0:
		now = phrases.ControlVolumeSilent
	case 100:
		now = phrases.ControlVolumeLoudest
	}
	fmt.Fprintln(a.stdout, now.In(a.lang, state.Volume))
	return nil
}

// control has the running appliance do something; it starts none.
func (a *app) control(ctx context.Context, o engine.Control) (event.State, error) {
	cfg, err := a.config()
	if err != nil {
		return event.State{}, err
	}
	client, err := engine.Attach(ctx, cfg.Workspace)
	if err != nil {
		return event.State{}, err
	}
	state, err := client.Control(o)
	return state, errors.Join(err, client.Close())
}

// loudness is the loudspeaker that the agent turns up and down.
type loudness struct{ *house }

// Volume is false in a house without sound.
func (l loudness) Volume() (int, bool) { return l.bus.Snapshot().Volume, l.loop != nil }

func (l loudness) SetVolume(ctx context.Context, percent int) error {
	return l.loop.SetVolume(ctx, percent)
}

// controlFile is where the house keeps volume and mute.
func (h *house) controlFile() voice.ControlFile {
	return voice.ControlFile{FS: store.OS(), Path: filepath.Join(h.cfg.Workspace, "controls.json"), Volume: h.cfg.Voice.Volume}
}

// controls are those that were kept.
func (h *house) controls() voice.Controls {
	c, err := h.controlFile().Load()
	if err != nil {
		h.logger.Warn("volume and mute begin as configured", "err", err)
	}
	return c
}
