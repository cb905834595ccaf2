package child

import (
	"context"
	"sync"
	"time"

	"homebot/audio"
)

const (
	// patience is how long the card, full a moment ago, plays on alone before it
	// gets silence: half of what it holds, since the parent may be kept waiting
	// on a busy machine, and silence too early is a hole.
	patience = 50 * time.Millisecond
	// prefill is what an empty card begins with, or with what came in
	// prefillWait: with less it would run dry at once.
	prefill     = 3 * sinkFrame
	prefillWait = 20 * time.Millisecond
	// linger is how much silence is played after the last sample, beyond the
	// card's latency, before the card is stopped: neither a pause between
	// sentences nor the user's own turn restarts it, after which an echo canceller
	// would have to find its place anew.
	linger = audio.PlaybackRate * 12
)

// playback is the child of a Sink.
type playback struct {
	d      Driver
	w      *writer
	device string
	poke   chan struct{} // control has something new

	mu    sync.Mutex
	queue []int16
	flush uint32 // request numbers; 0 for none
	drain uint32

	// Below: of run's goroutine.
	out     Output
	tail    int // samples of silence after which everything was heard
	running bool
	silence int   // samples of silence since the last sound
	started int64 // when the card was started, monotonic
	anew    bool  // it was, or ran dry, and the parent does not know
	pace    pace
	wrote   time.Time // the last sound
	waiting time.Time // since when an empty card has something to begin with
}

func (p *playback) control(m message) {
	p.mu.Lock()
	switch m.kind {
	case kindPCM:
		n := len(p.queue)
		p.queue = append(p.queue, make([]int16, len(m.payload)/2)...)
		audio.ParsePCM(p.queue[n:], m.payload)
	case kindFlushed:
		p.flush, p.drain, p.queue = m.number(), 0, nil
	case kindDrained:
		p.drain = m.number()
	}
	p.mu.Unlock()
	select {
	case p.poke <- struct{}{}:
	default:
	}
}

func (p *playback) run(ctx context.Context) error {
	if err := p.w.bare(kindStarting); err != nil {
		return err
	}
	out, ready, err := p.d.OpenOutput(p.device, sinkFrame)
	if err != nil {
		return err
	}
	defer out.Close()
	p.out = out
	p.tail = int(ready.Latency*audio.PlaybackRate/time.Second) + 2*sinkFrame
	if err := p.w.json(kindReady, ready); err != nil {
		return err
	}
	for ctx.Err() == nil {
		if err := p.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// step does the one thing that is due: flush, sound, silence, or wait.
func (p *playback) step(ctx context.Context) error {
	flush, drain, queued := p.due()
	switch {
	case flush != 0:
		return p.doFlush(flush)
	case queued > 0 && !p.running:
		return p.begin(ctx, queued)
	case queued >= sinkFrame:
		return p.sound()
	case p.running && p.silence == 0 && time.Since(p.wrote) < patience:
		p.await(ctx, patience-time.Since(p.wrote))
		return nil
	case queued > 0:
		return p.sound()
	case drain != 0 && (!p.running || p.silence >= p.tail):
		return p.drained(drain)
	case p.running && p.silence < p.tail+linger:
		return p.quiet()
	case p.running:
		p.running = false
		return p.out.Stop()
	}
	p.await(ctx, 0)
	return nil
}

// begin starts the card once there is enough, or enough time has passed.
func (p *playback) begin(ctx context.Context, queued int) error {
	if p.waiting.IsZero() {
		p.waiting = time.Now()
	}
	if left := prefillWait - time.Since(p.waiting); queued < prefill && left > 0 {
		p.await(ctx, left)
		return nil
	}
	p.waiting = time.Time{}
	return p.sound()
}

func (p *playback) due() (flush, drain uint32, queued int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.flush, p.drain, len(p.queue)
}

// await waits for control, at most d; 0 for as long as it takes. A poke may be
// an old one: step looks anew.
func (p *playback) await(ctx context.Context, d time.Duration) {
	var late <-chan time.Time
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		late = t.C
	}
	select {
	case <-ctx.Done():
	case <-p.poke:
	case <-late:
	}
}

// sound gives one frame to the card and tells the parent.
func (p *playback) sound() error {
	frame := make([]int16, sinkFrame)
	p.mu.Lock()
	n := copy(frame, p.queue)
	p.queue = p.queue[n:]
	p.mu.Unlock()
	if n == 0 {
		return nil // flushed meanwhile
	}
	gap := p.silence
	if err := p.write(frame); err != nil {
		return err
	}
	p.silence = sinkFrame - n
	p.wrote = time.Now()
	a := ack{samples: n, silence: gap}
	if p.anew {
		p.anew, a.begun = false, p.started+int64(p.pace.sounds())
	}
	return p.w.ack(a)
}

func (p *playback) quiet() error {
	p.silence += sinkFrame
	return p.write(make([]int16, sinkFrame))
}

func (p *playback) write(frame []int16) error {
	if !p.running {
		if err := p.out.Start(); err != nil {
			return err
		}
		p.running, p.anew, p.started = true, true, monotonic()
		p.pace.begin(time.Now())
	}
	if err := p.out.Write(frame); err != nil {
		return err
	}
	if p.pace.wrote(time.Now()) {
		p.anew = true
	}
	return nil
}

func (p *playback) doFlush(id uint32) error {
	p.mu.Lock()
	p.flush = 0
	p.mu.Unlock()
	if p.running {
		p.running = false
		if err := p.out.Abort(); err != nil {
			return err
		}
	}
	return p.w.number(kindFlushed, id)
}

func (p *playback) drained(id uint32) error {
	p.mu.Lock()
	if p.drain == id {
		p.drain = 0
	}
	p.mu.Unlock()
	return p.w.number(kindDrained, id)
}
