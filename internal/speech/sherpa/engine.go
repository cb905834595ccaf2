package sherpa

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"

	"homebot/internal/phrases"
	"homebot/internal/speech"
)

// Config says where the models of an Engine are; package models finds them.
type Config struct {
	VAD     string // file of the voice activity model
	Wake    string // directory of the keyword model
	STT     string // directory of the recogniser
	STTKind string // KindZipformer or KindSenseVoice
	// Speakers knows the members' voices; nil: nobody is known.
	Speakers *Speakers
	// Threads of the recogniser; 0 is 2. The wake word takes one.
	Threads int
	Log     *slog.Logger // nil discards
}

// defaultWake are the wake phrases of a Hello that names none.
var defaultWake = []speech.Phrase{
	{Text: "你好小厨", Lang: phrases.Chinese},
	{Text: "hey home bot", Lang: phrases.English},
}

// maxWake is how many wake phrases there may be.
const maxWake = 8

// Engine makes recognisers for any wake phrase and free speech. It is safe for
// concurrent use; a recogniser it made is not.
type Engine struct {
	cfg      Config
	lib      loader
	log      *slog.Logger
	spotters shelf[spotter]
	ears     shelf[transcriber]
}

var (
	_ speech.Engine    = (*Engine)(nil)
	_ speech.Describer = (*Engine)(nil)
)

// New makes an Engine. It loads no model before the first recogniser, but says
// in one line when a file is not there or this build has no library.
func New(c Config) (*Engine, error) { return newEngine(c, library) }

func newEngine(c Config, lib loader) (*Engine, error) {
	if _, err := readVocabulary(c.Wake, nil); err != nil {
		return nil, err
	}
	vad, err := lib.detector(c.VAD)
	if err != nil {
		return nil, err
	}
	vad.close()
	if c.Threads == 0 {
		c.Threads = 2
	}
	log := c.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Engine{cfg: c, lib: lib, log: log}, nil
}

// Languages it hears.
func (*Engine) Languages() []string { return []string{phrases.Chinese, phrases.English} }

// Describe names it.
func (e *Engine) Describe() speech.Info {
	return speech.Info{Engine: "sherpa", Languages: e.Languages()}
}

// NewRecognizer waits for h's wake phrases (or the default ones) and takes free
// speech; h's set phrases are favoured where the recogniser can. Models are
// shared with other recognisers of the same phrases.
func (e *Engine) NewRecognizer(ctx context.Context, h speech.Hello) (speech.Recognizer, []speech.LeftOut, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if len(h.Wake) == 0 {
		h.Wake = defaultWake
	}
	wake := h.Wake[:min(len(h.Wake), maxWake)]
	v, err := readVocabulary(e.cfg.Wake, wantedWords(wake))
	if err != nil {
		return nil, nil, err
	}
	lines, known, leftOut := v.keywordLines(wake)
	if len(known) == 0 {
		return nil, leftOut, errors.New("no wake phrase can be heard: use one whose words the wake word model knows")
	}
	r := &recognizer{wakes: known, speakers: e.cfg.Speakers, lang: languageOf(h)}
	if err := e.equip(r, lines, h.Phrases); err != nil {
		return nil, leftOut, errors.Join(err, r.Close())
	}
	e.log.Info("recogniser ready", "wake", len(known), "left_out", len(leftOut))
	return r, leftOut, nil
}

// languageOf is the language of a voice session that no wake phrase began.
func languageOf(h speech.Hello) string {
	if len(h.Languages) > 0 {
		return h.Languages[0]
	}
	return phrases.Chinese
}

// equip gives r its detector, spotter and transcriber.
func (e *Engine) equip(r *recognizer, keywords string, set []speech.Phrase) error {
	vad, err := e.lib.detector(e.cfg.VAD)
	if err != nil {
		return err
	}
	r.activity = newActivity(vad)
	r.onClose(vad.close)
	spot, release, err := e.spotters.take(keywords, func() (func() spotter, func(), error) {
		return e.lib.spotter(spotterModel{dir: e.cfg.Wake, keywords: keywords, threads: 1})
	})
	if err != nil {
		return err
	}
	r.spot = spot
	r.onClose(release)
	r.onClose(spot.close)
	hot, err := e.hotwords(set)
	if err != nil {
		return err
	}
	ear, release, err := e.ears.take(hot, func() (func() transcriber, func(), error) {
		return e.lib.transcriber(transcriberModel{dir: e.cfg.STT, kind: e.cfg.STTKind, hotwords: hot, threads: e.cfg.Threads})
	})
	if err != nil {
		return err
	}
	r.ear = ear
	r.onClose(release)
	r.onClose(ear.close)
	return nil
}

// hotwords are the set phrases in the recogniser's words; "" where it cannot lean
// towards any.
func (e *Engine) hotwords(set []speech.Phrase) (string, error) {
	if e.cfg.STTKind != KindZipformer || len(set) == 0 {
		return "", nil
	}
	v, err := readVocabulary(e.cfg.STT, nil)
	if err != nil {
		return "", err
	}
	return hotwordLines(set, v.tokens, isPresent(filepath.Join(e.cfg.STT, "bpe.vocab"))), nil
}

// Close frees the models nobody uses; those of open recognisers are freed when
// these are closed.
func (e *Engine) Close() error {
	e.spotters.close()
	e.ears.close()
	return nil
}

// onClose adds what Close does; the last comes first.
func (r *recognizer) onClose(f func()) { r.closers = slices.Insert(r.closers, 0, f) }
