package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/config"
	"homebot/internal/console"
	"homebot/internal/phrases"
	"homebot/modes"
	homecooking "homebot/skills/home-cooking"
	"homebot/voice"
)

// openConsole makes the web page of a house, with sound unless that is nil. None
// is made when none is configured.
func (a *app) openConsole(h *house, sound *sound) {
	if h.cfg.Console.Listen == "" {
		return
	}
	c := console.Config{
		Settings: h.cfg.Console, Lang: h.cfg.System.Language, Workspace: h.cfg.Workspace, FS: h.fs(), Bus: h.bus,
		Agent: h.agent, People: h.agent, Contexts: h.agent, Counters: h.agent,
		Kitchen: homecooking.NewKitchen(h.fs(), h.cfg.Workspace),
		History: modes.Archive{FS: h.fs(), Workspace: h.cfg.Workspace},
		Version: version, Log: h.logger,
	}
	if h.desk != nil {
		c.Timers = h.desk
	}
	if sound != nil {
		c.Device, c.Announcer = h.loop, h.loop
		c.Talks = browserTalks{a, h, sound}
	}
	made, err := console.New(c)
	if err != nil {
		h.logger.Error("no console", "err", err)
		return
	}
	h.console = made
}

// browserTalks makes the dialogues of browsers with what the device's own is made of.
type browserTalks struct {
	app    *app
	house  *house
	beside *sound
}

func (t browserTalks) Phrases() []string { return t.house.cfg.Wake.Phrases }

func (t browserTalks) Open(c console.TalkConfig) console.Talk {
	s := t.app.newSound(t.house, soundOptions{source: c.Source, sink: c.Sink, beside: t.beside, talk: &c})
	return browserTalk{s.loop, s}
}

// browserTalk is one of them: its loop takes the orders, all of it runs.
type browserTalk struct {
	*voice.Loop
	sound *sound
}

func (t browserTalk) Run(ctx context.Context) error { return t.sound.Run(ctx) }

// announceConsole says on standard output where the page is. A person at a
// terminal gets a link that lets in; a journal does not.
func (a *app) announceConsole(ctx context.Context, h *house, o runOptions) error {
	select {
	case <-h.console.Ready():
	case <-ctx.Done():
		return nil
	}
	switch at := h.console.Address(); {
	case at.HTTP == "": // the log has why
	case o.show:
		fmt.Fprintln(a.stdout, phrases.PageOpen.In(a.lang, h.console.Link()))
	default:
		fmt.Fprintln(a.stdout, phrases.PageAt.In(a.lang, at.HTTP))
	}
	return nil
}

// pairFlags are the flags of pair.
type pairFlags struct {
	list, revokeAll, quiet bool
	revoke, token, scope   string
}

func (a *app) pairCommand() *cobra.Command {
	var f pairFlags
	c := &cobra.Command{
		Use: "pair", Short: phrases.HelpPair.In(a.lang), Args: cli.OneFlag(cli.NoArgs, "list", "revoke", "revoke-all", "token"),
		Long: a.lines(phrases.HelpPair, phrases.HelpPairCode),
		RunE: func(c *cobra.Command, _ []string) error { return a.pair(c.Context(), f) },
	}
	c.Flags().BoolVar(&f.list, "list", false, phrases.HelpPairList.In(a.lang))
	c.Flags().StringVar(&f.revoke, "revoke", "", phrases.HelpPairRevoke.In(a.lang))
	c.Flags().BoolVar(&f.revokeAll, "revoke-all", false, phrases.HelpPairRevokeAll.In(a.lang))
	c.Flags().StringVar(&f.token, "token", "", phrases.HelpPairToken.In(a.lang))
	c.Flags().StringVar(&f.scope, "scope", "all", phrases.HelpPairScope.In(a.lang))
	c.Flags().BoolVar(&f.quiet, "quiet", false, phrases.HelpPairQuiet.In(a.lang))
	return c
}

func (a *app) pair(ctx context.Context, f pairFlags) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if cfg.Console.Listen == "" {
		return phrases.Errorf(phrases.PairNoConsole)
	}
	client, err := a.connect(ctx)
	if err != nil {
		return err
	}
	ask := func(what string, args, into any) error { return client.Inspect(what, args, into) }
	switch {
	case f.list:
		err = a.listAccess(ask)
	case f.revoke != "" || f.revokeAll:
		err = ask(console.AskRevoke, console.RevokeQuery{ID: f.revoke, All: f.revokeAll}, &struct{}{})
	case f.token != "":
		var r console.TokenReport
		if err = ask(console.AskToken, console.TokenQuery{Name: f.token, Scope: f.scope}, &r); err == nil {
			fmt.Fprintf(a.stdout, "%s\n", r.Token)
			fmt.Fprintf(a.stderr, "homebot: %s\n", phrases.PairTokenOnce.In(a.lang, r.ID))
		}
	default:
		err = a.showCode(ask, cfg, !f.quiet)
	}
	return errors.Join(err, client.Close())
}

// question is engine.Client.Inspect.
type question func(what string, args, into any) error

func (a *app) showCode(ask question, cfg config.Config, speak bool) error {
	var r console.CodeReport
	if err := ask(console.AskCode, console.CodeQuery{Speak: speak}, &r); err != nil {
		return err
	}
	if r.Address == "" {
		return phrases.Errorf(phrases.PairNotRunning, cfg.Console.Listen)
	}
	fmt.Fprintln(a.stdout, phrases.PairCode.In(a.lang, spacedCode(r.Code), r.Seconds/60))
	fmt.Fprintln(a.stdout, phrases.PairPage.In(a.lang, r.Address))
	if r.HTTPS != "" {
		fmt.Fprintln(a.stdout, phrases.PairHTTPS.In(a.lang, r.HTTPS, r.Address))
	}
	fmt.Fprintln(a.stdout, phrases.PairLink.In(a.lang, r.Link))
	return nil
}

// spacedCode is a code in two halves, easier to read.
func spacedCode(code string) string { return code[:len(code)/2] + " " + code[len(code)/2:] }

func (a *app) listAccess(ask question) error {
	var r console.AccessReport
	if err := ask(console.AskAccess, nil, &r); err != nil {
		return err
	}
	if len(r.Access) == 0 {
		fmt.Fprintln(a.stdout, phrases.PairNobody.In(a.lang))
	}
	for _, e := range r.Access {
		dates := phrases.PairDates.In(a.lang, e.MadeAt.Format(time.DateOnly), e.SeenAt.Format("2006-01-02 15:04"))
		fmt.Fprintf(a.stdout, "%s  %-7s  %-7s  %s  %s\n", e.ID, e.Kind, e.Scope, cli.Pad(strings.TrimSpace(e.Name), 24), dates)
	}
	return nil
}
