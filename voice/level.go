package voice

import "math"

// level follows how loud an utterance is, to tell a voice from the noise that
// goes on behind it. The zero value has heard nothing.
type level struct {
	smooth  float64 // mean square over the last 200 ms
	peak    float64 // dB: the loudest voice, fading
	set     bool
	loud    int  // samples that were near the peak
	lowFrom int  // where it became low
	isLow   bool // it is low now
}

// How a voice and the noise behind it are told apart: speech falls by less than
// lowBy between syllables when smoothed over 200 ms; the peak fades by 3 dB a
// second, so that a pot that fell is soon forgotten; a peak counts after half a
// second of something that loud.
const (
	lowBy      = 12.0
	fadeSecond = 3.0
	loudLeast  = 8000 // samples
)

// add takes a frame that ends at position now.
func (l *level) add(pcm []int16, now int) {
	if len(pcm) == 0 {
		return
	}
	sum := 0.0
	for _, s := range pcm {
		sum += float64(s) * float64(s)
	}
	share := min(1, float64(len(pcm))/3200) // of 200 ms
	if !l.set {
		l.set, l.smooth, share = true, 0, 1
	}
	l.smooth += share * (sum/float64(len(pcm)) - l.smooth)
	db := 10 * math.Log10(l.smooth+1)
	l.peak = max(db, l.peak-fadeSecond*float64(len(pcm))/16000)
	low := db < l.peak-lowBy
	if !low {
		l.loud += len(pcm)
	}
	if low && !l.isLow {
		l.lowFrom = now
	}
	l.isLow = low && l.loud >= loudLeast
}

// low is for how long, in samples, it has been much quieter than the voice.
func (l *level) low(now int) int {
	if !l.isLow {
		return 0
	}
	return now - l.lowFrom
}
