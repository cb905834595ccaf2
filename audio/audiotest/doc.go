// Package audiotest has a microphone and a loudspeaker that are not there, for
// tests of what uses them, and the conformance tests TestSource and TestSink
// that the fakes and the real ones pass.
//
// The fakes pace themselves with package time, so in a testing/synctest bubble
// an hour of audio takes no time. SoundServer is the other way to test: real
// PortAudio and a virtual sound card.
package audiotest

import (
	"errors"
	"math"
	"os"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/virtual"
)

// SoundServer starts a virtual sound card for the test and ends it with it. It
// skips the test where PulseAudio is not installed.
func SoundServer(t testing.TB) *virtual.Card {
	t.Helper()
	dir, err := os.MkdirTemp("", "homebot-sound") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	card, err := virtual.Start(t.Context(), dir)
	if errors.Is(err, virtual.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { card.Close() })
	return card
}

// Record returns the next d of what card's loudspeaker plays, 24 kHz.
func Record(t testing.TB, card *virtual.Card, d time.Duration) []int16 {
	t.Helper()
	r, err := card.Loudspeaker(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	pcm := make([]int16, d*audio.PlaybackRate/time.Second)
	if n, err := audio.ReadPCM(r, pcm); err != nil {
		t.Fatalf("the recorder ended after %d samples: %v", n, err)
	}
	return pcm
}

// Tone is d of a sine at rate, at a tenth of full scale.
func Tone(hertz float64, d time.Duration, rate int) []int16 {
	pcm := make([]int16, int(d.Seconds()*float64(rate)))
	for i := range pcm {
		pcm[i] = int16(0.1 * math.MaxInt16 * math.Sin(2*math.Pi*hertz*float64(i)/float64(rate)))
	}
	return pcm
}

// Babble is d of low noise in bursts, like syllables: unlike a tone, it matches
// itself at one place only. The same seed gives the same samples.
func Babble(seed uint64, d time.Duration, rate int) []int16 {
	pcm := make([]int16, int(d.Seconds()*float64(rate)))
	x, mid, low := seed*2862933555777941757+3037000493, 0.0, 0.0
	for i := range pcm {
		x = x*6364136223846793005 + 1442695040888963407
		mid += 0.2 * (float64(int32(x>>32))/math.MaxInt32 - mid)
		low += 0.2 * (mid - low)
		syllable := 0.5 - 0.5*math.Cos(2*math.Pi*4*float64(i)/float64(rate))
		pcm[i] = int16(24000 * syllable * low)
	}
	return pcm
}

// Match finds ref in heard: the position where the correlation, normalised to
// -1..1, is highest, and that value. Noise gives about 0, a true copy 1.
func Match(ref, heard []int16) (at int, rho float64) {
	at, best := 0, -1.0
	n := min(len(ref), 4000) // enough to find the place
	for k := 0; k+n <= len(heard); k++ {
		if c := correlate(ref[:n], heard[k:k+n], 5); c > best {
			at, best = k, c
		}
	}
	for k := max(at-5, 0); k <= at+5 && k+n <= len(heard); k++ {
		if c := correlate(ref[:n], heard[k:k+n], 1); c > rho {
			at, rho = k, c
		}
	}
	n = min(len(ref), len(heard)-at)
	return at, correlate(ref[:n], heard[at:at+n], 1)
}

func correlate(a, b []int16, step int) float64 {
	var ab, aa, bb float64
	for i := 0; i < len(a); i += step {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// Level is the root mean square of pcm on the scale of int16.
func Level(pcm []int16) float64 {
	sum := 0.0
	for _, s := range pcm {
		sum += float64(s) * float64(s)
	}
	return math.Sqrt(sum / float64(max(len(pcm), 1)))
}
