package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A backup made while homebot runs and a mode is active is that mode, with its
// conversation, when it is put back; and back it is put only when nothing runs (S4).
func TestBackupAndRestore(t *testing.T) {
	h := newHome(t, switchWhen(func(words string) (string, bool) { return enterCooking, words == "打开做饭模式" }))
	h.configure("[llm]\napi_key = \"sk-very-secret\"\n")
	if err := os.WriteFile(filepath.Join(h.workspace, "secrets.toml"), []byte("[console]\ntoken = \"sk-very-secret\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := h.command("run", "--no-sound")
	run.Stderr = os.Stderr
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := false
	stop := func() {
		if !stopped {
			stopped = true
			_ = run.Process.Signal(syscall.SIGTERM)
			_ = run.Wait()
		}
	}
	defer stop()
	h.awaitSocket()
	c := h.talk()
	if o := c.say("打开做饭模式"); o.Mode == nil {
		t.Fatalf("enter: %+v", o)
	}
	c.say("两个人吃")
	file := filepath.Join(t.TempDir(), "backup.tar.gz")
	out, errs, code := h.once("", "backup", file)
	if code != 0 || errs != "" || !strings.Contains(out, "keys and passwords are not in it") {
		t.Fatalf("backup: %d %q %q", code, out, errs)
	}
	if piped, _, code := h.once("", "backup", "-"); code != 0 || !strings.HasPrefix(piped, "\x1f\x8b") {
		t.Errorf("on standard output: %d %.20q", code, piped)
	}
	if _, _, code := h.once("", "modes", "exit"); code != 0 {
		t.Error("modes exit")
	}
	if _, errs, code := h.once("", "restore", file); code != 1 || !strings.Contains(errs, "another homebot") || !strings.Contains(errs, "stop it first") || strings.Count(errs, "\n") != 1 {
		t.Errorf("restore beside a homebot that runs: %d %q", code, errs)
	}
	stop()
	out, errs, code = h.once("", "restore", file)
	if code != 0 || errs != "" || !strings.Contains(out, "before-restore-") {
		t.Fatalf("restore: %d %q %q", code, out, errs)
	}
	if status, _, _ := h.once("", "modes", "status"); !strings.Contains(status, "cooking") {
		t.Errorf("the mode is not active again: %q", status)
	}
	logs, _ := filepath.Glob(filepath.Join(h.workspace, "modes/sessions/cooking/*/conversation.jsonl"))
	if len(logs) != 1 {
		t.Fatalf("sessions %q", logs)
	}
	if log, err := os.ReadFile(logs[0]); !strings.Contains(string(log), "两个人吃") || strings.Contains(string(log), `"exit"`) {
		t.Errorf("the conversation is %s (%v)", log, err)
	}
	if key, err := os.ReadFile(filepath.Join(h.workspace, "secrets.toml")); !strings.Contains(string(key), "sk-very-secret") {
		t.Errorf("the secrets are %q (%v)", key, err)
	}
	if settings, err := os.ReadFile(filepath.Join(h.workspace, "homebot.toml")); strings.Contains(string(settings), "secret") || !strings.Contains(string(settings), "api_key") {
		t.Errorf("the settings are %q (%v)", settings, err)
	}
	fresh := filepath.Join(t.TempDir(), "new")
	if out, errs, code := h.once("", "restore", file, "--workspace", fresh); code != 0 || errs != "" || !strings.Contains(out, "; nothing was there before\n") {
		t.Errorf("restore into a new workspace: %d %q %q", code, out, errs)
	}
	if _, errs, code := h.once("no backup", "restore", "-"); code != 1 || !strings.Contains(errs, "nothing was changed") || strings.Count(errs, "\n") != 1 {
		t.Errorf("restore of something else: %d %q", code, errs)
	}
	if _, errs, code := h.once("", "restore", file+".none"); code != 1 || strings.Count(errs, "\n") != 1 {
		t.Errorf("restore of nothing: %d %q", code, errs)
	}
}
