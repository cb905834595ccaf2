package voice_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"time"

	"homebot/internal/phrases"
	"homebot/voice"
	"homebot/voice/voicetest"
)

// pressed are what people do on the device, the page and the command line.
func pressed(at time.Duration, what string, press func(*voice.Loop) error) voicetest.Step {
	return voicetest.Does(at, "("+what+")", func(st *voicetest.Stage) { _ = press(st.Loop) })
}

func muted(at time.Duration) voicetest.Step {
	return pressed(at, "mute", func(l *voice.Loop) error { return l.Mute(context.Background(), true) })
}

func unmuted(at time.Duration) voicetest.Step {
	return pressed(at, "unmute", func(l *voice.Loop) error { return l.Mute(context.Background(), false) })
}

func stopped(at time.Duration) voicetest.Step {
	return pressed(at, "stop", func(l *voice.Loop) error { return l.Stop(context.Background()) })
}

func repeated(at time.Duration) voicetest.Step {
	return pressed(at, "repeat", func(l *voice.Loop) error { return l.Repeat(context.Background()) })
}

func louder(at time.Duration, percent int) voicetest.Step {
	return pressed(at, fmt.Sprint("volume ", percent), func(l *voice.Loop) error { return l.SetVolume(context.Background(), percent) })
}

const soup = "Cut four tomatoes and one onion into small pieces. Fry the onion gently in a little oil until it is soft. Then add the tomatoes."

// controlled are talks in which somebody uses a control.
var controlled = map[string]voicetest.Script{
	"60-muted-and-back": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "番茄炒蛋怎么做", "zh", 1200*time.Millisecond),
			muted(ms(6000)),
			voicetest.Wakes(ms(16000), "zh"),
			unmuted(ms(18000)),
			voicetest.Wakes(ms(20000), "zh"),
		},
		Answers: []voicetest.Answer{{Says: "先把番茄切块。再把鸡蛋打散。", Next: voice.End}},
		Until:   23 * seconds,
	},
	"61-muted-while-it-rings": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			muted(ms(3000)),
			voicetest.Says(ms(5500), "停", "zh", 300*time.Millisecond),
			unmuted(ms(8000)),
			voicetest.Says(ms(10500), "停", "zh", 300*time.Millisecond),
		},
		Until: 14 * seconds,
	},
	"62-stop-while-speaking": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "how do I make tomato soup", "en", 1500*time.Millisecond),
			stopped(ms(9000)),
		},
		Answers: []voicetest.Answer{{Says: soup}},
		Until:   12 * seconds,
	},
	"63-stop-while-thinking": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "番茄炒蛋怎么做", "zh", 1200*time.Millisecond),
			stopped(ms(6000)),
		},
		Answers: []voicetest.Answer{{Says: "先把番茄切块。", After: 8 * seconds}},
		Until:   16 * seconds,
	},
	"64-stop-while-listening": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			stopped(ms(3000)),
			voicetest.Says(ms(3500), "番茄炒蛋怎么做", "zh", 1200*time.Millisecond),
		},
		Until: 8 * seconds,
	},
	"65-stop-while-ringing": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			stopped(ms(3000)),
		},
		Until: 8 * seconds,
	},
	"66-stop-while-muted": {
		Steps: []voicetest.Step{
			muted(ms(1000)),
			stopped(ms(2000)),
		},
		Until: 8 * seconds,
	},
	"67-forgotten-and-not-repeated": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "番茄炒蛋怎么做", "zh", 1200*time.Millisecond),
			pressed(ms(11000), "forget", func(l *voice.Loop) error { l.Forget(); return nil }),
			repeated(ms(12000)),
		},
		Answers: []voicetest.Answer{{Says: "先把番茄切块。", Next: voice.End}},
		Until:   18 * seconds,
	},
	"67-repeat": {
		Steps: []voicetest.Step{
			repeated(ms(1000)),
			voicetest.Wakes(ms(5000), "zh"),
			voicetest.Says(ms(6500), "做番茄炒蛋", "zh", 900*time.Millisecond),
			repeated(ms(11000)),
			voicetest.Says(ms(14000), "三个人", "zh", 500*time.Millisecond),
			repeated(ms(18500)),
			repeated(ms(26000)),
		},
		Answers: []voicetest.Answer{
			{Says: "好的，几个人吃？", Next: voice.Continue},
			{Says: "那就用六个鸡蛋。", Next: voice.End},
		},
		Until: 32 * seconds,
	},
	"69-mute-by-voice": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "mute", "en", 400*time.Millisecond),
			voicetest.Wakes(ms(12000), "en"),
		},
		Lang:  "en",
		Until: 14 * seconds,
	},
	"70-stop-instead-of-an-answer": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "做番茄炒蛋", "zh", 900*time.Millisecond),
			voicetest.Says(ms(8000), "停", "zh", 300*time.Millisecond),
		},
		Answers: []voicetest.Answer{{Says: "好的，几个人吃？", Next: voice.Continue}},
		Until:   14 * seconds,
	},
	"68-volume-while-speaking": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "how do I make tomato soup", "en", 1500*time.Millisecond),
			louder(ms(9000), 20),
		},
		Answers: []voicetest.Answer{{Says: soup, Next: voice.End}},
		Until:   18 * seconds,
	},
}

// V3, V4, V9: mute, stop, repeat and volume from outside, in every state: what
// was going on ends as a barge-in ends it, a ring outlasts the microphone, the
// last reply is said again without a turn.
func TestControls(t *testing.T) {
	for name, script := range controlled {
		t.Run(name, func(t *testing.T) { golden(t, name, play(t, script)) })
	}
}

// Volume and mute begin as they were kept, and each change is kept, in order; a
// volume that cannot be is refused; one that is not kept is told, and set.
func TestControlsAreKept(t *testing.T) {
	full := errors.New("the disk is full")
	var kept []voice.Controls
	var failing bool
	var errs []error
	press := func(at int, f func(*voice.Loop) error) voicetest.Step {
		return pressed(ms(at), "", func(l *voice.Loop) error { errs = append(errs, f(l)); return nil })
	}
	ctx := context.Background()
	out := play(t, voicetest.Script{
		Controls: &voice.Controls{Volume: 35, Muted: true},
		Keep: func(c voice.Controls) error {
			if failing {
				return full
			}
			kept = append(kept, c)
			return nil
		},
		Steps: []voicetest.Step{
			press(1000, func(l *voice.Loop) error { return l.Mute(ctx, true) }),
			press(2000, func(l *voice.Loop) error { return l.Mute(ctx, false) }),
			press(3000, func(l *voice.Loop) error { return l.SetVolume(ctx, 101) }),
			press(4000, func(l *voice.Loop) error { failing = true; return l.SetVolume(ctx, 50) }),
			press(5000, func(l *voice.Loop) error { failing = false; return l.SetVolume(ctx, 50) }),
		},
		Until: 6 * seconds,
	})
	has(t, out, "0.000  state    muted", "mic      off", "mic      on", "state    idle", "volume   50")
	want := []voice.Controls{{Volume: 35}, {Volume: 50}}
	if len(kept) != 2 || kept[0] != want[0] || kept[1] != want[1] {
		t.Errorf("kept %+v", kept)
	}
	if errs[0] != nil || errs[1] != nil || !errors.Is(errs[2], voice.ErrVolume) || !errors.Is(errs[3], full) || errs[4] != nil {
		t.Errorf("%q", errs)
	}
	for i, zh := range map[int]string{2: "音量是 0 到 100，不能是 101", 3: "没能保存，重启后会变回去：" + full.Error()} {
		if got := phrases.Told(errs[i], phrases.Chinese); got != zh {
			t.Errorf("in Chinese %q, want %q", got, zh)
		}
	}
}

// V9: a ring is heard whatever the volume, which is back after it.
func TestRingIsHeardAtNoVolume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var during, after float64
		voicetest.Play(t, voicetest.Script{
			Controls: &voice.Controls{},
			Steps: []voicetest.Step{
				voicetest.Rings(ms(1000), eggs),
				voicetest.Does(ms(2000), "", func(st *voicetest.Stage) { during = st.Player().Volume() }),
				stopped(ms(3000)),
				voicetest.Does(ms(4000), "", func(st *voicetest.Stage) { after = st.Player().Volume() }),
			},
			Until: 5 * seconds,
		})
		if during < voice.RingVolume/100.0 || after != 0 {
			t.Errorf("the loudspeaker was at %v while it rang, %v after it", during, after)
		}
	})
}
