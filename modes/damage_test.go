package modes_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"homebot/internal/event"
	"homebot/modes"
)

// S3, R27: a frozen file that is there and cannot be used counts as missing: it
// is kept aside, both are rebuilt once, and the mode can be left.
func TestDamagedFrozenFiles(t *testing.T) {
	for name, c := range map[string]struct{ file, text string }{
		"garbage tools": {"tools.json", "[{\"type\":"},
		"no tools":      {"tools.json", "[1, 2]"},
		"empty tools":   {"tools.json", ""},
		"no way out":    {"tools.json", "[]"},
		"empty prompt":  {"system_prompt.md", ""},
		"zeros":         {"system_prompt.md", "\x00\x00\x00\x00"},
		"another code":  {"system_prompt.md", "\xd6\xd0\xce\xc4"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.turn("打开某模式", true)
				dir := "modes/sessions/xmode/" + b.active().SessionID + "/"
				b.write(dir+c.file, c.text)
				breaks := 0
				b.m.PrefixBroken = func(event.PrefixBreak) { breaks++ }
				b.settle()
				b.settle()
				if breaks != 1 || b.read(dir+"tools.json") != frozenTools || b.read(dir+"system_prompt.md") != "system xmode" {
					t.Errorf("%d breaks, %q %q", breaks, b.read(dir+"tools.json"), b.read(dir+"system_prompt.md"))
				}
				if entries, _ := b.disk.ReadDir("/home/ws/" + dir); !strings.Contains(fmt.Sprint(entries), c.file+".damaged-") {
					t.Errorf("not kept: %v", entries)
				}
				if _, was, err := b.m.Exit(); !was || err != nil {
					t.Errorf("cannot be left: %v", err)
				}
			})
		})
	}
}

// S3: a directory in the place of a file is set aside, everything goes on.
func TestDirectoryForAFile(t *testing.T) {
	for _, name := range []string{"action.json", "tools.json", "conversation.jsonl", "summary.md"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.turn("打开某模式", true)
				path := "/home/ws/modes/sessions/xmode/" + b.active().SessionID + "/" + name
				if name == "action.json" {
					path = "/home/ws/modes/action.json"
				}
				_ = b.disk.Remove(path)
				if err := b.disk.Mkdir(path, 0o700); err != nil {
					t.Fatal(err)
				}
				b.restart()
				if a := b.active(); !a.Active {
					t.Errorf("%+v", a)
				}
				if _, was, err := b.m.Exit(); !was || err != nil {
					t.Errorf("cannot be left: %v", err)
				}
				all, _ := modes.Archive{FS: b.disk, Workspace: "/home/ws"}.List("")
				if len(all) != 1 {
					t.Errorf("archive %+v", all)
				}
			})
		})
	}
}

// R27, R46: what was not archived is not said to be: a mode whose session cannot
// be found, and a damaged action.json beside no session.
func TestLostIsNotArchived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := fmt.Sprint([]modes.NoticeKind{modes.Lost})
		b := newBench(t)
		b.write("modes/action.json", "{")
		b.restart()
		if got := b.kinds(); got != want {
			t.Errorf("damaged: notices %s", got)
		}
		b.turn("打开某模式", true)
		b.write("modes/action.json", strings.Replace(b.read("modes/action.json"), `"mode_id": "xmode"`, `"mode_id": "other"`, 1))
		b.restart()
		if got := b.kinds(); got != want || b.active().Active {
			t.Errorf("another mode_id: notices %s", got)
		}
	})
}

// R11: a session entered in this very turn stays, however often the model asks.
func TestEnterTwiceInOneTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		for range 2 { // nothing active, then begun anew
			w := b.m.Begin(nil, "重新打开某模式", "zh")
			s, _ := b.m.Current()
			if s != nil {
				w = b.m.Begin(s, "重新打开某模式", "zh")
			}
			first, second := w.Enter("xmode"), w.Enter("xmode")
			if !first.OK || !second.OK {
				t.Errorf("%+v %+v", first, second)
			}
			_ = w.Close()
		}
		entries, _ := b.disk.ReadDir("/home/ws/modes/sessions/xmode")
		if len(entries) != 2 { // the one entered, and the one that would have followed it
			t.Errorf("%d sessions: %v", len(entries), entries)
		}
	})
}
