package sphinx

import (
	"errors"
	"fmt"
	"slices"

	"homebot/internal/speech"
)

const (
	// maxChunk is the most that is decoded in one step: 80 ms.
	maxChunk = 80 * rate / 1000
	// restartQuiet of silence ends a wake utterance, and maxWait of anything:
	// the decoder's memory and the lead in front of a wake phrase start anew.
	restartQuiet = rate / 2
	maxWait      = 8 * rate
	// A wake phrase on the best path is believed after confirmQuiet blocks of
	// quiet, or when confirmSpeech frames of something else followed it. Before
	// that the search often sees its end up to 0.5 s too early, while the last
	// syllable could still be another one.
	confirmQuiet, confirmSpeech = 12, 40
	// wakeTail is how much speech after a wake still belongs to the wake phrase.
	wakeTail = 4 * rate / 10
	// keepSamples is the audio kept for decoding a command that began before its
	// wake was reported, and for a second look at what was overheard: a wake phrase
	// and the longest silence that ends a command.
	keepSamples = 3 * rate
)

type state int

const (
	waiting state = iota // for a wake phrase
	taking               // an utterance
	silent               // after End
)

// recognizer is a speech.Recognizer over one ear per language.
type recognizer struct {
	ears    []*ear
	release func([]*ear)
	lacking func(lang string) // told of a language that no ear hears
	state   state
	ear     *ear // of the voice session; nil before the first wake

	noise noiseFloor
	level level
	kept  []int16 // the last keepSamples, noise mixed in

	from    int    // where the utterance began, in samples
	spoke   bool   // speech was heard in the utterance
	tail    bool   // still in the speech that the wake phrase ended in
	partial string // last reported
	over    bool   // a wake phrase in the utterance wakes
}

var _ speech.Recognizer = (*recognizer)(nil)

func newRecognizer(ears []*ear, release func([]*ear), lacking func(lang string)) (*recognizer, error) {
	r := &recognizer{ears: ears, release: release, lacking: lacking}
	return r, r.Wait()
}

// Accept implements speech.Recognizer. Chunks of any length are taken; 80 ms are
// decoded at a time.
func (r *recognizer) Accept(pcm []int16) ([]speech.Heard, error) {
	if r.ears == nil {
		return nil, errors.New("the recogniser is closed")
	}
	var heard []speech.Heard
	for chunk := range slices.Chunk(pcm, maxChunk) {
		h, err := r.step(chunk)
		heard = append(heard, h...)
		if err != nil {
			return heard, fmt.Errorf("recognising: %w", err)
		}
	}
	return heard, nil
}

// step takes at most maxChunk samples.
func (r *recognizer) step(chunk []int16) ([]speech.Heard, error) {
	changes := r.listen(chunk)
	mixed := r.kept[len(r.kept)-len(chunk):]
	switch r.state {
	case waiting:
		return r.wait(mixed)
	case taking:
		return r.take(mixed, changes)
	}
	return nil, nil
}

// listen measures the chunk and keeps it with its noise floor.
func (r *recognizer) listen(chunk []int16) []change {
	var changes []change
	if over := len(r.kept) + len(chunk) - keepSamples; over > 0 {
		r.kept = slices.Delete(r.kept, 0, min(over, len(r.kept)))
	}
	for block := range slices.Chunk(chunk, frameSamples) {
		if c := r.level.add(block); c != same {
			changes = append(changes, c)
		}
		n := len(r.kept)
		r.kept = append(r.kept, block...)
		r.noise.mix(r.kept[n:])
	}
	return changes
}

// wait feeds the wake search of every language.
func (r *recognizer) wait(pcm []int16) ([]speech.Heard, error) {
	for _, e := range r.ears {
		if err := e.decoder.process(pcm); err != nil {
			return nil, err
		}
	}
	for _, e := range r.ears {
		if h, err := r.wokenBy(e); h != nil || err != nil {
			return h, err
		}
	}
	r.spoke = r.spoke || r.level.speaking
	quiet := r.level.at - r.level.end
	if r.spoke && !r.level.speaking && quiet >= restartQuiet || r.level.at-r.from >= maxWait {
		return nil, r.Wait()
	}
	return nil, nil
}

// wokenBy wakes if a wake phrase on e's best path can be believed.
func (r *recognizer) wokenBy(e *ear) ([]speech.Heard, error) {
	p, began, ended, ok := e.woken()
	if !ok {
		return nil, nil
	}
	if r.level.quiet >= confirmQuiet {
		ended = r.level.quiet
	} else if ended < confirmSpeech {
		return nil, nil
	}
	return r.wake(e, p, began*frameSamples, ended*frameSamples)
}

// wokenOver looks for a wake phrase while an utterance is overheard: in its own
// language's command search, whose grammar has the wake phrases too. The searches
// of the other languages rest.
func (r *recognizer) wokenOver() ([]speech.Heard, error) { return r.wokenBy(r.ear) }

// wake begins the utterance after a wake phrase that began and ended so many
// samples ago; what was said since is decoded again as a command.
func (r *recognizer) wake(e *ear, p pronounced, began, ended int) ([]speech.Heard, error) {
	now := r.level.at
	began, ended = min(began, now), max(0, min(ended, len(r.kept)))
	heard := speech.Heard{Kind: speech.Wake, Phrase: p.Text, Lang: e.lang, Start: now - began, End: now - ended}
	if err := r.begin(e); err != nil {
		return nil, err
	}
	r.from = now - ended
	r.tail = r.level.speaking
	return []speech.Heard{heard}, e.decoder.process(r.kept[len(r.kept)-ended:])
}

// take feeds the command search of the session's language.
func (r *recognizer) take(pcm []int16, changes []change) ([]speech.Heard, error) {
	if err := r.ear.decoder.process(pcm); err != nil {
		return nil, err
	}
	if r.over {
		if h, err := r.wokenOver(); h != nil || err != nil {
			return h, err
		}
	}
	heard := r.spoken(changes)
	p, confidence, ok := r.ear.command()
	if ok && p.Text != r.partial {
		r.partial = p.Text
		heard = append(heard, r.ear.heard(speech.Partial, p, confidence, r.from, r.level.at))
	}
	return heard, nil
}

// spoken turns changes of the level into messages. The rest of the speech the
// wake phrase was in counts only if it goes on: then it is a command in the
// same breath.
func (r *recognizer) spoken(changes []change) []speech.Heard {
	var heard []speech.Heard
	if r.tail && r.level.end >= r.from+wakeTail {
		r.tail = false
		heard = append(heard, r.began(r.from))
	}
	for _, c := range changes {
		switch {
		case c == started:
			heard = append(heard, r.began(max(r.level.start, r.from)))
		case r.tail:
			r.tail = false
		case r.spoke:
			heard = append(heard, speech.Heard{Kind: speech.SpeechStopped, Lang: r.ear.lang, Start: r.level.start, End: r.level.end})
		}
	}
	return heard
}

func (r *recognizer) began(at int) speech.Heard {
	r.spoke = true
	return speech.Heard{Kind: speech.SpeechStarted, Lang: r.ear.lang, Start: at, End: at}
}

// Overhear implements speech.Overhearer.
func (r *recognizer) Overhear(lang string) error {
	err := r.Take(lang)
	r.over = err == nil
	return err
}

// Take implements speech.Recognizer. In a language that no ear hears it takes
// the utterance with one that is there: a stop and a wake phrase are still heard.
func (r *recognizer) Take(lang string) error {
	e := r.ear
	if lang != "" {
		if e = r.hears(lang); e == nil {
			r.lacking(lang)
			e = r.ear
		}
	}
	if e == nil && len(r.ears) > 0 {
		e = r.ears[0]
	}
	if e == nil {
		return errors.New("the recogniser is closed")
	}
	return r.begin(e)
}

func (r *recognizer) hears(lang string) *ear {
	i := slices.IndexFunc(r.ears, func(e *ear) bool { return e.lang == lang })
	if i < 0 {
		return nil
	}
	return r.ears[i]
}

// begin starts an utterance with e, at the next sample.
func (r *recognizer) begin(e *ear) error {
	if err := r.endAll(); err != nil {
		return err
	}
	r.state, r.ear = taking, e
	r.from, r.spoke, r.tail, r.partial, r.over = r.level.at, false, false, "", false
	return e.start(commandSearch)
}

// End implements speech.Recognizer. What was overheard may end with a wake.
func (r *recognizer) End() ([]speech.Heard, error) {
	if r.state != taking {
		return nil, nil
	}
	r.state = silent
	if err := r.ear.end(); err != nil {
		return nil, err
	}
	if p, confidence, ok := r.ear.command(); ok {
		return []speech.Heard{r.ear.heard(speech.Final, p, confidence, r.from, r.level.at)}, nil
	}
	if r.over && r.spoke && r.ear.again {
		if h, err := r.wokenAfterAll(); h != nil || err != nil {
			return h, err
		}
	}
	return []speech.Heard{{Kind: speech.NoSpeech, Lang: r.ear.lang, Start: r.from, End: r.level.at}}, nil
}

// wokenAfterAll looks once more for the wake phrase in what was overheard and not
// understood. Where the wake search takes more for one than the command search, what
// an echo canceller leaves of the phrase needs that: without it 4 of 14, 4 of 12 and
// 8 of 12 were missed at the first try over a voice as loud, with it 0 of 12 twice.
func (r *recognizer) wokenAfterAll() ([]speech.Heard, error) {
	if err := r.ear.start(wakeSearch); err != nil {
		return nil, err
	}
	said := min(len(r.kept), r.level.at-r.from)
	if err := r.ear.decoder.process(r.kept[len(r.kept)-said:]); err != nil {
		return nil, err
	}
	if h, err := r.wokenBy(r.ear); h != nil || err != nil {
		return h, err
	}
	return nil, r.ear.end()
}

// Wait implements speech.Recognizer.
func (r *recognizer) Wait() error {
	r.state, r.from, r.spoke = waiting, r.level.at, false
	for _, e := range r.ears {
		if err := e.start(wakeSearch); err != nil {
			return err
		}
	}
	return nil
}

func (r *recognizer) endAll() error {
	for _, e := range r.ears {
		if err := e.end(); err != nil {
			return err
		}
	}
	return nil
}

// Close gives the decoders back. It may be called again.
func (r *recognizer) Close() error {
	if r.ears == nil {
		return nil
	}
	err := r.endAll()
	r.release(r.ears)
	r.ears, r.ear = nil, nil
	return err
}
