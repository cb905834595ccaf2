// Package speechtest has ears and a voice for tests, and the conformance tests
// that they and the real ones pass.
//
// Engine hears what Utter makes: PCM that carries its own words, exactly, as
// long as no sample is changed (a pipe, a websocket, a WAV file keep it; a sound
// card does not). Synthesizer speaks PCM that says how long a text is.
package speechtest

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"sync"

	"homebot/internal/speech"
)

// Engine is a speech.Engine whose recognisers hear Utter's PCM and follow
// Script. The zero value works. Fields are set before use; to change the
// behaviour of what runs already, use its methods.
type Engine struct {
	Name      string           // "" is "speechtest"
	Languages []string         // nil is zh and en
	Script    []Cue            // said at these sample counts, whatever the audio
	LeftOut   []speech.LeftOut // reported for every hello
	Err       error            // NewRecognizer fails with it
	// Before, if set, is called at the start of every Accept: a slow or a
	// failing recogniser.
	Before func(pcm []int16) error

	mu     sync.Mutex
	hellos []speech.Hello
	open   int
}

// Cue is something that is heard once At samples were accepted. Its Start and
// End are used as they are.
type Cue struct {
	At    int
	Heard speech.Heard
}

var (
	_ speech.Engine    = (*Engine)(nil)
	_ speech.Describer = (*Engine)(nil)
)

// Describe names the engine.
func (e *Engine) Describe() speech.Info {
	info := speech.Info{Engine: e.Name, Languages: e.Languages}
	if info.Engine == "" {
		info.Engine = "speechtest"
	}
	if info.Languages == nil {
		info.Languages = []string{"zh", "en"}
	}
	return info
}

// NewRecognizer makes a recogniser for h.
func (e *Engine) NewRecognizer(ctx context.Context, h speech.Hello) (speech.Recognizer, []speech.LeftOut, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hellos = append(e.hellos, h)
	if err := errors.Join(ctx.Err(), e.Err); err != nil {
		return nil, nil, err
	}
	e.open++
	return &recognizer{engine: e, hello: h, script: slices.Clone(e.Script)}, e.LeftOut, nil
}

// Hellos returns every hello so far, in order.
func (e *Engine) Hellos() []speech.Hello {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.hellos)
}

// Open returns how many recognisers were made and not closed.
func (e *Engine) Open() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open
}

// Utter is PCM of n samples in which a recogniser of this package hears words.
// text that begins with a wake phrase of the hello wakes; what follows is the
// command in one breath. n is raised to what the words need.
func Utter(text, lang string, n int) []int16 {
	body := []byte(lang + "\x00" + text)
	pcm := make([]int16, max(n, len(mark)+1+len(body)))
	for i := range pcm {
		pcm[i] = voiced(i)
	}
	copy(pcm, mark[:])
	pcm[len(mark)] = int16(len(body))
	for i, b := range body {
		pcm[len(mark)+1+i] = voiced(0) + int16(b)
	}
	return pcm
}

// mark begins an utterance: values that no other signal of a test has in a row.
var mark = [...]int16{12345, -23456, 31415, -27182}

// voiced is a loud 500 Hz square wave: speech, for whoever looks at the energy.
func voiced(i int) int16 {
	if i/16%2 == 0 {
		return 8000
	}
	return -8000
}

// quiet is the level below which a sample is silence; hangover is how much of it
// ends a span of speech: 100 ms.
const (
	quiet    = 500
	hangover = speech.CaptureRate / 10
)

// recognizer hears the words in the PCM of Utter.
type recognizer struct {
	engine *Engine
	hello  speech.Hello
	script []Cue
	closed bool

	count  int // samples accepted
	state  state
	lang   string  // of the voice session
	tail   []int16 // the last samples, as many as a mark has
	words  []int16 // of the utterance being read, after its mark
	need   int     // samples words must have; 0: none is being read
	spoken int     // samples since the last loud one
	start  int     // of the span of speech, plus one; 0: silence
	told   bool    // SpeechStarted was said of it
	said   span    // words read in this span of speech
	taken  []string
	begun  int  // of the utterance
	over   bool // a wake phrase in it wakes
	heard  []speech.Heard
}

// span is the words that one Utter carried.
type span struct{ lang, text string }

type state int

const (
	waiting state = iota
	taking
	silent
)

// Accept hears pcm.
func (r *recognizer) Accept(pcm []int16) ([]speech.Heard, error) {
	if r.closed {
		return nil, errClosed
	}
	if r.engine.Before != nil {
		if err := r.engine.Before(pcm); err != nil {
			return nil, err
		}
	}
	for _, v := range pcm {
		r.sample(v)
	}
	for len(r.script) > 0 && r.script[0].At <= r.count {
		r.say(r.script[0].Heard)
		r.script = r.script[1:]
	}
	out := r.heard
	r.heard = nil
	return out, nil
}

var errClosed = errors.New("speechtest: recogniser is closed")

func (r *recognizer) say(h speech.Heard) { r.heard = append(r.heard, h) }

// sample is the recogniser's step: the energy, then the words.
func (r *recognizer) sample(v int16) {
	at := r.count
	r.count++
	if v > quiet || v < -quiet {
		r.spoken = 0
		if !r.inSpan() {
			r.startSpan(at)
		}
	} else if r.inSpan() {
		r.spoken++
		if r.spoken >= hangover {
			r.stopSpan()
		}
	}
	r.read(v)
}

func (r *recognizer) inSpan() bool { return r.start > 0 }

// startSpan notes where speech began.
func (r *recognizer) startSpan(at int) {
	r.start = at + 1
	if r.state == taking {
		r.tellStarted(at)
	}
}

func (r *recognizer) tellStarted(at int) {
	r.told = true
	r.say(speech.Heard{Kind: speech.SpeechStarted, Start: at, End: at, Lang: r.lang})
}

func (r *recognizer) stopSpan() {
	end := r.count - r.spoken
	if r.state == taking && r.told {
		r.say(speech.Heard{Kind: speech.SpeechStopped, Start: r.start - 1, End: end, Lang: r.lang})
	}
	r.start, r.spoken, r.told = 0, 0, false
}

// read looks for a mark and then reads the words behind it.
func (r *recognizer) read(v int16) {
	if r.need > 0 {
		r.words = append(r.words, v)
		if len(r.words) == 1 {
			r.need = 1 + int(v)
		}
		if len(r.words) == r.need {
			r.understand()
			r.need, r.words = 0, nil
		}
		return
	}
	r.tail = append(r.tail, v)
	if n := len(r.tail) - len(mark); n > 0 {
		r.tail = r.tail[n:]
	}
	if slices.Equal(r.tail, mark[:]) {
		r.need, r.tail = maxWords, nil // until the first sample says how many
	}
}

// maxWords bounds a damaged utterance.
const maxWords = 1 << 15

// understand acts on the words just read.
func (r *recognizer) understand() {
	raw := make([]byte, 0, len(r.words))
	for _, v := range r.words[1:] {
		raw = append(raw, byte(v-voiced(0)))
	}
	lang, text, _ := strings.Cut(string(raw), "\x00")
	r.said = span{lang, text}
	start := max(r.start-1, 0)
	switch r.state {
	case waiting:
		r.wake(start)
	case taking:
		if r.over && r.wake(start) {
			return
		}
		r.add(text)
	}
}

// wake wakes if the words begin with a wake phrase.
func (r *recognizer) wake(start int) bool {
	for _, p := range r.hello.Wake {
		rest, ok := strings.CutPrefix(r.said.text, p.Text)
		if !ok {
			continue
		}
		r.say(speech.Heard{Kind: speech.Wake, Phrase: p.Text, Lang: p.Lang, Confidence: 1, Start: start, End: r.count})
		r.begin(p.Lang)
		if rest = strings.TrimLeft(rest, " ,，"); rest != "" {
			r.tellStarted(r.count)
			r.add(rest)
		}
		return true
	}
	return false
}

func (r *recognizer) begin(lang string) {
	if lang != "" {
		r.lang = lang
	}
	r.state, r.begun, r.taken, r.over = taking, r.count, nil, false
}

func (r *recognizer) add(text string) {
	r.taken = append(r.taken, text)
	r.say(speech.Heard{Kind: speech.Partial, Text: r.text(), Lang: r.lang, Confidence: 1, Start: r.begun, End: r.count})
}

func (r *recognizer) text() string {
	sep := " "
	if r.lang == "zh" {
		sep = ""
	}
	return strings.Join(r.taken, sep)
}

// Take begins an utterance now.
func (r *recognizer) Take(lang string) error {
	if r.closed {
		return errClosed
	}
	r.begin(lang)
	return nil
}

// Overhear is Take in which wake phrases wake.
func (r *recognizer) Overhear(lang string) error {
	if err := r.Take(lang); err != nil {
		return err
	}
	r.over = true
	return nil
}

// End ends it.
func (r *recognizer) End() ([]speech.Heard, error) {
	if r.closed {
		return nil, errClosed
	}
	h := speech.Heard{Kind: speech.NoSpeech, Lang: r.lang, Start: r.begun, End: r.count}
	if text := r.text(); text != "" && r.state == taking {
		h.Kind, h.Text, h.Confidence = speech.Final, text, 1
	}
	r.state, r.taken = silent, nil
	return []speech.Heard{h}, nil
}

// Wait waits for a wake phrase again.
func (r *recognizer) Wait() error {
	if r.closed {
		return errClosed
	}
	r.state, r.taken = waiting, nil
	return nil
}

// Close may be called twice.
func (r *recognizer) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	r.engine.mu.Lock()
	defer r.engine.mu.Unlock()
	r.engine.open--
	return nil
}

// Bytes is pcm as it goes over a wire, s16le.
func Bytes(pcm []int16) []byte {
	out := make([]byte, 0, 2*len(pcm))
	for _, v := range pcm {
		out = binary.LittleEndian.AppendUint16(out, uint16(v))
	}
	return out
}
