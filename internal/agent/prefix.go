package agent

import (
	"fmt"
	"hash/maphash"
	"sync"

	"homebot/internal/event"
	"homebot/internal/llm"
)

// prefixWatch proves on every request that it extends what was sent before
// (R36, C23): a turn's first request the first one of the turn before it in the
// same conversation, unless a cut lies between, a later one the request before
// it. It remembers hashes of messages, one conversation at a time for each kind:
// the mode's and the normal one. The zero value remembers nothing.
type prefixWatch struct {
	mu   sync.Mutex
	seed maphash.Seed
	last map[string]sentHashes // of the last recorded turn's first request, by conversation
}

// sentHashes are the hashes of one request.
type sentHashes struct {
	cuts     int // cut records in force
	tools    uint64
	messages []uint64
}

// maxWatched conversations are remembered; more than two are never current.
const maxWatched = 8

// first checks the first request of a turn. ok is false when the prefix broke.
func (w *prefixWatch) first(id string, cuts int, tools []byte, msgs []llm.Message) (now sentHashes, b event.PrefixBreak, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last == nil {
		w.last, w.seed = map[string]sentHashes{}, maphash.MakeSeed()
	}
	now = sentHashes{cuts, maphash.Bytes(w.seed, tools), w.hashes(msgs)}
	before, known := w.last[id]
	switch {
	case !known || before.cuts != cuts:
		return now, event.PrefixBreak{}, true
	case before.tools != now.tools:
		return now, event.PrefixBreak{Reason: "the tools differ from the turn before"}, false
	}
	b, ok = extends(now.messages, before.messages)
	return now, b, ok
}

// keep remembers what first returned. Only a turn that its conversation holds is
// kept: the one that entered a mode stands in the mode alone (R9), and the normal
// conversation goes on as if it had not been (R1).
func (w *prefixWatch) keep(id string, sent sentHashes) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.last[id]; !known && len(w.last) >= maxWatched {
		clear(w.last)
	}
	w.last[id] = sent
}

// extends reports whether now begins with before.
func extends(now, before []uint64) (event.PrefixBreak, bool) {
	for i, h := range before {
		if i >= len(now) || now[i] != h {
			return event.PrefixBreak{At: i, Reason: fmt.Sprintf("message %d differs from the turn before", i)}, false
		}
	}
	return event.PrefixBreak{}, true
}

func (w *prefixWatch) hashes(msgs []llm.Message) []uint64 {
	out := make([]uint64, len(msgs))
	for i, m := range msgs {
		out[i] = maphash.String(w.seed, string(llm.EncodeMessage(m)))
	}
	return out
}

// watchFirst checks the turn's first request.
func (t *turn) watchFirst(msgs []llm.Message) {
	sent, b, ok := t.watch.first(t.id, t.view.view.Applied, t.toolsSent, msgs)
	t.view.first = sent
	if !ok {
		t.view.breaks++
		t.prefixBroken(b)
	}
}

// watchLater checks that a later request of the turn begins with the one before.
func (t *turn) watchLater(before, now []llm.Message) {
	for i := range before {
		if i >= len(now) || string(llm.EncodeMessage(before[i])) != string(llm.EncodeMessage(now[i])) {
			t.view.breaks++
			t.prefixBroken(event.PrefixBreak{At: i, Reason: fmt.Sprintf("message %d differs within the turn", i)})
			return
		}
	}
}
