package sherpa

import (
	"os"

	"homebot/internal/phrases"
)

// rate is the sample rate everything here is in, in hertz.
const rate = 16000

// ErrNotBuilt is what every model answers in a build without the library.
var ErrNotBuilt = phrases.Errorf(phrases.SherpaNotBuilt)

// The library's pieces. Each belongs to one goroutine at a time, and is freed by
// close, once. Samples are -1 to 1.

// detector tells speech from silence, in windows of vadWindow samples.
type detector interface {
	// accept reports whether speech is on after this window, silence shorter than
	// the hangover included.
	accept(window []float32) (speech bool)
	reset()
	close()
}

// spotter waits for keywords.
type spotter interface {
	// accept returns the label of a keyword that ended, or "".
	accept(pcm []float32) (label string)
	reset()
	close()
}

// transcript is what was understood. confidence is 0 (unknown) to 1, lang "zh",
// "en" or "" (unknown).
type transcript struct {
	text, lang string
	confidence float64
}

// transcriber turns one utterance into text.
type transcriber interface {
	// accept returns the transcript so far, empty while there is none.
	accept(pcm []float32) transcript
	// pause says what was understood when speech has stopped. whole: if only
	// silence follows, finish would say the same and need not be called.
	pause() (t transcript, whole bool)
	// finish ends the utterance; reset must come before the next one.
	finish() transcript
	reset()
	close()
}

// embedder turns a voice into a vector of a fixed length.
type embedder interface {
	embed(pcm []float32) []float32 // nil: too short
	close()
}

// speaker synthesises one sentence. emit gets pieces of at least a sentence's
// clause; false stops it.
type speaker interface {
	rate() int
	speak(text string, speed float64, emit func(pcm []float32) bool) error
	close()
}

// loader makes the pieces from files. The library's own is library; tests bring
// theirs.
type loader interface {
	detector(model string) (detector, error)
	spotter(m spotterModel) (func() spotter, func(), error)
	transcriber(m transcriberModel) (func() transcriber, func(), error)
	embedder(model string) (embedder, error)
	speaker(m voiceModel) (speaker, error)
}

// spotterModel is what a keyword spotter is loaded from: a directory with
// encoder, decoder and joiner, and keyword lines.
type spotterModel struct {
	dir      string
	keywords string
	threads  int
}

// transcriberModel is what a recogniser is loaded from.
type transcriberModel struct {
	dir, kind string
	hotwords  string // lines; only kind zipformer knows them
	threads   int
}

// voiceModel is what a voice is loaded from.
type voiceModel struct {
	dir, kind string
	threads   int
}

// floats converts s16 to -1..1.
func floats(pcm []int16) []float32 {
	out := make([]float32, len(pcm))
	for i, v := range pcm {
		out[i] = float32(v) / 32768
	}
	return out
}

// samples converts -1..1 to s16.
func samples(pcm []float32) []int16 {
	out := make([]int16, len(pcm))
	for i, v := range pcm {
		out[i] = int16(max(-32768, min(32767, v*32768)))
	}
	return out
}

func isPresent(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
