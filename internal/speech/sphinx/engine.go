package sphinx

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/speech"
)

var _ speech.Engine = (*Engine)(nil)

// defaultWake are the wake phrases of a Hello that names none.
var defaultWake = []speech.Phrase{
	{Text: "hey home bot", Lang: english},
	{Text: "你好小厨", Lang: mandarin},
}

// Engine makes recognisers for set phrases in the languages whose models are
// there. It is safe for concurrent use; a recogniser it made is not.
type Engine struct {
	config Config
	models []model
	log    *slog.Logger

	mu     sync.Mutex
	idle   []*ear          // of closed recognisers, at most one per language
	told   map[string]bool // languages that were asked for and are said to be missing
	closed bool
}

// New looks for the models. A *MissingError says that a language of
// c.Languages, or every language, is missing. If some of the wanted languages
// are there, the engine is returned beside the error and works with those. A
// build without cgo has no engine.
func New(c Config) (*Engine, error) {
	models, err := c.models()
	if len(models) == 0 {
		return nil, err
	}
	if err := supported(); err != nil {
		return nil, err
	}
	log := c.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Engine{config: c, models: models, log: log, told: map[string]bool{}}, err
}

// Languages returns the languages it hears, in order of preference.
func (e *Engine) Languages() []string {
	var langs []string
	for _, m := range e.models {
		langs = append(langs, m.lang)
	}
	return langs
}

// NewRecognizer hears h's wake phrases (or the default ones) and set phrases, in
// those of h's languages (none means all) whose model is there. It loads a
// decoder per language, or takes over the warm one of a closed recogniser with
// the same phrases.
func (e *Engine) NewRecognizer(ctx context.Context, h speech.Hello) (speech.Recognizer, []speech.LeftOut, error) {
	if len(h.Wake) == 0 {
		h.Wake = defaultWake
	}
	var ears []*ear
	leftOut := e.unheard(h)
	for _, m := range e.models {
		if len(h.Languages) > 0 && !slices.Contains(h.Languages, m.lang) {
			continue
		}
		err := ctx.Err()
		var next *ear
		var out []speech.LeftOut
		if err == nil {
			next, out, err = e.hear(m, h)
		}
		if err != nil {
			e.release(ears)
			return nil, nil, err
		}
		leftOut = append(leftOut, out...)
		if next != nil {
			ears = append(ears, next)
		}
	}
	if len(ears) == 0 {
		return nil, leftOut, errors.New("no wake phrase can be heard: use one whose words the dictionary knows, in a language whose model is installed")
	}
	r, err := newRecognizer(ears, e.release, e.lacking)
	if err != nil {
		e.release(ears)
		return nil, nil, err
	}
	return r, leftOut, nil
}

// unheard reports the phrases in languages without a model.
func (e *Engine) unheard(h speech.Hello) []speech.LeftOut {
	var out []speech.LeftOut
	for _, p := range slices.Concat(h.Wake, h.Phrases) {
		if !slices.Contains(e.Languages(), p.Lang) {
			out = append(out, speech.LeaveOut(p, phrases.LanguageMissing))
		}
	}
	return out
}

// lacking says once that an utterance in lang was to be taken and lang's model is
// not there.
func (e *Engine) lacking(lang string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.config.model(lang); err != nil && !e.told[lang] {
		e.told[lang] = true
		e.log.Warn("a language cannot be heard", "lang", lang, "err", err)
	}
}

// hear makes the ear of one language; nil if it has no wake phrase to wait for
// and no set phrase to take.
func (e *Engine) hear(m model, h speech.Hello) (*ear, []speech.LeftOut, error) {
	wake, cmds := inLanguage(h.Wake, m.lang), inLanguage(h.Phrases, m.lang)
	lex, err := readLexicon(m.dict, wantedWords(m.lang, slices.Concat(wake, cmds)))
	if err != nil {
		return nil, nil, err
	}
	knownWake, out := pronounce(m.lang, wake, lex)
	knownCmds, outCmds := pronounce(m.lang, cmds, lex)
	out = append(out, outCmds...)
	if len(knownWake)+len(knownCmds) == 0 {
		return nil, out, nil
	}
	key := earKey(m.lang, knownWake, knownCmds)
	if old := e.reuse(key); old != nil {
		return old, out, nil
	}
	began := time.Now()
	warmup := e.config.Warmup[m.lang]
	if len(warmup) == 0 {
		warmup = hum()
	}
	next, err := newEar(m, knownWake, knownCmds, lex.phones, warmup)
	if err != nil {
		return nil, nil, err
	}
	next.key = key
	e.log.Info("recogniser loaded", "lang", m.lang, "phrases", len(knownCmds), "dur", time.Since(began))
	return next, out, nil
}

func earKey(lang string, lists ...[]pronounced) string {
	var b strings.Builder
	b.WriteString(lang)
	for _, list := range lists {
		for _, p := range list {
			fmt.Fprintf(&b, "\x00%s", p.Text)
		}
		b.WriteByte(1)
	}
	return b.String()
}

// reuse takes an idle ear with the same phrases, or returns nil.
func (e *Engine) reuse(key string) *ear {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.idle, func(old *ear) bool { return old.key == key })
	if i < 0 {
		return nil
	}
	old := e.idle[i]
	e.idle = slices.Delete(e.idle, i, i+1)
	return old
}

// release keeps one idle ear per language, the newest, and frees the others.
func (e *Engine) release(ears []*ear) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, next := range ears {
		if e.closed {
			next.close()
			continue
		}
		e.idle = slices.DeleteFunc(e.idle, func(old *ear) bool {
			if old.lang != next.lang {
				return false
			}
			old.close()
			return true
		})
		e.idle = append(e.idle, next)
	}
}

// Close frees the idle decoders; those of open recognisers are freed when these
// are closed.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	for _, old := range e.idle {
		old.close()
	}
	e.idle = nil
	return nil
}
