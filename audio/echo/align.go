package echo

import (
	"math"
	"time"
	"unsafe"

	"homebot/audio"
)

// measure looks for the echo in the history and moves the reference so that it
// lies where the filter expects it.
func (c *Canceller) measure() {
	if !c.known && c.filled < unknownBlocks {
		return
	}
	n := min(c.filled*blockSize, measured)
	if c.trouble >= troubled {
		n = min(n, troubledBlocks*blockSize) // what was before does not count
	}
	ref, mic := flat(&c.refs, n), flat(&c.mics, n)
	if energy(ref) < loud*loud*float64(n) {
		return
	}
	from, to, enough := earliest, latest, certain
	if c.known && !c.locked {
		from, to, enough = lead-about, lead+about, likely
	}
	lag, sure := c.meter.measure(ref, mic, from, to)
	off := lag - lead
	switch {
	case sure < enough:
		return
	case abs(off) <= slack && c.locked:
		c.strayed = 0
		return
	case c.locked && abs(off-c.strayed) > slack:
		c.strayed = off // a second one must say the same
		return
	}
	tell := c.log.Debug
	if c.locked && abs(off) > jumped {
		tell = c.log.Info // the card ran dry
		c.settling.Store(settle)
	}
	tell("the echo was found", "delay_samples", c.delay+off, "moved", off,
		"certainty", math.Round(sure*10)/10, "after", time.Duration(c.filled)*blockTime)
	c.shift(off)
}

const (
	// unknownBlocks are heard before the first echo ever is looked for: chance
	// makes peaks in less.
	unknownBlocks = 25
	// After troubled blocks that kept most of their echo, in which somebody may
	// have spoken, it is looked for in the newest troubledBlocks, and soon.
	troubled, troubledBlocks = 5, 20
	// jumped is further, in samples, than two clocks part between measurements.
	jumped = 16
	// settle is how long, in blocks, until the filter has learnt after that:
	// TestHole. In half a second what was left was taken for words once.
	settle = 75
)

// slack is how far the echo may move, in samples, before the reference follows:
// the filter itself follows less.
const slack = 2

// shift moves the reference by samples of the microphone, later ones first, and
// teaches the filter the history anew.
func (c *Canceller) shift(off int) {
	first := !c.locked
	c.delay += off
	c.next -= int64(off) * 3 / 2
	c.locked, c.known, c.strayed, c.trouble = true, true, 0, 0
	for i := range c.filled {
		at := history - c.filled + i
		c.fetch(&c.refs[at], c.next-int64(c.filled-i)*playedBlock)
	}
	rounds := 1
	if first {
		rounds = lessons
	}
	for range rounds {
		for i := history - c.filled; i < history; i++ {
			c.speex.learn(&c.mics[i], &c.refs[i])
		}
	}
}

// flat is the newest n samples of a history.
func flat(blocks *[history][blockSize]int16, n int) []int16 {
	all := unsafe.Slice(&blocks[0][0], history*blockSize)
	return all[len(all)-n:]
}

func energy(pcm []int16) (sum float64) {
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return sum
}

func abs(n int) int { return max(n, -n) }

// sums are what State tells: energies before and after, over the last blocks
// with a reference.
type sums struct {
	before, after float64
	blocks        int
}

const (
	// watched is how many blocks State.Removed speaks of.
	watched = 50
	// enoughRemoved is what makes the echo of a voice much quieter than somebody
	// who speaks (dB): with 10, the recogniser still hears speech begin. It is
	// lower while somebody does speak.
	enoughRemoved = 18
)

// watch keeps State up to date. The result is a block later than mic.
func (c *Canceller) watch(mic, ref, out *[blockSize]int16) {
	if energy(ref[:]) < loud*loud*blockSize {
		return
	}
	before, after := energy(mic[:]), energy(out[:])
	c.trouble++
	if after < before/4 {
		c.trouble = 0
	}
	c.sums.before += before
	c.sums.after += after
	if c.sums.blocks++; c.sums.blocks < watched {
		return
	}
	removed := 10 * math.Log10((c.sums.before+1)/(c.sums.after+1))
	c.windows, c.best = c.windows+1, max(c.best, removed)
	if removed >= enoughRemoved {
		c.works.Store(true)
	}
	c.state.Store(&State{Found: true, Delay: time.Duration(c.delay) * time.Second / audio.CaptureRate, Removed: removed})
	c.sums = sums{}
}

// captureClock knows when the block just read began, from when blocks were
// read: reading can only be late, so the earliest of the last ones is right.
type captureClock struct {
	count int64                  // blocks read
	first [clockBlocks]time.Time // when block 0 would have begun, by each
}

// clockBlocks are remembered: 0.6 s of a voice session. Two clocks of 100 ppm
// part by 0.06 ms in that time.
const clockBlocks = 32

// read notes that one more block had been captured at now.
func (k *captureClock) read(now time.Time) {
	k.count++
	k.first[k.count%clockBlocks] = now.Add(-time.Duration(k.count) * blockTime)
}

const blockTime = blockSize * time.Second / audio.CaptureRate

// begun is when the newest block began.
func (k *captureClock) begun() time.Time {
	best := k.first[k.count%clockBlocks]
	for i := range min(k.count, clockBlocks) {
		if t := k.first[(k.count-i)%clockBlocks]; t.Before(best) {
			best = t
		}
	}
	return best.Add(time.Duration(k.count-1) * blockTime)
}
