package health_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/health"
	"homebot/internal/phrases"
	"homebot/internal/store"
)

// V8: a full or read-only disk is found by looking, and by the first write that
// fails; it is over when a file can be written again.
func TestDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var free held[int64]
		var readOnly held[bool]
		var try held[error]
		var tries atomic.Int32
		free.set(1 << 30)
		d := &health.Disk{
			Workspace: t.TempDir(),
			Room:      func(string) (int64, bool, error) { return free.get(), readOnly.get(), nil },
			Try:       func(string) error { tries.Add(1); return try.get() },
		}
		h := watch(t, d.Check())
		time.Sleep(time.Hour)
		if n := tries.Load(); n != 0 || h.wrong() != "" {
			t.Errorf("a good disk was written to %d times; wrong %q", n, h.wrong())
		}
		step := func(name, want string) {
			t.Helper()
			time.Sleep(31 * time.Second)
			if got := h.wrong(); got != want {
				t.Errorf("%s: wrong %q, want %q", name, got, want)
			}
		}
		free.set(4096)
		step("full", "disk")
		free.set(1 << 30)
		try.set(syscall.ENOSPC)
		step("room, and still no file", "disk")
		try.set(nil)
		step("room again", "")
		readOnly.set(true)
		step("mounted again read-only after an error", "disk")
		readOnly.set(false)
		step("writable", "")
		if got, want := h.mouth.take(), strings.Join([]string{
			"disk: " + phrases.CardFull.EN, "disk: " + phrases.CardBack.EN, "disk: " + phrases.CardReadOnly.EN, "disk: " + phrases.CardBack.EN,
		}, " | "); got != want {
			t.Errorf("told\n%s\nwant\n%s", got, want)
		}
		try.set(&fs.PathError{Op: "sync", Path: "x", Err: syscall.EIO})
		if err := d.Watch(failing{store.OS()}).SyncDir("/x"); !errors.Is(err, syscall.EIO) {
			t.Errorf("the error became %v", err)
		}
		synctest.Wait() // at once, not at the next look
		if got := h.wrong(); got != "disk" {
			t.Errorf("a write failed: wrong %q", got)
		}
		h.stop()
	})
}

type failing struct{ store.FS }

func (failing) SyncDir(string) error { return &fs.PathError{Op: "sync", Path: "x", Err: syscall.EIO} }

// R15, S1: a disk that is watched is a real one still: a link out of a confined
// directory is refused, and its files are written as ever.
func TestWatchedDiskIsConfined(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	d := &health.Disk{Workspace: dir}
	c := store.Confine(d.Watch(store.OS()), dir)
	if err := c.Replace("link/x", []byte("x")); !errors.Is(err, store.ErrEscapes) {
		t.Errorf("through a link: %v", err)
	}
	if err := c.Replace("a/x", []byte("x")); err != nil {
		t.Error(err)
	}
	if err := store.Replace(d.Watch(store.OS()), filepath.Join(dir, "y"), []byte("y"), 0o600); err != nil {
		t.Error(err)
	}
}
