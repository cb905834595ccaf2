package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"homebot/internal/phrases"
)

// quoted are the words in the other language that the help holds on purpose.
var quoted = map[string][]string{phrases.English: {"鸡蛋八分钟"}}

// Every command and every flag says what it does in the language of the terminal.
func TestHelpInBothLanguages(t *testing.T) {
	for _, lang := range []string{phrases.Chinese, phrases.English} {
		a := &app{lang: lang}
		found := 0
		eachHelp(a.commands(), func(what, text string) {
			found++
			for _, words := range quoted[lang] {
				text = strings.ReplaceAll(text, words, "")
			}
			han := strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
			if text == "" || han != (lang == phrases.Chinese) {
				t.Errorf("%s: %s: %q", lang, what, text)
			}
		})
		if found < 80 {
			t.Errorf("%s: the help has %d texts only: it was not read", lang, found)
		}
	}
}

// eachHelp hands out every text of the help that is the caller's. A hidden command
// may have none.
func eachHelp(c *cobra.Command, got func(what, text string)) {
	if c.Short != "" || !c.Hidden {
		got(c.CommandPath(), c.Short)
	}
	if c.Long != "" {
		got(c.CommandPath()+" (long)", c.Long)
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { got(c.CommandPath()+" --"+f.Name, f.Usage) })
	for _, sub := range c.Commands() {
		eachHelp(sub, got)
	}
}

// English in a Chinese help: headings and what cobra writes into lines by itself.
var english = regexp.MustCompile(`Usage|Commands:|Flags|\[command\]|\[flags\]|help for|\(default|Use "|for more| (int|float|string|strings|stringToString) {3}`)

// The whole help of a Chinese terminal is Chinese, whichever way one asks for it.
func TestHelpOnAChineseTerminal(t *testing.T) {
	h := newHome(t, nil)
	h.setenv("LC_ALL", "zh_CN.UTF-8")
	for args, want := range map[string]string{
		"--help":                       "运行整机",
		"timers":                       "--workspace 文字",
		"help modes history export":    "（默认写到标准输出）",
		"context profiles canary -h":   "（默认 0.2）",
		"chat --help":                  "（默认 \"guest\"）",
		"context profiles":             "homebot context profiles [命令]",
		"timers set --help":            "homebot timers set WORDS [选项]",
		"replay --help":                "DIR/truth.jsonl 里列出的录音",
		"setup --help":                 "（默认 \"/boot/firmware\"）",
		"modes --config /nowhere.toml": "列出所有模式",
	} {
		out, errs, code := h.once("", strings.Fields(args)...)
		if code != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("homebot %s: %d %q, no %q in\n%s", args, code, errs, want, out)
		}
		if found := english.FindString(out); found != "" {
			t.Errorf("homebot %s: %q in\n%s", args, found, out)
		}
	}
	for args, want := range map[string]string{
		"help bread":                "没有命令",
		"pair --list --revoke-all":  "不能一起用",
		"context explain --last no": "请写：数字",
	} {
		if _, errs, code := h.once("", strings.Fields(args)...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("homebot %s: %d %q, want %q", args, code, errs, want)
		}
	}
}
