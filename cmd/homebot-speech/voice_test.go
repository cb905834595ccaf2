package main

import (
	"path/filepath"
	"strings"
	"testing"

	"homebot/internal/speech"
	"homebot/internal/speech/models"
	"homebot/internal/speech/sherpa"
	"homebot/internal/speech/sherpa/onnxtest"
)

// A model's voice speaks through the real server, child and library, in the
// language it is for; the model is tiny and hums at 0.3 of full scale, which
// espeak-ng never does.
func TestSpeaksWithAModel(t *testing.T) {
	needModel(t)
	if sherpa.Version() == "" {
		t.Skip(sherpa.ErrNotBuilt)
	}
	st, err := models.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m, _ := st.Catalog.Model("tts-matcha-zh")
	dir := st.Path(m.Name)
	onnxtest.Matcha(t, filepath.Join(dir, "acoustic.onnx"), filepath.Join(dir, "vocoder.onnx"))
	for _, f := range m.Files() {
		if f.Name == "vocoder.onnx" {
			onnxtest.Pad(t, filepath.Join(dir, f.Name), f.Bytes)
		}
	}
	onnxtest.Write(t, filepath.Join(dir, "tokens.txt"), []byte("_ 0\n， 1\n。 2\n！ 3\n？ 4\np1 5\np2 6\np3 7\n"))
	onnxtest.Write(t, filepath.Join(dir, "lexicon.txt"), []byte("水 p1\n开 p2\n了 p3\n"))
	url, _, _ := serving(t, strings.NewReader(""), "--models", st.Dir, "--languages", "en", "--speed", "zh=1.5")
	var all, hummed int
	err = speech.NewVoice(speech.VoiceConfig{BaseURL: url}).Speak(t.Context(), "水开了。", "zh", func(pcm []int16) error {
		for _, x := range pcm {
			all++
			if x = max(x, -x); x > 9000 && x < 11000 {
				hummed++
			}
		}
		return nil
	})
	if err != nil || all < 3*1024 || hummed < all/2 {
		t.Errorf("%d of %d samples are the model's, %v", hummed, all, err)
	}
}
