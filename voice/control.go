package voice

import (
	"context"
	"sync"
	"sync/atomic"

	"homebot/audio"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// Controls are what people set on the device itself, and what a restart keeps.
type Controls struct {
	Volume int  // percent, 0 to 100
	Muted  bool // the microphone is off
}

// RingVolume is the least loudness of a ring, in percent: a timer that nobody
// hears has not rung. A third is a quiet voice in a room (the gain is squared).
const RingVolume = 33

// VolumeStep is what "louder" changes, in percent: ten steps from silent to the
// loudest, each of them heard.
const VolumeStep = 10

// Louder is the volume that is steps of VolumeStep above percent, at most 100.
// Steps do not lead to silence: that is asked for by its number.
func Louder(percent, steps int) int {
	if steps == 0 {
		return percent
	}
	steps = max(-100, min(steps, 100))
	return max(VolumeStep, min(percent+steps*VolumeStep, 100))
}

// Errors of the controls; each is the whole message.
var (
	// ErrBusy: Repeat while a turn is thought about or something rings.
	ErrBusy = phrases.Errorf(phrases.VoiceBusy)
	// ErrVolume: the percentage is not one.
	ErrVolume = phrases.Errorf(phrases.VoiceVolume)
)

// controls are the state behind Controls. The fields belong to the goroutine of
// Loop.Run but for those that say otherwise.
type controls struct {
	Controls
	changes int // of Controls so far

	// spoken is the last reply to a turn, as it was written; set by one turn
	// after the other, read by the next.
	spoken atomic.Pointer[spoken]

	saving sync.Mutex // guards saved, and one Keep at a time
	saved  int        // the change that is kept
}

// spoken is a reply that can be said again.
type spoken struct {
	text, lang string
	next       Next
}

// SetVolume sets the loudness in percent, from now on and after a restart. It
// returns when that is kept: an error that is neither ErrVolume nor ErrOver nor
// ctx's means that it is as loud as wanted, but not kept. Any goroutine may call
// it, tools of the turn in progress too.
func (l *Loop) SetVolume(ctx context.Context, percent int) error {
	if percent < 0 || percent > 100 {
		return phrases.Errorf(phrases.VoiceVolumeNot, ErrVolume, percent)
	}
	return l.control(ctx, func(context.Context) { l.setVolume(percent) })
}

// Mute turns the microphone off: what is going on is broken off and not one
// sample is looked at until Mute(ctx, false). A ring goes on. It is told in a
// sentence, because a person who is not heard must know why; nobody can take it
// back by voice. Kept over a restart; errors and callers as with SetVolume.
func (l *Loop) Mute(ctx context.Context, on bool) error {
	return l.control(ctx, func(run context.Context) { l.setMuted(run, on) })
}

// Stop ends whatever is going on: a ring for good, a reply, a turn that is
// thought about, the window for an answer. A turn is recorded with what was
// heard of it. Any goroutine may call it; it returns when the Loop has taken it.
func (l *Loop) Stop(ctx context.Context) error { return l.doIn(ctx, l.stop) }

// Repeat says the last reply again, from the beginning, or that there is none.
// No model is asked and nothing is recorded. ErrBusy: not now. Any goroutine may
// call it; it returns when the Loop has taken it.
func (l *Loop) Repeat(ctx context.Context) error {
	var busy bool
	err := l.doIn(ctx, func(run context.Context) { busy = !l.repeat(run) })
	if err == nil && busy {
		return ErrBusy
	}
	return err
}

// control carries out a change of the Controls and keeps them.
func (l *Loop) control(ctx context.Context, change func(run context.Context)) error {
	var now Controls
	var n int
	err := l.doIn(ctx, func(run context.Context) {
		change(run)
		now, n = l.controls.Controls, l.controls.changes
	})
	if err != nil {
		return err
	}
	return l.keep(now, n)
}

// keep saves the controls as they were after change n, unless a later one is
// saved already. Any goroutine but Run's: a disk may take its time.
func (l *Loop) keep(c Controls, n int) error {
	if l.cfg.Keep == nil {
		return nil
	}
	l.controls.saving.Lock()
	defer l.controls.saving.Unlock()
	if n <= l.controls.saved {
		return nil
	}
	if err := l.cfg.Keep(c); err != nil {
		return phrases.Errorf(phrases.VoiceNotKept, err)
	}
	l.controls.saved = n
	return nil
}

// beginControls begins with what was kept. Nothing is said of a microphone that
// is still off: whoever starts the device at night wants no announcement.
func (l *Loop) beginControls() {
	l.loudness()
	if l.controls.Muted {
		l.cfg.Listener.Mute()
		l.to(event.Muted)
	}
	l.publishControls()
}

func (l *Loop) setVolume(percent int) {
	if percent == l.controls.Volume {
		return
	}
	l.controls.Volume = percent
	l.controls.changes++
	l.loudness()
	l.publishControls()
}

// loudness gives the loudspeaker the volume, a ring at least RingVolume.
func (l *Loop) loudness() {
	percent := l.controls.Volume
	if l.rings.quiet != nil {
		percent = max(percent, RingVolume)
	}
	l.cfg.Player.SetVolume(float64(percent) / 100)
}

func (l *Loop) publishControls() {
	c := l.controls.Controls
	l.cfg.Bus.Update(func(s *event.State) { s.Volume, s.Muted = c.Volume, c.Muted }, event.StateChanged, nil)
}

func (l *Loop) setMuted(ctx context.Context, on bool) {
	if on == l.controls.Muted {
		return
	}
	l.controls.Muted = on
	l.controls.changes++
	l.publishControls()
	switch {
	case l.state == event.Ringing:
		l.muteRing(on)
	case on:
		l.mute()
		if !l.ringAgain(ctx) {
			l.say(ctx, phrases.MicrophoneOff, End)
		}
	default:
		l.silence()
		l.idle(ctx)
		l.earcon(audio.EarconWake)
	}
}

// mute ends what is going on and hears no more.
func (l *Loop) mute() {
	l.silence()
	l.stuck.Stop()
	l.session = session{}
	l.cfg.Listener.Mute()
	l.to(event.Muted)
}

// muteRing turns the microphone off or on under a ring.
func (l *Loop) muteRing(off bool) {
	l.rings.muted = off
	if off {
		l.unholdRing()
		l.cfg.Listener.Mute()
		return
	}
	l.takeAnswer()
}

func (l *Loop) stop(ctx context.Context) {
	l.silence() // before what is to be told of the ring
	if l.state == event.Ringing || len(l.rings.now) > 0 {
		l.stopRing(ctx)
	}
	if l.state != event.Muted {
		l.idle(ctx)
	}
}

// controlled carries out words to the device itself: they are no turn, as a
// button is none, and are neither answered by a model nor recorded.
func (l *Loop) controlled(ctx context.Context, words string) bool {
	switch text.ControlOf(words, l.cfg.Listener.cfg.Wake) {
	case text.ControlStop:
		l.stop(ctx)
	case text.ControlMute:
		l.setMuted(ctx, true)
		now, n := l.controls.Controls, l.controls.changes
		l.children.Go(func() {
			if err := l.keep(now, n); err != nil {
				l.log.Error("the microphone is off, but not after a restart", "err", err)
			}
		})
	default:
		return false
	}
	return true
}

// repeat reports whether it says the last reply again.
func (l *Loop) repeat(ctx context.Context) bool {
	if l.state == event.Thinking || l.state == event.Ringing {
		return false
	}
	l.silence()
	l.stuck.Stop()
	if l.state == event.Listening {
		l.cfg.Listener.Wait()
	}
	lang := l.session.lang
	if lang == "" {
		lang = l.cfg.Lang
	}
	l.begin(ctx, again{l}, Turn{Lang: lang, ChatID: l.session.chatID})
	return true
}

// again is a Handler that says the last reply once more. It looks for it when
// the turn before, which may be the one to repeat, has ended.
type again struct{ loop *Loop }

func (a again) Handle(ctx context.Context, t Turn, r Reply) error {
	last := a.loop.controls.spoken.Load()
	if last == nil {
		return announcement{text: phrases.OfflineNothingToRepeat.In(t.Lang), next: End}.Handle(ctx, t, r)
	}
	t.Lang = last.lang
	return announcement{text: last.text, next: last.next}.Handle(ctx, t, r)
}

// saidBefore is the reply that was spoken last; called when the turn before has
// ended.
func (l *Loop) saidBefore() string {
	if s := l.controls.spoken.Load(); s != nil {
		return s.text
	}
	return ""
}

// Forget drops the last reply: what was said is to be forgotten. Any goroutine may
// call it.
func (l *Loop) Forget() { l.controls.spoken.Store(nil) }

// keepSpoken keeps the reply of a turn that is over, to be said again.
func (x *exchange) keepSpoken() {
	if x.own() || x.reply == "" {
		return
	}
	x.loop.controls.spoken.Store(&spoken{text: x.reply, lang: x.turn.Lang, next: x.next})
}
