package child

import (
	"testing"
	"time"
)

// A card that ran dry is noticed within eight frames, a writer that was late for
// once is not.
func TestPace(t *testing.T) {
	start := time.Unix(1, 0)
	var p pace
	p.begin(start)
	now, card := start, start // the card has played everything by then
	const buffer = 100 * time.Millisecond
	write := func(late time.Duration) bool {
		now = now.Add(late)
		if full := card.Add(-buffer); full.After(now) {
			now = full // Write blocks
		}
		if card.Before(now) {
			card = now // it ran dry
		}
		card = card.Add(frameTime)
		return p.wrote(now)
	}
	run := func(frames int) (dry int) {
		for range frames {
			if write(0) {
				dry++
			}
		}
		return dry
	}
	if run(100) != 0 || p.holes != 0 {
		t.Errorf("a steady card has holes of %v", p.holes)
	}
	write(70 * time.Millisecond)
	if run(100) != 0 {
		t.Errorf("late for once, and in time: holes of %v", p.holes)
	}
	write(180 * time.Millisecond) // 80 ms too late
	if got := run(2*paceFrames + paceFill); got != 1 || (p.holes-80*time.Millisecond).Abs() > 25*time.Millisecond {
		t.Errorf("%d holes, of %v", got, p.holes)
	}
}
