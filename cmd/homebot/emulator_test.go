package main

import (
	"bufio"
	"bytes"
	"context"
	"debug/elf"
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
)

// report is what an emulated machine said: the lines of its init that begin
// with @, by their first word.
type report map[string][]string

// reported is such a line; the kernel may have left something in front of it.
var reported = regexp.MustCompile(`@(\w+) (.*\S)`)

// newArchive begins an initramfs with the init given and homebot's programs,
// built for arm64 as they ship. It skips where Debian's arm64 packages or an
// emulator cannot be had.
func newArchive(t *testing.T, init string, programs ...string) *archive {
	t.Helper()
	if _, err := exec.LookPath("qemu-system-aarch64"); err != nil {
		t.Skip("no qemu-system-aarch64 here: on Debian, apt-get install qemu-system-arm")
	}
	a := &archive{t: t, root: strings.TrimSpace(piScript(t, "root")), have: map[string]bool{}}
	a.directories("bin", "lib", "dev", "proc", "sys", "etc")
	a.file("init", init)
	a.file("bin/busybox", filepath.Join(a.root, "bin/busybox"))
	bin := t.TempDir()
	for _, p := range programs {
		piScript(t, "build", bin, "homebot/cmd/"+p)
		a.program("bin/"+p, filepath.Join(bin, p))
	}
	return a
}

// piScript runs .ci/arm64, which says with exit code 3 that this machine cannot; a
// network that does not deliver Debian's packages in time cannot either.
func piScript(t *testing.T, args ...string) string {
	t.Helper()
	const script = "../../.ci/arm64"
	if _, err := os.Stat(script); err != nil { // also tells the test cache what this test depends on
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "nice", append([]string{"-n", "5", "sh", script}, args...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if code := c.ProcessState.ExitCode(); code == 3 {
		t.Skip(strings.TrimSpace(errs.String()))
	}
	if ctx.Err() != nil && args[0] == "root" {
		t.Skipf("Debian's arm64 packages did not come in time: %s", errs.String())
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

// machine is a running virtual machine of QEMU's.
type machine struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner // its console
	errs  bytes.Buffer   // what QEMU itself said
}

// start switches a machine on, with parameters for its kernel. ctx ends it; who
// starts it has locked the thread, because a child with a death signal must not
// outlive its thread. It and what builds for it are nice to the tests beside them
// that have to keep the pace of a sound card.
func (a *archive) start(ctx context.Context, initramfs, parameters string, hardware ...string) *machine {
	a.t.Helper()
	args := append([]string{"-n", "5", "qemu-system-aarch64"}, hardware...)
	m := &machine{cmd: exec.CommandContext(ctx, "nice", append(args, "-m", "1G",
		"-kernel", a.match("boot/vmlinuz-*"), "-initrd", initramfs,
		"-append", parameters+" panic=-1 maxcpus=1 rdinit=/init quiet",
		"-display", "none", "-monitor", "none", "-serial", "stdio", "-no-reboot")...)}
	m.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	m.cmd.WaitDelay = time.Second
	m.cmd.Stderr = &m.errs
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		a.t.Fatal(err)
	}
	if err := m.cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
	m.lines = bufio.NewScanner(out)
	m.lines.Buffer(nil, 1<<20)
	return m
}

// boot runs a machine until its init is done, which it says on console. It has no
// way to switch itself off without a module: it is killed.
func (a *archive) boot(console string, hardware ...string) report {
	a.t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithTimeout(a.t.Context(), 4*time.Minute)
	defer cancel()
	m := a.start(ctx, a.write(), "console="+console, hardware...)
	r, all := report{}, strings.Builder{}
	for r["done"] == nil && m.lines.Scan() {
		all.WriteString(m.lines.Text() + "\n")
		if said := reported.FindStringSubmatch(m.lines.Text()); said != nil {
			r[said[1]] = append(r[said[1]], said[2])
		}
	}
	cancel()
	if err := m.cmd.Wait(); r["done"] == nil || r["failed"] != nil {
		a.t.Fatalf("the emulated machine did not come to its end: %v\n%s\nits console:\n%s", errors.Join(ctx.Err(), err), &m.errs, &all)
	}
	a.t.Logf("init started at %s s and ended at %s s of the guest's uptime", r["booted"], r["done"])
	return r
}
