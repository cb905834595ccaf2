package main

import (
	"strings"
	"testing"
)

// Mistakes in the configuration are told in the language of the terminal: that of
// the configuration, else of the shell, else English; by every command.
func TestConfigMistakesInTheTerminalsLanguage(t *testing.T) {
	const zh, en = "homebot.toml:2:1: voice.volume: 700 超出范围；请写 0 到 100 的数\n", "homebot.toml:2:1: voice.volume: 700 is out of range; write a number from 0 to 100\n"
	for _, c := range []struct{ locale, more, want string }{
		{"", "", en}, {"C.UTF-8", "", en}, {"en_GB.UTF-8", "", en}, {"zh_CN.UTF-8", "", zh},
		{"en_GB.UTF-8", "[system]\nlanguage = \"zh\"\n", zh}, {"", "[system]\nlanguage = \"en\"\n", en},
	} {
		h := newHome(t, nil)
		h.setenv("LC_ALL", c.locale)
		h.configure("[voice]\nvolume = 700\n" + c.more)
		for _, command := range [][]string{{"config", "check"}, {"timers", "list"}} {
			if _, errs, code := h.once("", command...); code != 1 || !strings.HasSuffix(errs, c.want) || strings.Count(errs, "\n") != 1 {
				t.Errorf("%+v %v: %d %q", c, command, code, errs)
			}
		}
	}
	h := newHome(t, nil)
	h.setenv("LANG", "en_US.UTF-8")
	if out, _, _ := h.once("", "config", "show"); !strings.Contains(out, "language = \"en\"") || !strings.Contains(out, "# LANG") {
		t.Errorf("config show\n%s", out)
	}
	if _, errs, _ := h.once("", "config", "check", "--config", "/nowhere.toml"); !strings.Contains(errs, "there is no such file") {
		t.Errorf("a file that is not there: %q", errs)
	}
}
