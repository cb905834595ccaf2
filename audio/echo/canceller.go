package echo

import (
	"log/slog"
	"sync/atomic"
	"time"

	"homebot/audio"
)

const (
	// blockSize is what is computed at once: 20 ms.
	blockSize = audio.SessionFrame
	// playedBlock is the same stretch of what is played.
	playedBlock = audio.PlaybackRate * 20 / 1000
	// tail is how long a kitchen answers: 200 ms, the length measured in
	// platform.md section 2.
	tail = audio.CaptureRate * 200 / 1000
	// suppressAlone and suppressBoth are how much the residual suppressor takes
	// off where there is only echo, and beside a voice (dB; the library's own).
	suppressAlone, suppressBoth = -40, -15
	// lead is how far into the filter the echo's first arrival is put: what a
	// measurement can be late by, as a filter has no negative delays.
	lead = audio.CaptureRate * 4 / 1000
	// outlast is how long after the last sample played blocks are worked on:
	// the longest delay, the tail, and the filter's history made silent.
	outlast = time.Second
	// longest bounds that where it is never quiet (root mean square).
	longest = 5 * time.Second
	quiet   = 100
	// every is how many blocks lie between two measurements of the delay, soon
	// while it is not known.
	every, soon = 32, 5
	// doubtful is for how many blocks of sound the microphone may be turned down
	// (by 36 dB) while the device speaks and the echo is not found or not yet
	// taken off: four seconds of speech at most, of the first reply after a start.
	// Without it, each reply would begin with a piece of the device's own voice.
	doubtful   = 200
	turnedDown = 6 // bits
	// history is how many blocks are kept to measure, and to learn from again.
	history = measured/blockSize + 1
	// lessons is how often the filter goes over the history when the delay was
	// found: it begins with what it would otherwise know after some seconds.
	lessons = 4
	// loud is the root mean square above which a reference is worth measuring.
	loud = 50
)

// Canceller takes what is played out of what is captured. Sent, Taken and Cut
// (child.Tap) are called by the goroutine that plays; Process and Close by the
// one that captures; State by any.
type Canceller struct {
	played   *reference
	log      *slog.Logger
	speaks   func() bool
	speex    *speex
	meter    *delayMeter
	resample *audio.Resampler

	clock   captureClock
	run     int   // the card's run that next belongs to
	next    int64 // position in played that belongs to the next block captured
	delay   int   // samples the echo comes later than the clocks say; of the last lock
	locked  bool  // the delay was measured in this run
	known   bool  // it was measured in an earlier one
	doubts  int   // blocks of sound in a row that may hold the device's voice
	strayed int   // the last measurement's distance, when it was too far
	trouble int   // blocks in a row that kept their echo

	windows int     // of State in this run
	best    float64 // dB taken off in the best of them

	hopeless bool // doubts went on for too long
	active   bool
	since    int                       // blocks since the last measurement
	filled   int                       // blocks of history
	mics     [history][blockSize]int16 // newest last
	refs     [history][blockSize]int16

	sums  sums
	wide  [playedBlock + 2*margin]int16
	thin  []int16
	state atomic.Pointer[State]
	works atomic.Bool
	// settling counts down the blocks after a hole in what was played, in which
	// some of the device's own voice still comes through.
	settling atomic.Int32
}

// margin is what the resampler needs around a block, in samples of what is
// played: half its filter.
const margin = 96

// State is what a Canceller last knew of the echo.
type State struct {
	// Found: the echo was found in this run of the loudspeaker.
	Found bool
	// Delay is the way from the card's start to the microphone, beyond what the
	// clocks say.
	Delay time.Duration
	// Removed is the energy taken off while only the device spoke, in dB (the
	// last second); 0 before.
	Removed float64
}

// New returns a canceller, or an error where the program was built without
// libspeexdsp. speaks reports whether the device speaks and nobody else is
// expected to (a reply, not an earcon); it is called for each block while
// something is played. log may be nil. Close frees it.
func New(speaks func() bool, log *slog.Logger) (*Canceller, error) {
	s, err := newSpeex()
	if err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	r, err := audio.NewResampler(audio.PlaybackRate, audio.CaptureRate)
	if err != nil {
		s.close()
		return nil, err
	}
	c := &Canceller{speaks: speaks, played: newReference(time.Now()), log: log, speex: s, meter: newDelayMeter(), resample: r}
	c.state.Store(&State{})
	return c, nil
}

// Close frees the library's memory. Nothing is processed after it.
func (c *Canceller) Close() { c.speex.close() }

// State is what is known of the echo now.
func (c *Canceller) State() State { return *c.state.Load() }

// Works reports whether what is captured holds the device's voice no more: an
// echo was found and at least 18 dB of it were taken off. For 1.5 s after the card
// ran dry it does not: what is left of a voice then is words to a recogniser.
func (c *Canceller) Works() bool { return c.works.Load() && c.settling.Load() == 0 }

// Sent is child.Tap: pcm goes to the card, behind what was sent before.
func (c *Canceller) Sent(pcm []int16) { c.played.add(pcm, time.Now()) }

// Taken is child.Tap: the card took n samples.
func (c *Canceller) Taken(n, silence int, begun time.Time) { c.played.took(n, silence, begun) }

// Cut is child.Tap: what was sent does not sound any more.
func (c *Canceller) Cut() { c.played.cut(time.Now()) }

// Process takes the echo out of one block, in place; now is when it had been
// captured. While there is echo the result is 20 ms late.
func (c *Canceller) Process(block *[blockSize]int16, now time.Time) {
	c.clock.read(now)
	if c.settling.Load() > 0 {
		c.settling.Add(-1)
	}
	if c.over(block, now) {
		c.rest()
		return
	}
	if run := c.played.run(); run != c.run || !c.active {
		c.begin(run)
	}
	mic, ref := c.push()
	*mic = *block
	c.fetch(ref, c.next)
	c.next += playedBlock
	c.clean(block, mic, ref)
	if c.since++; c.since >= every || c.since >= soon && (!c.locked || c.trouble >= troubled) {
		c.since = 0
		c.measure()
	}
}

// over reports whether nothing was played for long enough. The suppressor's 20
// ms are given back where nobody speaks, so that no word loses them.
func (c *Canceller) over(block *[blockSize]int16, now time.Time) bool {
	sound := c.played.sound.Load()
	if sound == 0 {
		return true
	}
	past := time.Duration(c.played.at(now)-sound) * time.Second / audio.PlaybackRate
	return past > outlast && (!c.active || !c.locked || past > longest || energy(block[:]) < quiet*quiet*blockSize)
}

func (c *Canceller) rest() {
	if c.active {
		c.active, c.filled = false, 0
	}
}

// clean takes the echo out, and keeps it small while that does not work yet.
func (c *Canceller) clean(block, mic, ref *[blockSize]int16) {
	if c.locked {
		*block = *c.speex.cancel(mic, ref)
		c.watch(mic, ref, block)
	}
	if c.locked && c.works.Load() {
		c.doubts, c.hopeless = 0, false
		return
	}
	if energy(ref[:]) > loud*loud*blockSize {
		c.doubts++
	}
	switch {
	case c.doubts > doubtful:
		c.works.Store(false)
		c.hopeless = true // there is none, or it cannot be taken off
	case c.speaks() && !c.hopeless:
		for i := range block {
			block[i] >>= turnedDown
		}
	}
}

// lost notes that samples are missing: nothing is known of the capture's clock.
func (c *Canceller) lost() {
	c.rest()
	c.clock = captureClock{}
}

// begin finds, by the clocks and the delay of the run before, what belongs to
// the block just captured.
func (c *Canceller) begin(run int) {
	c.log.Debug("the loudspeaker begins", "run", run)
	if c.windows > 1 && c.best < enoughRemoved/3 {
		c.works.Store(false) // the device stands elsewhere, or its voice is another
	}
	c.windows, c.best, c.doubts = 0, 0, 0
	c.run, c.active, c.locked, c.strayed, c.trouble = run, true, false, 0, 0
	c.next = c.played.at(c.clock.begun()) - int64(c.delay)*3/2
	c.since, c.filled = 0, 0
}

// push makes room for the newest block of the history.
func (c *Canceller) push() (mic, ref *[blockSize]int16) {
	copy(c.mics[:], c.mics[1:])
	copy(c.refs[:], c.refs[1:])
	c.filled = min(c.filled+1, history)
	return &c.mics[history-1], &c.refs[history-1]
}

// fetch reads a block of what is played, at the microphone's rate.
func (c *Canceller) fetch(dst *[blockSize]int16, from int64) {
	c.played.window(c.wide[:], from-margin)
	if silent(c.wide[:]) {
		clear(dst[:])
		return
	}
	c.resample.Reset()
	c.thin = c.resample.Process(c.thin[:0], c.wide[:])
	copy(dst[:], c.thin[margin*2/3:])
}

func silent(pcm []int16) bool {
	for _, v := range pcm {
		if v != 0 {
			return false
		}
	}
	return true
}
