package audiotest_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
)

func TestFakeSourceConforms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		audiotest.TestSource(t, func(*testing.T) audio.Source { return &audiotest.Source{} })
	})
}

func TestFakeSinkConforms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		audiotest.TestSink(t, func(*testing.T) audio.Sink { return &audiotest.Sink{} })
	})
}

// The script is heard in order and in real time, silence after it.
func TestSourceScript(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s audiotest.Source
		s.Wait(20 * time.Millisecond)
		s.Say([]int16{1, 2, 3})
		p := make([]int16, audio.SessionFrame+4)
		begun := time.Now()
		if _, err := s.Read(p); err != nil {
			t.Fatal(err)
		}
		if got := p[audio.SessionFrame:]; !slices.Equal(got, []int16{1, 2, 3, 0}) {
			t.Errorf("heard %v", got)
		}
		if d := time.Since(begun); d != 20*time.Millisecond+4*time.Second/audio.CaptureRate {
			t.Errorf("took %v", d)
		}
	})
}

// An unplugged source reports it once, blocks, and goes on when plugged in.
func TestSourceUnplug(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s audiotest.Source
		s.Unplug()
		if _, err := s.Read(make([]int16, 16)); !errors.Is(err, audio.ErrLost) {
			t.Fatalf("unplugged: %v", err)
		}
		begun := time.Now()
		time.AfterFunc(3*time.Second, s.Plug)
		if _, err := s.Read(make([]int16, audio.SessionFrame)); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(begun); d != 3020*time.Millisecond {
			t.Errorf("back after %v", d)
		}
	})
}

// What was flushed is not heard, what had sounded is.
func TestSinkFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := audiotest.Sink{Delay: time.Second}
		if _, err := s.Write(audiotest.Tone(440, time.Second, audio.PlaybackRate)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(250 * time.Millisecond)
		s.Flush()
		time.Sleep(time.Second)
		if n := len(s.Heard()); n != audio.PlaybackRate/4 {
			t.Errorf("heard %d samples, want a quarter of a second", n)
		}
	})
}

// Match tells a copy from other sound, and where it is.
func TestMatch(t *testing.T) {
	ref := audiotest.Babble(1, time.Second, 16000)
	heard := append(make([]int16, 1234), ref...)
	if at, rho := audiotest.Match(ref, heard); at != 1234 || rho < 0.9999 {
		t.Errorf("found at %d with %.4f", at, rho)
	}
	if _, rho := audiotest.Match(ref, audiotest.Babble(2, 2*time.Second, 16000)); rho > 0.2 {
		t.Errorf("other sound matches with %.2f", rho)
	}
}
