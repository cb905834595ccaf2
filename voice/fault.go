package voice

import (
	"context"
	"errors"
	"slices"
	"time"

	"homebot/audio"
	"homebot/internal/event"
	"homebot/internal/phrases"
)

// quietFor is how long the same sentence about a fault is not said again, unless
// the fault broke off somebody's words. It doubles each time, up to quietMost: a
// loose cable is not talked about all day. After healthy times it begins anew.
const (
	quietFor  = time.Minute
	quietMost = time.Hour
)

// newsFor is how long after a fault of the house was told its end is news:
// whoever heard the one is still about.
const newsFor = 10 * time.Minute

// How soon a voice that was lost is tried again by itself, and the longest wait
// between two tries.
const (
	voiceAgain = 10 * time.Second
	voiceMost  = 2 * time.Minute
)

// startGrace is Grace at the start, when models are loaded and cards are opened:
// a Pi takes some seconds for it, and nothing is wrong.
const startGrace = 10 * time.Second

// fault is one thing that is or was wrong. State.Faults has it from the first
// moment on; people are told when it is due.
type fault struct {
	code       string
	gone, back phrases.Phrase
	wrong      bool
	since      time.Time
	due        time.Time // when to say it; zero: never, or already done
	announced  bool      // FaultAppeared was published
	saidGone   time.Time
	saidBack   time.Time
	sayBack    bool // its end is news that was not yet said
	told       int  // how often it was said, in times without an hour of health
	over       time.Time
	next       time.Time // FaultVoice: when to try again; zero: not by itself
	tries      int       // FaultVoice: in vain so far

	// house: it is no fault of hearing or speaking (Trouble). Its finder has it
	// in the state; it is said, while untold, when the next talk is over: nobody
	// is called to the kitchen because the router is being restarted.
	house   bool
	untold  bool
	unheard bool // it was told into nowhere: again when there is a voice
}

// quiet is how long the sentence must not be said again.
func (f *fault) quiet() time.Duration {
	return min(quietFor<<min(max(f.told-1, 0), 10), quietMost)
}

// said notes that it was told.
func (f *fault) said(now time.Time) {
	f.saidGone, f.untold = now, false
	f.told++
}

// recent reports whether it was told too short ago to be told again.
func (f *fault) recent(now time.Time) bool {
	return !f.saidGone.IsZero() && now.Sub(f.saidGone) < f.quiet()
}

// begins notes the start of an outage.
func (f *fault) begins(now time.Time) {
	if !f.over.IsZero() && now.Sub(f.over) > quietMost {
		f.told = 0
	}
	f.wrong, f.sayBack = true, false
}

// Standing is a fault that is there before the Loop begins and that nothing here
// mends, like a mistake in the configuration. It is in the state from the first
// moment on, and said once, when the device had time to find its voice.
type Standing struct {
	Code string
	Say  phrases.Phrase // without verbs
}

// beginDeaf: until the microphone and the recogniser have shown that they work,
// the device is deaf and says so in its state (V8). If that lasts it is said.
func (l *Loop) beginDeaf() {
	l.faults = []*fault{
		{code: FaultMicrophone, gone: phrases.NoMicrophone, back: phrases.SoundBack, wrong: true},
		{code: FaultEars, gone: phrases.SpeechGone, back: phrases.SpeechBack, wrong: true},
		{code: FaultRemoteEars, gone: phrases.RemoteSpeechGone, back: phrases.RemoteSpeechBack, wrong: l.cfg.Listener.remote != nil},
		{code: FaultVoice, gone: phrases.VoiceGone},
	}
	for _, s := range l.cfg.Standing {
		l.faults = append(l.faults, &fault{code: s.Code, gone: s.Say, wrong: true})
	}
	for _, f := range l.faults {
		if f.wrong {
			f.since, f.due = l.cfg.Now(), time.Now().Add(max(startGrace, l.cfg.Grace))
		}
	}
	l.schedule(time.Now())
	l.cfg.Bus.Update(func(s *event.State) {
		s.Dialogue, s.Faults = l.state, l.merged(s.Faults)
	}, event.StateChanged, nil)
}

// fault is the fault of a code; nil for an unknown one.
func (l *Loop) fault(code string) *fault {
	i := slices.IndexFunc(l.faults, func(f *fault) bool { return f.code == code })
	if i < 0 {
		return nil
	}
	return l.faults[i]
}

// merged is others' faults with the Loop's own as they are now.
func (l *Loop) merged(all []event.Fault) []event.Fault {
	out := slices.DeleteFunc(slices.Clone(all), func(e event.Fault) bool {
		f := l.fault(e.Code)
		return f != nil && !f.house
	})
	for _, f := range l.faults {
		if f.wrong && !f.house {
			out = append(out, l.public(f))
		}
	}
	return out
}

func (l *Loop) public(f *fault) event.Fault {
	return event.Fault{Code: f.code, Text: f.gone.In(l.cfg.Lang), Since: f.since}
}

// publishFaults puts the faults into the state.
func (l *Loop) publishFaults(kind event.Kind, data any) {
	l.cfg.Bus.Update(func(s *event.State) { s.Faults = l.merged(s.Faults) }, kind, data)
}

// lost: something is gone. In the middle of an utterance the user is told at
// once, else after the grace.
func (l *Loop) lost(ctx context.Context, h Heard) {
	f := l.fault(h.Code)
	if f == nil || f.wrong {
		return
	}
	f.begins(time.Now())
	f.since, f.due = l.cfg.Now(), time.Now().Add(l.cfg.Grace)
	if f.code == FaultEars {
		f.gone, f.back = phrases.SpeechGone, phrases.SpeechBack
	}
	l.publishFaults(event.StateChanged, nil)
	if l.deaf() {
		l.resume() // nobody can say anything now
	}
	if (h.Broken || l.deaf()) && l.state == event.Listening {
		l.tellNow(ctx, f)
		return
	}
	l.schedule(time.Now())
	if h.Broken {
		l.hearOn()
	}
}

// tellNow ends the voice session and says that f is there, however short ago the
// same was said.
func (l *Loop) tellNow(ctx context.Context, f *fault) {
	f.due, f.saidGone = time.Now(), time.Time{}
	l.idle(ctx)
}

// earsGone is why nothing can be heard now; nil if something can, or if that is
// only about to begin.
func (l *Loop) earsGone() *fault {
	for _, code := range []string{FaultMicrophone, FaultEars} {
		if f := l.fault(code); f.wrong && (f.announced || !f.over.IsZero()) {
			return f
		}
	}
	return nil
}

// deaf reports whether nothing can be heard now.
func (l *Loop) deaf() bool { return l.fault(FaultMicrophone).wrong || l.fault(FaultEars).wrong }

// back: it works again; said only if its loss was told.
func (l *Loop) back(ctx context.Context, code string) {
	f := l.fault(code)
	if f == nil || !f.wrong {
		return
	}
	f.sayBack = f.announced
	deaf := l.deaf()
	l.fixed(code)
	if deaf {
		l.hearOn()
	}
	l.announceFaults(ctx)
}

// hearOn listens anew for the stop word over a ring or a reply that still sounds:
// the utterance that waited for it was dropped with what is gone, and of that no
// word comes that would begin the next.
func (l *Loop) hearOn() {
	switch {
	case l.deaf():
	case l.state == event.Ringing:
		l.takeAnswer()
	case l.state == event.Speaking:
		l.barge.silent()
		l.listenOver()
	}
}

// fixed takes a fault out of the state.
func (l *Loop) fixed(code string) {
	f := l.fault(code)
	if !f.wrong {
		return
	}
	was := l.public(f)
	announced := f.announced
	f.wrong, f.announced, f.due = false, false, time.Time{}
	f.over, f.next, f.tries = time.Now(), time.Time{}, 0
	if code == FaultVoice {
		l.tellAgain()
	}
	if announced {
		l.publishFaults(event.FaultCleared, was)
	} else {
		l.publishFaults(event.StateChanged, nil)
	}
}

// announceFaults says the first fault that is due, if nobody talks; the others
// follow when that is said. The earcon is there also when no voice is.
func (l *Loop) announceFaults(ctx context.Context) {
	now := time.Now()
	l.afterTalk(now)
	l.schedule(now)
	for _, f := range l.faults {
		if !f.due.IsZero() && !f.due.After(now) {
			l.appeared(f)
		}
		if l.state == event.Idle && l.current == nil { // else idle comes back here
			l.tellFault(ctx, f, now)
		}
	}
	l.tryVoice(ctx, now)
}

// tellFault says that f is there, or over, if that is due and was not said too
// short ago.
func (l *Loop) tellFault(ctx context.Context, f *fault, now time.Time) {
	switch {
	case f.sayBack:
		f.sayBack = false
		if f.saidBack.IsZero() || now.Sub(f.saidBack) >= f.quiet() {
			f.saidBack = now
			l.say(ctx, f.back, End)
		}
	case !f.due.IsZero() && !f.due.After(now):
		f.due = time.Time{}
		if f.recent(now) {
			return
		}
		f.said(now)
		if !f.house {
			l.earcon(audio.EarconError)
		}
		l.say(ctx, f.gone, End)
		l.telling = telling{f, l.current}
	}
}

// schedule sets the timer to the next fault that will be due.
func (l *Loop) schedule(now time.Time) {
	l.check.Stop()
	next := time.Duration(0)
	for _, f := range l.faults {
		for _, at := range []time.Time{f.due, f.next} {
			if wait := at.Sub(now); at.After(now) && (next == 0 || wait < next) {
				next = wait
			}
		}
	}
	if next > 0 {
		l.check.Reset(next)
	}
}

// appeared publishes a fault once.
func (l *Loop) appeared(f *fault) {
	if !f.announced && !f.house {
		f.announced = true
		l.publishFaults(event.FaultAppeared, l.public(f))
	}
}

// voiceLost: a reply could not be spoken. It cannot be said either: an earcon
// and the event must do.
func (l *Loop) voiceLost(err error) {
	f := l.fault(FaultVoice)
	if f.wrong {
		return
	}
	l.log.Warn("no voice", "err", err)
	f.begins(time.Now())
	f.since, f.gone, f.back = l.cfg.Now(), phrases.VoiceGone, phrases.VoiceBack
	if errors.Is(err, audio.ErrLost) {
		f.gone = phrases.NoLoudspeaker
	}
	f.next, f.tries = time.Now().Add(voiceAgain), 0
	l.schedule(time.Now())
	l.appeared(f)
	if l.current != nil && !l.current.own() { // an announcement had one already
		l.earcon(audio.EarconError)
	}
}
