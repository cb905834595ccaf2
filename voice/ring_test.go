package voice_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/voice"
	"homebot/voice/voicetest"
)

var (
	eggs    = voice.Ring{ID: "t1", Name: "鸡蛋", Text: "鸡蛋，时间到了。", Lang: "zh"}
	pasta   = voice.Ring{ID: "t2", Name: "pasta", Text: "pasta: time is up.", Lang: "en"}
	noodles = voice.Ring{ID: "t3", Name: "面条", Text: "面条，时间到了。", Lang: "zh"}
	unnamed = voice.Ring{ID: "t4", Text: "时间到了。", Lang: "zh"}
)

// rings are talks in which something rings.
var rings = map[string]voicetest.Script{
	"20-ring-stopped-by-word": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Says(ms(3500), "今天晚上吃什么", "zh", 900*time.Millisecond),
			voicetest.Says(ms(6000), "停", "zh", 300*time.Millisecond),
		},
		Until: 12 * seconds,
	},
	"21-ring-over-a-reply": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "how do I make tomato soup", "en", 1500*time.Millisecond),
			voicetest.Rings(ms(8000), pasta),
			voicetest.Says(ms(11000), "stop", "en", 300*time.Millisecond),
		},
		Answers: []voicetest.Answer{
			{Says: "Cut four tomatoes and one onion into small pieces. Fry the onion gently in a little oil until it is soft. Then add the tomatoes."},
		},
		Lang:  "en",
		Until: 15 * seconds,
	},
	"22-ring-while-thinking": {
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "番茄炒蛋怎么做", "zh", 1200*time.Millisecond),
			voicetest.Rings(ms(6000), eggs),
			voicetest.Says(ms(9500), "停", "zh", 300*time.Millisecond),
		},
		Answers: []voicetest.Answer{{Says: "先把番茄切块。", Next: voice.End, After: 8 * seconds}},
		Until:   20 * seconds,
	},
	"23-two-rings-until-the-limit": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Rings(ms(3000), eggs, pasta),
			voicetest.Rings(ms(20000)),
		},
		Until: 25 * seconds,
	},
	"24-ring-and-more-time": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Says(ms(4500), "再加五分钟", "zh", 900*time.Millisecond),
			voicetest.Rings(ms(6800)),
		},
		Answers: []voicetest.Answer{{Says: "鸡蛋加了五分钟。", Next: voice.End}},
		Until:   12 * seconds,
	},
	"25-ring-goes-on-after-a-talk": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Says(ms(4500), "取消面条的定时", "zh", 900*time.Millisecond),
			voicetest.Says(ms(11500), "别响了", "zh", 500*time.Millisecond),
		},
		Answers: []voicetest.Answer{{Says: "面条取消了。", Next: voice.End}},
		Until:   15 * seconds,
	},
	"26-ring-and-words-that-begin-like-stop": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Talks(ms(2500), "zh", 300*time.Millisecond, "停", "车场", "怎么走"),
			voicetest.Talks(ms(5500), "en", 250*time.Millisecond, "stop", "by", "the", "shop"),
			voicetest.Says(ms(9000), "停", "zh", 400*time.Millisecond),
		},
		Until: 12 * seconds,
	},
	"81-ring-stopped-before-one-that-joined-was-named": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Rings(ms(4000), eggs, noodles),
			voicetest.Says(ms(4200), "停", "zh", 300*time.Millisecond),
		},
		// The earcon may lose its first 20 ms to the end of the ring; what is said then
		// ends that much earlier.
		Until: 5400 * time.Millisecond,
	},
	"82-ring-that-joined-is-named-first": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Rings(ms(4000), eggs, noodles),
			voicetest.Says(ms(11000), "停", "zh", 300*time.Millisecond),
		},
		Until: 15 * seconds,
	},
	"27-ring-stopped-under-noise": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Noise(ms(2000), true),
			voicetest.Says(ms(4000), "停", "zh", 400*time.Millisecond),
		},
		Until: 9 * seconds,
	},
	// V8: what hears is lost in the middle of a ring, and back: the stop word ends
	// the ring as ever.
	"28-ring-and-recogniser-lost": {
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Does(ms(3000), "(the recogniser is gone)", func(st *voicetest.Stage) { st.Ears.Lose() }),
			voicetest.Says(ms(3500), "停", "zh", 300*time.Millisecond), // in vain
			voicetest.Does(ms(6000), "(it is back)", func(st *voicetest.Stage) { st.Ears.Restore() }),
			voicetest.Says(ms(8000), "停", "zh", 300*time.Millisecond),
		},
		Until: 13 * seconds,
	},
	"28-ring-and-microphone-lost": {
		Echo: true,
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Does(ms(3000), "(unplugged)", func(st *voicetest.Stage) { st.Mic.Unplug() }),
			voicetest.Does(ms(4000), "(plugged in)", func(st *voicetest.Stage) { st.Mic.Plug() }),
			voicetest.Says(ms(8000), "停", "zh", 300*time.Millisecond),
		},
		Until: 13 * seconds,
	},
	// The one on the device stands in at once, in the middle of a word that made the
	// ring rest.
	"28-ring-and-far-recogniser-lost": {
		Remote: true, Echo: true,
		Steps: []voicetest.Step{
			voicetest.Rings(ms(1000), eggs),
			voicetest.Says(ms(2900), "今天晚上吃什么", "zh", 900*time.Millisecond),
			voicetest.Does(ms(3000), "(the far recogniser is gone)", func(st *voicetest.Stage) { st.Remote.Lose() }),
			voicetest.Does(ms(7500), "停 (300ms)", func(st *voicetest.Stage) {
				go st.Ears.Says("停", "zh", 300*time.Millisecond)
			}),
		},
		Until: 12 * seconds,
	},
	// A timer that was missed rings while the recogniser still loads.
	"28-ring-before-the-recogniser": {
		Deaf: true,
		Steps: []voicetest.Step{
			voicetest.Rings(ms(500), eggs),
			voicetest.Does(ms(4000), "(it comes)", func(st *voicetest.Stage) { st.Ears.Restore() }),
			voicetest.Says(ms(5000), "停", "zh", 300*time.Millisecond),
		},
		Until: 9 * seconds,
	},
}

// V9: timers ring with their name, over a reply and beside a turn that thinks,
// two at once, until the stop word (without a wake word, in both languages) or
// their limit; an order about timers interrupts the ring for the length of a
// talk. V3: no
// state is illegal.
func TestRings(t *testing.T) {
	for name, script := range rings {
		t.Run(name, func(t *testing.T) {
			var got string
			synctest.Test(t, func(t *testing.T) { got = voicetest.Play(t, script) })
			golden(t, name, got)
		})
	}
}

// V9: the microphone that was off stays off while it rings, and afterwards; the
// order from outside ends the ring.
func TestRingWhileMuted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := voicetest.Play(t, voicetest.Script{
			Steps: []voicetest.Step{
				voicetest.Does(ms(500), "(muted)", func(st *voicetest.Stage) { _ = st.Loop.Mute(context.Background(), true) }),
				voicetest.Rings(ms(1000), eggs),
				voicetest.Says(ms(3000), "停", "zh", 300*time.Millisecond),
				voicetest.Rings(ms(9000)),
			},
			Until: 12 * seconds,
		})
		if !strings.Contains(got, "ringing") || strings.Contains(got, "heard") || !strings.HasSuffix(strings.TrimSpace(got), "muted") {
			t.Errorf("got\n%s", got)
		}
	})
}

// V9: a stop word is believed when nothing follows it, soon after its end, and the
// ring is silent from the moment that it is understood; the beginning of other
// words only makes it rest.
func TestRingStopWordIsQuick(t *testing.T) {
	for _, c := range []struct {
		name  string
		says  voicetest.Step
		echo  bool // cancelled
		after int  // ms from its end
		stops bool
	}{
		{"停", voicetest.Says(ms(3000), "停", "zh", 400*time.Millisecond), true, 200, true},
		{"stop", voicetest.Says(ms(3000), "stop", "en", 400*time.Millisecond), true, 200, true},
		{"停 over the echo", voicetest.Says(ms(3000), "停", "zh", 400*time.Millisecond), false, 800, true},
		{"停车场怎么走", voicetest.Talks(ms(3000), "zh", 100*time.Millisecond, "停", "车场", "怎么", "走"), true, 200, false},
		{"stop by the shop", voicetest.Talks(ms(3000), "en", 100*time.Millisecond, "stop", "by", "the", "shop"), false, 800, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var silent, rings bool
				got := voicetest.Play(t, voicetest.Script{
					Echo: c.echo,
					Steps: []voicetest.Step{
						voicetest.Rings(ms(1000), eggs),
						c.says,
						voicetest.Does(ms(3400+c.after), "(looked at)", func(st *voicetest.Stage) { silent = st.Bus.Snapshot().Dialogue != event.Ringing }),
						voicetest.Does(ms(6000), "(looked at)", func(st *voicetest.Stage) { rings = st.Bus.Snapshot().Dialogue == event.Ringing }),
						voicetest.Rings(ms(7000)),
					},
					Until: 8 * seconds,
				})
				if silent != c.stops || rings == c.stops {
					t.Errorf("%d ms after its end: over %v; later: ringing %v; got\n%s", c.after, silent, rings, got)
				}
			})
		})
	}
}

// V9: with the echo cancelled a ring rests as soon as somebody speaks, so that a
// stop word is none of its own sound, and goes on when nothing came of it; where
// the microphone hears it too it rests for words only.
func TestRingRestsForSpeech(t *testing.T) {
	const rests, over, sounds = false, false, true
	for _, c := range []struct {
		name   string
		echo   bool
		coughs []int
		want   []bool // sounding 0.4 and 1.4 s after the cough began
	}{
		{"a cough", true, []int{1900}, []bool{rests, sounds}},
		{"over its echo", false, []int{1900}, []bool{sounds, over}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got []bool
				look := func(st *voicetest.Stage) { got = append(got, st.Speaker.Sounding()) }
				long := voice.Ring{ID: "t1", Text: "放在烤箱最下面一层的那一大盘面包和土豆，时间到了。", Lang: "zh"}
				steps := []voicetest.Step{voicetest.Rings(ms(0), long)}
				for _, at := range c.coughs {
					steps = append(steps, voicetest.Coughs(ms(at), 200*time.Millisecond))
				}
				steps = append(steps, voicetest.Does(ms(2300), "", look), voicetest.Does(ms(3300), "", look), voicetest.Rings(ms(9000)))
				out := voicetest.Play(t, voicetest.Script{Echo: c.echo, Steps: steps, Until: 10 * seconds})
				if !slices.Equal(got, c.want) {
					t.Errorf("sounding %v, want %v; got\n%s", got, c.want, out)
				}
			})
		})
	}
}

// V9: words that the ring itself says do not end it.
func TestRingDoesNotHearItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := voicetest.Play(t, voicetest.Script{
			Steps: []voicetest.Step{
				voicetest.Rings(ms(1000), voice.Ring{ID: "t1", Text: "停车费，时间到了。", Lang: "zh"}),
				voicetest.Says(ms(2600), "停", "zh", 200*time.Millisecond),
				voicetest.Rings(ms(12000)),
			},
			Until: 14 * seconds,
		})
		if strings.Contains(got, "heard    停") {
			t.Errorf("got\n%s", got)
		}
	})
}

// V9: whatever ends a ring, each name that was not said is told once, and a name
// that was said is not; only what was known to ring is ended.
func TestStoppedBeforeItWasNamed(t *testing.T) {
	stop := voicetest.Says(ms(4200), "停", "zh", 300*time.Millisecond)
	joined := []voicetest.Step{voicetest.Rings(ms(1000), eggs), voicetest.Rings(ms(4000), eggs, noodles)}
	for _, c := range []struct {
		name    string
		steps   []voicetest.Step
		answers []voicetest.Answer
		want    []string // said of rings that were stopped, in order
		ended   []string
	}{
		{"by word", append(slices.Clone(joined), stop), nil, []string{"面条也到时间了。"}, []string{"t1", "t3"}},
		{"by a button", append(slices.Clone(joined), stopped(ms(4300))), nil, []string{"面条也到时间了。"}, []string{"t1", "t3"}},
		{"while muted", []voicetest.Step{muted(ms(100)), voicetest.Rings(ms(6000), eggs), voicetest.Rings(ms(9000), eggs, noodles), stopped(ms(9300))}, nil, []string{"面条也到时间了。"}, []string{"t1", "t3"}},
		{"one without a name", []voicetest.Step{voicetest.Rings(ms(1000), eggs), voicetest.Rings(ms(4000), eggs, unnamed), stop}, nil, []string{"还有一个也到时间了。"}, []string{"t1", "t4"}},
		{"in two languages", []voicetest.Step{voicetest.Rings(ms(1000), eggs), voicetest.Rings(ms(4000), eggs, noodles, pasta), stop}, nil, []string{"面条也到时间了。", "Time is up for pasta, too."}, []string{"t1", "t3", "t2"}},
		{"none was named", []voicetest.Step{voicetest.Rings(ms(4000), eggs, noodles), stop}, nil, []string{"鸡蛋，时间到了。", "面条也到时间了。"}, []string{"t1", "t3"}},
		{"one alone, in the bells", []voicetest.Step{voicetest.Rings(ms(4000), unnamed), stop}, nil, nil, []string{"t4"}},
		{"as its name begins", []voicetest.Step{voicetest.Rings(ms(1000), eggs), voicetest.Rings(ms(4000), eggs, noodles), stopped(ms(5400))}, nil, []string{"面条也到时间了。"}, []string{"t1", "t3"}},
		{"after its name", []voicetest.Step{voicetest.Rings(ms(1000), eggs), voicetest.Rings(ms(4000), eggs, noodles), stopped(ms(6100))}, nil, nil, []string{"t1", "t3"}},
		{"both were named", append(slices.Clone(joined), stopped(ms(13000))), nil, nil, []string{"t1", "t3"}},
		{"rings anew", append(slices.Clone(joined), stop, voicetest.Rings(ms(8500), eggs), stopped(ms(8800))), nil, []string{"面条也到时间了。", "鸡蛋，时间到了。"}, []string{"t1", "t3", "t1"}},
		{"while a turn is thought about", append([]voicetest.Step{voicetest.Wakes(ms(100), "zh"), voicetest.Says(ms(1100), "番茄怎么炒", "zh", 300*time.Millisecond), voicetest.Rings(ms(2600), eggs), voicetest.Rings(ms(5200), eggs, noodles)}, voicetest.Says(ms(5300), "停", "zh", 300*time.Millisecond)),
			[]voicetest.Answer{{Says: "切块。", Next: voice.End, After: 6 * seconds}}, []string{"面条也到时间了。"}, []string{"t1", "t3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var st *voicetest.Stage
				first := voicetest.Does(0, "(looked at)", func(s *voicetest.Stage) { st = s })
				got := voicetest.Play(t, voicetest.Script{Steps: append([]voicetest.Step{first}, c.steps...), Answers: c.answers, Until: 18 * seconds})
				_, after, _ := strings.Cut(got, "earcon   done\n")
				if c.name == "while a turn is thought about" {
					_, after, _ = strings.Cut(got, "history")
				}
				var told []string
				for line := range strings.Lines(after) {
					if _, said, ok := strings.Cut(line, "says     "); ok {
						said, _, _ = strings.Cut(said, " (")
						told = append(told, said)
					}
				}
				if !slices.Equal(told, c.want) || !slices.Equal(st.Hushed(), c.ended) {
					t.Errorf("told %q, want %q; ended %v; got\n%s", told, c.want, st.Hushed(), got)
				}
			})
		})
	}
}
