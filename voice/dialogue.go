package voice

import (
	"context"
	"strings"
	"time"

	"homebot/audio"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// guest is the speaker id of somebody unknown.
const guest = "guest"

// woken begins a fresh voice session (V2), whatever is going on: while speaking
// it is a barge-in (V6), while thinking it cancels the turn.
func (l *Loop) woken(h Heard) {
	l.cfg.Listener.acknowledge(h)
	if l.state == event.Muted {
		return
	}
	if l.hearsItself(h.Phrase) {
		l.log.Info("the wake phrase came from the loudspeaker", "phrase", h.Phrase)
		l.listenOver()
		return
	}
	l.awake(h.Phrase, h.Lang)
	l.listening()
}

// awake begins the session of a wake phrase.
func (l *Loop) awake(phrase, lang string) {
	barged := l.state == event.Speaking
	l.silence()
	l.earcon(audio.EarconWake)
	l.newSession(phrase, lang, barged)
}

// newSession begins a voice session.
func (l *Loop) newSession(phrase, lang string, barged bool) {
	if barged {
		l.cfg.Bus.Publish(event.BargedIn, nil)
	}
	l.marks = marks{wake: time.Now()}
	l.session = session{chatID: l.cfg.NewChatID(l.cfg.Channel, l.cfg.Now()), lang: lang, barged: barged}
	l.cfg.Bus.Publish(event.Woken, event.Wake{Phrase: phrase, Lang: lang, ChatID: l.session.chatID})
}

// hearsItself reports whether the sentence that sounds now holds the wake
// phrase (V7: the device never hears itself).
func (l *Loop) hearsItself(phrase string) bool {
	bare := func(s string) string { return strings.ReplaceAll(text.JoinHan(text.Normalize(s)), " ", "") }
	return l.state == event.Speaking && phrase != "" && strings.Contains(bare(l.saying.Text), bare(phrase))
}

// silence ends the turn or announcement in progress, if any, and every sound.
// The turn records what was heard by itself (R44); the next one waits for that.
func (l *Loop) silence() {
	if l.current == nil {
		return
	}
	l.filled()
	l.current.cancel()
	l.current = nil
	l.saying = event.Words{}
	l.unhold()
	l.cfg.Player.Stop()
}

// listening is the state while an utterance is taken.
func (l *Loop) listening() {
	rule := l.cfg.Listener.rule
	l.stuck.Reset(rule.LongestTalk + rule.NoSpeech + max(rule.FollowUp, 0) + rule.Final)
	l.to(event.Listening)
}

// understood begins a turn with the words that were heard.
func (l *Loop) understood(ctx context.Context, h Heard) {
	l.stuck.Stop()
	if l.state != event.Listening {
		l.log.Debug("words that nobody waits for", "state", l.state)
		return
	}
	if l.session.replied && l.ownTailWords(h.Text, h.Lead) {
		l.log.Info("what was heard came from the loudspeaker", "text", h.Text)
		l.cfg.Listener.Take(l.session.lang)
		l.listening()
		return
	}
	if h.Lang != "" {
		l.session.lang = h.Lang
	}
	l.session.unanswered = 0
	l.cfg.Bus.Publish(event.FinalHeard, event.Words{Text: h.Text, Lang: h.Lang})
	if l.wantsNothing(h.Text) {
		l.idle(ctx)
		return
	}
	l.session.barged = false
	if l.controlled(ctx, h.Text) {
		return
	}
	who := h.Speaker
	if who == "" {
		who = guest
	}
	l.to(event.Thinking)
	l.begin(ctx, l.cfg.Handler, Turn{
		ID: l.cfg.NewTurnID(), Channel: l.cfg.Channel, ChatID: l.session.chatID,
		Speaker: who, Text: h.Text, Lang: h.Lang, Heard: l.cfg.Now(),
	})
}

// wantsNothing: the words end the talk, and no model is asked (V3): 算了, never
// mind; after a barge-in also what only asked for silence. While something rings
// a stop is for that.
func (l *Loop) wantsNothing(words string) bool {
	wake := l.cfg.Listener.cfg.Wake
	return text.IsDismissal(words, wake) || l.session.barged && len(l.rings.now) == 0 && text.IsHush(words, wake)
}

// nothingHeard ends an utterance without words: silence ends the voice session;
// who spoke and was not understood is asked once more, and no further (V3). Words
// that were read out of silence are neither: the window is opened once more. So it
// is, without a word, where only its own earcon may have sounded (V7).
func (l *Loop) nothingHeard(ctx context.Context, h Heard) {
	l.stuck.Stop()
	if l.state != event.Listening {
		return
	}
	if h.Doubt {
		l.cfg.Listener.TakeAgain(l.session.lang)
		l.listening()
		return
	}
	l.cfg.Bus.Publish(event.NothingHeard, nil)
	l.session.unanswered++
	switch {
	case h.MadeUp && l.session.unanswered < maxUnanswered:
		l.cfg.Listener.TakeAgain(l.session.lang)
		l.listening()
		return
	case !h.Spoke, h.MadeUp:
		l.idle(ctx)
		return
	}
	if l.session.unanswered >= maxUnanswered {
		l.earcon(audio.EarconError)
		l.idle(ctx)
		return
	}
	l.say(ctx, phrases.NotUnderstood, Continue)
}

// idle ends the voice session and says what is wrong, if anything is.
func (l *Loop) idle(ctx context.Context) {
	l.stuck.Stop()
	l.session = session{}
	l.to(event.Idle)
	if l.ringAgain(ctx) {
		return
	}
	l.cfg.Listener.Rest()
	l.tellRung(ctx)
	l.announceFaults(ctx)
}

// exchangeOver is what follows a reply (V3). The loudspeaker is silent by now:
// Finish waited for it, so the device does not hear itself.
func (l *Loop) exchangeOver(ctx context.Context, x *exchange) {
	l.current = nil
	l.rungTold(x)
	l.saying = event.Words{}
	l.filled()
	l.resume() // a voice that broke while the reply rested
	l.proved(x)
	switch {
	case l.state == event.Ringing: // the ring decides what comes next
	case l.state == event.Muted: // and stays so
	case x.err != nil:
		l.log.Error("a turn failed", "turn", x.turn.ID, "err", x.err)
		l.earcon(audio.EarconError)
		l.say(ctx, phrases.SomethingWrong, End)
	case x.notSaved() != "":
		// Told now: the reply was spoken before the disk refused.
		text := x.notSaved()
		l.earcon(audio.EarconError)
		l.begin(ctx, announcement{text: text, next: x.next}, Turn{Lang: x.turn.Lang, ChatID: l.session.chatID})
	case l.mayListen(x) && After(x.next, x.reply, l.session.unanswered):
		l.session.replied = true
		l.cfg.Listener.Take(l.session.lang)
		l.listening()
	default:
		l.idle(ctx)
	}
}

// mayListen: in a voice session, with a follow-up window, with ears, and to who
// has heard the reply.
func (l *Loop) mayListen(x *exchange) bool {
	return l.session.chatID != "" && l.cfg.Listener.rule.FollowUp > 0 && !l.deaf() && !x.unspoken.Load()
}

// say speaks a sentence of the device's own.
func (l *Loop) say(ctx context.Context, p phrases.Phrase, next Next) {
	lang := l.session.lang
	if lang == "" {
		lang = l.cfg.Lang
	}
	l.begin(ctx, announcement{text: p.In(lang), next: next}, Turn{Lang: lang, ChatID: l.session.chatID})
}
