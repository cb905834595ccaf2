package conversation_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/internal/store/storetest"
)

const path = "/w/conversation.jsonl"

func turn(i int) conversation.Record {
	return conversation.Record{
		Timestamp: evening.Add(time.Duration(i) * time.Minute), Channel: "voice", ChatID: "voice-20261022-193000-a1b2c3",
		SpeakerID: "妈妈", ID: fmt.Sprintf("%016x", i),
		User: fmt.Sprintf("第 %d 步怎么做？", i), Assistant: "把鸡蛋打散，加两克盐，搅匀。",
		Sent: fmt.Sprintf("[19:30 妈妈]\n第 %d 步怎么做？", i),
	}
}

func ids(records []conversation.Record) string {
	var all []string
	for _, r := range records {
		all = append(all, strings.TrimLeft(r.ID, "0"))
	}
	return strings.Join(all, " ")
}

func open(t *testing.T, fsys store.FS) *conversation.Log {
	t.Helper()
	l, err := conversation.Open(fsys, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func mustAppend(t *testing.T, l *conversation.Log, records ...conversation.Record) {
	t.Helper()
	for _, r := range records {
		if err := l.Append(r); err != nil {
			t.Fatal(err)
		}
	}
}

// R38: the log only grows: what was there stays, byte for byte, and comes back
// after a restart as it was in memory.
func TestLogOnlyGrows(t *testing.T) {
	d := storetest.New("/w")
	l, before := open(t, d), ""
	for i := range 5 {
		mustAppend(t, l, turn(i+1))
		now := d.Files()[path]
		if !strings.HasPrefix(now, before) || len(now) <= len(before) {
			t.Fatalf("log was %q and is %q", before, now)
		}
		before = now
	}
	again := open(t, d)
	if d.Files()[path] != before {
		t.Error("opening changed the log")
	}
	if got, want := fmt.Sprintf("%+v", again.Records()), fmt.Sprintf("%+v", l.Records()); got != want {
		t.Errorf("after a restart %s\nwas %s", got, want)
	}
	if again.Report().Skipped() != 0 || !again.Report().Clean() {
		t.Errorf("report is %+v", again.Report())
	}
}

// R44: failed turns are recorded like the others.
func TestFailedTurnsAreRecorded(t *testing.T) {
	d := storetest.New("/w")
	l := open(t, d)
	for i, failed := range []string{conversation.FailedLLM, conversation.FailedNetwork, conversation.FailedInterrupted, conversation.FailedTool} {
		r := turn(i + 1)
		r.Failed = failed
		mustAppend(t, l, r)
		records, _, err := conversation.Load(d, path)
		if err != nil || len(records) != i+1 || records[i].Failed != failed || records[i].Assistant != r.Assistant {
			t.Errorf("%s: %+v, %v", failed, records, err)
		}
	}
}

// R43: a repeat is ignored, when it is written and when it is found.
func TestRepeatIsIgnored(t *testing.T) {
	d := storetest.New("/w")
	l := open(t, d)
	mustAppend(t, l, turn(1), turn(2))
	size := len(d.Files()[path])
	if err := l.Append(turn(1)); !errors.Is(err, conversation.ErrDuplicate) || len(d.Files()[path]) != size {
		t.Errorf("error is %v, %d bytes became %d", err, size, len(d.Files()[path]))
	}
	if err := l.Append(conversation.Record{Timestamp: evening}); !errors.Is(err, conversation.ErrNoID) {
		t.Errorf("error is %v", err)
	}
	if !l.Has(turn(2).ID) || l.Has(turn(3).ID) || l.Has("") {
		t.Error("Has does not know what is there")
	}
	line, _ := turn(2).MarshalLine()
	raw(t, d, string(line)+"\n")
	records, report, err := conversation.Load(d, path)
	if err != nil || ids(records) != "1 2" || report.Repeats != 1 || report.Skipped() != 1 {
		t.Errorf("%s, %+v, %v", ids(records), report, err)
	}
}

// raw adds text to the log behind its back.
func raw(t *testing.T, fsys store.FS, text string) {
	t.Helper()
	f, err := fsys.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write([]byte(text))
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// S1, R38: bad lines in the middle are skipped, counted and left in the file; a
// torn tail is cut off and kept.
func TestDamagedLog(t *testing.T) {
	d := storetest.New("/w")
	mustAppend(t, open(t, d), turn(1))
	line, _ := turn(9).MarshalLine()
	raw(t, d, "nonsense\n"+strings.Replace(string(line), "鸡蛋", "鸭蛋", 1)+"\n\x00\x00\n\n")
	damaged := d.Files()[path]
	raw(t, d, `{"timestamp":`)
	l := open(t, d)
	r := l.Report()
	if ids(l.Records()) != "1" || r.BadRecords != 3 || r.Bad != 1 || r.Skipped() != 4 || r.Torn != 13 {
		t.Errorf("%s, %+v", ids(l.Records()), r)
	}
	if r.First == nil || !strings.Contains(r.First.Error(), "line 2") {
		t.Errorf("first is %v", r.First)
	}
	if got := d.Files()[r.Kept]; got != `{"timestamp":` {
		t.Errorf("kept %q in %q", got, r.Kept)
	}
	mustAppend(t, l, turn(2))
	if !strings.HasPrefix(d.Files()[path], damaged) {
		t.Error("bad lines are gone")
	}
	records, _, err := conversation.Load(d, path)
	if err != nil || ids(records) != "1 2" {
		t.Errorf("%s, %v", ids(records), err)
	}
}

func TestLoadOfNothing(t *testing.T) {
	d := storetest.New("/w")
	if _, _, err := conversation.Load(d, path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error is %v", err)
	}
	if _, err := conversation.Open(d, "/none/log"); store.Why(err) != store.Missing {
		t.Errorf("error is %v", err)
	}
	if len(d.Files()) != 0 {
		t.Errorf("files are %v", d.Files())
	}
}

// A slice that somebody still holds does not change.
func TestRecordsAreASnapshot(t *testing.T) {
	d := storetest.New("/w")
	l := open(t, d)
	mustAppend(t, l, turn(1), turn(2), turn(3))
	held := l.Records()
	_ = append(held, conversation.Record{ID: "f"})
	mustAppend(t, l, turn(4))
	if ids(held) != "1 2 3" || ids(l.Records()) != "1 2 3 4" {
		t.Errorf("%s and %s", ids(held), ids(l.Records()))
	}
}

// turns goes on after errors as a program does; a turn that failed is tried
// again with the same id, as after a lost answer.
func turns(from, to int) storetest.Step {
	return func(d *storetest.Disk) error {
		l, err := conversation.Open(d, path)
		if err != nil {
			return err
		}
		var all error
		for i := from; i <= to; i++ {
			err := l.Append(turn(i))
			if err != nil {
				all = errors.Join(all, err)
				err = l.Append(turn(i))
			}
			if err == nil || errors.Is(err, conversation.ErrDuplicate) {
				d.Ack(turn(i).ID)
			}
		}
		return errors.Join(all, l.Close())
	}
}

// checkTurns repeats the last turns, because nobody knows whether they arrived,
// and adds one. Each acknowledged turn must be there exactly once.
func checkTurns(c storetest.Crash) error {
	_ = turns(2, 4)(c.Disk)
	records, report, err := conversation.Load(c.Disk, path)
	if err != nil {
		return err
	}
	count := map[string]int{}
	for _, r := range records {
		count[r.ID]++
	}
	for _, id := range append(c.Acked, turn(2).ID, turn(3).ID, turn(4).ID) {
		if count[id] != 1 {
			return fmt.Errorf("turn %s is there %d times in %s, %+v", id, count[id], ids(records), report)
		}
	}
	if report.Repeats > 0 {
		return fmt.Errorf("turns written twice: %s", ids(records))
	}
	return nil
}

// S3, R43: no crash, and no failing operation, loses or doubles an acknowledged
// turn, also when turns whose fate is unknown are sent again.
func TestTurnsSurvive(t *testing.T) {
	mkdir := func(d *storetest.Disk) error { return store.MkdirAll(d, "/w", 0o700) }
	storetest.EachDoubleCrash(t, mkdir, turns(1, 3), checkTurns)
	storetest.EachFault(t, mkdir, turns(1, 3), checkTurns)
}

// S2: on a full disk nothing is kept in memory that is not on the disk.
func TestFullDisk(t *testing.T) {
	d := storetest.New("/w")
	l := open(t, d)
	mustAppend(t, l, turn(1))
	d.FailFrom(0, syscall.ENOSPC)
	if err := l.Append(turn(2)); store.Why(err) != store.Full {
		t.Errorf("error is %v", err)
	}
	if ids(l.Records()) != "1" || l.Has(turn(2).ID) {
		t.Errorf("records are %s", ids(l.Records()))
	}
	d.FailFrom(0, nil)
	mustAppend(t, l, turn(2))
	if ids(l.Records()) != "1 2" {
		t.Errorf("records are %s", ids(l.Records()))
	}
}

func TestTooLongTurn(t *testing.T) {
	l := open(t, storetest.New("/w"))
	r := turn(1)
	r.Assistant = strings.Repeat("盐", store.MaxLine/3)
	if err := l.Append(r); store.Why(err) != store.TooLong {
		t.Errorf("error is %v", err)
	}
	mustAppend(t, l, turn(1))
}

// BenchmarkLoad10000 is a cold start of ten thousand turns; the aim is 50 ms.
func BenchmarkLoad10000(b *testing.B) {
	name := filepath.Join(b.TempDir(), "conversation.jsonl")
	var text []byte
	for i := range 10_000 {
		r := turn(i)
		if i%10 == 0 {
			r.Facts = []conversation.Fact{{ID: "f", Kind: "fact", Text: "三个人吃"}}
		}
		line, err := r.MarshalLine()
		if err != nil {
			b.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	before := cpuTime(b)
	for b.Loop() {
		records, _, err := conversation.Load(store.OS(), name)
		if err != nil || len(records) != 10_000 {
			b.Fatal(len(records), err)
		}
	}
	b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

// cpuTime is what this process used so far: the figure that holds on a busy
// machine, too.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkMarshalLine(b *testing.B) {
	r := turn(1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.MarshalLine(); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleLog() {
	fsys := storetest.New("/w") // store.OS() in the program
	l, err := conversation.Open(fsys, "/w/conversation.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	r := conversation.Record{Timestamp: time.Now(), Channel: "text", ID: conversation.NewID(), User: "hi", Assistant: "hello"}
	fmt.Println(l.Append(r), l.Append(r))
	fmt.Println(l.Records()[0].User)
	// Output:
	// <nil> record is in the log already
	// hi
}
