package main

import (
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"homebot/internal/config"
)

// app is what all commands share: where they read, write and look.
type app struct {
	getenv         func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer

	configPath string
	workspace  string
	verbose    bool
	lang       string // of the terminal, once the configuration was read
}

func (a *app) commands() *cobra.Command {
	root := &cobra.Command{
		Use:           "homebot",
		Short:         "A voice assistant for the kitchen with run modes that last",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArguments,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(usage)
	root.PersistentFlags().StringVar(&a.configPath, "config", "", "configuration file (default $HOMEBOT_CONFIG or <workspace>/homebot.toml)")
	root.PersistentFlags().StringVar(&a.workspace, "workspace", "", "directory of everything homebot keeps (default $HOMEBOT_WORKSPACE or ~/.homebot)")
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "log every step on stderr")
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(a.runCommand(), a.chatCommand(), a.modesCommand(), a.configCommand(), a.doctorCommand(), a.versionCommand(), a.contextCommand(), a.modeScriptCommand())
	root.AddCommand(a.timersCommand(), a.textCommand(), a.pairCommand(), a.setupCommand())
	root.AddCommand(a.controlCommands()...)
	root.AddCommand(a.soundCommands()...)
	root.AddCommand(a.backupCommands()...)
	return root
}

// noArguments and friends make cobra's complaints usage errors.
func noArguments(c *cobra.Command, args []string) error { return usage(c, cobra.NoArgs(c, args)) }

func usage(c *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	return usageError{err, c.CommandPath()}
}

// env is the environment with what the command line has instead.
func (a *app) env() func(string) string {
	return config.With(a.getenv, config.EnvWorkspace, a.workspace)
}

// config is the configuration, complete; its mistakes are the error.
func (a *app) config() (config.Config, error) {
	cfg, err := config.Load(a.configPath, a.env())
	a.lang = cfg.System.Language
	return cfg, err
}

// logger writes to stderr: warnings only, unless asked for more.
func (a *app) logger(level slog.Level) *slog.Logger {
	if a.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}
