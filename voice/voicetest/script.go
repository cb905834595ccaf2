package voicetest

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/internal/event"
	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
	"homebot/voice"
)

// Step is what somebody does at a time. At is kept 7 ms off the 20 ms grid of
// the frames, so that no step meets a frame.
type Step struct {
	At   time.Duration
	What string // as the transcript shows it
	Do   func(*Stage)
}

// Script is a conversation to be played.
type Script struct {
	Steps   []Step
	Answers []Answer
	Handler voice.Handler // instead of Answers
	Until   time.Duration // the end of the play
	Lang    string        // of the device; default zh
	Rule    voice.Endpointing
	Remote  bool // utterances go to Stage.Remote
	Deaf    bool // the recogniser is not there at first
	BargeIn voice.BargeIn
	Filler  time.Duration
	Echo    bool // echo cancellation is there
	NoWake  bool // the recogniser overhears words only
	Wake    []string

	Controls *voice.Controls            // to begin with
	Keep     func(voice.Controls) error // nil: they are not kept

	Standing []voice.Standing // faults to begin with
}

// Stage is the voice session with everything around it scripted.
type Stage struct {
	Ears    *Ears
	Remote  *Ears // nil unless Script.Remote
	Mic     *audiotest.Source
	Speaker *Loudspeaker
	Voice   speech.Synthesizer
	voices  sync.Mutex
	Handler *Handler
	Bus     *event.Bus
	Loop    *voice.Loop

	Listener *voice.Listener
	hushes   []string // ids; touched by hush alone, which the Loop's Run waits for
	player   *audio.Player
	mouth    chan func() // one person speaks at a time
}

// cardDelay is the latency of the stage's loudspeaker, a usual one.
const cardDelay = 60 * time.Millisecond

// NewStage builds one that does nothing until Run. illegal is called with every
// refused change of state.
func NewStage(s Script, illegal func(from, to event.DialogueState)) *Stage {
	st := &Stage{
		Ears: NewEars(), Mic: &audiotest.Source{}, Speaker: &Loudspeaker{Sink: audiotest.Sink{Delay: cardDelay}},
		Voice: &speechtest.Synthesizer{Delay: 81 * time.Millisecond},
		Bus:   event.NewBus(event.State{Volume: volumeOf(s)}), mouth: make(chan func(), 8),
	}
	if s.Deaf {
		st.Ears = NewDeafEars()
	}
	st.Handler = &Handler{Answers: s.Answers, Bus: st.Bus}
	answers := voice.Handler(st.Handler)
	if s.Handler != nil {
		answers = s.Handler
	}
	cfg := voice.ListenerConfig{Source: st.Mic, Ears: st.Ears, Endpointing: s.Rule, Wake: s.Wake}
	st.Ears.NoWake = s.NoWake
	if s.Remote {
		st.Remote = NewDeafEars()
		time.AfterFunc(time.Millisecond, st.Remote.Restore) // so that the two come in order
		cfg.Remote = st.Remote
	}
	st.Listener = voice.NewListener(cfg)
	st.player = audio.NewPlayer(st.Speaker, slog.New(slog.DiscardHandler))
	chats := 0
	st.Loop = voice.NewLoop(voice.LoopConfig{
		Listener: st.Listener, Player: st.player, Handler: answers, Bus: st.Bus, Lang: s.Lang,
		Speaker:   voice.NewSpeaker(st, st.player, nil),
		NewChatID: func(string, time.Time) string { chats++; return fmt.Sprintf("voice-%d", chats) },
		Illegal:   illegal,
		Hush:      st.hush,
		Filler:    s.Filler,
		BargeIn:   s.BargeIn, EchoCancelled: func() bool { return s.Echo },
		Controls: s.Controls, Keep: s.Keep, Standing: s.Standing,
	})
	return st
}

// volumeOf is the volume that a script begins with.
func volumeOf(s Script) int {
	if s.Controls == nil {
		return 100
	}
	return s.Controls.Volume
}

// Speak is speech.Synthesizer: the stage's Voice, which a step may replace.
func (st *Stage) Speak(ctx context.Context, text, lang string, emit func([]int16) error) error {
	st.voices.Lock()
	voice := st.Voice
	st.voices.Unlock()
	return voice.Speak(ctx, text, lang, emit)
}

// SetVoice replaces the Voice, while it may be asked.
func (st *Stage) SetVoice(voice speech.Synthesizer) {
	st.voices.Lock()
	defer st.voices.Unlock()
	st.Voice = voice
}

// hush is what the timers do when the stop word was heard.
func (st *Stage) hush(ids []string) error {
	st.hushes = append(st.hushes, ids...)
	return st.Loop.Ring(context.Background(), nil)
}

// Hushed are the rings that a stop word ended; to be asked after Run.
func (st *Stage) Hushed() []string { return st.hushes }

// Run runs everything until ctx ends, and joins it.
func (st *Stage) Run(ctx context.Context) {
	outer, stop := context.WithCancel(context.WithoutCancel(ctx))
	var all, loop sync.WaitGroup
	defer all.Wait()
	defer stop()
	for _, run := range []func(context.Context) error{st.Bus.Run, st.player.Run, st.Listener.Run} {
		all.Go(func() { _ = run(outer) })
	}
	all.Go(func() {
		for {
			select {
			case <-outer.Done():
				return
			case speak := <-st.mouth:
				speak()
			}
		}
	})
	loop.Go(func() { _ = st.Loop.Run(ctx) })
	loop.Wait()
}

// Play plays a script in a testing/synctest bubble and returns the transcript.
// It fails the test if the dialogue takes an illegal step, or if the microphone
// opens for an utterance while the loudspeaker sounds.
func Play(t testing.TB, s Script) string {
	t.Helper()
	st := NewStage(s, func(from, to event.DialogueState) { t.Errorf("illegal: %s → %s", from, to) })
	w := &writer{start: time.Now(), said: event.State{Volume: volumeOf(s)}}
	st.Ears.OnTake = func() {
		if st.Speaker.Sounding() && time.Since(w.earcon()) > 300*time.Millisecond && st.Bus.Snapshot().Dialogue != event.Ringing {
			t.Error("the microphone opens while the device speaks")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, events := st.Bus.Watch(context.WithoutCancel(ctx), 1024)
	var all sync.WaitGroup
	all.Go(func() { st.Run(ctx) })
	all.Go(func() {
		for e := range events {
			w.event(e)
		}
	})
	for _, step := range s.Steps {
		time.Sleep(time.Until(w.start.Add(step.At)))
		w.line("USER", step.What)
		step.Do(st)
	}
	time.Sleep(time.Until(w.start.Add(s.Until)))
	cancel()
	all.Wait()
	return w.String()
}

// writer writes the transcript.
type writer struct {
	start time.Time
	mu    sync.Mutex
	out   strings.Builder
	said  event.State // as it was written last
	blip  time.Time   // of the last earcon
}

// earcon is when the last earcon was played.
func (w *writer) earcon() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.blip
}

func (w *writer) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.String()
}

func (w *writer) line(what, text string) {
	w.lineAt(time.Now(), what, text)
}

func (w *writer) lineAt(at time.Time, what, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ms := at.Sub(w.start).Milliseconds()
	line := fmt.Sprintf("%3d.%03d  %-8s %s", ms/1000, ms%1000, what, text)
	w.out.WriteString(strings.TrimRight(line, " ") + "\n")
}

// event writes one event the way a cook would put it.
func (w *writer) event(e event.Event) {
	line := func(what, text string) { w.lineAt(e.At, what, text) }
	switch d := e.Data.(type) {
	case event.Wake:
		line("woken", fmt.Sprintf("%s (%s, session %s)", d.Phrase, d.Lang, d.ChatID))
	case event.Words:
		w.words(e, d)
	case event.Turn:
		text := fmt.Sprintf("%s ⇒ %q", d.User, d.Assistant)
		if d.Failed != "" {
			text += " (" + d.Failed + ")"
		}
		line("history", text)
	case event.Earcon:
		w.mu.Lock()
		w.blip = e.At
		w.mu.Unlock()
		line("earcon", d.Name)
	case event.Fault:
		what := "fault"
		if e.Kind == event.FaultCleared {
			what = "healed"
		}
		line(what, d.Code)
	default:
		switch e.Kind {
		case event.NothingHeard:
			line("heard", "nothing")
		case event.BargedIn:
			line("stopped", "barge-in")
		case event.SpeechHeld:
			line("held", "somebody may want to speak")
		case event.SpeechResumed:
			line("resumed", "it was nothing")
		}
	}
	w.changes(e)
}

func (w *writer) words(e event.Event, d event.Words) {
	what := map[event.Kind]string{event.PartialHeard: "partial", event.FinalHeard: "heard", event.Said: "says"}[e.Kind]
	w.lineAt(e.At, what, fmt.Sprintf("%s (%s)", strings.TrimSpace(d.Text), d.Lang))
}

// changes writes what is new in the state.
func (w *writer) changes(e event.Event) {
	if e.State.Dialogue != w.said.Dialogue {
		w.lineAt(e.At, "state", string(e.State.Dialogue))
	}
	if e.State.Light.On != w.said.Light.On {
		w.lineAt(e.At, "light", map[bool]string{true: "on", false: "off"}[e.State.Light.On])
	}
	if e.State.Volume != w.said.Volume {
		w.lineAt(e.At, "volume", fmt.Sprint(e.State.Volume))
	}
	if e.State.Muted != w.said.Muted {
		w.lineAt(e.At, "mic", map[bool]string{true: "off", false: "on"}[e.State.Muted])
	}
	if a, b := codes(e.State.Faults), codes(w.said.Faults); a != b {
		w.lineAt(e.At, "wrong", a)
	}
	w.said = e.State
}

func codes(faults []event.Fault) string {
	var all []string
	for _, f := range faults {
		all = append(all, f.Code)
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

// Player is what plays on the stage's loudspeaker.
func (st *Stage) Player() *audio.Player { return st.player }
