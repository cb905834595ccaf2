package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/config"
	"homebot/internal/phrases"
)

func (a *app) configCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "config", Short: phrases.HelpConfig.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "check", Short: phrases.HelpConfigCheck.In(a.lang), Args: cli.NoArgs,
			RunE: func(*cobra.Command, []string) error { return a.checkConfig() },
		},
		&cobra.Command{
			Use: "show", Short: phrases.HelpConfigShow.In(a.lang), Args: cli.NoArgs,
			RunE: func(*cobra.Command, []string) error { return a.showConfig() },
		},
		&cobra.Command{
			Use: "sample", Short: phrases.HelpConfigSample.In(a.lang), Args: cli.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := a.stdout.Write(config.Sample())
				return err
			},
		},
	)
	return c
}

// checkConfig prints each mistake on a line of its own.
func (a *app) checkConfig() error {
	cfg, err := a.config()
	if err == nil {
		err = a.checkWake(cfg)
	}
	var found config.Problems
	if errors.As(err, &found) {
		for _, p := range found {
			fmt.Fprintln(a.stderr, p.In(a.lang))
		}
		return cli.ErrSilent
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(cfg.Path); err != nil {
		fmt.Fprintln(a.stdout, phrases.ConfigOKDefaults.In(a.lang, cfg.Path))
	} else {
		fmt.Fprintln(a.stdout, phrases.ConfigOK.In(a.lang, cfg.Path))
	}
	return a.checkPhrases(cfg)
}

func (a *app) showConfig() error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	return cfg.Show(a.stdout)
}
