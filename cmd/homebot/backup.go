package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"homebot/internal/backup"
	"homebot/internal/cli"
	"homebot/internal/config"
	"homebot/internal/engine"
	"homebot/internal/phrases"
	"homebot/internal/store"
)

func (a *app) backupCommands() []*cobra.Command {
	one := cli.ExactArgs(1)
	return []*cobra.Command{
		{
			Use: "backup FILE", Short: phrases.HelpBackup.In(a.lang), Args: one,
			Long: a.lines(phrases.HelpBackupTo, phrases.HelpBackupWithout, phrases.HelpBackupInstant),
			RunE: func(_ *cobra.Command, args []string) error { return a.backup(args[0]) },
		},
		{
			Use: "restore FILE", Short: phrases.HelpRestore.In(a.lang), Args: one,
			Long: a.lines(phrases.HelpRestoreFrom, phrases.HelpRestoreAside, phrases.HelpRestoreStays),
			RunE: func(c *cobra.Command, args []string) error { return a.restore(c.Context(), args[0]) },
		},
	}
}

// backup makes no difference between a homebot that runs and one that does not.
func (a *app) backup(file string) error {
	workspace, err := a.place()
	if err != nil {
		return err
	}
	if _, err := os.Stat(workspace); err != nil {
		return fmt.Errorf("there is no workspace %s; name it with --workspace", workspace)
	}
	to := file
	if file == "-" {
		dir, err := os.MkdirTemp("", ".homebot-backup-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		to = filepath.Join(dir, "backup")
	}
	s, err := backup.Create(backup.Config{
		Workspace: workspace, Version: version, Settings: func(b []byte) []byte {
			_, rest := config.TakeOut(b, func(key, _ string) bool { return config.IsSecret(key) })
			return rest
		},
	}, to)
	if err != nil {
		return err
	}
	for _, name := range s.Skipped {
		fmt.Fprintf(a.stderr, "homebot: left out %s, which is no file\n", name)
	}
	if file == "-" {
		return a.copyOut(to)
	}
	fmt.Fprintf(a.stdout, "saved %d files (%d KB) in %s; keys and passwords are not in it\n", s.Files, (s.Bytes+1023)>>10, file)
	return nil
}

func (a *app) copyOut(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(a.stdout, f)
	return err
}

// place is the workspace, whatever is wrong with the configuration: that must not
// keep anybody from his data.
func (a *app) place() (string, error) {
	cfg, problems := config.LoadAnyway(a.configPath, a.env())
	a.lang = cfg.Terminal()
	if cfg.Workspace == "" {
		return "", problems
	}
	return cfg.Workspace, nil
}

func (a *app) restore(_ context.Context, file string) error {
	workspace, err := a.place()
	if err != nil {
		return err
	}
	in := a.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return fmt.Errorf("the backup cannot be opened: %w", err)
		}
		defer f.Close()
		in = f
	}
	lock, err := engine.Acquire(workspace)
	if errors.Is(err, engine.ErrHeld) {
		return fmt.Errorf("%w; stop it first, then restore", err)
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	aside, s, err := backup.Restore(store.OS(), workspace, in, time.Now())
	if errors.Is(err, backup.ErrNoBackup) {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	if err != nil {
		return err
	}
	before := "what was there before is in " + aside
	if aside == "" {
		before = "nothing was there before"
	}
	fmt.Fprintf(a.stdout, "restored %d files as they were on %s; %s\n", s.Files, s.MadeAt.Local().Format("2006-01-02 15:04"), before)
	return nil
}
