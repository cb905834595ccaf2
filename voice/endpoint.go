package voice

import (
	"time"

	"homebot/audio"
)

// Endpointing says when an utterance is over. The zero value means the
// defaults. It is set by `[voice]` of homebot.toml and nothing else (V7, R41).
type Endpointing struct {
	// Silence after speech ends the utterance. Default 700 ms: 300 ms cuts
	// people off when they pause, over a second feels slow.
	Silence time.Duration
	// NoSpeech ends an utterance in which nobody speaks, after a wake.
	// Default 8 s: long enough to think of the words.
	NoSpeech time.Duration
	// FollowUp is NoSpeech for the follow-up window after a reply (V3).
	// Default 8 s; negative: there is none, and every reply ends the session.
	FollowUp time.Duration
	// Longest ends any utterance: noise that never stops. Default 20 s.
	Longest time.Duration
	// Final is how long the recogniser may take for the words after the end.
	// Default 5 s, which is more than a slow remote recogniser needs.
	Final time.Duration
	// PreRoll is how much sound before now can still be sent to a remote
	// recogniser. Default 2 s: a wake message is never that late.
	PreRoll time.Duration
}

func (e Endpointing) withDefaults() Endpointing {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&e.Silence, 700*time.Millisecond)
	def(&e.NoSpeech, 8*time.Second)
	def(&e.FollowUp, 8*time.Second)
	def(&e.Longest, 20*time.Second)
	def(&e.Final, 5*time.Second)
	def(&e.PreRoll, 2*time.Second)
	return e
}

// samples is d at the capture rate.
func samples(d time.Duration) int {
	return int(d * audio.CaptureRate / time.Second)
}

// wakeTail is how long the sound of the wake phrase may go on after its
// reported end: a speech_stopped in it is the wake phrase's, not a command's.
var wakeTail = samples(300 * time.Millisecond)

// endpoint watches one utterance. Its clock is the samples captured, so that a
// late message or a burst of frames does not move the end.
type endpoint struct {
	silence, nothing, longest int // samples

	began    int  // where the utterance begins
	quiet    int  // where the last speech ended
	speaking bool // the recogniser hears speech now
	spoke    bool // it heard some
}

func newEndpoint(rule Endpointing, nothing time.Duration, began int) *endpoint {
	return &endpoint{
		silence: samples(rule.Silence), nothing: samples(nothing), longest: samples(rule.Longest),
		began: began, quiet: began,
	}
}

// started: speech begins.
func (e *endpoint) started() { e.speaking, e.spoke = true, true }

// stopped: speech ended at pos. Without a start it began in the wake phrase and
// went on (a command in one breath), unless it ended with it.
func (e *endpoint) stopped(pos int) {
	if !e.spoke && pos <= e.began+wakeTail {
		return
	}
	e.speaking, e.spoke, e.quiet = false, true, max(pos, e.quiet)
}

// words: the recogniser has words, whatever its speech detector says.
func (e *endpoint) words(pos int) {
	if !e.spoke {
		e.spoke, e.quiet = true, pos
	}
}

// over reports whether the utterance is over at position now.
func (e *endpoint) over(now int) bool {
	switch {
	case now-e.began >= e.longest:
		return true
	case e.speaking:
		return false
	case e.spoke:
		return now-e.quiet >= e.silence
	}
	return now-e.began >= e.nothing
}
