// Package clitest holds the help of a program to its language.
package clitest

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"homebot/internal/phrases"
)

// Help fails where a command below root, or a flag, says nothing or something in
// another language than lang; quoted are words of the other one that are there on
// purpose. At least so many texts are expected.
func Help(t testing.TB, root *cobra.Command, lang string, least int, quoted ...string) {
	t.Helper()
	found := 0
	each(root, func(what, text string) {
		found++
		for _, words := range quoted {
			text = strings.ReplaceAll(text, words, "")
		}
		if text == "" || HasHan(text) != (lang == phrases.Chinese) {
			t.Errorf("%s: %s: %q", lang, what, text)
		}
	})
	if found < least {
		t.Errorf("%s: the help has %d texts only: it was not read", lang, found)
	}
}

// each hands out every text of the help that is the program's own. A hidden command
// may have none.
func each(c *cobra.Command, got func(what, text string)) {
	if c.Short != "" || !c.Hidden {
		got(c.CommandPath(), c.Short)
	}
	if c.Long != "" {
		got(c.CommandPath()+" (long)", c.Long)
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { got(c.CommandPath()+" --"+f.Name, f.Usage) })
	for _, sub := range c.Commands() {
		each(sub, got)
	}
}

// HasHan reports whether s holds a Chinese character.
func HasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// english is what cobra and pflag have of their own: headings, and words in lines.
var english = regexp.MustCompile(`Usage|Commands:|Flags|\[command\]|\[flags\]|help for|\(default|Use "|for more| (int|float|string|strings|stringToString) {3}`)

// English is what of cobra's own words help, which is to be Chinese, still holds.
func English(help string) string { return english.FindString(help) }
