package agent_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"homebot/internal/agent"
	"homebot/internal/store"
	"homebot/voice"
)

// A member's USER.md goes to the model: one that is a link, or lies behind one,
// is not read; a real one is.
func TestUserFileIsNoLink(t *testing.T) {
	ws, outside := t.TempDir(), t.TempDir()
	k := &kitchen{t: t, disk: store.OS(), model: &model{}, clock: evening, config: func(c *agent.Config) { c.Workspace = ws }}
	k.restart()
	write := func(path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("SECRET of "+path), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "USER.md"))
	write(filepath.Join(ws, "members", "real", "USER.md"))
	write(filepath.Join(ws, "inside.md"))
	write(filepath.Join(ws, "members", "linked", "x"))
	write(filepath.Join(ws, "members", "within", "x"))
	for link, to := range map[string]string{
		"linked/USER.md": filepath.Join(outside, "USER.md"), "within/USER.md": "../../inside.md", "folder": outside, "alias": "real",
	} {
		if err := os.Symlink(to, filepath.Join(ws, "members", link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, who := range []string{"real", "linked", "within", "folder", "alias"} {
		k.handle(voice.Turn{Channel: voice.ChannelText, Speaker: who, Text: "你好"}, &reply{})
		got := strings.Contains(last(k.model.requests).Messages[0].Content, "SECRET")
		if got != (who == "real") {
			t.Errorf("%s: read %v", who, got)
		}
	}
}

// noSummary is a disk on which summary.md cannot be written, while full.
type noSummary struct {
	store.FS
	full bool
}

func (d *noSummary) OpenFile(name string, flag int, perm fs.FileMode) (store.File, error) {
	if d.full && strings.Contains(name, "summary.md") {
		return nil, errFull
	}
	return d.FS.OpenFile(name, flag, perm)
}

// S1, R46: a turn that is on disk is not said not to be, whatever of its exit is
// still to be done; that is made up before the next turn.
func TestSavedIsNotSaidToBeLost(t *testing.T) {
	d := &noSummary{FS: newDisk()}
	k := newKitchen(t, d)
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	d.full = true
	if res := k.turn("退出做饭模式", exit(), say("再见。")); res.Err != nil || res.Reply != "再见。" {
		t.Errorf("%q %+v", res.Reply, res.Err)
	}
	d.full = false
	if res := k.turn("你好"); res.Err != nil || res.Mode != nil {
		t.Errorf("%+v", res)
	}
	if id, records := k.session(); last(records).User != "退出做饭模式" || k.read("modes", "sessions", "cooking", id, "summary.md") == "" {
		t.Error("the exit was not made up")
	}
}
