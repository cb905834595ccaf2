package voice

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/internal/event"
	"homebot/internal/speech/speechtest"
)

// V7: the endpoint of one utterance: 700 ms after speech, 8 s without any, 20 s
// at most, measured in samples of the capture.
func TestEndpoint(t *testing.T) {
	rule := Endpointing{}.withDefaults()
	at := samples
	const began = 100
	for name, c := range map[string]struct {
		hear func(*endpoint)
		end  int // samples after it began
	}{
		"silence":                 {func(*endpoint) {}, at(8 * time.Second)},
		"a short word":            {func(e *endpoint) { e.started(began); e.stopped(began + at(time.Second)) }, at(1700 * time.Millisecond)},
		"noise that never ends":   {func(e *endpoint) { e.started(began) }, at(20 * time.Second)},
		"the wake phrase's tail":  {func(e *endpoint) { e.stopped(began + at(200*time.Millisecond)) }, at(8 * time.Second)},
		"one breath, no start":    {func(e *endpoint) { e.stopped(began + at(time.Second)) }, at(1700 * time.Millisecond)},
		"only words, no detector": {func(e *endpoint) { e.words("打开", began+at(time.Second)) }, at(1700 * time.Millisecond)},
		"a pause and more": {func(e *endpoint) {
			e.started(began)
			e.stopped(began + at(time.Second))
			e.started(began + at(1500*time.Millisecond))
			e.stopped(began + at(2*time.Second))
		}, at(2700 * time.Millisecond)},
	} {
		e := newEndpoint(rule, rule.NoSpeech, began)
		c.hear(e)
		if e.over(began + c.end - 1) {
			t.Errorf("%s: over too early", name)
		}
		if !e.over(began + c.end) {
			t.Errorf("%s: not over", name)
		}
	}
}

// V3: one table of legal transitions; an illegal one is refused, changes
// nothing, is not published, and reaches the hook.
func TestIllegalTransition(t *testing.T) {
	bus := event.NewBus(event.State{Dialogue: event.Idle})
	var refused []event.DialogueState
	l := NewLoop(LoopConfig{Bus: bus, Illegal: func(from, to event.DialogueState) { refused = append(refused, from, to) }})
	if l.to(event.Thinking) {
		t.Error("idle → thinking was accepted")
	}
	if l.state != event.Idle || bus.Snapshot().Dialogue != event.Idle {
		t.Errorf("state is %s, published %s", l.state, bus.Snapshot().Dialogue)
	}
	if len(refused) != 2 || refused[1] != event.Thinking {
		t.Errorf("the hook got %v", refused)
	}
	if !l.to(event.Listening) || bus.Snapshot().Dialogue != event.Listening {
		t.Error("idle → listening was refused")
	}
}

// Every state has a way on, and every state but muted one to listening.
func TestTransitions(t *testing.T) {
	all := []event.DialogueState{event.Idle, event.Listening, event.Thinking, event.Speaking, event.Ringing, event.Muted}
	for _, s := range all {
		if len(transitions[s]) == 0 {
			t.Errorf("%s is a dead end", s)
		}
		if want := s != event.Muted && s != event.Listening; legal(s, event.Listening) != want {
			t.Errorf("%s → listening: %v", s, !want)
		}
		if legal(s, s) {
			t.Errorf("%s → %s is no transition", s, s)
		}
	}
	if len(transitions) != len(all) {
		t.Error("the table has other states")
	}
}

// V6: what was heard of a broken sentence ends at a word border.
func TestCutAt(t *testing.T) {
	for _, c := range []struct {
		sentence      string
		played, total int
		want          string
	}{
		{"先把番茄切块。", 0, 700, ""},
		{"先把番茄切块。", 350, 700, "先把番"},
		{"先把番茄切块。", 700, 700, "先把番茄切块。"},
		{"先把番茄切块。", 699, 700, "先把番茄切块"},
		{"Fry the onion.", 700, 1400, "Fry the"},
		{"Fry the onion.", 600, 1400, "Fry"},
		{"Fry the onion.", 100, 1400, ""},
		{"加200克面粉。", 300, 800, "加"},
		{"加200克面粉。", 400, 800, "加200"},
		{" Then stop.", 600, 1100, " Then"},
		{"用olive oil炒。", 500, 1200, "用"},
		{"加3.5克。", 200, 600, "加"},
		{"I don't know.", 500, 1300, "I"},
		{"", 1, 2, ""},
	} {
		if got := cutAt(c.sentence, c.played, c.total); got != c.want {
			t.Errorf("cutAt(%q, %d, %d) = %q, not %q", c.sentence, c.played, c.total, got, c.want)
		}
	}
}

func FuzzCutAt(f *testing.F) {
	f.Add("先把番茄切块。", 3, 7)
	f.Add("Fry the onion.", 9, 14)
	f.Add("a\xffb c", 2, 4)
	f.Add("加200克。", -1, 0)
	f.Fuzz(func(t *testing.T, sentence string, played, total int) {
		got := cutAt(sentence, played, total)
		if !strings.HasPrefix(sentence, got) {
			t.Errorf("%q is no beginning of %q", got, sentence)
		}
		if total > 0 && played > 0 && played < total && got == sentence && utf8.RuneCountInString(sentence) > 0 {
			t.Errorf("all of %q after %d of %d", sentence, played, total)
		}
	})
}

// told is a Watcher that notes.
type told struct {
	said  []string
	muted error
}

func (w *told) Said(_ context.Context, words event.Words) { w.said = append(w.said, words.Text) }
func (w *told) Mute(_ context.Context, err error)         { w.muted = err }

// speak runs f with a Speaker in a bubble.
func speak(t *testing.T, synth *speechtest.Synthesizer, f func(t *testing.T, s *Speaker, sink *audiotest.Sink)) {
	synctest.Test(t, func(t *testing.T) {
		sink := &audiotest.Sink{Delay: 60 * time.Millisecond}
		player := audio.NewPlayer(sink, nil)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { _ = player.Run(ctx) })
		f(t, NewSpeaker(synth, player, nil), sink)
		cancel()
		all.Wait()
	})
}

// V5: while a sentence sounds exactly the next one is synthesised, no more.
func TestOneSentenceAhead(t *testing.T) {
	synth := &speechtest.Synthesizer{Delay: 10 * time.Millisecond}
	speak(t, synth, func(t *testing.T, s *Speaker, _ *audiotest.Sink) {
		w := &told{}
		p := s.Begin(t.Context(), "zh", w)
		p.Write("第一句话在这里。第二句话在这里。第三句话在这里。第四句话在这里。第五句。")
		for i, want := range []int{2, 3, 4} {
			time.Sleep(400 * time.Millisecond) // each takes 480 ms
			if n := len(synth.Said()); n != want {
				t.Errorf("during sentence %d: %d synthesised", i+1, n)
			}
			time.Sleep(150 * time.Millisecond)
		}
		if heard, whole := p.Finish(t.Context()); !whole || strings.Count(heard, "。") != 5 {
			t.Errorf("heard %q, whole %v", heard, whole)
		}
		if len(w.said) != 5 {
			t.Errorf("said %q", w.said)
		}
	})
}

// R44: a reply that was cancelled before a word of it was heard is not whole,
// and nothing of it was heard.
func TestCancelledBeforeTheFirstWord(t *testing.T) {
	speak(t, &speechtest.Synthesizer{Delay: time.Hour}, func(t *testing.T, s *Speaker, _ *audiotest.Sink) {
		for _, reply := range []string{"", "好的。"} {
			ctx, cancel := context.WithCancel(t.Context())
			p := s.Begin(ctx, "zh", &told{})
			p.Write(reply)
			time.Sleep(time.Second)
			cancel()
			if heard, whole := p.Finish(ctx); heard != "" || whole {
				t.Errorf("%q: heard %q, whole %v", reply, heard, whole)
			}
		}
	})
}

// The voice breaks in the second sentence: the reply counts as delivered (it is
// on the screen), the watcher is told why, and Finish does not hang.
func TestVoiceBreaks(t *testing.T) {
	boom := errors.New("connection reset")
	speak(t, &speechtest.Synthesizer{Err: boom, After: 1200}, func(t *testing.T, s *Speaker, _ *audiotest.Sink) {
		w := &told{}
		p := s.Begin(t.Context(), "zh", w)
		p.Write("第一句话。第二句话。")
		if heard, whole := p.Finish(t.Context()); heard != "第一句话。第二句话。" || !whole {
			t.Errorf("heard %q, whole %v", heard, whole)
		}
		if !errors.Is(w.muted, boom) {
			t.Errorf("told %v", w.muted)
		}
	})
}

// The loudspeaker is unplugged in the middle of a reply.
func TestLoudspeakerLost(t *testing.T) {
	speak(t, &speechtest.Synthesizer{}, func(t *testing.T, s *Speaker, sink *audiotest.Sink) {
		w := &told{}
		p := s.Begin(t.Context(), "zh", w)
		p.Write("这是一句比较长的话，说到一半扬声器被拔掉了。还有一句。")
		time.Sleep(300 * time.Millisecond)
		sink.Unplug()
		if _, whole := p.Finish(t.Context()); !whole {
			t.Error("not delivered")
		}
		if !errors.Is(w.muted, audio.ErrLost) {
			t.Errorf("told %v", w.muted)
		}
	})
}

// V10: what is not to be read is not spoken, and yet belongs to what was heard.
func TestSilentSentence(t *testing.T) {
	synth := &speechtest.Synthesizer{}
	speak(t, synth, func(t *testing.T, s *Speaker, _ *audiotest.Sink) {
		p := s.Begin(t.Context(), "zh", &told{})
		p.Write("**好的**。\n---\n再见。")
		if heard, whole := p.Finish(t.Context()); heard != "**好的**。\n---\n再见。" || !whole {
			t.Errorf("heard %q, whole %v", heard, whole)
		}
		for _, said := range synth.Said() {
			if strings.ContainsAny(said.Text, "*-") {
				t.Errorf("spoken: %q", said.Text)
			}
		}
	})
}

// An order that was given before the Loop knew of a wake does not end the
// utterance that the wake began; muting does.
func TestStaleOrder(t *testing.T) {
	l := NewListener(ListenerConfig{Ears: deafEars{}})
	l.due = time.NewTimer(time.Hour)
	l.wakes, l.taking, l.end = 1, l.local, newEndpoint(l.rule, l.rule.NoSpeech, 0)
	l.obey(t.Context(), order{kind: orderRest})
	if l.taking == nil {
		t.Error("a stale order ended the utterance")
	}
	l.obey(t.Context(), order{kind: orderRest, known: 1})
	if l.taking != nil {
		t.Error("an order of now was ignored")
	}
	l.taking = l.local
	l.obey(t.Context(), order{kind: orderMute})
	if l.taking != nil || !l.muted {
		t.Error("muting was ignored")
	}
}

type deafEars struct{ Ears }
