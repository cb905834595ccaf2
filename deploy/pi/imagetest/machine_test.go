package imagetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Limits for an emulated machine on a busy computer, three times what they took.
const (
	bootLimit    = 12 * time.Minute
	commandLimit = 5 * time.Minute
	pause        = 500 * time.Millisecond
)

// kernelLine is what config.txt's cmdline.txt says, but for the consoles, and with a
// root shell on a virtio console: systemd's own, so that the image has none.
const kernelLine = "root=PARTUUID=48424f54-02 rootfstype=ext4 ro rootwait panic=10 fsck.repair=yes " +
	"systemd.show_status=no systemd.debug_shell=hvc0 systemd.mask=serial-getty@hvc0.service"

// machine is one emulated computer with a card in its slot. One goroutine uses it.
type machine struct {
	t       *testing.T
	cmd     *exec.Cmd
	dir     string
	shell   net.Conn
	heard   []byte // what the shell said and nobody has taken yet
	asked   int
	started time.Time
	ended   chan struct{} // closed when QEMU is gone
}

// hardware is what differs between the machines of the tests.
type hardware struct {
	memory string    // of the guest; 512M if empty
	clock  time.Time // what its clock says at the start
	steady bool      // its time is counted in instructions
	args   []string  // more for QEMU
}

// processor is how the guest's instructions are carried out. Several threads of
// emulation are as fast as the host has cores, and the guest sees how slow that is. A
// steady machine sees a thousand million instructions a second, about one core of a
// Zero 2 W, however slow and busy the host: its sound has no holes, and what waits is
// over at once; it needs twice as long to start.
func (h hardware) processor() []string {
	clock := "base=" + h.clock.UTC().Format("2006-01-02T15:04:05")
	if h.steady {
		return []string{"-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off", "-rtc", "clock=vm," + clock}
	}
	return []string{"-accel", "tcg,thread=multi", "-rtc", clock}
}

// boot starts a machine with the card and waits for its shell.
func boot(t *testing.T, c *card, h hardware) *machine {
	t.Helper()
	if h.memory == "" {
		h.memory = "512M"
	}
	m := newMachine(t, c)
	m.start("qemu-system-aarch64", slices.Concat([]string{
		"-M", "virt,gic-version=3", "-cpu", "cortex-a72", "-smp", "2", "-m", h.memory,
		"-nographic", "-nodefaults", "-no-reboot",
		"-kernel", m.file("vmlinuz"), "-initrd", m.file("initrd.img"),
		"-append", "console=ttyAMA0,115200 " + kernelLine,
		"-drive", "file=" + c.path + ",if=none,id=card,format=raw,cache=writeback", "-device", "virtio-blk-pci,drive=card",
		"-drive", "file=" + c.desk + ",file.locking=off,if=none,id=desk,format=raw,cache=writeback", "-device", "virtio-blk-pci,drive=desk",
		"-device", "virtio-rng-pci", "-device", "i6300esb",
		"-serial", "file:" + m.file("serial.log"),
		"-device", "virtio-serial-pci", "-chardev", "socket,id=shell,path=" + m.file("shell") + ",server=on,wait=off",
		"-device", "virtconsole,chardev=shell"}, h.processor(), h.args)...)
	m.connect()
	return m
}

// newMachine takes kernel and initramfs out of the card, as the firmware would.
func newMachine(t *testing.T, c *card) *machine {
	t.Helper()
	dir, err := os.MkdirTemp("", "vm") // short: the path of a socket has 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, dir: dir, ended: make(chan struct{})}
	t.Cleanup(func() { m.cut(); os.RemoveAll(dir) })
	for _, f := range []string{"vmlinuz", "initrd.img"} {
		c.fromBoot(t, f, m.file(f))
	}
	return m
}

func (m *machine) file(name string) string { return filepath.Join(m.dir, name) }

// start runs QEMU; it dies with the test.
func (m *machine) start(program string, args ...string) {
	m.t.Helper()
	m.cmd = exec.Command(program, args...)
	log, err := os.Create(m.file("qemu.log"))
	if err != nil {
		m.t.Fatal(err)
	}
	m.cmd.Stdout, m.cmd.Stderr = log, log
	m.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	m.started = time.Now()
	begun := make(chan error)
	go func() {
		runtime.LockOSThread() // the signal of its death is its parent thread's
		err := m.cmd.Start()
		begun <- err
		if err == nil {
			m.cmd.Wait()
		}
		log.Close()
		close(m.ended)
	}()
	if err := <-begun; err != nil {
		m.t.Fatal(err)
	}
}

// cut takes the power away: QEMU is killed.
func (m *machine) cut() {
	if m.cmd == nil || m.cmd.Process == nil {
		return
	}
	m.cmd.Process.Kill()
	<-m.ended
	if m.shell != nil {
		m.shell.Close()
	}
}

// since is how long ago the power came on.
func (m *machine) since() time.Duration { return time.Since(m.started).Round(time.Second) }

// connect waits until the shell answers.
func (m *machine) connect() {
	m.t.Helper()
	m.until(bootLimit, "QEMU's socket", func() bool {
		c, err := net.Dial("unix", m.file("shell"))
		m.shell = c
		return err == nil
	})
	m.until(bootLimit, "the root shell", func() bool {
		fmt.Fprintf(m.shell, "\necho re\"\"ady\n")
		return m.said("ready", 5*time.Second)
	})
	m.run("stty -echo; PS1= PS2=; export PAGER=cat SYSTEMD_PAGER=cat SYSTEMD_COLORS=0 TERM=dumb; bind 'set enable-bracketed-paste off' 2>/dev/null; dmesg -n 1; true")
}

// said reads what the shell says until it contains what, or until the limit.
func (m *machine) said(what string, limit time.Duration) bool {
	m.t.Helper()
	deadline := time.Now().Add(limit)
	for buf := make([]byte, 64<<10); ; {
		if i := bytes.Index(m.heard, []byte(what)); i >= 0 {
			m.heard = m.heard[i+len(what):]
			return true
		}
		if err := m.shell.SetReadDeadline(deadline); err != nil {
			m.t.Fatal(err)
		}
		n, err := m.shell.Read(buf)
		m.heard = append(m.heard, buf[:n]...)
		if n > 0 {
			continue
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return false
		}
		m.t.Fatalf("the machine is gone: %v\n%s", err, m.lastWords())
	}
}

// result is what a command in the guest printed, and its exit code.
type result struct {
	out  string
	code int
}

// escape matches what a terminal is told beside the text.
var escape = regexp.MustCompile(`\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)`)

// try runs a command line in the guest's root shell.
func (m *machine) try(command string, limit time.Duration) result {
	m.t.Helper()
	m.asked++
	begin, end := fmt.Sprintf("<%d:", m.asked), fmt.Sprintf(":%d>", m.asked)
	m.heard = nil
	// The marks are written in pieces, so that an echo of the line is none.
	fmt.Fprintf(m.shell, "echo '<''%d:'; { %s\n} 2>&1; echo \":\"$?\"\"':%d>'\n", m.asked, command, m.asked)
	deadline := time.Now().Add(limit)
	for buf := make([]byte, 64<<10); ; {
		if i := bytes.Index(m.heard, []byte(end)); i >= 0 {
			return cutResult(string(m.heard[:i]), begin)
		}
		m.shell.SetReadDeadline(deadline)
		n, err := m.shell.Read(buf)
		m.heard = append(m.heard, buf[:n]...)
		if err != nil && n == 0 {
			m.t.Fatalf("%q took longer than %v, or the machine is gone: %v\nshell: %s\n%s", command, limit, err, m.heard, m.lastWords())
		}
	}
}

func cutResult(said, begin string) result {
	_, said, _ = strings.Cut(said, begin)
	said = escape.ReplaceAllString(strings.ReplaceAll(said, "\r", ""), "")
	i := strings.LastIndex(said, ":")
	var code int
	fmt.Sscan(said[i+1:], &code)
	return result{strings.Trim(said[:max(i, 0)], "\n "), code}
}

// run is try for a command that must do.
func (m *machine) run(command string) string {
	m.t.Helper()
	r := m.try(command, commandLimit)
	if r.code != 0 {
		m.t.Fatalf("%q in the guest ended with %d: %s\n%s", command, r.code, r.out, m.lastWords())
	}
	return r.out
}

// show logs what a command says: figures for whoever reads the log of the test.
func (m *machine) show(command string) string {
	m.t.Helper()
	r := m.try(command, commandLimit)
	m.t.Logf("$ %s\n%s", command, r.out)
	return r.out
}

// until waits for a condition, asking twice a second.
func (m *machine) until(limit time.Duration, what string, ok func() bool) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), limit)
	defer cancel()
	for tick := time.NewTicker(pause); !ok(); {
		select {
		case <-tick.C:
		case <-m.ended:
			m.t.Fatalf("QEMU ended while the test waited for %s\n%s", what, m.lastWords())
		case <-ctx.Done():
			m.t.Fatalf("no %s within %v\n%s", what, limit, m.lastWords())
		}
	}
}

// lastWords is the end of the logs.
func (m *machine) lastWords() string {
	var all strings.Builder
	for _, name := range []string{"qemu.log", "serial.log"} {
		text, _ := os.ReadFile(m.file(name))
		fmt.Fprintf(&all, "-- %s\n%s\n", name, text[max(0, len(text)-4000):])
	}
	return all.String()
}
