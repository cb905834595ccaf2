package voice

import (
	"slices"

	"homebot/audio"
	"homebot/internal/speech"
)

// Ears is a connection to a recogniser, as the Listener uses it from its one
// goroutine (speech.Client). After speech.Failure with code lost the recogniser
// is gone until the next speech.Ready, and then waits for a wake phrase.
type Ears interface {
	Hearing
	Taking
}

// Hearing is sound up, what was heard down.
type Hearing interface {
	// Send hands over captured samples; pcm is not kept. It fails while there
	// is no connection, and then the samples are lost, but count.
	Send(pcm []int16) error
	// Heard is what was heard, in order.
	Heard() <-chan speech.Heard
}

// Taking is what a recogniser can be told (speech.Recognizer says what each
// means). Errors mean that there is no connection; Heard says so too.
type Taking interface {
	Take(lang string) error
	// Overhear is Take while the device itself speaks: wake phrases are reported
	// too, if the recogniser can.
	Overhear(lang string) error
	End() error
	Wait() error
}

// framer is what an audio.Source may also be: it is told how long the next
// reads will be, so that a device can be read with fewer wake-ups.
type framer interface{ SetFrame(samples int) }

// ear is one Ears with its sample count: positions in Heard count the samples
// given to Send, heard or lost.
type ear struct {
	Ears
	name    string // its Fault code
	up      bool   // connected
	waiting bool   // it waits for a wake phrase
	sent    int    // samples
	ordered int    // of them when it was last told to wait or to take
	streams bool   // it was seen to give words while somebody speaks
}

// hear sends pcm and counts it, in frames as a microphone gives them: a recogniser
// refuses what is too long for one. Whether it arrived is what Heard tells.
func (e *ear) hear(pcm []int16) {
	for frame := range slices.Chunk(pcm, audio.WaitingFrame) {
		_ = e.Send(frame)
	}
	e.sent += len(pcm)
}

// ago is how many samples ago position pos was captured; one that cannot be is
// now.
func (e *ear) ago(pos int) int {
	if pos <= 0 || pos > e.sent || e.sent-pos > maxLag {
		return 0
	}
	return e.sent - pos
}

// ready: a connection begins, and waits for a wake phrase.
func (e *ear) ready() { e.up, e.waiting = true, true }

// rest makes it wait for a wake phrase, unless it does: a second order would
// drop half a phrase.
func (e *ear) rest() error {
	if !e.up || e.waiting {
		return nil
	}
	e.waiting, e.ordered = true, e.sent
	return e.Wait()
}

// stale reports whether a wake was on its way when the recogniser got its last
// order: it does not take an utterance for that wake.
func (e *ear) stale(h speech.Heard) bool { return h.End > 0 && h.End < e.ordered }

// take begins an utterance.
func (e *ear) take(lang string) error {
	e.waiting, e.ordered = false, e.sent
	return e.Take(lang)
}

// overhear begins one while the device speaks.
func (e *ear) overhear(lang string) error {
	e.waiting, e.ordered = false, e.sent
	return e.Overhear(lang)
}

// maxLag is the oldest position a recogniser may speak of: older than any
// hangover or back-pressure seen, younger than a count of another connection.
const maxLag = 3 * audio.CaptureRate
