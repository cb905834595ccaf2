package main

import (
	"fmt"
	"os"
	"path/filepath"

	"homebot/internal/config"
	"homebot/internal/llm/offline"
	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/speech/sphinx"
	"homebot/internal/text"
)

// wakePhrases are those of the configuration.
func wakePhrases(cfg config.Config) []speech.Phrase {
	var all []speech.Phrase
	for _, p := range cfg.Wake.Phrases {
		threshold, boost := cfg.Wake.Tuned(p)
		all = append(all, speech.Phrase{Text: p, Lang: config.Lang(p), Threshold: threshold, Boost: boost})
	}
	return all
}

// isSetPhrase reports whether words are one of list, whatever the marks.
func isSetPhrase(list []speech.Phrase) func(words string) bool {
	known := map[string]bool{}
	for _, p := range list {
		known[text.Bare(p.Text)] = true
	}
	return func(words string) bool { return known[text.Bare(words)] }
}

// setPhrases are what a recogniser of set phrases should know: what switches the
// modes there are, and what the offline answers understand.
func (h *house) setPhrases() []speech.Phrase {
	var all []speech.Phrase
	for _, p := range h.registry.Scan().Phrases() {
		all = append(all, speech.Phrase{Text: p.Text, Lang: p.Lang, Kin: p.Kin})
	}
	for _, lang := range []string{"zh", "en"} {
		for _, p := range offline.Phrases(lang) {
			all = append(all, speech.Phrase{Text: p.Text, Lang: p.Lang, Kin: p.Kin})
		}
		for _, words := range text.Asides(lang) {
			all = append(all, speech.Phrase{Text: words, Lang: lang, Kin: "stop"})
		}
	}
	return all
}

// checkPhrases names the phrases that the recogniser of set phrases cannot hear
// (on standard output: the rest works).
func (a *app) checkPhrases(cfg config.Config) error {
	h := build(cfg, a.logger(levelQuiet))
	all := append(wakePhrases(cfg), h.setPhrases()...)
	for _, l := range a.sphinxConfig(cfg).Pronounceable(all) {
		fmt.Fprintln(a.stdout, phrases.ConfigUnheard.In(a.lang, l.Phrase.Text, phrases.Told(l.Why, a.lang)))
	}
	return nil
}

func (a *app) sphinxConfig(cfg config.Config) sphinx.Config {
	var c sphinx.Config
	zh := filepath.Join(a.models(cfg), "sphinx-zh")
	if _, err := os.Stat(zh); err == nil {
		c.MandarinDir = zh
	}
	return c
}
