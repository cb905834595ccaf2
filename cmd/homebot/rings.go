package main

import (
	"context"
	"fmt"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// watchRings prints what rings to a person who talks in text, until ctx ends. It
// has a connection of its own: a watcher's serves nothing else.
func (c *chat) watchRings(ctx context.Context) {
	client, err := c.connect(ctx)
	if err != nil {
		c.logger(levelQuiet).Warn("rings are not shown", "err", err)
		return
	}
	_ = client.Watch(ctx, func(_ *event.State, e *event.Event) bool {
		if e == nil {
			return true
		}
		if t, ok := e.Data.(map[string]any); ok && e.Kind == event.TimerRang {
			fmt.Fprintf(c.stdout, "\n  (%s)\n> ", ringLine(t))
		}
		return true
	})
	_ = client.Close()
}

// ringLine is what a ring says in text: a decoded event.Timer.
func ringLine(t map[string]any) string {
	lang, _ := t["lang"].(string)
	if label, _ := t["label"].(string); label != "" {
		return phrases.TimerRings.In(lang, label)
	}
	return phrases.TimerRingsPlain.In(lang)
}
