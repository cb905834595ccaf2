package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"homebot/audio/child"
	"homebot/audio/portaudio"
	"homebot/internal/config"
	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/speech/sphinx"
)

// soundTroubles are what is wrong with this machine's sound, if anything is.
func (a *app) soundTroubles(ctx context.Context) []phrases.Phrase {
	if !portaudio.Built {
		return []phrases.Phrase{phrases.NoSoundSupport}
	}
	devices, err := child.Devices(ctx, child.Config{})
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return []phrases.Phrase{phrases.NoSoundCard}
	}
	return troublesOf(devices)
}

func troublesOf(devices []child.Device) (all []phrases.Phrase) {
	in, out := false, false
	for _, d := range devices {
		in, out = in || d.Inputs > 0, out || d.Outputs > 0
	}
	if !in && !out {
		return []phrases.Phrase{phrases.NoSoundCard}
	}
	if !in {
		all = append(all, phrases.NoMicrophone)
	}
	if !out {
		all = append(all, phrases.NoLoudspeaker)
	}
	return all
}

// examineSound tells what the doctor knows about sound.
func (d doctor) examineSound(ctx context.Context) []finding {
	all := append(d.examineDevices(ctx), d.examineSoundServer(), d.examineEcho(ctx))
	all = append(all, d.examineServer(ctx)...)
	for _, l := range d.unheard(d.cfg) {
		all = append(all, d.bad(phrases.DoctorWakePhrase, phrases.DoctorUnheard, l.Phrase.Text, l.Why))
	}
	if err := d.checkWake(d.cfg); err != nil {
		all = append(all, d.finding(phrases.DoctorBad, phrases.DoctorWakeWord, err))
	}
	return all
}

func (d doctor) examineDevices(ctx context.Context) (all []finding) {
	for _, p := range d.soundTroubles(ctx) {
		all = append(all, d.bad(phrases.DoctorSoundCard, phrases.DoctorSoundTrouble, p))
	}
	if all == nil {
		all = []finding{d.ok(phrases.DoctorSoundCard, phrases.DoctorSound)}
	}
	return all
}

// examineServer: our own server is needed unless one that may hear everything is
// configured.
func (d doctor) examineServer(ctx context.Context) []finding {
	var all []finding
	if c := d.cfg.Speech; c.URL != "" {
		all = append(all, d.examineSpeechHealth(ctx))
		if !c.Remote() || c.RemoteWake {
			return all
		}
	}
	exe, err := speechExecutable()
	if err != nil {
		return append(all, d.finding(phrases.DoctorBad, phrases.DoctorSpeech, err))
	}
	all = append(all, d.named(phrases.DoctorSpeech, exe))
	engine := d.speechEngine(exe, d.cfg)
	switch {
	case engine == freeEngine:
		all = append(all, d.ok(phrases.DoctorSpeech, phrases.DoctorSpeechFree))
	case d.cfg.Speech.Engine == config.EngineSherpa:
		all = append(all, d.bad(phrases.DoctorSpeech, phrases.DoctorSpeechWanted, engine))
	default:
		if engine != "" {
			all = append(all, finding{phrases.DoctorNote, phrases.DoctorSpeech.In(d.lang), engine})
		}
		all = append(all, d.examineModels()...)
	}
	if _, err := exec.LookPath("espeak-ng"); err != nil {
		all = append(all, d.bad(phrases.DoctorVoice, phrases.EspeakMissing))
	}
	return all
}

// freeEngine is homebot-speech's engine with an open vocabulary.
const freeEngine = "sherpa"

// unheard are the wake phrases that the engine of set phrases cannot know; none
// where another engine listens.
func (a *app) unheard(cfg config.Config) []speech.LeftOut {
	if exe, err := speechExecutable(); err == nil && a.speechEngine(exe, cfg) == freeEngine {
		return nil
	}
	return a.sphinxConfig(cfg).Pronounceable(wakePhrases(cfg))
}

// speechEngine is what homebot-speech would listen with, or why not with the one
// that is wanted, in its own words; "" when it does not say.
func (a *app) speechEngine(exe string, cfg config.Config) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, exe, append([]string{"engine", "--lang", a.lang}, engineFlags(cfg, a.models(cfg))...)...).Output()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		return strings.TrimSpace(strings.TrimPrefix(string(failed.Stderr), "homebot-speech: "))
	case err != nil:
		return ""
	}
	return strings.TrimSpace(string(out))
}

// examineModels: without a model for its language a wake phrase is not heard; one
// that can be heard is enough.
func (d doctor) examineModels() (all []finding) {
	level := phrases.DoctorNote
	if d.cannotWake(d.cfg) != nil {
		level = phrases.DoctorBad
	}
	for _, lang := range []string{"en", "zh"} {
		c := d.sphinxConfig(d.cfg)
		c.Languages = []string{lang}
		var missing *sphinx.MissingError
		if _, err := sphinx.New(c); errors.As(err, &missing) {
			dir := missing.Dir
			if dir == "" {
				dir = filepath.Join(d.models(d.cfg), "sphinx-"+lang)
			}
			all = append(all, d.finding(level, phrases.DoctorSpeech, phrases.Errorf(phrases.ModelMissing, dir)))
		}
	}
	return all
}

// checkWake refuses a remote speech server when this machine cannot listen for
// the wake word itself (V1).
func (a *app) checkWake(cfg config.Config) error {
	if !cfg.Speech.Remote() || cfg.Speech.RemoteWake {
		return nil
	}
	return cfg.CheckWake(a.cannotWake(cfg))
}

// cannotWake is why this machine cannot listen for any wake phrase; nil if it
// can listen for one.
func (a *app) cannotWake(cfg config.Config) error {
	exe, err := speechExecutable()
	if err != nil {
		return err
	}
	listens := a.speechEngine(exe, cfg)
	switch {
	case listens == freeEngine:
		return nil // it spells any phrase, or says at the hello which not
	case cfg.Speech.Engine == config.EngineSherpa:
		return errors.New(listens) // nothing else may stand in
	}
	engine, err := sphinx.New(a.sphinxConfig(cfg))
	if engine == nil {
		return err
	}
	defer engine.Close()
	left := a.unheard(cfg)
	var why error
	for _, p := range wakePhrases(cfg) {
		i := slices.IndexFunc(left, func(l speech.LeftOut) bool { return l.Phrase.Text == p.Text })
		switch {
		case !slices.Contains(engine.Languages(), p.Lang):
			why = phrases.Errorf(phrases.DoctorUnheardWhy, p.Text, phrases.LanguageMissing)
		case i >= 0:
			why = phrases.Errorf(phrases.DoctorUnheardWhy, p.Text, left[i].Why)
		default:
			return nil
		}
	}
	return why
}
