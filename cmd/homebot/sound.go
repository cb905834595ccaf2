package main

import (
	"context"

	"github.com/spf13/cobra"

	"homebot/internal/config"
)

func (a *app) soundCommands() []*cobra.Command { return nil }

func (a *app) examineSound(context.Context, config.Config) []finding { return nil }

func (a *app) checkPhrases(config.Config) error { return nil }
