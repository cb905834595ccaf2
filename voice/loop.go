package voice

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"homebot/audio"
	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/speech"
)

// Bus is where the Loop tells what happens (event.Bus).
type Bus interface {
	Publish(kind event.Kind, data any)
	Update(change func(*event.State), kind event.Kind, data any)
	Snapshot() event.State
}

// LoopConfig is what a Loop needs. The fields up to Bus must be set.
type LoopConfig struct {
	Listener *Listener
	Speaker  *Speaker
	Player   *audio.Player
	Handler  Handler
	Bus      Bus

	// Channel is where the turns come from. Default ChannelVoice.
	Channel string
	// Lang is the language of what is said outside a voice session, "zh" or
	// "en". Default "zh".
	Lang string
	// Grace is how long something may be gone, outside an utterance, before it
	// is said: a restart of the speech server is no news. Default 2 s.
	Grace time.Duration
	// Now is the calendar, for ids and Turn.Heard. Default time.Now.
	Now func() time.Time
	// NewChatID and NewTurnID make ids; defaults of package conversation.
	NewChatID func(channel string, at time.Time) string
	NewTurnID func() string
	// Filler is how long a user waits for the first word of a reply before a short
	// one is said, if the Handler allows it (Filled). Default 0: never.
	Filler time.Duration
	// BargeIn is what may interrupt a reply beside the wake word.
	BargeIn BargeIn
	// EchoCancelled reports whether the microphone hears the loudspeaker no more,
	// so that BargeInSpeech may be believed; asked on Run's goroutine at every
	// reply. nil: it never does.
	EchoCancelled func() bool
	// Illegal, if set, is called with every refused change of state: tests fail
	// in it.
	Illegal func(from, to event.DialogueState)
	// VoiceCheck reports whether speech can be made now, nothing kept counting.
	// nil: saying something will show.
	VoiceCheck func(ctx context.Context, lang string) error
	// Hush ends these rings for good; called on a goroutine of its own when the
	// stop word was heard. nil: nothing rings.
	Hush func(ids []string) error
	// Controls are those to begin with; nil: full volume, the microphone on.
	Controls *Controls
	// Keep keeps them over a restart, called on any goroutine, one at a time.
	// nil: they are not kept.
	Keep func(Controls) error
	// Standing are faults to begin with.
	Standing []Standing
	Log      *slog.Logger // nil: no log
}

func (c LoopConfig) withDefaults() LoopConfig {
	if c.Channel == "" {
		c.Channel = ChannelVoice
	}
	if c.Lang == "" {
		c.Lang = phrases.Chinese
	}
	if c.Grace == 0 {
		c.Grace = 2 * time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NewChatID == nil {
		c.NewChatID = conversation.NewChatID
	}
	if c.NewTurnID == nil {
		c.NewTurnID = conversation.NewID
	}
	if c.Controls == nil {
		c.Controls = &Controls{Volume: 100}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// Loop is the dialogue: the one writer of the dialogue state and of the voice
// session. Nothing of a run mode, a skill or a profile can set them (R41).
type Loop struct {
	cfg   LoopConfig
	log   *slog.Logger
	inbox chan func(context.Context) // what other goroutines want done on Run's, with its ctx
	over  chan struct{}

	// Below: touched by Run's goroutine alone.
	state    event.DialogueState
	session  session
	current  *exchange // the turn or announcement in progress; nil if none
	last     *exchange // the newest one begun: the next waits for its end
	children sync.WaitGroup
	faults   []*fault
	judged   *exchange   // the last turn that afterTalk has looked at
	telling  telling     // the last fault that was told
	check    *time.Timer // the next fault to be said
	stuck    *time.Timer // nothing was heard of an utterance for too long
	saying   event.Words // the sentence that sounds now
	spoken   []string    // the last sentences, as they were pronounced
	barge    barge
	filling  filling
	rings    ringing
	marks    marks // of the utterance that is being taken
	controls controls
}

// session is one voice session: from a wake on (V2). Its zero value is none.
type session struct {
	chatID     string
	lang       string
	unanswered int  // windows in a row that brought no words
	replied    bool // something was said in it
	barged     bool // it began over a reply, and nothing was said since
}

// ErrOver is what Ping and the controls return after Run has returned.
var ErrOver = phrases.Errorf(phrases.VoiceOver)

// NewLoop returns a Loop that does nothing until Run.
func NewLoop(c LoopConfig) *Loop {
	c = c.withDefaults()
	return &Loop{
		cfg: c, log: c.Log, state: event.Idle, controls: controls{Controls: *c.Controls},
		inbox: make(chan func(context.Context)), over: make(chan struct{}),
	}
}

// Run leads the dialogue until ctx ends; it returns nil after the turn in
// progress was cancelled and recorded. It runs once. Listener.Run and
// Player.Run are the caller's, and should end after it.
func (l *Loop) Run(ctx context.Context) error {
	defer close(l.over)
	ctx, cancel := context.WithCancel(ctx)
	defer l.children.Wait()
	defer cancel()
	defer l.hushRing()
	l.check, l.stuck = stoppedTimer(), stoppedTimer()
	l.barge.doubt, l.filling.slow, l.rings.settle = stoppedTimer(), stoppedTimer(), stoppedTimer()
	defer l.check.Stop()
	defer l.stuck.Stop()
	defer l.barge.doubt.Stop()
	defer l.filling.slow.Stop()
	defer l.rings.settle.Stop()
	l.beginDeaf()
	l.beginControls()
	for {
		select {
		case <-ctx.Done():
			return nil
		case h := <-l.cfg.Listener.Heard():
			l.hear(ctx, h)
		case do := <-l.inbox:
			do(ctx)
		case <-l.current.ended():
			l.exchangeOver(ctx, l.current)
		case <-l.check.C:
			l.announceFaults(ctx)
		case <-l.barge.doubt.C:
			l.doubted(ctx)
		case <-l.filling.slow.C:
			l.fill(ctx)
		case <-l.rings.settle.C:
			l.ringSettled(ctx)
		case <-l.stuck.C:
			l.log.Error("an utterance never ended")
			l.nothingHeard(ctx, Heard{})
		}
	}
}

func stoppedTimer() *time.Timer {
	t := time.NewTimer(0)
	t.Stop()
	return t
}

// do runs f on Run's goroutine, unless ctx ends first. Not for Run's own use.
func (l *Loop) do(ctx context.Context, f func()) error {
	return l.doIn(ctx, func(context.Context) { f() })
}

// doIn is do for what outlasts the caller's ctx: f gets Run's. It returns when f
// did.
func (l *Loop) doIn(ctx context.Context, f func(run context.Context)) error {
	done := make(chan struct{})
	g := func(run context.Context) { defer close(done); f(run) }
	select {
	case l.inbox <- g:
		<-done
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-l.over:
		return ErrOver
	}
}

// Ping returns nil when the Loop has taken a message: it lives. A watchdog asks
// it.
func (l *Loop) Ping(ctx context.Context) error { return l.do(ctx, func() {}) }

// hear takes what the Listener heard.
func (l *Loop) hear(ctx context.Context, h Heard) {
	if l.ringHears(ctx, h) {
		return
	}
	if h.Over && h.utterance != l.barge.taken {
		l.overheard(ctx, h)
		return
	}
	switch h.Kind {
	case speech.Wake:
		l.woken(h)
	case speech.Partial:
		l.cfg.Bus.Publish(event.PartialHeard, event.Words{Text: h.Text, Lang: h.Lang})
	case Ended:
		l.marks.ended(h.Silence)
		if l.state == event.Listening && h.Spoke {
			l.earcon(audio.EarconDone)
		}
	case speech.Final:
		l.understood(ctx, h)
	case speech.NoSpeech:
		l.nothingHeard(ctx, h)
	case Lost:
		l.lost(ctx, h)
	case speech.Loading:
		l.loading(h)
	case Back:
		l.back(ctx, h.Code)
	}
}

// earcon plays a short sound and says so.
func (l *Loop) earcon(name string) {
	l.cfg.Player.Play(audio.Earcon(name))
	l.cfg.Bus.Publish(event.EarconPlayed, event.Earcon{Name: name})
}
