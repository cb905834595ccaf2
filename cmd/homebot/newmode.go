package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/phrases"
)

// template is a working mode with a commented script; EXAMPLE stands for its
// name, GREETING for a line in the language of the terminal.
//
//go:embed newmode/*
var template embed.FS

const (
	placeholder = "EXAMPLE"
	greeting    = "GREETING"
)

var modeName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

func (a *app) newModeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "new NAME", Short: phrases.HelpModesNew.In(a.lang), Args: cli.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.newMode(args[0]) },
	}
}

func (a *app) newMode(name string) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if !modeName.MatchString(name) {
		return &cli.UsageError{Err: fmt.Errorf("name %q: use a small letter, then small letters, digits and -, at most 32", name)}
	}
	if newRegistry(cfg, a.logger(levelQuiet)).Scan().Has(name) {
		return fmt.Errorf("there is a mode %q already; choose another name", name)
	}
	dir := filepath.Join(cfg.Workspace, "skills", name)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return workspaceProblem(err)
	}
	if err := os.Mkdir(dir, 0o700); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; choose another name, or take it away", dir)
	} else if err != nil {
		return workspaceProblem(err)
	}
	fill := strings.NewReplacer(placeholder, name, greeting, phrases.NewModeGreeting.In(cfg.System.Language))
	for _, file := range []string{"SKILL.md", "mode.json", "mode.star"} {
		text, err := template.ReadFile("newmode/" + file)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, file), []byte(fill.Replace(string(text))), 0o600)
		}
		if err != nil {
			return workspaceProblem(err)
		}
	}
	fmt.Fprintf(a.stdout, "made %s\nsay \u201c打开%s模式\u201d or \u201copen %s mode\u201d; edit the three files, they count from the next entry\n", dir, name, name)
	return nil
}

func workspaceProblem(err error) error {
	return fmt.Errorf("%w; choose a workspace that can be written with --workspace", err)
}
