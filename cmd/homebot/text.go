package main

import (
	"strings"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// textLine is one line as the text commands print it.
type textLine struct {
	Text string `json:"text"`
}

func (a *app) textCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "text", Short: phrases.HelpText.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		a.textLines("heard", phrases.HelpTextHeard.In(a.lang), func(s, lang string) string {
			return text.Heard(s, lang, text.Signals{})
		}),
		a.textLines("spoken", phrases.HelpTextSpoken.In(a.lang), text.Spoken),
	)
	return c
}

// textLines is a command that turns each line of standard input into another.
func (a *app) textLines(use, short string, do func(s, lang string) string) *cobra.Command {
	var lang string
	c := &cobra.Command{
		Use: use, Short: short, Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := checkLang(lang); err != nil {
				return err
			}
			return a.eachLine(func(line string) []any {
				return []any{textLine{do(strings.ReplaceAll(line, `\n`, "\n"), lang)}}
			})
		},
	}
	c.Flags().StringVar(&lang, "lang", "zh", phrases.HelpTextLang.In(a.lang))
	return c
}
