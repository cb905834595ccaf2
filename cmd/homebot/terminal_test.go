package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"homebot/internal/speech"
	"homebot/internal/speech/sphinx"
)

// newChineseHome is a home whose shell speaks Chinese.
func newChineseHome(t *testing.T) *home {
	t.Helper()
	h := newHome(t, nil)
	h.setenv("LC_ALL", "zh_CN.UTF-8")
	return h
}

// told is a command with what it writes.
type told struct {
	stdin, args string
	out, errs   []string // pieces, in their order; none: nothing is written
	code        int
}

func (h *home) tells(rows []told) {
	h.t.Helper()
	for _, r := range rows {
		out, errs, code := h.once(r.stdin, strings.Fields(r.args)...)
		if code != r.code || !inOrder(out, r.out) || !inOrder(errs, r.errs) {
			h.t.Errorf("%s: %d\n%s%s\nwant %d %q %q", r.args, code, out, errs, r.code, r.out, r.errs)
		}
	}
}

// inOrder reports whether text has the pieces, one after the other; without pieces
// it must be empty.
func inOrder(text string, pieces []string) bool {
	if len(pieces) == 0 {
		return text == ""
	}
	for _, p := range pieces {
		_, after, found := strings.Cut(text, p)
		if !found {
			return false
		}
		text = after
	}
	return true
}

// What commands print and complain about is in the language of the terminal.
func TestCommandsInChinese(t *testing.T) {
	h := newChineseHome(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "b.tar.gz")
	h.tells([]told{
		{args: "backup " + file, errs: []string{"homebot: 没有工作目录 " + h.workspace + "；请用 --workspace 指明\n"}, code: 1},
		{args: "config check", out: []string{"没有问题：" + h.workspace + "/homebot.toml 不存在，用的都是默认值\n"}},
		{args: "mute", errs: []string{"homebot: 这个工作目录上没有 homebot 在运行（" + h.workspace + "）；请先用 homebot run 启动\n"}, code: 1},
		{args: "volume loud", errs: []string{`homebot: "loud" 不是音量；请写 0 到 100、+ 或者 -；用法见 homebot volume --help` + "\n"}, code: 2},
		{args: "version", out: []string{"homebot ", "，编译于 "}},
		{args: "setup --boot " + dir + " --data " + dir + " --run " + dir + "/run --root /dev/null --user nobody-of-that-name", out: []string{"setup: "}, errs: []string{"homebot: 设备名没能设上：mkdir /dev/null", "\nWi-Fi 没能设上："}, code: 1},
		{stdin: "打开做饭模式\n退出做饭模式\n", args: "chat", out: []string{"\n  （模式：cooking）\n", "\n  （没有模式在进行）\n"}},
	})
	// A word that no dictionary has; what is left out needs one to be found.
	h.configure("[console]\nlisten = \"\"\n[wake]\nphrases = [\"hey home bot\", \"open xyzzy\"]\n")
	unheard := []string{"没有问题：" + h.workspace + "/homebot.toml\n"}
	if len((sphinx.Config{}).Pronounceable([]speech.Phrase{{Text: "open xyzzy", Lang: "en"}})) > 0 {
		unheard = append(unheard, `注意：听不出 "open xyzzy"：发音词典里没有“xyzzy”，请换个说法。`)
	}
	link := filepath.Join(h.workspace, "link")
	if err := os.Symlink("/dev/null", link); err != nil {
		t.Fatal(err)
	}
	h.tells([]told{
		{args: "config check", out: unheard},
		{args: "pair", errs: []string{"homebot: 没有网页控制台：[console] listen 是空的；"}, code: 1},
		{args: "modes new Tea", errs: []string{`homebot: 名字 "Tea" 不行：请以小写字母开头，后面用小写字母、数字和 -，最多 32 个`}, code: 2},
		{args: "modes new cooking", errs: []string{`homebot: 已经有模式 "cooking" 了；请换个名字` + "\n"}, code: 1},
		{args: "modes new tea", out: []string{"已建好 ", "skills/tea\n对它说“打开tea模式”或者“open tea mode”；三个文件都可以改，下次进入模式时生效\n"}},
		{args: "backup " + file, out: []string{" 个文件（", " KB）已存到 " + file + "；密钥和密码不在里面\n"}, errs: []string{"homebot: 跳过了 link，它不是文件\n"}},
		{args: "backup " + filepath.Join(h.workspace, "b"), errs: []string{"b 在工作目录里，以后每个备份都会把它带上；请换到别处\n"}, code: 1},
		{args: "restore " + file + " --workspace " + filepath.Join(dir, "new"), out: []string{"已恢复 ", " 时的样子；原来什么都没有\n"}},
		{args: "restore " + file, out: []string{"已恢复 ", " 时的样子；原来的内容在 " + h.workspace + "/before-restore-"}},
		{args: "restore " + file + "0", errs: []string{"homebot: 备份打不开：open "}, code: 1},
		{stdin: "x", args: "restore -", errs: []string{"homebot: 这不是 homebot 的备份（不是 gzip 文件），不能用来恢复；什么都没有改动\n"}, code: 1},
	})
}

// So is what the appliance says of itself, and what commands say beside it: it is
// told in the language of their terminal, not of the appliance's.
func TestApplianceInChinese(t *testing.T) {
	h := newChineseHome(t)
	h.configure("[console]\nlisten = \"127.0.0.1:0\"\n")
	run := h.command("run", "--no-sound")
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = run.Process.Signal(syscall.SIGTERM); _ = run.Wait() }()
	said := ""
	for lines := bufio.NewScanner(out); strings.Count(said, "\n") < 2 && lines.Scan(); {
		said += lines.Text() + "\n"
	}
	for _, want := range []string{"homebot 准备好了：工作目录 " + h.workspace + "\n", "homebot 的网页：http://127.0.0.1:"} {
		if !strings.Contains(said, want) {
			t.Errorf("run says %q, not %q", said, want)
		}
	}
	h.tells([]told{
		{args: "run", errs: []string{"homebot: 另一个 homebot 正在用这个工作目录（进程 ", "）；请先停掉它，或者用 --workspace 另选一个工作目录\n"}, code: 1},
		{stdin: "x", args: "restore -", errs: []string{"homebot: 另一个 homebot 正在用这个工作目录（进程 ", "）；请先停掉它，再恢复\n"}, code: 1},
		{args: "stop", errs: []string{"homebot: 正在运行的 homebot 没有声音（"}, code: 1},
		{args: "pair --list", out: []string{"还没有配对过\n"}},
		{args: "pair --quiet", out: []string{"配对码：", "（5 分钟内有效）\n网页：  http://", "\n", "链接：  http://", "（不用配对码，只能用一次）\n"}},
		{args: "pair --token 灶台 --scope read", out: []string{"\n"}, errs: []string{"homebot: 令牌只显示这一次；要收回：homebot pair --revoke "}},
		{args: "pair --list", out: []string{"  token    read     灶台                      20", " 配对，最近使用 20"}},
		{args: "pair --token x --scope fly", errs: []string{`homebot: 没有权限 "fly"；请写其中一个：all、read、metrics` + "\n"}, code: 1},
		{args: "pair --revoke 0000", errs: []string{"homebot: 名单里没有这一项；请用 homebot pair --list 查看\n"}, code: 1},
	})
}
