package voice

import (
	"slices"

	"homebot/internal/event"
)

// transitions lists, for each dialogue state, those that may follow. It is the
// only such table. Listening and thinking may go to speaking and idle alike,
// because a turn can end without a word, and a fault can be said at any time
// nobody talks. A turn goes on thinking while it rings. A wake leads to listening from everywhere but muted.
var transitions = map[event.DialogueState][]event.DialogueState{
	event.Idle:      {event.Listening, event.Speaking, event.Ringing, event.Muted},
	event.Listening: {event.Thinking, event.Speaking, event.Idle, event.Ringing, event.Muted},
	event.Thinking:  {event.Speaking, event.Listening, event.Idle, event.Ringing, event.Muted},
	event.Speaking:  {event.Listening, event.Idle, event.Ringing, event.Muted},
	event.Ringing:   {event.Listening, event.Thinking, event.Idle, event.Muted},
	event.Muted:     {event.Idle, event.Ringing},
}

// legal reports whether the dialogue may go from one state to another.
func legal(from, to event.DialogueState) bool {
	return slices.Contains(transitions[from], to)
}

// to changes the dialogue state and tells the watchers. A change that is not in
// the table is refused and logged; it would be a mistake of this package.
func (l *Loop) to(state event.DialogueState) bool {
	if state == l.state {
		return true
	}
	if !legal(l.state, state) {
		l.log.Error("refused an illegal change of the dialogue state", "from", l.state, "to", state)
		if l.cfg.Illegal != nil {
			l.cfg.Illegal(l.state, state)
		}
		return false
	}
	l.state = state
	l.cfg.Bus.Update(func(s *event.State) { s.Dialogue = state }, event.StateChanged, nil)
	return true
}
