package console

import (
	"context"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"sync"
	"time"

	"homebot/internal/event"
)

// What the hub keeps for pages that come later, and how far one may lag.
const (
	busQueue  = 256 // events the hub itself may lag behind the bus
	kept      = 256 // newest events, for pages that come back
	dialogued = 50  // newest turns
	pageQueue = 64  // messages that wait for one page
)

// hub watches the bus for all pages: each event is encoded once. run is its one
// writer; pages join and leave from their own goroutines.
type hub struct {
	c *Console

	mu       sync.Mutex
	state    event.State
	seq      uint64
	recent   []encoded // oldest first
	dialogue []Line
	cooking  *Cooking
	clients  map[*client]bool
	closed   bool
	talks    map[*func()]string // how to end a talk, and whose it is
	open     context.Context    // until closeAll
	close    context.CancelFunc
	sockets  sync.WaitGroup // that joined and did not leave; none joins once closed
}

// encoded is one event on the wire.
type encoded struct {
	seq  uint64
	data []byte
}

// change is an event as pages get it: event.Event, and what of the snapshot it
// changed.
type change struct {
	Type     string      `json:"type"`
	Seq      uint64      `json:"seq"`
	At       time.Time   `json:"at"`
	Kind     event.Kind  `json:"kind"`
	Data     any         `json:"data,omitempty"`
	State    event.State `json:"state"`
	Replayed bool        `json:"replayed,omitempty"`
	extra
}

// extra is what changed with an event; a nil pointer is left out.
type extra struct {
	Timers  *any `json:"timers,omitempty"`
	Cooking *any `json:"cooking,omitempty"`
	Sound   *any `json:"sound,omitempty"`
}

func newHub(c *Console) *hub {
	h := &hub{c: c, state: c.Bus.Snapshot(), clients: map[*client]bool{}, talks: map[*func()]string{}}
	h.open, h.close = context.WithCancel(context.Background())
	return h
}

// run watches until ctx ends.
func (h *hub) run(ctx context.Context) {
	state, events := h.c.Bus.Watch(ctx, busQueue)
	cooking := h.readCooking()
	h.mu.Lock()
	h.state, h.cooking = state, cooking
	h.mu.Unlock()
	for e := range events {
		h.happened(e)
	}
	h.closeAll()
}

// happened tells all pages of an event.
func (h *hub) happened(e event.Event) {
	h.c.meters.happened(e)
	x := extra{}
	if isTimer(e.Kind) {
		x.Timers = ref(h.c.timerRows())
	}
	if movesCook(e) {
		if now := h.readCooking(); !reflect.DeepEqual(now, h.cookingNow()) {
			x.Cooking = ref(now)
			h.setCooking(now)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if before := h.c.sound(h.state); before != h.c.sound(e.State) {
		x.Sound = ref(h.c.sound(e.State))
	}
	h.state, h.seq = e.State, e.Seq
	if t, ok := e.Data.(event.Turn); ok && e.Kind == event.TurnDone {
		h.dialogue = keepLast(append(h.dialogue, lineOf(t, e.At)), dialogued)
	}
	data, err := json.Marshal(change{Type: "event", Seq: e.Seq, At: e.At, Kind: e.Kind, Data: e.Data, State: e.State, extra: x})
	if err != nil {
		h.c.Log.Error("an event cannot be told", "kind", e.Kind, "err", err)
		return
	}
	h.recent = keepLast(append(h.recent, encoded{e.Seq, data}), kept)
	for p := range h.clients {
		p.put(data)
	}
}

func ref(v any) *any { return &v }

func keepLast[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	return slices.Clone(all[len(all)-n:])
}

func isTimer(k event.Kind) bool {
	switch k {
	case event.TimerSet, event.TimerChanged, event.TimerCancelled, event.TimerRang, event.TimerStopped, event.TimerMissed:
		return true
	}
	return false
}

// movesCook: after such an event the step may be another one. Said is among them
// because a spoken turn is done only when it was heard to its end.
func movesCook(e event.Event) bool {
	return e.Kind == event.Said || e.Kind == event.TurnDone || e.Kind == event.ModeSwitched
}

func lineOf(t event.Turn, at time.Time) Line {
	return Line{
		ID: t.ID, At: at, Channel: t.Channel, Speaker: t.Speaker, User: t.User, Assistant: t.Assistant,
		Failed: t.Failed, Context: t.Context,
	}
}

// readCooking asks the kitchen, when a mode is on.
func (h *hub) readCooking() *Cooking {
	m := h.c.Bus.Snapshot().Mode
	if m == nil || h.c.Kitchen == nil || !h.c.Kitchen.Cooks(m.ID) {
		return nil
	}
	now, err := h.c.Kitchen.Dish(m.SessionID)
	if err != nil {
		h.c.Log.Warn("the dish in work cannot be shown", "err", err)
		return nil
	}
	return cookingOf(now)
}

func (h *hub) cookingNow() *Cooking {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cooking
}

func (h *hub) setCooking(now *Cooking) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cooking = now
}

// changed looks anew at the dish in work: its recipe was edited here.
func (h *hub) changed() { h.setCooking(h.readCooking()); h.everybody() }

// everybody gets a new snapshot.
func (h *hub) everybody() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p := range h.clients {
		p.stale()
	}
}

// snapshot is what a page begins with.
func (h *hub) snapshot() Snapshot { return h.snapshotFor(nil) }

// snapshotFor takes the events that the snapshot includes out of p's queue.
func (h *hub) snapshotFor(p *client) Snapshot {
	rows := h.c.timerRows()
	h.mu.Lock()
	defer h.mu.Unlock()
	if p != nil {
		p.forget()
	}
	return Snapshot{
		Type: "snapshot", Boot: h.c.boot, Seq: h.seq, At: h.c.Now(), State: h.state, Timers: rows,
		Cooking: h.cooking, Sound: h.c.sound(h.state), Dialogue: append([]Line{}, h.dialogue...),
	}
}

// join adds a page; it gets a snapshot, and then what it missed after seq of
// this boot, if all of that is still there. False: the console is closing.
func (h *hub) join(p *client, boot string, seq uint64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.clients[p] = true
	h.sockets.Add(1)
	var missed [][]byte
	defer func() { p.begin(missed) }()
	if boot != h.c.boot || len(h.recent) == 0 || h.recent[0].seq > seq+1 {
		return true
	}
	for _, e := range h.recent {
		if e.seq > seq {
			missed = append(missed, replayed(e.data))
		}
	}
	return true
}

// replayed marks an event as one that the snapshot before it includes.
func replayed(data []byte) []byte {
	return append(slices.Clone(data[:len(data)-1]), `,"replayed":true}`...)
}

func (h *hub) leave(p *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.clients, p)
	h.sockets.Done()
}

// endOf ends the websockets of who is let in no more.
func (h *hub) endOf(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p := range h.clients {
		if p.owner == id {
			p.end()
		}
	}
	for end, owner := range h.talks {
		if owner == id {
			(*end)()
		}
	}
}

// enter and exit stand around a websocket that is no page; false: the console is
// closing.
func (h *hub) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.sockets.Add(1)
	}
	return !h.closed
}

func (h *hub) exit() { h.sockets.Done() }

// farewell is how long a websocket has to take what it is told at the end.
const farewell = time.Second

// parts closes conn farewell after the end of the console, however much its
// browser has not read; what it returns takes that back.
func (h *hub) parts(conn io.Closer) (stay func() bool) {
	return context.AfterFunc(h.open, func() { time.AfterFunc(farewell, func() { _ = conn.Close() }) })
}

// talkOf keeps how to end a talk, until what it returns is called.
func (h *hub) talkOf(id string, end func()) (over func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.talks[&end] = id
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.talks, &end)
	}
}

// forget drops what was said: it is to be forgotten.
func (h *hub) forget() {
	h.mu.Lock()
	h.dialogue, h.recent = nil, nil
	h.mu.Unlock()
	h.everybody()
}

// closeAll ends every page's websocket, and lets no more in.
func (h *hub) closeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.close()
	for p := range h.clients {
		p.end()
	}
}
