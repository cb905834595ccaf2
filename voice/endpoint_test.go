package voice

import (
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
)

// frame is 20 ms of a voice or a noise at a loudness.
func frame(seed uint64, loud float64) []int16 {
	pcm := audiotest.Babble(seed, 20*time.Millisecond, audio.CaptureRate)
	for i := range pcm {
		pcm[i] = int16(float64(pcm[i]) * loud)
	}
	return pcm
}

// endsAt plays an utterance to an endpoint, 20 ms at a time, and returns when it
// is over.
func endsAt(e *endpoint, loud func(at time.Duration) float64, hear func(e *endpoint, at time.Duration)) time.Duration {
	for at := time.Duration(0); ; at += 20 * time.Millisecond {
		hear(e, at)
		now := samples(at)
		e.hear(frame(uint64(at), loud(at)), now)
		if e.over(now) || at > 3*time.Minute {
			return at
		}
	}
}

// V7: which of the two rules ends an utterance, and after how much silence.
func TestTwoRules(t *testing.T) {
	for _, c := range []struct {
		words  string
		speech time.Duration
		want   time.Duration // of silence after it
	}{
		{"现在几点", time.Second, 700 * time.Millisecond},
		{"", time.Second, 700 * time.Millisecond},
		{"停", 300 * time.Millisecond, 450 * time.Millisecond},
		{"打开做饭模式", time.Second, 450 * time.Millisecond}, // a set phrase
		{"打开那个", time.Second, 1600 * time.Millisecond},
		{"set a timer for five", time.Second, 1600 * time.Millisecond},
		{"记一下", 500 * time.Millisecond, 1600 * time.Millisecond},
		{"番茄四个鸡蛋三个盐一勺", 4 * time.Second, 1600 * time.Millisecond},
		{"", 4 * time.Second, 1600 * time.Millisecond},
	} {
		e := newEndpoint(Endpointing{}.withDefaults(), 8*time.Second, 0)
		e.complete = func(s string) bool { return s == "打开做饭模式" }
		end := endsAt(e, func(time.Duration) float64 { return 0 }, func(e *endpoint, at time.Duration) {
			switch at {
			case 200 * time.Millisecond:
				e.started(samples(at))
			case 200*time.Millisecond + c.speech:
				if c.words != "" {
					e.words(c.words, samples(at))
				}
				e.stopped(samples(at))
			}
		})
		if got := end - 200*time.Millisecond - c.speech; got < c.want || got >= c.want+20*time.Millisecond {
			t.Errorf("%q, %v of speech: over after %v, not %v", c.words, c.speech, got, c.want)
		}
	}
}

// V7: the limit for noise that never ends: the recogniser takes a fan for speech,
// so the words decide, or where it has none till a pause, the loudness.
func TestNoiseNeverEnds(t *testing.T) {
	const said = 1500 * time.Millisecond // from 200 ms on
	speech := func(fan float64) func(time.Duration) float64 {
		return func(at time.Duration) float64 {
			if at > 200*time.Millisecond && at < 200*time.Millisecond+said {
				return 1
			}
			return fan
		}
	}
	fan := func(words string) func(*endpoint, time.Duration) {
		return func(e *endpoint, at time.Duration) {
			if at == 0 {
				e.started(0)
			}
			if at == 200*time.Millisecond+said && words != "" {
				e.words(words, samples(at))
			}
		}
	}
	for _, c := range []struct {
		name        string
		fan         float64
		words       string
		least, most time.Duration // after the last word
	}{
		{"a stop under a loud fan", 0.9, "stop", time.Second, time.Second},
		{"a question under a loud fan", 0.9, "番茄炒蛋怎么做", 2 * time.Second, 2 * time.Second},
		{"a question under a fan", 0.05, "番茄炒蛋怎么做", 1200 * time.Millisecond, 1900 * time.Millisecond},
		{"no words before a pause, a fan", 0.05, "", 2500 * time.Millisecond, 3200 * time.Millisecond},
		{"no words before a pause, a loud fan", 0.9, "", 18 * time.Second, 19 * time.Second},
	} {
		e := newEndpoint(Endpointing{}.withDefaults(), 8*time.Second, 0)
		end := endsAt(e, speech(c.fan), fan(c.words)) - 200*time.Millisecond - said
		if end < c.least || end > c.most {
			t.Errorf("%s: over after %v, not %v to %v", c.name, end, c.least, c.most)
		}
	}
}

// V7: who goes on talking is not cut off: words keep coming for 40 s, through the
// noise and with a pot falling in between; a television ends at the limit.
func TestTalkGoesOn(t *testing.T) {
	talk := func(length time.Duration) time.Duration {
		e := newEndpoint(Endpointing{}.withDefaults(), 8*time.Second, 0)
		text := ""
		return endsAt(e, func(at time.Duration) float64 {
			if at > 5*time.Second && at < 5*time.Second+200*time.Millisecond {
				return 1
			}
			return 0.15
		}, func(e *endpoint, at time.Duration) {
			if at == 0 {
				e.started(0)
			}
			if at < length && at%time.Second == 0 {
				text += "番茄"
				e.words(text, samples(at))
			}
		})
	}
	if end := talk(40 * time.Second); end < 40*time.Second || end > 42*time.Second {
		t.Errorf("40 s of talk ended at %v", end)
	}
	if end := talk(time.Hour); end != time.Minute {
		t.Errorf("a television ended at %v", end)
	}
}

// V7: whatever a recogniser says and a microphone gives, an utterance ends: not
// before the shortest silence, and at the latest at the limit.
func FuzzEndpoint(f *testing.F) {
	f.Add([]byte{1, 0, 9, 2, 40, 3}, false)
	f.Add([]byte{4, 4, 4, 1, 1, 2, 2, 200, 5, 250}, true)
	f.Add([]byte{7, 15, 23, 31, 39}, true)
	words := []string{"停", "然后", "打开做饭模式", "set a timer for five", "", "番茄"}
	f.Fuzz(func(t *testing.T, data []byte, complete bool) {
		rule := Endpointing{}.withDefaults()
		e := newEndpoint(rule, rule.NoSpeech, 0)
		e.complete = func(string) bool { return complete }
		now, last := 0, 0 // last sign of life
		for i := 0; now <= samples(rule.LongestTalk); i++ {
			if i < len(data) {
				switch b := data[i]; b % 4 {
				case 0:
					e.started(now - int(b))
					last = now
				case 1:
					e.stopped(now - int(b))
				case 2:
					e.words(words[int(b/4)%len(words)], now)
					last = now
				}
			}
			now += audio.SessionFrame
			loud := 0.0
			if i < len(data) {
				loud = float64(data[i]) / 255
			}
			e.hear([]int16{int16(30000 * loud)}, now)
			over := e.over(now)
			if over && e.spoke && now-last < samples(rule.Phrase)-300 && now < samples(rule.Longest) && !e.speaking && now-e.quiet < samples(rule.Phrase) {
				t.Fatalf("over %d samples after the last sign of life", now-last)
			}
			if over {
				return
			}
		}
		t.Fatal("it never ends")
	})
}

// V7: what may have been the earcon leaves the time to think, and no more than
// that; of whole sentences the recogniser is asked at once.
func TestEarconHeard(t *testing.T) {
	for _, c := range []struct {
		streams bool
		want    time.Duration
	}{{true, 8 * time.Second}, {false, 1300 * time.Millisecond}} {
		e := newEndpoint(Endpointing{}.withDefaults(), 8*time.Second, 0)
		e.own, e.streams = ownEarcon, c.streams
		end := endsAt(e, func(time.Duration) float64 { return 0 }, func(e *endpoint, at time.Duration) {
			switch at {
			case 300 * time.Millisecond:
				e.started(samples(at))
			case 600 * time.Millisecond:
				e.stopped(samples(at))
			}
		})
		if again := e.doubtful(samples(end)); end != c.want || again == c.streams || e.somebody(samples(end)) {
			t.Errorf("streams %t: over at %v, taken again: %t", c.streams, end, again)
		}
	}
}
