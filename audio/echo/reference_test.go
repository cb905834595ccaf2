package echo

import (
	"slices"
	"testing"
	"time"
)

// What the card took lies where it was played: behind what went before, after
// the silence between, or at the card's start.
func TestReference(t *testing.T) {
	epoch := time.Unix(100, 0)
	after := func(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }
	r := newReference(epoch)
	ones, twos := slices.Repeat([]int16{1}, 480), slices.Repeat([]int16{2}, 480)
	at := func(position int64) int16 {
		var b [1]int16
		r.window(b[:], position)
		return b[0]
	}
	check := func(what string, from int64, want ...int16) {
		t.Helper()
		for i, w := range want {
			if got := at(from + int64(i)*480); got != w {
				t.Errorf("%s: sample %d is %d, not %d", what, from+int64(i)*480, got, w)
			}
		}
	}
	r.add(ones, after(100)) // 2400
	check("sent", 2400, 1, 0)
	check("before the beginning", -960, 0, 0, 0)
	r.took(480, 0, after(120)) // the card began at 2880
	check("begun later", 2400, 0, 1, 0)
	r.add(twos, after(140))
	check("behind it", 2400, 0, 1, 2, 0)
	r.add(ones, after(150))
	r.took(480, 960, time.Time{})
	check("after 40 ms of silence", 2400, 0, 1, 0, 0, 2, 1, 0)
	r.took(480, 0, time.Time{})
	runs := r.run()
	r.cut(after(200))
	check("cut at 4800", 2400, 0, 1, 0, 0, 2, 0)
	r.add(twos, after(250)) // 6000
	if r.run() != runs+1 {
		t.Error("no new run after a cut")
	}
	check("begun after a cut", 6000, 2, 0)
	r.took(480, 0, after(250))
	check("between", 4800, 0, 0)
	r.add(ones, after(20_000)) // 480000
	check("far later", 480_000, 1, 0)
	check("what lay there before is gone", 480_000-keep/2, 0, 0, 0)
}
