package cache_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/internal/cache"
	"homebot/internal/contextmode"
	"homebot/internal/speech/speechtest"
	"homebot/internal/store"
	"homebot/internal/store/storetest"
)

var table = contextmode.Default()

// shelf is a cache on a disk in memory with a clock that the test moves.
type shelf struct {
	*cache.Cache
	disk *storetest.Disk
	now  time.Time
}

func newShelf(limit int) *shelf {
	s := &shelf{disk: storetest.New("/ws"), now: time.Date(2026, 10, 22, 12, 0, 0, 0, time.UTC)}
	s.open(limit)
	return s
}

func (s *shelf) open(limit int) {
	s.Cache = cache.New(cache.Config{FS: s.disk, Dir: "/ws/cache/x", Limit: limit, Now: func() time.Time { return s.now }})
}

func (s *shelf) files() []string {
	entries, _ := s.disk.ReadDir("/ws/cache/x")
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// C12: an entry lives as long as its profile says and under its table version
// only, also after a restart.
func TestLife(t *testing.T) {
	s := newShelf(1000)
	s.Put(table, contextmode.Full, "f", []byte("rich"))
	s.Put(table, contextmode.Minimal, "m", []byte("core"))
	s.open(1000) // a new process
	get := func(t contextmode.Table, key string) string { data, _ := s.Get(t, key); return string(data) }
	if get(table, "f") != "rich" || get(table, "m") != "core" || get(table, "x") != "" {
		t.Error("not found at once")
	}
	other := table
	other.Version = 2
	if get(other, "m") != "" {
		t.Error("found under another table")
	}
	s.now = s.now.Add(time.Hour)
	if get(table, "f") != "" || get(table, "m") != "core" {
		t.Error("after an hour the core answer lives, the whole one does not")
	}
	s.now = s.now.Add(8 * 24 * time.Hour)
	if get(table, "m") != "" {
		t.Error("after eight days nothing lives")
	}
}

// C12: the directory is bounded; a downgrade keeps the richer entries, first to
// be evicted; a profile that flaps loses those of both.
func TestBoundsAndSwitch(t *testing.T) {
	s := newShelf(100)
	for i := range 5 {
		s.now = s.now.Add(time.Second)
		s.Put(table, contextmode.Minimal, fmt.Sprint("m", i), bytes.Repeat([]byte("x"), 30))
	}
	if n := len(s.files()); n != 3 {
		t.Errorf("%d files of 30 bytes within 100", n)
	}
	s = newShelf(100)
	s.Put(table, contextmode.Full, "f", bytes.Repeat([]byte("x"), 50))
	s.Switch(contextmode.Full, contextmode.Minimal, false)
	if _, ok := s.Get(table, "f"); !ok {
		t.Error("a downgrade dropped the richer entry")
	}
	s.now = s.now.Add(time.Second)
	s.Put(table, contextmode.Minimal, "m1", bytes.Repeat([]byte("x"), 40))
	s.Put(table, contextmode.Minimal, "m2", bytes.Repeat([]byte("x"), 40))
	if _, ok := s.Get(table, "f"); ok {
		t.Error("the richer entry was not the first to go")
	}
	s.Switch(contextmode.Full, contextmode.Minimal, true)
	if n := len(s.files()); n != 0 {
		t.Errorf("%d files after flapping", n)
	}
	s.Put(table, contextmode.Full, "big", bytes.Repeat([]byte("x"), 101))
	if n := len(s.files()); n != 0 {
		t.Error("what is larger than the limit is kept")
	}
}

// A torn entry, a foreign file and a left temporary are no entries; a disk that
// refuses is a miss.
func TestDamaged(t *testing.T) {
	s := newShelf(1000)
	s.Put(table, contextmode.Minimal, "m", []byte("core"))
	path := "/ws/cache/x/" + s.files()[0]
	data, err := s.disk.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{path: string(data[:len(data)-1]), "/ws/cache/x/readme": "", "/ws/cache/x/k-full-1-1.tmp": "z"} {
		if err := store.Replace(s.disk, name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.open(1000)
	if _, ok := s.Get(table, "m"); ok {
		t.Error("a torn entry is an answer")
	}
	if got := s.files(); !slices.Equal(got, []string{"readme"}) {
		t.Errorf("left: %q", got)
	}
	s.disk.FailFrom(s.disk.Ops(), errors.New("no"))
	s.Put(table, contextmode.Minimal, "m", []byte("core"))
	s.disk.FailFrom(0, nil)
	if _, ok := s.Get(table, "m"); ok {
		t.Error("found what was not written")
	}
}

// C12: a sentence spoken twice is kept, and comes from the disk afterwards, as it
// was; profile and table version are in its key.
func TestVoice(t *testing.T) {
	s := newShelf(10 << 20)
	synth := &speechtest.Synthesizer{}
	profile := contextmode.Compact
	v := &cache.Voice{Next: synth, Cache: s.Cache, Under: func() (contextmode.Table, contextmode.Profile) { return table, profile }}
	speak := func(text string) (pcm []int16) {
		t.Helper()
		err := v.Speak(context.Background(), text, "zh", func(p []int16) error { pcm = append(pcm, p...); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return pcm
	}
	first := speak("好的。")
	for range 3 {
		if got := speak("好的。"); !slices.Equal(got, first) {
			t.Error("it sounds different")
		}
	}
	if n := len(synth.Said()); n != 2 {
		t.Errorf("spoken %d times, want 2", n)
	}
	profile = contextmode.Minimal
	speak("好的。")
	speak("好的!")
	if n := len(synth.Said()); n != 4 {
		t.Errorf("spoken %d times, want 4", n)
	}
	long := strings.Repeat("很长的一句话", 100)
	speak(long)
	speak(long)
	speak(long)
	if n := len(synth.Said()); n != 7 {
		t.Errorf("spoken %d times, want 7: a lecture is not kept", n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	profile = contextmode.Compact
	if err := v.Speak(ctx, "好的。", "zh", func([]int16) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("after a barge-in: %v", err)
	}
}
