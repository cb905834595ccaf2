package main

import (
	"strings"
	"testing"

	"homebot/internal/cli/clitest"
	"homebot/internal/phrases"
)

// Every command and every flag says what it does in the language of the terminal.
// Of the other language there is only an example of words for a timer.
func TestHelpInBothLanguages(t *testing.T) {
	for lang, quoted := range map[string]string{phrases.Chinese: "", phrases.English: "鸡蛋八分钟"} {
		a := &app{lang: lang}
		clitest.Help(t, a.commands(), lang, 80, quoted)
	}
}

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
		if found := clitest.English(out); found != "" {
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
