package agent

import (
	"context"
	"errors"
	"slices"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/phrases"
	"homebot/modes"
	"homebot/voice"
)

// modeKey is the conversation of the active mode, and the right to make one
// active or end it.
const modeKey = "mode"

// places are the conversations that a turn holds, in the order it took them.
type places struct {
	agent *Agent
	claim claim
	keys  []string
}

func (p *places) take(ctx context.Context, key string) error {
	if slices.Contains(p.keys, key) {
		return nil
	}
	c := p.claim
	if err := p.agent.locks.take(ctx, key, &c); err != nil {
		return err
	}
	p.keys = append(p.keys, key)
	return nil
}

// drop lets go of one conversation, "" of all.
func (p *places) drop(key string) {
	p.keys = slices.DeleteFunc(p.keys, func(k string) bool {
		if key == "" || key == k {
			p.agent.locks.release(k)
			return true
		}
		return false
	})
}

// claimOf is how a turn waits.
func claimOf(t voice.Turn, reply voice.Reply, cancel context.CancelCauseFunc) claim {
	c := claim{kind: typed, cancel: cancel}
	if t.Channel == voice.ChannelVoice {
		c.kind = spoken
	}
	if w, ok := reply.(voice.Waiter); ok {
		c.waiting = w.Waiting
	}
	return c
}

// maxMoves bounds how often a turn looks anew for its conversation, when a mode
// begins and ends while it waits.
const maxMoves = 16

// arrive waits until the turn's conversation is its own, and opens the mode
// session if it is one (nil in normal mode).
func (t *turn) arrive(ctx context.Context) (*modes.Session, error) {
	for range maxMoves {
		a, err := t.modes.Active()
		if err != nil || a.Active { // active, or damaged and to be repaired
			s, there, err := t.arriveInMode(ctx)
			if err != nil || there {
				return s, err
			}
		}
		if err := t.arriveInNormal(ctx); err != nil {
			return nil, err
		}
		if a, err := t.modes.Active(); err == nil && !a.Active {
			return nil, nil
		}
		t.places.drop("")
	}
	return nil, errBusy
}

func (t *turn) arriveInMode(ctx context.Context) (s *modes.Session, there bool, err error) {
	if err := t.places.take(ctx, modeKey); err != nil {
		return nil, false, err
	}
	s, err = t.modes.Current()
	if err == nil && s == nil {
		t.places.drop(modeKey)
	}
	return s, s != nil, err
}

// arriveInNormal takes the speaker's place on a channel first where the session
// is still to be chosen, so that two messages at once do not begin two.
func (t *turn) arriveInNormal(ctx context.Context) error {
	if t.ChatID == "" {
		if err := t.places.take(ctx, "who "+t.Channel+" "+t.Speaker); err != nil {
			return err
		}
	}
	return t.places.take(ctx, "chat "+t.Agent.normal.chatID(t.Turn))
}

// enterWait is how long an accepted enter waits for a job that ends another mode.
const enterWait = 2 * time.Second

// holdMode takes the mode's conversation for a turn that is about to enter one.
func (t *turn) holdMode(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, enterWait)
	defer cancel()
	if err := t.places.take(ctx, modeKey); err != nil {
		return errors.New(phrases.TurnWaitedTooLong.In(t.Lang))
	}
	return nil
}

// withMode runs a job that may change the active mode; it waits for the turn in
// progress (R50).
func (a *Agent) withMode(ctx context.Context, do func() error) error {
	if err := a.locks.take(ctx, modeKey, &claim{kind: job}); err != nil {
		return err
	}
	defer a.locks.release(modeKey)
	return do()
}

// notHeard ends a turn that never reached its conversation.
func (t *turn) notHeard(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, errBusy):
		t.refuse("busy", phrases.TurnWaitedTooLong)
	case t.Channel == voice.ChannelVoice:
		return err
	default:
		t.cutOff(ctx)
	}
	return t.untouched()
}

// chatID is the normal session that a turn belongs to (R1).
func (n *normalSessions) chatID(t voice.Turn) string {
	if t.ChatID != "" {
		return t.ChatID
	}
	if id := n.recent(n.agent.path("sessions", t.Channel), t); id != "" {
		return id
	}
	return conversation.NewChatID(t.Channel, t.Heard)
}
