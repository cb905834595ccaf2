// Package voicetest has ears, a microphone, a loudspeaker and a Handler that
// follow a script, and Play, which runs a script through the real voice session
// and returns what happened, to the millisecond, for a person to read.
//
// Everything waits on package time: it belongs into a testing/synctest bubble.
package voicetest

import (
	"strings"
	"sync"
	"time"

	"homebot/internal/speech"
)

// How fast the scripted recogniser is. The odd milliseconds keep its messages
// off the 20 ms grid of the frames.
const (
	hangover   = 160 * time.Millisecond // silence until speech_stopped
	finalAfter = 43 * time.Millisecond  // words after End
)

// Ears is a recogniser that hears what Wakes and Says tell it, if it is in the
// state to hear it. It is a voice.Ears.
type Ears struct {
	// OnTake, if set, is called at each Take.
	OnTake func()
	// NoWake: it has words only while it overhears, no wake phrases.
	NoWake bool

	heard chan speech.Heard
	mu    sync.Mutex
	down  bool
	mute  bool // it never answers End
	state earsState
	lang  string
	sent  int
	first time.Time // of the samples; zero before
	words []string  // of the utterance being taken
	voice *span     // somebody speaks now
	over  bool      // the utterance is overheard
	noise bool      // it takes what it hears for speech
	since int       // where the last speech began, in samples
}

// span is one span of speech going on.
type span struct {
	text  string
	since time.Time
	last  time.Duration
	taken bool // it belongs to the utterance being taken
}

type earsState int

const (
	waiting earsState = iota
	taking
	silent
)

// NewEars returns ears that are connected. The channel has room for all that a
// script may hear before anybody reads.
func NewEars() *Ears {
	e := NewDeafEars()
	e.Restore()
	return e
}

// NewDeafEars returns ears without a connection, until Restore.
func NewDeafEars() *Ears { return &Ears{heard: make(chan speech.Heard, 64), down: true} }

func (e *Ears) say(h speech.Heard) { e.heard <- h }

// Heard is voice.Ears.
func (e *Ears) Heard() <-chan speech.Heard { return e.heard }

// Send counts samples. It breaks the connection at a frame that a server refuses.
func (e *Ears) Send(pcm []int16) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(pcm) > speech.CaptureRate && !e.down {
		e.breaks("a frame longer than 1s")
	}
	e.sent += len(pcm)
	if e.first.IsZero() {
		e.first = time.Now()
	}
	return e.lost()
}

// Sent is how many samples came, and First when the first did.
func (e *Ears) Sent() (samples int, first time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sent, e.first
}

func (e *Ears) lost() error {
	if e.down {
		return speech.ErrLost
	}
	return nil
}

// Take begins an utterance; speech that goes on belongs to it.
func (e *Ears) Take(lang string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.OnTake != nil {
		e.OnTake()
	}
	e.begin(lang)
	return e.lost()
}

// Overhear is Take while the device speaks.
func (e *Ears) Overhear(lang string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.begin(lang)
	e.over = true
	return e.lost()
}

func (e *Ears) begin(lang string) {
	if lang != "" {
		e.lang = lang
	}
	e.state, e.words, e.over = taking, nil, false
	if e.noise && !e.down {
		e.say(speech.Heard{Kind: speech.SpeechStarted, Lang: e.lang, Start: e.sent, End: e.sent})
	}
	if e.voice != nil {
		e.voice.taken = true
	}
}

// End ends it: the words come a little later.
func (e *Ears) End() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.voice != nil && e.voice.taken {
		e.words = append(e.words, e.voice.soFar())
		e.voice.taken = false
	}
	h := speech.Heard{Kind: speech.Final, Text: strings.Join(e.words, " "), Lang: e.lang, Confidence: 0.9}
	if strings.TrimSpace(h.Text) == "" {
		h = speech.Heard{Kind: speech.NoSpeech}
	}
	e.state, e.words = silent, nil
	if !e.down && !e.mute {
		time.AfterFunc(finalAfter, func() { e.say(h) })
	}
	return e.lost()
}

// soFar is what was said of it by now, in proportion.
func (v *span) soFar() string {
	runes := []rune(v.text)
	n := int(int64(len(runes)) * int64(time.Since(v.since)) / int64(v.last))
	return string(runes[:min(n, len(runes))])
}

// Wait waits for a wake phrase.
func (e *Ears) Wait() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state, e.words = waiting, nil
	return e.lost()
}

// Wakes: somebody says phrase, which takes d, and is heard at its end. The news of
// it is on its way for late, in which other orders may come. It returns then.
func (e *Ears) Wakes(phrase, lang string, d, late time.Duration) {
	if e.asWords() {
		e.Says(phrase, lang, d)
		return
	}
	time.Sleep(d)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.down || e.state != waiting && !(e.state == taking && e.over) {
		return
	}
	h := speech.Heard{Kind: speech.Wake, Phrase: phrase, Lang: lang, Start: e.sent - samples(d), End: e.sent}
	if late == 0 {
		e.say(h)
		e.begin(lang)
		return
	}
	e.begin(lang)
	e.mu.Unlock()
	time.Sleep(late)
	e.mu.Lock()
	e.say(h)
}

// asWords: a wake phrase is heard as words now.
func (e *Ears) asWords() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.NoWake && e.state == taking
}

// Noise begins or ends a noise that it takes for speech.
func (e *Ears) Noise(on bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.noise = on
	if e.down || e.state != taking || e.voice != nil {
		return
	}
	kind := speech.SpeechStopped
	if on {
		kind = speech.SpeechStarted
	}
	e.say(speech.Heard{Kind: kind, Lang: e.lang, Start: e.sent, End: e.sent})
}

// Talks: somebody says the pieces, each of which takes d and is in the partial
// transcript at its end, as a recogniser that streams has it. An empty piece is a
// pause.
func (e *Ears) Talks(lang string, d time.Duration, pieces ...string) {
	for i := 0; i < len(pieces); i++ {
		if pieces[i] == "" {
			time.Sleep(d)
			continue
		}
		e.start("", lang, time.Hour)
		for ; i < len(pieces) && pieces[i] != ""; i++ {
			time.Sleep(d)
			e.more(pieces[i])
		}
		i--
		e.stop()
	}
}

// more adds words to the utterance.
func (e *Ears) more(words string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.down || e.state != taking {
		return
	}
	e.words = append(e.words, words)
	e.say(speech.Heard{Kind: speech.Partial, Text: strings.Join(e.words, " "), Lang: e.lang})
}

// Says: somebody says text in lang, which takes d; text that is not understood
// is "". It returns at its end; speech_stopped follows by itself.
func (e *Ears) Says(text, lang string, d time.Duration) {
	e.start(text, lang, d)
	time.Sleep(d)
	e.stop()
}

func (e *Ears) start(text, lang string, d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.voice = &span{text: text, since: time.Now(), last: d, taken: e.state == taking}
	if e.down || e.state != taking {
		return
	}
	if lang != "" {
		e.lang = lang
	}
	if e.noise {
		return // it was speech before
	}
	e.since = e.sent
	e.say(speech.Heard{Kind: speech.SpeechStarted, Lang: lang, Start: e.sent, End: e.sent})
}

func (e *Ears) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	v := e.voice
	e.voice = nil
	if e.down || e.state != taking || !v.taken {
		return
	}
	if v.text != "" {
		e.words = append(e.words, v.text)
		e.say(speech.Heard{Kind: speech.Partial, Text: strings.Join(e.words, " "), Lang: e.lang})
	}
	end := e.sent
	time.AfterFunc(hangover, func() { e.stopped(end) })
}

func (e *Ears) stopped(end int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.down && e.state == taking && e.voice == nil && !e.noise {
		e.say(speech.Heard{Kind: speech.SpeechStopped, Lang: e.lang, Start: e.since, End: end})
	}
}

// Deafen makes it answer no End any more.
func (e *Ears) Deafen() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.mute = true
}

// Lose breaks the connection.
func (e *Ears) Lose() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.breaks("connection reset by peer")
}

func (e *Ears) breaks(why string) {
	e.down, e.state, e.words = true, waiting, nil
	e.say(speech.Heard{Kind: speech.Failure, Code: speech.CodeLost, Text: why})
}

// Loads: the recogniser is there and loads its models.
func (e *Ears) Loads() { e.say(speech.Heard{Kind: speech.Loading}) }

// Restore makes it anew, if it is broken; it waits for a wake phrase then.
func (e *Ears) Restore() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.down {
		return
	}
	e.down, e.state, e.words = false, waiting, nil
	e.say(speech.Heard{Kind: speech.Ready})
}

func samples(d time.Duration) int { return int(d * speech.CaptureRate / time.Second) }
