package main

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"homebot/internal/engine"
	"homebot/internal/event"
)

// A card is written with a mistake on it: setup takes over what is right, and the
// appliance starts, has the model's key, and tells the mistake with its line (V8).
func TestFromTheCardToTheService(t *testing.T) {
	h := newHome(t, nil)
	dir := t.TempDir()
	boot, run, root := filepath.Join(dir, "boot"), filepath.Join(dir, "run"), filepath.Join(dir, "root")
	if err := os.MkdirAll(boot, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(boot, "homebot.toml")
	card := "\xef\xbb\xbf[llm]\r\napi_key = \"sk-very-secret\"\r\n[voice]\r\nvolume = 700\r\n" +
		"[system]\r\nhostname = \"kitchen\"\r\ntimezone = \"Asia/Shanghai\"\r\nlanguage = \"en\"\r\nwifi_ssid = Home\r\n" +
		"[speech]\r\ntranscribe = \"funasr ws://192.0.2.1:10095\"\r\ntranscribe_token = \"a\\\"b\"\r\n" +
		"[console]\r\nlisten = \"127.0.0.1:0\"\r\n"
	if err := os.WriteFile(file, []byte(card), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, code := h.once("", "setup", "--boot", boot, "--data", filepath.Join(dir, "data"), "--run", run, "--root", root, "--user", "nobody-of-that-name")
	if code != 0 || !strings.Contains(out, "setup: kitchen; time zone Asia/Shanghai; Wi-Fi networks: 0") {
		t.Errorf("setup: %d %q %q", code, out, errs)
	}
	if left, err := os.ReadFile(file); err != nil || strings.Contains(string(left), "secret") || len(left) != len(card) {
		t.Errorf("on the card is %q (%v)", left, err)
	}
	link, err := os.Readlink(filepath.Join(root, "etc/localtime"))
	if err != nil || link != "/usr/share/zoneinfo/Asia/Shanghai" {
		t.Errorf("localtime is %q (%v)", link, err)
	}
	for name, want := range map[string]string{
		filepath.Join(root, "etc/hostname"):      "kitchen\n",
		filepath.Join(root, "etc/hosts"):         "127.0.0.1 localhost\n127.0.1.1 kitchen\n::1 localhost ip6-localhost\n",
		filepath.Join(run, "speech.env"):         "HOMEBOT_SPEECH_FLAGS=\"--models /run/homebot-models --transcribe funasr --transcribe-url ws://192.0.2.1:10095\"\nHOMEBOT_TRANSCRIBE_TOKEN=\"a\\\"b\"\nLC_ALL=\"en_US.UTF-8\"\n",
		filepath.Join(run, "setup.json"):         "null",
		filepath.Join(dir, "data/system/nobody"): "",
	} {
		got, err := os.ReadFile(name)
		if string(got) != want || (err != nil) != (want == "") {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
	h.setenv("HOMEBOT_CONFIG", filepath.Join(run, "homebot.toml"))
	h.setenv("HOMEBOT_SECRETS", filepath.Join(run, "secrets.toml"))
	if shown, _, code := h.once("", "config", "show"); code != 1 {
		t.Errorf("config show with a mistake: %d %q", code, shown)
	}
	c := h.command("run", "--appliance", "--no-sound")
	pipe, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	c.Stderr = &told
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(pipe)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "homebot is ready") {
	}
	client, err := engine.Connect(t.Context(), h.workspace, func() (*engine.Engine, error) { return nil, errors.New("it does not run") })
	if err != nil {
		t.Fatal(err)
	}
	state, err := client.Status()
	_ = client.Close()
	want := "The settings file homebot.toml has a mistake in line 4, and 1 more. I go on with the rest."
	faults := map[string]string{}
	for _, f := range state.Faults {
		faults[f.Code] = f.Text
	}
	if err != nil || faults[event.FaultConfig] != want {
		t.Errorf("the state has %+v (%v)", state.Faults, err)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := c.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	for _, line := range []string{"homebot.toml:4:1: voice.volume: 700 is out of range", "homebot.toml:9:13: wifi_ssid: unexpected character"} {
		if !strings.Contains(told.String(), line) {
			t.Errorf("not told: %s\n%s", line, told.String())
		}
	}
	if strings.Contains(told.String(), "secret") {
		t.Error("a secret was told")
	}
}

// Whoever cannot log in asks for a backup by a file on the card, and puts one back by
// another; once, though the file stays.
func TestBackupByCard(t *testing.T) {
	h := newHome(t, nil)
	dir := t.TempDir()
	boot, data := filepath.Join(dir, "boot"), filepath.Join(dir, "data")
	timers := filepath.Join(data, "homebot", "timers.json")
	write := func(path, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	start := func() string {
		_, errs, _ := h.once("", "setup", "--boot", boot, "--data", data, "--run", filepath.Join(dir, "run"), "--root", filepath.Join(dir, "root"), "--user", "nobody-of-that-name")
		return errs
	}
	holds := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(timers); string(got) != want {
			t.Errorf("the workspace has %q (%v), want %q", got, err, want)
		}
	}
	write(timers, "old")
	write(filepath.Join(boot, "backup.txt"), "")
	if errs := start(); strings.Contains(errs, "tar.gz") {
		t.Errorf("told %q", errs)
	}
	if err := os.Rename(filepath.Join(boot, "homebot-backup.tar.gz"), filepath.Join(boot, "homebot-restore.tar.gz")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(boot, "backup.txt")); err != nil {
		t.Fatal(err)
	}
	write(timers, "new")
	start()
	holds("old")
	write(timers, "newer")
	start()
	holds("newer")
	write(filepath.Join(boot, "homebot-restore.tar.gz"), "no backup")
	for card, want := range map[string]string{
		"[system]\nlanguage = \"en\"\n": "homebot-restore.tar.gz: this is no backup of homebot (no gzip): it is not taken; nothing was changed\n",
		"":                              "homebot-restore.tar.gz: 这不是 homebot 的备份（不是 gzip 文件），不能用来恢复；什么都没有改动\n",
	} {
		write(filepath.Join(boot, "homebot.toml"), card)
		if errs := start(); !strings.Contains(errs, want) {
			t.Errorf("a wrong file: %q, want %q", errs, want)
		}
	}
	holds("newer")
	if left, _ := filepath.Glob(filepath.Join(data, "homebot", ".homebot-backup-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
