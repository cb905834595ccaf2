package timers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/store/storetest"
	"homebot/skills"
)

const workspace = "/home/kitchen"

// machine has the clocks of a device: its wall clock can be set, and every boot
// begins a new count.
type machine struct {
	disk   *storetest.Disk
	offset atomic.Int64 // of the wall clock to true time, in nanoseconds
	zone   *time.Location
	boots  int
	bootAt time.Time
	onRing func([]Timer)
}

func newMachine() *machine {
	return &machine{disk: storetest.New("/home"), zone: time.UTC, boots: 1, bootAt: time.Now()}
}

func (m *machine) now() time.Time {
	return time.Now().Add(time.Duration(m.offset.Load())).In(m.zone)
}

// shift sets the wall clock by d.
func (m *machine) shift(d time.Duration) { m.offset.Add(int64(d)) }

func (m *machine) reboot() { m.boots++; m.bootAt = time.Now() }

func (m *machine) open(t testing.TB) *Book {
	t.Helper()
	b, err := Open(Config{
		FS: m.disk, Workspace: workspace, Now: m.now,
		Uptime: func() (string, time.Duration) { return fmt.Sprint("boot", m.boots), time.Since(m.bootAt) },
		Ring: func(_ context.Context, ringing []Timer) {
			if m.onRing != nil {
				m.onRing(ringing)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// running runs b until the returned function is called, as a kill would end it.
func running(b *Book) (kill func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { _ = b.Run(ctx); close(done) }()
	return func() { cancel(); <-done }
}

func mustSet(t testing.TB, b *Book, o Order) Timer {
	t.Helper()
	timer, err := b.Set(o)
	if err != nil {
		t.Fatal(err)
	}
	return timer
}

// V9: a timer rings when its time is up, neither early nor lost over a restart of
// the program, whatever the wall clock does meanwhile; an alarm follows it.
func TestClockStepsAndRestarts(t *testing.T) {
	for _, c := range []struct {
		name   string
		order  func(m *machine) Order
		during func(t *testing.T, m *machine, kill func()) (restart bool)
		want   time.Duration // true time from setting to ringing
	}{
		{"a timer", func(*machine) Order { return Order{Span: 10 * time.Minute} }, nil, 10 * time.Minute},
		{"the clock is set forward", func(*machine) Order { return Order{Span: 10 * time.Minute} },
			func(_ *testing.T, m *machine, _ func()) bool { m.shift(5 * time.Hour); return false }, 10 * time.Minute},
		{"the clock is set back", func(*machine) Order { return Order{Span: 10 * time.Minute} },
			func(_ *testing.T, m *machine, _ func()) bool { m.shift(-5 * time.Hour); return false }, 10 * time.Minute},
		{"killed, and the clock is set", func(*machine) Order { return Order{Span: 10 * time.Minute} },
			func(_ *testing.T, m *machine, kill func()) bool { kill(); m.shift(5 * time.Hour); return true }, 10 * time.Minute},
		{"killed and started again", func(*machine) Order { return Order{Span: 10 * time.Minute} },
			func(_ *testing.T, _ *machine, kill func()) bool { kill(); time.Sleep(time.Minute); return true }, 10 * time.Minute},
		{"killed over its end", func(*machine) Order { return Order{Span: 10 * time.Minute} },
			func(_ *testing.T, _ *machine, kill func()) bool { kill(); time.Sleep(20 * time.Minute); return true }, 21 * time.Minute},
		{"a power cut", func(*machine) Order { return Order{Span: 10 * time.Minute} },
			func(_ *testing.T, m *machine, kill func()) bool {
				kill()
				time.Sleep(2 * time.Minute)
				m.reboot()
				return true
			}, 10 * time.Minute},
		{"an alarm", func(m *machine) Order { return Order{At: m.now().Add(10 * time.Minute)} }, nil, 10 * time.Minute},
		{"an alarm and a clock set forward", func(m *machine) Order { return Order{At: m.now().Add(10 * time.Minute)} },
			func(_ *testing.T, m *machine, _ func()) bool { m.shift(4 * time.Minute); return false }, 6 * time.Minute},
		{"an alarm and a clock set back", func(m *machine) Order { return Order{At: m.now().Add(10 * time.Minute)} },
			func(_ *testing.T, m *machine, _ func()) bool { m.shift(-4 * time.Minute); return false }, 14 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMachine()
				var rang []time.Duration
				began := time.Now()
				m.onRing = func(now []Timer) {
					if len(now) > 0 {
						rang = append(rang, time.Since(began))
					}
				}
				b := m.open(t)
				kill := running(b)
				mustSet(t, b, c.order(m))
				time.Sleep(time.Minute)
				if c.during != nil && c.during(t, m, kill) {
					b = m.open(t)
					kill = running(b)
				}
				time.Sleep(30 * time.Minute)
				kill()
				if len(rang) != 1 || rang[0] < c.want || rang[0] > c.want+look {
					t.Errorf("rang after %v, want once after %v", rang, c.want)
				}
				if c.during == nil && rang[0] > c.want+20*time.Millisecond {
					t.Errorf("rang %v late", rang[0]-c.want)
				}
			})
		})
	}
}

// V9: a ring ends by order or by its limit, and several ring at once; what nobody
// answered, and what was due while the device was off too long, is told once.
func TestRingingAndMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine()
		var heard []string
		m.onRing = func(now []Timer) {
			var names []string
			for _, r := range now {
				names = append(names, r.Label)
			}
			heard = append(heard, strings.Join(names, "+"))
		}
		b := m.open(t)
		kill := running(b)
		mustSet(t, b, Order{Label: "蛋", Lang: "zh", Span: time.Minute})
		mustSet(t, b, Order{Label: "面", Lang: "zh", Span: 61 * time.Second})
		mustSet(t, b, Order{Label: "汤", Lang: "zh", Span: time.Hour})
		time.Sleep(70 * time.Second)
		if rang, err := b.Stop("t1", "t3"); err != nil || len(rang) != 1 || rang[0].Label != "蛋" { // what joined rings on
			t.Fatalf("stopped %v, %v", rang, err)
		}
		time.Sleep(time.Second)
		if rang, err := b.Stop(); err != nil || len(rang) != 1 {
			t.Fatalf("stopped %v, %v", rang, err)
		}
		time.Sleep(time.Hour + RingLimit)
		mustSet(t, b, Order{Label: "饭", Lang: "zh", Span: time.Minute})
		time.Sleep(time.Second)
		kill()
		time.Sleep(5 * time.Hour)
		m.reboot()
		b = m.open(t)
		kill = running(b)
		time.Sleep(time.Second)
		defer func() { kill() }()
		synctest.Wait()
		if got := strings.Join(heard, " "); got != "蛋 蛋+面 面  汤 " {
			t.Errorf("rang %q", got)
		}
		missed, _ := b.Missed()
		if len(missed) != 2 || missed[0].Label != "汤" || !missed[0].Unanswered || missed[1].Label != "饭" || missed[1].Unanswered {
			t.Errorf("missed %+v", missed)
		}
		if err := b.Told(missed); err != nil {
			t.Fatal(err)
		}
		if missed, _ := m.open(t).Missed(); len(missed) != 0 {
			t.Errorf("told and still there: %+v", missed)
		}
	})
}

// V9: a ring goes on after a restart of the program, until the same limit.
func TestRingSurvivesARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine()
		rings := 0
		m.onRing = func(now []Timer) { rings += len(now) }
		b := m.open(t)
		kill := running(b)
		mustSet(t, b, Order{Span: time.Minute})
		time.Sleep(90 * time.Second)
		kill()
		b = m.open(t)
		kill = running(b)
		time.Sleep(time.Second)
		synctest.Wait()
		if l := b.List(); rings != 2 || len(l) != 1 || !l[0].Ringing() {
			t.Errorf("%d rings, %+v", rings, l)
		}
		time.Sleep(RingLimit)
		kill()
		if l := b.List(); len(l) != 0 {
			t.Errorf("still rings: %+v", l)
		}
	})
}

// V9: a ring that the power went off in goes on when it is back, to its limit by the
// clock of that boot, wherever the wall clock of a board without a battery stands
// and whenever it is set; what is too late to help is told instead.
func TestRingSurvivesAPowerCut(t *testing.T) {
	for _, c := range []struct {
		name      string
		off       time.Duration // the power is
		behind    time.Duration // the wall clock is then
		setAfter  time.Duration // it is set so long after the start; 0: never
		wantRings time.Duration // from the start on
	}{
		{"the clock is right", 20 * time.Second, 0, 0, RingLimit},
		{"the clock is behind", 20 * time.Second, 25 * time.Minute, 0, RingLimit},
		{"the clock is behind and set soon", 20 * time.Minute, 25 * time.Minute, 5 * time.Second, RingLimit},
		{"off for longer than a ring", 10 * time.Minute, 0, 0, RingLimit},
		{"off for hours", 5 * time.Hour, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMachine()
				var began, ended time.Time
				b := m.open(t)
				kill := running(b)
				mustSet(t, b, Order{Label: "蛋", Lang: "zh", Span: time.Minute})
				time.Sleep(80 * time.Second)
				kill()
				time.Sleep(c.off)
				m.reboot()
				time.Sleep(30 * time.Second) // it boots
				m.shift(-c.behind)
				m.onRing = func(now []Timer) {
					if len(now) > 0 {
						began = time.Now()
					} else {
						ended = time.Now()
					}
				}
				kill = running(m.open(t))
				time.Sleep(c.setAfter)
				kill() // a restart in the same boot makes it no longer
				b = m.open(t)
				if c.setAfter > 0 {
					m.shift(c.behind)
				}
				start := time.Now().Add(-c.setAfter)
				kill = running(b)
				time.Sleep(40 * time.Minute)
				kill()
				if rang := ended.Sub(start); c.wantRings > 0 && (began.IsZero() || rang < c.wantRings || rang > c.wantRings+time.Second) || c.wantRings == 0 && !began.IsZero() {
					t.Errorf("rang for %v, want %v", rang, c.wantRings)
				}
				if missed, _ := b.Missed(); len(missed) != 1 || !missed[0].Unanswered {
					t.Errorf("missed %+v", missed)
				}
			})
		})
	}
}

// S3, V9: whatever instant the power goes at, a timer that was confirmed is there
// and whole, and nothing else is.
func TestPowerCutAtAnyInstant(t *testing.T) {
	at := time.Date(2026, 10, 22, 19, 55, 0, 0, time.UTC)
	open := func(fs *storetest.Disk) (*Book, error) {
		return Open(Config{FS: fs, Workspace: workspace, Now: func() time.Time { return at }, Uptime: func() (string, time.Duration) { return "b", time.Hour }})
	}
	states := storetest.EachCrash(t, nil, func(d *storetest.Disk) error {
		b, err := open(d)
		if err != nil {
			return err
		}
		for i := range 3 {
			timer, err := b.Set(Order{Label: fmt.Sprint("n", i), Span: time.Minute})
			if err != nil {
				return err
			}
			d.Ack(timer.ID)
		}
		if _, err := b.Cancel("t2"); err != nil {
			return err
		}
		d.Ack("-t2")
		return nil
	}, func(c storetest.Crash) error {
		b, err := open(c.Disk)
		if err != nil {
			return err
		}
		if _, lost := b.Missed(); lost {
			return errors.New("the document was damaged")
		}
		have := map[string]bool{}
		for _, l := range b.List() {
			have[l.ID] = true
		}
		for _, a := range c.Acked {
			if id, gone := strings.CutPrefix(a, "-"); gone && have[id] {
				return fmt.Errorf("%s is back", id)
			} else if !gone && !have[a] && a != "t2" {
				return fmt.Errorf("%s is lost", a)
			}
		}
		return nil
	})
	if states < 10 {
		t.Errorf("only %d crash states", states)
	}
}

// A disk that refuses changes nothing, and the order says so; what was due rings
// all the same.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine()
		rang := 0
		m.onRing = func(now []Timer) { rang += len(now) }
		b := m.open(t)
		defer running(b)()
		mustSet(t, b, Order{Span: time.Minute})
		m.disk.FailFrom(m.disk.Ops(), syscall.ENOSPC)
		if _, err := b.Set(Order{Span: time.Minute}); !errors.Is(err, ErrNotSaved) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("got %v", err)
		}
		if l := b.List(); len(l) != 1 {
			t.Errorf("%d timers, want the first alone", len(l))
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if rang != 1 {
			t.Errorf("rang %d times", rang)
		}
	})
}

// A damaged file is kept aside and told; the device goes on without it.
func TestDamagedFile(t *testing.T) {
	for _, bad := range []string{"{", `{"schema_version":2}`, `{"schema_version":1,"next":1,"timers":[{"id":""}]}`} {
		m := newMachine()
		if err := (document{SchemaVersion: 1, Next: 1}).save(m.disk, workspace); err != nil {
			t.Fatal(err)
		}
		f, err := m.disk.OpenFile(filepath.Join(workspace, File), syscall.O_WRONLY|syscall.O_TRUNC, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write([]byte(bad))
		_ = f.Close()
		d := NewDesk(m.open(t), "zh")
		if s, _ := d.News("zh"); !strings.Contains(s, "坏了") {
			t.Errorf("%s: told %q", bad, s)
		}
		if got := m.disk.Files()[filepath.Join(workspace, File+".damaged")]; got != bad {
			t.Errorf("kept aside %q, want %q", got, bad)
		}
	}
}

// dialogue runs tool calls written as tool{json} and returns what was said.
func dialogue(t *testing.T, d *Desk, lang string, calls ...string) []string {
	t.Helper()
	set := skills.NewSet(d.Tools()...)
	var said []string
	for _, c := range calls {
		name, args, _ := strings.Cut(c, " ")
		tool, ok := set.Lookup(name)
		if !ok {
			t.Fatalf("no tool %s", name)
		}
		var r Result
		if err := json.Unmarshal([]byte(tool.Call(skills.WithLang(t.Context(), lang), json.RawMessage(args))), &r); err != nil {
			t.Fatal(err)
		}
		say := r.Say
		if !r.OK {
			say = r.Reason + ": " + say
		}
		said = append(said, say)
	}
	return said
}

// V9: the golden dialogues: naming, asking, adding, pausing, "which one?", in
// both languages.
func TestDialogues(t *testing.T) {
	for _, c := range []struct {
		lang  string
		calls []string
		want  []string
	}{
		{"zh", []string{
			`set_timer {"minutes":8,"label":"煮鸡蛋"}`, `set_timer {"seconds":600}`, `set_timer {"at":"07:30","label":"起床"}`, `set_timer {}`, `set_timer {"at":"2020-01-01 07:00"}`, `set_timer {"hours":90000}`,
			`list_timers {}`, `change_timer {"action":"add","minutes":5}`, `change_timer {"action":"add","minutes":5,"timer":"鸡蛋"}`, `change_timer {"action":"add","minutes":-20,"timer":"鸡蛋"}`,
			`change_timer {"action":"pause","timer":"十分钟"}`, `change_timer {"action":"resume"}`, `change_timer {"action":"add","minutes":10,"timer":"起床"}`,
			`cancel_timer {}`, `cancel_timer {"timer":"意面"}`, `cancel_timer {"timer":"鸡蛋"}`, `cancel_timer {"all":true}`, `list_timers {}`, `cancel_timer {}`,
		}, []string{
			"好的，煮鸡蛋，定时八分钟。", "好的，定时十分钟。", "好的，起床，明天早上七点三十分响铃。", "no_length: 定多久，或者几点响？", "past: 这个时间已经过了。", "too_long: 最长只能定一年。",
			"现在有：煮鸡蛋还剩八分钟，十分钟的定时还剩十分钟，起床明天早上七点三十分响。", "which_one: 有好几个定时：煮鸡蛋、十分钟的定时、起床。要哪一个？", "煮鸡蛋加了五分钟，还剩十三分钟。", "past: 这个时间已经过了。",
			"定时暂停了，还剩十分钟。", "定时继续走，还剩十分钟。", "起床改到明天早上七点四十分响。",
			"which_one: 有好几个定时：十分钟的定时、煮鸡蛋、起床。要哪一个？", "unknown: 没有叫“意面”的定时。现在有：十分钟的定时还剩十分钟，煮鸡蛋还剩十三分钟，起床明天早上七点四十分响。", "煮鸡蛋取消了。", "全部取消了。", "现在没有定时。", "unknown: 现在没有定时。",
		}},
		{"en", []string{
			`set_timer {"minutes":10,"label":"pasta"}`, `set_timer {"minutes":1.5}`, `set_timer {"at":"07:30"}`,
			`list_timers {}`, `change_timer {"action":"pause"}`, `change_timer {"action":"pause","timer":"the pasta"}`, `change_timer {"action":"resume","timer":"pasta"}`,
			`change_timer {"action":"add","seconds":-60,"timer":"pasta"}`, `cancel_timer {"timer":"t2"}`, `cancel_timer {"timer":"Pasta"}`, `cancel_timer {}`,
		}, []string{
			"Okay, the timer for “pasta” is set: 10 minutes.", "Okay, 1 minute and 30 seconds, starting now.", "Okay, I'll ring at 7:30 in the morning tomorrow.",
			"Set right now: the timer of 1 minute and 30 seconds: 1 minute and 30 seconds left; pasta: 10 minutes left; the alarm: rings at 7:30 in the morning tomorrow.",
			"which_one: There are several: the timer of 1 minute and 30 seconds, pasta. Which one?", "Paused: pasta, with 10 minutes left.", "Going on: pasta, 10 minutes left.",
			"Done, pasta is 1 minute shorter. 9 minutes left.", "Cancelled: the timer.", "Cancelled: pasta.", "Cancelled: the alarm.",
		}},
	} {
		m := newMachine()
		m.shift(time.Until(time.Date(2026, 10, 22, 19, 55, 0, 0, time.UTC)))
		said := dialogue(t, NewDesk(m.open(t), c.lang), c.lang, c.calls...)
		for i, want := range c.want {
			if said[i] != want {
				t.Errorf("%s\n got %s\nwant %s", c.calls[i], said[i], want)
			}
		}
	}
}
