package sherpa

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"homebot/internal/speech"
	"homebot/internal/speech/models/modelstest"
)

// sharedDir is the folder of shared material beside the project, or the test is
// skipped.
func sharedDir(tb testing.TB) string {
	tb.Helper()
	if dir := os.Getenv("HOMEBOT_SHARED"); dir != "" {
		return dir
	}
	for dir, _ := os.Getwd(); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if shared := filepath.Join(filepath.Dir(dir), "shared"); isDir(shared) && isFile(filepath.Join(dir, "go.mod")) {
			return shared
		}
	}
	tb.Skip("no shared folder beside the project: set HOMEBOT_SHARED")
	return ""
}

func isDir(p string) bool  { i, err := os.Stat(p); return err == nil && i.IsDir() }
func isFile(p string) bool { i, err := os.Stat(p); return err == nil && !i.IsDir() }

func recording(tb testing.TB, name string) []int16 {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join(sharedDir(tb), "audio", name))
	i := bytes.Index(b, []byte("data")) + 8
	if err != nil || i < 44 || binary.LittleEndian.Uint32(b[24:]) != rate {
		tb.Skipf("the recording %s is not there", name)
	}
	var pcm []int16
	for b = b[i:]; len(b) >= 2; b = b[2:] {
		pcm = append(pcm, int16(binary.LittleEndian.Uint16(b)))
	}
	return pcm
}

// realDetector is the Silero model in the real library, or a skip.
func realDetector(tb testing.TB) detector {
	tb.Helper()
	if Version() == "" {
		tb.Skip(ErrNotBuilt)
	}
	d, err := library.detector(modelstest.VAD(tb))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(d.close)
	return d
}

// spans are the spans of speech in heard, in seconds, and the beginnings told.
func spans(heard []speech.Heard) (closed [][2]float64, begun int) {
	for _, h := range heard {
		switch h.Kind {
		case speech.SpeechStarted:
			begun++
		case speech.SpeechStopped:
			closed = append(closed, [2]float64{float64(h.Start) / rate, float64(h.End) / rate})
		}
	}
	return closed, begun
}

// where are speech and silence in the recordings, in seconds: spans that at least
// two versions of the model find, nobody having listened. This one must agree
// within tolerance.
var where = map[string][][2]float64{
	"alexa.wav":             {{0.05, 0.60}},
	"hey_jane_negative.wav": {{0.05, 0.85}, {1.15, 2.05}},
	"jfk.wav":               {{0.32, 2.30}, {3.30, 4.45}, {5.40, 7.65}, {8.20, 10.60}},
	"negative_zh_1.wav":     {{0.52, 2.85}, {6.60, 7.00}, {8.10, 9.03}, {9.70, 10.20}},
	"nihaowenwen_1.wav":     {{0.28, 1.40}},
}

const tolerance = 0.2

// V1: the real model finds speech where it is in real recordings, and counts its
// samples.
func TestVADOnRecordings(t *testing.T) {
	d := realDetector(t)
	a := newActivity(d)
	for name, want := range where {
		pcm := recording(t, name)
		heard := a.begin(0, 0, nil)
		for c := range slices.Chunk(slices.Concat(pcm, make([]int16, rate)), rate/50) {
			heard = append(heard, a.accept(c)...)
		}
		got, begun := spans(heard)
		ok := len(got) == len(want) && begun == len(want)
		for i := 0; ok && i < len(want); i++ {
			ok = math.Abs(got[i][0]-want[i][0]) < tolerance && math.Abs(got[i][1]-want[i][1]) < tolerance
		}
		if !ok {
			t.Errorf("%s: speech at %.2f, want %.2f", name, got, want)
		}
	}
}

// Noise, hum and silence are no speech, for as long as they last.
func TestVADOnNoise(t *testing.T) {
	a := newActivity(realDetector(t))
	rnd := rand.New(rand.NewPCG(1, 2))
	length := 20 * rate
	if testing.Short() { // an emulated machine
		length = 2 * rate
	}
	for _, rms := range []float64{0, 184, 1000, 4000} {
		pcm := make([]int16, length)
		for i := range pcm {
			hum := math.Sin(2*math.Pi*100*float64(i)/rate) + math.Sin(2*math.Pi*300*float64(i)/rate)
			pcm[i] = int16(rms * (rnd.NormFloat64() + hum))
		}
		a.begin(0, 0, nil)
		if heard := a.accept(pcm); len(heard) > 0 {
			t.Errorf("noise of RMS %.0f was heard as %v", rms, heard)
		}
	}
}

// Missing, empty, truncated and foreign files are one sentence; that the last two
// do not end this process is what the probe's child is for.
func TestVADWithoutModel(t *testing.T) {
	if Version() == "" {
		t.Skip(ErrNotBuilt)
	}
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.onnx")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(dir, "none.onnx"), empty} {
		if _, err := library.detector(file); err == nil {
			t.Errorf("%s was loaded", file)
		}
	}
}

// talk is a detector for tests: a window with a loud sample is speech, with the
// real one's onset and hangover.
type talk struct{ loud, quiet int }

func (d *talk) accept(window []float32) bool {
	if slices.ContainsFunc(window, func(v float32) bool { return v > 0.1 }) {
		d.loud, d.quiet = d.loud+len(window), 0
	} else if d.quiet += len(window); d.quiet >= vadHangover {
		d.loud = 0
	}
	return d.loud >= vadMinSpeech
}
func (d *talk) reset() { *d = talk{} }
func (*talk) close()   {}

func loud(seconds float64) []int16 {
	pcm := make([]int16, int(seconds*rate))
	for i := range pcm {
		pcm[i] = 10000
	}
	return pcm
}

func quiet(seconds float64) []int16 { return make([]int16, int(seconds*rate)) }

// What belongs to the wake phrase is not told as the command, and a command in
// one breath is.
func TestActivityAfterWake(t *testing.T) {
	for _, tt := range []struct {
		name       string
		after      []int16 // what follows the end of the wake phrase
		closed     int
		begun      int
		firstStart float64
	}{
		{"silence", quiet(2), 0, 0, 0},
		{"the wake phrase's own end", slices.Concat(loud(0.15), quiet(2)), 0, 0, 0},
		{"one breath", slices.Concat(loud(1.2), quiet(1)), 1, 1, 1},
		{"pause, then a command", slices.Concat(quiet(0.6), loud(1), quiet(1)), 1, 1, 1.5},
		{"a short word in one breath", slices.Concat(loud(0.4), quiet(1)), 1, 1, 1},
	} {
		a := newActivity(&talk{})
		lead := loud(0.5)
		heard := a.begin(rate, rate, lead)
		for c := range slices.Chunk(tt.after, 320) {
			heard = append(heard, a.accept(c)...)
		}
		got, begun := spans(heard)
		if len(got) != tt.closed || begun != tt.begun {
			t.Errorf("%s: %v, %d begun", tt.name, heard, begun)
			continue
		}
		if len(got) > 0 && math.Abs(got[0][0]-tt.firstStart) > 0.1 {
			t.Errorf("%s: begins at %.2f, want %.2f", tt.name, got[0][0], tt.firstStart)
		}
	}
}

// BenchmarkVAD is the detector's share of a core.
func BenchmarkVAD(b *testing.B) {
	d := realDetector(b)
	pcm := floats(recording(b, "jfk.wav"))
	var used time.Duration
	for range b.N {
		d.reset()
		began := time.Now()
		for w := range slices.Chunk(pcm[:len(pcm)/vadWindow*vadWindow], vadWindow) {
			d.accept(w)
		}
		used += time.Since(began)
	}
	b.ReportMetric(100*used.Seconds()/(float64(b.N)*float64(len(pcm))/rate), "%core")
}

func ExampleVersion() {
	fmt.Println(Version() == "" || Version() == "1.13.8")
	// Output: true
}
