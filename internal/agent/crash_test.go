package agent_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"homebot/internal/contextmode"
	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/internal/store/storetest"
)

// say1 runs one turn on a kitchen and acknowledges it when it was saved.
func ackTurn(k *kitchen, words string, steps ...step) {
	res := k.turn(words, steps...)
	if res.Err == nil || !strings.HasPrefix(res.Err.Code, "disk_") {
		k.disk.(*storetest.Disk).Ack(words)
	}
}

// A story that a power cut may end anywhere: setup is durable, run is crashed.
type story struct {
	name       string
	setup, run func(k *kitchen)
}

var stories = []story{
	{
		"enter",
		func(*kitchen) {},
		func(k *kitchen) { ackTurn(k, "打开做饭模式", enter("cooking"), say("好。")) },
	},
	{
		"turn",
		func(k *kitchen) { ackTurn(k, "打开做饭模式", enter("cooking"), say("好。")) },
		func(k *kitchen) { ackTurn(k, "两个人吃"); ackTurn(k, "下一步") },
	},
	{
		"exit",
		func(k *kitchen) {
			ackTurn(k, "打开做饭模式", enter("cooking"), say("好。"))
			ackTurn(k, "两个人吃")
		},
		func(k *kitchen) { ackTurn(k, "退出做饭模式", exit(), say("再见。")) },
	},
	{
		"begin anew",
		func(k *kitchen) { ackTurn(k, "打开做饭模式", enter("cooking"), say("好。")) },
		func(k *kitchen) { ackTurn(k, "重新打开做饭模式", enter("cooking"), say("重新开始。")) },
	},
	{
		"expire",
		func(k *kitchen) { ackTurn(k, "打开做饭模式", enter("cooking"), say("好。")) },
		func(k *kitchen) {
			k.clock = evening.AddDate(0, 0, 1)
			ackTurn(k, "早上好")
		},
	},
	{
		"normal",
		func(*kitchen) {},
		func(k *kitchen) { ackTurn(k, "你好"); ackTurn(k, "再见") },
	},
	{
		"cut", // the second turn cuts the conversation before its request
		func(k *kitchen) {
			useTable(k.t, k, tight)
			k.model.unbilled = true
			ackTurn(k, "打开做饭模式", enter("cooking"), say("好。"))
			ackTurn(k, "花生过敏", call("note_fact", map[string]string{"kind": "allergy", "text": "花生过敏"}), say("记下了。"))
			for i := range 5 {
				ackTurn(k, long(i))
			}
			if n := len(k.modeCuts()); n != 0 {
				k.t.Fatalf("%d cuts too early", n)
			}
		},
		func(k *kitchen) {
			ackTurn(k, strings.Repeat(long(7), 4))
			ackTurn(k, strings.Repeat(long(8), 4))
		},
	},
}

// invariants of a workspace after recovery (S3).
func invariants(k *kitchen, acked []string) error {
	counts, err := wordCounts(k)
	if err != nil {
		return err
	}
	for _, words := range acked {
		if counts[words] == 0 {
			return fmt.Errorf("acknowledged turn %q is lost", words)
		}
	}
	for words, n := range counts {
		if n > 1 && words != "重新打开做饭模式" {
			return fmt.Errorf("turn %q is there %d times", words, n)
		}
	}
	return errors.Join(modeInvariants(k), cutInvariants(k))
}

// cutInvariants: every cut record that can be read is in force, of turns that are there,
// and carries the pinned fact (C20, C6).
func cutInvariants(k *kitchen) error {
	for id, records := range k.modeRecords() {
		lines, _, err := store.ReadLog(k.disk, filepath.Join(workspace, "modes", "sessions", "cooking", id, "context.jsonl"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		// A record whose sync never returned may be torn: no request was sent
		// with it, and it is passed over.
		cuts, _ := contextmode.ParseCuts(lines)
		v := contextmode.Fold(make([]contextmode.Turn, len(records)), cuts)
		if v.Ignored > 0 {
			return fmt.Errorf("%d cut records contradict the log", v.Ignored)
		}
		if v.Applied > 0 && !slices.Contains(v.Facts, "花生过敏") {
			return fmt.Errorf("the pinned fact is lost: %q", v.Facts)
		}
	}
	return nil
}

// modeInvariants: action.json and the sessions agree: one open session when
// active, none otherwise; every ended one has its summary.
func modeInvariants(k *kitchen) error {
	a := k.action()
	for id, records := range k.modeRecords() {
		ended := len(records) > 0 && last(records).Exit != nil
		current := a["active"] == true && a["session_id"] == id
		hasSummary := k.read("modes", "sessions", "cooking", id, "summary.md") != ""
		indexed := strings.Count(k.read("cooking", "history.md"), id)
		switch {
		case ended && indexed != 1, !ended && indexed != 0:
			return fmt.Errorf("session %s, ended %v, is %d times in the index", id, ended, indexed)
		case ended && current:
			return fmt.Errorf("session %s has ended and is active", id)
		case ended && !hasSummary:
			return fmt.Errorf("session %s has ended without a summary", id)
		case !ended && !current && len(records) > 0:
			return fmt.Errorf("session %s is neither active nor ended", id)
		case !ended && hasSummary:
			return fmt.Errorf("session %s has a summary and no end", id)
		}
	}
	if a["active"] == true {
		dir := a["session_dir"].(string)
		for _, f := range []string{"system_prompt.md", "tools.json"} {
			if data, err := k.disk.ReadFile(filepath.Join(dir, f)); err != nil || len(data) == 0 {
				return fmt.Errorf("active session lacks %s", f)
			}
		}
	}
	return nil
}

// wordCounts counts the user's words over all logs; the two records that R11
// shares an id between count once.
func wordCounts(k *kitchen) (map[string]int, error) {
	counts := map[string]int{}
	ids := map[string]bool{}
	err := walk(k.disk, workspace, func(path string) error {
		if !strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, "context.jsonl") {
			return nil
		}
		records, report, err := conversation.Load(k.disk, path)
		if err != nil || report.BadRecords > 0 || report.Repeats > 0 {
			return fmt.Errorf("%s: %+v %w", path, report, err)
		}
		for _, r := range records {
			if !ids[r.ID] {
				counts[r.User]++
			}
			ids[r.ID] = true
		}
		return nil
	})
	return counts, err
}

func walk(fsys store.FS, dir string, visit func(string) error) error {
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			err = walk(fsys, path, visit)
		} else {
			err = visit(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// recovered starts a new process on what a crash left, and goes on talking.
func recovered(t *testing.T, s story, c storetest.Crash) error {
	k := &kitchen{t: t, disk: c.Disk, model: &model{}, clock: evening.Add(0)}
	if s.name == "expire" {
		k.clock = evening.AddDate(0, 0, 1)
	}
	k.turns = 100
	if err := k.tryRestart(); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	if err := invariants(k, c.Acked); err != nil {
		return err
	}
	active := k.action()["active"] == true
	if slices.Contains(c.Acked, "打开做饭模式") && s.name == "turn" && !active {
		return errors.New("the mode was lost")
	}
	res := k.turn("恢复后的一句话")
	if res.Err != nil {
		return fmt.Errorf("next turn: %+v", res.Err)
	}
	return invariants(k, append(slices.Clone(c.Acked), "恢复后的一句话"))
}

// begin is a kitchen on an empty disk in which the story's setup has happened.
func (s story) begin(t *testing.T, d *storetest.Disk) (*kitchen, error) {
	k := &kitchen{t: t, disk: d, model: &model{}, clock: evening}
	if err := store.MkdirAll(d, "/home", 0o755); err != nil {
		return k, err
	}
	if err := k.tryRestart(); err != nil {
		return k, err
	}
	s.setup(k)
	return k, nil
}

// S1, S2, S3, R46, C20: a power cut at any instant of entering, talking, leaving,
// beginning anew, expiring or cutting loses no acknowledged turn, leaves no half mode,
// and needs nobody to repair it.
func TestCrashStates(t *testing.T) {
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			var k *kitchen
			n := storetest.EachCrash(t,
				func(d *storetest.Disk) (err error) { k, err = s.begin(t, d); return err },
				func(*storetest.Disk) error { s.run(k); return nil },
				func(c storetest.Crash) error { return recovered(t, s, c) })
			t.Logf("%d crash states", n)
			if n < 10 {
				t.Errorf("only %d states: the story writes nothing", n)
			}
			if s.name == "cut" && len(k.modeCuts()) == 0 {
				t.Error("the story cuts nothing")
			}
		})
	}
}

// S2, S3: any operation may fail with EIO or ENOSPC: the turn is then reported
// as not saved, or is saved; nothing acknowledged is lost or doubled.
func TestFaults(t *testing.T) {
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			var k *kitchen
			n := storetest.EachFault(t,
				func(d *storetest.Disk) (err error) { k, err = s.begin(t, d); return err },
				func(*storetest.Disk) error { s.run(k); return nil },
				func(c storetest.Crash) error { return recovered(t, s, c) })
			t.Logf("%d faults", n)
		})
	}
}

// A disk that refuses is told in one sentence, and the model is not claimed to
// have been heeded.
func TestDiskRefuses(t *testing.T) {
	for _, c := range []struct {
		err  error
		code string
	}{{errFull, "disk_full"}, {errReadOnly, "disk_readonly"}, {errIO, "disk_failed"}} {
		t.Run(c.code, func(t *testing.T) {
			d := newDisk()
			k := newKitchen(t, d)
			k.turn("你好")
			d.FailFrom(d.Ops(), c.err)
			res := k.turn("打开做饭模式", enter("cooking"), say("已经打开了。"))
			if code(res) != c.code || res.Err.Text == "" {
				t.Errorf("got %+v", res)
			}
			d.FailFrom(0, nil)
			if k.action()["active"] != false {
				t.Error("the mode is active")
			}
			if res := k.turn("再说一次"); res.Err != nil {
				t.Errorf("after the disk is well again: %+v", res.Err)
			}
		})
	}
}
