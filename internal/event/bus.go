package event

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// pendingLimit is how many events may wait for Run. It is reached only when Run
// is not running; then the oldest is lost and the watchers' Lost says so.
const pendingLimit = 1024

// ErrBusUsed is what the second Run of a Bus returns.
var ErrBusUsed = errors.New("event bus runs once")

// Bus hands State and Events to watchers. Publish, Update, Snapshot and Watch
// may be called from any goroutine, before, while and after Run runs; none of
// them waits for a watcher. Their order is the order of Event.Seq, which starts
// at 1.
type Bus struct {
	wake chan struct{} // capacity 1: "there is something pending"

	mu       sync.Mutex
	state    State
	seq      uint64
	pending  []Event
	watchers []*watcher
	started  bool
	ended    bool
}

// watcher is one caller of Watch. Only Run sends to ch, under Bus.mu.
type watcher struct {
	ch     chan Event
	last   uint64 // Seq of the last event that is delivered or counted as lost
	forget func() bool
}

// NewBus returns a bus in the initial state. Nothing runs until Run.
func NewBus(initial State) *Bus {
	return &Bus{state: initial.clone(), wake: make(chan struct{}, 1)}
}

// Run publishes what is pending to every watcher until ctx ends. Then it
// publishes the rest, closes the channels of all watchers and returns nil. A bus
// runs once.
func (b *Bus) Run(ctx context.Context) error {
	if !b.start() {
		return ErrBusUsed
	}
	defer b.end()
	for {
		b.deliverPending()
		select {
		case <-ctx.Done():
			return nil
		case <-b.wake:
		}
	}
}

// Publish announces an event that does not change the state. Data must not be
// changed by anybody afterwards.
func (b *Bus) Publish(kind Kind, data any) {
	b.Update(nil, kind, data)
}

// Update changes the state and announces it as one event. change runs under the
// bus's lock: it must be quick and must not call the bus. What it leaves in the
// state is copied, so the caller keeps its own slices and pointers. Snapshot
// shows the change when Update returns; watchers get it from Run.
func (b *Bus) Update(change func(*State), kind Kind, data any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if change != nil {
		change(&b.state)
		b.state = b.state.clone()
	}
	b.seq++
	if b.ended {
		return
	}
	if len(b.pending) == pendingLimit {
		b.pending = slices.Delete(b.pending, 0, 1)
	}
	b.pending = append(b.pending, Event{Seq: b.seq, At: time.Now(), Kind: kind, Data: data, State: b.state.clone()})
	select {
	case b.wake <- struct{}{}:
	default: // Run is already called
	}
}

// Snapshot returns the state after the last Update. It is the caller's own copy.
func (b *Bus) Snapshot() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state.clone()
}

// Watch returns the state now and every event after it. The channel holds up to
// buffer events (at least one). When a watcher is too slow the oldest events in
// its channel make room for new ones: it never delays the device, always gets
// the newest state, and Lost of the event that pushed others out counts them.
// The channel is closed when ctx ends or Run does; after Run it is closed at
// once.
func (b *Bus) Watch(ctx context.Context, buffer int) (State, <-chan Event) {
	w := &watcher{ch: make(chan Event, max(buffer, 1))}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		close(w.ch)
		return b.state.clone(), w.ch
	}
	w.last = b.seq
	w.forget = context.AfterFunc(ctx, func() { b.remove(w) })
	b.watchers = append(b.watchers, w)
	return b.state.clone(), w.ch
}

func (b *Bus) start() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	first := !b.started
	b.started = true
	return first
}

// deliverPending hands the pending events to the watchers. The sends never block,
// so it may hold the lock.
func (b *Bus) deliverPending() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.pending {
		for _, w := range b.watchers {
			w.deliver(e)
		}
	}
	b.pending = b.pending[:0]
}

// end publishes what is left and closes every watcher's channel.
func (b *Bus) end() {
	b.deliverPending()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.pending = nil
	for _, w := range b.watchers {
		w.forget()
		close(w.ch)
	}
	b.watchers = nil
}

// remove closes w's channel unless end already did.
func (b *Bus) remove(w *watcher) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.watchers, w); i >= 0 {
		b.watchers = slices.Delete(b.watchers, i, i+1)
		close(w.ch)
	}
}

// deliver puts e into w's channel, pushing out the oldest if it is full. Events
// from before Watch are in its snapshot and are skipped.
func (w *watcher) deliver(e Event) {
	if e.Seq <= w.last {
		return
	}
	e.Lost = int(e.Seq - w.last - 1)
	e.State = e.State.clone()
	w.last = e.Seq
	for {
		select {
		case w.ch <- e:
			return
		default:
		}
		select {
		case old := <-w.ch:
			e.Lost += old.Lost + 1
		default: // the watcher took it meanwhile: there is room now
		}
	}
}

// clone returns a state that shares no memory with s.
func (s State) clone() State {
	if s.Mode != nil {
		mode := *s.Mode
		s.Mode = &mode
	}
	s.Faults = append([]Fault{}, s.Faults...) // none is a list too, for watchers
	return s
}
