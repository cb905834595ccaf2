package sphinx

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// voiced is one way espeak-ng says things.
type voiced struct {
	voice string
	speed int
}

func (v voiced) String() string { return fmt.Sprintf("%s@%d", v.voice, v.speed) }

// espeaks are the recordings made so far, shared by all tests of the package.
var espeaks struct {
	sync.Mutex
	pcm map[string][]int16
}

// say returns text as v says it, 16 kHz mono.
func (v voiced) say(tb testing.TB, text string) []int16 {
	tb.Helper()
	espeaks.Lock()
	defer espeaks.Unlock()
	key := v.String() + text
	if pcm := espeaks.pcm[key]; pcm != nil {
		return pcm
	}
	path, err := exec.LookPath("espeak-ng")
	if err != nil {
		tb.Skip("espeak-ng is not installed, so there is no speech to recognise")
	}
	cmd := exec.Command(path, "-v", v.voice, "-s", fmt.Sprint(v.speed), "--stdout", text)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("espeak-ng: %v", err)
	}
	pcm := to16k(readWAV(tb, out))
	if espeaks.pcm == nil {
		espeaks.pcm = map[string][]int16{}
	}
	espeaks.pcm[key] = pcm
	return pcm
}

func readWAV(tb testing.TB, b []byte) (pcm []int16, hz int) {
	tb.Helper()
	i := bytes.Index(b, []byte("data"))
	if i < 28 || len(b) < i+8 {
		tb.Fatal("not a WAV file")
	}
	hz = int(binary.LittleEndian.Uint32(b[24:]))
	for b = b[i+8:]; len(b) >= 2; b = b[2:] {
		pcm = append(pcm, int16(binary.LittleEndian.Uint16(b)))
	}
	return pcm, hz
}

// to16k resamples with a windowed sinc.
func to16k(pcm []int16, hz int) []int16 {
	if hz == rate {
		return pcm
	}
	const half = 16
	step := float64(hz) / rate
	cutoff := min(1, 1/step)
	out := make([]int16, int(float64(len(pcm))/step))
	for i := range out {
		at := float64(i) * step
		var v float64
		for j := int(at) - half; j <= int(at)+half; j++ {
			if j < 0 || j >= len(pcm) {
				continue
			}
			d := at - float64(j)
			w := 0.5 + 0.5*math.Cos(math.Pi*d/(half+1))
			s := cutoff
			if x := math.Pi * d * cutoff; x != 0 {
				s = cutoff * math.Sin(x) / x
			}
			v += float64(pcm[j]) * s * w
		}
		out[i] = clip(v)
	}
	return out
}

// sharedDir is the folder of shared material beside the project, or the test is
// skipped.
func sharedDir(tb testing.TB) string {
	tb.Helper()
	if dir := os.Getenv("HOMEBOT_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for dir != filepath.Dir(dir) {
		if exists(filepath.Join(dir, "go.mod")) {
			if shared := filepath.Join(filepath.Dir(dir), "shared"); exists(shared) {
				return shared
			}
		}
		dir = filepath.Dir(dir)
	}
	tb.Skip("no shared folder beside the project: set HOMEBOT_SHARED")
	return ""
}

// recording reads one of the shared recordings.
func recording(tb testing.TB, name string) []int16 {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join(sharedDir(tb), "audio", name))
	if err != nil {
		tb.Skipf("the recording %s is not there", name)
	}
	return to16k(readWAV(tb, b))
}

func pause(ms int) []int16 { return make([]int16, ms*rate/1000) }
