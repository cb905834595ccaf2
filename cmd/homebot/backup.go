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
		return phrases.Errorf(phrases.BackupNoWorkspace, workspace)
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
		fmt.Fprintf(a.stderr, "homebot: %s\n", phrases.BackupLeftOut.In(a.lang, name))
	}
	if file == "-" {
		return a.copyOut(to)
	}
	fmt.Fprintln(a.stdout, phrases.BackupSaved.In(a.lang, s.Files, (s.Bytes+1023)>>10, file))
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
			return phrases.Errorf(phrases.RestoreNoFile, err)
		}
		defer f.Close()
		in = f
	}
	lock, err := engine.Acquire(workspace)
	if errors.Is(err, engine.ErrHeld) {
		return phrases.Errorf(phrases.RestoreStopFirst, err)
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	aside, s, err := backup.Restore(store.OS(), workspace, in, time.Now())
	if errors.Is(err, backup.ErrNoBackup) {
		return phrases.Errorf(phrases.RestoreUnchanged, err)
	}
	if err != nil {
		return err
	}
	done, args := phrases.RestoreDone, []any{s.Files, s.MadeAt.Local().Format("2006-01-02 15:04"), aside}
	if aside == "" {
		done, args = phrases.RestoreDoneFresh, args[:2]
	}
	fmt.Fprintln(a.stdout, done.In(a.lang, args...))
	return nil
}
