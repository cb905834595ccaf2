package sphinx

import (
	"fmt"
	"slices"
	"strings"

	"homebot/internal/speech"
)

const (
	// rate is the sample rate everything here is in.
	rate = 16000
	// frameSamples is the decoder's step.
	frameSamples = rate / 100
	// maxLeadFrames of other speech may come before a wake phrase in the same
	// utterance: 0.3 s. More, and it was part of a sentence.
	maxLeadFrames = 30
	// maxLoopShare is how much of the speech the phone loop may cover in a
	// command that is believed.
	maxLoopShare = 0.4
)

// Names of the two searches.
const (
	wakeSearch    = "wake"
	commandSearch = "command"
)

// segment is one word of the best path and the decoder frames it covers. The
// decoder leaves silence out, so frames are not audio time.
type segment struct {
	word        string
	first, last int
}

func (s segment) frames() int { return s.last - s.first + 1 }

// ear is one language's decoder with its two searches: both live in one decoder,
// so that the command search profits from the cepstral mean the wake search has
// learnt. One recogniser uses it at a time.
type ear struct {
	lang        string
	key         string // what it was made for; an ear is used again for the same
	wakes, cmds []pronounced
	decoder     *decoder
	open        bool // within an utterance
	again       bool // the wake search takes more for a wake phrase than the command search
}

// newEar loads m with the grammars of the phrases and warms it up.
func newEar(m model, wakes, cmds []pronounced, inventory []string, warmup []int16) (*ear, error) {
	d, err := newDecoder(m.hmm, dictionary(wakes, cmds, inventory), m.args)
	if err != nil {
		return nil, err
	}
	e := &ear{lang: m.lang, wakes: wakes, cmds: cmds, decoder: d, again: m.wakeWIP < m.cmdWIP}
	if err := e.load(m, inventory, warmup); err != nil {
		d.close()
		return nil, fmt.Errorf("preparing the %s recogniser: %w", m.lang, err)
	}
	return e, nil
}

func (e *ear) load(m model, inventory []string, warmup []int16) error {
	w, c := numbered(wakePrefix, len(e.wakes)), numbered(cmdPrefix, len(e.cmds))
	loop := make([]string, len(inventory))
	for i, p := range inventory {
		loop[i] = loopPrefix + p
	}
	if err := e.decoder.addSearch(wakeSearch, wakeGrammar(w, loop), m.wakeWIP); err != nil {
		return err
	}
	if err := e.decoder.addSearch(commandSearch, commandGrammar(w, c, loop), m.cmdWIP); err != nil {
		return err
	}
	return e.warmUp(warmup)
}

// warmUp lets the decoder learn a cepstral mean, from the phrase as it would be
// heard: over the noise floor. (Three times is no better than once.)
func (e *ear) warmUp(phrase []int16) error {
	var noise noiseFloor
	pcm := slices.Concat(make([]int16, rate/4), phrase, make([]int16, rate/4))
	for block := range slices.Chunk(pcm, frameSamples) {
		noise.mix(block)
	}
	if err := e.start(wakeSearch); err != nil {
		return err
	}
	for chunk := range slices.Chunk(pcm, maxChunk) {
		if err := e.decoder.process(chunk); err != nil {
			return err
		}
	}
	return e.end()
}

// start begins a new utterance, ending one that is open.
func (e *ear) start(search string) error {
	if err := e.end(); err != nil {
		return err
	}
	if err := e.decoder.start(search); err != nil {
		return err
	}
	e.open = true
	return nil
}

// end closes the utterance if one is open.
func (e *ear) end() error {
	if !e.open {
		return nil
	}
	e.open = false
	return e.decoder.end()
}

// woken returns the wake phrase that was just heard and how many frames ago it
// began and ended.
func (e *ear) woken() (phrase pronounced, began, ended int, ok bool) {
	if !strings.Contains(e.decoder.words(), wakePrefix) {
		return pronounced{}, 0, 0, false
	}
	lead, now := 0, e.decoder.frames()
	for _, s := range e.decoder.path() {
		if strings.HasPrefix(s.word, loopPrefix) {
			lead += s.frames()
		}
		if i := phraseIndex(s.word, wakePrefix); i >= 0 {
			began, ended = now-s.first, now-s.last-1
			return e.wakes[i], began, ended, lead <= maxLeadFrames
		}
	}
	return pronounced{}, 0, 0, false
}

// command returns the set phrase on the best path, if the phone loop leaves
// enough of the speech to it.
func (e *ear) command() (phrase pronounced, confidence float64, ok bool) {
	if !strings.Contains(e.decoder.words(), cmdPrefix) {
		return pronounced{}, 0, false
	}
	loop, all, found := 0, 0, -1
	for _, s := range e.decoder.path() {
		i := phraseIndex(s.word, cmdPrefix)
		switch {
		case strings.HasPrefix(s.word, loopPrefix):
			loop += s.frames()
		case i >= 0:
			found = i
		default:
			continue // silence, noise, or the wake phrase
		}
		all += s.frames()
	}
	if found < 0 {
		return pronounced{}, 0, false
	}
	share := float64(loop) / float64(all)
	return e.cmds[found], 1 - share, share < maxLoopShare
}

func (e *ear) close() { e.decoder.close() }

// heard is the Heard of a set phrase.
func (e *ear) heard(kind speech.HeardKind, p pronounced, confidence float64, start, end int) speech.Heard {
	return speech.Heard{Kind: kind, Text: p.Text, Lang: e.lang, Confidence: confidence, Start: start, End: end}
}
