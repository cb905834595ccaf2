package main

import (
	"bufio"
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"homebot/internal/engine"
)

// raspberryPi is what the emulated machine reported: the lines of its init that
// begin with @, by their first word.
type raspberryPi map[string][]string

// reported is such a line; the kernel may have left something in front of it.
var reported = regexp.MustCompile(`@(\w+) (.*\S)`)

// held matches the kernel's word on a line that a process drives: who, how.
var held = regexp.MustCompile(`\(GPIO17 *\|(\S+) *\) (in|out) +(hi|lo)`)

// level is what the kernel said about the mode light after a step of init:
// "hi", "lo", or "" when no process drives the line.
func (p raspberryPi) level(step string) string {
	for _, said := range p["light"] {
		if rest, ok := strings.CutPrefix(said, step+" "); ok {
			if m := held.FindStringSubmatch(rest); m != nil && strings.HasPrefix(m[1], "homebot") && m[2] == "out" {
				return m[3]
			}
			return ""
		}
	}
	return "no such step"
}

// The light in a real kernel: the arm64 program as it ships, with its libraries,
// on an emulated Raspberry Pi 3 with Debian's kernel, which is asked itself.
//
// R52: lit exactly while a mode is active, dark before and after, and lit again
// when a killed process is started again. V4: nothing else drives the pin. S4:
// the light is driven by whoever holds the lock, a chat on its own too.
func TestLightOnARaspberryPi(t *testing.T) {
	pi := bootPi(t)
	for _, c := range []struct{ step, want, why string }{
		{"ready", "lo", "no mode is active at the first start"},
		{"entered", "hi", "a mode was entered on the text channel"},
		{"killed", "", "nobody drives the line after kill -9"},
		{"restarted", "hi", "the mode is still active after a restart"},
		{"left", "lo", "the mode was left"},
		{"alone", "hi", "a mode was entered in a chat that runs the engine itself"},
	} {
		if got := pi.level(c.step); got != c.want {
			t.Errorf("%s: the kernel says %q, want %q: %s", c.step, got, c.want, c.why)
		}
	}
	var switches []string
	for _, said := range pi["said"] {
		var o engine.Outcome
		if err := json.Unmarshal([]byte(said), &o); err != nil {
			t.Fatalf("chat printed %q: %v", said, err)
		}
		for _, s := range o.Switch {
			switches = append(switches, fmt.Sprint(s.Action, " ", s.ModeID, " ", s.Accepted))
		}
	}
	if got, want := strings.Join(switches, ", "), "enter cooking true, exit cooking true, enter cooking true"; got != want {
		t.Errorf("switches %q, want %q", got, want)
	}
	if t.Failed() {
		t.Log(pi)
	}
}

// bootPi builds homebot for the Pi, boots the emulated machine with it and
// returns what that said. It skips where Debian's arm64 packages cannot be had.
func bootPi(t *testing.T) raspberryPi {
	t.Helper()
	if _, err := exec.LookPath("qemu-system-aarch64"); err != nil {
		t.Skip("no qemu-system-aarch64 here: on Debian, apt-get install qemu-system-arm")
	}
	root := strings.TrimSpace(piScript(t, "root"))
	bin := t.TempDir()
	piScript(t, "build", bin, ".")
	a := &archive{t: t, root: root, have: map[string]bool{}}
	a.directories("bin", "lib", "dev", "proc", "sys", "etc")
	a.file("init", "testdata/pi/init")
	a.file("bin/busybox", filepath.Join(root, "bin/busybox"))
	a.program("bin/homebot", filepath.Join(bin, "homebot"))
	return a.boot()
}

// piScript runs .ci/arm64, which says with exit code 3 that this machine cannot.
func piScript(t *testing.T, args ...string) string {
	t.Helper()
	const script = "../../.ci/arm64"
	if _, err := os.Stat(script); err != nil { // also tells the test cache what this test depends on
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "nice", append([]string{"sh", script}, args...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if code := c.ProcessState.ExitCode(); code == 3 {
		t.Skip(strings.TrimSpace(errs.String()))
	}
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", script, strings.Join(args, " "), err, &errs)
	}
	return out.String()
}

// archive is an initramfs (cpio, newc) in the making.
type archive struct {
	t    *testing.T
	root string // where Debian's arm64 files are
	have map[string]bool
	buf  bytes.Buffer
}

// add writes one entry. Numbers are what the format has: eight hex digits each.
func (a *archive) add(name string, mode int, data []byte) {
	if a.have[name] {
		return
	}
	a.have[name] = true
	fmt.Fprintf(&a.buf, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%s\x00",
		len(a.have), mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name)+1, 0, name)
	a.pad()
	a.buf.Write(data)
	a.pad()
}

func (a *archive) pad() { a.buf.Write(make([]byte, -a.buf.Len()&3)) }

func (a *archive) directories(names ...string) {
	for _, n := range names {
		a.add(n, syscall.S_IFDIR|0o755, nil)
	}
}

func (a *archive) file(name, from string) {
	a.t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		a.t.Fatal(err)
	}
	a.add(name, syscall.S_IFREG|0o755, data)
}

// program adds an executable, its loader and every library it needs.
func (a *archive) program(name, from string) {
	a.t.Helper()
	a.file(name, from)
	f, err := elf.Open(from)
	if err != nil {
		a.t.Fatal(err)
	}
	defer f.Close()
	if s := f.Section(".interp"); s != nil {
		loader, err := s.Data()
		if err != nil {
			a.t.Fatal(err)
		}
		path := strings.Trim(string(loader), "\x00/")
		a.file(path, filepath.Join(a.root, path))
	}
	needed, err := f.ImportedLibraries()
	if err != nil {
		a.t.Fatal(err)
	}
	for _, lib := range needed {
		if to := "lib/" + lib; !a.have[to] {
			a.program(to, filepath.Join(a.root, "lib/aarch64-linux-gnu", lib))
		}
	}
}

// write ends the archive and puts it into a file.
func (a *archive) write() string {
	a.add("TRAILER!!!", 0, nil)
	path := filepath.Join(a.t.TempDir(), "initramfs")
	if err := os.WriteFile(path, a.buf.Bytes(), 0o600); err != nil {
		a.t.Fatal(err)
	}
	return path
}

// match is the one file in Debian's packages with such a name.
func (a *archive) match(pattern string) string {
	a.t.Helper()
	found, err := filepath.Glob(filepath.Join(a.root, pattern))
	if err != nil || len(found) != 1 {
		a.t.Fatalf("%d files %s in Debian's packages, want one: %v", len(found), pattern, err)
	}
	return found[0]
}

// boot runs the machine until its init is done. It has no way to switch itself
// off without a module: it is killed. It and what builds for it are nice to the
// tests beside them that have to keep the pace of a sound card.
func (a *archive) boot() raspberryPi {
	a.t.Helper()
	runtime.LockOSThread() // a child with a death signal must not outlive its thread
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithTimeout(a.t.Context(), 4*time.Minute)
	defer cancel()
	// The console is the second serial port: the first is the Bluetooth chip's.
	c := exec.CommandContext(ctx, "nice", "qemu-system-aarch64", "-M", "raspi3b", "-m", "1G",
		"-kernel", a.match("boot/vmlinuz-*"), "-dtb", a.match("usr/lib/linux-image-*/broadcom/bcm2837-rpi-3-b.dtb"),
		"-initrd", a.write(), "-append", "console=ttyS1,115200 panic=-1 rdinit=/init quiet",
		"-display", "none", "-monitor", "none", "-serial", "null", "-serial", "stdio", "-no-reboot")
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	c.WaitDelay = time.Second
	var errs bytes.Buffer
	c.Stderr = &errs
	console, err := c.StdoutPipe()
	if err != nil {
		a.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		a.t.Fatal(err)
	}
	pi, all := raspberryPi{}, strings.Builder{}
	lines := bufio.NewScanner(console)
	lines.Buffer(nil, 1<<20)
	for pi["done"] == nil && lines.Scan() {
		all.WriteString(lines.Text() + "\n")
		if m := reported.FindStringSubmatch(lines.Text()); m != nil {
			pi[m[1]] = append(pi[m[1]], m[2])
		}
	}
	cancel()
	if err := c.Wait(); pi["done"] == nil || pi["failed"] != nil {
		a.t.Fatalf("the emulated Pi did not come to its end: %v\n%s\nits console:\n%s", errors.Join(ctx.Err(), err), &errs, &all)
	}
	a.t.Logf("init started at %s s and ended at %s s of the guest's uptime", pi["booted"], pi["done"])
	return pi
}
