package echo

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"

	"homebot/audio"
)

const (
	// measured is how much sound one measurement looks at: a second of speech
	// holds enough of it to stand out from a second of somebody else's.
	measured = 16384
	// earliest and latest bound where an echo is looked for, in samples around
	// where it was expected.
	earliest, latest = -audio.CaptureRate * 120 / 1000, audio.CaptureRate * 380 / 1000
	// lowest and highest bound the band that is compared, in hertz: below is
	// hum, above small loudspeakers and voices have little.
	lowest, highest = 200, 6000
	// certain is by how much the echo's peak must stand above the root mean
	// square of all lags. Of unrelated speech it was 4 to 6 (the largest of 8000
	// normal values), once 8.7 of a short piece; of an echo 6 dB below somebody's
	// voice 40 to 65, of a short piece 16 to 47 (TestDelay).
	certain = 10.0
	// likely is the same where the place is known to about so many samples: the
	// clocks were seen to be wrong by 30 ms through a sound server.
	likely, about = 7.0, audio.CaptureRate * 70 / 1000
)

const (
	// single is by how much the highest peak must stand above every other that is
	// not next to it. Earcons in noise, and pieces without overlap, have several:
	// 1.02 to 1.13. Of 0.3 s of speech it was 3.5 and more with one wall.
	single = 1.15
	apart  = 16
)

// edge is how long a stretch is faded in and out before it is compared.
const edge = audio.CaptureRate * 30 / 1000

// delayMeter finds how far one sound lies behind another: generalised cross
// correlation with phase transform (Knapp and Carter, 1976), whose peak is one
// sample wide also for speech. It has one owner.
type delayMeter struct {
	fft  *fourier.FFT
	in   []float64
	ref  []complex128
	mic  []complex128
	wave []float64
}

func newDelayMeter() *delayMeter {
	const n = 2 * measured
	return &delayMeter{
		fft: fourier.NewFFT(n), in: make([]float64, n), wave: make([]float64, n),
		ref: make([]complex128, n/2+1), mic: make([]complex128, n/2+1),
	}
}

// measure returns how many samples after ref the same sound is in mic, looked
// for at from to to, and how sure that is (see certain); 0 when there are two
// such places.
func (d *delayMeter) measure(ref, mic []int16, from, to int) (lag int, sure float64) {
	d.transform(d.ref, ref)
	d.transform(d.mic, mic)
	const hertz = float64(audio.CaptureRate) / (2 * measured)
	for i := range d.ref {
		c := d.mic[i] * cmplx.Conj(d.ref[i])
		f := float64(i) * hertz
		if a := cmplx.Abs(c); a > 0 && f > lowest && f < highest {
			d.ref[i] = c / complex(a, 0)
		} else {
			d.ref[i] = 0
		}
	}
	d.fft.Sequence(d.wave, d.ref)
	best, sum := 0.0, 0.0
	for k := earliest; k < latest; k++ {
		v := d.wave[(k+2*measured)%(2*measured)]
		sum += v * v
		if v = math.Abs(v); v > best && k >= from && k < to {
			best, lag = v, k
		}
	}
	if sum == 0 || d.rival(lag, from, to) > best/single {
		return 0, 0
	}
	return lag, best / math.Sqrt(sum/(latest-earliest))
}

// rival is the second highest peak, beside that at lag.
func (d *delayMeter) rival(lag, from, to int) (second float64) {
	for k := from; k < to; k++ {
		if k < lag-apart || k > lag+apart {
			second = max(second, math.Abs(d.wave[(k+2*measured)%(2*measured)]))
		}
	}
	return second
}

func (d *delayMeter) transform(dst []complex128, pcm []int16) {
	clear(d.in)
	for i, v := range pcm {
		d.in[i] = float64(v)
	}
	for i := range min(edge, len(pcm)/2) { // or both would begin and end with a click
		w := 0.5 - 0.5*math.Cos(math.Pi*float64(i)/edge)
		d.in[i] *= w
		d.in[len(pcm)-1-i] *= w
	}
	d.fft.Coefficients(dst, d.in)
}
