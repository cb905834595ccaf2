package audio

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

const (
	// playerChunk is what one Sink.Write gets: 20 ms, so that Stop never waits
	// longer than that for the write in progress.
	playerChunk = PlaybackRate * 20 / 1000
	// streamQueue bounds what a Stream holds unplayed: a second, enough to hide
	// a slow voice and little enough that Write tells its pace.
	streamQueue = PlaybackRate
	// stopBudget is V6's limit for silence after a barge-in; Stop gives up
	// waiting for a stuck device then.
	stopBudget = 200 * time.Millisecond
)

// Player owns a Sink: only Run touches it. Speech comes as Streams, played in
// the order of Begin; earcons as clips, which do not wait behind a Stream that
// has nothing to play at the moment. All methods are for any goroutine.
//
// A device that is lost fails the streams it was playing (their Err wraps
// ErrLost); the next one tries it again. Run goes on.
type Player struct {
	sink Sink
	log  *slog.Logger
	wake chan struct{} // Run has something new to look at

	mu      sync.Mutex
	streams []*Stream // not yet wholly given to the sink, in the order of Begin
	clips   []*Stream // the same for Play
	playing *Stream   // a clip half given to the sink, which goes first
	tail    []*Stream // given to the sink, perhaps not yet heard
	cut     []*Stream // cancelled, waiting for the flush
	flush   bool
	flushed chan struct{} // closed when the flush is done; nil when none is due
	running bool
	latency time.Duration
	volume  float64
	held    bool // streams rest
}

// NewPlayer returns a player for sink at full volume. log may be nil. It takes
// the sink over but does not close it: who opened it does, after Run returned.
func NewPlayer(sink Sink, log *slog.Logger) *Player {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Player{sink: sink, log: log, wake: make(chan struct{}, 1), volume: 1}
}

// SetVolume sets the loudness, 0 to 1 (squared into a gain: half sounds like
// half). It changes within 20 ms, without a click.
func (p *Player) SetVolume(v float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.volume = min(max(v, 0), 1)
}

// Volume is what SetVolume set.
func (p *Player) Volume() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.volume
}

// Play queues a short clip, 24 kHz, and returns at once. The clip is not kept
// after it was played and not changed. Without a running Run it waits.
func (p *Player) Play(clip []int16) {
	s := p.stream()
	s.queue, s.ended = slices.Clone(clip), true
	p.mu.Lock()
	p.clips = append(p.clips, s)
	p.mu.Unlock()
	p.poke()
}

// Begin queues an empty stream behind the earlier ones. One goroutine writes
// it and must End it; a cancelled ctx stops it (and flushes the device), which
// is what barge-in is.
func (p *Player) Begin(ctx context.Context) *Stream {
	s := p.stream()
	p.mu.Lock()
	defer p.mu.Unlock()
	release := context.AfterFunc(ctx, func() { p.cancel(context.Cause(ctx), s) })
	s.release = func() { release() }
	p.streams = append(p.streams, s)
	return s
}

// Stop silences everything queued or sounding and returns when the device is
// flushed, or after 200 ms if it hangs (V6). The streams keep their Played
// count; their Write returns ErrStopped. What begins afterwards plays.
func (p *Player) Stop() {
	p.mu.Lock()
	all := slices.Concat(p.streams, p.clips, p.tail)
	p.held = false
	p.mu.Unlock()
	p.cancel(ErrStopped, all...)
	p.mu.Lock()
	flushed, running := p.flushed, p.running
	p.mu.Unlock()
	if flushed == nil || !running {
		return
	}
	t := time.NewTimer(stopBudget)
	defer t.Stop()
	select {
	case <-flushed:
	case <-t.C:
		p.log.Warn("the loudspeaker did not stop in time", "budget", stopBudget)
	}
}

// Hold makes the streams rest where they are, until Hold(false) or Stop: what the
// device was given already still sounds, for its latency. Clips are played.
// Nothing is lost: this is what somebody gets who may want to say something.
func (p *Player) Hold(on bool) {
	p.mu.Lock()
	p.held = on
	p.mu.Unlock()
	p.poke()
}

// Run plays until ctx is done, then silences the device and returns nil. It is
// the one goroutine that touches the Sink.
func (p *Player) Run(ctx context.Context) error {
	p.start()
	defer p.close()
	var g gain
	for ctx.Err() == nil {
		if p.takeFlush() {
			p.doFlush()
			continue
		}
		s, chunk, volume := p.next()
		if s == nil {
			p.wait(ctx)
			continue
		}
		g.apply(chunk, volume*volume)
		n, err := p.sink.Write(chunk)
		p.wrote(s, n, p.sink.Latency(), err)
	}
	return nil
}

func (p *Player) start() {
	latency := p.sink.Latency()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running, p.latency = true, latency
}

// close cancels what is left when Run ends.
func (p *Player) close() {
	p.mu.Lock()
	all := slices.Concat(p.streams, p.clips, p.tail)
	p.mu.Unlock()
	p.cancel(ErrStopped, all...)
	if p.takeFlush() {
		p.doFlush()
	}
	p.mu.Lock()
	p.running = false
	p.mu.Unlock()
}

// wait blocks until there is something to do or a stream has been heard.
func (p *Player) wait(ctx context.Context) {
	next := p.settle(time.Now())
	if next.IsZero() {
		select {
		case <-ctx.Done():
		case <-p.wake:
		}
		return
	}
	t := time.NewTimer(time.Until(next))
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-p.wake:
	case <-t.C:
		p.settle(time.Now())
	}
}

// settle ends the streams that have been heard to the end by now and returns
// when the next one will be; zero for none.
func (p *Player) settle(now time.Time) (next time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.tail) > 0 {
		s := p.tail[0]
		if at := s.lastMark().Add(p.latency); now.Before(at) {
			return at
		}
		p.tail = p.tail[1:]
		s.finish(s.written, nil)
	}
	return time.Time{}
}

// next takes up to 20 ms from the stream or clip whose turn it is.
func (p *Player) next() (*Stream, []int16, float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.retire()
	s := p.turn()
	if s == nil {
		return nil, nil, 0
	}
	n := min(playerChunk, len(s.queue))
	chunk := slices.Clone(s.queue[:n])
	s.queue = s.queue[n:]
	s.notify()
	return s, chunk, p.volume
}

// turn decides who is next: a clip already begun, a stream that has something,
// else a clip. Called with the lock held.
func (p *Player) turn() *Stream {
	if p.playing != nil {
		return p.playing
	}
	if !p.held && len(p.streams) > 0 && len(p.streams[0].queue) > 0 && (p.streams[0].written > 0 || len(p.clips) == 0) {
		return p.streams[0]
	}
	if len(p.clips) > 0 {
		p.playing = p.clips[0]
		return p.playing
	}
	return nil
}

// retire moves what was wholly given to the sink to the tail. Called with the
// lock held.
func (p *Player) retire() {
	for len(p.streams) > 0 && p.streams[0].given() {
		p.tail = append(p.tail, p.streams[0])
		p.streams = p.streams[1:]
	}
	for len(p.clips) > 0 && p.clips[0].given() {
		p.tail = append(p.tail, p.clips[0])
		p.clips = p.clips[1:]
		p.playing = nil
	}
}

// wrote books n samples of s, or what a lost device means for it.
func (p *Player) wrote(s *Stream, n int, latency time.Duration, err error) {
	now := time.Now()
	p.settle(now)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latency = latency
	s.mark(now, n, latency)
	if err == nil {
		return
	}
	p.log.Warn("the loudspeaker failed", "err", err)
	for _, t := range append(slices.Clone(p.tail), s) {
		t.finish(t.heard(now.Add(-latency)), err)
	}
	p.tail = nil
	p.drop(s)
}

// cancel takes streams out of the queues and asks Run for a flush; Run ends
// them when it is done. Those already over are left alone.
func (p *Player) cancel(err error, streams ...*Stream) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range streams {
		if s.over() || slices.Contains(p.cut, s) {
			continue
		}
		p.drop(s)
		s.fail(err)
		if s.written == 0 && !p.running {
			s.finish(0, err)
			continue
		}
		p.cut = append(p.cut, s)
		p.flush = true
	}
	if p.flush && p.flushed == nil {
		p.flushed = make(chan struct{})
	}
	p.poke()
}

// drop removes s from every queue. Called with the lock held.
func (p *Player) drop(s *Stream) {
	is := func(t *Stream) bool { return t == s }
	p.streams = slices.DeleteFunc(p.streams, is)
	p.clips = slices.DeleteFunc(p.clips, is)
	p.tail = slices.DeleteFunc(p.tail, is)
	if p.playing == s {
		p.playing = nil
	}
}

func (p *Player) takeFlush() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	due := p.flush
	p.flush = false
	return due
}

// doFlush silences the device and ends the streams that were cut.
func (p *Player) doFlush() {
	if err := p.sink.Flush(); err != nil {
		p.log.Warn("the loudspeaker could not be silenced", "err", err)
	}
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range append(p.cut, p.tail...) {
		s.finish(s.heard(now.Add(-p.latency)), s.err)
	}
	p.cut, p.tail = nil, nil
	if !p.flush && p.flushed != nil {
		close(p.flushed)
		p.flushed = nil
	}
}

func (p *Player) poke() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *Player) stream() *Stream {
	return &Stream{p: p, space: make(chan struct{}, 1), stopped: make(chan struct{}), done: make(chan struct{}), release: func() {}}
}
