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
		return &cli.UsageError{Err: phrases.Errorf(phrases.NewModeName, name)}
	}
	if newRegistry(cfg, a.logger(levelQuiet)).Scan().Has(name) {
		return phrases.Errorf(phrases.NewModeTaken, name)
	}
	dir := filepath.Join(cfg.Workspace, "skills", name)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return workspaceProblem(err)
	}
	if err := os.Mkdir(dir, 0o700); errors.Is(err, fs.ErrExist) {
		return phrases.Errorf(phrases.NewModeThere, dir)
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
	fmt.Fprintln(a.stdout, phrases.NewModeMade.In(a.lang, dir))
	fmt.Fprintln(a.stdout, phrases.NewModeSay.In(a.lang, "“打开"+name+"模式”", "“open "+name+" mode”"))
	return nil
}

func workspaceProblem(err error) error {
	return phrases.Errorf(phrases.WorkspaceUnwritten, err)
}
