package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"homebot/internal/store"
	"homebot/internal/store/storetest"
)

func setupLog(d *storetest.Disk) error { return store.MkdirAll(d, "/w", 0o700) }

// appendAll goes on after errors, as the program does, and acknowledges what
// succeeded. A line that failed is tried once more, as a user would.
func appendAll(lines ...string) storetest.Step {
	return func(d *storetest.Disk) error {
		l, _, err := store.OpenLog(d, logFile)
		if err != nil {
			l, _, err = store.OpenLog(d, logFile)
		}
		if err != nil {
			return err
		}
		var all error
		for _, line := range lines {
			err := l.Append([]byte(line))
			if err != nil {
				all = errors.Join(all, err)
				err = l.Append([]byte(line))
			}
			if err == nil {
				d.Ack(line)
			}
		}
		return errors.Join(all, l.Close())
	}
}

// checkLog recovers and appends one more line. Every acknowledged line is there,
// none twice, none half, in order; nothing else is.
func checkLog(c storetest.Crash) error {
	promised := slices.Clone(c.Acked)
	before, _, _ := store.ReadLog(c.Disk, logFile)
	afterwards := fmt.Sprintf("afterwards %d", len(before)+1) // a line of its own for each recovery
	if err := appendAll(afterwards)(c.Disk); err != nil {
		return err
	}
	found, _, err := store.ReadLog(c.Disk, logFile)
	if err != nil {
		return err
	}
	promised = append(promised, afterwards)
	seen := map[string]bool{}
	for _, line := range found {
		if seen[string(line)] {
			return fmt.Errorf("%q is there twice: %q", line, found)
		}
		seen[string(line)] = true
		if len(promised) > 0 && string(line) == promised[0] {
			promised = promised[1:]
		} else if !slices.Contains(written, string(line)) && !strings.HasPrefix(string(line), "afterwards ") {
			return fmt.Errorf("%q was never written", line)
		}
	}
	if len(promised) > 0 {
		return fmt.Errorf("%q lost, or out of order: %q", promised, found)
	}
	return nil
}

// S1, S3: no crash during appends loses, doubles or halves a line, and none
// during the recovery does.
func TestLogSurvives(t *testing.T) {
	storetest.EachDoubleCrash(t, setupLog, appendAll(written...), checkLog)
}

// S2, S3: neither does an operation that fails with EIO or ENOSPC, whichever it
// is, nor a crash at any instant from then on.
func TestLogSurvivesFaults(t *testing.T) {
	if n := storetest.EachFault(t, setupLog, appendAll(written...), checkLog); n < 2*10 {
		t.Errorf("only %d faults tried", n)
	}
	for _, fault := range []error{syscall.EIO, syscall.ENOSPC} {
		for op := range 12 {
			setup := func(d *storetest.Disk) error { return setupLog(d) }
			run := func(d *storetest.Disk) error {
				d.FailAt(op, fault)
				_ = appendAll(written...)(d)
				d.FailAt(0, nil)
				return nil
			}
			storetest.EachCrash(t, setup, run, checkLog)
		}
	}
}

// S2: two failures in a row, at every pair of operations.
func TestLogSurvivesPairsOfFaults(t *testing.T) {
	for first := range 12 {
		for second := range 12 {
			d := storetest.New("/w")
			l, _, err := store.OpenLog(d, logFile)
			if err != nil {
				t.Fatal(err)
			}
			d.Settle()
			for i, at := range []int{first, second} {
				d.FailAt(d.Ops()+at, syscall.EIO)
				for range 3 {
					line := fmt.Sprintf("%d at %d", i, d.Ops())
					if l.Append([]byte(line)) == nil {
						d.Ack(line)
					}
				}
			}
			d.FailAt(0, nil)
			for c := range d.CrashesNow() {
				found, _, err := store.ReadLog(c.Disk, logFile)
				if got := string(bytes.Join(found, []byte(","))); err != nil || !strings.HasPrefix(got, strings.Join(c.Acked, ",")) {
					t.Fatalf("faults %d, %d, %s: found %q, %v; acknowledged %q", first, second, c.Name, found, err, c.Acked)
				}
			}
		}
	}
}

// S2: on a full disk Append fails until there is room again, and then goes on;
// readers see whole lines all the while.
func TestLogOnAFullDisk(t *testing.T) {
	d := storetest.New("/w")
	l, _, err := store.OpenLog(d, logFile)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Append([]byte("one")); err != nil {
		t.Fatal(err)
	}
	d.FailFrom(d.Ops(), syscall.ENOSPC)
	for range 3 {
		if err := l.Append([]byte("two")); store.Why(err) != store.Full {
			t.Fatalf("error is %v", err)
		}
		wantLines(t, d, logFile, "one")
	}
	d.FailFrom(0, nil)
	if err := l.Append([]byte("three")); err != nil {
		t.Fatal(err)
	}
	wantLines(t, d, logFile, "one", "three")
}

func wantLines(t *testing.T, fsys store.FS, path string, want ...string) store.Report {
	t.Helper()
	lines, report, err := store.ReadLog(fsys, path)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(bytes.Join(lines, []byte("|"))); got != strings.Join(want, "|") {
		t.Errorf("lines are %q, want %q", got, want)
	}
	return report
}

func writeRaw(t *testing.T, fsys store.FS, path, text string) {
	t.Helper()
	f, err := fsys.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write([]byte(text))
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// S1: a torn tail is cut off on open and kept aside, each under a name of its
// own, on the model and on the real file system.
func TestOpenLogKeepsTheTornTail(t *testing.T) {
	for name, fsys := range map[string]store.FS{"Disk": storetest.New("/w"), "OS": store.OS()} {
		t.Run(name, func(t *testing.T) {
			dir := "/w"
			if name == "OS" {
				dir = t.TempDir()
			}
			path := filepath.Join(dir, "log.jsonl")
			for i, tail := range []string{`{"user":"盐`, "\x00\x00\x00\x00", "x"} {
				writeRaw(t, fsys, path, "one\ntwo\n"+tail)
				l, report, err := store.OpenLog(fsys, path)
				if err != nil {
					t.Fatal(err)
				}
				kept := fmt.Sprintf("%s.torn-%d", path, i+1)
				if report.Torn != len(tail) || report.Kept != kept || report.Lines != 2 || report.Clean() {
					t.Errorf("report is %+v", report)
				}
				if got, err := fsys.ReadFile(kept); string(got) != tail {
					t.Errorf("kept %q, %v; want %q", got, err, tail)
				}
				if err := errors.Join(l.Append([]byte("three")), l.Close()); err != nil {
					t.Fatal(err)
				}
				wantLines(t, fsys, path, "one", "two", "three")
			}
		})
	}
}

// S3: what is found when a log is opened will be relied upon (a repeat is known
// by it), so it survives a power cut even if the process that wrote it died
// before its sync.
func TestOpenLogMakesDurableWhatItFinds(t *testing.T) {
	d := storetest.New("/w")
	writeRaw(t, d, logFile, "one\ntwo\n")
	l, _, err := store.OpenLog(d, logFile)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for c := range d.CrashesNow() {
		wantLines(t, c.Disk, logFile, "one", "two")
	}
}

// S1, S3: a power cut during the repair loses no byte of the torn tail.
func TestRepairLosesNothing(t *testing.T) {
	const tail = `{"user":"盐放`
	setup := func(d *storetest.Disk) error {
		err := setupLog(d)
		writeRaw(t, d, logFile, "one\n"+tail)
		return err
	}
	open := func(d *storetest.Disk) error {
		l, _, err := store.OpenLog(d, logFile)
		if err != nil {
			return err
		}
		return l.Close()
	}
	storetest.EachDoubleCrash(t, setup, open, func(c storetest.Crash) error {
		if err := open(c.Disk); err != nil {
			return err
		}
		files := c.Disk.Files()
		if files[logFile] != "one\n" || files[logFile+".torn-1"] != tail || len(files) != 2 {
			return fmt.Errorf("files are %q", files)
		}
		return nil
	})
}

// S1: a bad line in the middle is skipped and counted; it stays in the file.
func TestReadLogSkipsBadLines(t *testing.T) {
	d := storetest.New("/w")
	long := strings.Repeat("x", store.MaxLine)
	text := "one\n\x00\x00\n" + long + "\n\ntwo\ntorn"
	writeRaw(t, d, logFile, text)
	report := wantLines(t, d, logFile, "one", "", "two")
	if want := (store.Report{Lines: 3, Bad: 2, Torn: 4}); report != want {
		t.Errorf("report is %+v, want %+v", report, want)
	}
	if got := d.Files()[logFile]; got != text {
		t.Error("reading changed the file")
	}
	if _, _, err := store.ReadLog(d, "/w/none"); store.Why(err) != store.Missing {
		t.Errorf("error for a missing log is %v", err)
	}
}

func TestAppendRefusesBadLines(t *testing.T) {
	d := storetest.New("/w")
	l, _, err := store.OpenLog(d, logFile)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]error{
		"":                                 store.ErrBadLine,
		"a\nb":                             store.ErrBadLine,
		"a\x00":                            store.ErrBadLine,
		strings.Repeat("x", store.MaxLine): store.ErrTooLong,
	} {
		if err := l.Append([]byte(line)); !errors.Is(err, want) {
			t.Errorf("%.10q: error is %v, want %v", line, err, want)
		}
	}
	longest := strings.Repeat("x", store.MaxLine-1)
	if err := l.Append([]byte(longest)); err != nil {
		t.Error(err)
	}
	wantLines(t, d, logFile, longest)
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Error(err)
	}
	if err := l.Append([]byte("x")); !errors.Is(err, store.ErrClosed) {
		t.Errorf("append after close: %v", err)
	}
}

// S2: a log that somebody else cut short while it could not be written is
// opened like any other, and goes on.
func TestReopenOfAShorterLog(t *testing.T) {
	d := storetest.New("/w")
	l, _, err := store.OpenLog(d, logFile)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Append([]byte("one")); err != nil {
		t.Fatal(err)
	}
	d.FailAt(d.Ops(), syscall.EIO)
	if err := l.Append([]byte("two")); store.Why(err) != store.Broken {
		t.Fatalf("error is %v", err)
	}
	writeRaw(t, d, logFile, "o")
	if err := l.Append([]byte("three")); err != nil {
		t.Fatal(err)
	}
	wantLines(t, d, logFile, "three")
	if got := d.Files()[logFile+".torn-1"]; got != "o" {
		t.Errorf("kept %q", got)
	}
}

// Whatever is in a file, opening it repairs it, keeps all its whole lines, loses
// no byte, and appending goes on.
func FuzzOpenLog(f *testing.F) {
	for _, seed := range []string{"", "\n", "one\n", "one", "one\ntw", "\x00", "one\n\x00\x00", "\n\n\x00\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		d := storetest.New("/w")
		writeRaw(t, d, logFile, string(content))
		before, _, err := store.ReadLog(d, logFile)
		if err != nil {
			t.Fatal(err)
		}
		l, report, err := store.OpenLog(d, logFile)
		if err != nil {
			t.Fatal(err)
		}
		if whole := d.Files()[logFile] + d.Files()[report.Kept]; whole != string(content) {
			t.Errorf("log and kept tail are %q, were %q", whole, content)
		}
		if err := errors.Join(l.Append([]byte("more")), l.Close()); err != nil {
			t.Fatal(err)
		}
		after, report, err := store.ReadLog(d, logFile)
		if err != nil || report.Torn != 0 || len(after) != len(before)+1 || string(after[len(before)]) != "more" {
			t.Errorf("lines were %q and are %q, %+v, %v", before, after, report, err)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	l, _, err := store.OpenLog(store.OS(), filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	line := bytes.Repeat([]byte("x"), 300)
	for b.Loop() {
		if err := l.Append(line); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleLog() {
	fsys := storetest.New("/workspace") // store.OS() in the program
	l, report, err := store.OpenLog(fsys, "/workspace/log.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	fmt.Println("clean:", report.Clean())
	fmt.Println("durable:", l.Append([]byte(`{"user":"盐放多少"}`)) == nil)
	lines, _, _ := store.ReadLog(fsys, "/workspace/log.jsonl")
	fmt.Printf("%s\n", lines)
	// Output:
	// clean: true
	// durable: true
	// [{"user":"盐放多少"}]
}
