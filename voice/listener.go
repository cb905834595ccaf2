package voice

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"homebot/audio"
	"homebot/internal/speech"
)

// ListenerConfig is what a Listener needs.
type ListenerConfig struct {
	// Source is the microphone. Run reads it, reads on after an error (it may
	// heal), and closes it.
	Source audio.Source
	// Ears is the recogniser on this machine; it hears everything.
	Ears Ears
	// Remote, if not nil, takes the utterances. It gets no sample before the
	// wake word (V1); while it is gone Ears takes them.
	Remote      Ears
	Endpointing Endpointing
	// Complete, if set, reports whether a transcript is a set phrase, of which no
	// more is to be expected; called on Run's goroutine and the Loop's.
	Complete func(words string) bool
	// Wake are the wake phrases, which are no words of a command. nil: the
	// default ones.
	Wake []string
	Log  *slog.Logger // nil: no log
}

// Listener hears: it reads the microphone, feeds the recogniser, and decides
// where an utterance ends. It is the one writer of the pre-roll and of what is
// being taken.
type Listener struct {
	rule   Endpointing
	cfg    ListenerConfig
	local  *ear
	remote *ear // nil without one
	log    *slog.Logger

	mic    *capture
	heard  chan Heard
	orders chan order // capacity 1: the newest order replaces an older one

	known int // the last wake the Loop knows of; touched by the Loop alone
	pulse pulse

	// Below: touched by Run alone.
	wakes   int // wakes emitted
	ring    *audio.Ring
	taking  *ear      // who takes the utterance; nil while waiting for a wake
	end     *endpoint // nil once the utterance was ended and its words are due
	spoke   bool      // of the utterance whose words are due
	lead    int       // likewise, in samples
	doubt   bool      // likewise: there was nothing but what may be an earcon
	ended   int       // where the last utterance ended
	over    order     // what is taken is overheard, by this order; its kind is orderTake if not
	takes   int       // utterances begun
	held    bool      // a button is held: it says when the utterance ends
	heldIn  string    // its language
	due     *time.Timer
	muted   bool
	deaf    bool // the microphone is gone
	started bool // the microphone worked once, or failed once
}

// order is what the Loop wants of the Listener. One that was given before the
// Loop knew of a wake (known) must not end the utterance that the wake began.
type order struct {
	kind  orderKind
	lang  string
	known int

	again     bool // orderTake: what was said since the end of the last utterance belongs to it
	utterance int  // orderAdopt
	remote    bool // orderOverhear: by the remote recogniser too
}

type orderKind int

const (
	orderTake     orderKind = iota // open the follow-up window
	orderWait                      // wait for a wake phrase, in a voice session
	orderRest                      // the same with long frames: no session
	orderMute                      // hear nothing
	orderOverhear                  // take utterances while the device speaks
	orderAdopt                     // what is being overheard is for the device
	orderPress                     // take what is said until orderRelease
	orderRelease                   // what was said is all
)

// NewListener returns a Listener that does nothing until Run.
func NewListener(c ListenerConfig) *Listener {
	rule := c.Endpointing.withDefaults()
	l := &Listener{
		rule: rule, cfg: c, local: &ear{Ears: c.Ears, name: FaultEars}, log: c.Log,
		mic: newCapture(c.Source), heard: make(chan Heard), orders: make(chan order, 1),
		ring: audio.NewRing(samples(rule.PreRoll)), pulse: newPulse(),
	}
	if c.Remote != nil {
		l.remote = &ear{Ears: c.Remote, name: FaultRemoteEars}
	}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	return l
}

// Heard is what the Loop reads, and nobody else.
func (l *Listener) Heard() <-chan Heard { return l.heard }

// Take opens the follow-up window in lang. Like Wait, Rest and Mute it returns
// at once and is called by the Loop alone; the last of them counts.
func (l *Listener) Take(lang string) { l.order(order{kind: orderTake, lang: lang}) }

// TakeAgain is Take after an utterance that was none: who began to speak while its
// words were awaited is heard from there on, where the recogniser can.
func (l *Listener) TakeAgain(lang string) { l.order(order{kind: orderTake, lang: lang, again: true}) }

// Wait drops what is being taken and waits for the wake word, within a voice
// session: in short frames.
func (l *Listener) Wait() { l.order(order{kind: orderWait}) }

// Rest is Wait between voice sessions: in long frames, which cost less.
func (l *Listener) Rest() { l.order(order{kind: orderRest}) }

// Mute drops every sample from now on, until Rest.
func (l *Listener) Mute() { l.order(order{kind: orderMute}) }

// Overhear listens while the device speaks in lang: for wake phrases, and
// utterance by utterance for words, until another order. remote lets the remote
// recogniser hear it too.
func (l *Listener) Overhear(lang string, remote bool) {
	l.order(order{kind: orderOverhear, lang: lang, remote: remote})
}

// adopt makes the utterance that is being overheard one for the device, if it is
// still going on.
func (l *Listener) adopt(utterance int) { l.order(order{kind: orderAdopt, utterance: utterance}) }

// acknowledge is called by the Loop with every Wake it takes.
func (l *Listener) acknowledge(h Heard) { l.known = h.wake }

// order replaces an order that was not yet taken. The Loop is the only sender,
// so the second send finds room.
func (l *Listener) order(o order) {
	o.known = l.known
	select {
	case <-l.orders:
	default:
	}
	l.orders <- o
}

// Run hears until ctx ends, and returns nil. What is lost meanwhile is reported
// and tried again. After the end of a recording (io.EOF) it goes on without
// sound.
func (l *Listener) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var children sync.WaitGroup
	defer children.Wait()
	defer cancel()
	children.Go(func() { l.mic.run(ctx) })
	l.due = time.NewTimer(0)
	l.due.Stop()
	defer l.due.Stop()
	l.pulse.start()
	defer l.pulse.stop()
	local, remote := l.local.Heard(), (<-chan speech.Heard)(nil)
	if l.remote != nil {
		remote = l.remote.Heard()
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case f := <-l.mic.frames:
			l.captured(ctx, f)
		case h, ok := <-local:
			if !ok {
				local, h = nil, gone
			}
			l.hear(ctx, l.local, h)
		case h, ok := <-remote:
			if !ok {
				remote, h = nil, gone
			}
			l.hear(ctx, l.remote, h)
		case o := <-l.orders:
			l.obey(ctx, o)
		case <-l.due.C:
			l.wordsOverdue(ctx)
		case <-l.pulse.silent.C:
			l.hung(ctx)
		case answer := <-l.pulse.asked:
			answer <- l.alive()
		}
	}
}

// gone is what a closed Ears.Heard means: its client has ended.
var gone = speech.Heard{Kind: speech.Failure, Code: speech.CodeLost}

// emit tells the Loop.
func (l *Listener) emit(ctx context.Context, h Heard) {
	select {
	case <-ctx.Done():
	case l.heard <- h:
	}
}

func (l *Listener) captured(ctx context.Context, f captured) {
	l.pulse.frame(errors.Is(f.err, io.EOF))
	switch {
	case errors.Is(f.err, io.EOF):
		if l.end != nil {
			l.endUtterance(ctx)
		}
	case f.err != nil:
		l.sourceLost(ctx, f.err)
	default:
		if l.deaf || !l.started {
			l.deaf, l.started = false, true
			l.emit(ctx, Heard{Heard: speech.Heard{Kind: Back, Code: FaultMicrophone}})
		}
		l.listen(ctx, f.pcm)
	}
}

// listen feeds one frame to who may have it, and ends the utterance when it is
// over.
func (l *Listener) listen(ctx context.Context, pcm []int16) {
	if l.muted {
		return
	}
	l.ring.Write(pcm)
	l.local.hear(pcm)
	if l.taking == nil {
		return
	}
	if l.taking == l.remote {
		l.remote.hear(pcm)
	}
	if l.end == nil {
		return
	}
	l.end.hear(pcm, l.now())
	if l.end.over(l.now()) && !l.holds() {
		l.endUtterance(ctx)
	}
}

// now is the position in the capture, in samples: the clock of endpointing.
func (l *Listener) now() int { return int(l.ring.Total()) }

// endUtterance tells the recogniser that it has heard all.
func (l *Listener) endUtterance(ctx context.Context) {
	ended := l.of(speech.Heard{Kind: Ended})
	if l.end != nil && l.end.spoke && !l.end.speaking {
		ended.Silence = time.Duration(l.now()-l.end.quiet) * time.Second / audio.CaptureRate
	}
	l.close()
	if err := l.taking.End(); err != nil {
		l.log.Debug("could not end the utterance", "err", err) // Heard will say that it is gone
	}
	l.due.Reset(l.rule.Final)
	l.emit(ctx, ended)
}

// close keeps what is to be known of the utterance whose words are due.
func (l *Listener) close() {
	if l.end == nil {
		return
	}
	l.spoke, l.lead = l.end.somebody(l.now()), max(0, l.end.first-l.end.began)
	l.doubt = l.end.doubtful(l.now())
	l.taking.streams = l.taking.streams || l.end.streams
	l.end, l.ended = nil, l.now()
}

// of is what was heard of the utterance in progress.
func (l *Listener) of(h speech.Heard) Heard {
	spoke, lead := l.spoke, l.lead
	if l.end != nil {
		spoke, lead = l.end.spoke, max(0, l.end.first-l.end.began)
	}
	if !spoke {
		lead = 0
	}
	return Heard{
		Heard: h, Spoke: spoke, Over: l.overhears(), utterance: l.takes,
		Lead: time.Duration(lead) * time.Second / audio.CaptureRate,
	}
}

// overhears reports whether what is taken is overheard.
func (l *Listener) overhears() bool { return l.taking != nil && l.over.kind == orderOverhear }

// wordsOverdue gives an utterance up whose words never came.
func (l *Listener) wordsOverdue(ctx context.Context) {
	l.log.Warn("the recogniser did not answer", "ears", l.taking.name, "after", l.rule.Final)
	l.finish(ctx, speech.Heard{Kind: speech.NoSpeech}, false)
}

// drop forgets the utterance in progress; both ears wait for a wake phrase.
func (l *Listener) drop() {
	l.taking, l.end, l.over, l.held = nil, nil, order{}, false
	l.due.Stop()
	for _, e := range []*ear{l.local, l.remote} {
		if e == nil {
			continue
		}
		if err := e.rest(); err != nil {
			l.log.Debug("could not tell the recogniser to wait", "ears", e.name, "err", err)
		}
	}
}

// sourceLost reports the microphone's loss once, breaking off the utterance.
func (l *Listener) sourceLost(ctx context.Context, err error) {
	if l.deaf {
		return
	}
	l.log.Warn("the microphone is gone", "err", err)
	l.deaf, l.started = true, true
	l.lost(ctx, FaultMicrophone, l.taking != nil)
}

// lost reports what is gone.
func (l *Listener) lost(ctx context.Context, code string, broken bool) {
	if broken {
		l.drop()
	}
	l.emit(ctx, Heard{Heard: speech.Heard{Kind: Lost, Code: code}, Broken: broken})
}

// obey carries out what the Loop wants.
func (l *Listener) obey(ctx context.Context, o order) {
	if o.kind == orderRelease {
		l.released(ctx, o)
		return
	}
	l.muted = o.kind == orderMute
	if o.known < l.wakes && !l.muted {
		return
	}
	if o.kind == orderAdopt && l.overhears() && o.utterance == l.takes {
		l.over = order{}
		return
	}
	l.drop()
	switch o.kind {
	case orderOverhear:
		l.mic.frame.Store(audio.SessionFrame)
		l.overhear(o)
	case orderTake:
		l.mic.frame.Store(audio.SessionFrame)
		from := l.now()
		if o.again {
			from = l.ended
		}
		l.begin(o.lang, l.rule.window(), from)
	case orderPress:
		l.pressed(o)
	case orderWait, orderAdopt:
		l.mic.frame.Store(audio.SessionFrame)
	default:
		l.mic.frame.Store(audio.WaitingFrame)
	}
}

// begin takes an utterance from position from on (an earlier one: the pre-roll)
// with the remote ears if they are there, else with the local ones.
func (l *Listener) begin(lang string, nothing time.Duration, from int) {
	l.taking = l.local
	if l.remote != nil && l.remote.up {
		l.taking = l.remote
	}
	if err := l.taking.take(lang); err != nil {
		l.log.Debug("could not take an utterance", "ears", l.taking.name, "err", err)
	}
	if l.taking == l.remote {
		pre, _ := l.ring.Since(int64(from))
		l.remote.hear(pre)
	}
	l.watch(nothing, from)
}

// watch begins to look for the end of the utterance that is taken.
func (l *Listener) watch(nothing time.Duration, from int) {
	l.takes++
	l.end = newEndpoint(l.rule, nothing, from)
	l.end.complete, l.end.streams = l.cfg.Complete, l.taking.streams
}

// overhear takes an utterance while the device speaks.
func (l *Listener) overhear(o order) {
	l.taking, l.over = l.local, o
	if o.remote && l.remote != nil && l.remote.up {
		l.taking = l.remote // the local one waits for a wake phrase
	}
	if err := l.taking.overhear(o.lang); err != nil {
		l.log.Debug("could not overhear", "ears", l.taking.name, "err", err)
	}
	l.watch(l.rule.NoSpeech, l.now())
}
