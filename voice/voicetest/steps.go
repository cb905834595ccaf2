package voicetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"homebot/voice"
)

// The wake phrases of a stage.
const (
	WakeZH = "你好小厨"
	WakeEN = "hey home bot"
)

// wakeTakes is how long a wake phrase takes to say.
const wakeTakes = 800 * time.Millisecond

// Wakes: somebody says the wake phrase of lang.
func Wakes(at time.Duration, lang string) Step {
	phrase := phraseOf(lang)
	return Step{at, phrase, func(st *Stage) {
		st.mouth <- func() { st.Ears.Wakes(phrase, lang, wakeTakes, 0) }
	}}
}

func phraseOf(lang string) string {
	if lang == "en" {
		return WakeEN
	}
	return WakeZH
}

// Says: somebody says text, which takes d.
func Says(at time.Duration, text, lang string, d time.Duration) Step {
	return Step{at, fmt.Sprintf("%s (%v)", text, d), func(st *Stage) {
		st.mouth <- func() { st.taker().Says(text, lang, d) }
	}}
}

// Mumbles: somebody says for d what no recogniser understands.
func Mumbles(at time.Duration, lang string, d time.Duration) Step {
	return Step{at, fmt.Sprintf("mumbles (%v)", d), func(st *Stage) {
		st.mouth <- func() { st.taker().Says("", lang, d) }
	}}
}

// Talks: somebody says the pieces one after the other, each taking d; an empty
// one is a pause.
func Talks(at time.Duration, lang string, d time.Duration, pieces ...string) Step {
	what := strings.Join(pieces, "")
	if lang == "en" {
		what = strings.Join(pieces, " ")
	}
	if slices.Contains(pieces, "") {
		what = strings.Join(slices.Collect(func(yield func(string) bool) {
			for _, p := range pieces {
				if p == "" {
					p = "…"
				}
				if !yield(p) {
					return
				}
			}
		}), " ")
	}
	return Step{at, fmt.Sprintf("%s (%v each)", what, d), func(st *Stage) {
		st.mouth <- func() { st.taker().Talks(lang, d, pieces...) }
	}}
}

// Coughs: a noise of d that brings no words.
func Coughs(at, d time.Duration) Step {
	return Step{at, fmt.Sprintf("(a cough, %v)", d), func(st *Stage) {
		st.mouth <- func() { st.taker().Says("", "", d) }
	}}
}

// Echoes: the microphone hears text from the loudspeaker.
func Echoes(at time.Duration, text, lang string, d time.Duration) Step {
	return Step{at, fmt.Sprintf("(the microphone hears the loudspeaker: %s)", text), func(st *Stage) {
		st.mouth <- func() { st.taker().Says(text, lang, d) }
	}}
}

// Noise begins or ends: the recogniser takes it for speech.
func Noise(at time.Duration, on bool) Step {
	what := "(the noise is over)"
	if on {
		what = "(a noise begins)"
	}
	return Step{at, what, func(st *Stage) { st.taker().Noise(on) }}
}

// WakesLate is Wakes of which the news is on its way for late.
func WakesLate(at time.Duration, lang string, late time.Duration) Step {
	phrase := phraseOf(lang)
	return Step{at, fmt.Sprintf("%s (the news takes %v)", phrase, late), func(st *Stage) {
		st.mouth <- func() { st.Ears.Wakes(phrase, lang, wakeTakes, late) }
	}}
}

// WakesAndSays is a wake phrase and a command in one breath.
func WakesAndSays(at time.Duration, text, lang string, d time.Duration) Step {
	phrase := phraseOf(lang)
	return Step{at, fmt.Sprintf("%s%s (in one breath)", phrase, text), func(st *Stage) {
		st.mouth <- func() {
			st.Ears.Wakes(phrase, lang, wakeTakes, 0)
			st.taker().Says(text, lang, d)
		}
	}}
}

// Does is anything else that happens to the stage.
func Does(at time.Duration, what string, do func(*Stage)) Step { return Step{at, what, do} }

// Rings: these timers ring now; none is the end of a ring.
func Rings(at time.Duration, rings ...voice.Ring) Step {
	what := "(nothing rings any more)"
	if len(rings) > 0 {
		what = "(it rings:"
		for _, r := range rings {
			what += " " + r.Text
		}
		what += ")"
	}
	return Step{at, what, func(st *Stage) { _ = st.Loop.Ring(context.Background(), rings) }}
}

// taker is who takes utterances.
func (st *Stage) taker() *Ears {
	if st.Remote != nil {
		return st.Remote
	}
	return st.Ears
}
