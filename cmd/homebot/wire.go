package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"homebot/internal/agent"
	"homebot/internal/agent/load"
	"homebot/internal/cache"
	"homebot/internal/config"
	"homebot/internal/console"
	"homebot/internal/engine"
	"homebot/internal/event"
	"homebot/internal/led"
	"homebot/internal/llm"
	"homebot/internal/llm/offline"
	"homebot/internal/llm/openai"
	"homebot/internal/speech"
	"homebot/modes"
	homecooking "homebot/skills/home-cooking"
	"homebot/skills/timers"
	"homebot/voice"
)

// house is homebot put together: everything but the sound.
type house struct {
	cfg      config.Config
	logger   *slog.Logger
	bus      *event.Bus
	registry *modes.Registry
	agent    *agent.Agent
	light    *led.Light
	audio    *cache.Cache // of sentences that repeat
	timers   *timers.Book // nil when their file cannot be read
	desk     *timers.Desk
	watch    watchers
	loop     *voice.Loop      // nil without sound; set before anything runs
	console  *console.Console // nil when none is configured; set by openConsole
	wrong    []voice.Standing // what was wrong with the configuration
}

// What the caches may take of the card, in bytes.
const (
	maxAnswers = 1 << 20
	maxAudio   = 24 << 20
)

func (h *house) cache(name string, limit int) *cache.Cache {
	return cache.New(cache.Config{
		FS: h.fs(), Dir: filepath.Join(h.cfg.Workspace, "cache", name), Limit: limit, Now: time.Now, Logger: h.logger,
	})
}

// build wires a house. Nothing runs yet, nothing was read but the configuration;
// wrong is what is wrong with that.
func build(cfg config.Config, logger *slog.Logger, wrong ...voice.Standing) *house {
	h := &house{cfg: cfg, logger: logger, wrong: wrong}
	h.bus = event.NewBus(event.State{
		Dialogue: event.Idle, Light: event.Light{Pin: cfg.LED.ModePin}, Volume: h.controls().Volume, Faults: h.faults(time.Now()),
	})
	h.registry = newRegistry(cfg, logger)
	h.audio = h.cache("audio", maxAudio)
	h.openTimers(timers.Config{FS: h.fs(), Workspace: cfg.Workspace, Bus: h.bus, Log: logger})
	a := agent.Config{
		FS:        h.fs(),
		Workspace: cfg.Workspace,
		Registry:  h.registry,
		Model:     h.watched(model(cfg.LLM)),
		ModelName: cfg.LLM.Model,
		Window:    cfg.LLM.Window,
		Offline:   offline.New(offline.Config{Modes: h.offlineModes, Dishes: h.dishes, Active: h.activeMode, NoModel: !cfg.LLM.Configured()}),
		Profile:   cfg.Context.Profile,
		Meter:     load.New(os.DirFS("/")),
		Answers:   h.cache("answers", maxAnswers),
		Audio:     h.audio,
		Lang:      cfg.System.Language,
		Wake:      cfg.Wake.Phrases,
		Built:     built(),
		Boot:      modes.Boot{Synchronised: synchronised, Uptime: uptime},
		Bus:       h.bus,
		Logger:    logger,
	}
	a.Loudspeaker = loudness{h}
	if h.desk != nil {
		a.Tools, a.Timers, a.Urgent = h.desk.Tools(), h.desk, h.urgent
	}
	h.agent = agent.New(a)
	h.light = h.openLight()
	return h
}

// faults are there from the beginning.
func (h *house) faults(now time.Time) []event.Fault {
	var all []event.Fault
	for _, w := range h.wrong {
		all = append(all, event.Fault{Code: w.Code, Text: w.Say.In(h.cfg.System.Language), Since: now})
	}
	return all
}

// urgent reports whether a timer rings or has under a minute left: whoever speaks
// then wants a quick answer (C13).
func (h *house) urgent(time.Time) bool {
	return slices.ContainsFunc(h.desk.Rows(), func(r timers.Row) bool {
		return r.State == "ringing" || r.State == "running" && r.Left < 60
	})
}

// model is the configured language model, nil when there is none: then the
// offline answers are all there is.
func model(c config.LLM) llm.Model {
	if !c.Configured() {
		return nil
	}
	key, marks := openai.CacheWays(c.BaseURL, c.Model)
	return openai.New(openai.Config{
		BaseURL: c.BaseURL, Model: c.Model, APIKey: c.APIKey.Reveal(), PromptCacheKey: key, CacheMarks: marks,
	})
}

func (h *house) offlineModes() []offline.Mode {
	var all []offline.Mode
	for _, m := range h.registry.Scan().Modes {
		mode := offline.Mode{ID: m.ID, Names: m.Names()}
		for _, tool := range m.Offered() {
			mode.Tools = append(mode.Tools, tool.Name)
		}
		all = append(all, mode)
	}
	return all
}

// dishes are the titles of the family's recipes.
func (h *house) dishes() []string {
	all, _, err := homecooking.NewKitchen(h.fs(), h.cfg.Workspace).Recipes("")
	if err != nil {
		h.logger.Warn("the recipes cannot be read", "err", err)
	}
	var titles []string
	for _, r := range all {
		titles = append(titles, r.Title)
	}
	return titles
}

// activeMode is the ID of the active run mode, "" for none.
func (h *house) activeMode() string {
	if m := h.bus.Snapshot().Mode; m != nil {
		return m.ID
	}
	return ""
}

// openLight finds the mode light. A host without the pin is not an error: the
// light then drives nothing, and what it would show is still on the socket.
func (h *house) openLight() *led.Light {
	light, err := led.Open(h.cfg.LED.ModePin, h.cfg.LED.ModeActiveLow)
	if errors.Is(err, led.ErrNoPin) {
		h.logger.Info("no mode light on this host", "err", err)
	} else if err != nil {
		h.logger.Warn("mode light", "err", err)
	}
	return light
}

// engine puts the house behind a workspace's socket; beside run as long as it.
func (h *house) engine(beside ...func(context.Context) error) *engine.Engine {
	all := append([]func(context.Context) error{
		func(ctx context.Context) error { return h.light.Run(ctx, h.bus) },
		h.runStateLight,
		h.monitor().Run,
		h.agent.Run,
	}, beside...)
	all = append(all, h.buttons()...)
	c := engine.Config{Workspace: h.cfg.Workspace, Agent: h.agent, Bus: h.bus, Logger: h.logger}
	if h.loop != nil {
		c.Sound = h.loop
	}
	if h.console != nil {
		c.Console = h.console
	}
	if h.desk != nil {
		c.Timers = h.desk
		all = append(all, h.timers.Run)
	}
	c.Beside = all
	return engine.New(c)
}

// connect reaches the engine of the workspace, or becomes it (S4).
func (a *app) connect(ctx context.Context) (*engine.Client, error) {
	cfg, err := a.config()
	if err != nil {
		return nil, err
	}
	c, err := engine.Connect(ctx, cfg.Workspace, func() (*engine.Engine, error) {
		h := build(cfg, a.logger(levelQuiet))
		a.openConsole(h, nil) // it runs nowhere here, but knows who is let in
		return h.engine(), nil
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// keep puts the cache of repeated sentences before a voice (C12).
func (h *house) keep(voice speech.Synthesizer) speech.Synthesizer {
	return &cache.Voice{Next: voice, Name: h.cfg.Speech.URL, Cache: h.audio, Under: h.agent.Under}
}
