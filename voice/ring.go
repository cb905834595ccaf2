package voice

import (
	"context"
	"slices"
	"strings"
	"time"

	"homebot/audio"
	"homebot/internal/event"
	"homebot/internal/speech"
	"homebot/internal/text"
)

// Ring is one timer or alarm that rings: its name, "" for none, and what is said of
// it, both in its language.
type Ring struct{ ID, Name, Text, Lang string }

// How a ring sounds: a few bells, its name, and a pause in which an answer is
// heard best. The microphone is open all the while.
const (
	ringBells  = 3
	ringBell   = 400 * time.Millisecond // from one to the next
	ringAnswer = 2500 * time.Millisecond
)

// ringing is what rings. It belongs to the goroutine of Loop.Run.
type ringing struct {
	now   []Ring
	quiet context.CancelFunc // ends the sound; nil while there is none
	muted bool               // the microphone was off, and is again afterwards
	takes int                // utterances taken, to listen in each language in turn

	names names

	held   bool        // the sound rests
	alarms int         // rests in vain since the last name
	paused bool        // somebody spoke in the utterance, and does not just now
	doubt  Heard       // a stop word of which more may come; its Kind is empty if there is none
	sure   bool        // it was said while the sound rested, so it is none of that
	settle *time.Timer // ends a rest
}

// Ring says what rings now; an empty list is silence (V9). It rings at once,
// over a reply too, which is broken off as by a barge-in; a turn that still
// thinks goes on. It returns when the Loop has taken it; the ring lasts no longer
// than ctx. Any goroutine may call it.
func (l *Loop) Ring(ctx context.Context, rings []Ring) error {
	rings = slices.Clone(rings)
	return l.do(ctx, func() {
		l.rings.now = rings
		l.rings.names.keep(rings)
		if len(rings) == 0 {
			l.ringOver(ctx)
			return
		}
		l.ring(ctx)
	})
}

// ring begins to ring, or goes on with what rings now.
func (l *Loop) ring(ctx context.Context) {
	if l.state == event.Speaking {
		l.silence()
	}
	if l.state != event.Ringing {
		l.rings.muted = l.controls.Muted
	}
	l.hushRing()
	l.stuck.Stop()
	l.session = session{}
	l.to(event.Ringing)
	ctx, l.rings.quiet = context.WithCancel(ctx)
	l.loudness()
	rings := l.rings.names.inTurn(l.rings.now)
	l.children.Go(func() { l.soundRing(ctx, rings) })
	l.takeAnswer()
}

// takeAnswer opens the microphone for the stop word, in the languages of what
// rings, one after the other.
func (l *Loop) takeAnswer() {
	if l.rings.muted {
		return
	}
	var langs []string
	for _, r := range l.rings.now {
		if !slices.Contains(langs, r.Lang) {
			langs = append(langs, r.Lang)
		}
	}
	l.rings.paused = false
	l.cfg.Listener.Take(langs[l.rings.takes%len(langs)])
	l.rings.takes++
}

// soundRing rings one after the other until ctx ends.
func (l *Loop) soundRing(ctx context.Context, rings []Ring) {
	for i := 0; ctx.Err() == nil; i++ {
		r := rings[i%len(rings)]
		l.bells(ctx)
		w := &ringWatcher{loop: l, id: r.ID}
		s := l.cfg.Speaker.Begin(ctx, r.Lang, w)
		s.Write(r.Text)
		if _, whole := s.Finish(ctx); whole {
			w.heard(ctx)
		}
		pause := time.NewTimer(ringAnswer)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
}

// bells plays the bells and waits until they were heard.
func (l *Loop) bells(ctx context.Context) {
	s := l.cfg.Player.Begin(ctx)
	bell := audio.Earcon(audio.EarconRing)
	bell = append(bell, make([]int16, max(0, int(ringBell*audio.PlaybackRate/time.Second)-len(bell)))...)
	for range ringBells {
		if err := s.Write(bell); err != nil {
			l.log.Debug("a bell was not played", "err", err)
			break
		}
	}
	s.End()
	<-s.Done()
}

// ringHears takes what is heard while it rings; false leaves it to the rest of
// the Loop. Without a wake word only two kinds of words count, because people
// talk and the ring itself is heard: a stop word and nothing else ends it, and an
// order about timers (再加五分钟) is a turn.
func (l *Loop) ringHears(ctx context.Context, h Heard) (taken bool) {
	if l.state != event.Ringing {
		return false
	}
	switch h.Kind {
	case speech.Wake:
		l.hushRing() // until that talk is over
		return false
	case speech.SpeechStarted:
		l.rings.paused = false
		if l.echoCancelled() && l.rings.alarms < falseAlarms {
			l.restRing(doubtful)
		}
	case speech.SpeechStopped:
		l.rings.paused = true
		l.ringPaused(ctx)
	case speech.Partial:
		l.ringPartial(ctx, h)
	case speech.Final:
		l.ringFinal(ctx, h)
	case speech.NoSpeech:
		l.ringGoesOn()
		l.takeAnswer()
	default:
		return false
	}
	return true
}

// ringStops: the words end a ring, and are not its own.
func (l *Loop) ringStops(h Heard) bool { return text.IsStop(h.Text) && !l.ringsOf(h.Text) }

// restRing makes the ring rest for at most d: somebody speaks, or said a stop word.
// Where the echo is cancelled it rests as soon as somebody speaks, as a reply does:
// what is heard then is none of its own sound.
func (l *Loop) restRing(d time.Duration) {
	if !l.rings.held {
		l.rings.held = true
		l.rings.names.rests()
		l.cfg.Player.Hold(true)
	}
	l.rings.settle.Reset(d)
}

// ringPartial: a stop word may be the beginning of something else (停车场怎么走),
// so it counts as over a reply: after a pause, or when it is final where it may be
// made of the ring's own sound. The ring rests meanwhile: who said no more than
// that hears at once that it was understood.
func (l *Loop) ringPartial(ctx context.Context, h Heard) {
	if !l.ringStops(h) {
		l.ringGoesOn()
		return
	}
	if l.rings.doubt.Kind == "" {
		l.rings.sure = l.rings.held
		l.restRing(surelySpeak)
	}
	if l.rings.doubt = h; l.rings.paused {
		l.ringPaused(ctx)
	}
}

// ringPaused believes the stop word there is, if any: nothing followed it.
func (l *Loop) ringPaused(ctx context.Context) {
	if l.rings.doubt.Kind != "" && l.rings.sure {
		l.ringStopped(ctx, l.rings.doubt)
	}
}

// ringSettled ends a rest. What goes on after a stop word for so long is a noise.
func (l *Loop) ringSettled(ctx context.Context) {
	if l.rings.doubt.Kind != "" && l.state == event.Ringing {
		l.ringStopped(ctx, l.rings.doubt)
		return
	}
	l.ringGoesOn()
}

// ringGoesOn: it rested in vain.
func (l *Loop) ringGoesOn() {
	if l.rings.held {
		l.rings.alarms++
	}
	l.unholdRing()
}

// unholdRing ends a rest.
func (l *Loop) unholdRing() {
	if !l.rings.held {
		return
	}
	l.rings.held, l.rings.doubt = false, Heard{}
	l.rings.settle.Stop()
	l.cfg.Player.Hold(false)
}

// ringStopped: somebody said that it is enough.
func (l *Loop) ringStopped(ctx context.Context, h Heard) {
	l.cfg.Bus.Publish(event.FinalHeard, event.Words{Text: h.Text, Lang: h.Lang})
	l.stopRing(ctx)
}

// ringFinal takes the words of an utterance that is over.
func (l *Loop) ringFinal(ctx context.Context, h Heard) {
	switch {
	case l.ringStops(h):
		l.ringStopped(ctx, h)
	case ordersTimers(h.Text, l.cfg.Now()) && !l.ringsOf(h.Text):
		l.hushRing() // until that talk is over
		l.session = session{chatID: l.cfg.NewChatID(ChannelVoice, l.cfg.Now()), lang: h.Lang}
		l.listening()
		l.understood(ctx, h)
	default:
		l.ringGoesOn()
		l.takeAnswer()
	}
}

// ordersTimers: words that change what rings.
func ordersTimers(words string, now time.Time) bool {
	p, ok := text.ParseTimer(text.Heard(words, "", text.Signals{}), now)
	switch {
	case !ok:
		return false
	case p.Action == text.TimerCancel, p.Action == text.TimerCancelAll:
		return p.Named
	}
	return p.Action == text.TimerAdd
}

// ringsOf reports whether the name that is being said holds the words heard.
func (l *Loop) ringsOf(words string) bool {
	bare := func(s string) string { return strings.ReplaceAll(text.JoinHan(text.Normalize(s)), " ", "") }
	return strings.Contains(bare(l.saying.Text), bare(words))
}

// stopRing ends the ring by somebody's word, and no other that has begun meanwhile:
// of that nobody knows yet.
func (l *Loop) stopRing(ctx context.Context) {
	var ids []string
	for _, r := range l.rings.now {
		ids = append(ids, r.ID)
	}
	l.rings.names.stop(l.rings.now)
	l.rings.now = nil
	l.ringOver(ctx)
	l.earcon(audio.EarconDone)
	if l.cfg.Hush == nil {
		return
	}
	l.children.Go(func() {
		if err := l.cfg.Hush(ids); err != nil {
			l.log.Error("the ring was not ended", "err", err)
		}
	})
}

// ringOver is the silence after a ring: what was before goes on.
func (l *Loop) ringOver(ctx context.Context) {
	l.hushRing()
	if l.state != event.Ringing {
		return
	}
	switch {
	case l.rings.muted:
		l.cfg.Listener.Mute()
		l.to(event.Muted)
		l.tellRung(ctx)
	case l.current != nil:
		l.cfg.Listener.Wait()
		l.to(event.Thinking)
	default:
		l.idle(ctx)
	}
}

// hushRing ends the sound of a ring.
func (l *Loop) hushRing() {
	l.unholdRing()
	l.rings.names.rests()
	if l.rings.quiet != nil {
		l.rings.quiet()
		l.rings.quiet = nil
		l.loudness()
		l.saying = event.Words{}
	}
}

// ringAgain goes on ringing after a talk that did not end it.
func (l *Loop) ringAgain(ctx context.Context) bool {
	if len(l.rings.now) == 0 {
		return false
	}
	l.ring(ctx)
	return true
}

// speaking is the state while a reply sounds; a ring outlasts it, and a
// microphone that is off.
func (l *Loop) speaking() {
	if l.state == event.Ringing || l.state == event.Muted || l.state == event.Speaking {
		return
	}
	l.to(event.Speaking)
	l.overhear()
}
