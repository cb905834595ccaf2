package voicetest

import (
	"context"
	"sync"
	"time"

	"homebot/internal/event"
	"homebot/voice"
)

// Answer is one scripted turn of a Handler.
type Answer struct {
	Says   string           // written in pieces, 20 ms apart
	After  time.Duration    // until the first piece; default 300 ms
	Next   voice.Next       // the marker
	Enter  *event.Mode      // entered in this turn
	Leave  bool             // the active mode is left in this turn
	Failed *voice.TurnError // a failure that Says tells
	Err    error            // nothing at all to be said
	NoFill bool             // a filler is not allowed: the minimal profile
}

// Bus is where a Handler publishes what the turn changed.
type Bus interface {
	Publish(kind event.Kind, data any)
	Update(change func(*event.State), kind event.Kind, data any)
	Snapshot() event.State
}

// Handler answers turns in the order of Answers, and then with "?". It publishes
// each as event.TurnDone with the words that were heard: the history.
type Handler struct {
	Answers []Answer
	Bus     Bus

	mu    sync.Mutex
	turns []voice.Turn
}

// The pace of a Handler, off the 20 ms grid: pieces of a few letters, and the
// time to make a turn durable.
const (
	pieceRunes = 4
	pieceGap   = 20 * time.Millisecond
	toDisk     = 3 * time.Millisecond
)

// Turns lists the turns so far.
func (h *Handler) Turns() []voice.Turn {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]voice.Turn(nil), h.turns...)
}

func (h *Handler) next(t voice.Turn) Answer {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(h.turns)
	h.turns = append(h.turns, t)
	if n >= len(h.Answers) {
		return Answer{Says: "?"}
	}
	return h.Answers[n]
}

// Handle is voice.Handler.
func (h *Handler) Handle(ctx context.Context, t voice.Turn, r voice.Reply) error {
	a := h.next(t)
	if a.Err != nil {
		return a.Err
	}
	if f, ok := r.(voice.Filled); ok && !a.NoFill {
		f.MayFill()
	}
	if a.After == 0 {
		a.After = 300 * time.Millisecond
	}
	if sleep(ctx, a.After) {
		h.write(ctx, a.Says, r)
	}
	heard, whole := r.Finish(ctx, a.Next)
	time.Sleep(toDisk)
	r.Done(h.done(t, a, heard, whole))
	return nil
}

// write stops when the turn is cancelled, as a model's stream does.
func (h *Handler) write(ctx context.Context, says string, r voice.Reply) {
	runes := []rune(says)
	for len(runes) > 0 {
		n := min(pieceRunes, len(runes))
		r.Write(string(runes[:n]))
		runes = runes[n:]
		if !sleep(ctx, pieceGap) {
			return
		}
	}
}

// done publishes the turn and what it did to the run mode.
func (h *Handler) done(t voice.Turn, a Answer, heard string, whole bool) voice.Result {
	turn := event.Turn{ID: t.ID, Channel: t.Channel, ChatID: t.ChatID, Speaker: t.Speaker, User: t.Text, Assistant: heard}
	if !whole {
		turn.Failed = "interrupted"
	} else if a.Failed != nil {
		turn.Failed = "llm"
	}
	h.Bus.Publish(event.TurnDone, turn)
	mode := h.Bus.Snapshot().Mode
	if a.Enter != nil || a.Leave {
		mode = a.Enter
		h.Bus.Update(func(s *event.State) { s.Mode, s.Light.On = mode, mode != nil }, event.LightChanged, nil)
	}
	return voice.Result{ID: t.ID, Reply: a.Says, Next: a.Next, Lang: t.Lang, ChatID: t.ChatID, Mode: mode, Err: a.Failed}
}

// sleep is false when ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
