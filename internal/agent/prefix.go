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
// same conversation, a later one the request before it. It remembers hashes of
// messages, one conversation at a time for each kind: the mode's and the normal
// one. The zero value remembers nothing.
type prefixWatch struct {
	mu   sync.Mutex
	seed maphash.Seed
	last map[string][]uint64 // conversation id → hashes of the last turn's first request
}

// maxWatched conversations are remembered; more than two are never current.
const maxWatched = 8

// first checks the first request of a turn and remembers it. ok is false when
// the prefix broke.
func (w *prefixWatch) first(id string, msgs []llm.Message) (b event.PrefixBreak, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last == nil {
		w.last, w.seed = map[string][]uint64{}, maphash.MakeSeed()
	}
	now := w.hashes(msgs)
	before := w.last[id]
	if _, known := w.last[id]; !known && len(w.last) >= maxWatched {
		clear(w.last)
	}
	w.last[id] = now
	return extends(now, before)
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
