package voice_test

import (
	"context"
	"testing"
	"time"

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
