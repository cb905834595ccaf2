// Command homebot is the voice appliance and its command line.
package main

import (
	"context"
	"io"
	"os"

	"homebot/internal/cli"
)

func main() {
	ctx, stop := cli.UntilTold()
	defer stop()
	os.Exit(Main(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// Main is the whole program; only main calls os.Exit. Errors go to stderr, one
// line each, with the way out.
func Main(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := &app{getenv: getenv, stdin: stdin, stdout: stdout, stderr: stderr}
	app.lang = app.terminal(args)
	root := app.commands()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	return cli.Exit("homebot", err, app.lang, stderr)
}
