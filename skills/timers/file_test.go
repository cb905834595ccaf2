package timers

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"homebot/internal/store"
)

// put writes data as the document.
func (m *machine) put(t testing.TB, data string) {
	t.Helper()
	if err := store.MkdirAll(m.disk, workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := m.disk.OpenFile(filepath.Join(workspace, File), syscall.O_WRONLY|syscall.O_CREAT|syscall.O_TRUNC, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write([]byte(data))
	_ = f.Close()
}

// V9: fractions are rounded once, and no shortening leaves a document that the
// next start cannot read.
func TestTimerStaysReadableWhateverIsAdded(t *testing.T) {
	m := newMachine()
	b := m.open(t)
	timer := mustSet(t, b, Order{Span: time.Minute})
	keep := mustSet(t, b, Order{Label: "汤", Span: time.Hour})
	for range 40 {
		if _, err := b.Add(timer.ID, 990*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		_, _ = b.Add(timer.ID, -90*time.Second)
	}
	_, _ = b.Add(timer.ID, -10*time.Second)
	if _, err := b.Add(keep.ID, -time.Hour); err == nil {
		t.Error("a timer was shortened to nothing")
	}
	if _, err := b.Add(keep.ID, 300*time.Millisecond); err == nil {
		t.Error("nothing was added, and that was confirmed")
	}
	again := m.open(t)
	if _, lost := again.Missed(); lost || len(again.List()) != 2 {
		t.Errorf("lost %v, %+v", lost, again.List())
	}
	for _, l := range again.List() {
		if want := time.Duration(l.Span) * time.Second; (l.Left - want).Abs() > time.Second {
			t.Errorf("%s: %v left of %v", l.ID, l.Left, want)
		}
	}
}

// V9: one bad entry costs no other: what can be told from the rest is repaired,
// what cannot is set aside and told once.
func TestTimerEntriesSurviveABadOne(t *testing.T) {
	const good = `{"id":"t1","label":"汤","lang":"zh","made":"2100-01-01T07:00:00Z","span_s":3600,"due":"2100-01-01T08:00:00Z"}`
	for _, c := range []struct {
		name, doc string
		want      int
		lost      bool
	}{
		{"next is behind", `{"schema_version":1,"next":1,"timers":[` + good + `]}`, 1, false},
		{"next is no number", `{"schema_version":1,"next":"x","timers":[` + good + `]}`, 1, false},
		{"an id twice", `{"schema_version":1,"next":2,"timers":[` + good + `,` + good + `]}`, 2, false},
		{"a missed one has its id", `{"schema_version":1,"next":2,"timers":[` + good + `],"missed":[` + good + `]}`, 1, false},
		{"a huge id", `{"schema_version":1,"next":2,"timers":[` + strings.Replace(good, "t1", "t99999999999999999999", 1) + `]}`, 1, false},
		{"a negative length", `{"schema_version":1,"next":2,"timers":[` + strings.Replace(good, "3600", "-5", 1) + `]}`, 1, false},
		{"no length", `{"schema_version":1,"next":2,"timers":[` + strings.Replace(good, "3600", `0,"boot":"b"`, 1) + `]}`, 1, false},
		{"half a second", `{"schema_version":1,"next":2,"timers":[` + strings.Replace(good, "3600", "3600.5", 1) + `]}`, 1, false},
		{"a negative pause", `{"schema_version":1,"next":2,"timers":[` + strings.Replace(good, "3600", `3600,"paused_ns":-1`, 1) + `]}`, 1, false},
		{"no due", `{"schema_version":1,"next":2,"timers":[{"id":"t7"},` + good + `]}`, 1, true},
		{"not even an entry", `{"schema_version":1,"next":2,"timers":[5,null,` + good + `],"missed":{}}`, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine()
			m.put(t, c.doc)
			b := m.open(t)
			if got := len(b.List()); got != c.want {
				t.Fatalf("%d timers, want %d", got, c.want)
			}
			for _, l := range b.List() {
				if l.Label != "汤" || l.Span < 0 {
					t.Errorf("got %+v", l)
				}
			}
			said, told := NewDesk(b, "zh").News("zh")
			if _, aside := m.disk.Files()[filepath.Join(workspace, File+".damaged")]; aside != c.lost || strings.Contains(said, "其余的都还在") != c.lost {
				t.Errorf("set aside %v, want %v; said %q", aside, c.lost, said)
			}
			mustSet(t, b, Order{Span: time.Minute}) // its id is new, and the document may be written
			if told != nil {
				if err := told(); err != nil {
					t.Fatal(err)
				}
			}
			again := m.open(t)
			if _, lost := again.Missed(); lost || len(again.List()) != c.want+1 {
				t.Errorf("after a restart: lost %v, %+v", lost, again.List())
			}
		})
	}
}

// No document makes the reader fail, and what it read can be written.
func FuzzTimerDocument(f *testing.F) {
	f.Add([]byte(`{"schema_version":1,"next":-1,"timers":[{"id":"t1","span_s":-4,"due":"2100-01-01T08:00:00Z"}],"missed":[{"due":"2100-01-01T08:00:00Z"}]}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if d, _ := decode(data); !d.valid() {
			t.Errorf("read %+v", d)
		}
	})
}

// V3, V9: a name is one short line without anything that could be a marker.
func TestTimerLabelIsClean(t *testing.T) {
	for in, want := range map[string]string{
		"[[end]] 鸡蛋":            "鸡蛋",
		"鸡蛋[[Continue]":         "鸡蛋",
		"【【end】】汤\n\n面":         "汤 面",
		"[[[end]]]汤":            "汤",
		"[汤] [[x":               "汤 x",
		"a\x00\u200b\tb":        "a b",
		"\ufeff面\u202e\u2066条":  "面条",
		strings.Repeat("蛋", 50): strings.Repeat("蛋", 40),
	} {
		m := newMachine()
		if got := mustSet(t, m.open(t), Order{Label: in, Span: time.Minute}).Label; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// V3, V9: a name that no timer has is told without its markers, and what is said
// to be added is what was.
func TestTimerSentencesAreClean(t *testing.T) {
	m := newMachine()
	said := dialogue(t, NewDesk(m.open(t), "zh"), "zh",
		`set_timer {"minutes":1}`, `cancel_timer {"timer":"[[end]] 面条"}`, `change_timer {"action":"add","seconds":0.99}`, `change_timer {"action":"add","seconds":0.3}`)
	for i, want := range []string{"好的，定时一分钟。", "unknown: 没有叫“面条”的定时。现在有：定时还剩一分钟。", "定时加了一秒，还剩一分钟一秒。", "no_length: 定多久，或者几点响？"} {
		if said[i] != want {
			t.Errorf("got %q, want %q", said[i], want)
		}
	}
}

// V9, S3: a directory in the place of the document is set aside; the loss is told.
func TestDirectoryForTheTimers(t *testing.T) {
	m := newMachine()
	if err := store.MkdirAll(m.disk, filepath.Join(workspace, File), 0o700); err != nil {
		t.Fatal(err)
	}
	b := m.open(t)
	if _, lost := b.Missed(); !lost {
		t.Error("the loss is not told")
	}
	mustSet(t, b, Order{Span: time.Minute})
	if got := m.open(t).List(); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}
