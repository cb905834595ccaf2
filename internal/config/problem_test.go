package config

import (
	"errors"
	"testing"
)

// A mistake is told in the language that is asked for, the words of a person and
// of homebot.toml as they are.
func TestMistakesInChinese(t *testing.T) {
	for file, want := range map[string]string{
		"[voice]\nvolume = \"loud\"":              `homebot.toml:2:1: voice.volume: 写的是文字；请写整数，不加引号`,
		"[voice]\nvolume = 700":                   `homebot.toml:2:1: voice.volume: 700 超出范围；请写 0 到 100 的数`,
		"[context]\nprofile = \"big\"":            `homebot.toml:2:1: context.profile: 不认识 "big"；请写其中一个：auto, full, compact, minimal`,
		"[llm]\nmodle = \"a\"":                    `homebot.toml:2:1: llm.modle: 没有这个键；是不是想写 llm.model？`,
		"[wake]\nphrases = [\"你好小厨\", \"a\\tb\"]": `homebot.toml:2:1: wake.phrases: 第 2 项里面有换行或控制字符；请去掉`,
	} {
		_, err := parsed(file)
		var found Problems
		if !errors.As(err, &found) || found.In("zh") != want {
			t.Errorf("%s\n got %s\nwant %s", file, found.In("zh"), want)
		}
	}
	p := Problem{File: "x", Text: "only English"} // of another package, or of an older report
	if got := p.In("zh"); got != "x: only English" {
		t.Errorf("without Chinese: %q", got)
	}
}
