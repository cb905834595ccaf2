package voice

import (
	"context"
	"time"

	"homebot/audio"
	"homebot/internal/event"
	"homebot/internal/speech"
	"homebot/internal/text"
)

// BargeIn says what may interrupt a reply beside the wake word.
type BargeIn int

const (
	// BargeInSpeech: a stop word, and with echo cancellation anything said.
	BargeInSpeech BargeIn = iota
	// BargeInWords: a stop word.
	BargeInWords
	// BargeInWake: nothing else; the recogniser rests meanwhile.
	BargeInWake
)

// How long a reply rests for somebody who may want to say something. A cough or
// a pot is over within half a second and brings no words; a recogniser of whole
// sentences needs the end of one.
const (
	doubtful    = time.Second            // from the beginning of the speech
	doubtAgain  = 500 * time.Millisecond // more, while the speech goes on
	doubtMost   = 3 * time.Second        // in all
	falseAlarms = 2                      // in one reply; then it rests for words only
)

// What makes words out of a noise, or of the beginning of others, no barge-in: a
// recogniser of set phrases finds one in much. A pan put down was 140 to 380 ms of
// speech to the level detector, with what was left of the device's voice before it
// rested up to 500; the shortest set phrases 440 and 470 (停, stop), 810 (帮助).
// 停 was a partial 220 ms into 现在几点了, and "stop cooking mode" one of what was
// left of the device's own "pour in the stock".
const (
	leastSpoken = 600 * time.Millisecond // of the speech that words stand in, but for a stop word
	surelySpeak = 2 * time.Second        // so long after its beginning partials count: a set phrase is over
)

// barge is what may interrupt the reply in progress. It belongs to the goroutine
// of Loop.Run.
type barge struct {
	doubt  *time.Timer
	held   bool      // playback rests
	since  time.Time // then
	voice  bool      // somebody speaks now
	alarms int       // false ones in this reply
	taken  int       // the utterance that became the user's

	began  time.Time     // the speech that goes on or was last; zero: none in this utterance
	voiced time.Duration // the longest span of speech in the utterance that is over
	words  Heard         // a partial that does not count yet; its Kind is empty if there is none
}

// overhear listens while a reply sounds, from its first word on.
func (l *Loop) overhear() {
	l.barge.alarms = 0
	l.barge.silent()
	l.listenOver()
}

// listenOver tells the Listener to listen while the device speaks.
func (l *Loop) listenOver() {
	if l.cfg.BargeIn == BargeInWake {
		l.cfg.Listener.Wait()
		return
	}
	lang := l.session.lang
	if lang == "" {
		lang = l.cfg.Lang
	}
	l.cfg.Listener.Overhear(lang, l.freeBargeIn())
}

// freeBargeIn: whatever somebody says interrupts. Who was not woken is only
// silenced: nobody has spoken to the device.
func (l *Loop) freeBargeIn() bool {
	return l.cfg.BargeIn == BargeInSpeech && l.session.chatID != "" && l.echoCancelled()
}

func (l *Loop) echoCancelled() bool { return l.cfg.EchoCancelled != nil && l.cfg.EchoCancelled() }

// overheard takes what was heard while the device speaks.
func (l *Loop) overheard(ctx context.Context, h Heard) {
	if l.state != event.Speaking {
		return // the reply is over, and what was heard of it stale
	}
	switch h.Kind {
	case speech.SpeechStarted:
		l.barge.voice, l.barge.began = true, time.Now()
		if l.freeBargeIn() && l.barge.alarms < falseAlarms {
			l.hold()
		}
	case speech.SpeechStopped:
		l.barge.voice = false
		l.barge.voiced = max(l.barge.voiced, time.Duration(h.End-h.Start)*time.Second/speech.CaptureRate)
		if w := l.barge.words; w.Kind != "" && l.counts(w) {
			l.overheardWords(ctx, w)
		}
	case speech.Partial:
		if l.barge.words = h; l.counts(h) {
			l.overheardWords(ctx, h)
		}
	case speech.Final:
		noise := !l.barge.began.IsZero() && !l.barge.voice && l.barge.voiced < leastSpoken && !l.hushes(h.Text)
		l.barge.silent()
		if noise {
			l.log.Info("what was heard was a noise", "text", h.Text)
			l.resume()
			return
		}
		l.overheardWords(ctx, h)
	case speech.NoSpeech:
		l.barge.silent()
		l.resume()
	}
}

// silent: the utterance is over, or none has begun.
func (b *barge) silent() {
	b.voice, b.began, b.voiced, b.words = false, time.Time{}, 0, Heard{}
}

// counts reports whether a partial may interrupt now: the wake phrase at once,
// other words after a pause, or in long talk. A stop word may still be the
// beginning of something else, and waits for the pause.
func (l *Loop) counts(h Heard) bool {
	if _, phrase := text.CutWake(h.Text, l.cfg.Listener.cfg.Wake); phrase != "" {
		return true
	}
	if hush := l.hushes(h.Text); hush || !l.barge.voice {
		return !l.barge.voice && (hush || l.barge.voiced >= leastSpoken)
	}
	return time.Since(l.barge.began) >= surelySpeak
}

// overheardWords: the wake word, a stop word, or with echo cancellation any
// words interrupt, unless they are the device's own.
func (l *Loop) overheardWords(ctx context.Context, h Heard) {
	final := h.Kind == speech.Final
	if l.ownWords(h.Text) {
		l.log.Info("what was heard came from the loudspeaker", "text", h.Text)
		if final {
			l.resume()
		}
		return
	}
	rest, phrase := text.CutWake(h.Text, l.cfg.Listener.cfg.Wake)
	switch {
	case phrase != "":
		l.wokenByWords(ctx, h, phrase, rest)
	case l.hushes(h.Text) && !final && !l.echoCancelled():
		// A recogniser of set phrases sees 停 in much that a loudspeaker says,
		// and thinks better of it.
	case l.hushes(h.Text):
		l.cfg.Bus.Publish(event.FinalHeard, event.Words{Text: h.Text, Lang: h.Lang})
		l.bargedIn()
		l.earcon(audio.EarconDone)
		l.idle(ctx)
	case !l.freeBargeIn() || l.cleaned(h) == "" || l.uncertain(h.Text):
		if final {
			l.resume()
		}
	default:
		l.bargedIn()
		l.takeOver(ctx, h)
	}
}

// uncertain: a set phrase that was heard while the device's own voice went on may
// be made of what is left of that. While the reply rests it is somebody's.
func (l *Loop) uncertain(words string) bool {
	set := l.cfg.Listener.cfg.Complete
	return !l.barge.held && set != nil && set(words)
}

// cleaned is what is left of words without noises and fillers.
func (l *Loop) cleaned(h Heard) string {
	return text.Heard(h.Text, h.Lang, text.Signals{Wake: l.cfg.Listener.cfg.Wake})
}

func (l *Loop) hushes(words string) bool {
	return text.IsHush(words, l.cfg.Listener.cfg.Wake) || text.IsDismissal(words, l.cfg.Listener.cfg.Wake)
}

// wokenByWords: the wake phrase stands in the words of a recogniser that does
// not tell it apart. What follows it is the command.
func (l *Loop) wokenByWords(ctx context.Context, h Heard, phrase, rest string) {
	if h.Kind == speech.Final && rest == "" {
		l.awake(phrase, h.Lang)
		l.cfg.Listener.Take(h.Lang)
		l.listening()
		return
	}
	l.awake(phrase, h.Lang)
	l.takeOver(ctx, h)
}

// takeOver makes what is being overheard the utterance of a turn.
func (l *Loop) takeOver(ctx context.Context, h Heard) {
	l.barge.taken = h.utterance
	l.cfg.Listener.adopt(h.utterance)
	l.listening()
	if h.Kind == speech.Final {
		l.understood(ctx, h)
		return
	}
	l.cfg.Bus.Publish(event.PartialHeard, event.Words{Text: h.Text, Lang: h.Lang})
}

// bargedIn silences what sounds.
func (l *Loop) bargedIn() {
	l.silence()
	l.cfg.Bus.Publish(event.BargedIn, nil)
}

// hold makes the reply rest: somebody may want to say something.
func (l *Loop) hold() {
	if l.barge.held || l.current == nil {
		return
	}
	l.barge.held, l.barge.since = true, time.Now()
	l.cfg.Player.Hold(true)
	l.barge.doubt.Reset(doubtful)
	l.cfg.Bus.Publish(event.SpeechHeld, nil)
}

// doubted is called when no words came for a while: a false alarm, unless the
// speech still goes on.
func (l *Loop) doubted(ctx context.Context) {
	if w := l.barge.words; w.Kind != "" && l.state == event.Speaking && l.counts(w) {
		l.overheardWords(ctx, w)
		if l.state != event.Speaking {
			return
		}
	}
	if l.barge.voice && time.Since(l.barge.since) < doubtMost {
		l.barge.doubt.Reset(doubtAgain)
		return
	}
	l.resume()
}

// resume goes on with the reply where it rested.
func (l *Loop) resume() {
	if !l.barge.held {
		return
	}
	l.unhold()
	l.barge.alarms++
	l.cfg.Player.Hold(false)
	l.cfg.Bus.Publish(event.SpeechResumed, nil)
}

// unhold forgets that the reply rested.
func (l *Loop) unhold() {
	l.barge.held = false
	l.barge.doubt.Stop()
}
