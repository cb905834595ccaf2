package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"homebot/internal/phrases"
)

// UsageError is a mistake on the command line.
type UsageError struct {
	Err     error
	Command string // whose help to read; empty: the program's
}

func (e *UsageError) Error() string { return e.Err.Error() }

// In is the mistake in lang.
func (e *UsageError) In(lang string) string { return phrases.Told(e.Err, lang) }

// Unwrap returns Err.
func (e *UsageError) Unwrap() error { return e.Err }

// Usage makes err, unless it is nil, a mistake in calling c.
func Usage(c *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	return &UsageError{known(err), c.CommandPath()}
}

// known is a complaint of the flags' parser in both languages.
func known(err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		return phrases.Errorf(phrases.CLIUnknownFlag, dashed(unknown.GetSpecifiedName(), unknown.GetSpecifiedShortnames()))
	case errors.As(err, &missing):
		return phrases.Errorf(phrases.CLIValueMissing, dashed(missing.GetSpecifiedName(), missing.GetSpecifiedShortnames()))
	case errors.As(err, &invalid):
		return phrases.Errorf(phrases.CLIInvalidValue, "--"+invalid.GetFlag().Name, invalid.GetValue(), kind(invalid.GetFlag().Value.Type()))
	case errors.As(err, &syntax):
		return phrases.Errorf(phrases.CLIFlagSyntax, syntax.GetSpecifiedFlag())
	}
	return err
}

// dashed is a flag as it was written: a long one, or the short ones together.
func dashed(name, short string) string {
	if short != "" {
		return "-" + short
	}
	return "--" + name
}

// NoArgs, ExactArgs and friends are cobra's, with complaints in both languages.
func NoArgs(c *cobra.Command, args []string) error { return count(c, args, 0, 0) }

// ExactArgs wants n arguments.
func ExactArgs(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error { return count(c, args, n, n) }
}

// AtMostArgs wants no more than n arguments.
func AtMostArgs(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error { return count(c, args, 0, n) }
}

// AtLeastArgs wants n arguments or more.
func AtLeastArgs(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error { return count(c, args, n, -1) }
}

// count complains about fewer arguments than least, or more than most (-1: any
// number).
func count(c *cobra.Command, args []string, least, most int) error {
	switch {
	case len(args) < least:
		return Usage(c, phrases.Errorf(phrases.CLITooFewArguments, c.Use))
	case most < 0 || len(args) <= most:
		return nil
	case c.HasSubCommands() && most == 0:
		return Usage(c, unknownCommand(c, args[0]))
	}
	return Usage(c, phrases.Errorf(phrases.CLITooManyArguments, args[most]))
}

// unknownCommand names the commands that name may have meant.
func unknownCommand(c *cobra.Command, name string) error {
	c.SuggestionsMinimumDistance = 2
	meant := c.SuggestionsFor(name)
	if len(meant) == 0 {
		return phrases.Errorf(phrases.CLIUnknownCommand, name, c.CommandPath())
	}
	return phrases.Errorf(phrases.CLIUnknownCommandMeant, name, c.CommandPath(), strings.Join(meant, ", "))
}

// OneFlag is args for a command that takes no two of the flags names together.
func OneFlag(args cobra.PositionalArgs, names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, words []string) error {
		var set []string
		for _, name := range names {
			if c.Flags().Changed(name) {
				set = append(set, "--"+name)
			}
		}
		if len(set) > 1 {
			return Usage(c, phrases.Errorf(phrases.CLIOneFlag, set[0], set[1]))
		}
		return args(c, words)
	}
}
