package voice

import (
	"context"

	"homebot/audio"
	"homebot/internal/event"
)

// Press begins a voice session without a wake word, in lang: somebody holds a
// button to talk. What is going on is broken off, as by a wake word. The
// utterance ends with Release, not by silence. While nothing can be heard it is
// answered with what is gone (V8). While the microphone is off or something rings
// nothing happens. Any goroutine may call it; it returns when the Loop has taken it.
func (l *Loop) Press(ctx context.Context, lang string) error {
	return l.doIn(ctx, func(run context.Context) {
		if l.state == event.Muted || l.state == event.Ringing {
			return
		}
		barged := l.state == event.Speaking
		l.silence()
		if f := l.earsGone(); f != nil {
			l.tellNow(run, f)
			return
		}
		l.newSession("", lang, barged)
		l.cfg.Listener.order(order{kind: orderPress, lang: lang})
		l.listening()
	})
}

// Release says that what was said since Press is all. Callers as with Press.
func (l *Loop) Release(ctx context.Context) error {
	return l.doIn(ctx, func(context.Context) {
		if l.state == event.Listening {
			l.cfg.Listener.order(order{kind: orderRelease, lang: l.session.lang})
		}
	})
}

// pressed begins the utterance that a held button takes.
func (l *Listener) pressed(o order) {
	l.mic.frame.Store(audio.SessionFrame)
	l.begin(o.lang, l.rule.NoSpeech, l.now())
	l.held, l.heldIn = true, o.lang
}

// takeLate takes what a held button is held for with an ear that was not there at
// the press: a browser's recogniser is loaded then. It gets the sound since, as far
// as the pre-roll reaches.
func (l *Listener) takeLate(e *ear) {
	if !l.held || e != l.taking || l.end == nil {
		return
	}
	if err := e.take(l.heldIn); err != nil {
		l.log.Debug("could not take an utterance", "ears", e.name, "err", err)
	}
	pre, _ := l.ring.Since(int64(l.end.began))
	e.hear(pre)
}

// released ends it. A press that this order has overtaken was too short to say
// anything.
func (l *Listener) released(ctx context.Context, o order) {
	if l.taking == nil {
		l.pressed(o)
	}
	l.held = false
	if l.end != nil {
		l.endUtterance(ctx)
	}
}

// holds reports whether a button is held that may still be held.
func (l *Listener) holds() bool {
	return l.held && l.end != nil && l.now()-l.end.began < samples(l.rule.LongestTalk)
}
