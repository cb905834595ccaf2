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
		fmt.Fprintln(a.stdout, phrases.ModesBroken.In(a.lang, b.In(a.lang)))
	}
	return nil
}

func (a *app) listMode(cat *modes.Catalogue, m modes.Mode) {
	below := func(p phrases.Phrase, args ...any) { fmt.Fprintf(a.stdout, "%-12s %s\n", "", p.In(a.lang, args...)) }
	fmt.Fprintf(a.stdout, "%-12s %s\n", m.ID, strings.Join(m.Names(), " · "))
	below(phrases.ModesFrom, a.manifest(m), m.Expires)
	if tools := toolNames(m); tools != "" && m.Entrypoint != "" {
		below(phrases.ModesCodeTools, m.Entrypoint, tools)
	} else if m.Entrypoint != "" {
		below(phrases.ModesCode, m.Entrypoint)
	}
	for _, lang := range []string{"zh", "en"} {
		if words := cat.Gate().Say("enter", m.ID, lang); words != "" {
			below(phrases.ModesSay, words, cat.Gate().Say("exit", m.ID, lang))
		}
	}
}

// manifest is where a mode came from.
func (a *app) manifest(m modes.Mode) string {
	if inside, builtin := strings.CutPrefix(m.Manifest, phrases.ModesBuiltin.In(phrases.English, "")); builtin && m.Builtin {
		return phrases.ModesBuiltin.In(a.lang, inside)
	}
	return m.Manifest
}

func toolNames(m modes.Mode) string {
	var names []string
	for _, t := range m.Offered() {
		names = append(names, t.Name)
	}
	return strings.Join(names, " ")
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
		a.tell(phrases.ModesNone)
	} else {
		a.tell(phrases.ModesActive, s.Mode.DisplayName, s.Mode.ID, s.Mode.ExpiresAt.Format("2006-01-02 15:04"))
		a.tell(phrases.ModesSession, s.Mode.SessionID)
	}
	fmt.Fprintln(a.stdout, lightLine(s.Light, a.lang))
}

func lightLine(l event.Light, lang string) string {
	state := map[bool]phrases.Phrase{true: phrases.ModesLightOn, false: phrases.ModesLightOff}[l.On].In(lang)
	switch {
	case l.Pin == "":
		return phrases.ModesLightNone.In(lang)
	case !l.Present:
		return phrases.ModesLightAway.In(lang, state, l.Pin)
	}
	return phrases.ModesLight.In(lang, state, l.Pin)
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
		a.tell(phrases.ModesNone)
		return nil
	}
	a.tell(phrases.ModesArchived, m.ID, m.DisplayName, m.SessionID)
	return nil
}
