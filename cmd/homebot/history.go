package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/phrases"
	"homebot/internal/store"
	"homebot/internal/text"
	"homebot/modes"
)

// historyCommand shows finished sessions. It only reads files, so it needs no
// engine and disturbs none.
func (a *app) historyCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "history [MODE]", Short: phrases.HelpHistory.In(a.lang),
		Args: cli.AtMostArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.listHistory(append(args, "")[0]) },
	}
	var out string
	export := &cobra.Command{
		Use: "export SESSION", Short: phrases.HelpHistoryExport.In(a.lang), Args: cli.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.exportSession(args[0], out) },
	}
	export.Flags().StringVarP(&out, "output", "o", "", phrases.HelpHistoryOutput.In(a.lang))
	c.AddCommand(
		&cobra.Command{
			Use: "show SESSION", Short: phrases.HelpHistoryShow.In(a.lang), Args: cli.ExactArgs(1),
			RunE: func(_ *cobra.Command, args []string) error { return a.showSession(args[0]) },
		}, export)
	return c
}

func (a *app) archive() (modes.Archive, error) {
	cfg, err := a.config()
	return modes.Archive{FS: store.OS(), Workspace: cfg.Workspace}, err
}

func (a *app) listHistory(modeID string) error {
	archive, err := a.archive()
	if err != nil {
		return err
	}
	all, err := archive.List(modeID)
	if err != nil {
		return err
	}
	switch {
	case len(all) == 0 && modeID != "":
		fmt.Fprintf(a.stdout, "no session of mode %q has ended yet; see homebot modes list\n", modeID)
	case len(all) == 0:
		fmt.Fprintln(a.stdout, "no session has ended yet")
	}
	for _, f := range all {
		fmt.Fprintf(a.stdout, "%s  %-10s %-9s %s\n", f.StartedAt.Format("2006-01-02 15:04"), f.ModeID, f.Reason, text.Plain(f.Line))
	}
	return nil
}

// finished finds an ended session.
func (a *app) finished(id string) (modes.Archive, modes.Finished, error) {
	archive, err := a.archive()
	if err != nil {
		return archive, modes.Finished{}, err
	}
	f, err := archive.Find(id)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no finished session %q; see homebot modes history", id)
	}
	return archive, f, err
}

// showSession is exportSession for eyes: without Markdown's marks.
func (a *app) showSession(id string) error {
	archive, f, err := a.finished(id)
	if err != nil {
		return err
	}
	turns, err := archive.Turns(f)
	if err != nil {
		return err
	}
	const minute = "2006-01-02 15:04"
	fmt.Fprintf(a.stdout, "%s\n%s — %s (%s)\n\n%s\n", f.SessionID, f.StartedAt.Format(minute), f.EndedAt.Format(minute), f.Reason, text.Plain(f.Text))
	if len(turns) > 0 {
		fmt.Fprint(a.stdout, "\n对话 · Dialogue\n\n")
	}
	for _, t := range turns {
		fmt.Fprintf(a.stdout, "%s %s: %s\n", t.Timestamp.Format("15:04"), t.SpeakerID, text.Printable(t.User))
		if reply := text.Plain(t.Assistant); reply != "" {
			fmt.Fprintf(a.stdout, "      %s\n", strings.ReplaceAll(reply, "\n", "\n      "))
		}
	}
	return nil
}

func (a *app) exportSession(id, out string) error {
	archive, f, err := a.finished(id)
	if err != nil {
		return err
	}
	markdown, err := archive.Markdown(f)
	if err != nil {
		return err
	}
	if out == "" {
		fmt.Fprint(a.stdout, markdown)
		return nil
	}
	return os.WriteFile(out, []byte(markdown), 0o600)
}
