package echo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
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
	room []float64            // impulse response at 16 kHz, the way of the sound included
	ppm  float64              // how much faster the microphone's clock is
	late func() time.Duration // how late this program reads

	played  []float64 // 16 kHz, everything the loudspeaker gave
	heard   float64   // position of the microphone in played
	queue   []int16   // 24 kHz, not yet played
	near    []int16   // 16 kHz, what somebody says
	running bool
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
		v := 3 * rand.NormFloat64()
		for d, g := range k.room {
			if g != 0 && at-d >= 0 && at-d < len(k.played) {
				v += k.gain * g * k.played[at-d]
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
	return raw, out
}

// direct is a room without walls.
func direct(delay time.Duration) []float64 {
	r := make([]float64, int(delay.Seconds()*audio.CaptureRate)+1)
	r[len(r)-1] = 1
	return r
}

// walls is a room that answers for 150 ms.
func walls(delay time.Duration) []float64 {
	r := direct(delay)
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range audio.CaptureRate * 150 / 1000 {
		v := 0.0
		if rnd.IntN(40) == 0 {
			v = 0.5 * rnd.NormFloat64() * math.Exp(-float64(i)/(0.03*audio.CaptureRate))
		}
		r = append(r, v)
	}
	return r
}

func shared(t testing.TB, name string, rate int) []int16 {
	pcm, _, err := wav.ReadFile(filepath.Join("../../../shared/audio", name+".wav"), rate)
	if os.IsNotExist(err) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return pcm
}

func db(x float64) float64 { return 10 * math.Log10(x+1e-9) }

func TestExperiment(t *testing.T) {
	far := shared(t, "jfk", 24000)
	for _, room := range []string{"direct", "walls"} {
		for _, ppm := range []float64{0, 50, 200} {
			synctest.Test(t, func(t *testing.T) {
				c, err := New(nil)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				k := &kitchen{c: c, gain: 1, room: direct(85 * time.Millisecond), ppm: ppm}
				if room == "walls" {
					k.room = walls(85 * time.Millisecond)
				}
				for range 100 {
					k.step()
				}
				for run := range 3 {
					k.queue = append([]int16{}, far...)
					line := ""
					for len(k.queue) > 0 {
						var a, b float64
						for range 50 {
							r, o := k.step()
							a += energy(r[:])
							b += energy(o[:])
						}
						line += fmt.Sprintf(" %5.1f", db(a)-db(b))
					}
					fmt.Println(room, ppm, run, line, c.delay, c.locked)
					for range 100 {
						k.step()
					}
				}
			})
		}
	}
	_ = audiotest.Level
}
