// Package speech is the protocol between the device and its ears and voice:
// messages, Client, Server, and the Engine interfaces that recognisers and
// voices implement (docs/PROTOCOL.md).
//
// Audio goes up as 16 kHz mono s16 over one websocket, what was heard comes
// down; text to be spoken goes to POST /v1/audio/speech and comes back as
// 24 kHz mono s16.
package speech

import (
	"context"

	"homebot/internal/phrases"
)

// HeardKind names what a recogniser heard.
type HeardKind string

// What can come down the websocket (docs/PROTOCOL.md has each one's fields).
const (
	Ready         HeardKind = "ready"
	Wake          HeardKind = "wake"
	SpeechStarted HeardKind = "speech_started"
	SpeechStopped HeardKind = "speech_stopped"
	Partial       HeardKind = "partial"
	Final         HeardKind = "final"
	NoSpeech      HeardKind = "no_speech"
	Failure       HeardKind = "error"
	Loading       HeardKind = "loading" // before Ready, every few seconds: models are being loaded
)

// Heard is one thing a recogniser heard. Start and End are sample counts at
// 16 kHz since the connection began, of the audio it speaks of.
type Heard struct {
	Kind       HeardKind `json:"type"`
	Phrase     string    `json:"phrase,omitempty"` // Wake: the configured phrase
	Text       string    `json:"text,omitempty"`   // Partial, Final; Failure: one sentence
	Lang       string    `json:"lang,omitempty"`   // "zh" or "en"
	Confidence float64   `json:"confidence,omitempty"`
	// NoSpeechProb and LogProb (Final) are how far an engine doubts its own
	// words; 0 is unknown.
	NoSpeechProb float64 `json:"no_speech_prob,omitempty"`
	LogProb      float64 `json:"avg_logprob,omitempty"`
	Speaker      string  `json:"speaker,omitempty"`
	Code         string  `json:"code,omitempty"` // Failure: stable code
	Start        int     `json:"start,omitempty"`
	End          int     `json:"end,omitempty"`
	Info         *Info   `json:"info,omitempty"` // Ready: who listens
}

// Info is what an engine is and could not do, sent with Ready. A pointer in
// Heard, so that Heard values stay comparable.
type Info struct {
	Engine    string    `json:"engine"`             // "sphinx", …
	Languages []string  `json:"languages"`          // languages it hears
	LeftOut   []LeftOut `json:"left_out,omitempty"` // phrases of the hello it cannot know
	Note      string    `json:"note,omitempty"`     // why it is not the engine that was wanted, in one line
}

// Phrase is one set phrase a closed-grammar recogniser should know. Kin phrases
// (same Kin, not empty) may sound alike; others one phone apart are refused.
//
// Boost and Threshold are for open-vocabulary wake words, 0 being the engine's
// own: how much a phrase is favoured, and the probability it needs (to 1).
type Phrase struct {
	Text      string  `json:"text"`
	Lang      string  `json:"lang"`
	Kin       string  `json:"kin,omitempty"`
	Boost     float64 `json:"boost,omitempty"`
	Threshold float64 `json:"threshold,omitempty"`
}

// Hello is what a client asks of a recogniser for one connection.
type Hello struct {
	Version   int      `json:"version"` // protocol version, 1
	Rate      int      `json:"rate"`    // 16000
	Languages []string `json:"languages"`
	Wake      []Phrase `json:"wake"`
	Phrases   []Phrase `json:"phrases"`
}

// Recognizer hears one connection. The server calls all its methods from one
// goroutine. It starts out waiting for a wake phrase.
type Recognizer interface {
	// Accept takes the next samples and returns what is newly heard, in order.
	// After a Wake it takes an utterance by itself, from the end of the wake
	// phrase on (a command in one breath belongs to it).
	Accept(pcm []int16) ([]Heard, error)
	// Take begins an utterance now, in lang (follow-up window; V3). "" keeps
	// the language of the voice session.
	Take(lang string) error
	// End ends the utterance (the Listener decided): it returns Final or
	// NoSpeech, and goes on silent until Take or Wait.
	End() ([]Heard, error)
	// Wait drops what is being taken and waits for a wake phrase again.
	Wait() error
	Close() error
}

// Overhearer is what a Recognizer may also be: Overhear is Take while the device
// itself speaks. A wake phrase in it is reported as in waiting, by End too, and
// begins an utterance of its own.
type Overhearer interface {
	Overhear(lang string) error
}

// Engine makes recognisers. It reports phrases it had to leave out, each with
// the reason; the rest works.
type Engine interface {
	NewRecognizer(ctx context.Context, h Hello) (r Recognizer, leftOut []LeftOut, err error)
}

// Describer is what an Engine may also be: Describe names it and the languages
// it hears, without phrases, for Ready and /healthz. Any goroutine may call it.
type Describer interface {
	Describe() Info
}

// LeftOut is a phrase an engine cannot know, and why, in both languages' words
// of package phrases.
type LeftOut struct {
	Phrase Phrase `json:"phrase"`
	Reason string `json:"reason"`

	Why error `json:"-"` // Reason in both languages; nil at the other end of a connection
}

// LeaveOut is p left out, with the reason in its own language.
func LeaveOut(p Phrase, says phrases.Phrase, args ...any) LeftOut {
	return LeftOut{Phrase: p, Reason: says.In(p.Lang, args...), Why: phrases.Errorf(says, args...)}
}

// Synthesizer speaks one text in one language: it calls emit with 24 kHz mono
// s16 as it becomes ready, from the caller's goroutine, and stops at emit's
// first error or when ctx ends.
type Synthesizer interface {
	Speak(ctx context.Context, text, lang string, emit func(pcm []int16) error) error
}

// Pacer is what a Synthesizer may also be: SpeakAt is Speak at a speed, 1 being
// the voice's own, 0.25 to 4.
type Pacer interface {
	SpeakAt(ctx context.Context, text, lang string, speed float64, emit func(pcm []int16) error) error
}

// Checker is what an Engine or a Synthesizer may also be: Check says in one
// line why it cannot work now, for /healthz and doctor.
type Checker interface {
	Check(ctx context.Context) error
}

// Rates of the protocol in hertz: audio up (CaptureRate) and down
// (PlaybackRate: what OpenAI-shaped voices give).
const (
	CaptureRate  = 16000
	PlaybackRate = 24000
)

// ProtocolVersion is what Hello.Version says today. Later ones only add.
const ProtocolVersion = 1
