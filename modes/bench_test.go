package modes_test

import (
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/modes"
)

// counted is the real disk, with its syncs counted.
type counted struct {
	store.FS
	syncs *atomic.Int64
}

func (c counted) SyncDir(name string) error { c.syncs.Add(1); return c.FS.SyncDir(name) }

func (c counted) OpenFile(name string, flag int, perm fs.FileMode) (store.File, error) {
	f, err := c.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return countedFile{f, c.syncs}, nil
}

type countedFile struct {
	store.File
	syncs *atomic.Int64
}

func (f countedFile) Sync() error { f.syncs.Add(1); return f.File.Sync() }

// SyncData counts fdatasync, which the log uses.
func (f countedFile) SyncData() error {
	f.syncs.Add(1)
	if d, ok := f.File.(interface{ SyncData() error }); ok {
		return d.SyncData()
	}
	return f.File.Sync()
}

// frozenTools is the least that a mode session is frozen with: the way out.
const frozenTools = `[{"type":"function","function":{"name":"switch_mode"}}]`

// onDisk is a manager on a real directory.
func onDisk(b testing.TB) (*modes.Manager, *atomic.Int64) {
	b.Helper()
	syncs := &atomic.Int64{}
	m := modes.New(modes.Config{
		FS: counted{store.OS(), syncs}, Workspace: b.TempDir(), Registry: registry(""), Now: time.Now, Logger: quiet(),
		Freeze: func(modes.Mode, string) modes.Frozen {
			return modes.Frozen{System: strings.Repeat("system ", 500), Tools: []byte(frozenTools)}
		},
	})
	if err := m.Recover(); err != nil {
		b.Fatal(err)
	}
	return m, syncs
}

// oneTurn is the mode side of one turn.
func oneTurn(b testing.TB, m *modes.Manager, words string, do func(*modes.Switching) modes.Result) {
	b.Helper()
	s, err := m.Current()
	if err != nil {
		b.Fatal(err)
	}
	w := m.Begin(s, words, "zh")
	if do != nil {
		if r := do(w); !r.OK {
			b.Fatalf("%s: %+v", words, r)
		}
	}
	if _, err := w.Finish(conversation.Record{Timestamp: time.Now(), Channel: "voice", ChatID: "c", SpeakerID: "guest", User: words, Assistant: "好的，知道了。", ID: conversation.NewID()}); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

func enterIt(w *modes.Switching) modes.Result { return w.Enter("xmode") }
func exitIt(w *modes.Switching) modes.Result  { return w.Exit("", "总结") }

// BenchmarkMode is what entering, one more turn and leaving cost on this disk: in
// time, and in syncs.
func BenchmarkMode(b *testing.B) {
	for name, step := range map[string]int{"enter": 0, "turn": 1, "exit": 2} {
		b.Run(name, func(b *testing.B) {
			m, syncs := onDisk(b)
			steps := []func(){
				func() { oneTurn(b, m, "打开某模式", enterIt) },
				func() { oneTurn(b, m, "下一句", nil) },
				func() { oneTurn(b, m, "退出某模式", exitIt) },
			}
			var took time.Duration
			var n int64
			for b.Loop() {
				for i, do := range steps {
					before, began := syncs.Load(), time.Now()
					do()
					if i == step {
						took += time.Since(began)
						n += syncs.Load() - before
					}
				}
			}
			b.ReportMetric(float64(took.Microseconds())/float64(b.N)/1000, "ms/step")
			b.ReportMetric(float64(n)/float64(b.N), "syncs/step")
			b.ReportMetric(0, "ns/op") // of all three steps: says nothing
		})
	}
}

// BenchmarkCold is opening a mode whose log has ten thousand turns, with nothing
// of it in memory.
func BenchmarkCold(b *testing.B) {
	m, _ := onDisk(b)
	oneTurn(b, m, "打开某模式", enterIt)
	a, err := m.Active()
	if err != nil {
		b.Fatal(err)
	}
	log, err := conversation.Open(unsynced{store.OS()}, a.SessionDir+"/conversation.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	for i := range 10_000 {
		r := conversation.Record{Timestamp: time.Now(), Channel: "voice", ChatID: "voice-20261022-195500-abcdef", SpeakerID: "guest", User: fmt.Sprintf("第%d句话，番茄要放几个？", i), Assistant: "两个人先放两个，约 150 克。", Raw: "两个人先放两个，约 150 克。[[end]]", ID: conversation.NewID()}
		if err := log.Append(r); err != nil {
			b.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := m.Current()
		if err != nil || len(s.Records()) != 10_001 {
			b.Fatal(err)
		}
		_ = s.Close()
	}
}

// unsynced writes without waiting for the disk: for making test data.
type unsynced struct{ store.FS }

func (u unsynced) OpenFile(name string, flag int, perm fs.FileMode) (store.File, error) {
	f, err := u.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return unsyncedFile{f}, nil
}

type unsyncedFile struct{ store.File }

func (unsyncedFile) Sync() error { return nil }

// What entering, one turn and leaving cost in syncs: more would be felt on an SD
// card. The plugin's own writes come on top.
func TestSyncsOfAMode(t *testing.T) {
	m, syncs := onDisk(t)
	for _, c := range []struct {
		name string
		do   func()
		most int64
	}{
		{"enter", func() { oneTurn(t, m, "打开某模式", enterIt) }, 16},
		{"turn", func() { oneTurn(t, m, "下一句", nil) }, 4},
		{"exit", func() { oneTurn(t, m, "退出某模式", exitIt) }, 8},
	} {
		before := syncs.Load()
		c.do()
		if n := syncs.Load() - before; n > c.most || n == 0 {
			t.Errorf("%s: %d syncs, at most %d", c.name, n, c.most)
		}
	}
}
