package voice

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"homebot/audio"
	"homebot/internal/event"
)

// exchange is one turn in progress, or one announcement: the Reply that its
// Handler writes to. The fields below cancel belong to the Handler's goroutine
// until ended is closed, then to the Loop.
type exchange struct {
	loop   *Loop
	turn   Turn
	cancel context.CancelFunc
	before string // mode session before the turn
	began  time.Time
	ctx    context.Context // of the turn; its end is barge-in
	marks  marks
	handed time.Time // to the Handler

	done     chan struct{}
	speech   *Speech
	text     strings.Builder
	next     Next
	reply    string
	result   *Result
	err      error
	sounded  bool        // a sentence was begun; this and the next two: the Loop's goroutine
	trial    bool        // nobody knows yet whether it sounds
	unproved event.Words // of a trial: said, if it was heard
	unspoken atomic.Bool // no voice; set by the goroutine that plays
}

// begin hands a turn to its Handler on a goroutine of its own, after the turn
// before it has ended: a barge-in cancels that one, which still records what
// was heard.
func (l *Loop) begin(ctx context.Context, h Handler, t Turn) {
	ctx, cancel := context.WithCancel(ctx)
	x := &exchange{loop: l, turn: t, cancel: cancel, done: make(chan struct{}), before: modeSession(l.cfg.Bus.Snapshot().Mode), began: time.Now(), ctx: ctx}
	if !x.own() {
		x.marks = l.taken()
	}
	before := l.last
	l.current, l.last = x, x
	l.children.Go(func() {
		defer close(x.done)
		defer cancel()
		if before != nil {
			<-before.done
			before = nil // its reply need not be kept
		}
		x.run(ctx, h)
	})
}

// ended is closed when the exchange is over; nil, which never is, for none.
func (x *exchange) ended() <-chan struct{} {
	if x == nil {
		return nil
	}
	return x.done
}

func (x *exchange) run(ctx context.Context, h Handler) {
	x.speech = x.loop.cfg.Speaker.Begin(ctx, x.turn.Lang, x)
	x.turn.Said = x.loop.saidBefore()
	x.handed = time.Now()
	x.err = h.Handle(ctx, x.turn, x)
	x.speech.Finish(ctx) // joins also when the Handler did not
	if ctx.Err() != nil && errors.Is(x.err, ctx.Err()) {
		x.err = nil
	}
	x.reply = x.text.String()
	if x.result != nil {
		x.next = x.result.Next
	}
	x.keepSpoken()
	x.measured()
	if x.result == nil {
		return
	}
	x.modeEarcon(ctx)
}

// Write, Finish and Done are Reply.
func (x *exchange) Write(text string) {
	x.text.WriteString(text)
	x.speech.Write(text)
}

func (x *exchange) Finish(ctx context.Context, next Next) (string, bool) {
	x.next = next
	return x.speech.Finish(ctx)
}

func (x *exchange) Done(r Result) { x.result = &r }

// Said is Watcher: the dialogue is speaking.
func (x *exchange) Said(ctx context.Context, w event.Words) {
	x.tell(ctx, func(l *Loop) {
		l.filled()
		l.rungTold(x)
		l.said(w)
		if x.sounded { // the sentence before this one was heard
			l.proven(x)
			l.fixed(FaultVoice)
		}
		x.sounded = true
		l.speaking()
		if x.trial {
			x.unproved = w
			return
		}
		l.cfg.Bus.Publish(event.Said, w)
	})
}

// Mute is Watcher, the degraded way: the reply is text only.
func (x *exchange) Mute(ctx context.Context, err error) {
	x.unspoken.Store(true)
	x.tell(ctx, func(l *Loop) { l.voiceLost(err) })
}

// tell runs f on the Loop's goroutine, unless the exchange was broken off by
// then.
func (x *exchange) tell(ctx context.Context, f func(*Loop)) {
	err := x.loop.do(ctx, func() {
		if x.loop.current == x {
			f(x.loop)
		}
	})
	if err != nil {
		x.loop.log.Debug("news of a cancelled turn", "err", err)
	}
}

// Waiting is Waiter.
func (x *exchange) Waiting() {
	x.loop.cfg.Player.Play(audio.Earcon(audio.EarconDone))
	x.loop.cfg.Bus.Publish(event.EarconPlayed, event.Earcon{Name: audio.EarconDone})
}

// notSaved is the sentence of a turn that was answered and could not be saved,
// unless it is the reply itself.
func (x *exchange) notSaved() string {
	if x.result == nil || x.result.Err == nil || !strings.HasPrefix(x.result.Err.Code, "disk_") {
		return ""
	}
	if strings.Contains(x.reply, x.result.Err.Text) {
		return ""
	}
	return x.result.Err.Text
}

// own reports whether it is an announcement of the device's own, not a turn.
func (x *exchange) own() bool { return x.turn.ID == "" }

// modeEarcon sounds when the turn entered or left a run mode, and waits until
// it was heard: the microphone may open next.
func (x *exchange) modeEarcon(ctx context.Context) {
	after := modeSession(x.result.Mode)
	name := audio.EarconModeOn
	switch after {
	case x.before:
		return
	case "":
		name = audio.EarconModeOff
	}
	if x.own() || ctx.Err() != nil {
		return
	}
	x.tell(ctx, func(l *Loop) { l.cfg.Bus.Publish(event.EarconPlayed, event.Earcon{Name: name}) })
	s := x.loop.cfg.Player.Begin(ctx)
	if err := s.Write(audio.Earcon(name)); err != nil {
		x.loop.log.Debug("an earcon was not played", "earcon", name, "err", err)
	}
	s.End()
	<-s.Done()
}

func modeSession(m *event.Mode) string {
	if m == nil {
		return ""
	}
	return m.ID + "/" + m.SessionID
}

// announcement is a Handler that says one sentence of the device's own; nothing
// of it is recorded.
type announcement struct {
	text string
	next Next
}

func (a announcement) Handle(ctx context.Context, t Turn, r Reply) error {
	r.Write(a.text)
	_, _ = r.Finish(ctx, a.next)
	r.Done(Result{Reply: a.text, Next: a.next, Lang: t.Lang})
	return nil
}
