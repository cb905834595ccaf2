package voice

import (
	"time"

	"homebot/internal/speech"
)

// What the Listener tells the Loop beside what the recogniser heard.
const (
	// Ended: the Listener ended the utterance; Final or NoSpeech follows.
	Ended speech.HeardKind = "ended"
	// Lost and Back: something needed for hearing (Code, one of the Fault
	// constants) is gone or works again.
	Lost speech.HeardKind = "lost"
	Back speech.HeardKind = "back"
)

// Codes of event.Fault that the voice session raises.
const (
	FaultMicrophone = "microphone"  // the Source is gone
	FaultEars       = "ears"        // the recogniser on this machine is gone
	FaultRemoteEars = "remote_ears" // the remote one is; the local one stands in
	FaultVoice      = "voice"       // nothing can be spoken
)

// Heard is one thing the Listener tells the Loop: Kind is Wake, Partial, Ended,
// Final, NoSpeech, Lost or Back; of what is overheard SpeechStarted and
// SpeechStopped too.
type Heard struct {
	speech.Heard
	// Spoke (Ended, NoSpeech): somebody spoke, understood or not.
	Spoke bool
	// Silence (Ended) is how long ago somebody stopped speaking.
	Silence time.Duration
	// Broken (Lost): an utterance was broken off.
	Broken bool

	// Over: it was overheard, while the device itself spoke.
	Over bool
	// MadeUp (NoSpeech): the recogniser had words, of the kind that is read out of
	// silence.
	MadeUp bool
	// Doubt (NoSpeech): what sounded may all have been the device's own earcon.
	Doubt bool
	// Lead (Partial, Final) is how long after the beginning of the utterance
	// somebody began to speak.
	Lead time.Duration

	wake      int // Wake: its number
	utterance int // the number of the utterance that it belongs to
}
