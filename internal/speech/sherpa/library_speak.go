//go:build cgo && linux && (amd64 || arm64) && !nosherpa

package sherpa

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"homebot/internal/phrases"

	sherpa "github.com/k2-fsa/sherpa-onnx-go-linux"
)

func (onnx) speaker(m voiceModel) (speaker, error) {
	c := sherpa.OfflineTtsConfig{MaxNumSentences: 1, SilenceScale: silenceScale}
	c.Model.NumThreads, c.Model.Provider = max(1, m.threads), provider
	at := func(name string) string { return filepath.Join(m.dir, name) }
	var need []string
	switch m.kind {
	case KindMatcha:
		v := &c.Model.Matcha
		v.AcousticModel, v.Vocoder, v.Tokens, v.LengthScale = at("acoustic.onnx"), at("vocoder.onnx"), at("tokens.txt"), 1
		need = []string{v.AcousticModel, v.Vocoder, v.Tokens}
		v.Lexicon, v.DataDir = phonemes(m.dir)
		need = append(need, v.Lexicon+v.DataDir)
	case KindVITS:
		v := &c.Model.Vits
		v.Model, v.Tokens = at("model.onnx"), at("tokens.txt")
		v.NoiseScale, v.NoiseScaleW, v.LengthScale = 0.667, 0.8, 1 // the library's own advice
		need = []string{v.Model, v.Tokens}
		v.Lexicon, v.DataDir = phonemes(m.dir)
		need = append(need, v.Lexicon+v.DataDir)
	default:
		return nil, phrases.Errorf(phrases.SherpaUnknownVoice, m.kind)
	}
	if err := needFiles(need...); err != nil {
		return nil, err
	}
	if v := c.Model.Vits.Lexicon + c.Model.Matcha.Lexicon; v != "" {
		if err := checkLexicon(v, filepath.Join(m.dir, "tokens.txt")); err != nil {
			return nil, err
		}
	}
	c.RuleFsts = rules(m.dir)
	t := sherpa.NewOfflineTts(&c)
	if t == nil {
		return nil, errRefused(phrases.SherpaVoice, m.dir)
	}
	return &tts{t}, nil
}

// phonemes is how a voice knows pronunciations: espeak-ng's data, or a lexicon.
func phonemes(dir string) (lexicon, dataDir string) {
	if data := filepath.Join(dir, "espeak-ng-data"); isPresent(data) {
		return "", data
	}
	return filepath.Join(dir, "lexicon.txt"), ""
}

// checkLexicon refuses a lexicon of which no word can be said: the library would
// take it, and be silent.
func checkLexicon(lexicon, tokensFile string) error {
	data, err := os.ReadFile(tokensFile)
	if err != nil {
		return err
	}
	known, err := readTokens(bytes.NewReader(data))
	if err != nil {
		return phrases.Errorf(phrases.SherpaUnusableFile, tokensFile, err)
	}
	f, err := os.Open(lexicon)
	if err != nil {
		return err
	}
	defer f.Close()
	for s := lines(f); s.Scan(); {
		word := strings.Fields(s.Text())
		if len(word) > 1 && !slices.ContainsFunc(word[1:], func(p string) bool { _, ok := known[p]; return !ok }) {
			return nil
		}
	}
	return phrases.Errorf(phrases.SherpaMuteLexicon, lexicon)
}

// rules are the text normalisers that are there.
func rules(dir string) string {
	var all []string
	for _, name := range []string{"phone.fst", "date.fst", "number.fst"} {
		if p := filepath.Join(dir, name); needFiles(p) == nil {
			all = append(all, p)
		}
	}
	return strings.Join(all, ",")
}

// tts is a voice.
type tts struct{ model *sherpa.OfflineTts }

func (t *tts) rate() int { return t.model.SampleRate() }

func (t *tts) speak(text string, speed float64, emit func([]float32) bool) error {
	c := &sherpa.GenerationConfig{Speed: float32(speed), SilenceScale: silenceScale}
	if t.model.GenerateWithConfig(text, c, func(pcm []float32, _ float32) bool { return emit(pcm) }) == nil {
		return phrases.Errorf(phrases.SherpaDidNotSpeak)
	}
	return nil
}

func (t *tts) close() { sherpa.DeleteOfflineTts(t.model) }
