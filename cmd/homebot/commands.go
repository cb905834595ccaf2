package main

import (
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"homebot/internal/cli"
	"homebot/internal/config"
	"homebot/internal/phrases"
)

// app is what all commands share: where they read, write and look.
type app struct {
	getenv         func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer

	configPath string
	workspace  string
	verbose    bool
	lang       string // of the terminal
}

func (a *app) commands() *cobra.Command {
	root := &cobra.Command{
		Use:   "homebot",
		Short: phrases.CLIHomebot.In(a.lang),
		Args:  cli.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	a.where(root.PersistentFlags())
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, phrases.CLIVerboseFlag.In(a.lang))
	root.AddCommand(a.runCommand(), a.chatCommand(), a.modesCommand(), a.configCommand(), a.doctorCommand(), a.versionCommand(), a.contextCommand(), a.modeScriptCommand())
	root.AddCommand(a.timersCommand(), a.textCommand(), a.pairCommand(), a.setupCommand())
	root.AddCommand(a.controlCommands()...)
	root.AddCommand(a.soundCommands()...)
	root.AddCommand(a.backupCommands()...)
	cli.Localise(root, a.lang)
	return root
}

// lines are sentences of the help, a line each.
func (a *app) lines(all ...phrases.Phrase) string {
	var told []string
	for _, p := range all {
		told = append(told, p.In(a.lang))
	}
	return strings.Join(told, "\n")
}

// where are the flags that say where everything is.
func (a *app) where(flags *pflag.FlagSet) {
	flags.StringVar(&a.configPath, "config", "", phrases.CLIConfigFlag.In(a.lang))
	flags.StringVar(&a.workspace, "workspace", "", phrases.CLIWorkspaceFlag.In(a.lang))
}

// terminal is the language of the terminal. The help needs it before the command
// line is read, so args are looked through for where the configuration is; what is
// wrong with either is told later.
func (a *app) terminal(args []string) string {
	first := &app{getenv: a.getenv}
	c := &cobra.Command{FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}}
	first.where(c.Flags())
	_ = c.ParseFlags(args)
	cfg, _ := config.Load(first.configPath, first.env())
	return cfg.Terminal()
}

// env is the environment with what the command line has instead.
func (a *app) env() func(string) string {
	return config.With(a.getenv, config.EnvWorkspace, a.workspace)
}

// config is the configuration, complete; its mistakes are the error.
func (a *app) config() (config.Config, error) {
	cfg, err := config.Load(a.configPath, a.env())
	a.lang = cfg.Terminal()
	return cfg, err
}

// tell prints a sentence, in a line of its own.
func (a *app) tell(p phrases.Phrase, args ...any) { fmt.Fprintln(a.stdout, p.In(a.lang, args...)) }

// logger writes to stderr: warnings only, unless asked for more.
func (a *app) logger(level slog.Level) *slog.Logger {
	if a.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}
