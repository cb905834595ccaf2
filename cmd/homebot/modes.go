package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/modes"
)

func (a *app) modesCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "modes", Short: phrases.HelpModes.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "list", Short: phrases.HelpModesList.In(a.lang), Args: cli.NoArgs,
			RunE: func(*cobra.Command, []string) error { return a.listModes() },
		},
		&cobra.Command{
			Use: "status", Short: phrases.HelpModesStatus.In(a.lang), Args: cli.NoArgs,
			RunE: a.modeStatus,
		},
		&cobra.Command{
			Use: "exit", Short: phrases.HelpModesExit.In(a.lang), Args: cli.NoArgs,
			RunE: a.exitMode,
		},
		a.newModeCommand(), a.historyCommand(),
	)
	return c
}

func (a *app) listModes() error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	cat := build(cfg, a.logger(levelQuiet)).registry.Scan()
	for _, m := range cat.Modes {
		a.listMode(cat, m)
	}
	for _, b := range cat.Broken {
		fmt.Fprintf(a.stdout, "BROKEN  %s\n", b)
	}
	return nil
}

func (a *app) listMode(cat *modes.Catalogue, m modes.Mode) {
	fmt.Fprintf(a.stdout, "%-12s %s\n", m.ID, strings.Join(m.Names(), " · "))
	fmt.Fprintf(a.stdout, "%-12s from %s, until %s of the next day\n", "", m.Manifest, m.Expires)
	if m.Entrypoint != "" {
		fmt.Fprintf(a.stdout, "%-12s code %s%s\n", "", m.Entrypoint, toolNames(m))
	}
	for _, lang := range []string{"zh", "en"} {
		if words := cat.Gate().Say("enter", m.ID, lang); words != "" {
			fmt.Fprintf(a.stdout, "%-12s say %q and %q\n", "", words, cat.Gate().Say("exit", m.ID, lang))
		}
	}
}

func toolNames(m modes.Mode) string {
	var names []string
	for _, t := range m.Offered() {
		names = append(names, t.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return ", tools " + strings.Join(names, " ")
}

func (a *app) modeStatus(c *cobra.Command, _ []string) error {
	client, err := a.connect(c.Context())
	if err != nil {
		return err
	}
	s, err := client.Status()
	if err := errors.Join(err, client.Close()); err != nil {
		return err
	}
	a.printMode(s)
	return nil
}

func (a *app) printMode(s event.State) {
	if s.Mode == nil {
		fmt.Fprintln(a.stdout, "no mode is active")
	} else {
		fmt.Fprintf(a.stdout, "%s (%s) is active until %s\nsession %s\n",
			s.Mode.DisplayName, s.Mode.ID, s.Mode.ExpiresAt.Format("2006-01-02 15:04"), s.Mode.SessionID)
	}
	fmt.Fprintln(a.stdout, lightLine(s.Light))
}

func lightLine(l event.Light) string {
	state := map[bool]string{true: "on", false: "off"}[l.On]
	switch {
	case l.Pin == "":
		return "light: none configured"
	case !l.Present:
		return fmt.Sprintf("light: %s (no %s on this host)", state, l.Pin)
	}
	return fmt.Sprintf("light: %s on %s", state, l.Pin)
}

func (a *app) exitMode(c *cobra.Command, _ []string) error {
	client, err := a.connect(c.Context())
	if err != nil {
		return err
	}
	m, err := client.Exit()
	if err := errors.Join(err, client.Close()); err != nil {
		return err
	}
	if m == nil {
		fmt.Fprintln(a.stdout, "no mode is active")
		return nil
	}
	fmt.Fprintf(a.stdout, "%s (%s) is archived: session %s\n", m.ID, m.DisplayName, m.SessionID)
	return nil
}
