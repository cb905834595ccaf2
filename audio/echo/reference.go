package echo

import (
	"sync"
	"sync/atomic"
	"time"

	"homebot/audio"
)

const (
	// keep is how much of what was played is kept, in 24 kHz samples: what the
	// delay is measured over, the longest delay, and what is queued ahead.
	keep = 4 * audio.PlaybackRate
	// stopped is how long after the last sample the card has been stopped by its
	// child: what is sent then begins a new run. The child says so soon after.
	stopped = audio.PlaybackRate * 13
)

// reference is what the loudspeaker plays on a time line: position p, in 24 kHz
// samples, sounds about p/24000 s after epoch. Within one run of the card the
// positions are exact to the sample (the child counts the silence it puts in);
// where a run begins is known to some milliseconds.
type reference struct {
	mu    sync.Mutex
	epoch time.Time
	buf   []int16      // circular: position p is buf[p%keep]
	end   int64        // after the newest sample
	taken int64        // the card took everything before
	sent  int64        // position of the oldest sample sent and not taken; end-sent of them
	runs  int          // number of the present run of the card
	still bool         // the card was stopped: what is sent next begins a run
	sound atomic.Int64 // copy of end, for a look without the lock
}

func newReference(epoch time.Time) *reference {
	return &reference{epoch: epoch, buf: make([]int16, keep), still: true}
}

// at is the position that sounds at a time.
func (r *reference) at(t time.Time) int64 {
	return int64(t.Sub(r.epoch)) * audio.PlaybackRate / int64(time.Second)
}

// add places pcm behind what was sent before; after a pause that stopped the
// card, now.
func (r *reference) add(pcm []int16, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if here := r.at(now); r.sent == r.end && (r.still || here > r.end+stopped) {
		r.begin(here)
	}
	r.write(pcm)
}

// begin starts a run of the card at a position.
func (r *reference) begin(at int64) {
	r.runs++
	r.still = false
	r.skip(at)
	r.taken, r.sent = r.end, r.end
}

// took moves the oldest n samples sent to where the card took them: after
// silence since the sample before, or at begun, when it started the card.
func (r *reference) took(n, silence int, begun time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	to := r.taken + int64(silence)
	if !begun.IsZero() {
		to = r.at(begun)
		r.runs++
	}
	r.move(max(to, r.taken))
	r.sent += min(int64(n), r.end-r.sent)
	r.taken = r.sent
}

// move shifts what is sent and not taken to another position.
func (r *reference) move(to int64) {
	if to == r.sent {
		return
	}
	rest := make([]int16, r.end-r.sent)
	r.read(rest, r.sent)
	r.end = min(r.sent, to)
	r.skip(to)
	r.sent = r.end
	r.write(rest)
}

// cut drops what would sound after now.
func (r *reference) cut(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end = max(min(r.end, r.at(now)), 0)
	r.sent, r.taken, r.still = r.end, r.end, true
	r.sound.Store(r.end)
}

// write appends at end; with the lock held.
func (r *reference) write(pcm []int16) {
	for len(pcm) > 0 {
		at := int(r.end % keep)
		n := copy(r.buf[at:], pcm)
		pcm = pcm[n:]
		r.end += int64(n)
	}
	r.sound.Store(r.end)
}

// skip makes the positions from end to at silent.
func (r *reference) skip(at int64) {
	r.end = max(r.end, at-keep)
	for r.end < at {
		i := r.end % keep
		n := min(at-r.end, keep-i)
		clear(r.buf[i : i+n])
		r.end += n
	}
}

// read copies the samples from a position on, with the lock held. What is not
// there is silence.
func (r *reference) read(dst []int16, from int64) {
	clear(dst)
	first, last := max(from, r.end-keep, 0), min(from+int64(len(dst)), r.end)
	for p := first; p < last; {
		at := p % keep
		p += int64(copy(dst[p-from:last-from], r.buf[at:]))
	}
}

// window copies what sounds from a position on.
func (r *reference) window(dst []int16, from int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read(dst, from)
}

// run is the number of the card's present run.
func (r *reference) run() int { r.mu.Lock(); defer r.mu.Unlock(); return r.runs }
