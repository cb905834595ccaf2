package audio_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"testing"
	"time"

	"homebot/audio"
)

// V7: the ring keeps the newest samples and knows where they are.
func TestRing(t *testing.T) {
	r := audio.NewRing(5)
	if got := r.Last(3); len(got) != 0 {
		t.Errorf("empty: %v", got)
	}
	r.Write([]int16{1, 2, 3})
	if got := r.Last(9); !slices.Equal(got, []int16{1, 2, 3}) {
		t.Errorf("not yet full: %v", got)
	}
	r.Write([]int16{4, 5, 6, 7})
	if got := r.Last(9); !slices.Equal(got, []int16{3, 4, 5, 6, 7}) {
		t.Errorf("full: %v", got)
	}
	if got, first := r.Since(5); first != 5 || !slices.Equal(got, []int16{6, 7}) {
		t.Errorf("since 5: %v from %d", got, first)
	}
	if got, first := r.Since(0); first != 2 || len(got) != 5 {
		t.Errorf("since 0: %v from %d", got, first)
	}
	if got, first := r.Since(7); first != 7 || len(got) != 0 {
		t.Errorf("since now: %v from %d", got, first)
	}
	r.Write([]int16{8, 9, 10, 11, 12, 13, 14})
	if got := r.Last(5); !slices.Equal(got, []int16{10, 11, 12, 13, 14}) || r.Total() != 14 {
		t.Errorf("more than fits: %v, %d", got, r.Total())
	}
	r.Reset()
	if r.Len() != 0 || r.Total() != 0 {
		t.Errorf("reset: %d of %d", r.Len(), r.Total())
	}
	audio.NewRing(0).Write([]int16{1})
}

// Every earcon is short, audible, far from clipping, and begins and ends at
// nothing, so that it does not click.
func TestEarcons(t *testing.T) {
	for _, name := range []string{audio.EarconWake, audio.EarconDone, audio.EarconError, audio.EarconModeOn, audio.EarconModeOff, audio.EarconRing} {
		pcm := audio.Earcon(name)
		if d := time.Duration(len(pcm)) * time.Second / audio.PlaybackRate; d < 50*time.Millisecond || d > 250*time.Millisecond {
			t.Errorf("%s lasts %v", name, d)
			continue
		}
		if peak := max(slices.Max(pcm), -slices.Min(pcm)); peak < 2000 || peak > 20000 {
			t.Errorf("%s: peak %d", name, peak)
		}
		if pcm[0] != 0 || math.Abs(float64(pcm[len(pcm)-1])) > 20 {
			t.Errorf("%s begins at %d and ends at %d", name, pcm[0], pcm[len(pcm)-1])
		}
		for i := 1; i < len(pcm); i++ {
			if d := math.Abs(float64(pcm[i]) - float64(pcm[i-1])); d > 4500 {
				t.Errorf("%s jumps by %.0f at %d", name, d, i)
				break
			}
		}
	}
	if audio.Earcon("bell") != nil {
		t.Error("an unknown earcon has a sound")
	}
	audio.Earcon(audio.EarconWake)[0] = 99
	if audio.Earcon(audio.EarconWake)[0] != 0 {
		t.Error("the caller's copy is shared")
	}
}

func TestPCMBytes(t *testing.T) {
	pcm := []int16{0, 1, -1, math.MaxInt16, math.MinInt16}
	b := audio.AppendPCM(nil, pcm)
	got := make([]int16, 5)
	if n := audio.ParsePCM(got, append(b, 7)); n != 5 || !slices.Equal(got, pcm) {
		t.Errorf("%d, %v", n, got)
	}
	long := sine(100, 0.5, 16000, 10000)
	all, err := io.ReadAll(audio.NewByteReader(long))
	if err != nil || !bytes.Equal(all, audio.AppendPCM(nil, long)) {
		t.Errorf("a reader of PCM gives other bytes (%v)", err)
	}
	if n, err := audio.ReadPCM(bytes.NewReader(b), make([]int16, 9)); n != 5 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("ReadPCM at the end: %d, %v", n, err)
	}
}
