package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"homebot/cmd/homebot/replay"
)

// inChinese runs a command in a Chinese terminal.
func (h *home) inChinese(stdin string, args ...string) (stdout, stderr string) {
	h.t.Helper()
	h.setenv("LC_ALL", "zh_CN.UTF-8")
	defer h.setenv("LC_ALL", "")
	stdout, stderr, _ = h.once(stdin, args...)
	return stdout, stderr
}

// expect runs commands in a Chinese terminal, each with what it must print and
// what no Chinese one prints.
func (h *home) expect(all ...[3]string) {
	h.t.Helper()
	for _, c := range all {
		out, errs := h.inChinese("", strings.Split(c[0], "|")...)
		for want := range strings.SplitSeq(c[1], "|") {
			if !strings.Contains(out+errs, want) {
				h.t.Errorf("%s: no %q in\n%s%s", c[0], want, out, errs)
			}
		}
		if c[2] != "" && strings.Contains(out+errs, c[2]) {
			h.t.Errorf("%s: %q in\n%s%s", c[0], c[2], out, errs)
		}
	}
}

// What homebot modes prints is in the language of the terminal; the reasons of the
// files stand beside their words.
func TestModesInChinese(t *testing.T) {
	h := newHome(t, switchWhen(func(words string) (string, bool) { return enterCooking, words == "打开做饭模式" }))
	write(t, filepath.Join(h.workspace, "skills", "bad", "mode.json"), `{"id":"bad",`+"\n"+`"display_name":"坏模式","expires":"25:00"}`)
	h.expect(
		[3]string{"modes|list", "cooking      做饭模式 · |             来自 内置：home-cooking/mode.json，次日 00:10 自动结束\n|             代码 builtin:cooking，工具 |" +
			"说 \"打开做饭模式\" 进入，说 \"退出做饭模式\" 退出\n|有错  |bad/mode.json:2: expires \"25:00\" 不是时间：请写成 HH:MM，例如 00:10\n", "built in"},
		[3]string{"modes|status", "没有打开任何模式\n灯：灭（本机没有 GPIO17）\n", ""},
		[3]string{"modes|history|cooking", "模式 \"cooking\" 还没有结束过的会话；有哪些模式见 homebot modes list\n", ""},
		[3]string{"modes|history", "还没有结束过的会话\n", ""},
		[3]string{"modes|history|show|nope", "homebot: 没有结束过的会话 \"nope\"；列表见 homebot modes history\n", ""},
	)
	k := h.talk()
	k.say("打开做饭模式")
	k.end()
	id := h.action()["session_id"].(string)
	h.expect(
		[3]string{"modes|status", "做饭模式（cooking）开着，到 |自动结束\n会话 " + id + "\n灯：", ""},
		[3]string{"modes|exit", "cooking（做饭模式）已退出并归档：会话 " + id + "\n", ""},
		[3]string{"modes|exit", "没有打开任何模式\n", ""},
		[3]string{"modes|history", "  cooking    user 用户退出      ", ""},
		[3]string{"modes|history|show|" + id, "（user 用户退出）\n", ""},
	)
	log := filepath.Join(h.workspace, "modes", "sessions", "cooking", id, "conversation.jsonl")
	if err := errors.Join(os.Remove(log), os.Mkdir(log, 0o700)); err != nil {
		t.Fatal(err)
	}
	h.expect([3]string{"modes|history|show|" + id, "homebot: 对话记录：", "conversation:"})
}

// What homebot timers and homebot text print is in the language of the terminal,
// but for what they answer to words.
func TestTimersInChinese(t *testing.T) {
	h := newHome(t, nil)
	h.expect(
		[3]string{"timers|list", "没有设定时\n", ""},
		[3]string{"timers|set|eggs eight minutes", "Okay, |No homebot runs now", ""},
		[3]string{"timers|list", "t1    定时器 在走     还剩 7m| 响  eggs\n", "left"},
		[3]string{"timers|cancel|noodles", "homebot: 没有叫“noodles”的定时。现在有：eggs还剩|；列表见 homebot timers list\n", ""},
		[3]string{"timers|cancel|eggs", "eggs取消了。\n", ""},
		[3]string{"timers|stop", "现在没有在响的。\n", ""},
		[3]string{"timers|parse|--now|soon", "homebot: --now \"soon\" 不是时间；请写成 2026-10-22T19:55:00+08:00 这样；用法见 homebot --help\n", ""},
		[3]string{"text|heard|--lang|fr", "homebot: --lang \"fr\" 这里不会；请写 zh 或 en；用法见 homebot --help\n", ""},
	)
}

// What keeps recordings from being replayed is told in the language of the
// terminal.
func TestReplayInChinese(t *testing.T) {
	h := newHome(t, nil)
	dir := t.TempDir()
	truth := filepath.Join(dir, replay.TruthFile)
	h.expect([3]string{"replay|" + dir, "homebot: 没有 " + truth + "；里面要写什么见 docs/REPLAY.md\n", ""})
	for line, want := range map[string]string{
		`{"file":"a.wav","lang":"fr"}`:        truth + ":1: 不认识 lang \"fr\"；请写 zh 或 en\n",
		`{"file":"` + replay.TruthFile + `"}`: truth + ": 不是 WAV 文件（没有 RIFF/WAVE 文件头）；请转换一下，例如 sox IN",
	} {
		write(t, truth, line+"\n")
		h.expect([3]string{"replay|" + dir, "homebot: " + want, ""})
	}
}

// What homebot context prints is in the language of the terminal, whatever the
// engine's; so is what is wrong with a table.
func TestContextInChinese(t *testing.T) {
	h := newHome(t, switchWhen(func(string) (string, bool) { return "", false }))
	file := filepath.Join(t.TempDir(), "mine.toml")
	h.expect(
		[3]string{"context|explain", "生效的是表 1；负载 |\n  minimal  快速应答：现在 | 词元（表里 2000），轮数：2，摘要：否，保留未确认的内容：否，重要性从 0.8 起不裁剪，答案缓存按：|轮数：不限，摘要：否|还没有对话\n", ""},
		[3]string{"context|profiles|list", "   1  生效，内置\n", ""},
		[3]string{"context|profiles|compare", "还没有对话\n", ""},
		[3]string{"context|profiles|compare|--hit|2", "homebot: --hit 要写 0 到 1，--price 要写 0 以上的数；", ""},
		[3]string{"context|profiles|show|x", "homebot: \"x\" 不是版本号；有哪些用 profiles list 看；", ""},
		[3]string{"context|profiles|show|7", "homebot: 表 7：没有这个版本；有哪些用 list 看\n", ""},
		[3]string{"context|profiles|rollback", "homebot: 没有可以退回的：生效的就是第一个版本\n", ""},
		[3]string{"context|profiles|apply|" + file, "；可以先运行 homebot context profiles show > my-table.toml\n", ""},
		[3]string{"chat|--profile|turbo", "homebot: --profile \"turbo\"：没有这个上下文模式；", ""},
	)
	write(t, file, "version = 3\n[load]\nenter = 7\n[decide]\nloaded = \"small\"\n")
	h.expect([3]string{"context|profiles|apply|" + file, "mine.toml:3:1: load.enter: 请写 0.01 … 1 的数\n|mine.toml:5:1: decide.loaded: 没有 \"small\" 这个模式；请写 full、compact 或 minimal\n", ""})
	write(t, file, "version = 2\n")
	h.expect([3]string{"context|profiles|canary|" + file + "|--share|0.25", "表 2 已对 25 % 的会话生效；", ""})
	k := h.talk()
	k.say("你好")
	k.end()
	h.expect(
		[3]string{"context|profiles|list", "   1  生效，内置\n   2  试用，占会话的 25 %\n", ""},
		[3]string{"context|profiles|compare", "   表     会话  轮次 |     重说      更正        打断  摘要失败 |     首字 p50 p95 ", ""},
		[3]string{"context|profiles|rollback", "表 1 已对所有会话生效，每个会话从下一轮起换用\n", ""},
		[3]string{"context|explain", "  轮次 |\n  决定       full（first_turn），按表 |\n  信号       words=\"\"|\n  保留       0 轮原话|\n  裁掉       0 轮|\n  估计       |\n  计费       | 词元，其中 ", ""},
	)
}

// What homebot say cannot do is told in the language of the terminal.
func TestSayInChinese(t *testing.T) {
	h := newHome(t, nil)
	h.configure("[speech]\nurl = \"http://127.0.0.1:1\"\n")
	h.expect([3]string{"say|hello", "homebot: 连不上语音合成服务 127.0.0.1:1：", ""})
}
