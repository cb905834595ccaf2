package voice

import (
	"context"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// filling is the word that announces a slow reply. It belongs to the goroutine of
// Loop.Run.
type filling struct {
	slow  *time.Timer
	quiet context.CancelFunc // ends the word; nil while there is none
	said  int                // words so far, to say another one each time
}

// MayFill is Filled. The wait counts from when the user's words were understood.
func (x *exchange) MayFill() {
	wait := x.loop.cfg.Filler
	if wait <= 0 {
		return
	}
	x.tell(x.ctx, func(l *Loop) {
		if l.state == event.Thinking {
			l.filling.slow.Reset(max(0, wait-time.Since(x.began)))
		}
	})
}

// fill says a word, unless the reply sounds by now.
func (l *Loop) fill(ctx context.Context) {
	if l.state != event.Thinking || l.current == nil || l.filling.quiet != nil {
		return
	}
	word := phrases.FillerLook
	if l.filling.said%2 == 1 {
		word = phrases.FillerMoment
	}
	l.filling.said++
	lang := l.current.turn.Lang
	ctx, l.filling.quiet = context.WithCancel(ctx)
	l.children.Go(func() {
		s := l.cfg.Speaker.Begin(ctx, lang, fillWatcher{l})
		s.Write(word.In(lang))
		s.Finish(ctx)
	})
}

// filled ends the word: the reply is there, or nobody wants it any more.
func (l *Loop) filled() {
	l.filling.slow.Stop()
	if l.filling.quiet != nil {
		l.filling.quiet()
		l.filling.quiet = nil
	}
}

// fillWatcher tells of a filler.
type fillWatcher struct{ loop *Loop }

func (w fillWatcher) Said(ctx context.Context, words event.Words) {
	err := w.loop.do(ctx, func() {
		if w.loop.state == event.Thinking {
			w.loop.said(words)
			w.loop.cfg.Bus.Publish(event.Said, words)
		}
	})
	if err != nil {
		w.loop.log.Debug("news of a filler that is over", "err", err)
	}
}

// Mute: the reply itself will tell.
func (w fillWatcher) Mute(_ context.Context, err error) {
	w.loop.log.Debug("a filler stays unspoken", "err", err)
}
