package sphinx

import (
	"log/slog"
	"os"
	"path/filepath"

	"homebot/internal/phrases"
)

// The languages this engine has models for.
const (
	english  = "en"
	mandarin = "zh"
)

// DefaultEnglishDir is where Debian's pocketsphinx-en-us puts its model.
const DefaultEnglishDir = "/usr/share/pocketsphinx/model/en-us"

// Config says where the models are. The zero value is English only, from
// Debian's package.
type Config struct {
	// EnglishDir holds en-us/ and cmudict-en-us.dict; "" is DefaultEnglishDir.
	EnglishDir string
	// MandarinDir holds tdt_sc_8k/ and mandarin.dic; "" means there is none.
	MandarinDir string
	// Languages are the wanted ones in order of preference; empty means all
	// whose model is there, and then a missing one is no error.
	Languages []string
	// Warmup is one spoken phrase per language, 16 kHz mono s16, fed to each
	// new decoder: without it the first utterance is usually lost. A language
	// without one gets a synthetic vowel-like sound, which helps less.
	Warmup map[string][]int16
	// Log gets what an operator should know; nil discards it.
	Log *slog.Logger
}

// MissingError says that the model of a language is not there, and how to get it.
type MissingError struct {
	Lang string // "en" or "zh"
	Dir  string // where it was looked for; "" if no place was given
}

// Error is In English.
func (e *MissingError) Error() string { return e.In(phrases.English) }

// In is one line in lang: what is missing, where, and the way out.
func (e *MissingError) In(lang string) string {
	switch {
	case e.Lang == english:
		return phrases.SphinxNoEnglish.In(lang, e.Dir)
	case e.Lang == mandarin && e.Dir == "":
		return phrases.SphinxNoPlace.In(lang)
	case e.Lang == mandarin:
		return phrases.SphinxNoMandarin.In(lang, e.Dir)
	}
	return phrases.SphinxNoLanguage.In(lang, e.Lang)
}

// model is one language's files and the figures that were measured for it.
type model struct {
	lang    string
	hmm     string   // acoustic model directory
	dict    string   // pronunciation dictionary
	args    []string // further decoder arguments
	wakeWIP float64  // word insertion penalty of the wake search
	cmdWIP  float64  // word insertion penalty of the command search
}

// model returns lang's model, or a *MissingError.
func (c Config) model(lang string) (model, error) {
	m := model{lang: lang}
	var dir string
	switch lang {
	case english:
		dir = c.EnglishDir
		if dir == "" {
			dir = DefaultEnglishDir
		}
		m.hmm, m.dict = filepath.Join(dir, "en-us"), filepath.Join(dir, "cmudict-en-us.dict")
		m.wakeWIP, m.cmdWIP = 1e-15, 1e-14
	case mandarin:
		dir = c.MandarinDir
		m.hmm, m.dict = filepath.Join(dir, "tdt_sc_8k"), filepath.Join(dir, "mandarin.dic")
		// The model was made for 8 kHz; its filters end at 4 kHz, so 16 kHz
		// audio needs no resampling.
		m.args = []string{"-samprate", "16000", "-nfft", "512"}
		m.wakeWIP, m.cmdWIP = 1e-13, 1e-19
	default:
		return m, &MissingError{Lang: lang}
	}
	if dir == "" || !exists(filepath.Join(m.hmm, "mdef")) || !exists(m.dict) {
		return m, &MissingError{Lang: lang, Dir: dir}
	}
	return m, nil
}

// models returns the models to use. A wanted language that is missing is an
// error only if it was named or if no model is there at all.
func (c Config) models() ([]model, error) {
	wanted := c.Languages
	if len(wanted) == 0 {
		wanted = []string{english, mandarin}
	}
	var found []model
	var missing error
	for _, lang := range wanted {
		m, err := c.model(lang)
		if err == nil {
			found = append(found, m)
		} else if missing == nil {
			missing = err
		}
	}
	if len(c.Languages) == 0 && len(found) > 0 {
		missing = nil
	}
	return found, missing
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
