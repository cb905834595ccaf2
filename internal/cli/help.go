package cli

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"homebot/internal/phrases"
)

// Localise gives a program's root command, with all its commands below it, help
// and complaints in lang. Short, Long and the usages of flags are the caller's.
func Localise(root *cobra.Command, lang string) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(Usage)
	root.PersistentFlags().BoolP("help", "h", false, phrases.CLIHelpFlag.In(lang))
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]", Short: phrases.CLIHelpCommand.In(lang),
		RunE: func(_ *cobra.Command, args []string) error { return help(root, args) },
	})
	if lang == phrases.Chinese {
		root.SetUsageTemplate(inChinese.Replace(root.UsageTemplate()))
		root.SetUsageFunc(chineseUsage(root.UsageFunc()))
	}
}

// help is that of the command that args name; cobra's own takes any words.
func help(root *cobra.Command, args []string) error {
	c, rest, err := root.Find(args)
	if err != nil || len(rest) > 0 {
		return Usage(c, unknownCommand(c, append(rest, args...)[0]))
	}
	return c.Help()
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

// What cobra and pflag write into the lines of the help by themselves.
var (
	anyFlags  = regexp.MustCompile(`(?m) \[flags\]$`)
	byDefault = regexp.MustCompile(`(?m) \(default (.*)\)$`)
	flagValue = regexp.MustCompile(`(?m)^( +(?:-\w, )?--[\w-]+ )(\w+)( {3,})`)
)

// chineseUsage is usual with those words in Chinese; columns stay where they are.
func chineseUsage(usual func(*cobra.Command) error) func(*cobra.Command) error {
	return func(c *cobra.Command) error {
		out := c.OutOrStderr()
		var text bytes.Buffer
		c.SetOut(&text)
		err := usual(c)
		c.SetOut(out)
		if err != nil {
			return err
		}
		told := anyFlags.ReplaceAllString(text.String(), " [选项]")
		told = byDefault.ReplaceAllString(told, "（默认 $1）")
		told = flagValue.ReplaceAllStringFunc(told, func(s string) string {
			part := flagValue.FindStringSubmatch(s)
			return part[1] + Pad(kind(part[2]).ZH, len(part[2]+part[3]))
		})
		_, err = io.WriteString(out, told)
		return err
	}
}

// kind is what a flag of a type takes, in words. A type without words of its own stays
// as it is.
func kind(flagType string) phrases.Phrase {
	switch flagType {
	case "int", "float", "float64":
		return phrases.ConfigIsNumber
	case "string":
		return phrases.ConfigIsText
	case "strings", "stringSlice":
		return phrases.ConfigIsList
	case "stringToString":
		return phrases.CLIPairs
	case "bool":
		return phrases.ConfigIsFlag
	}
	return phrases.Phrase{ZH: flagType, EN: flagType}
}
