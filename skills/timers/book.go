package timers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"homebot/internal/event"
	"homebot/internal/store"
)

// Limits.
const (
	// MaxTimers is more than any kitchen needs, and bounds the document.
	MaxTimers = 100
	// Longest is the longest length or distance.
	Longest = 366 * 24 * time.Hour
	// RingLimit is how long a ring goes on that nobody answers.
	RingLimit = 3 * time.Minute
	// LateRing is how late a ring still helps somebody; what is later is told.
	LateRing = 30 * time.Minute
	// look is how often the clocks are compared while something is set.
	look = 10 * time.Second
	// stepped is what the wall clock must jump by to count as set: slewing is
	// slower, and the clock since boot has hundredths.
	stepped = time.Second
	// maxLabel bounds a name, in characters.
	maxLabel = 40
)

// What can be wrong with an order; the Desk has the sentence for each.
var (
	ErrNoLength = errors.New("neither a length nor a time of day")
	ErrPast     = errors.New("that time is over")
	ErrTooLong  = errors.New("longer than a year")
	ErrTooMany  = errors.New("too many timers")
	ErrUnknown  = errors.New("no such timer")
	ErrNotSaved = errors.New("could not be saved")

	errNothing = errors.New("nothing rings")
)

// Config is what a Book is made of.
type Config struct {
	FS        store.FS
	Workspace string
	// Now is the wall clock and Uptime the clock since boot; nil means the
	// system's.
	Now    func() time.Time
	Uptime func() (boot string, up time.Duration)
	// Ring is told what rings whenever that changes, from the goroutine of Run;
	// an empty list is silence. nil: nobody is there to ring.
	Ring func(ctx context.Context, ringing []Timer)
	Bus  *event.Bus // nil: nobody watches
	Log  *slog.Logger
}

// Book is the one writer of the timers. Any goroutine may call its methods; what
// they return is on disk.
type Book struct {
	cfg  Config
	wake chan struct{} // capacity 1: something changed

	mu     sync.Mutex
	doc    document
	offset time.Duration // wall clock minus clock since boot, when last looked
	boot   string
}

// Open reads the timers of a workspace. Nothing rings before Run.
func Open(c Config) (*Book, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Uptime == nil {
		c.Uptime = Uptime
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	doc, err := load(c.FS, c.Workspace)
	if err != nil {
		return nil, err
	}
	b := &Book{cfg: c, wake: make(chan struct{}, 1), doc: doc}
	r := b.read()
	b.boot, b.offset = r.boot, offsetOf(r)
	return b, nil
}

func (b *Book) read() reading {
	boot, up := b.cfg.Uptime()
	return reading{wall: b.cfg.Now().Round(0), boot: boot, up: up}
}

// offsetOf changes only when the wall clock is set.
func offsetOf(r reading) time.Duration {
	return r.wall.Sub(time.Unix(0, 0)) - r.up
}

// Order is what somebody wants to be rung for: Span, or At.
type Order struct {
	Label string
	Lang  string
	Span  time.Duration
	At    time.Time
}

// Set makes a timer or an alarm.
func (b *Book) Set(o Order) (Timer, error) {
	var made Timer
	o.Span = o.Span.Round(time.Second)
	err := b.change(func(d *document, r reading) error {
		if err := o.check(r); err != nil {
			return err
		}
		if len(d.Timers) >= MaxTimers {
			return ErrTooMany
		}
		made = Timer{ID: "t" + strconv.Itoa(d.Next), Label: cleanLabel(o.Label), Lang: o.Lang, Made: r.wall}
		if o.Span > 0 {
			made.Span = int64(o.Span / time.Second)
			made.due(r, o.Span)
		} else {
			made.Due = o.At.Round(0)
		}
		d.Next++
		d.Timers = append(d.Timers, made)
		return nil
	})
	b.announce(err, event.TimerSet, made)
	return made, err
}

func (o Order) check(r reading) error {
	switch {
	case o.Span == 0 && o.At.IsZero():
		return ErrNoLength
	case o.Span < 0 || o.Span == 0 && !o.At.After(r.wall):
		return ErrPast
	case o.Span > Longest || o.Span == 0 && o.At.Sub(r.wall) > Longest:
		return ErrTooLong
	}
	return nil
}

// Add makes a timer longer, or shorter, by whole seconds; one that rings is set
// anew to by. An alarm is moved.
func (b *Book) Add(id string, by time.Duration) (Timer, error) {
	if by = by.Round(time.Second); by == 0 {
		return Timer{}, ErrNoLength
	}
	return b.edit(id, event.TimerChanged, func(t *Timer, r reading) error {
		left := max(0, t.left(r))
		if t.Ringing() {
			left = 0
		}
		switch {
		case left+by < time.Second: // nothing would be left, or less than can be said
			return ErrPast
		case left+by > Longest:
			return ErrTooLong
		case t.Paused > 0:
			t.Paused += by
		case t.Alarm() && !t.Ringing():
			t.Due = t.Due.Add(by)
			return nil
		default:
			t.due(r, left+by)
		}
		if t.Alarm() { // an alarm put off is a timer now
			t.Span = int64(by / time.Second)
			return nil
		}
		t.Span = max(1, t.Span+int64(by/time.Second)) // a clock set back may leave more than the length
		return nil
	})
}

// Pause stops the count of a timer; an alarm cannot be paused.
func (b *Book) Pause(id string) (Timer, error) {
	return b.edit(id, event.TimerChanged, func(t *Timer, r reading) error {
		if t.Alarm() || t.Ringing() {
			return ErrUnknown
		}
		if t.Paused == 0 {
			t.Paused = max(time.Second, t.left(r))
		}
		return nil
	})
}

// Resume goes on with a paused timer.
func (b *Book) Resume(id string) (Timer, error) {
	return b.edit(id, event.TimerChanged, func(t *Timer, r reading) error {
		if t.Paused > 0 {
			t.due(r, t.Paused)
		}
		return nil
	})
}

func (b *Book) edit(id string, kind event.Kind, f func(*Timer, reading) error) (Timer, error) {
	var after Timer
	err := b.change(func(d *document, r reading) error {
		i := d.index(id)
		if i < 0 {
			return ErrUnknown
		}
		err := f(&d.Timers[i], r)
		after = d.Timers[i]
		return err
	})
	b.announce(err, kind, after)
	return after, err
}

func (d *document) index(id string) int {
	return slices.IndexFunc(d.Timers, func(t Timer) bool { return t.ID == id })
}

// Cancel takes timers away, ringing ones too; it returns those it took.
func (b *Book) Cancel(ids ...string) ([]Timer, error) {
	var gone []Timer
	err := b.change(func(d *document, _ reading) error {
		gone = nil
		for _, id := range ids {
			i := d.index(id)
			if i < 0 {
				return ErrUnknown
			}
			gone = append(gone, d.Timers[i])
			d.Timers = slices.Delete(d.Timers, i, i+1)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, t := range gone {
		b.announce(nil, event.TimerCancelled, t)
	}
	return gone, nil
}

// Stop ends the ringing of these, without any named all of it, and returns what
// rang.
func (b *Book) Stop(ids ...string) ([]Timer, error) {
	var rang []Timer
	err := b.change(func(d *document, _ reading) error {
		rang = nil
		d.Timers = slices.DeleteFunc(d.Timers, func(t Timer) bool {
			ends := t.Ringing() && (len(ids) == 0 || slices.Contains(ids, t.ID))
			if ends {
				rang = append(rang, t)
			}
			return ends
		})
		if len(rang) == 0 {
			return errNothing
		}
		return nil
	})
	if errors.Is(err, errNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, t := range rang {
		b.announce(nil, event.TimerStopped, t)
	}
	return rang, nil
}

// Left is a timer with what is left of it, negative when it rings.
type Left struct {
	Timer
	Left time.Duration
}

// List is what is set: ringing ones first, then by when they ring, paused ones
// last.
func (b *Book) List() []Left {
	r := b.read()
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]Left, 0, len(b.doc.Timers))
	for _, t := range b.doc.Timers {
		all = append(all, Left{t, t.left(r)})
	}
	slices.SortStableFunc(all, func(x, y Left) int {
		if px, py := x.Paused > 0, y.Paused > 0; px != py {
			return map[bool]int{true: 1, false: -1}[px]
		}
		return int(max(-1, min(1, x.Left-y.Left)))
	})
	return all
}

// Missed is what nobody heard and nobody was told yet, and whether an older
// document was lost. Told takes them off when that was said.
func (b *Book) Missed() (missed []Missed, lost bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.doc.Missed), b.doc.Lost || b.doc.LostSome
}

// lostAll: nothing of an older document is left.
func (b *Book) lostAll() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.doc.Lost
}

// Told takes missed ones off, by their ids, and the loss of an older document.
func (b *Book) Told(missed []Missed) error {
	return b.change(func(d *document, _ reading) error {
		d.Lost, d.LostSome = false, false
		d.Missed = slices.DeleteFunc(d.Missed, func(m Missed) bool {
			return slices.ContainsFunc(missed, func(t Missed) bool { return t.ID == m.ID })
		})
		return nil
	})
}

// change lets f alter a copy of the document, makes it durable and takes it
// over: what could not be saved has not happened.
func (b *Book) change(f func(*document, reading) error) error {
	r := b.read()
	b.mu.Lock()
	defer b.mu.Unlock()
	d := b.doc.clone()
	if err := f(&d, r); err != nil {
		return err
	}
	if err := d.save(b.cfg.FS, b.cfg.Workspace); err != nil {
		return fmt.Errorf("%w: %w", ErrNotSaved, err)
	}
	b.doc = d
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return nil
}

func (b *Book) announce(err error, kind event.Kind, t Timer) {
	if err != nil || b.cfg.Bus == nil {
		return
	}
	b.cfg.Bus.Publish(kind, event.Timer{ID: t.ID, Label: t.Label, Lang: t.Lang, Due: t.Due, Alarm: t.Alarm(), Paused: t.Paused > 0, Ringing: t.Ringing()})
}
