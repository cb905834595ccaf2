package audio_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"homebot/audio"
)

var (
	inRates  = []int{8000, 16000, 22050, 24000, 44100, 48000}
	outRates = []int{audio.CaptureRate, audio.PlaybackRate}
)

func sine(hertz, level float64, rate, n int) []int16 {
	pcm := make([]int16, n)
	for i := range pcm {
		pcm[i] = int16(math.Round(level * math.MaxInt16 * math.Sin(2*math.Pi*hertz*float64(i)/float64(rate))))
	}
	return pcm
}

// snr is the ratio, in dB, of the sine of this frequency that fits pcm best to
// all that is left when it is taken away.
func snr(pcm []int16, hertz float64, rate int) float64 {
	var ss, cc, sc, ys, yc, yy float64
	for i, v := range pcm {
		s, c := math.Sincos(2 * math.Pi * hertz * float64(i) / float64(rate))
		y := float64(v)
		ss, cc, sc, ys, yc, yy = ss+s*s, cc+c*c, sc+s*c, ys+y*s, yc+y*c, yy+y*y
	}
	det := ss*cc - sc*sc
	a, b := (ys*cc-yc*sc)/det, (yc*ss-ys*sc)/det
	signal := a*a*ss + b*b*cc + 2*a*b*sc
	return 10 * math.Log10(signal/max(yy-signal, 1e-9))
}

// A sine anywhere in the pass band (to 0.8 of the lower Nyquist frequency)
// comes out as the same sine, noise and images at least 60 dB below it.
func TestResamplerSNR(t *testing.T) {
	for _, in := range inRates {
		for _, out := range outRates {
			for _, part := range []float64{0.02, 0.1, 0.33, 0.57, 0.8} {
				hertz := part * float64(min(in, out)) / 2
				got, err := audio.Resample(sine(hertz, 0.5, in, in/2), in, out)
				if err != nil {
					t.Fatal(err)
				}
				mid := got[len(got)/8 : len(got)*7/8]
				if db := snr(mid, hertz, out); db < 60 {
					t.Errorf("%d to %d Hz: SNR %.1f dB at %.0f Hz, want 60", in, out, db, hertz)
				}
				if level := rms(mid) / (0.5 * math.MaxInt16 / math.Sqrt2); math.Abs(level-1) > 0.01 {
					t.Errorf("%d to %d Hz: gain %.3f at %.0f Hz", in, out, level, hertz)
				}
			}
		}
	}
}

// What does not fit below the new Nyquist frequency is gone, not folded down.
func TestResamplerAliases(t *testing.T) {
	for _, in := range []int{24000, 44100, 48000} {
		hertz := 1.05 * audio.CaptureRate / 2
		got, err := audio.Resample(sine(hertz, 0.5, in, in/2), in, audio.CaptureRate)
		if err != nil {
			t.Fatal(err)
		}
		mid := got[len(got)/8 : len(got)*7/8]
		if db := 20 * math.Log10(max(rms(mid), 0.01)/(0.5*math.MaxInt16/math.Sqrt2)); db > -60 {
			t.Errorf("%d Hz: %.0f Hz comes through at %.1f dB", in, hertz, db)
		}
	}
}

func rms(pcm []int16) float64 {
	sum := 0.0
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(len(pcm)))
}

// However the stream is cut, the output is the same, aligned with the input and
// of the right length.
func TestResamplerStreams(t *testing.T) {
	for _, in := range inRates {
		for _, out := range outRates {
			pcm := sine(300, 0.3, in, 5000)
			whole, err := audio.Resample(pcm, in, out)
			if err != nil {
				t.Fatal(err)
			}
			if want := (len(pcm)*out + in - 1) / in; len(whole) != want {
				t.Errorf("%d to %d: %d samples, want %d", in, out, len(whole), want)
			}
			r, _ := audio.NewResampler(in, out)
			for range 2 { // the second time after a Flush
				var got []int16
				for c := range slices.Chunk(pcm, 37) {
					got = r.Process(got, c)
				}
				if got = r.Flush(got); !slices.Equal(got, whole) {
					t.Errorf("%d to %d: in pieces it gives something else", in, out)
				}
			}
		}
	}
}

// An impulse stays where it is.
func TestResamplerAligned(t *testing.T) {
	for _, in := range inRates {
		for _, out := range outRates {
			pcm := make([]int16, in/20)
			pcm[in/40] = 20000
			got, err := audio.Resample(pcm, in, out)
			if err != nil {
				t.Fatal(err)
			}
			want := float64(in/40) * float64(out) / float64(in)
			if at := slices.Index(got, slices.Max(got)); math.Abs(float64(at)-want) > 1 {
				t.Errorf("%d to %d: the impulse is at %d, want %.1f", in, out, at, want)
			}
		}
	}
}

func TestResamplerRefuses(t *testing.T) {
	for _, r := range [][2]int{{0, 16000}, {16000, 0}, {16000, -1}, {15999, 16000}, {1 << 30, 16000}} {
		if _, err := audio.NewResampler(r[0], r[1]); err == nil {
			t.Errorf("%d to %d Hz is taken", r[0], r[1])
		}
	}
}

func BenchmarkResampler(b *testing.B) {
	for _, c := range [][2]int{{48000, 16000}, {44100, 16000}, {22050, 24000}, {16000, 24000}} {
		b.Run(fmt.Sprintf("%d-%d", c[0], c[1]), func(b *testing.B) {
			r, err := audio.NewResampler(c[0], c[1])
			if err != nil {
				b.Fatal(err)
			}
			frame := sine(440, 0.5, c[0], c[0]/50)
			var out []int16
			n := 0
			for b.Loop() {
				out = r.Process(out[:0], frame)
				n++
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n)*50/1e4, "%core")
		})
	}
}
