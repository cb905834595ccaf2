package voice

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// ringName is how much of a ring's sentence must sound for its name, which stands
// first, to be heard.
const ringName = 600 * time.Millisecond

// names are which of the rings were told by name. What nobody was told of must not
// end unheard (V9): who says 停 to the eggs has not heard of the noodles that
// joined them a moment ago. They belong to the goroutine of Loop.Run.
type names struct {
	said   map[string]bool // ids
	naming string          // whose sentence sounds; "" for none
	since  time.Time
	owed   []Ring    // were stopped before their names were said
	first  bool      // nothing was said before them
	paying *exchange // the announcement that tells of them
}

// keep forgets all but the rings that there are now: who rings anew is said anew.
func (n *names) keep(rings []Ring) {
	said := map[string]bool{}
	for _, r := range rings {
		if n.said[r.ID] {
			said[r.ID] = true
		}
	}
	n.said = said
}

// begins: the sentence of a ring begins to sound.
func (n *names) begins(id string) { n.rests(); n.naming, n.since = id, time.Now() }

// rests: what sounds is broken off, or rests.
func (n *names) rests() {
	if n.naming != "" && time.Since(n.since) >= ringName {
		n.said[n.naming] = true
	}
	n.naming = ""
}

// inTurn are the rings in the order in which they are said: first those that were
// not yet.
func (n *names) inTurn(rings []Ring) []Ring {
	var fresh, known []Ring
	for _, r := range rings {
		if n.said[r.ID] {
			known = append(known, r)
		} else {
			fresh = append(fresh, r)
		}
	}
	return append(fresh, known...)
}

// stop notes which of the rings that somebody stops were not said. One alone that
// has no name has nothing to be told.
func (n *names) stop(rings []Ring) {
	n.rests()
	var owed []Ring
	for _, r := range rings {
		if !n.said[r.ID] {
			owed = append(owed, r)
		}
	}
	if len(rings) == 1 && rings[0].Name == "" {
		owed = nil
	}
	n.owed, n.first = owed, len(owed) == len(rings)
}

// sentences say what is owed.
func (n *names) sentences() string {
	var all []string
	for i, r := range n.owed {
		switch {
		case i == 0 && n.first:
			all = append(all, r.Text)
		case r.Name == "":
			all = append(all, phrases.RangTooUnnamed.In(r.Lang))
		default:
			all = append(all, phrases.RangToo.In(r.Lang, r.Name))
		}
	}
	return strings.Join(all, " ")
}

// tellRung tells once of what was stopped before it was said, when nobody talks.
func (l *Loop) tellRung(ctx context.Context) {
	n := &l.rings.names
	if len(n.owed) == 0 || l.current != nil {
		return
	}
	l.begin(ctx, announcement{text: n.sentences(), next: End}, Turn{Lang: n.owed[0].Lang})
	n.paying = l.current
}

// rungTold is called with an exchange that sounds or is over.
func (l *Loop) rungTold(x *exchange) {
	if n := &l.rings.names; n.paying == x {
		n.owed, n.paying = nil, nil
	}
}

// ringWatcher tells of the words of a ring.
type ringWatcher struct {
	loop *Loop
	id   string
	mute atomic.Bool // no voice
}

func (w *ringWatcher) Said(ctx context.Context, words event.Words) {
	w.tell(ctx, func(l *Loop) {
		l.rings.alarms = 0
		l.rings.names.begins(w.id)
		l.said(words)
		l.cfg.Bus.Publish(event.Said, words)
	})
}

// Mute: the bells are there without a voice too.
func (w *ringWatcher) Mute(ctx context.Context, err error) {
	w.mute.Store(true)
	w.loop.log.Warn("a ring stays without its name", "err", err)
}

// heard: the sentence was heard to its end.
func (w *ringWatcher) heard(ctx context.Context) {
	if !w.mute.Load() {
		w.tell(ctx, func(l *Loop) { l.rings.names.said[w.id] = true })
	}
}

// tell runs f on the Loop's goroutine, while it rings.
func (w *ringWatcher) tell(ctx context.Context, f func(*Loop)) {
	err := w.loop.do(ctx, func() {
		if w.loop.state == event.Ringing && ctx.Err() == nil {
			f(w.loop)
		}
	})
	if err != nil {
		w.loop.log.Debug("news of a ring that is over", "err", err)
	}
}
