package main

import (
	"homebot/internal/health"
	"homebot/internal/llm"
	"homebot/internal/store"
)

// watchers are what homebot finds out about the house around it.
type watchers struct {
	disk  health.Disk
	reach health.Reach
	clock health.Clock
}

// fs is the disk, watched.
func (h *house) fs() store.FS { return h.watch.disk.Watch(store.OS()) }

// watched is the language model, watched; nil stays nil.
func (h *house) watched(m llm.Model) llm.Model {
	if m == nil {
		return nil
	}
	return h.watch.reach.Watch(m)
}

// monitor looks after what is watched. It is made when the sound is wired.
func (h *house) monitor() *health.Monitor {
	w := &h.watch
	w.disk.Workspace = h.cfg.Workspace
	w.clock = health.Clock{Built: built(), Synchronised: synchronised}
	checks := []*health.Check{w.disk.Check(), w.clock.Check()}
	if l := h.cfg.LLM; l.Configured() {
		w.reach.BaseURL, w.reach.Model, w.reach.Key = l.BaseURL, l.Model, l.APIKey.Reveal()
		checks = append(checks, w.reach.Check())
	}
	c := health.Config{Bus: h.bus, Lang: h.cfg.System.Language, Log: h.logger}
	if h.loop != nil {
		c.Teller = h.loop
	}
	return health.New(c, checks...)
}
