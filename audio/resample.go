package audio

import (
	"math"

	"homebot/internal/phrases"
)

// Resampler changes the rate of a mono stream: a polyphase windowed-sinc
// filter, small enough to be used wherever a file, a voice or a device has
// another rate than the rest of the house.
//
// It keeps the state of one stream and has one owner. The output is aligned
// with the input (the filter's delay is taken off at the start) and, once
// flushed, ceil(n·out/in) samples long.
type Resampler struct {
	up, down int       // out/in as a reduced fraction
	half     int       // taps on each side of the centre
	table    []float32 // up phases of 2·half taps
	hist     []float32 // input still needed, hist[0] is at position base
	base     int64     // input position of hist[0]
	read     int64     // input samples taken
	made     int64     // output samples given
}

const (
	// zeroCrossings on each side of the sinc and the shape of its Kaiser
	// window: by Kaiser's formulas 80 dB of stop band and a transition from
	// 0.84 to 1.00 of the lower Nyquist frequency around passEdge.
	zeroCrossings = 32
	kaiserBeta    = 8.0
	passEdge      = 0.92
	maxPhases     = 1024 // enough for 22.05 kHz to 16 kHz (320); bounds the table
)

// NewResampler returns a resampler from rate in to rate out, in hertz. It
// takes every pair whose reduced ratio stays small: 8, 11.025, 16, 22.05, 24,
// 32, 44.1, 48, 96 kHz to 16 or 24 kHz among them.
func NewResampler(in, out int) (*Resampler, error) {
	if in < 1000 || in > 384000 || out < 1000 || out > 384000 {
		return nil, phrases.Errorf(phrases.ResampleRange, in, out)
	}
	g := gcd(in, out)
	r := &Resampler{up: out / g, down: in / g}
	if r.up > maxPhases {
		return nil, phrases.Errorf(phrases.ResampleUnusual, in, out)
	}
	r.build()
	r.Reset()
	return r, nil
}

// build computes the table: one windowed sinc for each phase, each scaled to
// unit gain at 0 Hz.
func (r *Resampler) build() {
	if r.up == r.down {
		return
	}
	cut := passEdge * math.Min(1, float64(r.up)/float64(r.down))
	r.half = int(math.Ceil(zeroCrossings / math.Min(1, float64(r.up)/float64(r.down))))
	r.table = make([]float32, r.up*2*r.half)
	row := make([]float64, 2*r.half)
	for p := range r.up {
		sum := 0.0
		for k := range row {
			x := float64(k-r.half+1) - float64(p)/float64(r.up)
			row[k] = cut * sinc(cut*x) * kaiser(x/float64(r.half))
			sum += row[k]
		}
		for k, v := range row {
			r.table[p*2*r.half+k] = float32(v / sum)
		}
	}
}

// Reset begins a new stream.
func (r *Resampler) Reset() {
	r.hist = append(r.hist[:0], make([]float32, max(r.half-1, 0))...)
	r.base, r.read, r.made = -int64(len(r.hist)), 0, 0
}

// Process appends to dst what src gives at the new rate and returns it. src is
// not kept.
func (r *Resampler) Process(dst, src []int16) []int16 {
	r.read += int64(len(src))
	if r.up == r.down {
		r.made = r.read
		return append(dst, src...)
	}
	for _, v := range src {
		r.hist = append(r.hist, float32(v))
	}
	return r.emit(dst, math.MaxInt64)
}

// Flush appends the end of the stream, which the filter still held back, and
// resets.
func (r *Resampler) Flush(dst []int16) []int16 {
	if r.up != r.down {
		want := (r.read*int64(r.up) + int64(r.down) - 1) / int64(r.down)
		r.hist = append(r.hist, make([]float32, 2*r.half)...)
		dst = r.emit(dst, want)
	}
	r.Reset()
	return dst
}

// emit makes output while its input is there and fewer than limit samples were
// made.
func (r *Resampler) emit(dst []int16, limit int64) []int16 {
	n := 2 * r.half
	for r.made < limit {
		pos := r.made * int64(r.down)
		first := pos/int64(r.up) - int64(r.half-1) - r.base
		if first+int64(n) > int64(len(r.hist)) {
			break
		}
		phase := int(pos % int64(r.up))
		dst = append(dst, clip16(dot(r.table[phase*n:phase*n+n], r.hist[first:first+int64(n)])))
		r.made++
	}
	r.forget()
	return dst
}

// forget drops the input no later output needs.
func (r *Resampler) forget() {
	first := r.made*int64(r.down)/int64(r.up) - int64(r.half-1) - r.base
	first = min(first, int64(len(r.hist)))
	if first <= 0 {
		return
	}
	r.hist = r.hist[:copy(r.hist, r.hist[first:])]
	r.base += first
}

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for i := 0; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for i := len(a) &^ 3; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

func clip16(v float32) int16 {
	return int16(math.Round(float64(min(max(v, math.MinInt16), math.MaxInt16))))
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// kaiser is the Kaiser window at x in -1..1.
func kaiser(x float64) float64 {
	if x < -1 || x > 1 {
		return 0
	}
	return bessel0(kaiserBeta*math.Sqrt(1-x*x)) / bessel0(kaiserBeta)
}

// bessel0 is the modified Bessel function of order 0, by its series.
func bessel0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-12; k++ {
		term *= (x / (2 * k)) * (x / (2 * k))
		sum += term
	}
	return sum
}

// Resample returns all of pcm at another rate: a Resampler for one clip.
func Resample(pcm []int16, in, out int) ([]int16, error) {
	r, err := NewResampler(in, out)
	if err != nil {
		return nil, err
	}
	dst := make([]int16, 0, int(int64(len(pcm))*int64(out)/int64(in))+1)
	return r.Flush(r.Process(dst, pcm)), nil
}
