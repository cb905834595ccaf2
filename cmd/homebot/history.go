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
		a.tell(phrases.HistoryNoneOf, modeID)
	case len(all) == 0:
		a.tell(phrases.HistoryNone)
	}
	for _, f := range all {
		fmt.Fprintf(a.stdout, "%s  %-10s %s %s\n", f.StartedAt.Format("2006-01-02 15:04"), f.ModeID, a.reasonCell(f.Reason), text.Plain(f.Line))
	}
	return nil
}

// endings are the reasons for which sessions end (R28), with words beside them.
var endings = map[string]phrases.Phrase{
	modes.ExitUser: phrases.HistoryUser, modes.ExitExpired: phrases.HistoryExpired,
	modes.ExitSwitched: phrases.HistorySwitched, modes.ExitRecovered: phrases.HistoryRecovered,
}

// ending is a reason in lang; one that is not known stays as it is.
func ending(reason, lang string) string {
	if p, ok := endings[reason]; ok {
		return p.In(lang)
	}
	return reason
}

// reasonCell is ending in a column as wide as the longest.
func (a *app) reasonCell(reason string) string {
	if a.lang == phrases.Chinese {
		return cli.Pad(ending(reason, a.lang), 18)
	}
	return cli.Pad(reason, 9)
}

// finished finds an ended session.
func (a *app) finished(id string) (modes.Archive, modes.Finished, error) {
	archive, err := a.archive()
	if err != nil {
		return archive, modes.Finished{}, err
	}
	f, err := archive.Find(id)
	if errors.Is(err, fs.ErrNotExist) {
		err = phrases.Errorf(phrases.HistoryNoSession, id)
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
	span := phrases.HistorySpan.In(a.lang, f.StartedAt.Format(minute), f.EndedAt.Format(minute), ending(f.Reason, a.lang))
	fmt.Fprintf(a.stdout, "%s\n%s\n\n%s\n", f.SessionID, span, text.Plain(f.Text))
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
