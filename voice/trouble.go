package voice

import (
	"context"
	"strings"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// Trouble is told of what is wrong with the house around the voice session, or
// that it is over: network, language model, disk, clock. It is said once, when the
// next talk is over, unless the reply told it; that it is over only soon after
// that. The state is the caller's to write. Any goroutine may call it; it returns
// when the Loop has taken it.
func (l *Loop) Trouble(ctx context.Context, code string, gone, back phrases.Phrase, wrong bool) error {
	return l.doIn(ctx, func(run context.Context) { l.trouble(run, code, gone, back, wrong) })
}

func (l *Loop) trouble(ctx context.Context, code string, gone, back phrases.Phrase, wrong bool) {
	f, now := l.houseFault(code), time.Now()
	switch {
	case !f.house:
		l.log.Error("a fault of the voice session is told by somebody else", "code", code)
	case wrong:
		f.begins(now)
		f.gone, f.back = gone, back
		f.untold = !f.recent(now)
	case f.wrong:
		f.wrong, f.untold, f.due, f.over = false, false, time.Time{}, now
		f.sayBack = !f.saidGone.IsZero() && now.Sub(f.saidGone) < newsFor
		l.announceFaults(ctx)
	}
}

// houseFault is the fault of a code, which is made when it was never told of.
func (l *Loop) houseFault(code string) *fault {
	f := l.fault(code)
	if f == nil {
		f = &fault{code: code, house: true}
		l.faults = append(l.faults, f)
	}
	return f
}

// afterTalk makes due what is wrong with the house and not yet told, once the
// last turn is over. What that turn's own reply has told counts as told.
func (l *Loop) afterTalk(now time.Time) {
	x := l.last
	if x == nil || x == l.judged || x.own() || l.state != event.Idle || l.current != nil {
		return
	}
	select {
	case <-x.done:
	default:
		return // broken off, and not yet over
	}
	l.judged = x
	for _, code := range toldBy(x.result) {
		l.houseFault(code).said(now)
	}
	for _, f := range l.faults {
		if f.house && f.wrong && f.untold {
			f.due = now
		}
	}
}

// toldBy are the faults that a reply has spoken of (voice.TurnError).
func toldBy(r *Result) []string {
	switch {
	case r == nil || r.Err == nil:
		return nil
	case strings.HasPrefix(r.Err.Code, "llm_") && strings.Contains(r.Reply, r.Err.Text):
		return []string{event.FaultNetwork, event.FaultLLM}
	case strings.HasPrefix(r.Err.Code, "disk_"):
		return []string{event.FaultDisk}
	}
	return nil
}

// telling is a fault that is told, and the announcement that does it.
type telling struct {
	fault *fault
	by    *exchange
}

// proved is called with an exchange that is over: one that was heard takes the
// fault of the voice away, one that was not has told nothing.
func (l *Loop) proved(x *exchange) {
	switch {
	case x.unspoken.Load():
		if x == l.telling.by {
			l.telling.fault.unheard = true
		}
	case x.sounded:
		l.proven(x)
		l.fixed(FaultVoice)
	}
}

// proven tells of a trial's sentence that was heard: one into a loudspeaker that
// is gone must not look as if it had been spoken.
func (l *Loop) proven(x *exchange) {
	if x.unproved.Text != "" {
		l.cfg.Bus.Publish(event.Said, x.unproved)
		x.unproved = event.Words{}
	}
}

// tellAgain makes due what was told while nobody could hear it.
func (l *Loop) tellAgain() {
	for _, f := range l.faults {
		if f.unheard && f.wrong {
			f.due, f.saidGone = time.Now(), time.Time{}
		}
		f.unheard = false
	}
}

// loading: the recogniser is there and not ready. That is what is said of it.
func (l *Loop) loading(h Heard) {
	f := l.fault(h.Code)
	if f == nil || !f.wrong || f.code != FaultEars || f.gone == phrases.SpeechLoading {
		return
	}
	f.gone, f.back = phrases.SpeechLoading, phrases.SpeechReady
	l.publishFaults(event.StateChanged, nil)
}

// tryVoice says that the voice is back, when it is time to try: if that is heard
// it is true, and Said takes the fault away.
func (l *Loop) tryVoice(ctx context.Context, now time.Time) {
	f := l.fault(FaultVoice)
	if !f.wrong || f.next.IsZero() || f.next.After(now) || l.state != event.Idle || l.current != nil {
		return
	}
	f.tries++
	f.next = now.Add(min(voiceAgain<<min(f.tries, 10), voiceMost))
	l.schedule(now)
	l.begin(ctx, trial{text: f.back.In(l.cfg.Lang), check: l.cfg.VoiceCheck}, Turn{Lang: l.cfg.Lang})
	l.current.trial = true
}

// trial is an announcement that is made only if the voice can be made: what is
// kept of it from better days proves nothing.
type trial struct {
	text  string
	check func(ctx context.Context, lang string) error
}

func (t trial) Handle(ctx context.Context, turn Turn, r Reply) error {
	if t.check != nil && t.check(ctx, turn.Lang) != nil {
		r.Done(Result{Next: End, Lang: turn.Lang})
		return nil
	}
	return announcement{text: t.text, next: End}.Handle(ctx, turn, r)
}
