package sherpa

import "homebot/internal/speech"

// Of the voice activity detector, in samples. The window is the model's; the
// rest was chosen: the hangover like that of the recogniser of set phrases, so
// that a Listener works alike with both.
const (
	vadWindow    = 512
	vadMinSpeech = rate / 10 // shorter is no speech
	vadHangover  = rate / 4  // pauses within a phrase are shorter
	// vadThreshold is the probability that counts as speech. At the usual 0.5 a
	// whole phrase of jfk.wav ("ask not") is missed, at 0.3 none of the recordings'
	// phrases but one in loud noise (haixiaowen_1), and noise alone is still none.
	vadThreshold = 0.3
	// vadOnset is how far back speech began when the detector says it is on: what
	// it has to see first, and the window it began in.
	vadOnset = vadMinSpeech + 2*vadWindow
	// prime is the audio before an utterance that the detector hears first.
	prime = rate / 2
	// wakeTail is how much speech after a wake still belongs to the wake phrase.
	wakeTail = rate / 4
)

// activity turns audio into beginnings and ends of speech, with sample counts,
// for one utterance after the other.
type activity struct {
	vad  detector
	rest []float32 // less than a window
	at   int       // samples seen by the detector, in the counts of the recogniser
	from int       // where the utterance began: what was before is not told

	on      bool // the detector says speech
	start   int  // of that speech
	carried bool // it began before the utterance and is not told yet
	told    bool // SpeechStarted was told
}

func newActivity(vad detector) *activity { return &activity{vad: vad} }

// begin starts an utterance at sample from. lead is the audio just before now,
// which ends at sample at; what of it lies before from only primes the detector.
func (a *activity) begin(from, at int, lead []int16) []speech.Heard {
	a.vad.reset()
	a.rest = a.rest[:0]
	a.from, a.at = from, at-len(lead)
	a.on, a.carried, a.told = false, false, false
	return a.accept(lead)
}

// accept takes the next samples.
func (a *activity) accept(pcm []int16) []speech.Heard {
	var heard []speech.Heard
	a.rest = append(a.rest, floats(pcm)...)
	for len(a.rest) >= vadWindow {
		on := a.vad.accept(a.rest[:vadWindow])
		a.rest = a.rest[:copy(a.rest, a.rest[vadWindow:])]
		a.at += vadWindow
		heard = append(heard, a.step(on)...)
	}
	return heard
}

// step is one window's answer.
func (a *activity) step(on bool) []speech.Heard {
	switch {
	case on && !a.on:
		a.on = true
		a.start = max(0, a.at-vadOnset)
		a.carried = a.start < a.from
		if !a.carried {
			return []speech.Heard{a.started(a.start)}
		}
	case on && a.carried && !a.told && a.at-vadHangover >= a.from+wakeTail:
		return []speech.Heard{a.started(a.from)} // the wake phrase's speech goes on: a command in one breath
	case !on && a.on:
		return a.stopped()
	}
	return nil
}

func (a *activity) started(at int) speech.Heard {
	a.told = true
	a.start = at
	return speech.Heard{Kind: speech.SpeechStarted, Start: at, End: at}
}

// stopped ends a span of speech. One that hardly reached into the utterance was
// the end of the wake phrase and is not told.
func (a *activity) stopped() []speech.Heard {
	end := a.at - vadHangover
	a.on = false
	told := a.told
	a.told = false
	if !told && end < a.from+wakeTail {
		return nil
	}
	var heard []speech.Heard
	if !told {
		heard = append(heard, a.started(a.from))
		a.told = false
	}
	return append(heard, speech.Heard{Kind: speech.SpeechStopped, Start: a.start, End: max(end, a.start)})
}

func (a *activity) close() { a.vad.close() }
