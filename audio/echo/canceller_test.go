package echo

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/audio/wav"
)

// kitchen is a loudspeaker and a microphone in one room, in a synctest bubble:
// step by step of 20 ms the card takes what is played and gives what is heard.
type kitchen struct {
	c    *Canceller
	gain float64
	room []reflection
	ppm  float64              // how much faster the microphone's clock is
	hiss *rand.Rand           // of the microphone: the same in each run
	late func() time.Duration // how late this program reads

	played  []float64 // 16 kHz, everything the loudspeaker gave
	heard   float64   // position of the microphone in played
	queue   []int16   // 24 kHz, not yet played
	near    []int16   // 16 kHz, what somebody says
	running bool
	speaks  bool
	each    func() // after each step; may be nil
}

// step plays and captures 20 ms. It returns what the microphone got and what is
// left of it.
func (k *kitchen) step() (raw, out [blockSize]int16) {
	time.Sleep(20 * time.Millisecond)
	var frame [playedBlock]int16
	n := copy(frame[:], k.queue)
	k.queue = k.queue[n:]
	if n > 0 {
		begun := time.Time{}
		if !k.running {
			begun, k.running = time.Now(), true
		}
		k.c.Sent(frame[:])
		k.c.Taken(playedBlock, 0, begun)
	} else {
		k.running = false
	}
	thin, _ := audio.Resample(frame[:], audio.PlaybackRate, audio.CaptureRate)
	for _, v := range thin {
		k.played = append(k.played, float64(v))
	}
	for i := range raw {
		at := int(k.heard)
		k.heard += 1 - k.ppm*1e-6
		v := 3 * k.hiss.NormFloat64()
		for _, w := range k.room {
			if n := at - w.delay; n >= 0 && n < len(k.played) {
				v += k.gain * w.gain * k.played[n]
			}
		}
		if i < len(k.near) {
			v += float64(k.near[i])
		}
		raw[i] = int16(min(max(v, math.MinInt16), math.MaxInt16))
	}
	k.near = k.near[min(blockSize, len(k.near)):]
	out = raw
	late := time.Duration(0)
	if k.late != nil {
		late = k.late()
	}
	k.c.Process(&out, time.Now().Add(late))
	if k.each != nil {
		k.each()
	}
	return raw, out
}

// reflection is one way of the sound.
type reflection struct {
	delay int // samples at 16 kHz
	gain  float64
}

// direct is a room without walls.
func direct(delay time.Duration) []reflection {
	return []reflection{{int(delay.Seconds() * audio.CaptureRate), 1}}
}

// walls is a room that answers for 150 ms.
func walls(delay time.Duration) []reflection {
	r := direct(delay)
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range audio.CaptureRate * 150 / 1000 {
		if rnd.IntN(40) == 0 {
			gain := 0.5 * rnd.NormFloat64() * math.Exp(-float64(i)/(0.03*audio.CaptureRate))
			r = append(r, reflection{r[0].delay + i, gain})
		}
	}
	return r
}

func shared(t testing.TB, name string, rate int) []int16 {
	root := os.Getenv("HOMEBOT_SHARED")
	if root == "" {
		root = "../../../shared"
	}
	pcm, _, err := wav.ReadFile(filepath.Join(root, "audio", name+".wav"), rate)
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("no recordings here (set HOMEBOT_SHARED): %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return pcm
}

func db(x float64) float64 { return 10 * math.Log10(x+1e-9) }

// say plays speech and returns by how much the echo of each second was reduced,
// in dB.
func (k *kitchen) say(speech []int16) (removed []float64) {
	k.queue = append(k.queue, speech...)
	for len(k.queue) > 0 {
		var before, after float64
		for range time.Second / blockTime {
			raw, out := k.step()
			before += energy(raw[:])
			after += energy(out[:])
		}
		removed = append(removed, db(before)-db(after))
	}
	return removed
}

// rest lets time pass in silence.
func (k *kitchen) rest(d time.Duration) {
	for range d / blockTime {
		k.step()
	}
}

// inKitchen runs a test in a bubble.
func inKitchen(t *testing.T, k *kitchen, f func(*testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New(func() bool { return k.speaks }, nil)
		if err != nil {
			t.Skip(err)
		}
		defer c.Close()
		k.c, k.hiss = c, rand.New(rand.NewPCG(1, 2))
		if k.gain == 0 {
			k.gain = 1
		}
		k.rest(2 * time.Second)
		f(t)
	})
}

func least(all []float64) float64 { return slices.Min(all) }

// V7: the device's own voice, as loud in the microphone as somebody who speaks,
// is taken out: from the first reply's second second on, and at once in the next
// ones, also when reads come late.
func TestOwnVoiceIsTakenOut(t *testing.T) {
	speech := shared(t, "jfk", audio.PlaybackRate)
	busy := rand.New(rand.NewPCG(5, 6))
	for name, tt := range map[string]struct {
		k           kitchen
		first, then float64 // dB at least, in a second
	}{
		"direct":       {kitchen{room: direct(85 * time.Millisecond)}, 12, 30},
		"walls":        {kitchen{room: walls(85 * time.Millisecond)}, 4, 15},
		"far away":     {kitchen{room: direct(300 * time.Millisecond), gain: 0.3}, 12, 30},
		"busy machine": {kitchen{room: direct(85 * time.Millisecond), late: func() time.Duration { return time.Duration(busy.IntN(80)) * time.Millisecond }}, 12, 30},
		"two clocks":   {kitchen{room: direct(85 * time.Millisecond), ppm: 50}, 6, 10},
	} {
		t.Run(name, func(t *testing.T) {
			inKitchen(t, &tt.k, func(t *testing.T) {
				for run := range 2 {
					removed := tt.k.say(speech)
					t.Logf("run %d: %.1f dB", run, removed)
					want, from := tt.then, 0
					if run == 0 {
						want, from = tt.first, 1
					}
					if got := least(removed[from:]); got < want {
						t.Errorf("run %d: a second with %.1f dB", run, got)
					}
					if !tt.k.c.Works() {
						t.Errorf("run %d: it does not say that it works", run)
					}
					tt.k.rest(2 * time.Second)
				}
			})
		})
	}
}

// A hole in what the card plays (it ran dry on a busy machine) moves the echo; it
// is found again within a second and a half. Until then nobody is told that what is
// heard is a person's.
func TestHole(t *testing.T) {
	speech := shared(t, "jfk", audio.PlaybackRate)
	k := &kitchen{room: walls(85 * time.Millisecond)}
	inKitchen(t, k, func(t *testing.T) {
		k.say(speech)
		k.rest(2 * time.Second)
		k.queue = append(k.queue, speech...)
		k.rest(3 * time.Second)
		k.played = append(k.played, make([]float64, 850)...)
		if !k.c.Works() {
			t.Error("it does not work before the hole")
		}
		doubted := 0
		k.each = func() {
			if !k.c.Works() {
				doubted++
			}
		}
		removed := k.say(nil)
		t.Logf("after the hole: %.1f dB; it did not vouch for %d blocks", removed, doubted)
		if doubted < settle-1 || doubted > settle || !k.c.Works() {
			t.Errorf("it did not vouch for %d blocks, want %d", doubted, settle)
		}
		if got := least(removed[2:]); got < 10 {
			t.Errorf("a second with %.1f dB", got)
		}
	})
}

// V6: who speaks over the device is still heard: what is left resembles him
// more than what the microphone got.
func TestVoiceOverVoice(t *testing.T) {
	far, near := shared(t, "jfk", audio.PlaybackRate), shared(t, "hey_jane_negative", audio.CaptureRate)
	k := &kitchen{room: walls(85 * time.Millisecond)}
	inKitchen(t, k, func(t *testing.T) {
		k.say(far)
		k.rest(2 * time.Second)
		k.queue = append(k.queue, far...)
		k.rest(4 * time.Second)
		k.near = near
		var raw, out []int16
		for range len(near)/blockSize + 2 {
			a, b := k.step()
			raw, out = append(raw, a[:]...), append(out, b[:]...)
		}
		_, before := audiotest.Match(near, raw)
		_, after := audiotest.Match(near, out)
		t.Logf("correlation with the voice: %.3f in the microphone, %.3f after", before, after)
		if after < before+0.3 || after < 0.7 {
			t.Errorf("correlation with the voice %.3f, was %.3f", after, before)
		}
	})
}

// A microphone that hears nothing of the device (headphones), and one while the
// device is silent, pass untouched.
func TestNoEchoUntouched(t *testing.T) {
	far, near := shared(t, "jfk", audio.PlaybackRate), shared(t, "hey_jane_negative", audio.CaptureRate)
	k := &kitchen{room: nil}
	inKitchen(t, k, func(t *testing.T) {
		for _, queue := range [][]int16{nil, far} {
			k.queue, k.near = append(k.queue, queue...), near
			for range len(near) / blockSize {
				if raw, out := k.step(); raw != out {
					t.Fatalf("a block was changed: %+v", k.c.State())
				}
			}
		}
		if k.c.State().Found || k.c.Works() {
			t.Error("an echo was found")
		}
	})
}

// A barge-in ends the reference: what was queued and did not sound is not
// subtracted from what is said next.
func TestCut(t *testing.T) {
	far, near := shared(t, "jfk", audio.PlaybackRate), shared(t, "hey_jane_negative", audio.CaptureRate)
	k := &kitchen{room: direct(85 * time.Millisecond)}
	inKitchen(t, k, func(t *testing.T) {
		k.queue = append(k.queue, far...)
		k.rest(5 * time.Second)
		k.c.Sent(k.queue[:5*playedBlock]) // on its way to the card
		k.c.Cut()
		k.queue, k.running = nil, false
		k.rest(200 * time.Millisecond)
		near = near[:audio.CaptureRate*7/10] // later it may lie 20 ms earlier
		k.near = near
		var out []int16
		for range len(near)/blockSize + 1 {
			_, b := k.step()
			out = append(out, b[:]...)
		}
		// The library's filter against hum turns the phase of what is low.
		_, rho := audiotest.Match(near, out)
		if change := db(energy(out)) - db(energy(near)); rho < 0.85 || math.Abs(change) > 1 {
			t.Errorf("after the cut the voice is damaged: correlation %.3f, %.1f dB", rho, change)
		}
	})
}
