package voice_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/internal/speech"
	"homebot/voice"
	"homebot/voice/voicetest"
)

func held(at time.Duration) voicetest.Step {
	return pressed(at, "press", func(l *voice.Loop) error { return l.Press(context.Background(), "zh") })
}

func released(at time.Duration) voicetest.Step {
	return pressed(at, "release", func(l *voice.Loop) error { return l.Release(context.Background()) })
}

// V2, V6, V7: a held button begins a voice session without a wake word; a pause
// does not end the utterance, letting go does; it interrupts a reply; a touch
// without a word ends in silence.
func TestHoldToTalk(t *testing.T) {
	s := voicetest.Script{
		Steps: []voicetest.Step{
			held(ms(1000)),
			voicetest.Says(ms(1300), "番茄炒蛋", "zh", 600*time.Millisecond),
			released(ms(5000)), // three seconds of silence later
			held(ms(7000)),
			voicetest.Says(ms(7300), "等等", "zh", 300*time.Millisecond),
			released(ms(8000)),
			held(ms(14000)),
			released(ms(14020)),
		},
		Answers: []voicetest.Answer{{Says: "先把番茄切块，再把鸡蛋打散，然后热锅下油，等油热了再倒蛋液。", Next: voice.End}, {Says: "好。", Next: voice.End}},
		Until:   20 * seconds,
	}
	golden(t, "80-hold-to-talk", play(t, s))
}

// V2: who holds the button before the recogniser is there (a browser's is loaded at
// its first press) is heard from the press on.
func TestHeldBeforeItHears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := voicetest.NewStage(voicetest.Script{Deaf: true, Answers: []voicetest.Answer{{Says: "好。", Next: voice.End}}},
			func(from, to event.DialogueState) { t.Errorf("illegal: %s → %s", from, to) })
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		go st.Run(ctx)
		begun := time.Now()
		wait := func(at time.Duration) { time.Sleep(at - time.Since(begun)) }
		wait(ms(500))
		if err := st.Loop.Press(ctx, "zh"); err != nil {
			t.Fatal(err)
		}
		wait(ms(2000))
		st.Ears.Restore()
		synctest.Wait()
		got, _ := st.Ears.Sent()
		if again := got - int(time.Since(begun)*speech.CaptureRate/time.Second); again < speech.CaptureRate*14/10 || again > speech.CaptureRate*16/10 {
			t.Errorf("it got %d samples anew, want those of 1.5 s since the press", again)
		}
		wait(ms(2500))
		st.Ears.Says("番茄炒蛋", "zh", 600*time.Millisecond)
		wait(ms(3500))
		if err := st.Loop.Release(ctx); err != nil {
			t.Fatal(err)
		}
		wait(ms(5000))
		if all := st.Handler.Turns(); len(all) != 1 || all[0].Text != "番茄炒蛋" {
			t.Errorf("turns %+v", all)
		}
	})
}

// V8: a button held while what hears is gone is answered with that, each time.
func TestHoldToTalkWhileDeaf(t *testing.T) {
	golden(t, "81-hold-to-talk-while-deaf", play(t, voicetest.Script{
		Echo: true,
		Steps: []voicetest.Step{
			voicetest.Does(ms(1000), "(the recogniser is gone)", func(st *voicetest.Stage) { st.Ears.Lose() }),
			held(ms(10000)),
			released(ms(10500)),
			held(ms(11000)), // the sentence still sounds
			released(ms(11500)),
			voicetest.Does(ms(20000), "(it is back)", func(st *voicetest.Stage) { st.Ears.Restore() }),
			held(ms(24000)),
			voicetest.Says(ms(24300), "几点了", "zh", half),
			released(ms(25000)),
		},
		Answers: []voicetest.Answer{{Says: "七点。", Next: voice.End}},
		Until:   28 * seconds,
	}))
}
