package echo

import (
	"time"

	"homebot/audio"
)

// Source is a microphone without the device's own voice; Canceller.Wrap makes
// it. One goroutine reads it.
type Source struct {
	audio.Source
	c    *Canceller
	rest []int16 // read, processed and not yet handed over
	work []int16
}

// Wrap returns src with the echo taken out. Whoever reads it must be the only
// one; Close of the Source closes src, not the Canceller.
func (c *Canceller) Wrap(src audio.Source) *Source { return &Source{Source: src, c: c} }

// SetFrame passes the wanted frame length on to a source that can be told.
func (s *Source) SetFrame(samples int) {
	if f, ok := s.Source.(interface{ SetFrame(int) }); ok {
		f.SetFrame(samples)
	}
}

// Read is audio.Source. It reads whole blocks of 20 ms, so what is asked for in
// other lengths waits for its block.
func (s *Source) Read(p []int16) (n int, err error) {
	n = copy(p, s.rest)
	s.rest = s.rest[n:]
	if n == len(p) {
		return n, nil
	}
	want := (len(p) - n + blockSize - 1) / blockSize * blockSize
	if cap(s.work) < want {
		s.work = make([]int16, want)
	}
	got, err := s.Source.Read(s.work[:want])
	now := time.Now()
	whole := got / blockSize
	for i := range whole {
		late := time.Duration(whole-1-i) * blockTime
		s.c.Process((*[blockSize]int16)(s.work[i*blockSize:]), now.Add(-late))
	}
	if err != nil {
		s.c.lost()
	}
	k := copy(p[n:], s.work[:got])
	s.rest = s.work[k:got]
	if n+k == len(p) {
		return n + k, nil
	}
	return n + k, err
}
