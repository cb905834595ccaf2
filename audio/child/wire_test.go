package child

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"homebot/audio"
	"homebot/internal/phrases"
)

func TestWire(t *testing.T) {
	var b bytes.Buffer
	w := &writer{w: &b}
	w.bare(kindStarting)
	w.ack(ack{480, 960, 1})
	w.pcm([]int16{1, -1})
	w.json(kindError, newFailure(audio.ErrFormat))
	r := newReader(&b)
	for i, want := range []struct {
		kind byte
		size int
	}{{kindStarting, 0}, {kindAck, ackSize}, {kindPCM, 4}} {
		m, err := r.next()
		if err != nil || m.kind != want.kind || len(m.payload) != want.size {
			t.Errorf("%d: %c with %d bytes, %v", i, m.kind, len(m.payload), err)
		}
	}
	if m, err := r.next(); err != nil || m.kind != kindError {
		t.Errorf("%c, %v", m.kind, err)
	}
	if _, err := r.next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// Whatever a pipe holds, the reader neither panics nor gives more than it got.
func FuzzWire(f *testing.F) {
	f.Add([]byte("p\x04\x00\x00\x00abcd"))
	f.Add([]byte("p\xff\xff\xff\xff"))
	f.Add([]byte("p\x04\x00\x00\x00a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, n := newReader(bytes.NewReader(b)), 0
		for {
			m, err := r.next()
			if err != nil {
				break
			}
			m.number()
			m.ack()
			n += headerSize + len(m.payload)
		}
		if n > len(b) {
			t.Errorf("%d bytes of messages from %d", n, len(b))
		}
	})
}

// V8: attempts come with growing pauses, counted from one start to the next,
// and never so far apart that a returned device waits 5 s.
func TestRetry(t *testing.T) {
	now := time.Unix(0, 0)
	var r retry
	if r.due(now) != 0 {
		t.Error("the first attempt waits")
	}
	for _, want := range []time.Duration{250, 500, 1000, 2000, 3000, 3000} {
		r.attempt(now)
		if d := r.due(now); d != want*time.Millisecond {
			t.Errorf("pause %v, want %dms", d, want)
		}
	}
	if d := r.due(now.Add(firstTimeout)); d != 0 {
		t.Errorf("after an attempt that hung: %v", d)
	}
	r.reset()
	if r.due(now) != 0 {
		t.Error("after a working device the first attempt waits")
	}
	if maxPause+firstTimeout/2 > 5*time.Second {
		t.Error("too slow")
	}
}

// V8: a machine on which a child takes longer than it may is given more time with
// each attempt, so that it hears in the end; one that was calm for a minute is held
// to the short limit again. What ends with an error of its own changes nothing.
func TestPatienceGrows(t *testing.T) {
	now := time.Unix(0, 0)
	silent := (&link{}).lost(os.ErrDeadlineExceeded, firstTimeout)
	if !errors.Is(silent, audio.ErrLost) {
		t.Fatalf("%v is no lost device", silent)
	}
	var r retry
	for i, want := range []time.Duration{3, 3, 6, 12, 24, 24} {
		if d := r.within(&link{}, now); d != want*time.Second {
			t.Errorf("start %d may take %v, want %v s", i+1, d, want)
		}
		r.failed(&link{}, silent, now)
		r.failed(&link{}, io.ErrUnexpectedEOF, now)
	}
	r.reset()
	if d := r.within(&link{}, now); d != firstTimeout {
		t.Errorf("after a working device a start may take %v", d)
	}
	works := &link{ready: &Ready{}}
	for i, want := range []time.Duration{500, 1000, 2000, 4000, 4000} {
		if d := r.within(works, now); d != want*time.Millisecond {
			t.Errorf("after %d stalls a frame may take %v, want %d ms", i, d, want)
		}
		r.failed(works, silent, now)
		now = now.Add(calm)
	}
	if d := r.within(works, now.Add(time.Second)); d != frameTimeout {
		t.Errorf("after a calm time a frame may take %v", d)
	}
}

// An error keeps its kind and both its languages on the way through the pipe.
func TestFailureKinds(t *testing.T) {
	for _, want := range []error{audio.ErrNoDevice, audio.ErrFormat, audio.ErrLost} {
		sent, err := json.Marshal(newFailure(want))
		if err != nil {
			t.Fatal(err)
		}
		f := &failure{}
		if err := json.Unmarshal(sent, f); err != nil || !errors.Is(f, want) || !errors.Is(f, audio.ErrLost) {
			t.Errorf("%v becomes %+v (%v)", want, f, err)
		}
		if zh := phrases.Told(f, phrases.Chinese); f.Error() != want.Error() || zh != phrases.Told(want, phrases.Chinese) || zh == f.Text {
			t.Errorf("%v is told as %q and %q", want, f, zh)
		}
	}
	if zh := (&failure{Text: "x"}).In(phrases.Chinese); zh != "x" {
		t.Errorf("an error in English only is told as %q", zh)
	}
}
