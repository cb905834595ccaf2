package timers

import (
	"time"
)

// Timer is one timer or alarm. Copies are handed out; the Book keeps its own.
type Timer struct {
	ID    string    `json:"id"` // t1, t2, …: short enough for a model to repeat
	Label string    `json:"label,omitempty"`
	Lang  string    `json:"lang"` // in which it was set, "zh" or "en": it rings in that
	Made  time.Time `json:"made"`
	// Span is the length a timer was set to, in seconds; 0 for an alarm.
	Span int64 `json:"span_s,omitempty"`
	// Due is when it rings by the wall clock. Of a paused timer it means nothing.
	Due time.Time `json:"due"`
	// Boot and Up are the same instant on the clock that counts since boot: they
	// hold for a timer as long as this boot lasts.
	Boot string        `json:"boot,omitempty"`
	Up   time.Duration `json:"up_ns,omitempty"`
	// Paused holds what is left of a paused timer; 0 when it runs.
	Paused time.Duration `json:"paused_ns,omitempty"`
	// Rang is when it began to ring; zero before.
	Rang time.Time `json:"rang,omitzero"`
	// RangUp is Rang on the clock since boot.
	RangUp time.Duration `json:"rang_up_ns,omitempty"`
}

// Alarm reports whether it rings at a time of the calendar.
func (t Timer) Alarm() bool { return t.Span == 0 }

// Ringing reports whether it rings.
func (t Timer) Ringing() bool { return !t.Rang.IsZero() }

// Missed is a timer that nobody heard: the device was off, or nobody answered.
type Missed struct {
	Timer
	Unanswered bool `json:"unanswered,omitempty"` // it rang until its limit
}

// reading is one look at both clocks.
type reading struct {
	wall time.Time // without a monotonic part
	boot string
	up   time.Duration
}

// left is how long until t rings, negative when it is overdue.
func (t Timer) left(c reading) time.Duration {
	switch {
	case t.Paused > 0:
		return t.Paused
	case t.counts(c):
		return t.Up - c.up
	}
	return t.Due.Sub(c.wall)
}

// counts: it is a timer set on this boot's clock.
func (t Timer) counts(c reading) bool { return !t.Alarm() && t.Boot == c.boot && c.boot != "" }

// uptimeTick is what Uptime may be behind: with it added no timer is early.
const uptimeTick = 10 * time.Millisecond

// due sets t to ring in d.
func (t *Timer) due(c reading, d time.Duration) {
	t.Due = c.wall.Add(d)
	t.Boot, t.Up = c.boot, c.up+d+uptimeTick
	t.Rang, t.RangUp, t.Paused = time.Time{}, 0, 0
}

// ringsFromBefore: it rang when the power went off, and rings on from its beginning:
// the wall clock of a board without a battery tells nothing of how long that is ago.
// By a clock that says it is too long ago the ring is over.
func (t Timer) ringsFromBefore(c reading) bool {
	return t.Ringing() && c.boot != "" && t.Boot != c.boot && c.wall.Sub(t.Rang) < LateRing
}

// ringingFor is how long it has been ringing; by the wall where no clock counts
// since boot, or that is too long ago.
func (t Timer) ringingFor(c reading) time.Duration {
	if t.Boot == c.boot && t.RangUp > 0 {
		return c.up - t.RangUp
	}
	return max(0, c.wall.Sub(t.Rang))
}
