package main

import (
	"context"
	"log/slog"
	"net"
	"sync"

	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/watchdog"
)

// serveWatched serves l until ctx ends, and tells systemd that it lives as long
// as its own socket answers and no recogniser hangs. A child of homebot tells
// nobody: homebot is the service then.
func (p *program) serveWatched(ctx context.Context, s *speech.Server, l net.Listener, log *slog.Logger) error {
	if p.serve.lifeline {
		return s.Run(ctx, l)
	}
	ctx, stop := context.WithCancel(ctx)
	dog := watchdog.New(watchdog.Config{
		Probes: []watchdog.Probe{{Name: "the server", Ask: func(ctx context.Context) error {
			return speech.Live(ctx, l.Addr())
		}}},
		Status: func() string { return phrases.SpeechServes.In(p.lang, l.Addr()) },
		Log:    log,
	})
	var beside sync.WaitGroup
	beside.Go(func() { _ = dog.Run(ctx) })
	err := s.Run(ctx, l)
	stop()
	beside.Wait()
	return err
}
