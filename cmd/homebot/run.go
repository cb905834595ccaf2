package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"homebot/internal/engine"
)

// levelQuiet is for commands that only read.
const levelQuiet = slog.LevelError

func (a *app) runCommand() *cobra.Command {
	var opts runOptions
	c := &cobra.Command{
		Use: "run", Short: "Run the appliance: engine, light, ears and voice", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.run(c.Context(), opts) },
	}
	c.Flags().BoolVar(&opts.noSound, "no-sound", false, "run without ears and voice: light and socket only")
	return c
}

// runOptions are the flags of run.
type runOptions struct {
	noSound bool
}

func (a *app) run(ctx context.Context, opts runOptions) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	lock, err := engine.Acquire(cfg.Workspace)
	if err != nil {
		return fmt.Errorf("%w; stop it first, or choose another workspace with --workspace", err)
	}
	defer lock.Release()
	h := build(cfg, a.logger(slog.LevelInfo))
	e := h.engine()
	go func() {
		<-e.Ready()
		fmt.Fprintf(a.stdout, "homebot is ready: %s\n", cfg.Workspace)
	}()
	return e.Run(ctx)
}
