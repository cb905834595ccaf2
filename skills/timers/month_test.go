package timers

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata" // the month has a change to daylight saving time in it
)

// kept is what the kitchen knows of one timer, from outside.
type kept struct {
	Timer
	due       time.Time // true time at which a timer of this boot must ring
	boot      int
	rang      []time.Time // each new ring
	told      int
	stopped   bool
	cancelled bool
	moved     bool // its end was moved by a power cut: only the wall clock counts
}

// month is a kitchen that sets timers for thirty days.
type month struct {
	t     *testing.T
	r     *rand.Rand
	m     *machine
	book  *Book
	kill  func()
	order []string

	mu     sync.Mutex // what the rings share with the kitchen
	ears   *rand.Rand
	all    map[string]*kept
	late   []time.Duration
	events map[string]int
}

// V9, S3: simulated days with hundreds of timers over restarts, kills, power cuts
// and a clock that is set: none lost, none twice, none early; missed ones told
// once.
func TestDays(t *testing.T) { simulate(t, 5, 3) }

// V9, S3: TestDays for a month, with thousands of timers and the change to
// daylight saving time.
func TestMonthSoak(t *testing.T) {
	if os.Getenv("HOMEBOT_SOAK") == "" {
		t.Skip("a minute of work; set HOMEBOT_SOAK (make soak)")
	}
	for seed := range uint64(2) {
		simulate(t, 30, seed)
	}
}

func simulate(t *testing.T, days int, seed uint64) {
	synctest.Test(t, func(t *testing.T) {
		k := &month{t: t, r: rand.New(rand.NewPCG(7, seed)), ears: rand.New(rand.NewPCG(8, seed)), m: newMachine(), all: map[string]*kept{}, events: map[string]int{}}
		zone, err := time.LoadLocation("America/New_York")
		if err != nil {
			t.Fatal(err)
		}
		k.m.zone = zone
		k.m.shift(time.Until(time.Date(2026, 2, 20, 6, 0, 0, 0, zone)))
		k.m.onRing = k.rings
		k.start()
		for end := time.Now().AddDate(0, 0, days); time.Now().Before(end); {
			synctest.Wait()
			k.step()
			synctest.Wait()
			synctest.Wait()
			k.m.disk.Settle()
			time.Sleep(time.Duration(k.r.IntN(1200))*time.Second + time.Duration(k.r.IntN(1000))*time.Millisecond)
		}
		time.Sleep(30 * time.Hour) // what is left rings
		synctest.Wait()
		k.tell()
		k.kill()
		synctest.Wait()
		k.check()
	})
}

func (k *month) start() {
	k.book = k.m.open(k.t)
	k.kill = running(k.book)
}

// step is the next thing that happens in the kitchen.
func (k *month) step() {
	n := k.r.IntN(100)
	switch {
	case n < 45:
		k.setTimer()
	case n < 60:
		k.setAlarm()
	case n < 66:
		k.cancel()
	case n < 72:
		k.pause()
	case n < 80:
		k.tell()
	case n < 88:
		k.event("kill")
		k.kill()
		time.Sleep(time.Duration(k.r.IntN(90)) * time.Second)
		k.start()
	case n < 93:
		k.event("power cut")
		k.powerCut()
	default:
		k.event("clock set")
		k.m.shift(time.Duration(k.r.IntN(7200)-3600) * time.Second)
		time.Sleep(look + time.Second)
	}
}

func (k *month) event(name string) { k.events[name]++ }

// powerCut: the machine is off for a while and comes back with a clock that is
// behind, as a board without a battery does, until it is set.
func (k *month) powerCut() {
	k.kill()
	off := time.Duration(k.r.IntN(3600)) * time.Second
	if k.r.IntN(4) == 0 {
		off += 2 * time.Hour
	}
	time.Sleep(off)
	k.m.reboot()
	k.m.shift(-off)
	k.mu.Lock()
	for _, x := range k.all {
		x.moved = true
	}
	k.mu.Unlock()
	k.start()
	time.Sleep(40 * time.Second)
	k.m.shift(off)
	time.Sleep(look + time.Second)
}

func (k *month) setTimer() {
	k.event("timer")
	span := time.Duration(1+k.r.IntN(7200)) * time.Second
	timer := mustSet(k.t, k.book, Order{Label: "蛋", Lang: "zh", Span: span})
	k.keep(timer, time.Now().Add(span))
}

func (k *month) setAlarm() {
	k.event("alarm")
	at := k.m.now().Truncate(time.Minute).Add(time.Duration(1+k.r.IntN(24*60)) * time.Minute)
	k.keep(mustSet(k.t, k.book, Order{Lang: "en", At: at}), time.Time{})
}

func (k *month) keep(timer Timer, due time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all[timer.ID] != nil {
		k.t.Fatalf("id %s twice", timer.ID)
	}
	k.all[timer.ID] = &kept{Timer: timer, due: due, boot: k.m.boots}
	k.order = append(k.order, timer.ID)
}

// some is one of the timers that count down and do not ring.
func (k *month) some() *kept {
	k.mu.Lock()
	defer k.mu.Unlock()
	var running []*kept
	for _, l := range k.book.List() {
		if !l.Ringing() && !l.Alarm() && l.Left > time.Minute {
			running = append(running, k.all[l.ID])
		}
	}
	if len(running) == 0 {
		return nil
	}
	return running[k.r.IntN(len(running))]
}

func (k *month) cancel() {
	x := k.some()
	if x == nil {
		return
	}
	k.event("cancel")
	if _, err := k.book.Cancel(x.ID); err != nil {
		k.t.Fatal(err)
	}
	k.mu.Lock()
	x.cancelled = true
	k.mu.Unlock()
}

// pause pauses a timer for a while.
func (k *month) pause() {
	x := k.some()
	if x == nil || x.moved {
		return
	}
	k.event("pause")
	if _, err := k.book.Pause(x.ID); err != nil {
		k.t.Fatal(err)
	}
	rest := time.Duration(k.r.IntN(600)) * time.Second
	time.Sleep(rest)
	if _, err := k.book.Resume(x.ID); err != nil {
		k.t.Fatal(err)
	}
	k.mu.Lock()
	x.due = x.due.Add(rest)
	k.mu.Unlock()
}

// tell tells what was missed.
func (k *month) tell() {
	missed, lost := k.book.Missed()
	if lost {
		k.t.Error("the document was damaged")
	}
	k.mu.Lock()
	for _, m := range missed {
		k.all[m.ID].told++
	}
	k.mu.Unlock()
	if err := k.book.Told(missed); err != nil {
		k.t.Fatal(err)
	}
}

// rings is told what rings. Now and then somebody ends it.
func (k *month) rings(now []Timer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	wall := k.m.now()
	for _, r := range now {
		x := k.all[r.ID]
		if slices.ContainsFunc(x.rang, r.Rang.Equal) {
			continue
		}
		x.rang = append(x.rang, r.Rang)
		switch {
		case x.Alarm() && wall.Before(r.Due):
			k.t.Errorf("alarm %s rang %v early", r.ID, r.Due.Sub(wall))
		case !x.Alarm() && !x.moved && time.Now().Before(x.due):
			k.t.Errorf("timer %s rang %v early", r.ID, time.Until(x.due))
		case !x.Alarm() && x.moved && wall.Before(r.Due.Add(-time.Second)):
			k.t.Errorf("timer %s rang %v early by the wall", r.ID, r.Due.Sub(wall))
		case !x.Alarm() && !x.moved:
			k.late = append(k.late, time.Since(x.due))
		}
	}
	if len(now) > 0 && k.ears.IntN(2) == 0 {
		book := k.book
		time.AfterFunc(time.Duration(k.ears.IntN(100))*time.Second, func() {
			if rang, err := book.Stop(); err == nil {
				k.mu.Lock()
				defer k.mu.Unlock()
				for _, s := range rang {
					k.all[s.ID].stopped = true
				}
			}
		})
	}
}

// check holds every timer to exactly one end.
func (k *month) check() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if left := k.book.List(); len(left) > 0 {
		k.t.Errorf("%d still there: %+v", len(left), left[0])
	}
	for _, id := range k.order {
		x := k.all[id]
		switch {
		case x.cancelled && len(x.rang)+x.told > 0:
			k.t.Errorf("%s was cancelled and rang %v", id, x.rang)
		case x.cancelled:
		case len(x.rang) > 1:
			k.t.Errorf("%s rang twice: %v", id, x.rang)
		case x.told > 1:
			k.t.Errorf("%s was told %d times", id, x.told)
		case len(x.rang) == 0 && x.told == 0:
			k.t.Errorf("%s was lost", id)
		case !x.stopped && x.told == 0:
			k.t.Errorf("%s rang unanswered and was not told", id)
		}
	}
	slices.Sort(k.late)
	k.t.Log(fmt.Sprint(k.events), "timers:", len(k.all), "on time:", len(k.late))
}
