package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/config"
	"homebot/internal/engine"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/voice"
)

// levelQuiet is for commands that only read.
const levelQuiet = slog.LevelError

// runOptions are the flags of run.
type runOptions struct {
	noSound bool // engine, light and socket only
	show    bool // print what happens
	demo    bool // on a machine without a sound card: a talk on a virtual one
	anyway  bool // start in spite of mistakes in the configuration, and say them
}

// level is what is logged: with show a person watches, and the log has only what
// is wrong.
func (o runOptions) level() slog.Level {
	if o.show {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

func (a *app) runCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use: "run", Short: phrases.HelpRun.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.run(c.Context(), o) },
	}
	c.Flags().BoolVar(&o.noSound, "no-sound", false, phrases.HelpRunNoSound.In(a.lang))
	c.Flags().BoolVar(&o.show, "show", false, phrases.HelpRunShow.In(a.lang))
	c.Flags().BoolVar(&o.demo, "demo-without-sound-card", false, phrases.HelpRunDemo.In(a.lang))
	c.Flags().BoolVar(&o.anyway, "appliance", false, phrases.HelpRunAppliance.In(a.lang))
	return c
}

func (a *app) run(ctx context.Context, o runOptions) error {
	cfg, wrong, err := a.runConfig(o)
	if err != nil {
		return err
	}
	lock, err := engine.Acquire(cfg.Workspace)
	if errors.Is(err, engine.ErrHeld) {
		return phrases.Errorf(phrases.RunStopFirst, err)
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	if o.noSound {
		return a.serve(ctx, build(cfg, a.logger(o.level()), wrong...), o, nil)
	}
	if o.demo && len(a.soundTroubles(ctx)) > 0 {
		fmt.Fprintln(a.stdout, phrases.DemoBegins.In(a.lang))
		return a.demo(ctx, cfg)
	}
	h := build(cfg, a.logger(o.level()), wrong...)
	_, events := h.bus.Watch(ctx, showQueue) // from before the ears begin
	listens := func(context.Context) error { return a.announceEars(events, cfg) }
	troubles := func(ctx context.Context) error { a.announceTroubles(ctx, cfg); return nil }
	return a.serve(ctx, h, o, a.newSound(h, soundOptions{}), listens, troubles)
}

// runConfig is the configuration to run with, and what is wrong with it when that
// is no reason not to.
func (a *app) runConfig(o runOptions) (config.Config, []voice.Standing, error) {
	if o.anyway {
		cfg, problems, err := a.applianceConfig()
		return cfg, standing(problems), err
	}
	cfg, err := a.config()
	if err == nil {
		err = a.checkWake(cfg)
	}
	return cfg, nil, err
}

// serve runs the house, with sound unless that is nil, until ctx ends.
func (a *app) serve(ctx context.Context, h *house, o runOptions, sound *sound, beside ...func(context.Context) error) error {
	var e *engine.Engine
	_, events := h.bus.Watch(ctx, showQueue) // from before anything runs
	if sound != nil {
		beside = append(beside, sound.Run)
	}
	beside = append(beside, func(ctx context.Context) error { return h.watchdog(e, sound, events).Run(ctx) })
	beside = append(beside, func(ctx context.Context) error { return a.announce(ctx, e, h.cfg) })
	if a.openConsole(h, sound); h.console != nil {
		beside = append(beside, h.console.Run, func(ctx context.Context) error { return a.announceConsole(ctx, h, o) })
	}
	if o.show {
		beside = append(beside, newShow(a.stdout, a.lang, h.bus).Run)
	}
	e = h.engine(beside...)
	return e.Run(ctx)
}

// announce says on standard output that requests are taken.
func (a *app) announce(ctx context.Context, e *engine.Engine, cfg config.Config) error {
	select {
	case <-e.Ready():
		fmt.Fprintln(a.stdout, phrases.RunReady.In(a.lang, cfg.Workspace))
	case <-ctx.Done():
	}
	return nil
}

// announceEars says on standard output, once, that the wake phrases are heard.
func (a *app) announceEars(events <-chan event.Event, cfg config.Config) error {
	if hears(events) {
		fmt.Fprintln(a.stdout, phrases.RunListens.In(a.lang, strings.Join(cfg.Wake.Phrases, " / ")))
	}
	return nil
}

// hears waits until the dialogue hears, with events from before it begins: it
// begins deaf, until the microphone and the recogniser have shown that they work.
// It is false when the events end.
func hears(events <-chan event.Event) bool {
	var o opening
	for e := range events {
		if o.news(e); o.over {
			return true
		}
	}
	return false
}

// opening is the time in which the dialogue cannot hear yet: for a moment, and
// nothing is wrong.
type opening struct{ began, over bool }

// news reports whether a person wants to know of e: before it hears, only of what
// was told as a fault.
func (o *opening) news(e event.Event) bool {
	if !o.over {
		deaf := e.State.Deaf()
		o.over = o.began && !deaf
		o.began = o.began || deaf
	}
	return o.over || e.Kind == event.FaultAppeared
}

// announceTroubles says on standard error what a person should do about the sound
// card; what is plugged in later is found by itself.
func (a *app) announceTroubles(ctx context.Context, cfg config.Config) {
	for _, p := range a.soundTroubles(ctx) {
		fmt.Fprintf(a.stderr, "homebot: %s\n", p.In(a.lang))
	}
}
