package main

import (
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/config"
	"homebot/internal/phrases"
	"homebot/modes"
	"homebot/modes/script"
	"homebot/skills"
	homecooking "homebot/skills/home-cooking"
)

// plugins is what `builtin:NAME` may name: the one table.
func plugins() []modes.Plugin {
	return []modes.Plugin{homecooking.Plugin()}
}

// newRegistry knows the built-in modes, those of the workspace, and how to run
// their code.
func newRegistry(cfg config.Config, logger *slog.Logger) *modes.Registry {
	r := modes.NewRegistry(skills.Builtin, filepath.Join(cfg.Workspace, "skills"))
	r.Plugins = plugins()
	r.Scripts = script.New(script.Config{Args: []string{scriptCommand}, Logger: logger})
	return r
}

// scriptCommand is how this program starts itself to run a mode's script.
const scriptCommand = "mode-script"

func (a *app) modeScriptCommand() *cobra.Command {
	return &cobra.Command{
		Use: scriptCommand, Short: phrases.HelpModeScript.In(a.lang), Args: cli.NoArgs, Hidden: true,
		RunE: func(*cobra.Command, []string) error { return script.Serve(a.stdin, a.stdout) },
	}
}
