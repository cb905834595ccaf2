package voice

import (
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
	// is no connection, and then the samples are lost.
	Send(pcm []int16) error
	// Heard is what was heard, in order.
	Heard() <-chan speech.Heard
}

// Taking is what a recogniser can be told (speech.Recognizer says what each
// means). Errors mean that there is no connection; Heard says so too.
type Taking interface {
	Take(lang string) error
	End() error
	Wait() error
}

// framer is what an audio.Source may also be: it is told how long the next
// reads will be, so that a device can be read with fewer wake-ups.
type framer interface{ SetFrame(samples int) }

// ear is one Ears with its sample count: positions in Heard count from the
// beginning of the connection, positions in the pre-roll from the start.
type ear struct {
	Ears
	name string
	up   bool
	sent int // samples since the connection began
}

// hear sends pcm and counts it.
func (e *ear) hear(pcm []int16) {
	if !e.up {
		return
	}
	if e.Send(pcm) == nil {
		e.sent += len(pcm)
	}
}

// at is how many samples ago position pos of the connection was captured; a
// position that cannot be (a count of another connection) is now.
func (e *ear) ago(pos int) int {
	if pos <= 0 || pos > e.sent || e.sent-pos > maxLag {
		return 0
	}
	return e.sent - pos
}

// maxLag is the oldest position a recogniser may speak of: older than any
// hangover or back-pressure seen, younger than a count of another connection.
const maxLag = 3 * audio.CaptureRate
