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
	"syscall"

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
