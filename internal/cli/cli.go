// Package cli is what the command lines of homebot's programs share: help and
// complaints in the language of the terminal, exit codes, and the signals that ask
// for an end.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"homebot/internal/phrases"
)

// Exit codes.
const (
	ExitOK      = 0
	ExitFailure = 1
	ExitUsage   = 2
)

// ErrSilent ends a program with ExitFailure; what is wrong was printed already.
var ErrSilent = errors.New("")

// UntilTold ends with the signals that ask for an end in good order: a terminal
// that is closed is one, unless nohup said not to mind.
func UntilTold() (context.Context, context.CancelFunc) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), ends...)
}

// Exit tells err on stderr in lang, in one line that begins with the program's
// name (a configuration may have several mistakes), and returns the exit code.
func Exit(program string, err error, lang string, stderr io.Writer) int {
	var usage *UsageError
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, ErrSilent):
		return ExitFailure
	case errors.As(err, &usage):
		help := usage.Command
		if help == "" {
			help = program
		}
		fmt.Fprintf(stderr, "%s: %s\n", program, phrases.CLISeeHelp.In(lang, phrases.Told(usage.Err, lang), help))
		return ExitUsage
	}
	fmt.Fprintf(stderr, "%s: %s\n", program, phrases.Told(err, lang))
	return ExitFailure
}

// Localise gives a program's root command, with all its commands below it, help
// and complaints in lang. Short, Long and the usages of flags are the caller's.
func Localise(root *cobra.Command, lang string) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(Usage)
	root.PersistentFlags().BoolP("help", "h", false, phrases.CLIHelpFlag.In(lang))
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil && help != root {
		help.Use, help.Short = "help [COMMAND]", phrases.CLIHelpCommand.In(lang)
		help.Long = ""
	}
	if lang == phrases.Chinese {
		root.SetUsageTemplate(inChinese.Replace(root.UsageTemplate()))
	}
}

// inChinese are cobra's own words.
var inChinese = headings()

func headings() *strings.Replacer {
	var pairs []string
	for _, p := range []phrases.Phrase{phrases.CLIUsage, phrases.CLIExamples, phrases.CLICommands, phrases.CLIGlobalFlags, phrases.CLIFlags, phrases.CLIMore} {
		pairs = append(pairs, p.EN, p.ZH)
	}
	return strings.NewReplacer(append(pairs, "[command]", "[命令]")...)
}
