// Command homebot is the voice appliance and its command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"homebot/internal/config"
)

func main() {
	ctx, stop := untilTold()
	defer stop()
	os.Exit(Main(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// untilTold ends with the signals that ask for an end in good order: a terminal
// that is closed is one, unless nohup said not to mind.
func untilTold() (context.Context, context.CancelFunc) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), ends...)
}

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// usageError is a mistake on the command line.
type usageError struct {
	error
	command string // whose help to read
}

// help names the command whose help says more.
func (e usageError) help() string {
	if e.command == "" {
		return "homebot"
	}
	return e.command
}

// silent ends the program with exitFailure; what is wrong was printed already.
var errSilent = errors.New("")

// Main is the whole program; only main calls os.Exit. Errors go to stderr, one
// line each, with the way out.
func Main(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := &app{getenv: getenv, stdin: stdin, stdout: stdout, stderr: stderr}
	root := app.commands()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var usage usageError
	var wrong config.Problems
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errSilent):
		return exitFailure
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "homebot: %v; see %s --help\n", err, usage.help())
		return exitUsage
	case errors.As(err, &wrong):
		fmt.Fprintf(stderr, "homebot: %s\n", wrong.In(app.lang))
		return exitFailure
	default:
		fmt.Fprintf(stderr, "homebot: %v\n", err)
		return exitFailure
	}
}
