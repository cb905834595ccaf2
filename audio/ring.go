package audio

// Ring keeps the newest samples of a capture: the pre-roll, so that a command
// spoken straight after the wake word is whole (V7).
//
// It has one owner and no lock. The zero value keeps nothing; make one with
// NewRing.
type Ring struct {
	buf   []int16
	total int64 // samples ever written
}

// NewRing returns a ring that keeps the newest capacity samples.
func NewRing(capacity int) *Ring { return &Ring{buf: make([]int16, max(capacity, 0))} }

// Write adds pcm and forgets what is older than the capacity.
func (r *Ring) Write(pcm []int16) {
	r.total += int64(len(pcm))
	n := len(r.buf)
	if n == 0 {
		return
	}
	if len(pcm) > n {
		pcm = pcm[len(pcm)-n:]
	}
	at := int((r.total - int64(len(pcm))) % int64(n))
	k := copy(r.buf[at:], pcm)
	copy(r.buf, pcm[k:])
}

// Len is the number of samples kept now.
func (r *Ring) Len() int { return int(min(r.total, int64(len(r.buf)))) }

// Total is the number of samples ever written: the position, on the capture's
// own count, just after the newest sample.
func (r *Ring) Total() int64 { return r.total }

// Last returns a copy of the newest n samples, oldest first, or of all that
// are kept when they are fewer.
func (r *Ring) Last(n int) []int16 {
	n = min(max(n, 0), r.Len())
	return r.slice(r.total-int64(n), n)
}

// Since returns a copy of what was written from position from (a value of
// Total) on, as far as it is still kept; first is the position of its first
// sample.
func (r *Ring) Since(from int64) (pcm []int16, first int64) {
	first = max(from, r.total-int64(r.Len()))
	if first >= r.total {
		return nil, r.total
	}
	return r.slice(first, int(r.total-first)), first
}

// Reset forgets the samples and begins the position again at 0.
func (r *Ring) Reset() { r.total = 0 }

func (r *Ring) slice(from int64, n int) []int16 {
	out := make([]int16, n)
	if n == 0 {
		return out
	}
	at := int(from % int64(len(r.buf)))
	k := copy(out, r.buf[at:])
	copy(out[k:], r.buf)
	return out
}
