package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"homebot/internal/store"
	"homebot/internal/store/storetest"
)

// R15, R17: what is confined to a directory reads and writes only there, on the
// real disk and on the model of one.
func TestConfined(t *testing.T) {
	for name, fsys := range map[string]store.FS{"os": store.OS(), "model": storetest.New("/home")} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("/home", "ws", "cooking")
			if name == "os" {
				dir = filepath.Join(t.TempDir(), "cooking")
			}
			c := store.Confine(fsys, dir)
			if _, err := c.ReadFile("a.md"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("nothing there: %v", err)
			}
			if err := c.Replace("deep/er/a.md", []byte("one")); err != nil {
				t.Fatal(err)
			}
			if got, err := c.ReadFile("deep/er/a.md"); err != nil || string(got) != "one" {
				t.Errorf("%q %v", got, err)
			}
			if all, err := c.ReadDir("deep/er"); err != nil || len(all) != 1 || all[0].Name() != "a.md" {
				t.Errorf("%v %v", all, err)
			}
			if all, err := c.ReadDir("."); err != nil || len(all) != 1 {
				t.Errorf("%v %v", all, err)
			}
			for _, out := range []string{"../x", "/etc/passwd", "a/../../x", ""} {
				if err := c.Replace(out, nil); !errors.Is(err, store.ErrEscapes) {
					t.Errorf("wrote %q: %v", out, err)
				}
				if _, err := c.ReadFile(out); !errors.Is(err, store.ErrEscapes) {
					t.Errorf("read %q: %v", out, err)
				}
			}
			if err := c.Replace("big", make([]byte, store.MaxConfined+1)); !errors.Is(err, syscall.EFBIG) {
				t.Errorf("too big: %v", err)
			}
		})
	}
}

// R15, R17: no symbolic link leads out, no pipe blocks, no huge file is read.
func TestConfinedOnTheRealDisk(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(secret, "file")
	link(outside, "folder")
	link("inside.md", "within")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(mustCreate(t, filepath.Join(dir, "huge")), 1<<30); err != nil {
		t.Fatal(err)
	}
	c := store.Confine(store.OS(), dir)
	for _, name := range []string{"file", "folder/secret", "pipe", "huge"} {
		if data, err := c.ReadFile(name); err == nil {
			t.Errorf("read %s: %q", name, data)
		}
	}
	if err := c.Replace("folder/new", []byte("x")); err == nil {
		t.Error("wrote through a symbolic link")
	}
	if _, err := c.Stat("folder"); !errors.Is(err, store.ErrEscapes) {
		t.Errorf("stat of a link that leads out: %v", err)
	}
	if err := c.Replace("file", []byte("replaced")); err != nil { // the link itself is replaced
		t.Error(err)
	}
	if data, _ := os.ReadFile(secret); string(data) != "x" {
		t.Errorf("the file outside has %q", data)
	}
	if err := c.Replace("inside.md", []byte("in")); err != nil {
		t.Fatal(err)
	}
	if data, err := c.ReadFile("within"); err != nil || !strings.Contains(string(data), "in") {
		t.Errorf("a link that stays inside: %q %v", data, err)
	}
}

func mustCreate(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	return path
}
