package main

import (
	"path/filepath"
	"strings"
	"testing"
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
}
