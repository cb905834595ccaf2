package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/internal/health"
	"homebot/internal/led"
	"homebot/internal/led/ledtest"
	"homebot/internal/phrases"
	"homebot/internal/speech/speechtest"
	"homebot/voice"
	"homebot/voice/voicetest"
)

// scene is a whole device with everything around it scripted.
type scene struct {
	*voicetest.Stage
	lamp   *ledtest.Lamp
	checks map[string]*health.Check

	mu    sync.Mutex
	wrong map[string]health.Finding // what the checks find
	said  map[string]int            // sentences of the device's own
	mute  bool                      // the loudspeaker is gone: nobody hears what is said
}

// house makes the check of code find f, or nothing.
func (s *scene) house(code string, f *health.Finding) {
	s.mu.Lock()
	delete(s.wrong, code)
	if f != nil {
		s.wrong[code] = *f
	}
	s.mu.Unlock()
	s.checks[code].Nudge()
}

func (s *scene) finds(code string) []health.Finding {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, ok := s.wrong[code]; ok {
		return []health.Finding{f}
	}
	return nil
}

// speaker plugs the loudspeaker in, or out.
func (s *scene) speaker(in bool) {
	s.mu.Lock()
	s.mute = !in
	s.mu.Unlock()
	if in {
		s.Speaker.Plug()
	} else {
		s.Speaker.Unplug()
	}
}

// voice makes speech fail with err.
func (s *scene) voice(err error) {
	s.SetVoice(&speechtest.Synthesizer{Err: err, Delay: 81 * time.Millisecond})
}

// part is one thing that can be lost.
type part struct {
	name       string
	codes      []string // in the state while it is gone
	deaf, dumb bool     // nothing is heard, nothing said
	gone, back phrases.Phrase
	lose, find func(*scene)
}

func housePart(name, code string, gone, back phrases.Phrase) part {
	f := health.Finding{Code: code, Gone: gone, Back: back}
	return part{name: name, codes: []string{code}, gone: gone, back: back,
		lose: func(s *scene) { s.house(code, &f) }, find: func(s *scene) { s.house(code, nil) }}
}

// parts are the eight of V8. The clock is one that nobody has set.
var parts = []part{
	{"microphone", []string{event.FaultMicrophone}, true, false, phrases.NoMicrophone, phrases.SoundBack,
		func(s *scene) { s.Mic.Unplug() }, func(s *scene) { s.Mic.Plug() }},
	{"loudspeaker", []string{event.FaultVoice}, false, true, phrases.NoLoudspeaker, phrases.VoiceBack,
		func(s *scene) { s.speaker(false) }, func(s *scene) { s.speaker(true) }},
	{"sound server", []string{event.FaultMicrophone, event.FaultVoice}, true, true, phrases.NoMicrophone, phrases.SoundBack,
		func(s *scene) { s.Mic.Unplug(); s.speaker(false) }, func(s *scene) { s.Mic.Plug(); s.speaker(true) }},
	{"speech server", []string{event.FaultEars, event.FaultVoice}, true, true, phrases.SpeechGone, phrases.SpeechBack,
		func(s *scene) { s.Ears.Lose(); s.voice(errors.New("connection refused")) },
		func(s *scene) { s.Ears.Restore(); s.voice(nil) }},
	housePart("network", event.FaultNetwork, phrases.NetworkGone, phrases.NetworkBack),
	housePart("language model", event.FaultLLM, phrases.LLMGone, phrases.LLMBack),
	housePart("disk", event.FaultDisk, phrases.CardFull, phrases.CardBack),
	housePart("clock", event.FaultClock, phrases.ClockUnset, phrases.ClockSet),
}

// newScene sets a scene; nothing runs before play.
func newScene(t *testing.T) *scene {
	s := &scene{lamp: &ledtest.Lamp{}, checks: map[string]*health.Check{}, wrong: map[string]health.Finding{}, said: map[string]int{}}
	answer := voicetest.Answer{Says: "It is seven.", Next: voice.End}
	s.Stage = voicetest.NewStage(voicetest.Script{Lang: "en", Answers: slices.Repeat([]voicetest.Answer{answer}, 8)},
		func(from, to event.DialogueState) { t.Errorf("illegal: %s → %s", from, to) })
	for _, code := range []string{event.FaultNetwork, event.FaultLLM, event.FaultDisk, event.FaultClock} {
		s.checks[code] = &health.Check{Codes: []string{code}, Every: 10 * time.Second, Again: 10 * time.Second,
			Ask: func(context.Context) []health.Finding { return s.finds(code) }}
	}
	return s
}

// play runs everything while do does what happens.
func (s *scene) play(t *testing.T, do func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	_, events := s.Bus.Watch(context.WithoutCancel(ctx), 4096)
	all.Go(func() { s.Run(ctx) })
	all.Go(func() { _ = led.NewStateLight(s.lamp, nil).Run(ctx, s.Bus) })
	var checks []*health.Check
	for _, c := range s.checks {
		checks = append(checks, c)
	}
	all.Go(func() { _ = health.New(health.Config{Bus: s.Bus, Lang: "en", Teller: s.Loop}, checks...).Run(ctx) })
	all.Go(func() {
		for e := range events {
			if w, ok := e.Data.(event.Words); ok && e.Kind == event.Said {
				s.mu.Lock()
				if !s.mute {
					s.said[strings.TrimSpace(w.Text)]++
				}
				s.mu.Unlock()
			}
		}
	})
	do()
	cancel()
	all.Wait()
}

// times is how often a phrase was said: its first sentence stands for it.
func (s *scene) times(p phrases.Phrase) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	first, _, _ := strings.Cut(p.EN, ". ")
	n := 0
	for words, times := range s.said {
		if strings.HasPrefix(words, strings.TrimSuffix(first, ".")) {
			n = max(n, times)
		}
	}
	return n
}

func (s *scene) codes() []string {
	var all []string
	for _, f := range s.Bus.Snapshot().Faults {
		all = append(all, f.Code)
	}
	slices.Sort(all)
	return all
}

// asks is a talk of six seconds, if it can be heard.
func (s *scene) asks() {
	voicetest.Wakes(0, "en").Do(s.Stage)
	time.Sleep(2 * time.Second)
	voicetest.Says(0, "what time is it", "en", 500*time.Millisecond).Do(s.Stage)
	time.Sleep(10 * time.Second)
}

// alive asks what the watchdog asks.
func (s *scene) alive(t *testing.T, when string) {
	t.Helper()
	ctx, done := context.WithTimeout(t.Context(), time.Second)
	defer done()
	if err := errors.Join(s.Listener.Ping(ctx), s.Loop.Ping(ctx)); err != nil {
		t.Errorf("%s: the watchdog would bite: %v", when, err)
	}
}

// shows is what the state light shows: "+40" is all well.
func (s *scene) shows() string {
	s.lamp.Shown()
	time.Sleep(10 * time.Second)
	return s.lamp.Shown()
}

// V8, V4: each of the eight is lost and comes back, alone and in pairs, in either
// order. While it is gone the state has its code and the light says so, deaf or
// not; it is said once where it can be said; the watchdog never bites; afterwards
// everything works by itself and nothing is left in the state.
func TestLostAndBack(t *testing.T) {
	for i, a := range parts {
		t.Run(a.name, func(t *testing.T) { lostAndBack(t, []part{a}, false) })
		for _, b := range parts[i+1:] {
			t.Run(a.name+" and "+b.name, func(t *testing.T) { lostAndBack(t, []part{a, b}, false) })
			t.Run(b.name+" back before "+a.name, func(t *testing.T) { lostAndBack(t, []part{a, b}, true) })
		}
	}
}

func lostAndBack(t *testing.T, lost []part, reverse bool) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.play(t, func() {
			time.Sleep(2*time.Second + 7*time.Millisecond)
			if got := s.codes(); len(got) != 0 {
				t.Fatalf("wrong at first: %v", got)
			}
			var want []string
			deaf, dumb := false, false
			for _, p := range lost {
				p.lose(s)
				time.Sleep(time.Second)
				want = append(want, p.codes...)
				deaf, dumb = deaf || p.deaf, dumb || p.dumb
			}
			slices.Sort(want)
			want = slices.Compact(want)
			time.Sleep(5 * time.Second)
			s.asks()
			time.Sleep(30 * time.Second)
			if got := s.codes(); !slices.Equal(got, want) {
				t.Errorf("in the state: %v, want %v", got, want)
			}
			if got := s.Bus.Snapshot().Deaf(); got != deaf {
				t.Errorf("deaf: %v, want %v", got, deaf)
			}
			if got := s.shows(); strings.Contains(got, "+40 ") || got == "-10000" {
				t.Errorf("the light says all is well: %s", got)
			}
			s.alive(t, "while it is gone")
			checkSaid(t, s, lost, deaf, dumb)
			if reverse {
				slices.Reverse(lost)
			}
			for _, p := range lost {
				p.find(s)
				time.Sleep(20 * time.Second)
				s.alive(t, p.name+" is back")
			}
			time.Sleep(2*time.Minute + 30*time.Second) // the longest wait of a voice that is tried again
			if got := s.codes(); len(got) != 0 {
				t.Errorf("back, and still in the state: %v", got)
			}
			before := s.times(phrases.Phrase{EN: "It is seven."})
			s.asks()
			if got := s.times(phrases.Phrase{EN: "It is seven."}); got != before+1 {
				t.Errorf("a talk afterwards was answered %d times", got-before)
			}
			if got := s.shows(); !strings.Contains(got, "+40 ") {
				t.Errorf("the light does not say that all is well: %s", got)
			}
		})
		for sentence, n := range s.said {
			if n > 1 && sentence != "It is seven." {
				t.Errorf("%q was said %d times", sentence, n)
			}
		}
	})
}

// checkSaid: what was lost was told once, if there is a voice; of the house only
// to who talks, so not while it is deaf.
func checkSaid(t *testing.T, s *scene, lost []part, deaf, dumb bool) {
	t.Helper()
	for _, p := range lost {
		want := 1
		if dumb || deaf && !p.deaf {
			want = 0
		}
		if got := s.times(p.gone); got != want {
			t.Errorf("%s: %q was said %d times, want %d; said: %v", p.name, p.gone.EN, got, want, s.said)
		}
	}
}
