package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"homebot/internal/cli"
	"homebot/internal/phrases"

	"github.com/spf13/cobra"
)

// version and buildTime are set by the Makefile through -ldflags -X; buildTime
// is RFC 3339. Without it R51 has only the session's own times to go by.
var (
	version   = "dev"
	buildTime = ""
)

// built is when this binary was built, the zero time when unknown (R51).
func built() time.Time {
	text := buildTime
	if info, ok := debug.ReadBuildInfo(); ok && text == "" {
		for _, s := range info.Settings {
			if s.Key == "vcs.time" {
				text = s.Value
			}
		}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: phrases.HelpVersion.In(a.lang), Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			when := phrases.VersionNoTime.In(a.lang)
			if t := built(); !t.IsZero() {
				when = t.UTC().Format(time.RFC3339)
			}
			fmt.Fprintln(a.stdout, phrases.VersionLine.In(a.lang, version, runtime.GOOS, runtime.GOARCH, runtime.Version(), when))
			return nil
		},
	}
}
