package agent

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"homebot/internal/contextmode"
	"homebot/internal/conversation"
	"homebot/internal/store"
)

// onDisk writes a conversation of n turns, and the cut records it got under the
// compact profile; it returns the paths of both logs.
func onDisk(tb testing.TB, n int) (logPath, cutPath string) {
	tb.Helper()
	var log, cuts bytes.Buffer
	records := make([]conversation.Record, 0, n)
	var made []contextmode.Cut
	began := time.Date(2026, 10, 22, 19, 0, 0, 0, time.UTC)
	for i := range n {
		r := conversation.Record{
			Timestamp: began.Add(time.Duration(i) * time.Minute), Channel: "voice", ChatID: "voice-20261022-190000-abcdef", SpeakerID: "妈妈",
			ID: fmt.Sprintf("%016x", i), User: fmt.Sprintf("第%d步做完了，接下来放多少克盐，火要多大？", i%9+1),
			Assistant: fmt.Sprintf("放%d克盐，转中小火，盖上锅盖炖%d分钟，中途翻动一次，避免粘锅。需要我帮你定一个计时器吗？", i%7+2, i%40+5),
		}
		r.Sent = "[" + r.Timestamp.Format("15:04") + " 妈妈]\n" + r.User
		r.Raw = r.Assistant + "[[continue]]"
		line, err := r.MarshalLine()
		if err != nil {
			tb.Fatal(err)
		}
		log.Write(append(line, '\n'))
		records = append(records, r)
	}
	turns := turnsOf(records)
	for i := 50; i <= n; i++ {
		out := contextmode.Plan(contextmode.Input{Log: turns[:i], Cuts: made, Table: contextmode.Default(), Profile: contextmode.Compact, Budget: 8000, After: true})
		if out.Cut != nil {
			made = append(made, *out.Cut)
			line, err := contextmode.MarshalCut(*out.Cut)
			if err != nil {
				tb.Fatal(err)
			}
			cuts.Write(append(line, '\n'))
		}
	}
	dir := tb.TempDir()
	logPath, cutPath = filepath.Join(dir, "conversation.jsonl"), filepath.Join(dir, cutFile)
	for path, data := range map[string][]byte{logPath: log.Bytes(), cutPath: cuts.Bytes()} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return logPath, cutPath
}

// cold is what the first turn after a start pays: both logs from the disk, the
// state of the decision, the plan, the view, the messages.
func cold(tb testing.TB, a *Agent, logPath, cutPath string) int {
	records, _, err := conversation.Load(store.OS(), logPath)
	if err != nil {
		tb.Fatal(err)
	}
	turns := turnsOf(records)
	cuts := a.readCuts(cutPath, turns)
	recall(turns, cuts)
	contextmode.Plan(contextmode.Input{Log: turns, Cuts: cuts, Table: contextmode.Default(), Profile: contextmode.Compact, Budget: 8000, Current: "下一步"})
	return len(contextmode.Fold(turns, cuts).Messages("system", "下一步"))
}

// A log of 10 000 turns is shown by its cuts: a bounded view.
func TestColdLog(t *testing.T) {
	a := New(Config{FS: store.OS(), Workspace: t.TempDir()})
	logPath, cutPath := onDisk(t, 2000)
	if n := cold(t, a, logPath, cutPath); n < 14 || n > 400 {
		t.Errorf("%d messages", n)
	}
}

// Reading older records without their text changes nothing, whatever is in the
// file.
func TestParseCuts(t *testing.T) {
	logPath, cutPath := onDisk(t, 1000)
	records, _, err := conversation.Load(store.OS(), logPath)
	if err != nil {
		t.Fatal(err)
	}
	turns := turnsOf(records)
	data, err := os.ReadFile(cutPath)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	if len(lines) < 8 {
		t.Fatalf("only %d cuts", len(lines))
	}
	beyond := []byte(`{"cut":99999,"from":0,"to":5,"reason":"x","profile":"full","table":1,"estimate":1,"blocks":[],"facts":[]}`)
	for name, lines := range map[string][][]byte{
		"as it was written":       lines,
		"a record of other turns": append(slices.Clone(lines), beyond, beyond, beyond, beyond, beyond),
		"a broken line":           append([][]byte{[]byte("{")}, lines...),
	} {
		whole, bad := contextmode.ParseCuts(lines)
		want := contextmode.Fold(turns, whole)
		cuts, badHere := parseCuts(lines, turns)
		if got := contextmode.Fold(turns, cuts); got.Head != want.Head || got.Start != want.Start || got.LastCut != want.LastCut || bad != badHere || want.Head == "" {
			t.Errorf("%s: another view", name)
		}
	}
}

// T7: 10 000 turns from cold in less than 50 ms.
func BenchmarkColdTurn10000(b *testing.B) {
	a := New(Config{FS: store.OS(), Workspace: b.TempDir()})
	logPath, cutPath := onDisk(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		cold(b, a, logPath, cutPath)
	}
}

// The same of a usual evening.
func BenchmarkColdTurn200(b *testing.B) {
	a := New(Config{FS: store.OS(), Workspace: b.TempDir()})
	logPath, cutPath := onDisk(b, 200)
	b.ReportAllocs()
	for b.Loop() {
		cold(b, a, logPath, cutPath)
	}
}

// quickest is the least processor time of n runs, garbage collection included:
// what it takes when nobody else wants the processor.
func quickest(n int, f func()) time.Duration {
	best := time.Hour
	for range n {
		began := processorTime()
		f()
		best = min(best, processorTime()-began)
	}
	return best
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// T7, on the machine it runs on: make bench-context asks for it.
func TestTargetTimes(t *testing.T) {
	if os.Getenv("HOMEBOT_BENCH") == "" {
		t.Skip("times are measured by make bench-context")
	}
	a := New(Config{FS: store.OS(), Workspace: t.TempDir()})
	logPath, cutPath := onDisk(t, 10_000)
	slow := quickest(40, func() { cold(t, a, logPath, cutPath) })
	records, _, err := conversation.Load(store.OS(), logPath)
	if err != nil {
		t.Fatal(err)
	}
	turns := turnsOf(records[:200])
	warm := quickest(200, func() {
		contextmode.Plan(contextmode.Input{Log: turns, Table: contextmode.Default(), Profile: contextmode.Full, Budget: 32000, Current: "下一步"})
		contextmode.Fold(turns, nil).Messages("system", "下一步")
	})
	for _, c := range []struct {
		what      string
		got, most time.Duration
	}{{"assembling a 200-turn view", warm, time.Millisecond}, {"10 000 turns from cold, disk and parsing included", slow, 50 * time.Millisecond}} {
		verdict := map[bool]string{true: "ok  ", false: "MISS"}[c.got < c.most]
		t.Logf("%s T7 %s: %s, less than %s", verdict, c.what, c.got.Round(time.Microsecond), c.most)
		if c.got >= c.most {
			t.Errorf("T7 %s", c.what)
		}
	}
}
