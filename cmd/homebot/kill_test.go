package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"homebot/internal/llm/llmtest"
)

// kills is how many times the process is killed, soakKills in the long test;
// maxLife bounds a life of it.
const (
	kills     = 200
	soakKills = 1000
	maxLife   = 300 * time.Millisecond
)

// S3, R11, R28, R45, R46, R49: a real process is killed at random while turns run,
// enter, switch, begin anew and leave modes, and modes expire: no acknowledged
// turn is lost, none is there twice, the mode is whole, the archive complete and
// once, and no life needs a repair.
func TestRandomKills(t *testing.T) {
	if testing.Short() {
		t.Skip("200 processes; skipped with -short")
	}
	lives := kills
	if os.Getenv("HOMEBOT_SOAK") != "" {
		lives = soakKills
	}
	seed := uint64(time.Now().UnixNano())
	rnd := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	h := newHome(t, func(r llmtest.Request) llmtest.Step {
		words := r.Words()
		switch {
		case len(r.Results()) > 0:
			return llmtest.Reply("好的。[[end]]")
		case strings.HasPrefix(words, "打开做饭模式"), strings.HasPrefix(words, "重新打开做饭模式"):
			return llmtest.ToolCall("switch_mode", enterCooking)
		case strings.HasPrefix(words, "退出"):
			return llmtest.ToolCall("switch_mode", exitCooking)
		case strings.HasPrefix(words, "切换到学习模式"):
			return llmtest.ToolCall("switch_mode", `{"action":"enter","mode_id":"study"}`)
		case strings.HasPrefix(words, "切换到做饭模式"):
			return llmtest.ToolCall("switch_mode", enterCooking)
		case strings.HasPrefix(words, "开始红烧肉"):
			return llmtest.ToolCall("cook_step", `{"action":"start","recipe":"红烧肉"}`)
		}
		return llmtest.Reply("知道了。[[end]]")
	})
	write(t, filepath.Join(h.workspace, "skills/study/SKILL.md"), "---\nname: study\ndescription: learns\n---\nTeach.\n")
	write(t, filepath.Join(h.workspace, "skills/study/mode.json"), `{"id":"study","display_name":"学习模式"}`)
	acked := map[string]bool{}
	for life := range lives {
		if rnd.IntN(8) == 0 {
			expireNow(t, h)
		}
		liveAndDie(t, h, rnd, life, acked)
	}
	if len(acked) < lives/4 {
		t.Errorf("only %d turns were acknowledged: the lives are too short to show anything", len(acked))
	}
	t.Logf("%d lives", lives)
	checkLives(t, h, acked)
}

// expireNow puts the end of the active mode into the past, by hand (R26).
func expireNow(t *testing.T, h *home) {
	t.Helper()
	path := filepath.Join(h.workspace, "modes", "action.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return // the first life did not live long enough
	}
	data = expiresAt.ReplaceAll(data, []byte(`"expires_at": "2020-01-01T00:10:00+08:00"`))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

var expiresAt = regexp.MustCompile(`"expires_at": "[^"]*"`)

// liveAndDie is one life of the process, killed at a random instant.
func liveAndDie(t *testing.T, h *home, rnd *rand.Rand, life int, acked map[string]bool) {
	t.Helper()
	k := h.talk()
	mortal := rnd.IntN(4) // one in four may die while it starts, the others after their first turn
	var death *time.Timer
	die := func() {
		death = time.AfterFunc(time.Duration(rnd.Int64N(int64(maxLife))), func() { _ = k.cmd.Process.Kill() })
	}
	if mortal == 0 {
		die()
	}
	verbs := []string{"打开做饭模式", "退出做饭模式", "重新打开做饭模式", "切换到学习模式", "切换到做饭模式", "退出学习模式", "开始红烧肉", "切菜", "下一步", "几个人吃"}
	for turn := range 1000 {
		words := fmt.Sprintf("%s 第%d条 第%d次", verbs[rnd.IntN(len(verbs))], turn, life)
		o, err := k.trySay(words)
		if err != nil {
			break
		}
		if o.Error != nil {
			t.Errorf("%q: %+v; stderr %s", words, o.Error, k.err)
		}
		acked[words] = true
		if death == nil {
			die()
		}
	}
	if death != nil {
		death.Stop()
	}
	k.kill()
}

func checkLives(t *testing.T, h *home, acked map[string]bool) {
	t.Helper()
	if o := h.talk().say("最后一句"); o.Error != nil {
		t.Errorf("the last life: %+v", o.Error)
	}
	seen, ids := map[string]int{}, map[string]bool{}
	for _, r := range append(h.records("modes/sessions/*/*/conversation.jsonl"), h.records("sessions/text/*.jsonl")...) {
		if !ids[r.ID] && r.IsTurn() { // a turn that begins a mode anew stands in both logs, with one id
			seen[r.User]++
		}
		ids[r.ID] = true
	}
	for words := range acked {
		if seen[words] == 0 {
			t.Errorf("acknowledged turn %q is lost", words)
		}
	}
	for words, n := range seen {
		if n > 1 {
			t.Errorf("turn %q is there %d times", words, n)
		}
	}
	t.Logf("%d turns acknowledged, %d recorded", len(acked), len(seen))
	checkSessions(t, h)
}

// checkSessions: every session but the active one is archived, whole: its end,
// its summary and, when its mode has one, one line of the index.
func checkSessions(t *testing.T, h *home) {
	t.Helper()
	active, _ := h.action()["session_id"].(string)
	index, _ := os.ReadFile(filepath.Join(h.workspace, "cooking", "history.md"))
	dirs, _ := filepath.Glob(filepath.Join(h.workspace, "modes/sessions/*/*"))
	reasons := map[string]int{}
	for _, dir := range dirs {
		id := filepath.Base(dir)
		records := h.records(strings.TrimPrefix(dir, h.workspace+"/") + "/conversation.jsonl")
		if len(records) == 0 && id != active {
			continue // made for a switch that never came
		}
		_, err := os.Stat(filepath.Join(dir, "summary.md"))
		ended := len(records) > 0 && records[len(records)-1].Exit != nil
		if ended {
			reasons[records[len(records)-1].Exit.Reason]++
		}
		if ended == (id == active) || ended != (err == nil) {
			t.Errorf("%s: ended %v, active %v, summary %v", dir, ended, id == active, err)
		}
		if lines := strings.Count(string(index), "["+id+"]"); filepath.Base(filepath.Dir(dir)) == "cooking" && lines != map[bool]int{true: 1}[ended] {
			t.Errorf("%s: ended %v, %d lines in the index", dir, ended, lines)
		}
	}
	for reason := range reasons { // R28
		if !slices.Contains([]string{"user", "expired", "switched", "recovered"}, reason) {
			t.Errorf("a session ended for %q", reason)
		}
	}
	t.Logf("%d sessions, archived %v", len(dirs), reasons)
}

// mounted mounts a file system of size bytes on a new directory; the test is
// skipped where that is not allowed.
func mounted(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// A terminal that is closed ends run in good order, unless it was started with
// nohup.
func TestClosedTerminal(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("these tests were started with nohup themselves")
	}
	for _, with := range []string{"", "nohup"} {
		h := newHome(t, nil)
		c := h.command("run", "--no-sound")
		if with != "" {
			c.Path = "/usr/bin/" + with
			c.Args = append([]string{with, os.Args[0]}, c.Args[1:]...)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		lines := bufio.NewScanner(out)
		for lines.Scan() && !strings.Contains(lines.Text(), "ready") {
		}
		_ = c.Process.Signal(syscall.SIGHUP)
		if with == "nohup" {
			if _, errs, code := h.once("", "modes", "status"); code != 0 { // time to end, would it
				t.Errorf("nohup: %d %s", code, errs)
			}
			conn, err := net.Dial("unix", filepath.Join(h.workspace, "homebot.sock"))
			if err != nil {
				t.Errorf("nohup: %v", err)
			} else {
				conn.Close()
			}
			_ = c.Process.Signal(syscall.SIGTERM)
		}
		go func() { ended <- c.Wait() }()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("%s ended with %v", with, err)
			}
		case <-time.After(patience):
			_ = c.Process.Kill()
			t.Errorf("%s does not end", with)
		}
	}
}

// A read-only workspace is one clear line, before and after it was one.
func TestReadOnlyWorkspace(t *testing.T) {
	dir := mounted(t, "size=4m")
	h := newHome(t, nil)
	h.workspace = filepath.Join(dir, "ws")
	h.env = append(h.env, "HOMEBOT_WORKSPACE="+h.workspace)
	k := h.talk()
	k.say("打开做饭模式")
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err == nil {
		t.Fatal("remounted read-only under an open file")
	}
	k.end()
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot be remounted: %v", err)
	}
	out, errs, code := h.once("你好\n", "chat", "--json")
	if code != 1 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "read-only") {
		t.Errorf("%d %q %q", code, out, errs)
	}
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	if o := h.talk().say("在吗"); o.Mode == nil || o.Error != nil {
		t.Errorf("writable again: %+v", o)
	}
}

// A full disk is one sentence for each turn that could not be saved; when there
// is room again, everything goes on.
func TestFullWorkspace(t *testing.T) {
	dir := mounted(t, "size=1m")
	h := newHome(t, nil)
	h.workspace = filepath.Join(dir, "ws")
	h.env = append(h.env, "HOMEBOT_WORKSPACE="+h.workspace)
	k := h.talk()
	k.say("打开做饭模式")
	stuffing := filepath.Join(dir, "stuffing")
	fill(t, stuffing)
	full := 0
	for range 100 { // what is left of the last page takes a few records
		if o := k.say("现在几点了"); o.Error != nil {
			if o.Error.Code != "disk_full" || o.Error.Text == "" || o.Mode == nil {
				t.Fatalf("full: %+v %+v", o, o.Error)
			}
			full++
		}
	}
	if full == 0 {
		t.Error("the disk never was full")
	}
	if err := os.Remove(stuffing); err != nil {
		t.Fatal(err)
	}
	if o := k.say("退出做饭模式"); o.Error != nil || o.Mode != nil {
		t.Errorf("with room again: %+v %+v", o, o.Error)
	}
	if n := len(h.records("modes/sessions/cooking/*/conversation.jsonl")); n != 102-full {
		t.Errorf("%d records, want %d", n, 102-full)
	}
}

// fill writes until nothing more fits.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
}
