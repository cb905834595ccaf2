package modes_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/store/storetest"
	"homebot/modes"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Skipf("no time zone data: %v", err)
	}
	return loc
}

// oddZones change their clocks at or near midnight.
var oddZones = []string{"America/Santiago", "America/Havana", "Asia/Beirut", "Africa/Cairo", "Australia/Lord_Howe", "Asia/Shanghai"}

// R48: 00:10 of the day after the date of entry, by the calendar; where that time
// does not exist, an hour later; never 23:10 of the day before.
func TestExpiresAt(t *testing.T) {
	cst := time.FixedZone("CST", 8*3600)
	for _, c := range []struct{ entered, hhmm, want string }{
		{"2026-10-22T19:55:00", "00:10", "2026-10-23T00:10:00"},
		{"2026-10-23T00:05:00", "00:10", "2026-10-24T00:10:00"},
		{"2026-10-22T23:59:59", "00:10", "2026-10-23T00:10:00"},
		{"2026-12-31T12:00:00", "06:30", "2027-01-01T06:30:00"},
		{"2028-02-28T12:00:00", "00:10", "2028-02-29T00:10:00"},
	} {
		in, _ := time.ParseInLocation("2006-01-02T15:04:05", c.entered, cst)
		if got := modes.ExpiresAt(in, c.hhmm).Format("2006-01-02T15:04:05"); got != c.want {
			t.Errorf("%s: %s, want %s", c.entered, got, c.want)
		}
	}
	for _, name := range oddZones {
		loc := zone(t, name)
		odd := 0
		for day := time.Date(2026, 1, 1, 12, 0, 0, 0, loc); day.Year() == 2026; day = day.AddDate(0, 0, 1) {
			at := modes.ExpiresAt(day, "00:10")
			next := day.AddDate(0, 0, 1)
			if at.Day() != next.Day() || at.Minute() != 10 || at.Hour() > 1 || !at.After(day) {
				t.Fatalf("%s: entered %s, expires %s", name, day, at)
			}
			if at.Hour() == 1 {
				odd++
			}
		}
		if want := map[string]int{"America/Santiago": 1, "America/Havana": 1, "Asia/Beirut": 1, "Africa/Cairo": 1}[name]; odd != want {
			t.Errorf("%s: %d days without 00:10, want %d", name, odd, want)
		}
	}
	// The seed's own day in Santiago: 2026-09-06 has no 00:10.
	loc := zone(t, "America/Santiago")
	if got := modes.ExpiresAt(time.Date(2026, 9, 5, 20, 0, 0, 0, loc), "00:10").Format(time.RFC3339); got != "2026-09-06T01:10:00-03:00" {
		t.Errorf("Santiago: %s", got)
	}
}

// R49: the job runs on 365 of 365 days, also where 00:10 does not exist, once a
// day, right after the expiry; cron runs it by the monotonic clock of a bubble
// whose calendar is another one.
func TestExpiryRunsEveryDay(t *testing.T) {
	for _, name := range oddZones {
		t.Run(name, func(t *testing.T) {
			loc := zone(t, name)
			synctest.Test(t, func(t *testing.T) {
				start := time.Date(2026, 1, 1, 12, 0, 0, 0, loc)
				offset := time.Until(start)
				now := func() time.Time { return time.Now().Add(offset).In(loc) }
				var mu sync.Mutex // each job has a goroutine
				days := map[string]int{}
				e := modes.NewExpiry(now, func() []string { return []string{"00:10"} }, func(context.Context) {
					mu.Lock()
					defer mu.Unlock()
					at := now()
					days[at.Format("2006-01-02")]++
					want := modes.ExpiresAt(time.Date(at.Year(), at.Month(), at.Day()-1, 12, 0, 0, 0, loc), "00:10")
					if late := at.Sub(want); late <= 0 || late > 2*time.Second {
						t.Errorf("ran at %s, the mode expired at %s", at, want)
					}
				})
				ctx, cancel := context.WithCancel(context.Background())
				done := make(chan error)
				go func() { done <- e.Run(ctx) }()
				time.Sleep(365*24*time.Hour + time.Hour)
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
				if len(days) != 365 {
					t.Errorf("%d days", len(days))
				}
				for day, n := range days {
					if n != 1 {
						t.Errorf("%s: %d times", day, n)
					}
				}
			})
		})
	}
}

// R49: modes with times of their own have jobs of their own, also one that came
// later.
func TestExpiryOfSeveralModes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loc := time.UTC
		offset := time.Until(time.Date(2026, 3, 1, 12, 0, 0, 0, loc))
		now := func() time.Time { return time.Now().Add(offset).In(loc) }
		var mu sync.Mutex // each job has a goroutine
		times := []string{"00:10"}
		var ran []string
		e := modes.NewExpiry(now, func() []string { mu.Lock(); defer mu.Unlock(); return times }, func(context.Context) {
			mu.Lock()
			defer mu.Unlock()
			ran = append(ran, now().Format("02 15:04:05"))
		})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- e.Run(ctx) }()
		time.Sleep(time.Hour)
		synctest.Wait()
		mu.Lock()
		times = []string{"00:10", "22:30"}
		mu.Unlock()
		e.Rebuild()
		e.Rebuild()
		time.Sleep(24 * time.Hour)
		cancel()
		<-done
		if len(ran) != 2 || ran[0] != "01 22:30:01" || ran[1] != "02 00:10:01" {
			t.Errorf("ran %v", ran)
		}
	})
}

// bench is a manager on a disk in memory, with a calendar that can be set.
type bench struct {
	t       testing.TB
	disk    *storetest.Disk
	m       *modes.Manager
	offset  time.Duration
	synced  bool
	uptime  time.Duration
	stepped []time.Duration
	built   time.Time
	ended   map[string]string // session id → reason, as the plugin was told
}

func newBench(t testing.TB) *bench {
	b := &bench{t: t, disk: storetest.New("/home"), synced: true, uptime: time.Hour}
	b.offset = time.Until(time.Date(2026, 10, 22, 19, 55, 0, 0, zone(t, "Asia/Shanghai")))
	b.restart()
	return b
}

func (b *bench) now() time.Time {
	return time.Now().Add(b.offset).In(zone(b.t, "Asia/Shanghai")).Round(0)
}

// step sets the wall clock.
func (b *bench) step(by time.Duration) { b.offset += by }

func (b *bench) restart() {
	b.t.Helper()
	r := registry("")
	if b.ended == nil {
		b.ended = map[string]string{}
	}
	r.Plugins[0].AfterExit = func(_ context.Context, s modes.Scope, e modes.Ended) error {
		b.ended[s.SessionID] = e.Reason
		return nil
	}
	b.m = modes.New(modes.Config{
		FS: b.disk, Workspace: "/home/ws", Registry: r, Now: b.now, Built: b.built, Logger: slog.New(slog.DiscardHandler),
		Freeze: func(m modes.Mode, static string) modes.Frozen {
			return modes.Frozen{System: "system " + m.ID + static, Tools: []byte(frozenTools)}
		},
		Boot:         modes.Boot{Synchronised: func() bool { return b.synced }, Uptime: func() time.Duration { return b.uptime }},
		ClockStepped: func(by time.Duration) { b.stepped = append(b.stepped, by) },
	})
	if err := b.m.Recover(); err != nil {
		b.t.Fatalf("recover: %v", err)
	}
}

// turn is one turn in the active mode; enter makes it enter the built-in one.
func (b *bench) turn(words string, enter bool) {
	b.t.Helper()
	s, err := b.m.Current()
	if err != nil {
		b.t.Fatal(err)
	}
	w := b.m.Begin(s, words, "zh")
	if enter {
		if r := w.Enter("xmode"); !r.OK {
			b.t.Fatalf("enter: %+v", r)
		}
	}
	_, err = w.Finish(conversation.Record{Timestamp: b.now(), Channel: "voice", ChatID: "c", SpeakerID: "guest", User: words, Assistant: "好", ID: conversation.NewID()})
	if err != nil {
		b.t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) active() modes.Action {
	b.t.Helper()
	a, err := b.m.Active()
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

func (b *bench) settle() {
	b.t.Helper()
	s, err := b.m.Current()
	if err != nil {
		b.t.Fatal(err)
	}
	if s != nil {
		_ = s.Close()
	}
}

// R51: a session entered before the first synchronisation of this boot moves with
// the clock, whoever notices the jump first; its id and its lines stay.
func TestFirstSynchronisation(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			b.synced, b.uptime = false, 30*time.Second
			b.restart()
			b.turn("打开某模式", true)
			before := b.active()
			time.Sleep(3 * time.Minute)
			b.uptime += 3 * time.Minute
			if restarted {
				b.restart()
			}
			b.step(40 * 24 * time.Hour)
			b.synced = true
			b.turn("下一句", false) // sees the jump before the watcher does
			a := b.active()
			if a.SessionID != before.SessionID || !a.Active {
				t.Fatalf("%+v", a)
			}
			if want := before.StartedAt.Add(40 * 24 * time.Hour); !a.StartedAt.Equal(want) || !a.ExpiresAt.Equal(modes.ExpiresAt(want, "00:10")) {
				t.Errorf("started %s, expires %s, want %s", a.StartedAt, a.ExpiresAt, want)
			}
			if len(b.stepped) != 1 || b.stepped[0].Round(time.Second) != 40*24*time.Hour {
				t.Errorf("steps %v", b.stepped)
			}
			b.step(24 * time.Hour) // not the first: the mode is over
			b.settle()
			if a := b.active(); a.Active || a.ExitReason != "expired" {
				t.Errorf("after the second jump %+v", a)
			}
		})
	}
}

// R51: what a jump does not move: a session of an earlier boot, one entered when
// the clock was right, and any by a jump of less than a minute.
func TestJumpsThatMoveNothing(t *testing.T) {
	for name, prepare := range map[string]func(*bench) time.Duration{
		"earlier boot": func(b *bench) time.Duration {
			b.turn("打开某模式", true)
			time.Sleep(10 * time.Minute)
			b.synced, b.uptime = false, time.Minute
			b.restart()
			return 2 * time.Hour
		},
		"synchronised": func(b *bench) time.Duration {
			b.turn("打开某模式", true)
			return 2 * time.Hour
		},
		"small": func(b *bench) time.Duration {
			b.synced = false
			b.restart()
			b.turn("打开某模式", true)
			return 50 * time.Second
		},
		"set before by someone": func(b *bench) time.Duration {
			b.synced = false
			b.restart()
			b.turn("打开某模式", true)
			b.synced = true // without a jump
			if err := b.m.CheckClock(); err != nil {
				b.t.Fatal(err)
			}
			return 2 * time.Hour
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				jump := prepare(b)
				before := b.active()
				b.step(jump)
				if err := b.m.CheckClock(); err != nil {
					t.Fatal(err)
				}
				if a := b.active(); !a.StartedAt.Equal(before.StartedAt) || !a.ExpiresAt.Equal(before.ExpiresAt) {
					t.Errorf("moved from %v to %v", before, a)
				}
				if len(b.stepped) != 1 {
					t.Errorf("told %v", b.stepped)
				}
			})
		})
	}
}

// R51: no jump is seen where none was: a quiet day tells nothing.
func TestNoJump(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		for range 100 {
			time.Sleep(10 * time.Second)
			if err := b.m.CheckClock(); err != nil {
				t.Fatal(err)
			}
		}
		if len(b.stepped) != 0 {
			t.Errorf("steps %v", b.stepped)
		}
	})
}

// R51: while the clock is surely behind nothing expires: before the build, before
// the entry, before the last record. Then now > expires_at is enough.
func TestNothingExpiresOnAWrongClock(t *testing.T) {
	for name, c := range map[string]struct {
		back    time.Duration // from a day after the expiry
		built   time.Duration // relative to the entry
		expired bool
	}{
		"right clock":       {0, -time.Hour, true},
		"before the build":  {0, 90 * 24 * time.Hour, false},
		"before the entry":  {3 * 24 * time.Hour, -time.Hour, false},
		"before the record": {36*time.Hour + 10*time.Minute, -time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.turn("打开某模式", true)
				entered := b.now()
				time.Sleep(time.Hour)
				b.turn("一小时后", false)
				b.built = entered.Add(c.built)
				b.step(36*time.Hour - c.back)
				b.restart()
				if a := b.active(); a.Active == c.expired {
					t.Errorf("active is %v at %s", a.Active, b.now())
				}
			})
		})
	}
}

// R49: off at 00:10, the exit is made up at start, once, with its reason and the
// whole dialogue, and the user is told with the next turn only.
func TestCatchUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.turn("打开某模式", true)
		b.turn("记住这句", false)
		id := b.active().SessionID
		time.Sleep(12 * time.Hour)
		b.restart()
		b.restart()
		if a := b.active(); a.Active || a.ExitReason != "expired" {
			t.Errorf("%+v", a)
		}
		all, err := modes.Archive{FS: b.disk, Workspace: "/home/ws"}.List("")
		if err != nil || len(all) != 1 || all[0].SessionID != id || all[0].Reason != "expired" || all[0].Source != "auto" {
			t.Fatalf("%+v %v", all, err)
		}
		turns, _ := modes.Archive{FS: b.disk, Workspace: "/home/ws"}.Turns(all[0])
		if len(turns) != 2 {
			t.Errorf("%d turns", len(turns))
		}
	})
}
