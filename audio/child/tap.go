package child

import (
	"time"

	"golang.org/x/sys/unix"
)

// Tap is told what a Sink's card gets: an echo canceller's reference. It is
// called by the goroutine that writes the Sink and must not block.
type Tap interface {
	// Sent: pcm (24 kHz) was sent, to be played behind what was sent before.
	Sent(pcm []int16)
	// Taken: the card took the oldest n samples sent, after so many of silence
	// since those before. begun is when it was started with them, or would have
	// been when it ran dry before them; the zero time if it ran on.
	Taken(n, silence int, begun time.Time)
	// Cut: what was sent does not sound any more.
	Cut()
}

// noTap is nobody.
type noTap struct{}

func (noTap) Sent([]int16)              {}
func (noTap) Taken(int, int, time.Time) {}
func (noTap) Cut()                      {}

// monotonic is a clock that parent and child share, in nanoseconds.
func monotonic() int64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) != nil {
		return 0
	}
	return t.Nano()
}

// when is a time of the child's, here.
func (a ack) when() time.Time {
	now := monotonic()
	if a.begun == 0 || now == 0 {
		return time.Time{}
	}
	return time.Now().Add(time.Duration(a.begun - now))
}
