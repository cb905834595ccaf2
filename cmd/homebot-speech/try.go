package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/phrases"
	"homebot/internal/speech/models"
	"homebot/internal/speech/sherpa"
)

// tryCommand is the child of a probe: a model that ends the process it is in ends
// this one.
func (p *program) tryCommand() *cobra.Command {
	return &cobra.Command{
		Use: "try", Hidden: true, Args: cli.NoArgs, Short: phrases.HelpTry.In(p.lang),
		RunE: func(*cobra.Command, []string) error {
			in, err := io.ReadAll(p.stdin)
			if err != nil {
				return err
			}
			if sherpa.Answer(in, p.stdout, p.stderr, nil) != 0 {
				return cli.ErrSilent
			}
			return nil
		},
	}
}

// trialOf is how a model of the store is tried.
func trialOf(st *models.Store, m models.Model) sherpa.Trial {
	t := sherpa.Trial{Name: m.Name, Purpose: m.Purpose, Kind: m.Kind, Path: st.Path(m.Name)}
	if len(m.Languages) == 1 {
		t.Lang = m.Languages[0]
	}
	if m.Purpose == models.PurposeVAD || m.Purpose == models.PurposeSpeaker {
		t.Path = filepath.Join(t.Path, m.Files()[0].Name)
	}
	return t
}

// try lets a child of this program load a model.
func try(ctx context.Context, st *models.Store, m models.Model) (sherpa.Figures, error) {
	if sherpa.Version() == "" {
		return sherpa.Figures{}, sherpa.ErrNotBuilt
	}
	exe, err := os.Executable()
	if err != nil {
		return sherpa.Figures{}, err
	}
	return sherpa.Probe(ctx, trialOf(st, m), exe, "try")
}

// machine is what a table of figures was measured on, in lang.
func machine(lang string) string {
	model, err := os.ReadFile("/proc/device-tree/model")
	name := strings.Trim(string(model), "\x00\n ")
	if err != nil || name == "" {
		name = phrases.ModelsUnknownMachine.In(lang)
	}
	return phrases.ModelsMachine.In(lang, name, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), freeMemory(), sherpa.Version())
}

// freeMemory is what Linux could give a process now, in MB; 0 where it does not
// say.
func freeMemory() int {
	data, _ := os.ReadFile("/proc/meminfo")
	_, rest, _ := strings.Cut(string(data), "MemAvailable:")
	var kb int
	_, _ = fmt.Sscan(rest, &kb)
	return kb >> 10
}
