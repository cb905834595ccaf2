package agent_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/agent"
	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/modes"
)

// week is a kitchen that lives for days inside a bubble, with a calendar that
// can be set.
type week struct {
	*kitchen
	loc    *time.Location
	offset atomic.Int64 // of the calendar, in nanoseconds
	synced atomic.Bool
	stop   func()
}

func newWeek(t *testing.T, start time.Time) *week {
	w := &week{kitchen: &kitchen{t: t, disk: newDisk(), model: &model{}}, loc: start.Location()}
	w.synced.Store(true)
	w.offset.Store(int64(time.Until(start)))
	w.config = func(c *agent.Config) {
		twoModes(c)
		c.Now = w.now
		c.Boot = modes.Boot{Synchronised: func() bool { return w.synced.Load() }}
	}
	w.on()
	return w
}

func (w *week) now() time.Time {
	return time.Now().Add(time.Duration(w.offset.Load())).In(w.loc).Round(0)
}

// on switches the device on, off switches it off.
func (w *week) on() {
	w.restart()
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = w.agent.Run(ctx) })
	w.stop = func() { cancel(); all.Wait() }
}

func (w *week) off() { w.stop() }

// until sleeps until a time of day, today or tomorrow.
func (w *week) until(hour, minute int) {
	now := w.now()
	at := time.Date(now.Year(), now.Month(), now.Day(), hour, minute, 0, 0, w.loc)
	if !at.After(now) {
		at = time.Date(now.Year(), now.Month(), now.Day()+1, hour, minute, 0, 0, w.loc)
	}
	time.Sleep(at.Sub(now))
	synctest.Wait()
}

func (w *week) want(when string, active bool, reason any) {
	w.t.Helper()
	a := w.action()
	if a["active"] != active || !active && a["exit_reason"] != reason {
		w.t.Errorf("%s (%s): active %v, reason %v", when, w.now().Format(time.RFC3339), a["active"], a["exit_reason"])
	}
}

func (w *week) header() string { return last(last(w.model.requests).Messages).Content }

// R48, R49, R51, R35: a week around the night on which the clocks change: a
// session over midnight, one entered after midnight, a device that is off at
// 00:10, one whose clock is behind until the network comes, and a quiet day.
func TestSimulatedWeek(t *testing.T) {
	for name, day := range map[string]time.Time{
		"America/Santiago": time.Date(2026, 9, 3, 0, 0, 0, 0, time.UTC), "America/Havana": time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC),
		"Asia/Beirut": time.Date(2026, 3, 26, 0, 0, 0, 0, time.UTC), "Africa/Cairo": time.Date(2026, 4, 21, 0, 0, 0, 0, time.UTC),
		"Australia/Lord_Howe": time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), "Asia/Shanghai": time.Date(2026, 10, 22, 0, 0, 0, 0, time.UTC),
	} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Skipf("no time zone data: %v", err)
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWeek(t, time.Date(day.Year(), day.Month(), day.Day(), 19, 0, 0, 0, loc))
				defer func() { w.off() }()
				w.overMidnight()
				w.everyEvening(2)
				w.offAtExpiry()
				w.clockBehind()
				w.archiveIsWhole()
			})
		})
	}
}

func (w *week) overMidnight() {
	w.until(23, 50)
	w.turn("打开做饭模式", enter("cooking"), say("好。"))
	w.turn("炖上")
	w.until(0, 5)
	w.turn("还在炖")
	if h := w.header(); !strings.Contains(h, "[date: ") || !strings.Contains(h, "[session_dir: ") {
		w.t.Errorf("the first turn after midnight: %q", h)
	}
	w.want("before the expiry", true, nil)
	time.Sleep(6 * time.Minute)
	synctest.Wait()
	w.want("after the expiry", false, "expired")
	w.turn("关火了吗")
	if h := w.header(); !strings.Contains(h, "[做饭模式已于 00:10 自动结束，已归档]") {
		w.t.Errorf("the first turn after the exit: %q", h)
	}
	w.turn("打开做饭模式", enter("cooking"), say("好。")) // shortly after midnight: until tomorrow night
	w.until(12, 0)
	w.want("noon", true, nil)
	w.turn("中午好")
}

// everyEvening leaves a mode on each evening; each night it ends.
func (w *week) everyEvening(days int) {
	for range days {
		w.until(20, 0)
		if w.action()["active"] != true {
			w.turn("打开做饭模式", enter("cooking"), say("好。"))
		}
		w.turn("吃饭了")
		w.until(2, 0)
		w.want("at night", false, "expired")
	}
}

func (w *week) offAtExpiry() {
	w.until(20, 0)
	w.turn("打开做饭模式", enter("cooking"), say("好。"))
	w.off()
	w.until(8, 0)
	if w.action()["active"] != true {
		w.t.Error("somebody ended the mode while the device was off")
	}
	w.on()
	w.want("switched on", false, "expired")
}

// clockBehind: a power cut, a clock that is 40 days behind, then the network.
func (w *week) clockBehind() {
	w.until(18, 0)
	w.off()
	w.offset.Add(-int64(40 * 24 * time.Hour))
	w.synced.Store(false)
	w.on()
	w.turn("打开做饭模式", enter("cooking"), say("好。"))
	id := w.action()["session_id"]
	w.turn("钟不对")
	time.Sleep(10 * time.Minute)
	w.offset.Add(int64(40 * 24 * time.Hour))
	w.synced.Store(true)
	w.turn("网来了")
	a := w.action()
	if a["active"] != true || a["session_id"] != id {
		w.t.Errorf("the session was lost with the clock: %v", a)
	}
	started, _ := time.Parse(time.RFC3339, a["started_at"].(string))
	if late := w.now().Sub(started); late < 9*time.Minute || late > 15*time.Minute {
		w.t.Errorf("started %s, now %s", started, w.now())
	}
	w.until(2, 0)
	w.want("the night after", false, "expired")
}

// archiveIsWhole: every session has its end, summary and one index line.
func (w *week) archiveIsWhole() {
	if err := archived(w.kitchen); err != nil {
		w.t.Error(err)
	}
	all, err := modes.Archive{FS: w.disk, Workspace: workspace}.List("cooking")
	if err != nil || len(all) < 5 {
		w.t.Errorf("%d sessions: %v", len(all), err)
	}
	for _, f := range all {
		if f.Reason != "expired" {
			w.t.Errorf("%s: %s", f.SessionID, f.Reason)
		}
	}
}

// R43: what a frozen session holds after a week is readable by another program:
// every line is one JSON object with the keys in their order.
func TestLogLinesOfAWeek(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeek(t, time.Date(2026, 10, 22, 19, 0, 0, 0, evening.Location()))
		w.everyEvening(1)
		w.off()
		for id := range w.modeRecords() {
			lines, report, err := store.ReadLog(w.disk, filepath.Join(workspace, "modes/sessions/cooking", id, "conversation.jsonl"))
			if err != nil || !report.Clean() || len(lines) != 3 {
				t.Fatalf("%v %+v %d lines", err, report, len(lines))
			}
			for _, l := range lines {
				if _, err := conversation.ParseLine(l); err != nil || !strings.HasPrefix(string(l), `{"timestamp":"2026-10-2`) {
					t.Errorf("%v: %s", err, l)
				}
			}
			if want := fmt.Sprintf(`"exit":{"reason":"%s"}`, "expired"); !strings.Contains(string(lines[2]), want) || !strings.Contains(string(lines[2]), `"channel":"system"`) {
				t.Errorf("last line %s", lines[2])
			}
		}
	})
}
