package voice

import (
	"context"
	"time"

	"homebot/audio"
	"homebot/internal/speech"
	"homebot/internal/text"
)

// hear takes one message of a recogniser.
func (l *Listener) hear(ctx context.Context, e *ear, h speech.Heard) {
	switch h.Kind {
	case speech.Ready:
		e.ready()
		l.takeLate(e)
		l.emit(ctx, Heard{Heard: speech.Heard{Kind: Back, Code: e.name}})
	case speech.Failure:
		l.failed(ctx, e, h)
	case speech.Loading:
		l.emit(ctx, Heard{Heard: speech.Heard{Kind: speech.Loading, Code: e.name}})
	case speech.Wake:
		l.wakeHeard(ctx, e, h)
	default:
		if e == l.taking {
			l.utterance(ctx, e, h)
		}
	}
}

// wakeHeard takes a wake of e, if one is waited for. One that crossed an order on
// its way is as good: who says the wake phrase over the last words of a reply must
// not find it deaf. While a button is held what is said is taken already.
func (l *Listener) wakeHeard(ctx context.Context, e *ear, h speech.Heard) {
	stale := e.stale(h)
	e.waiting = e.waiting && stale
	switch {
	case e == l.local && !l.muted && !l.held && (l.taking == nil || l.overhears() || stale):
		l.woken(ctx, h)
	case !stale:
		if err := e.rest(); err != nil {
			l.log.Debug("could not tell the recogniser to wait", "ears", e.name, "err", err)
		}
	}
}

// woken begins a voice session. The local recogniser takes the utterance by
// itself, or by an order that a stale wake has crossed; a remote one gets the sound
// since the end of the wake phrase.
func (l *Listener) woken(ctx context.Context, h speech.Heard) {
	l.mic.frame.Store(audio.SessionFrame)
	from := l.now() - l.local.ago(h.End)
	l.wakes++
	if l.taking == l.remote && l.taking != nil { // it overheard
		if err := l.remote.rest(); err != nil {
			l.log.Debug("could not tell the recogniser to wait", "err", err)
		}
	}
	l.over = order{}
	l.due.Stop()
	l.emit(ctx, Heard{Heard: h, wake: l.wakes})
	if l.remote == nil || !l.remote.up {
		if l.local.waiting { // it was told to, when the wake was on its way
			if err := l.local.take(h.Lang); err != nil {
				l.log.Debug("could not take an utterance", "ears", l.local.name, "err", err)
			}
		}
		l.taking = l.local
		l.watch(l.rule.NoSpeech, from)
	} else {
		if err := l.local.rest(); err != nil {
			l.log.Debug("could not tell the recogniser to wait", "err", err)
		}
		l.begin(h.Lang, l.rule.NoSpeech, from)
	}
	l.end.own = l.now() + ownEarcon
}

// utterance follows what the recogniser hears in it.
func (l *Listener) utterance(ctx context.Context, e *ear, h speech.Heard) {
	switch h.Kind {
	case speech.SpeechStarted:
		if l.end != nil {
			l.end.started(l.now() - e.ago(h.Start))
		}
		l.emit(ctx, l.of(h))
	case speech.SpeechStopped:
		if l.end != nil {
			l.end.stopped(l.now() - e.ago(h.End))
		}
		l.emit(ctx, l.of(h))
	case speech.Partial:
		if l.end != nil && h.Text != "" {
			l.end.words(h.Text, l.now())
		}
		l.emit(ctx, l.of(h))
	case speech.Final, speech.NoSpeech:
		l.final(ctx, h)
	}
}

// final hands over the words, or that there were none.
func (l *Listener) final(ctx context.Context, h speech.Heard) {
	said := h.Text != ""
	if l.madeUp(h) {
		h.Kind = speech.NoSpeech
	}
	l.finish(ctx, h, said && h.Kind == speech.NoSpeech)
}

// finish hands over what came of the utterance. While the device speaks the next
// one is overheard.
func (l *Listener) finish(ctx context.Context, h speech.Heard, madeUp bool) {
	l.close() // unless it was: the recogniser may end it by itself
	out, over := l.of(h), l.over
	out.MadeUp, out.Doubt = madeUp, l.doubt
	l.drop()
	if over.kind == orderOverhear {
		l.overhear(over)
	}
	l.emit(ctx, out)
}

// madeUp: nothing but noise, fillers or what recognisers read out of silence
// (V10). The words that are handed on stay as they were heard (R7).
func (l *Listener) madeUp(h speech.Heard) bool {
	g := text.Signals{NoSpeech: h.NoSpeechProb, LogProb: h.LogProb, Wake: l.cfg.Wake}
	if h.End > h.Start {
		g.Audio = time.Duration(h.End-h.Start) * time.Second / speech.CaptureRate
	}
	return text.Heard(h.Text, h.Lang, g) == ""
}

// failed takes a Failure: a recogniser that is gone is reported once, the rest
// is logged.
func (l *Listener) failed(ctx context.Context, e *ear, h speech.Heard) {
	l.log.Warn("the recogniser failed", "ears", e.name, "code", h.Code, "err", h.Text)
	switch h.Code {
	case speech.CodeLost, speech.CodeRefused:
	default:
		return // overrun; or closed, and then lost follows
	}
	if !e.up {
		return
	}
	e.up, e.waiting = false, false
	l.lost(ctx, e.name, e == l.taking)
}
