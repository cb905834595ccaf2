// Command homebot-speech is homebot's ears and voice: the wake word and speech
// recognition on a websocket, spoken replies on POST /v1/audio/speech
// (docs/PROTOCOL.md).
//
// The device starts it as its child; it also runs alone, on this machine or for
// others in the house.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"homebot/internal/cli"
	"homebot/internal/config"
	"homebot/internal/phrases"
)

// version is set by the linker (-X main.version=…).
var version = ""

func main() {
	ctx, stop := cli.UntilTold()
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without its process: it returns the exit code, 0, 1 for a
// failure or 2 for wrong usage, each told in one line on stderr. It ends when
// ctx does.
func run(ctx context.Context, args []string, env func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{env: env, stdin: stdin, stdout: stdout, stderr: stderr, lang: terminal(args, env)}
	root := p.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return cli.Exit("homebot-speech", root.ExecuteContext(ctx), p.lang, stderr)
}

// program is one call of homebot-speech.
type program struct {
	env            func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
	lang           string // of the terminal
	serve          serveOptions
}

// langFlag is how homebot, which has a configuration, hands its language over.
const langFlag = "lang"

// terminal is the language of the terminal: the flag's, else the shell's. The help
// needs it before the command line is read.
func terminal(args []string, env func(string) string) string {
	c := &cobra.Command{FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}}
	lang := c.Flags().String(langFlag, "", "")
	_ = c.ParseFlags(args)
	if *lang == phrases.Chinese || *lang == phrases.English {
		return *lang
	}
	return config.ShellLanguage(env)
}

func (p *program) command() *cobra.Command {
	root := &cobra.Command{
		Use: "homebot-speech", Short: phrases.HelpSpeech.In(p.lang), Args: cli.NoArgs,
		RunE: wants(phrases.SpeechNoCommand),
	}
	root.PersistentFlags().String(langFlag, "", phrases.HelpSpeechLang.In(p.lang))
	_ = root.PersistentFlags().MarkHidden(langFlag)
	root.AddCommand(p.serveCommand(), p.modelsCommand(), p.speakersCommand(), p.engineCommand(), p.tryCommand(), &cobra.Command{
		Use: "version", Short: phrases.HelpVersion.In(p.lang), Args: cli.NoArgs,
		Run: func(*cobra.Command, []string) {
			fmt.Fprintf(p.stdout, "homebot-speech %s %s/%s\n", buildVersion(), runtime.GOOS, runtime.GOARCH)
		},
	})
	cli.Localise(root, p.lang)
	return root
}

// wants is a command that does nothing without another one behind it.
func wants(what phrases.Phrase) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error { return cli.Usage(c, phrases.Errorf(what)) }
}

// say prints a line in the language of the terminal.
func (p *program) say(what phrases.Phrase, args ...any) {
	fmt.Fprintln(p.stdout, what.In(p.lang, args...))
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
