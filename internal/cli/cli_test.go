package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"homebot/internal/phrases"
)

// program has a command that wants a number and one that wants two arguments, both
// of which fail with what they are told to.
func program(lang string, fails error) *cobra.Command {
	root := &cobra.Command{Use: "pot", Args: NoArgs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	fail := func(*cobra.Command, []string) error { return fails }
	boil := &cobra.Command{Use: "boil", Args: AtMostArgs(1), RunE: fail}
	boil.Flags().IntP("minutes", "m", 0, "x")
	boil.Flags().Int("eggs", 4, "x")
	boil.Flags().String("soup", "miso (red)", "x")
	boil.Flags().Bool("lid", false, "x")
	boil.Flags().Bool("steam", false, "x")
	boil.Args = OneFlag(boil.Args, "lid", "steam")
	root.AddCommand(boil, &cobra.Command{Use: "mix A B", Args: ExactArgs(2), RunE: fail}, &cobra.Command{Use: "add WHAT…", Args: AtLeastArgs(1), RunE: fail})
	Localise(root, lang)
	return root
}

func call(lang string, fails error, args ...string) (code int, out, told string) {
	root := program(lang, fails)
	var stdout, stderr bytes.Buffer
	root.SetOut(&stdout)
	root.SetArgs(args)
	code = Exit("pot", root.Execute(), lang, &stderr)
	return code, stdout.String(), strings.TrimSuffix(stderr.String(), "\n")
}

// Each mistake on the command line is one line in the language of the terminal,
// and names the help to read.
func TestMistakes(t *testing.T) {
	for _, tt := range []struct{ args, en, zh string }{
		{"boil --salt", "unknown flag: --salt; see pot boil --help", "没有选项 --salt；用法见 pot boil --help"},
		{"boil -xm", "unknown flag: -xm; see pot boil --help", "没有选项 -xm；用法见 pot boil --help"},
		{"boil --minutes", "flag needs an argument: --minutes; see pot boil --help", "选项 --minutes 后面缺一个值；用法见 pot boil --help"},
		{"boil --minutes few", `--minutes cannot be "few"; write a number; see pot boil --help`, `选项 --minutes 不能是 "few"，请写：数字；用法见 pot boil --help`},
		{"boil --lid=open", `--lid cannot be "open"; write true or false; see pot boil --help`, `选项 --lid 不能是 "open"，请写：true 或 false 这样的开关；用法见 pot boil --help`},
		{"boil --steam --lid", "--lid and --steam cannot be used together; write one of them; see pot boil --help", "--lid 和 --steam 不能一起用；请只写一个；用法见 pot boil --help"},
		{"boil --=3", "bad flag syntax: --=3; see pot boil --help", "选项写得不对：--=3；用法见 pot boil --help"},
		{"boil eggs rice", `too much on the line, from "rice" on; see pot boil --help`, `多出来的内容："rice"；用法见 pot boil --help`},
		{"mix a", "something is missing; write: mix A B; see pot mix --help", "还缺内容，请写成：mix A B；用法见 pot mix --help"},
		{"mix a b c", `too much on the line, from "c" on; see pot mix --help`, `多出来的内容："c"；用法见 pot mix --help`},
		{"add", "something is missing; write: add WHAT…; see pot add --help", "还缺内容，请写成：add WHAT…；用法见 pot add --help"},
		{"fry", `unknown command "fry" for "pot"; see pot --help`, `没有命令 "fry"（"pot"）；用法见 pot --help`},
		{"help fry", `unknown command "fry" for "pot"; see pot --help`, `没有命令 "fry"（"pot"）；用法见 pot --help`},
		{"help boil eggs", `unknown command "eggs" for "pot boil"; see pot boil --help`, `没有命令 "eggs"（"pot boil"）；用法见 pot boil --help`},
		{"bol", `unknown command "bol" for "pot"; did you mean boil; see pot --help`, `没有命令 "bol"（"pot"）；是不是 boil；用法见 pot --help`},
	} {
		for lang, want := range map[string]string{phrases.English: tt.en, phrases.Chinese: tt.zh} {
			if code, _, told := call(lang, nil, strings.Fields(tt.args)...); code != ExitUsage || told != "pot: "+want {
				t.Errorf("pot %s (%s): %d %q, want %q", tt.args, lang, code, told, want)
			}
		}
	}
}

func TestFailures(t *testing.T) {
	full := phrases.Errorf(phrases.Phrase{ZH: "满了", EN: "it is full"})
	for _, tt := range []struct {
		err  error
		code int
		told string
	}{
		{nil, ExitOK, ""},
		{ErrSilent, ExitFailure, ""},
		{fmt.Errorf("pot.txt: %w", full), ExitFailure, "pot: pot.txt: 满了"},
		{errors.New("plain"), ExitFailure, "pot: plain"},
		{&UsageError{Err: full}, ExitUsage, "pot: 满了；用法见 pot --help"},
	} {
		if code, _, told := call(phrases.Chinese, tt.err, "boil"); code != tt.code || told != tt.told {
			t.Errorf("%v: %d %q, want %d %q", tt.err, code, told, tt.code, tt.told)
		}
	}
}

// The words that cobra has of its own are in the language of the terminal.
func TestHelp(t *testing.T) {
	_, zh, _ := call(phrases.Chinese, nil, "--help")
	for _, want := range []string{"用法：\n  pot", "pot [命令]", "命令：\n", "显示一个命令的用法", "选项：\n  -h, --help   显示用法", "pot [命令] --help"} {
		if !strings.Contains(zh, want) {
			t.Errorf("no %q in\n%s", want, zh)
		}
	}
	for _, english := range []string{"Usage", "Flags", "Commands", "help for", "Help about", "Use "} {
		if strings.Contains(zh, english) {
			t.Errorf("%q in\n%s", english, zh)
		}
	}
	_, zh, _ = call(phrases.Chinese, nil, "help", "boil")
	const flags = "pot boil [选项]\n\n选项：\n" +
		"      --eggs 数字     x（默认 4）\n" +
		"      --lid           x\n" +
		"  -m, --minutes 数字  x\n" +
		"      --soup 文字     x（默认 \"miso (red)\"）\n"
	if !strings.Contains(zh, flags) {
		t.Errorf("the flags are not\n%s\nbut\n%s", flags, zh)
	}
	_, en, _ := call(phrases.English, nil, "boil", "-h")
	if !strings.Contains(en, "Usage:\n  pot boil [flags]") || strings.ContainsAny(en, "用法") {
		t.Errorf("in English\n%s", en)
	}
	if _, same, _ := call(phrases.English, nil, "help", "boil"); same != en {
		t.Errorf("pot help boil:\n%s", same)
	}
}
