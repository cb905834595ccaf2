package audiotest

import (
	"errors"
	"io"
	"testing"
	"time"

	"homebot/audio"
)

// slack is what a busy machine may add to a time; in a bubble nothing does.
const slack = 1500 * time.Millisecond

// flushLimit is V6's.
const flushLimit = 200 * time.Millisecond

// TestSource checks that what open returns behaves as audio.Source says: real
// time, full reads of any length, an end of a blocked read at Close. In a
// synctest bubble or outside.
func TestSource(t *testing.T, open func(t *testing.T) audio.Source) {
	t.Helper()
	s := open(t)
	read := func(n int) time.Duration {
		t.Helper()
		begun := time.Now()
		if got, err := s.Read(make([]int16, n)); got != n || err != nil {
			t.Fatalf("Read of %d samples = %d, %v", n, got, err)
		}
		return time.Since(begun)
	}
	read(audio.SessionFrame) // a real device starts
	for _, n := range []int{audio.SessionFrame, audio.WaitingFrame, 1, 777} {
		read(n)
	}
	const want = time.Second
	if took := read(audio.CaptureRate); took < want/2 || took > want+slack {
		t.Errorf("a second of capture took %v", took)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := s.Read(make([]int16, 60*audio.CaptureRate))
		ended <- err
	}()
	pause(50 * time.Millisecond)
	if err := s.Close(); err != nil {
		t.Errorf("Close = %v", err)
	}
	if err := within(t, ended, slack); !closedOrLost(err) {
		t.Errorf("a Read blocked during Close = %v, want io.ErrClosedPipe or audio.ErrLost", err)
	}
	if n, err := s.Read(make([]int16, 16)); n != 0 || !closedOrLost(err) {
		t.Errorf("Read after Close = %d, %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("a second Close = %v", err)
	}
}

// TestSink checks that what open returns behaves as audio.Sink says: real time
// but for the latency, drained to the end, silent soon after a flush.
func TestSink(t *testing.T, open func(t *testing.T) audio.Sink) {
	t.Helper()
	s := open(t)
	write := func(d time.Duration) time.Duration {
		t.Helper()
		pcm := Tone(440, d, audio.PlaybackRate)
		begun := time.Now()
		for len(pcm) > 0 {
			n := min(len(pcm), 480)
			if k, err := s.Write(pcm[:n]); k != n || err != nil {
				t.Fatalf("Write of %d samples = %d, %v", n, k, err)
			}
			pcm = pcm[n:]
		}
		return time.Since(begun)
	}
	write(100 * time.Millisecond) // a real device starts
	if l := s.Latency(); l <= 0 || l > time.Second {
		t.Errorf("Latency = %v", l)
	}
	if err := s.Drain(); err != nil {
		t.Errorf("Drain = %v", err)
	}
	begun := time.Now()
	took := write(time.Second)
	if err := s.Drain(); err != nil {
		t.Errorf("Drain = %v", err)
	}
	if took > time.Second+slack || took+s.Latency() < 900*time.Millisecond {
		t.Errorf("Write of a second took %v with a latency of %v", took, s.Latency())
	}
	if d := time.Since(begun); d < 900*time.Millisecond || d > time.Second+s.Latency()+slack {
		t.Errorf("a second was drained after %v", d)
	}
	var flushed time.Duration
	for try := 0; try < 3 && (try == 0 || flushed > flushLimit); try++ { // what is slow by itself is slow each time
		write(300 * time.Millisecond)
		begun = time.Now()
		if err := s.Flush(); err != nil {
			t.Errorf("Flush = %v", err)
		}
		flushed = time.Since(begun)
	}
	if flushed > flushLimit {
		t.Errorf("V6: Flush took %v, more than %v", flushed, flushLimit)
	}
	write(100 * time.Millisecond)
	if err := s.Flush(); err != nil {
		t.Errorf("a second Flush = %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close = %v", err)
	}
	if _, err := s.Write(make([]int16, 480)); !closedOrLost(err) {
		t.Errorf("Write after Close = %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("a second Close = %v", err)
	}
}

func closedOrLost(err error) bool {
	return errors.Is(err, io.ErrClosedPipe) || errors.Is(err, audio.ErrLost)
}

func pause(d time.Duration) {
	t := time.NewTimer(d)
	<-t.C
}

// within waits for an error that must come.
func within(t *testing.T, c <-chan error, d time.Duration) error {
	t.Helper()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case err := <-c:
		return err
	case <-timer.C:
		t.Fatalf("nothing happened within %v", d)
		return nil
	}
}
