package tables

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"homebot/internal/contextmode"
	"homebot/internal/store"
	"homebot/internal/store/storetest"
)

func newStore(t *testing.T) (*Store, store.FS) {
	t.Helper()
	d := storetest.New("/ws")
	return New(d, "/ws", slog.New(slog.DiscardHandler)), d
}

func table(version int, more string) []byte {
	return fmt.Appendf(nil, "version = %d\n%s", version, more)
}

const light = "[profile.compact]\ntoken_budget = 4000\n"

// C1: without files the embedded table is in force; another version in the
// workspace changes what its file says, and nothing else.
func TestApply(t *testing.T) {
	s, _ := newStore(t)
	if got := s.For("x"); got != contextmode.Default() {
		t.Errorf("in force %+v", got)
	}
	if _, err := s.Apply("new.toml", table(2, light)); err != nil {
		t.Fatal(err)
	}
	got := s.For("x")
	if got.Version != 2 || got.Spec(contextmode.Compact).TokenBudget != 4000 || got.Spec(contextmode.Full) != contextmode.Default().Spec(contextmode.Full) {
		t.Errorf("in force %+v", got)
	}
	if _, err := s.Apply("other.toml", table(2, "")); !errors.Is(err, ErrTaken) {
		t.Errorf("another table under the same version: %v", err)
	}
	if _, err := s.Apply("bad.toml", table(3, "[load]\nenter = 7\n")); !errors.Is(err, contextmode.ErrTable) || !strings.Contains(err.Error(), "bad.toml:3") {
		t.Errorf("a bad table: %v", err)
	}
	if got := s.For("x"); got.Version != 2 {
		t.Errorf("a refused table is in force: %d", got.Version)
	}
}

// C15: a canary is sticky for a session and takes its share of them; a rollback
// moves the pointer; full roll-out is by apply only.
func TestCanary(t *testing.T) {
	s, _ := newStore(t)
	for _, share := range []float64{0, 1, -1} {
		if _, err := s.Canary("c.toml", table(2, light), share); !errors.Is(err, ErrShare) {
			t.Errorf("share %v: %v", share, err)
		}
	}
	if _, err := s.Canary("c.toml", table(2, light), 0.2); err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range 1000 {
		id := fmt.Sprintf("cook-20261022-195500-%06x", i)
		v := s.For(id).Version
		if v != s.For(id).Version {
			t.Fatal("not sticky")
		}
		if v == 2 {
			n++
		}
	}
	if s.Current().Version != 1 {
		t.Error("the canary is in force for everybody")
	}
	if n < 150 || n > 250 {
		t.Errorf("%d of 1000 sessions have the canary", n)
	}
	if v, err := s.Rollback(); v != 1 || err != nil {
		t.Errorf("rolled back to %d: %v", v, err)
	}
	if r := s.Rollout(); r.Canary != 0 || r.Current != 1 {
		t.Errorf("rollout %+v", r)
	}
	if _, err := s.Apply("c.toml", table(2, light)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Canary("c.toml", table(2, light), 0.5); !errors.Is(err, ErrCurrent) {
		t.Errorf("canary of what is in force: %v", err)
	}
	if v, err := s.Rollback(); v != 1 || err != nil || s.For("x").Version != 1 {
		t.Errorf("rolled back to %d: %v", v, err)
	}
	if _, err := s.Rollback(); !errors.Is(err, ErrNothing) {
		t.Errorf("one more: %v", err)
	}
}

// What lies on disk may be wrong: the next best table is used and the wrong one is
// listed with its reason.
func TestDamaged(t *testing.T) {
	s, d := newStore(t)
	if _, err := s.Apply("t.toml", table(2, light)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Canary("t.toml", table(3, ""), 0.99); err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		if err := store.Replace(d, filepath.Join("/ws/context/tables", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("3.toml", "version = 9")
	put("readme.txt", "")
	if v := s.For("x").Version; v != 2 {
		t.Errorf("a wrong canary gives %d", v)
	}
	put("2.toml", "???")
	if v := s.For("x").Version; v != 1 {
		t.Errorf("a wrong table gives %d", v)
	}
	all, err := s.List()
	if err != nil || len(all) != 3 || all[0].Broken != "" || !all[0].Builtin || all[1].Broken == "" || !all[1].Current || all[2].Canary != 0.99 {
		t.Errorf("list %+v %v", all, err)
	}
	for _, text := range []string{"", "{", "[]", `{"current":-1}`, `{"current":"x"}`, `{"current":77}`} {
		put("current", text)
		if v := s.For("x").Version; v != 1 {
			t.Errorf("pointer %q gives %d", text, v)
		}
	}
	if _, err := s.Text(77); !errors.Is(err, ErrNoVersion) {
		t.Errorf("text of none: %v", err)
	}
}

// C15, S3: a power cut while the pointer moves leaves the old or the new table in
// force, never none.
func TestCrash(t *testing.T) {
	logger := slog.New(slog.DiscardHandler)
	open := func(d *storetest.Disk) *Store { return New(d, "/ws", logger) }
	n := storetest.EachCrash(t,
		func(d *storetest.Disk) error {
			if err := store.MkdirAll(d, "/ws", 0o755); err != nil {
				return err
			}
			_, err := open(d).Apply("2", table(2, light))
			return err
		},
		func(d *storetest.Disk) error {
			_, err := open(d).Apply("3", table(3, ""))
			if err == nil {
				d.Ack("3")
			}
			return err
		},
		func(c storetest.Crash) error {
			v := open(c.Disk).For("x").Version
			if v != 2 && v != 3 || len(c.Acked) > 0 && v != 3 {
				return fmt.Errorf("version %d is in force", v)
			}
			return nil
		})
	t.Logf("%d crash states", n)
}

// A pointer moved by hand, or by another process, is obeyed at the next turn.
func TestMovedByHand(t *testing.T) {
	dir := t.TempDir()
	s := New(store.OS(), dir, slog.New(slog.DiscardHandler))
	if _, err := s.Apply("2", table(2, light)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "context", "tables", "current"), []byte(`{"current":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := s.For("x").Version; v != 1 {
		t.Errorf("version %d", v)
	}
}
