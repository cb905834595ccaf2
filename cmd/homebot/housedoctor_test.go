package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"homebot/internal/engine"
	"homebot/internal/event"
	"homebot/internal/phrases"
)

// starts runs a command of h as a process until the test ends.
func (h *home) starts(t *testing.T, c *exec.Cmd) {
	t.Helper()
	c.Stderr = os.Stderr
	if err := c.Start(); errors.Is(err, syscall.EPERM) {
		t.Skipf("this needs root: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Signal(syscall.SIGTERM); _ = c.Wait() })
}

// awaitFaults waits until the homebot of h has exactly these codes in its state.
func (h *home) awaitFaults(t *testing.T, when string, want ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var got []string
	for ctx.Err() == nil {
		state, err := engine.Look(ctx, h.workspace)
		if got = nil; err != nil {
			got = []string{err.Error()}
		}
		for _, f := range state.Faults {
			got = append(got, f.Code)
		}
		if err == nil && slices.Equal(got, want) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s: wrong is %v, want %v", when, got, want)
}

// V8, on real sockets: the language model's server is not there, refuses the key,
// and is well; the running homebot knows each, without a word being said, and
// doctor tells it with the way out.
func TestModelDownAndBack(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil)
	h.configure("[system]\nlanguage = \"en\"\n[speech]\nurl = \"http://127.0.0.1:1\"\n")
	addr := reserved(t)
	h.env = append(h.env, "OPENAI_BASE_URL=http://"+addr+"/v1", "OPENAI_API_KEY=sk-very-secret", "HOMEBOT_MODEL=scripted")
	h.starts(t, h.command("run", "--no-sound"))
	h.awaitFaults(t, "nobody there", event.FaultLLM)
	out, _, code := h.once("", "doctor")
	for _, want := range []string{"BAD   running", phrases.LLMGone.EN, "BAD   model", "cannot be reached", "BAD   speech", "start it, or correct [speech] url"} {
		if !strings.Contains(out, want) || code != 1 {
			t.Errorf("doctor does not say %q (exit %d):\n%s", want, code, out)
		}
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") {
			_, _ = w.Write([]byte(`{"data":[{"id":"scripted"}]}`))
		}
	})}}
	srv.Start()
	defer srv.Close()
	h.awaitFaults(t, "it is back")
	out, _, _ = h.once("", "doctor")
	for _, want := range []string{"ok    running      homebot is idle and knows of nothing wrong", "takes the key and has the model"} {
		if !strings.Contains(out, want) {
			t.Errorf("doctor does not say %q:\n%s", want, out)
		}
	}
}

// Whether others may read the secrets is told, with the way out; nothing is where
// there are none.
func TestDoctorLooksAtSecrets(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil)
	path := filepath.Join(h.workspace, "secrets.toml")
	write(t, path, "[llm]\napi_key = \"sk-very-secret\"\n")
	for _, c := range []struct {
		mode os.FileMode
		want string
	}{
		{0o644, "BAD   secrets      " + path + " can be read by everybody on this machine; chmod 600 " + path},
		{0o640, "ok    secrets      " + path},
		{0o600, "ok    secrets      " + path},
	} {
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		if out, _, _ := h.once("", "doctor"); !strings.Contains(out, c.want+"\n") || strings.Contains(out, "sk-very") {
			t.Errorf("%o: want %q in\n%s", c.mode, c.want, out)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if out, _, _ := h.once("", "doctor"); strings.Contains(out, "secrets") {
		t.Errorf("without a file of secrets:\n%s", out)
	}
}

// A homebot.toml that holds a secret is told like the file of secrets, beside its
// mistakes, also where the environment has another one in its place; without a
// secret everybody may read it.
func TestDoctorLooksAtSecretsInTheConfiguration(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil)
	path := filepath.Join(h.workspace, "homebot.toml")
	h.setenv("OPENAI_API_KEY", "sk-of-the-environment")
	open := path + " holds a key, token or password and can be read by everybody on this machine; chmod 600 " + path
	for _, c := range []struct {
		text string
		mode os.FileMode
		bad  bool
		also string
	}{
		{"[llm]\napi_key = \"sk-very-secret\"\n", 0o644, true, ""},
		{"[llm]\napi_key = \"sk-very-secret\"\n", 0o640, false, "ok    config       " + path},
		{"[system]\nwifi_ssid = \"home\"\nwifi_password = \"sk-very-secret\"\n", 0o604, true, ""},
		{"[speech]\ntoken = \"sk-very-secret\"\nengine = \"x\"\n", 0o644, true, "BAD   config       " + path + ":3:1: speech.engine: "},
		{"[llm]\napi_key = \"\"\nmodel = \"m\"\n", 0o644, false, "ok    config       " + path},
	} {
		write(t, path, c.text)
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		out, _, _ := h.once("", "doctor")
		if strings.Contains(out, "BAD   config       "+open+"\n") != c.bad || !strings.Contains(out, c.also) || c.bad && strings.Contains(out, "ok    config") {
			t.Errorf("%o %q: want bad %v and %q in\n%s", c.mode, c.text, c.bad, c.also, out)
		}
	}
}

// V8, in a real network namespace: a machine on no network at all knows it.
func TestNoNetwork(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil)
	h.env = append(h.env, "OPENAI_BASE_URL=https://llm.example.org/v1", "OPENAI_API_KEY=sk-very-secret")
	c := h.command("run", "--no-sound")
	c.SysProcAttr.Cloneflags = syscall.CLONE_NEWNET
	h.starts(t, c)
	h.awaitFaults(t, "without a network", event.FaultNetwork)
}

// V8, S2, on a real disk: full to the last byte while homebot runs; the turn that
// could not be saved is told, the state says so until there is room again, and the
// next turn is saved.
func TestDiskFullAndBack(t *testing.T) {
	h := newHome(t, nil)
	if err := os.MkdirAll(h.workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", h.workspace, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(h.workspace, syscall.MNT_DETACH) })
	c := h.command("run", "--no-sound")
	h.starts(t, c)
	h.awaitFaults(t, "at first")
	fill := filepath.Join(h.workspace, "fill")
	if err := os.WriteFile(fill, make([]byte, 8<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("filling it: %v", err)
	}
	k := h.talk()
	if o := k.say("现在几点了"); o.Error == nil || o.Error.Code != "disk_full" {
		t.Errorf("on a full disk: %+v", o.Error)
	}
	h.awaitFaults(t, "full", event.FaultDisk)
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	h.awaitFaults(t, "room again")
	if o := k.say("现在几点了"); o.Error != nil {
		t.Errorf("with room again: %+v", o.Error)
	}
}

// What systemd knows is told; a service that is not installed is nobody's news.
func TestUnitFinding(t *testing.T) {
	const well = "LoadState=loaded\nActiveState=active\nWatchdogUSec=30s\nNRestarts=2\nStatusText=All is well.\n"
	for _, tt := range []struct {
		shown string
		level phrases.Phrase
		want  string
		ok    bool
	}{
		{well, phrases.DoctorOK, "active, started again 2 times, watchdog 30s: All is well.", true},
		{strings.Replace(well, "=active", "=failed", 1), phrases.DoctorBad, "journalctl -u homebot.service tells why", true},
		{strings.Replace(well, "30s", "infinity", 1), phrases.DoctorNote, "WatchdogSec= in the unit sets it", true},
		{"LoadState=not-found\nActiveState=inactive\n", phrases.Phrase{}, "", false},
		{"", phrases.Phrase{}, "", false},
	} {
		f, ok := (doctor{app: &app{}}).unitFinding("homebot.service", tt.shown)
		if ok != tt.ok || f.level != tt.level || !strings.Contains(f.text, tt.want) {
			t.Errorf("%q: %+v %v", tt.shown, f, ok)
		}
	}
}
