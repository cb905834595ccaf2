package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/config"
	"homebot/internal/engine"
	"homebot/internal/led"
	"homebot/internal/phrases"
)

// A finding is one line of the doctor: ok, a note, or what is wrong with the way
// out.
type finding struct {
	level string // "ok", "note" or "BAD"
	what  string
	text  string
}

func (a *app) doctorCommand() *cobra.Command {
	var codes bool
	c := &cobra.Command{
		Use: "doctor", Short: phrases.HelpDoctor.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if codes {
				cfg, _ := a.config() // its mistakes are doctor's to tell, not this table's
				printLightCodes(a.stdout, cfg.System.Language)
				return nil
			}
			bad := printFindings(a.stdout, a.examine(c.Context()))
			if bad > 0 {
				return cli.ErrSilent
			}
			return nil
		},
	}
	c.Flags().BoolVar(&codes, "light-codes", false, phrases.HelpDoctorLightCodes.In(a.lang))
	return c
}

func printFindings(w io.Writer, all []finding) (bad int) {
	for _, f := range all {
		fmt.Fprintf(w, "%-5s %-12s %s\n", f.level, f.what, f.text)
		if f.level == "BAD" {
			bad++
		}
	}
	return bad
}

func (a *app) examine(ctx context.Context) []finding {
	cfg, err := a.config()
	all := append(configFindings(cfg, err), secretsFindings(cfg.Secrets)...)
	if cfg.Workspace == "" {
		return all
	}
	all = append(all, examineRunning(ctx, cfg)...)
	all = append(all, examineWorkspace(ctx, cfg), examineRoom(cfg), examineClock(), examineNetwork(), examineModel(ctx, cfg))
	all = append(all, examineModes(cfg)...)
	all = append(all, examineLight(cfg), a.examineStateLight(cfg.LED.State))
	all = append(all, examineButtons(cfg.LED)...)
	all = append(all, a.examineSound(ctx, cfg)...)
	return append(all, examineServices(ctx)...)
}

// configFindings lists the mistakes; what was right of the file is in force for
// the other findings.
func configFindings(cfg config.Config, err error) []finding {
	if err == nil {
		if _, err := os.Stat(cfg.Path); err != nil {
			return []finding{{"note", "config", fmt.Sprintf("there is no %s; the defaults are in force", cfg.Path)}}
		}
		return []finding{{"ok", "config", cfg.Path}}
	}
	var found config.Problems
	if !errors.As(err, &found) {
		return []finding{{"BAD", "config", err.Error()}}
	}
	var all []finding
	for _, p := range found {
		all = append(all, finding{"BAD", "config", p.In(cfg.System.Language)})
	}
	return all
}

// secretsFindings tells who else may read the file of secrets. Without one there
// is nothing to tell.
func secretsFindings(path string) []finding {
	const others = 0o004
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil // none, or its mistake is the configuration's
	case info.Mode()&others != 0:
		return []finding{{"BAD", "secrets", fmt.Sprintf("%s can be read by everybody on this machine; chmod 600 %s", path, path)}}
	}
	return []finding{{"ok", "secrets", path}}
}

// examineWorkspace writes a file and takes it away again, unless an engine is
// alive, which would have noticed.
func examineWorkspace(_ context.Context, cfg config.Config) finding {
	lock, err := engine.Acquire(cfg.Workspace)
	if errors.Is(err, engine.ErrHeld) {
		return finding{"ok", "workspace", cfg.Workspace + ": " + err.Error()}
	}
	if err != nil {
		return finding{"BAD", "workspace", err.Error()}
	}
	defer lock.Release()
	probe := filepath.Join(cfg.Workspace, ".doctor")
	if err := os.WriteFile(probe, []byte("x"), 0o600); err != nil {
		return finding{"BAD", "workspace", fmt.Sprintf("%v; free some space or mount the disk writable", err)}
	}
	_ = os.Remove(probe)
	return finding{"ok", "workspace", cfg.Workspace + " can be written"}
}

func examineModes(cfg config.Config) []finding {
	cat := newRegistry(cfg, slog.New(slog.DiscardHandler)).Scan()
	all := []finding{{"ok", "modes", fmt.Sprintf("%d usable", len(cat.Modes))}}
	for _, b := range cat.Broken {
		all = append(all, finding{"BAD", "modes", b.String()})
	}
	return all
}

func examineLight(cfg config.Config) finding {
	light, err := led.Open(cfg.LED.ModePin, cfg.LED.ModeActiveLow)
	if err == nil {
		err = light.Halt()
	}
	switch {
	case errors.Is(err, led.ErrNoPin):
		return finding{"note", "light", fmt.Sprintf("no %s on this host; modes work without it", cfg.LED.ModePin)}
	case err != nil:
		return finding{"BAD", "light", err.Error()}
	case cfg.LED.ModePin == "":
		return finding{"note", "light", "none configured ([led] mode_pin)"}
	}
	return finding{"ok", "light", cfg.LED.ModePin}
}
