package audio

import (
	"math"
	"slices"
	"sync"
)

// The earcons. Rising means "I am with you", falling "done"; mode-on and
// mode-off are the same three notes up and down.
const (
	EarconWake    = "wake"     // the wake word was heard
	EarconDone    = "done"     // the end of an utterance was heard
	EarconError   = "error"    // something went wrong; with no voice, the only sign
	EarconModeOn  = "mode-on"  // a run mode was entered
	EarconModeOff = "mode-off" // a run mode was left
	EarconRing    = "ring"     // one bell of a timer or alarm
)

// note is one sine of an earcon.
type note struct {
	hertz float64
	start int // milliseconds from the beginning
	ms    int
}

// earconNotes lists them; none is longer than 250 ms. The pitches are of the
// C major scale (C5 523 Hz … C6 1047 Hz) but for the error's two low ones.
func earconNotes(name string) []note {
	switch name {
	case EarconWake:
		return []note{{659.26, 0, 110}, {987.77, 70, 140}}
	case EarconDone:
		return []note{{783.99, 0, 130}}
	case EarconError:
		return []note{{311.13, 0, 120}, {233.08, 110, 140}}
	case EarconModeOn:
		return []note{{523.25, 0, 100}, {659.26, 60, 100}, {783.99, 120, 130}}
	case EarconModeOff:
		return []note{{783.99, 0, 100}, {659.26, 60, 100}, {523.25, 120, 130}}
	case EarconRing:
		return []note{{1046.5, 0, 120}, {1318.51, 90, 160}}
	}
	return nil
}

// earcons makes all of them when the first is asked for.
var earcons = sync.OnceValue(func() map[string][]int16 {
	clips := map[string][]int16{}
	for _, name := range []string{EarconWake, EarconDone, EarconError, EarconModeOn, EarconModeOff, EarconRing} {
		clips[name] = synthesise(earconNotes(name))
	}
	return clips
})

// Earcon returns the named earcon at 24 kHz, synthesised when first asked for;
// nil for an unknown name. The caller owns the copy. Any goroutine.
func Earcon(name string) []int16 { return slices.Clone(earcons()[name]) }

// synthesise mixes the notes: a sine with a little of its octave, so that a
// small loudspeaker still carries it, under an envelope that begins and ends
// at nothing (no clicks).
func synthesise(notes []note) []int16 {
	const level = 0.22 * math.MaxInt16 // two notes overlap; stays far from clipping
	end := 0
	for _, n := range notes {
		end = max(end, n.start+n.ms)
	}
	mix := make([]float64, end*PlaybackRate/1000)
	for _, n := range notes {
		at, length := n.start*PlaybackRate/1000, n.ms*PlaybackRate/1000
		for i := range length {
			w := 2 * math.Pi * n.hertz * float64(i) / PlaybackRate
			mix[at+i] += level * envelope(i, length) * (math.Sin(w) + 0.2*math.Sin(2*w))
		}
	}
	out := make([]int16, len(mix))
	for i, v := range mix {
		out[i] = int16(math.Round(v))
	}
	return out
}

// envelope is a raised-cosine attack of 8 ms, an exponential decay and a
// raised-cosine end of 30 ms.
func envelope(i, length int) float64 {
	const attack, release = PlaybackRate * 8 / 1000, PlaybackRate * 30 / 1000
	v := math.Exp(-2.2 * float64(i) / float64(length))
	if i < attack {
		v *= raised(float64(i) / attack)
	}
	if left := length - 1 - i; left < release {
		v *= raised(float64(left) / release)
	}
	return v
}

func raised(x float64) float64 { return 0.5 - 0.5*math.Cos(math.Pi*x) }
