package event

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// startBus runs a bus in the bubble of the test and stops it at its end; a
// goroutine left behind would fail the bubble.
func startBus(t *testing.T, initial State) *Bus {
	t.Helper()
	b := NewBus(initial)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := b.Run(ctx); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(func() { cancel(); running.Wait() })
	return b
}

// take receives the n events that are there.
func take(t *testing.T, events <-chan Event, n int) []Event {
	t.Helper()
	synctest.Wait()
	var got []Event
	for range n {
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatalf("channel closed after %d events, want %d", len(got), n)
			}
			got = append(got, e)
		default:
			t.Fatalf("got %d events, want %d", len(got), n)
		}
	}
	return got
}

// setDialogue and setMode are changes as the rooms make them.
func setDialogue(d DialogueState) func(*State) { return func(s *State) { s.Dialogue = d } }
func setMode(m *Mode) func(*State)             { return func(s *State) { s.Mode = m } }

func TestWatchersSeeOneOrderAndTheStateAfterEachEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBus(t, State{Dialogue: Idle})
		_, first := b.Watch(t.Context(), 8)
		_, second := b.Watch(t.Context(), 8)
		b.Update(setDialogue(Listening), StateChanged, nil)
		time.Sleep(3 * time.Millisecond)
		b.Publish(FinalHeard, Words{Text: "几点了", Lang: "zh"})
		b.Update(setDialogue(Thinking), StateChanged, nil)
		for name, events := range map[string]<-chan Event{"first": first, "second": second} {
			got := take(t, events, 3)
			for i, want := range []DialogueState{Listening, Listening, Thinking} {
				if got[i].Seq != uint64(i+1) || got[i].State.Dialogue != want || got[i].Lost != 0 {
					t.Errorf("%s watcher, event %d: %+v, want seq %d and state %s", name, i, got[i], i+1, want)
				}
			}
			if d := got[1].At.Sub(got[0].At); d != 3*time.Millisecond {
				t.Errorf("%s watcher: the events are %v apart, want 3ms", name, d)
			}
		}
	})
}

// A snapshot and the events after it fit together: none twice, none missing,
// although what is pending at Watch has not been delivered to anybody yet.
func TestSnapshotThenEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBus(State{Dialogue: Idle})
		b.Update(setDialogue(Listening), StateChanged, nil) // pending: Run has not begun
		state, events := b.Watch(t.Context(), 8)
		if state.Dialogue != Listening {
			t.Fatalf("snapshot %q, want %q", state.Dialogue, Listening)
		}
		b.Update(setDialogue(Thinking), StateChanged, nil)
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = b.Run(ctx) })
		got := take(t, events, 1)
		if got[0].State.Dialogue != Thinking || got[0].Seq != 2 || got[0].Lost != 0 {
			t.Errorf("first event %+v, want seq 2, thinking, nothing lost", got[0])
		}
		cancel()
		running.Wait()
		if e, ok := <-events; ok {
			t.Errorf("one event too many: %+v", e)
		}
	})
}

// No fault is an empty list from the first snapshot on, as watchers are told.
func TestSnapshotWithoutFaults(t *testing.T) {
	if raw, err := json.Marshal(NewBus(State{}).Snapshot()); err != nil || !strings.Contains(string(raw), `"faults":[]`) {
		t.Errorf("%s %v", raw, err)
	}
}

// A watcher that never reads delays nobody; what it reads later is the newest,
// with the count of the rest.
func TestSlowWatcherLosesTheOldest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBus(t, State{})
		_, slow := b.Watch(t.Context(), 2)
		_, quick := b.Watch(t.Context(), 64)
		const published = 50
		for i := range published {
			b.Publish(Said, Words{Text: fmt.Sprint(i)})
		}
		if got := take(t, quick, published); got[published-1].Lost != 0 {
			t.Errorf("the quick watcher lost %d", got[published-1].Lost)
		}
		got := take(t, slow, 2)
		if got[1].Data.(Words).Text != "49" {
			t.Errorf("the newest event is %v, want 49", got[1].Data)
		}
		if sum := len(got) + got[0].Lost + got[1].Lost; sum != published {
			t.Errorf("2 received and %d, %d lost: %d in all, want %d", got[0].Lost, got[1].Lost, sum, published)
		}
		b.Publish(Said, nil)
		if next := take(t, slow, 1); next[0].Lost != 0 {
			t.Errorf("losses are told once, got %d again", next[0].Lost)
		}
	})
}

// With nobody running the bus, publishing still returns, and a watcher is told
// how much went by.
func TestPublishWithoutRunIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBus(State{})
		_, events := b.Watch(t.Context(), pendingLimit)
		for range pendingLimit + 10 {
			b.Publish(NothingHeard, nil)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := b.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if first := <-events; first.Seq != 11 || first.Lost != 10 {
			t.Errorf("first event has seq %d and lost %d, want 11 and 10", first.Seq, first.Lost)
		}
	})
}

func TestSnapshotShowsAnUpdateAtOnce(t *testing.T) {
	b := NewBus(State{}) // nobody runs it
	b.Update(setMode(&Mode{ID: "cooking"}), ModeSwitched, nil)
	if m := b.Snapshot().Mode; m == nil || m.ID != "cooking" {
		t.Errorf("snapshot has mode %+v, want cooking", m)
	}
}

// Nothing a watcher or a publisher holds is shared with anybody else.
func TestStatesShareNoMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		initial := State{Mode: &Mode{ID: "cooking"}, Faults: []Fault{{Code: "a"}}}
		b := startBus(t, initial)
		_, one := b.Watch(t.Context(), 4)
		_, two := b.Watch(t.Context(), 4)
		mine := &Mode{ID: "cooking", SessionID: "cook-1"}
		b.Update(setMode(mine), ModeSwitched, nil)
		got := take(t, one, 1)[0]
		got.State.Mode.ID, got.State.Faults[0].Code = "x", "x"
		mine.ID, initial.Mode.ID, initial.Faults[0].Code = "x", "x", "x"
		for name, s := range map[string]State{"other watcher": take(t, two, 1)[0].State, "snapshot": b.Snapshot()} {
			if s.Mode.ID != "cooking" || s.Faults[0].Code != "a" {
				t.Errorf("%s: somebody else's change is visible: %+v %+v", name, *s.Mode, s.Faults)
			}
		}
	})
}

// A change works on the state in place; events that wait for Run keep theirs.
func TestPendingEventsKeepTheirState(t *testing.T) {
	b := NewBus(State{Faults: []Fault{{Code: "a"}}, Mode: &Mode{ID: "cooking"}})
	_, events := b.Watch(t.Context(), 4)
	b.Publish(BargedIn, nil)
	b.Update(func(s *State) { s.Faults[0].Code, s.Mode.ID = "b", "study" }, StateChanged, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Run(ctx); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a cooking", "b study"} {
		if s := (<-events).State; s.Faults[0].Code+" "+s.Mode.ID != want {
			t.Errorf("state %v %v, want %s", s.Faults, *s.Mode, want)
		}
	}
}

func TestChannelClosesWithTheWatchersContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startBus(t, State{})
		ctx, leave := context.WithCancel(t.Context())
		_, events := b.Watch(ctx, 1)
		_, stays := b.Watch(t.Context(), 1)
		leave()
		synctest.Wait()
		if _, ok := <-events; ok {
			t.Error("an event after the watcher's context ended")
		}
		b.Publish(BargedIn, nil) // must not meet the closed channel
		take(t, stays, 1)
		if n := len(b.watchers); n != 1 {
			t.Errorf("%d watchers are kept, want 1", n)
		}
	})
}

func TestRunPublishesTheRestAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBus(State{})
		_, events := b.Watch(t.Context(), 4)
		b.Publish(BargedIn, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := b.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if e := <-events; e.Kind != BargedIn {
			t.Errorf("got %q, want the event from before the end", e.Kind)
		}
		if _, ok := <-events; ok {
			t.Error("channel still open after Run")
		}
		b.Update(setDialogue(Muted), StateChanged, nil)
		if n := len(b.pending); n != 0 {
			t.Errorf("%d events wait for nobody", n)
		}
		state, closed := b.Watch(t.Context(), 4)
		if _, ok := <-closed; ok || state.Dialogue != Muted {
			t.Errorf("after Run: state %q, open channel %v; want muted and closed", state.Dialogue, ok)
		}
		if err := b.Run(t.Context()); !errors.Is(err, ErrBusUsed) {
			t.Errorf("second Run: %v, want ErrBusUsed", err)
		}
	})
}

// Many publishers, watchers that come and go: what a watcher receives is in
// order and, with what it lost, complete. (Meant for -race.)
func TestManyPublishersAndWatchers(t *testing.T) {
	b := NewBus(State{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var running, watching, publishing sync.WaitGroup
	running.Go(func() { _ = b.Run(ctx) })
	const publishers, each = 4, 200
	for w := range 3 {
		_, events := b.Watch(t.Context(), 1+w*7) // not ctx: it is Run that closes these
		watching.Go(func() {
			var last uint64
			sum := 0
			for e := range events {
				if e.Seq <= last {
					t.Errorf("seq %d after %d", e.Seq, last)
				}
				last = e.Seq
				sum += 1 + e.Lost
			}
			if sum != publishers*each {
				t.Errorf("received and lost %d, want %d", sum, publishers*each)
			}
		})
	}
	for p := range publishers {
		publishing.Go(func() {
			for i := range each {
				b.Update(func(s *State) { s.Faults = append(s.Faults[:0:0], Fault{Code: fmt.Sprint(p, i)}) }, FaultAppeared, nil)
				visitor, leave := context.WithCancel(ctx)
				b.Watch(visitor, 1)
				leave()
			}
		})
	}
	publishing.Wait()
	cancel()
	running.Wait()
	watching.Wait()
}

// The socket and the console print events as JSON; the names are a contract.
func TestEventAsJSON(t *testing.T) {
	e := Event{Seq: 3, Kind: ModeSwitched, Data: Switch{Action: "exit", ModeID: "cooking", Reason: "user"}, State: State{Dialogue: Idle}}
	got, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"seq":3,"at":"0001-01-01T00:00:00Z","kind":"mode","data":{"action":"exit","mode_id":"cooking","reason":"user"},` +
		`"state":{"dialogue_state":"idle","mode":null,"light":{"pin":"","present":false,"on":false},"faults":null,"volume":0,"muted":false}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
