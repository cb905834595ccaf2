package timers

import (
	"context"
	"slices"
	"time"

	"homebot/internal/event"
)

// Run rings what is due until ctx ends, and returns nil. It runs once.
func (b *Book) Run(ctx context.Context) error {
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	var sounding []Timer
	for {
		ringing, wait := b.pass()
		if b.cfg.Ring != nil && !slices.EqualFunc(ringing, sounding, sameRing) {
			b.cfg.Ring(ctx, ringing)
			sounding = ringing
		}
		alarm.Reset(wait)
		select {
		case <-ctx.Done():
			return nil
		case <-b.wake:
		case <-alarm.C:
		}
	}
}

func sameRing(a, b Timer) bool { return a.ID == b.ID && a.Rang.Equal(b.Rang) }

// pass looks at the clocks once: it begins the rings that are due, ends those
// nobody answered, and returns what rings and how long nothing will happen.
func (b *Book) pass() (ringing []Timer, wait time.Duration) {
	r := b.read()
	b.mu.Lock()
	defer b.mu.Unlock()
	news := b.followClock(r)
	if len(news) == 0 && !b.anythingDue(r) {
		return b.after(r)
	}
	d := b.doc.clone()
	for i := range d.Timers {
		t := &d.Timers[i]
		if t.ringsFromBefore(r) {
			t.Boot, t.Up, t.RangUp = r.boot, r.up, max(1, r.up)
			news = append(news, change{})
		}
		if t.Ringing() || t.left(r) > 0 || t.Paused > 0 {
			continue
		}
		t.Rang, t.RangUp = r.wall, r.up
		if t.left(r) < -LateRing {
			d.Missed = append(d.Missed, Missed{Timer: *t})
			news = append(news, change{event.TimerMissed, *t})
			continue
		}
		t.Boot, t.Up = r.boot, r.up // RangUp counts on this boot's clock
		news = append(news, change{event.TimerRang, *t})
	}
	d.Timers = slices.DeleteFunc(d.Timers, func(t Timer) bool {
		over := t.Ringing() && t.ringingFor(r) >= RingLimit
		late := slices.ContainsFunc(d.Missed, func(m Missed) bool { return m.ID == t.ID })
		if over && !late {
			d.Missed = append(d.Missed, Missed{Timer: t, Unanswered: true})
			news = append(news, change{event.TimerMissed, t})
		}
		return over || late
	})
	b.keep(d, news)
	return b.after(r)
}

// anythingDue: a ring is to begin, to go on after a power cut, or to end. Most looks at the clock find
// nothing and copy nothing.
func (b *Book) anythingDue(r reading) bool {
	for i := range b.doc.Timers {
		t := &b.doc.Timers[i]
		if t.ringsFromBefore(r) || t.Ringing() && t.ringingFor(r) >= RingLimit || !t.Ringing() && t.Paused == 0 && t.left(r) <= 0 {
			return true
		}
	}
	return false
}

type change struct {
	kind  event.Kind
	timer Timer
}

// keep makes what happened durable and tells it. A disk that refuses does not
// keep anything from ringing.
func (b *Book) keep(d document, news []change) {
	if len(news) == 0 {
		return
	}
	b.doc = d
	if err := d.save(b.cfg.FS, b.cfg.Workspace); err != nil {
		b.cfg.Log.Error("timers not saved", "err", err)
	}
	for _, n := range news {
		if n.kind != "" {
			b.announce(nil, n.kind, n.timer)
		}
	}
}

// followClock notices a wall clock that was set: timers keep their length, so
// their wall times move along; alarms stay where they are.
func (b *Book) followClock(r reading) []change {
	if r.boot == "" {
		return nil
	}
	offset := offsetOf(r)
	by := offset - b.offset
	if b.boot == r.boot && by < stepped && by > -stepped {
		return nil
	}
	b.boot, b.offset = r.boot, offset
	b.cfg.Log.Info("the wall clock was set", "by", by)
	b.doc = b.doc.clone()
	var news []change
	for i := range b.doc.Timers {
		t := &b.doc.Timers[i]
		if t.counts(r) && !t.Ringing() && t.Paused == 0 {
			t.Due = r.wall.Add(t.left(r))
			news = append(news, change{})
		}
	}
	return news
}

// after is what rings now and when to look again.
func (b *Book) after(r reading) (ringing []Timer, wait time.Duration) {
	wait = time.Hour
	for _, t := range b.doc.Timers {
		switch {
		case t.Ringing():
			ringing = append(ringing, t)
			wait = min(wait, look, RingLimit-t.ringingFor(r))
		case t.Paused == 0:
			wait = min(wait, look, t.left(r))
		}
	}
	return ringing, max(wait, time.Millisecond)
}
