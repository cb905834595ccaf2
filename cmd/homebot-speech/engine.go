package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"

	"homebot/audio"
	"homebot/internal/speech"
	"homebot/internal/speech/espeak"
	"homebot/internal/speech/sphinx"
)

// engine is what serve needs of a recogniser.
type engine interface {
	speech.Engine
	speech.Describer
	Close() error
}

// sphinxEngine names the engine for the protocol.
type sphinxEngine struct {
	*sphinx.Engine
	note string // why it is not another engine
}

func (e *sphinxEngine) Describe() speech.Info {
	return speech.Info{Engine: engineSphinx, Languages: e.Languages(), Note: e.note}
}

// warmups are spoken to each new decoder, which loses its first utterance
// otherwise.
var warmups = map[string]string{"en": "hello, this is a test", "zh": "今天天气很好"}

// newSphinx makes the recogniser of set phrases from the models that are there. A
// wanted language whose model is missing is an error only when it leaves nothing
// to hear.
func newSphinx(ctx context.Context, o serveOptions, voice *espeak.Synthesizer, log *slog.Logger) (*sphinxEngine, error) {
	cfg := sphinx.Config{
		EnglishDir:  modelDir(o.models, "sphinx-en"),
		MandarinDir: filepath.Join(o.models, "sphinx-zh"), // also where it is missing: that is where to put it
		Languages:   o.languages,
		Log:         log,
	}
	e, err := sphinx.New(cfg)
	if e == nil {
		return nil, err
	}
	var missing *sphinx.MissingError
	if errors.As(err, &missing) {
		log.Warn("a language cannot be heard", "lang", missing.Lang, "err", err)
	}
	cfg.Languages, cfg.Warmup = e.Languages(), warm(ctx, e.Languages(), voice, log)
	if err := e.Close(); err != nil {
		return nil, err
	}
	if e, err = sphinx.New(cfg); err != nil {
		return nil, err
	}
	return &sphinxEngine{Engine: e}, nil
}

// modelDir is name in the models' directory; "" if it is not there: the engine
// then has its own place for it, or does without.
func modelDir(models, name string) string {
	if models == "" {
		return ""
	}
	dir := filepath.Join(models, name)
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// warm speaks the warmups of langs at the recogniser's rate. Without a voice
// there are none, and the engine makes do.
func warm(ctx context.Context, langs []string, voice *espeak.Synthesizer, log *slog.Logger) map[string][]int16 {
	out := map[string][]int16{}
	for _, lang := range langs {
		var pcm []int16
		err := voice.Speak(ctx, warmups[lang], lang, func(p []int16) error {
			pcm = append(pcm, p...)
			return nil
		})
		if err == nil {
			pcm, err = audio.Resample(pcm, speech.PlaybackRate, speech.CaptureRate)
		}
		if err != nil {
			log.Debug("no warm-up speech", "lang", lang, "err", err)
			continue
		}
		out[lang] = pcm
	}
	return out
}
