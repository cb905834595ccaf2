package sherpa

import (
	"context"
	"errors"
	"slices"

	"homebot/internal/speech"
)

// WithVAD is engine with the voice activity of the Silero model in file instead
// of its own SpeechStarted and SpeechStopped. The Listener still decides where
// an utterance ends. An error says in one line why the model cannot be used.
func WithVAD(engine speech.Engine, file string) (*Gate, error) { return withVAD(engine, file, library) }

func withVAD(engine speech.Engine, file string, lib loader) (*Gate, error) {
	vad, err := lib.detector(file)
	if err != nil {
		return nil, err
	}
	vad.close() // each connection has its own
	return &Gate{Engine: engine, file: file, lib: lib}, nil
}

// Gate is an engine with another source of voice activity; see WithVAD.
type Gate struct {
	speech.Engine
	file string
	lib  loader
}

// NewRecognizer makes the engine's recogniser with a detector of its own.
func (g *Gate) NewRecognizer(ctx context.Context, h speech.Hello) (speech.Recognizer, []speech.LeftOut, error) {
	r, leftOut, err := g.Engine.NewRecognizer(ctx, h)
	if err != nil {
		return nil, leftOut, err
	}
	vad, err := g.lib.detector(g.file)
	if err != nil {
		return nil, leftOut, errors.Join(err, r.Close())
	}
	return &gated{Recognizer: r, activity: newActivity(vad)}, leftOut, nil
}

// gated replaces a recogniser's voice activity.
type gated struct {
	speech.Recognizer
	activity *activity
	kept     []int16 // the last keepSamples
	count    int     // samples accepted
	lang     string  // of the utterance
	taking   bool
	closed   bool
}

var _ speech.Recognizer = (*gated)(nil)

// keepSamples is the audio kept for what began before a wake was reported.
const keepSamples = 2 * rate

func (g *gated) Accept(pcm []int16) ([]speech.Heard, error) {
	var all []speech.Heard
	for chunk := range slices.Chunk(pcm, vadWindow) {
		heard, err := g.Recognizer.Accept(chunk)
		if err != nil {
			return all, err
		}
		g.count += len(chunk)
		g.kept = keep(g.kept, chunk)
		all = append(all, g.merge(heard, chunk)...)
	}
	if len(pcm) == 0 {
		return g.Recognizer.Accept(pcm)
	}
	return all, nil
}

// merge takes out the recogniser's own activity and puts in the detector's.
func (g *gated) merge(heard []speech.Heard, chunk []int16) []speech.Heard {
	var out []speech.Heard
	began := false
	for _, h := range heard {
		if h.Kind == speech.SpeechStarted || h.Kind == speech.SpeechStopped {
			continue
		}
		out = append(out, h)
		if h.Kind == speech.Wake {
			began, g.taking, g.lang = true, true, h.Lang
			out = append(out, g.spoken(g.activity.begin(h.End, g.count, tail(g.kept, g.count-h.End+prime)))...)
		}
	}
	if g.taking && !began {
		out = append(out, g.spoken(g.activity.accept(chunk))...)
	}
	return out
}

func (g *gated) spoken(heard []speech.Heard) []speech.Heard {
	for i := range heard {
		heard[i].Lang = g.lang
	}
	return heard
}

func (g *gated) Take(lang string) error { return g.take(lang, g.Recognizer.Take) }

// Overhear implements speech.Overhearer, if the engine behind it does.
func (g *gated) Overhear(lang string) error {
	if o, ok := g.Recognizer.(speech.Overhearer); ok {
		return g.take(lang, o.Overhear)
	}
	return g.Take(lang)
}

func (g *gated) take(lang string, take func(string) error) error {
	if err := take(lang); err != nil {
		return err
	}
	if lang != "" {
		g.lang = lang
	}
	g.taking = true
	g.activity.begin(g.count, g.count, tail(g.kept, prime)) // tells nothing: it all lies before
	return nil
}

func (g *gated) End() ([]speech.Heard, error) {
	g.taking = false
	return g.Recognizer.End()
}

func (g *gated) Wait() error {
	g.taking = false
	return g.Recognizer.Wait()
}

func (g *gated) Close() error {
	if !g.closed {
		g.closed = true
		g.activity.close()
	}
	return g.Recognizer.Close()
}

// keep appends pcm and drops what is older than keepSamples.
func keep(kept, pcm []int16) []int16 {
	kept = append(kept, pcm...)
	if over := len(kept) - keepSamples; over > 0 {
		kept = kept[:copy(kept, kept[over:])]
	}
	return kept
}

// tail is the last n samples of pcm, or all of it.
func tail(pcm []int16, n int) []int16 { return pcm[max(0, len(pcm)-max(0, n)):] }
