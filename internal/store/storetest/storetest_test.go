package storetest_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"homebot/internal/store"
	"homebot/internal/store/storetest"
)

// The model and the real file system pass the same tests.
func TestConformance(t *testing.T) {
	t.Run("Disk", func(t *testing.T) { storetest.TestFS(t, storetest.New("/w"), "/w") })
	t.Run("OS", func(t *testing.T) { storetest.TestFS(t, store.OS(), t.TempDir()) })
}

const (
	doc    = "/w/action.json"
	before = `{"active":false,"exit_reason":"user"}`
	after  = `{"active":true,"mode_id":"cooking"}`
)

func writeFile(d *storetest.Disk, name, text string, flag int, sync bool) error {
	f, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|flag, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write([]byte(text)); err != nil {
		return err
	}
	if sync {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return f.Close()
}

func setupDoc(d *storetest.Disk) error {
	return errors.Join(store.MkdirAll(d, "/w", 0o755), writeFile(d, doc, before, 0, true))
}

// checkDoc: whole, and new once acknowledged.
func checkDoc(c storetest.Crash) error {
	got := c.Disk.Files()[doc]
	if got != after && (got != before || len(c.Acked) > 0) {
		return fmt.Errorf("found %q after %v", got, c.Acked)
	}
	return nil
}

func tempRename(sync bool) storetest.Step {
	return func(d *storetest.Disk) error {
		err := errors.Join(
			writeFile(d, doc+".tmp", after, os.O_TRUNC, sync),
			d.Rename(doc+".tmp", doc))
		d.Ack("enter")
		return err
	}
}

// S3: the model catches each protocol that loses or halves a document, and
// passes the one of S1. The counts are what the model gave when it was written;
// they are pinned so that a change of the model is seen.
func TestReplaceProtocols(t *testing.T) {
	for _, p := range []struct {
		name               string
		run                storetest.Step
		states, violations int
	}{
		{"truncate and write", func(d *storetest.Disk) error {
			err := writeFile(d, doc, after, os.O_TRUNC, false)
			d.Ack("enter")
			return err
		}, 18, 15},
		{"temp and rename", tempRename(false), 30, 20},
		{"temp, fsync, rename", tempRename(true), 12, 2},
		{"temp, fsync, rename, fsync of the directory", func(d *storetest.Disk) error {
			err := store.Replace(d, doc, []byte(after), 0o600)
			d.Ack("enter")
			return err
		}, 10, 0},
	} {
		states, violations := storetest.Enumerate(t, setupDoc, p.run, checkDoc)
		if states != p.states || len(violations) != p.violations {
			t.Errorf("%s: %d states, %d violations; want %d and %d\n%s", p.name,
				states, len(violations), p.states, p.violations, strings.Join(violations, "\n"))
		}
	}
}

const logFile = "/w/log.jsonl"

var turns = []string{`{"turn":1}`, `{"turn":2}`, `{"turn":3}`}

func mkdirs(d *storetest.Disk) error { return store.MkdirAll(d, "/w", 0o755) }

// plainAppends is what a program does that only knows O_APPEND and fsync.
func plainAppends(lines []string) storetest.Step {
	return func(d *storetest.Disk) error {
		for _, line := range lines {
			if err := writeFile(d, logFile, line+"\n", os.O_APPEND, true); err != nil {
				return err
			}
			d.Ack(line)
		}
		return nil
	}
}

func logAppends(lines []string) storetest.Step {
	return func(d *storetest.Disk) error {
		l, _, err := store.OpenLog(d, logFile)
		if err != nil {
			return err
		}
		defer l.Close()
		for _, line := range lines {
			if err := l.Append([]byte(line)); err != nil {
				return err
			}
			d.Ack(line)
		}
		return nil
	}
}

// checkLog goes on with one more turn after the crash: what was acknowledged
// must be there, each line once, in order, whole, and so must the new one.
func checkLog(appends func([]string) storetest.Step) storetest.Check {
	return func(c storetest.Crash) error {
		if err := appends([]string{"afterwards"})(c.Disk); err != nil {
			return err
		}
		lines, _, err := store.ReadLog(c.Disk, logFile)
		if err != nil {
			return err
		}
		known := max(len(c.Acked), min(len(lines)-1, len(turns))) // one more may have arrived
		want := append(slices.Clone(turns[:known]), "afterwards")
		if got := string(bytes.Join(lines, []byte("\n"))); got != strings.Join(want, "\n") {
			return fmt.Errorf("found %q after %v", got, c.Acked)
		}
		return nil
	}
}

// S1, S3: appending without the sync of the directory and without tail repair
// loses turns; Log does not.
func TestAppendProtocols(t *testing.T) {
	for _, p := range []struct {
		name               string
		appends            func([]string) storetest.Step
		states, violations int
	}{
		{"append and fsync", plainAppends, 26, 15},
		{"Log", logAppends, 23, 0},
	} {
		states, violations := storetest.Enumerate(t, mkdirs, p.appends(turns), checkLog(p.appends))
		if states != p.states || len(violations) != p.violations {
			t.Errorf("%s: %d states, %d violations; want %d and %d\n%s", p.name,
				states, len(violations), p.states, p.violations, strings.Join(violations, "\n"))
		}
	}
}

// S2: a program that goes on with its descriptor after a failed sync believes
// the next successful one, and loses the turn; the model shows it.
func TestSyncAfterFailedSyncIsNotBelieved(t *testing.T) {
	d := storetest.New("/w")
	f, err := d.OpenFile(logFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("turn\n"))
	d.FailAt(d.Ops(), syscall.EIO)
	if err := f.Sync(); !errors.Is(err, syscall.EIO) {
		t.Fatalf("the fault did not show: %v", err)
	}
	if err := errors.Join(f.Sync(), d.SyncDir("/w")); err != nil {
		t.Fatal(err)
	}
	lost := false
	for c := range d.CrashesNow() {
		lost = lost || c.Disk.Files()[logFile] == ""
	}
	if !lost {
		t.Error("no crash state lost the line")
	}
}

// Lasting conditions hit only what they hit on a real disk.
func TestFailFrom(t *testing.T) {
	d := storetest.New("/w")
	writeFile(d, doc, before, 0, true)
	for _, c := range []struct {
		err                     error
		read, remove, makesRoom bool
	}{
		{syscall.ENOSPC, true, true, false},
		{syscall.EROFS, true, false, false},
		{syscall.EIO, false, false, false},
		{nil, true, true, true},
	} {
		d.FailFrom(0, c.err)
		_, rerr := d.ReadFile(doc)
		merr := d.Mkdir("/w/sub", 0o700)
		derr := d.Remove(doc)
		if (rerr == nil) != c.read || (merr == nil) != c.makesRoom || (derr == nil) != c.remove {
			t.Errorf("%v: read %v, mkdir %v, remove %v", c.err, rerr, merr, derr)
		}
		d.FailFrom(0, nil)
		writeFile(d, doc, before, 0, true)
	}
}

// With many names unsynced the states stay bounded.
func TestManyNamesStayBounded(t *testing.T) {
	d := storetest.New("/w")
	for i := range 40 {
		if err := writeFile(d, fmt.Sprintf("/w/%d", i), "x", 0, true); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for range d.CrashesNow() {
		n++
	}
	if n < 40 || n > 3*40+2 {
		t.Errorf("%d states for 40 unsynced names", n)
	}
}

// failures counts what a helper reports instead of failing this test.
type failures struct {
	testing.TB
	errors, fatals int
}

func (f *failures) Helper()               {}
func (f *failures) Error(...any)          { f.errors++ }
func (f *failures) Errorf(string, ...any) { f.errors++ }
func (f *failures) Fatalf(string, ...any) { f.fatals++ }

// The helpers fail the test they are given, shortly, when a check fails, and
// only then; recovery is crashed too, and every operation made to fail.
func TestHelpersReport(t *testing.T) {
	run := func(d *storetest.Disk) error { return store.Replace(d, doc, []byte(after), 0o600) }
	for name, each := range map[string]func(testing.TB, storetest.Step, storetest.Step, storetest.Check) int{
		"EachCrash": storetest.EachCrash, "EachDoubleCrash": storetest.EachDoubleCrash, "EachFault": storetest.EachFault,
	} {
		var f failures
		tried := each(&f, mkdirs, run, func(storetest.Crash) error { return nil })
		if f.errors+f.fatals > 0 || tried < 8 {
			t.Errorf("%s: %+v of %d tried, want none", name, f, tried)
		}
		each(&f, mkdirs, run, func(storetest.Crash) error { return errors.New("no") })
		if f.errors == 0 || f.errors > 6 {
			t.Errorf("%s: %d errors shown, want 1 to 6", name, f.errors)
		}
		if name != "EachFault" {
			each(&f, mkdirs, func(*storetest.Disk) error { return errors.New("no") }, func(storetest.Crash) error { return nil })
			if f.fatals == 0 {
				t.Errorf("%s: a run that fails by itself goes unnoticed", name)
			}
		}
	}
	crashed := 0
	again := func(c storetest.Crash) error { crashed++; return run(c.Disk) }
	once := storetest.EachCrash(t, mkdirs, run, again)
	if twice := storetest.EachDoubleCrash(t, mkdirs, run, again); twice <= 2*once || crashed != once+twice {
		t.Errorf("%d states, %d when recovery is crashed too, %d checked", once, twice, crashed)
	}
}

func ExampleEachCrash() {
	// In a test, t is the test's own.
	var t testing.TB = &testing.T{}
	states := storetest.EachCrash(t,
		func(d *storetest.Disk) error { return store.MkdirAll(d, "/w", 0o700) },
		func(d *storetest.Disk) error {
			err := store.Replace(d, "/w/timers.json", []byte("[]"), 0o600)
			d.Ack("saved")
			return err
		},
		func(c storetest.Crash) error {
			if len(c.Acked) > 0 && c.Disk.Files()["/w/timers.json"] != "[]" {
				return errors.New("saved timers are gone")
			}
			return nil
		})
	fmt.Println(states, t.Failed())
	// Output: 8 false
}
