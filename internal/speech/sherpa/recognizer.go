package sherpa

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"homebot/internal/speech"
	"homebot/internal/text"
)

const (
	// maxChunk is the most that is decoded in one step: 80 ms.
	maxChunk = 80 * rate / 1000
	// wakeLag is about how long after its end a wake phrase is reported: half of
	// the keyword model's chunk of 320 ms. An estimate.
	wakeLag = rate / 6
	// wakeToken is about how long one token of a wake phrase is said: where the
	// phrase began is guessed with it.
	wakeToken = rate / 10
	// breath is the audio before a reported wake that is recognised again: a
	// command in one breath may have begun in it. What is left of the wake phrase
	// is taken out of the transcript.
	breath = rate / 2
	// maxVoice is how much of an utterance says who speaks: 8 s.
	maxVoice = 8 * rate
)

type state int

const (
	waiting state = iota // for a wake phrase
	taking               // an utterance
	silent               // after End
)

// recognizer is a speech.Recognizer on a spotter, a detector and a transcriber.
type recognizer struct {
	wakes    []speech.Phrase // by the label of the spotter
	spot     spotter
	ear      transcriber
	activity *activity
	speakers *Speakers
	closers  []func()
	closed   bool

	state  state
	count  int     // samples accepted
	kept   []int16 // the last keepSamples
	lang   string  // of the voice session
	from   int     // where the utterance began
	wake   string  // the wake phrase it follows, "" for none
	spoke  bool    // speech was heard in it
	latest string  // partial last reported
	paused *transcript
	voice  []int16 // of the utterance, for who speaks
	over   bool    // a wake phrase in the utterance wakes
}

var _ speech.Recognizer = (*recognizer)(nil)

var errClosed = errors.New("the recogniser is closed")

// Accept implements speech.Recognizer.
func (r *recognizer) Accept(pcm []int16) ([]speech.Heard, error) {
	if r.closed {
		return nil, errClosed
	}
	var heard []speech.Heard
	for chunk := range slices.Chunk(pcm, maxChunk) {
		r.count += len(chunk)
		r.kept = keep(r.kept, chunk)
		switch r.state {
		case waiting:
			heard = append(heard, r.listen(chunk)...)
		case taking:
			if r.over {
				if h := r.listen(chunk); h != nil {
					heard = append(heard, h...)
					continue
				}
			}
			heard = append(heard, r.take(chunk, r.activity.accept(chunk))...)
		}
	}
	return heard, nil
}

// listen waits for a wake phrase.
func (r *recognizer) listen(chunk []int16) []speech.Heard {
	label := r.spot.accept(floats(chunk))
	if label == "" {
		return nil
	}
	n, err := strconv.Atoi(label)
	if err != nil || n < 0 || n >= len(r.wakes) {
		return nil // not one of ours
	}
	p := r.wakes[n]
	end := max(0, r.count-wakeLag)
	start := max(0, end-wakeToken*2*len([]rune(p.Text)))
	heard := []speech.Heard{{Kind: speech.Wake, Phrase: p.Text, Lang: p.Lang, Start: start, End: end}}
	r.begin(p.Lang, p.Text, end)
	changes := r.activity.begin(end, r.count, tail(r.kept, r.count-end+prime))
	return append(heard, r.take(tail(r.kept, breath), changes)...)
}

// begin starts an utterance at a sample.
func (r *recognizer) begin(lang, wake string, from int) {
	if lang != "" {
		r.lang = lang
	}
	r.state, r.wake, r.from = taking, wake, from
	r.spoke, r.latest, r.paused, r.voice, r.over = false, "", nil, r.voice[:0], false
	r.ear.reset()
}

// take recognises pcm, which brought changes of the voice activity.
func (r *recognizer) take(pcm []int16, changes []speech.Heard) []speech.Heard {
	var heard []speech.Heard
	partial := func(t transcript) {
		t = r.clean(t)
		if t.text == "" || t.text == r.latest {
			return
		}
		r.latest = t.text
		heard = append(heard, speech.Heard{Kind: speech.Partial, Text: t.text, Lang: t.lang, Confidence: t.confidence, Start: r.from, End: r.count})
	}
	if r.speakers != nil {
		r.voice = append(r.voice, pcm[:min(len(pcm), max(0, maxVoice-len(r.voice)))]...)
	}
	t := r.ear.accept(floats(pcm))
	for _, c := range changes {
		c.Lang = r.lang
		if c.Kind == speech.SpeechStarted {
			r.spoke, r.paused = true, nil
			heard = append(heard, c)
			continue
		}
		p, whole := r.ear.pause()
		if whole {
			r.paused = &p
		}
		partial(p)
		heard = append(heard, c)
	}
	partial(t)
	return heard
}

// Take implements speech.Recognizer.
func (r *recognizer) Take(lang string) error {
	if r.closed {
		return errClosed
	}
	r.begin(lang, "", r.count)
	r.activity.begin(r.count, r.count, tail(r.kept, prime)) // tells nothing: it all lies before
	return nil
}

// Overhear implements speech.Overhearer: the spotter goes on beside the
// transcriber.
func (r *recognizer) Overhear(lang string) error {
	if err := r.Take(lang); err != nil {
		return err
	}
	r.over = true
	r.spot.reset()
	return nil
}

// End implements speech.Recognizer.
func (r *recognizer) End() ([]speech.Heard, error) {
	if r.closed {
		return nil, errClosed
	}
	if r.state != taking {
		return nil, nil
	}
	r.state = silent
	var t transcript
	switch {
	case r.paused != nil:
		t = *r.paused
	case r.spoke || r.latest != "":
		t = r.ear.finish()
	}
	t = r.clean(t)
	h := speech.Heard{Kind: speech.NoSpeech, Lang: r.lang, Start: r.from, End: r.count}
	if t.text != "" {
		h.Kind, h.Text, h.Lang, h.Confidence = speech.Final, t.text, t.lang, t.confidence
		if t.confidence > 0 {
			h.LogProb = math.Log(t.confidence)
		}
		if r.speakers != nil {
			h.Speaker = r.speakers.Identify(r.voice)
		}
	}
	return []speech.Heard{h}, nil
}

// Wait implements speech.Recognizer.
func (r *recognizer) Wait() error {
	if r.closed {
		return errClosed
	}
	r.state = waiting
	r.spot.reset()
	return nil
}

// Close implements speech.Recognizer. It may be called again.
func (r *recognizer) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	for _, f := range r.closers {
		f()
	}
	return nil
}

// clean takes what is left of the wake phrase off the front of a transcript, and
// names its language.
func (r *recognizer) clean(t transcript) transcript {
	t.text = withoutWake(sentenceCase(t.text), r.wake)
	if t.lang == "" {
		t.lang = text.Lang(t.text, r.lang)
	}
	return t
}

// sentenceCase writes in small letters what is all in capitals, as recognisers
// of English write it.
func sentenceCase(s string) string {
	if strings.ContainsFunc(s, unicode.IsLower) {
		return s
	}
	return strings.ToLower(s)
}

// withoutWake removes the longest end of the wake phrase that s begins with:
// recognition begins anywhere in the phrase. A single Han character or letter is
// too little to be sure of.
func withoutWake(s, wake string) string {
	parts := words(strings.ToLower(wake))
	if len(parts) == 1 && text.HasHan(parts[0]) {
		parts = strings.Split(parts[0], "")
	}
	said := strings.ToLower(s)
	for from := range parts {
		end, ok := startsWith(said, parts[from:])
		if ok && len([]rune(strings.Join(parts[from:], ""))) >= minRemain {
			return strings.TrimLeftFunc(s[end:], func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
		}
	}
	return s
}

// minRemain is the least of a wake phrase in characters that is taken off.
const minRemain = 2

// startsWith reports whether s begins with parts, whatever is between them, and
// where they end. A part must not end within a word.
func startsWith(s string, parts []string) (end int, ok bool) {
	for _, p := range parts {
		rest := strings.TrimLeftFunc(s[end:], func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
		after, found := strings.CutPrefix(rest, p)
		if !found {
			return 0, false
		}
		if !text.HasHan(p) && after != "" && unicode.IsLetter([]rune(after)[0]) && !text.IsHan([]rune(after)[0]) {
			return 0, false
		}
		end = len(s) - len(after)
	}
	return end, true
}
