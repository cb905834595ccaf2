package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"homebot/internal/store"
	"homebot/internal/store/storetest"
)

const (
	doc    = "/w/modes/action.json"
	oldDoc = `{"schema_version":1,"active":false}`
	newDoc = `{"schema_version":1,"active":true,"mode_id":"cooking"}`
)

func setupDoc(d *storetest.Disk) error {
	return errors.Join(store.MkdirAll(d, "/w/modes", 0o700), store.Replace(d, doc, []byte(oldDoc), 0o600))
}

func replaceDoc(d *storetest.Disk) error {
	err := store.Replace(d, doc, []byte(newDoc), 0o600)
	if err == nil {
		d.Ack("replaced")
	}
	return err
}

func checkDoc(c storetest.Crash) error {
	got := c.Disk.Files()[doc]
	if got != newDoc && (got != oldDoc || len(c.Acked) > 0) {
		return fmt.Errorf("found %q after %v", got, c.Acked)
	}
	return nil
}

// S1, S3: a power cut during Replace leaves the old or the new document whole,
// and the new one once Replace returned; so does a failing disk.
func TestReplaceSurvives(t *testing.T) {
	storetest.EachCrash(t, setupDoc, replaceDoc, checkDoc)
	if n := storetest.EachFault(t, setupDoc, replaceDoc, checkDoc); n < 2*6 {
		t.Errorf("only %d faults tried", n)
	}
}

// S3: a stale temporary does not hinder the next Replace, after any crash.
func TestReplaceAfterCrash(t *testing.T) {
	storetest.EachDoubleCrash(t, setupDoc, replaceDoc, func(c storetest.Crash) error {
		if err := replaceDoc(c.Disk); err != nil {
			return err
		}
		files := c.Disk.Files()
		if len(files) != 1 || files[doc] != newDoc {
			return fmt.Errorf("files are %q", files)
		}
		return nil
	})
}

// S1: a Replace that fails before it has the new content in place leaves no
// temporary behind.
func TestReplaceRemovesItsTemp(t *testing.T) {
	for op := range 5 { // open, write, sync, close, rename
		d := storetest.New()
		if err := setupDoc(d); err != nil {
			t.Fatal(err)
		}
		d.Settle()
		d.FailAt(op, syscall.ENOSPC)
		if err := replaceDoc(d); store.Why(err) != store.Full {
			t.Errorf("operation %d: error is %v", op, err)
		}
		if files := d.Files(); len(files) != 1 || files[doc] != oldDoc {
			t.Errorf("operation %d: files are %q", op, files)
		}
	}
}

// S3: a directory made by MkdirAll is there after any later crash, also when the
// process that made it died before it had synced it.
func TestMkdirAllSurvives(t *testing.T) {
	const deep = "/w/modes/sessions/cooking"
	mkdirs := func(d *storetest.Disk) error {
		err := store.MkdirAll(d, deep, 0o700)
		if err == nil {
			d.Ack("made")
		}
		return err
	}
	again := func(c storetest.Crash) error {
		if _, err := c.Disk.Stat(deep); err != nil && len(c.Acked) > 0 {
			return err
		}
		if err := mkdirs(c.Disk); err != nil {
			return err
		}
		for after := range c.Disk.CrashesNow() {
			if _, err := after.Disk.Stat(deep); err != nil {
				return fmt.Errorf("made again, then %s: %w", after.Name, err)
			}
		}
		return nil
	}
	storetest.EachCrash(t, nil, mkdirs, again)
	storetest.EachFault(t, nil, mkdirs, again)
}

func TestMkdirAllOverAFile(t *testing.T) {
	d := storetest.New()
	if err := setupDoc(d); err != nil {
		t.Fatal(err)
	}
	if err := store.MkdirAll(d, doc+"/x", 0o700); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("error is %v", err)
	}
	if err := store.MkdirAll(d, doc, 0o700); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("error is %v", err)
	}
}

const logFile = "/w/log.jsonl"

var written = []string{`{"turn":1}`, `{"turn":2,"user":"盐放多少"}`, `{"turn":3}`}

// A directory whose parent may not be opened by this user is used as it is.
func TestMkdirAllBelowAForeignParent(t *testing.T) {
	d := storetest.New("/home/cook")
	d.FailAt(1, syscall.EACCES) // after Stat comes the sync of /home
	if err := store.MkdirAll(d, "/home/cook", 0o700); err != nil || d.Ops() != 2 {
		t.Errorf("%v after %d operations", err, d.Ops())
	}
}

// A file system that cannot sync directories is used as it is.
func TestSyncDirUnsupported(t *testing.T) {
	if err := store.OS().SyncDir("/proc"); err != nil {
		t.Error(err)
	}
	if err := store.OS().SyncDir("/none"); store.Why(err) != store.Missing {
		t.Errorf("error is %v", err)
	}
}

func TestWhy(t *testing.T) {
	for _, c := range []struct {
		err  error
		want store.Cause
		text string
	}{
		{nil, store.NoCause, "other"},
		{errors.New("x"), store.NoCause, "other"},
		{syscall.ENOSPC, store.Full, "full"},
		{syscall.EDQUOT, store.Full, "full"},
		{syscall.EROFS, store.ReadOnly, "read_only"},
		{syscall.EACCES, store.Denied, "denied"},
		{fs.ErrNotExist, store.Missing, "missing"},
		{syscall.EIO, store.Broken, "broken"},
		{store.ErrTooLong, store.TooLong, "too_long"},
	} {
		err := c.err
		if err != nil {
			err = fmt.Errorf("wrapped: %w", &fs.PathError{Op: "write", Path: "/w", Err: err})
		}
		if got := store.Why(err); got != c.want || got.String() != c.text {
			t.Errorf("%v: %v, want %s", err, got, c.text)
		}
	}
	if got := store.Cause(99).String(); got != "other" {
		t.Errorf("unknown cause is %q", got)
	}
}

// S1: on the real file system, with the permissions asked for and nothing left
// beside the files.
func TestOnTheRealFileSystem(t *testing.T) {
	fsys, dir := store.OS(), filepath.Join(t.TempDir(), "a", "b")
	if err := store.MkdirAll(fsys, dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "action.json")
	for _, text := range []string{oldDoc, newDoc} {
		if err := store.Replace(fsys, path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("file holds %q, %v", got, err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("directory holds %v, %v", entries, err)
	}
	if !store.IsTemp("action.json.tmp") || store.IsTemp("action.json") {
		t.Error("IsTemp does not know temporaries")
	}
	if _, _, err := store.OpenLog(fsys, filepath.Join(dir, "none", "log")); store.Why(err) != store.Missing {
		t.Errorf("error is %v", err)
	}
}

// S2: ENOSPC from a real kernel.
func TestFullDevice(t *testing.T) {
	f, err := store.OS().OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer f.Close()
	if _, err := f.Write([]byte("x")); store.Why(err) != store.Full {
		t.Errorf("error is %v", err)
	}
}

func BenchmarkReplace(b *testing.B) {
	path := filepath.Join(b.TempDir(), "doc")
	for b.Loop() {
		if err := store.Replace(store.OS(), path, []byte(newDoc), 0o600); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleWhy() {
	fsys := storetest.New("/workspace")
	fsys.FailFrom(0, syscall.EROFS)
	err := store.Replace(fsys, "/workspace/timers.json", []byte("[]"), 0o600)
	fmt.Println(store.Why(err))
	// Output: read_only
}
