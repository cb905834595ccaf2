package sphinx

import (
	"context"
	"errors"
	"log/slog"

	"homebot/internal/speech"
)

var _ speech.Engine = (*Engine)(nil)

// Engine makes recognisers for set phrases in the languages whose models are
// there. It is safe for concurrent use; a recogniser it made is not.
type Engine struct {
	config Config
	models []model
	log    *slog.Logger
}

// New looks for the models. A *MissingError says that a language of
// c.Languages, or every language, is missing. If some of the wanted languages
// are there, the engine is returned beside the error and works with those.
func New(c Config) (*Engine, error) {
	models, err := c.models()
	if len(models) == 0 {
		return nil, err
	}
	log := c.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Engine{config: c, models: models, log: log}, err
}

// Languages returns the languages it hears, in order of preference.
func (e *Engine) Languages() []string {
	var langs []string
	for _, m := range e.models {
		langs = append(langs, m.lang)
	}
	return langs
}

// NewRecognizer hears h's wake phrases and set phrases.
func (e *Engine) NewRecognizer(ctx context.Context, h speech.Hello) (speech.Recognizer, []speech.LeftOut, error) {
	return nil, nil, errors.New("sphinx: not there yet")
}

// Close frees the decoders.
func (e *Engine) Close() error { return nil }

// Pronounceable reports those of phrases that the engine would leave out, each
// with the reason. It reads only the dictionaries. Phrases in a language whose
// model is not there are not judged.
func (c Config) Pronounceable(phrases []speech.Phrase) []speech.LeftOut { return nil }

// Pronounceable is Config.Pronounceable of the zero Config: English only.
func Pronounceable(phrases []speech.Phrase) []speech.LeftOut { return Config{}.Pronounceable(phrases) }
