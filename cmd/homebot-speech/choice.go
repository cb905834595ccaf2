package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/speech/espeak"
	"homebot/internal/speech/models"
	"homebot/internal/speech/sherpa"
)

// Engines that --engine takes.
const (
	engineAuto   = "auto" // sherpa when its models are whole, else sphinx
	engineSherpa = "sherpa"
	engineSphinx = "sphinx"
)

// chooser picks ears and a voice from the models that are there.
type chooser struct {
	st     *models.Store
	proven *proven
	opts   serveOptions
	log    *slog.Logger
	free   func() int // memory that could be had, in MB; 0: unknown
}

func newChooser(st *models.Store, o serveOptions, log *slog.Logger) *chooser {
	return &chooser{st: st, proven: readProven(st), opts: o, log: log, free: freeMemory}
}

// ears are the engine, and why it is not the one that was wanted.
func (c *chooser) ears(ctx context.Context, voice *espeak.Synthesizer) (engine, error) {
	if c.opts.engine == engineSphinx {
		return c.sphinx(ctx, voice, "")
	}
	e, err := c.sherpa(ctx)
	if err == nil {
		return e, nil
	}
	if c.opts.engine == engineSherpa {
		return nil, err
	}
	note := "sherpa is not used: " + err.Error()
	level := slog.LevelWarn
	if models.Missing(err) || errors.Is(err, sherpa.ErrNotBuilt) {
		level = slog.LevelInfo // nobody installed it: no fault
	}
	small, failed := c.sphinx(ctx, voice, note)
	if failed == nil {
		c.log.Log(ctx, level, "sphinx listens instead of sherpa", "why", err)
	}
	return small, failed
}

// sherpaModels are the models that the sherpa engine needs, all whole.
type sherpaModels struct{ vad, wake, stt models.Model }

func (c *chooser) sherpaModels() (s sherpaModels, err error) {
	if sherpa.Version() == "" {
		return s, sherpa.ErrNotBuilt
	}
	if s.vad, err = c.find(models.PurposeVAD, ""); err != nil {
		return s, err
	}
	if s.wake, err = c.find(models.PurposeWake, ""); err != nil {
		return s, err
	}
	s.stt, err = c.find(models.PurposeSTT, "")
	return s, err
}

// find is the model for a purpose: the one that a flag names, else the first that
// is whole.
func (c *chooser) find(purpose, lang string) (models.Model, error) {
	if purpose == models.PurposeSTT && c.opts.stt != "" {
		m, ok := c.st.Catalog.Model(c.opts.stt)
		if !ok || m.Purpose != purpose {
			return m, phrases.Errorf(phrases.SpeechBadModel, c.opts.stt)
		}
		return m, c.st.Whole(m.Name)
	}
	return c.st.Find(purpose, lang)
}

// libraryMemory is what the library costs before any model, in MB: 7 measured on
// x86-64 (VmRSS of serve with and without it). freeAtLeast is left for the rest
// of the device; chosen.
const libraryMemory, freeAtLeast = 10, 64

// sherpa makes the engine if all its models are whole, fit the memory and can be
// loaded.
func (c *chooser) sherpa(ctx context.Context) (engine, error) {
	s, err := c.sherpaModels()
	if err != nil {
		return nil, err
	}
	need := libraryMemory + freeAtLeast + s.vad.Memory + s.wake.Memory + s.stt.Memory
	if free := c.free(); free > 0 && free < need {
		return nil, phrases.Errorf(phrases.SpeechNoMemory, need, free)
	}
	for _, m := range []models.Model{s.vad, s.wake, s.stt} {
		if err := c.proven.usable(ctx, m); err != nil {
			return nil, err
		}
	}
	speakers := c.speakers(ctx)
	e, err := sherpa.New(sherpa.Config{
		VAD: trialOf(c.st, s.vad).Path, Wake: c.st.Path(s.wake.Name), STT: c.st.Path(s.stt.Name), STTKind: s.stt.Kind,
		Speakers: speakers, Log: c.log,
	})
	if err != nil {
		return nil, err
	}
	return &sherpaEngine{e, speakers}, nil
}

// sherpaEngine closes what belongs to it.
type sherpaEngine struct {
	*sherpa.Engine
	speakers *sherpa.Speakers
}

func (e *sherpaEngine) Close() error {
	err := e.Engine.Close()
	if e.speakers != nil {
		err = errors.Join(err, e.speakers.Close())
	}
	return err
}

// speakers are the members' voices, nil without a model or without members: a
// hint that may be missing.
func (c *chooser) speakers(ctx context.Context) *sherpa.Speakers {
	m, err := c.st.Find(models.PurposeSpeaker, "")
	if err != nil {
		return nil
	}
	if err := c.proven.usable(ctx, m); err != nil {
		c.log.Warn("members are not known by their voice", "err", err)
		return nil
	}
	s, err := sherpa.OpenSpeakers(c.opts.voicesFile(c.st.Dir), trialOf(c.st, m).Path)
	if err != nil {
		c.log.Warn("members are not known by their voice", "err", err)
		return nil
	}
	return s
}

// voicesFile is where members' voices are kept.
func (o serveOptions) voicesFile(models string) string {
	if o.voices != "" {
		return o.voices
	}
	return filepath.Join(models, "members.json")
}

// sphinx is the small engine, with the better voice activity where that model is
// installed.
func (c *chooser) sphinx(ctx context.Context, voice *espeak.Synthesizer, note string) (engine, error) {
	e, err := newSphinx(ctx, c.opts, voice, c.log)
	if err != nil {
		return nil, err
	}
	e.note = note
	m, err := c.st.Find(models.PurposeVAD, "")
	if err != nil || sherpa.Version() == "" {
		return e, nil
	}
	if err := c.proven.usable(ctx, m); err != nil {
		c.log.Warn("voice activity by loudness alone", "err", err)
		return e, nil
	}
	gate, err := sherpa.WithVAD(e, trialOf(c.st, m).Path)
	if err != nil {
		c.log.Warn("voice activity by loudness alone", "err", err)
		return e, nil
	}
	return gatedEngine{gate, e}, nil
}

// gatedEngine is an engine behind a gate.
type gatedEngine struct {
	*sherpa.Gate
	inner engine
}

func (e gatedEngine) Describe() speech.Info {
	info := e.inner.Describe()
	info.Engine += "+silero"
	return info
}

func (e gatedEngine) Close() error { return e.inner.Close() }

// voice is the voice of each language: a model's, or espeak-ng's.
func (c *chooser) voice(ctx context.Context, rest *espeak.Synthesizer) (speech.Synthesizer, func() error) {
	none := func() error { return nil }
	if sherpa.Version() == "" || c.opts.engine == engineSphinx {
		return rest, none
	}
	cfg := sherpa.VoiceConfig{Dirs: map[string]string{}, Kinds: map[string]string{}, Speed: c.opts.speeds(), Rest: rest}
	free := c.free()
	for _, lang := range []string{"zh", "en"} {
		m, err := c.st.Find(models.PurposeTTS, lang)
		if err == nil && free > 0 && free < m.Memory+freeAtLeast {
			err = fmt.Errorf("voice %s needs %d MB of memory and %d MB are free", m.Name, m.Memory+freeAtLeast, free)
		}
		if err == nil {
			err = c.proven.usable(ctx, m)
		}
		if models.Missing(err) {
			continue
		}
		if err != nil {
			c.log.Warn("espeak-ng speaks instead", "lang", lang, "err", err)
			continue
		}
		cfg.Dirs[lang], cfg.Kinds[lang] = c.st.Path(m.Name), m.Kind
		free -= m.Memory
	}
	if len(cfg.Dirs) == 0 {
		return rest, none
	}
	v, err := sherpa.NewVoice(cfg)
	if err != nil {
		c.log.Warn("espeak-ng speaks instead", "err", err)
		return rest, none
	}
	return v, v.Close
}
