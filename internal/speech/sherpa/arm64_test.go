package sherpa

import (
	"bytes"
	"compress/gzip"
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"homebot/internal/speech/models/modelstest"
)

// guestInit is the guest's first process: the tests of voice activity, in this
// package's own test binary built for arm64.
const guestInit = `#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
export HOME=/ XDG_CACHE_HOME=/cache HOMEBOT_SHARED=/shared
/tests -test.v -test.short -test.run 'TestVADOn(Recordings|Noise)'
echo "@exit $?"
/bin/busybox poweroff -f
`

// V1: the real model finds the same speech in the same recordings on arm64: the
// library as it is shipped there, in a virtual machine with Debian's kernel.
func TestVADOnARM64Soak(t *testing.T) {
	if os.Getenv("HOMEBOT_SOAK") == "" {
		t.Skip("set HOMEBOT_SOAK=1 to build for arm64 and boot a virtual machine")
	}
	qemu, err := exec.LookPath("qemu-system-aarch64")
	if err != nil {
		t.Skip("no qemu-system-aarch64 here: on Debian, apt-get install qemu-system-arm")
	}
	needLibrary(t)
	recordings := filepath.Join(sharedDir(t), "audio")
	root, tests := crossBuild(t)
	a := &archive{t: t, root: root, have: map[string]bool{}}
	for _, d := range []string{"bin", "lib", "dev", "proc", "sys", "tmp", "shared", "shared/audio", "cache", "cache/homebot", "cache/homebot/models", "cache/homebot/models/silero-vad"} {
		a.add(d, syscall.S_IFDIR|0o755, nil)
	}
	a.add("init", syscall.S_IFREG|0o755, []byte(guestInit))
	a.file("bin/busybox", filepath.Join(root, "bin/busybox"))
	a.program("tests", tests)
	vad := modelstest.VAD(t)
	a.file("cache/homebot/models/silero-vad/"+filepath.Base(vad), vad)
	for name := range where {
		a.file("shared/audio/"+name, filepath.Join(recordings, name))
	}
	kernel, _ := filepath.Glob(filepath.Join(root, "boot/vmlinuz-*"))
	if len(kernel) != 1 {
		t.Fatalf("kernels: %v", kernel)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	began := time.Now()
	out, err := exec.CommandContext(ctx, qemu, "-M", "virt", "-nic", "none", "-cpu", "cortex-a72", "-smp", "2", "-m", "1G",
		"-kernel", kernel[0], "-initrd", a.write(),
		"-append", "console=ttyAMA0 panic=-1 rdinit=/init quiet", "-display", "none", "-serial", "stdio", "-monitor", "none", "-no-reboot").CombinedOutput()
	said := string(out)
	t.Logf("%v in the emulator\n%s", time.Since(began).Round(time.Second), said)
	if err != nil || !strings.Contains(said, "@exit 0") || !strings.Contains(said, "--- PASS: TestVADOnRecordings") || !strings.Contains(said, "--- PASS: TestVADOnNoise") {
		t.Errorf("the guest did not pass: %v", err)
	}
}

// crossBuild unpacks Debian's arm64 libraries and builds this package's tests
// against them.
func crossBuild(t *testing.T) (root, tests string) {
	t.Helper()
	const script = "../../../.ci/arm64"
	out, err := exec.Command("sh", script, "root").Output()
	root = strings.TrimSpace(string(out))
	if err != nil {
		t.Skipf("Debian's arm64 packages cannot be had: %v", err)
	}
	tests = filepath.Join(t.TempDir(), "tests")
	c := exec.Command("sh", script, "test", tests, "homebot/internal/speech/sherpa")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return root, tests
}

// archive is an initramfs (cpio, newc) in the making.
type archive struct {
	t    *testing.T
	root string // where Debian's arm64 files are
	have map[string]bool
	buf  bytes.Buffer
}

// add writes one entry; numbers are eight hex digits each.
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

func (a *archive) file(name, from string) {
	a.t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		a.t.Fatal(err)
	}
	a.add(name, syscall.S_IFREG|0o755, data)
}

// program adds an executable, its loader and every library it needs; those of
// sherpa-onnx lie in lib beside it, as they are shipped.
func (a *archive) program(name, from string) {
	a.t.Helper()
	a.file(name, from)
	f, err := elf.Open(from)
	if err != nil {
		a.t.Fatal(err)
	}
	defer f.Close()
	if s := f.Section(".interp"); s != nil {
		loader, _ := s.Data()
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

// write ends the archive and puts it, packed, into a file.
func (a *archive) write() string {
	a.t.Helper()
	a.add("TRAILER!!!", 0, nil)
	path := filepath.Join(a.t.TempDir(), "initramfs.gz")
	f, err := os.Create(path)
	if err != nil {
		a.t.Fatal(err)
	}
	z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if _, err := z.Write(a.buf.Bytes()); err != nil {
		a.t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		a.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		a.t.Fatal(err)
	}
	return path
}
