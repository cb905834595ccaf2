package storetest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"homebot/internal/store"
)

// TestFS checks that fsys behaves below dir, an empty directory, as store relies
// on. Disk and the real file system both pass; an FS of your own must, too.
func TestFS(t *testing.T, fsys store.FS, dir string) {
	c := conformance{T: t, fsys: fsys, dir: dir}
	c.writing()
	c.appending()
	c.names()
	c.refusals()
}

type conformance struct {
	*testing.T
	fsys store.FS
	dir  string
}

func (c conformance) path(name string) string { return filepath.Join(c.dir, name) }

func (c conformance) open(name string, flag int) store.File {
	c.Helper()
	f, err := c.fsys.OpenFile(c.path(name), flag, 0o600)
	if err != nil {
		c.Fatalf("open %s: %v", name, err)
	}
	return f
}

func (c conformance) write(f store.File, text string) {
	c.Helper()
	if n, err := f.Write([]byte(text)); n != len(text) || err != nil {
		c.Fatalf("write %q: %d, %v", text, n, err)
	}
}

func (c conformance) ok(what string, err error) {
	c.Helper()
	if err != nil {
		c.Errorf("%s: %v", what, err)
	}
}

func (c conformance) fails(what string, err, want error) {
	c.Helper()
	if !errors.Is(err, want) {
		c.Errorf("%s: error is %v, want %v", what, err, want)
	}
}

func (c conformance) content(name, want string) {
	c.Helper()
	got, err := c.fsys.ReadFile(c.path(name))
	if err != nil || string(got) != want {
		c.Errorf("%s holds %q, %v; want %q", name, got, err, want)
	}
}

func (c conformance) writing() {
	f := c.open("doc", os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	c.write(f, "first ")
	c.write(f, "second")
	c.ok("sync", f.Sync())
	c.ok("truncate", f.Truncate(3))
	c.content("doc", "fir")
	c.ok("grow", f.Truncate(5))
	c.content("doc", "fir\x00\x00")
	c.ok("close", f.Close())
	c.fails("second close", f.Close(), fs.ErrClosed)
	c.fails("sync after close", f.Sync(), fs.ErrClosed)
	_, err := f.Write([]byte("x"))
	c.fails("write after close", err, fs.ErrClosed)
	f = c.open("doc", os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	c.content("doc", "")
	c.write(f, "new")
	c.ok("close", f.Close())
	c.content("doc", "new")
}

func (c conformance) appending() {
	f := c.open("log", os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	g := c.open("log", os.O_WRONLY|os.O_APPEND)
	c.write(f, "one\n")
	c.write(g, "two\n")
	c.ok("truncate", f.Truncate(4))
	c.write(f, "three\n")
	c.content("log", "one\nthree\n")
	c.ok("close", f.Close())
	c.ok("close", g.Close())
}

func (c conformance) names() {
	c.ok("mkdir", c.fsys.Mkdir(c.path("sub"), 0o700))
	c.ok("rename", c.fsys.Rename(c.path("log"), c.path("doc")))
	c.content("doc", "one\nthree\n")
	c.ok("rename to itself", c.fsys.Rename(c.path("doc"), c.path("doc")))
	f := c.open("doc", os.O_WRONLY|os.O_APPEND)
	c.ok("rename across", c.fsys.Rename(c.path("doc"), c.path("sub/moved")))
	c.write(f, "four\n")
	c.ok("close", f.Close())
	c.content("sub/moved", "one\nthree\nfour\n")
	c.ok("sync dir", c.fsys.SyncDir(c.path("sub")))
	c.open("a", os.O_WRONLY|os.O_CREATE).Close()
	entries, err := c.fsys.ReadDir(c.dir)
	c.ok("read dir", err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "a sub" {
		c.Errorf("directory holds %q, want \"a sub\"", got)
	}
	if info, err := c.fsys.Stat(c.path("sub/moved")); err != nil || info.Size() != 15 || info.IsDir() || info.Name() != "moved" {
		c.Errorf("stat: %v, %v", info, err)
	}
	c.ok("remove", c.fsys.Remove(c.path("a")))
}

func (c conformance) refusals() {
	_, err := c.fsys.OpenFile(c.path("none"), os.O_WRONLY, 0)
	c.fails("open what is not there", err, fs.ErrNotExist)
	_, err = c.fsys.OpenFile(c.path("sub/moved"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	c.fails("create what is there", err, fs.ErrExist)
	_, err = c.fsys.OpenFile(c.path("sub"), os.O_WRONLY, 0)
	c.fails("write a directory", err, syscall.EISDIR)
	_, err = c.fsys.OpenFile(c.path("none/doc"), os.O_WRONLY|os.O_CREATE, 0o600)
	c.fails("create in no directory", err, fs.ErrNotExist)
	_, err = c.fsys.ReadFile(c.path("none"))
	c.fails("read what is not there", err, fs.ErrNotExist)
	_, err = c.fsys.ReadFile(c.path("sub/moved/deeper"))
	c.fails("read below a file", err, syscall.ENOTDIR)
	_, err = c.fsys.ReadFile(c.path("sub"))
	c.fails("read a directory", err, syscall.EISDIR)
	_, err = c.fsys.ReadDir(c.path("sub/moved"))
	c.fails("list a file", err, syscall.ENOTDIR)
	_, err = c.fsys.Stat(c.path("none"))
	c.fails("stat what is not there", err, fs.ErrNotExist)
	c.fails("mkdir what is there", c.fsys.Mkdir(c.path("sub"), 0o700), fs.ErrExist)
	c.fails("remove a full directory", c.fsys.Remove(c.path("sub")), syscall.ENOTEMPTY)
	c.fails("remove what is not there", c.fsys.Remove(c.path("none")), fs.ErrNotExist)
	c.fails("rename what is not there", c.fsys.Rename(c.path("none"), c.path("x")), fs.ErrNotExist)
	c.fails("rename into no directory", c.fsys.Rename(c.path("sub"), c.path("none/x")), fs.ErrNotExist)
	c.fails("sync no directory", c.fsys.SyncDir(c.path("none")), fs.ErrNotExist)
}
