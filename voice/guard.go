package voice

import (
	"strings"
	"time"

	"homebot/internal/event"
	"homebot/internal/text"
)

// The text guard (V7): what is heard while the device speaks, or just after, and
// resembles what it said, is its own voice. Echo cancellation leaves little of
// it, and a recogniser makes words of little.
const (
	// ownShare of the words heard must be among those spoken, in order: a
	// recogniser that hears a loudspeaker gets about a third wrong.
	ownShare = 0.6
	// ownTail: speech that began so soon after the last sound is its tail, in a
	// room or in a Bluetooth loudspeaker that plays late.
	ownTail = 300 * time.Millisecond
	// lateTail: later, up to here, only a long and close copy is. A person who
	// answers takes up words of the question.
	lateTail  = time.Second
	lateShare = 0.8
	lateUnits = 4
	// ownSentences is how many sentences back are compared: an utterance
	// overheard may hold several.
	ownSentences = 4
)

// said notes a sentence that begins to sound.
func (l *Loop) said(w event.Words) {
	l.saying = w
	l.spoken = append(l.spoken, text.Spoken(w.Text, w.Lang))
	if over := len(l.spoken) - ownSentences; over > 0 {
		l.spoken = l.spoken[over:]
	}
}

// ownWords reports whether words heard while the device speaks are its own.
func (l *Loop) ownWords(words string) bool {
	share, n := text.Echo(words, strings.Join(l.spoken, " "))
	if n < 3 {
		return n > 0 && share == 1
	}
	return share >= ownShare
}

// ownTailWords reports whether words heard in a follow-up window are the tail of
// what was said; lead is how long after its end their speech began.
func (l *Loop) ownTailWords(words string, lead time.Duration) bool {
	switch {
	case lead <= ownTail:
		return l.ownWords(words)
	case lead <= lateTail:
		share, n := text.Echo(words, strings.Join(l.spoken, " "))
		return n >= lateUnits && share >= lateShare
	}
	return false
}
