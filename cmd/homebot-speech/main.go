// Command homebot-speech is homebot's ears and voice: the wake word and speech
// recognition on a websocket, spoken replies on POST /v1/audio/speech
// (docs/PROTOCOL.md).
//
// The device starts it as its child; it also runs alone, on this machine or for
// others in the house.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
)

// version is set by the linker (-X main.version=…).
var version = ""

func main() {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // by nohup; else the terminal was closed
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without its process: it returns the exit code, 0, 1 for a
// failure or 2 for wrong usage, each told in one line on stderr. It ends when
// ctx does.
func run(ctx context.Context, args []string, env func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{env: env, stdin: stdin, stdout: stdout, stderr: stderr}
	root := p.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if !errors.Is(err, errSaid) {
		fmt.Fprintf(stderr, "homebot-speech: %v\n", err)
	}
	if !p.began {
		return 2
	}
	return 1
}

// errSaid is a failure that was told already.
var errSaid = errors.New("told already")

// program is one call of homebot-speech.
type program struct {
	env            func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
	began          bool // the command line was right
	serve          serveOptions
}

func (p *program) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "homebot-speech",
		Short:         "The ears and the voice of homebot",
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(*cobra.Command, []string) error {
			return fmt.Errorf("a command is missing: try homebot-speech serve, or --help")
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(p.serveCommand(), p.modelsCommand(), p.speakersCommand(), p.engineCommand(), p.tryCommand(), &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run: func(*cobra.Command, []string) {
			fmt.Fprintf(p.stdout, "homebot-speech %s %s/%s\n", buildVersion(), runtime.GOOS, runtime.GOARCH)
		},
	})
	return root
}

// buildVersion is the linker's version, or what the Go command knows.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
