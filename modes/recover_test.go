package modes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/internal/store"
	"homebot/modes"
)

func (b *bench) write(path, text string) {
	b.t.Helper()
	if err := store.Replace(b.disk, filepath.Join("/home/ws", path), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) read(path string) string {
	data, err := b.disk.ReadFile(filepath.Join("/home/ws", path))
	if err != nil {
		return ""
	}
	return string(data)
}

func (b *bench) kinds() string {
	var all []modes.NoticeKind
	told := b.m.Notices()
	b.m.Told(told)
	for _, n := range told {
		all = append(all, n.Kind)
	}
	return fmt.Sprint(all)
}

func (b *bench) beside(prefix string) (n int) {
	entries, _ := b.disk.ReadDir("/home/ws/modes")
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			n++
		}
	}
	return n
}

// R27: missing at start: written inactive, nobody is told.
func TestMissingActionFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		if !strings.Contains(b.read("modes/action.json"), `"active": false`) || b.kinds() != "[]" {
			t.Errorf("action.json %s", b.read("modes/action.json"))
		}
	})
}

// R27: missing beside a session that goes on: inactive all the same, and the
// session is archived instead of lying about with no end; the user is told once.
func TestMissingActionFileBesideASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.turn("打开某模式", true)
		old := b.active()
		if err := b.disk.Remove("/home/ws/modes/action.json"); err != nil {
			t.Fatal(err)
		}
		b.restart()
		if a := b.active(); a.Active || a.ExitReason != "recovered" {
			t.Errorf("%+v", a)
		}
		all, _ := modes.Archive{FS: b.disk, Workspace: "/home/ws"}.List("")
		if len(all) != 1 || all[0].SessionID != old.SessionID || all[0].Reason != "recovered" || b.ended[old.SessionID] != "recovered" {
			t.Errorf("archive %+v, index %v", all, b.ended)
		}
		if got := b.kinds(); got != fmt.Sprint([]modes.NoticeKind{modes.RecoveredInactive}) {
			t.Errorf("notices %s", got)
		}
		b.restart()
		if got := b.kinds(); got != "[]" {
			t.Errorf("told again: %s", got)
		}
	})
}

// R24, R27: corrupt or foreign: kept aside as a copy; the newest unfinished
// session that is not past its expiry goes on, with what its path says; all
// other unfinished ones are archived. The user is told once.
func TestDamagedActionFile(t *testing.T) {
	for name, text := range map[string]string{
		"half":       `{"schema_version": 1, "act`,
		"zeros":      "\x00\x00\x00",
		"empty":      "",
		"foreign":    `{"schema_version": 2, "active": true}`,
		"no ids":     `{"schema_version": 1, "active": true, "started_at": "2026-10-22T19:55:00+08:00", "expires_at": "2026-10-23T00:10:00+08:00"}`,
		"id outside": `{"schema_version": 1, "active": true, "mode_id": "xmode", "session_id": "../../../etc", "started_at": "2026-10-22T19:55:00+08:00", "expires_at": "2026-10-23T00:10:00+08:00"}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.turn("打开某模式", true)
				old := b.active()
				time.Sleep(time.Minute)
				b.turn("重新打开某模式", true)
				now := b.active()
				clear(b.ended)
				// the older session loses its end, as a crash in the middle would
				log := "modes/sessions/xmode/" + old.SessionID + "/conversation.jsonl"
				b.write(log, strings.SplitAfter(b.read(log), "\n")[0])
				if err := b.disk.Remove("/home/ws/modes/sessions/xmode/" + old.SessionID + "/summary.md"); err != nil {
					t.Fatal(err)
				}
				b.write("modes/action.json", text)
				b.restart()
				if a := b.active(); a.SessionID != now.SessionID || a.ModeID != "xmode" || !a.StartedAt.Equal(now.StartedAt) || !a.ExpiresAt.Equal(now.ExpiresAt) || a.DisplayName != "某模式" {
					t.Errorf("resumed %+v, want %+v", a, now)
				}
				if n := b.beside("action.json.damaged-"); n != 1 {
					t.Errorf("%d copies", n)
				}
				all, _ := modes.Archive{FS: b.disk, Workspace: "/home/ws"}.List("")
				if len(all) != 1 || all[0].SessionID != old.SessionID || all[0].Reason != "recovered" || b.ended[old.SessionID] != "recovered" {
					t.Errorf("archive %+v, index %v", all, b.ended)
				}
				if got := b.kinds(); got != fmt.Sprint([]modes.NoticeKind{modes.Resumed}) {
					t.Errorf("notices %s", got)
				}
				b.restart()
				if got := b.kinds(); got != "[]" {
					t.Errorf("told again: %s", got)
				}
			})
		})
	}
}

// R27: with the newest session past its expiry nothing is resumed.
func TestDamagedActionFileTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.turn("打开某模式", true)
		b.write("modes/action.json", "x")
		time.Sleep(12 * time.Hour)
		b.restart()
		if a := b.active(); a.Active || a.ExitReason != "recovered" {
			t.Errorf("%+v", a)
		}
		if got := b.kinds(); got != fmt.Sprint([]modes.NoticeKind{modes.RecoveredInactive}) {
			t.Errorf("notices %s", got)
		}
	})
}

// R24, R26, R27: active, but the directory is gone: inactive, recovered. An edit
// by hand counts before the next message; a moved workspace is found by the ids.
func TestActionFileByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.turn("打开某模式", true)
		text := b.read("modes/action.json")
		b.write("modes/action.json", strings.Replace(text, "/home/ws/modes/sessions", "/old/place", 1))
		b.turn("还在吗", false)
		if a := b.active(); !a.Active {
			t.Error("a moved workspace lost its mode")
		}
		b.write("modes/action.json", strings.Replace(text, "xmode-20261022", "xmode-20251022", -1))
		b.settle()
		if a := b.active(); a.Active || a.ExitReason != "recovered" {
			t.Errorf("gone: %+v", a)
		}
		if got := b.kinds(); got != fmt.Sprint([]modes.NoticeKind{modes.Lost}) {
			t.Errorf("notices %s", got)
		}
		b.write("modes/action.json", text)
		b.settle()
		if a := b.active(); !a.Active {
			t.Error("an edit by hand does not count")
		}
	})
}

// R24, R27: a session directory that leads out of the workspace is refused.
func TestSessionOutsideTheWorkspace(t *testing.T) {
	ws, outside := t.TempDir(), t.TempDir()
	m := func() *modes.Manager {
		return modes.New(modes.Config{
			FS: store.OS(), Workspace: ws, Registry: registry(""), Now: time.Now, Logger: quiet(),
			Freeze: func(modes.Mode, string) modes.Frozen { return modes.Frozen{System: "s", Tools: []byte(frozenTools)} },
		})
	}
	first := m()
	if err := first.Recover(); err != nil {
		t.Fatal(err)
	}
	w := first.Begin(nil, "打开某模式", "zh")
	if r := w.Enter("xmode"); !r.OK {
		t.Fatalf("%+v", r)
	}
	_ = w.Close()
	a, _ := first.Active()
	if err := os.Rename(a.SessionDir, filepath.Join(outside, "x")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "x"), a.SessionDir); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadDir(filepath.Join(outside, "x"))
	second := m()
	if err := second.Recover(); err != nil {
		t.Fatal(err)
	}
	if a, _ := second.Active(); a.Active || a.ExitReason != "recovered" {
		t.Errorf("%+v", a)
	}
	if after, _ := os.ReadDir(filepath.Join(outside, "x")); len(after) != len(before) {
		t.Errorf("something was written outside: %v", after)
	}
}

// R24, R9: where sessions would lie outside the workspace, no mode is entered: it
// would be lost with the next turn.
func TestEnterOutsideTheWorkspace(t *testing.T) {
	ws := t.TempDir()
	if err := os.Mkdir(filepath.Join(ws, "modes"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(ws, "modes", "sessions")); err != nil {
		t.Fatal(err)
	}
	m := modes.New(modes.Config{
		FS: store.OS(), Workspace: ws, Registry: registry(""), Now: time.Now, Logger: quiet(),
		Freeze: func(modes.Mode, string) modes.Frozen { return modes.Frozen{System: "s", Tools: []byte(frozenTools)} },
	})
	if err := m.Recover(); err != nil {
		t.Fatal(err)
	}
	w := m.Begin(nil, "打开某模式", "zh")
	if r := w.Enter("xmode"); r.OK || r.Reason != modes.ReasonStorage {
		t.Errorf("%+v", r)
	}
	_ = w.Close()
	if a, _ := m.Active(); a.Active {
		t.Errorf("%+v", a)
	}
}

// R27: system_prompt.md missing: rebuilt once from the skill, told as a prefix
// break, and once to the user; also when the skill itself is gone.
func TestMissingPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.turn("打开某模式", true)
		path := "modes/sessions/xmode/" + b.active().SessionID + "/system_prompt.md"
		breaks := 0
		b.m.PrefixBroken = func(event.PrefixBreak) { breaks++ }
		if err := b.disk.Remove("/home/ws/" + path); err != nil {
			t.Fatal(err)
		}
		b.settle()
		b.settle()
		if breaks != 1 || b.read(path) != "system xmode" || b.kinds() != fmt.Sprint([]modes.NoticeKind{modes.Repaired}) {
			t.Errorf("%d breaks, prompt %q", breaks, b.read(path))
		}
		if err := b.disk.Remove("/home/ws/" + path); err != nil {
			t.Fatal(err)
		}
		b.m.Registry = modes.NewRegistry(os.DirFS(t.TempDir()), "")
		b.settle()
		if breaks != 2 || b.read(path) != "system xmode" || !b.active().Active {
			t.Errorf("without the skill: %d breaks, prompt %q", breaks, b.read(path))
		}
	})
}

// R27, S1: a torn conversation loses its tail only, one damaged in the middle
// that line only; both are kept aside, and told once, not at every start.
func TestDamagedConversation(t *testing.T) {
	for name, damage := range map[string]func(string) string{
		"torn":   func(s string) string { return s + `{"timestamp":"2026` },
		"zeros":  func(s string) string { return s + "\x00\x00\x00\x00" },
		"middle": func(s string) string { return strings.Replace(s, "第二句", "第X句", 1) }, // the crc no longer fits
		"noise":  func(s string) string { l := strings.SplitAfter(s, "\n"); return l[0] + "\x7f\x00garbage\n" + l[2] },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.turn("打开某模式", true)
				b.turn("第二句", false)
				b.turn("第三句", false)
				path := "modes/sessions/xmode/" + b.active().SessionID + "/conversation.jsonl"
				b.write(path, damage(b.read(path)))
				b.restart()
				if got := b.kinds(); got != fmt.Sprint([]modes.NoticeKind{modes.Repaired}) {
					t.Errorf("notices %s", got)
				}
				s, err := b.m.Current()
				if err != nil || s == nil {
					t.Fatal(s, err)
				}
				words := ""
				for _, r := range s.Records() {
					words += r.User + "|"
				}
				_ = s.Close()
				want := "打开某模式|第二句|第三句|"
				if name == "middle" || name == "noise" {
					want = "打开某模式|第三句|"
				}
				if words != want {
					t.Errorf("records %s", words)
				}
				b.restart()
				if got := b.kinds(); got != "[]" {
					t.Errorf("told again: %s", got)
				}
				kept, _ := b.disk.ReadDir(filepath.Dir("/home/ws/" + path))
				aside := 0
				for _, e := range kept {
					if strings.HasPrefix(e.Name(), "conversation.jsonl.") {
						aside++
					}
				}
				if aside != 1 {
					t.Errorf("kept aside %d times", aside)
				}
			})
		})
	}
}

// R17, R46: what a plugin's hooks do wrong is told once and never holds an exit
// up; the session is archived with its summary.
func TestPluginFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.m.Registry.Plugins = []modes.Plugin{failing()}
		b.turn("打开某模式", true)
		if got := b.kinds(); got != fmt.Sprint([]modes.NoticeKind{modes.PluginFailed}) {
			t.Errorf("notices %s", got)
		}
		id := b.active().SessionID
		if _, was, err := b.m.Exit(); err != nil || !was {
			t.Fatalf("exit: %v %v", was, err)
		}
		if a := b.active(); a.Active || a.ExitReason != "user" {
			t.Errorf("%+v", a)
		}
		if b.read("modes/sessions/xmode/"+id+"/summary.md") == "" {
			t.Error("no summary")
		}
		if got := b.kinds(); got != fmt.Sprint([]modes.NoticeKind{modes.PluginFailed}) {
			t.Errorf("notices %s", got)
		}
	})
}

// R17, V6: a turn that is broken off while a hook runs is no fault of the mode, and
// nobody is told of one.
func TestTurnBrokenOffInAHook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.m.Registry.Plugins = []modes.Plugin{{ID: "xmode", RuntimeContext: func(ctx context.Context, _ modes.Scope) ([]modes.Field, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}}
		b.turn("打开某模式", true)
		s, err := b.m.Current()
		if err != nil || s == nil {
			t.Fatal(s, err)
		}
		defer s.Close()
		mode, _ := b.m.ModeOf(s)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if fields, ok := b.m.RuntimeContext(ctx, mode, b.m.ScopeOf(s, "zh")); ok {
			t.Errorf("fields %v", fields)
		}
		if got := b.kinds(); got != "[]" {
			t.Errorf("notices %s", got)
		}
	})
}

// R22, R26: action.json holds the lifecycle only: these keys, in this order.
func TestActionKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.turn("打开某模式", true)
		d := json.NewDecoder(bytes.NewReader([]byte(b.read("modes/action.json"))))
		var keys []string
		for depth, key := 0, true; ; {
			tok, err := d.Token()
			if err != nil {
				break
			}
			if _, ok := tok.(json.Delim); ok {
				depth++
				continue
			}
			if key {
				keys = append(keys, fmt.Sprint(tok))
			}
			key = !key
		}
		if got := strings.Join(keys, " "); got != "schema_version active mode_id display_name session_id skill_name started_at expires_at session_dir exit_reason" {
			t.Errorf("keys %s", got)
		}
	})
}

func FuzzActionFile(f *testing.F) {
	f.Add([]byte(`{"schema_version": 1, "active": true, "mode_id": "xmode", "session_id": "xmode-20261022-195500-abcdef", "started_at": "2026-10-22T19:55:00+08:00", "expires_at": "2026-10-23T00:10:00+08:00"}`))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := newBench(t)
		if err := store.Replace(b.disk, "/home/ws/modes/action.json", data, 0o600); err != nil {
			t.Fatal(err)
		}
		b.restart()
		if a := b.active(); a.Active {
			t.Errorf("%q became an active mode without a session", data)
		}
	})
}
