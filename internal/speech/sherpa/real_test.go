package sherpa

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/speech/models"
	"homebot/internal/speech/models/modelstest"
	"homebot/internal/speech/sherpa/onnxtest"
	"homebot/internal/speech/speechtest"
)

// TestMain lets the test binary be a probe's child.
func TestMain(m *testing.M) {
	if os.Getenv("BE_PROBE") != "" {
		in, _ := io.ReadAll(os.Stdin)
		os.Exit(Answer(in, os.Stdout, os.Stderr, nil))
	}
	os.Exit(m.Run())
}

func needLibrary(tb testing.TB) {
	tb.Helper()
	if Version() == "" {
		tb.Skip(ErrNotBuilt)
	}
}

const wakeTokens = "<blk> 0\n<sos/eos> 1\n<unk> 2\nn 3\nǐ 4\nh 5\nǎo 6\nx 7\niǎo 8\nch 9\nú 10\nHH 11\nEY1 12\n"

// wakeModel says n ǐ h ǎo while it is loud.
func wakeModel(tb testing.TB) string {
	dir := tb.TempDir()
	onnxtest.Transducer(tb, dir, 13, 3, 4, 5, 6)
	onnxtest.Write(tb, filepath.Join(dir, "tokens.txt"), []byte(wakeTokens))
	return dir
}

// zipformerModel says 打开灯 while it is loud.
func zipformerModel(tb testing.TB) string {
	dir := tb.TempDir()
	onnxtest.Transducer(tb, dir, 9, 3, 4, 5)
	onnxtest.Write(tb, filepath.Join(dir, "tokens.txt"), []byte("<blk> 0\n<sos/eos> 1\n<unk> 2\n打 3\n开 4\n灯 5\n关 6\n▁A 7\nB 8\n"))
	return dir
}

// senseVoiceModel says one 灯 for each loud span.
func senseVoiceModel(tb testing.TB) string {
	dir := tb.TempDir()
	onnxtest.SenseVoice(tb, filepath.Join(dir, "model.onnx"), 6, 5)
	onnxtest.Write(tb, filepath.Join(dir, "tokens.txt"), []byte("<blank> 0\n<|zh|> 1\n<|NEUTRAL|> 2\n<|Speech|> 3\n<|withitn|> 4\n灯 5\n"))
	return dir
}

func vitsModel(tb testing.TB) string {
	dir := tb.TempDir()
	onnxtest.VITS(tb, filepath.Join(dir, "model.onnx"), 1000)
	tokens, lexicon := "_ 0\n, 1\n. 2\n? 3\n! 4\n  90\n", ""
	for i, w := range strings.Fields("the eggs are ready one more word water is boiling please turn off stove") {
		tokens += strings.ToUpper(w) + " " + itoa(i+5) + "\n"
		lexicon += w + " " + strings.ToUpper(w) + "\n"
	}
	onnxtest.Write(tb, filepath.Join(dir, "tokens.txt"), []byte(tokens))
	onnxtest.Write(tb, filepath.Join(dir, "lexicon.txt"), []byte(lexicon))
	return dir
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + itoa(i%10)
}

func matchaModel(tb testing.TB) string {
	dir := tb.TempDir()
	onnxtest.Matcha(tb, filepath.Join(dir, "acoustic.onnx"), filepath.Join(dir, "vocoder.onnx"))
	tokens, lexicon := "_ 0\n， 1\n。 2\n！ 3\n？ 4\n", ""
	for i, r := range []rune("鸡蛋煮好了水开请把火关小一点") {
		tokens += "p" + itoa(i) + " " + itoa(i+5) + "\n"
		lexicon += string(r) + " p" + itoa(i) + "\n"
	}
	onnxtest.Write(tb, filepath.Join(dir, "tokens.txt"), []byte(tokens))
	onnxtest.Write(tb, filepath.Join(dir, "lexicon.txt"), []byte(lexicon))
	return dir
}

func speakerModel(tb testing.TB) string {
	file := filepath.Join(tb.TempDir(), "model.onnx")
	onnxtest.Embedding(tb, file)
	return file
}

func realEngine(tb testing.TB, kind, stt string, speakers *Speakers) *Engine {
	tb.Helper()
	needLibrary(tb)
	e, err := New(Config{VAD: modelstest.VAD(tb), Wake: wakeModel(tb), STT: stt, STTKind: kind, Speakers: speakers})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { e.Close() })
	return e
}

var nihao = speech.Hello{Wake: []speech.Phrase{{Text: "你好", Lang: "zh"}}, Phrases: []speech.Phrase{{Text: "打开灯", Lang: "zh"}}}

// play gives r pcm in frames.
func play(t *testing.T, r speech.Recognizer, pcm ...[]int16) []speech.Heard {
	t.Helper()
	var all []speech.Heard
	for c := range slices.Chunk(slices.Concat(pcm...), rate/50) {
		heard, err := r.Accept(c)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, heard...)
	}
	return all
}

func kinds(heard []speech.Heard) map[speech.HeardKind]int {
	n := map[speech.HeardKind]int{}
	for _, h := range heard {
		n[h.Kind]++
	}
	return n
}

// V1: wake word, partials and the final transcript through the real library:
// models of the right shape and no brains, real voice activity, real speech.
// Twice over, so that resets count too.
func TestWholePath(t *testing.T) {
	for kind, stt := range map[string]string{KindZipformer: zipformerModel(t), KindSenseVoice: senseVoiceModel(t)} {
		t.Run(kind, func(t *testing.T) {
			want := map[string]string{KindZipformer: "打开灯", KindSenseVoice: "灯灯"}[kind] // a word for each span of speech
			r, leftOut, err := realEngine(t, kind, stt, nil).NewRecognizer(t.Context(), nihao)
			if err != nil || len(leftOut) > 0 {
				t.Fatal(err, leftOut)
			}
			defer r.Close()
			pcm := recording(t, "jfk.wav")
			for range 2 {
				heard := play(t, r, quiet(1), pcm[:3*rate], quiet(0.2), pcm[5*rate:8*rate], quiet(1))
				n := kinds(heard)
				if n[speech.Wake] != 1 || n[speech.SpeechStarted] < 1 || n[speech.SpeechStarted] != n[speech.SpeechStopped] || n[speech.Partial] < 1 {
					t.Errorf("heard %+v", heard)
				}
				if w := heard[0]; w.Kind != speech.Wake || w.Phrase != "你好" || w.Lang != "zh" {
					t.Errorf("first %+v, want the wake phrase", w)
				}
				final, err := r.End()
				if err != nil || len(final) != 1 || final[0].Kind != speech.Final || final[0].Text != want || final[0].Lang != "zh" {
					t.Errorf("final %+v, %v; want %q", final, err, want)
				}
				if c := final[0].Confidence; c < 0 || c > 1 || kind == KindZipformer && c < 0.5 {
					t.Errorf("confidence %v", c)
				}
				if err := r.Wait(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// The contract of every recogniser, held by the real library.
func TestEngineConforms(t *testing.T) {
	speechtest.TestRecognizer(t, realEngine(t, KindZipformer, zipformerModel(t), nil))
}

// Two connections at once share what is loaded, and everything is freed.
func TestTwoRecognisers(t *testing.T) {
	e := realEngine(t, KindZipformer, zipformerModel(t), nil)
	var rs []speech.Recognizer
	for range 2 {
		r, _, err := e.NewRecognizer(t.Context(), nihao)
		if err != nil {
			t.Fatal(err)
		}
		rs = append(rs, r)
	}
	if len(e.ears.all) != 1 || len(e.spotters.all) != 1 {
		t.Errorf("%d recognisers and %d spotters are loaded", len(e.ears.all), len(e.spotters.all))
	}
	done := make(chan int, 2)
	for _, r := range rs {
		go func() {
			n := 0
			for range 20 {
				heard, _ := r.Accept(loud(0.1))
				n += len(heard)
			}
			done <- n
		}()
	}
	<-done
	<-done
	for _, r := range rs {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	e.Close()
	if len(e.ears.all)+len(e.spotters.all) != 0 {
		t.Error("models are still loaded")
	}
}

// A voice of each kind speaks through the real library, sentence by sentence.
func TestVoices(t *testing.T) {
	needLibrary(t)
	v, err := NewVoice(VoiceConfig{
		Dirs:  map[string]string{"en": vitsModel(t), "zh": matchaModel(t)},
		Kinds: map[string]string{"en": KindVITS, "zh": KindMatcha},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	speechtest.TestSynthesizer(t, v)
	var pieces int
	if err := v.Speak(t.Context(), "The eggs are ready. 水开了，one more word。", "en", func([]int16) error { pieces++; return nil }); err != nil || pieces < 3 {
		t.Errorf("%d pieces, %v", pieces, err)
	}
}

// Three recordings make a member, whose voice is kept and known again.
func TestSpeakers(t *testing.T) {
	needLibrary(t)
	path := filepath.Join(t.TempDir(), "voices.json")
	s, err := OpenSpeakers(path, speakerModel(t))
	if err != nil {
		t.Fatal(err)
	}
	low := hum(2)
	if got := s.Identify(low); got != "" {
		t.Errorf("nobody is enrolled, but heard %q", got)
	}
	if err := s.Enrol("mum", [][]int16{low, low}); err == nil {
		t.Error("two recordings were enough")
	}
	if err := s.Enrol("mum", [][]int16{low, low, low[:100]}); err == nil || !strings.Contains(err.Error(), "recording 3") || !chinese(err) {
		t.Errorf("a short recording: %v", err)
	}
	if err := s.Forget("dad"); err == nil || !chinese(err) {
		t.Errorf("forget somebody else: %v", err)
	}
	if err := s.Enrol(Guest, [][]int16{low, low, low}); err == nil {
		t.Error("a guest was enrolled")
	}
	if err := s.Enrol("mum", [][]int16{low, low, low}); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("voices are readable: %v", info.Mode())
	}
	s.Close()
	if s, err = OpenSpeakers(path, speakerModel(t)); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := s.Identify(low); got != "mum" {
		t.Errorf("mum is heard as %q", got)
	}
	if got := s.Identify(make([]int16, rate/2)); got != "" {
		t.Errorf("half a second is heard as %q", got)
	}
	if err := s.Forget("mum"); err != nil || len(s.Members()) != 0 {
		t.Errorf("forget: %v", err)
	}
}

// trials are models of every purpose, right ones.
func trials(t *testing.T) map[string]Trial {
	return map[string]Trial{
		"vad":        {Purpose: models.PurposeVAD, Path: modelstest.VAD(t)},
		"wake":       {Purpose: models.PurposeWake, Path: defaultWakeModel(t)},
		"zipformer":  {Purpose: models.PurposeSTT, Kind: KindZipformer, Path: zipformerModel(t)},
		"sensevoice": {Purpose: models.PurposeSTT, Kind: KindSenseVoice, Path: senseVoiceModel(t)},
		"vits":       {Purpose: models.PurposeTTS, Kind: KindVITS, Path: vitsModel(t), Lang: "en"},
		"matcha":     {Purpose: models.PurposeTTS, Kind: KindMatcha, Path: matchaModel(t), Lang: "zh"},
		"speaker":    {Purpose: models.PurposeSpeaker, Path: speakerModel(t)},
	}
}

func defaultWakeModel(tb testing.TB) string {
	dir := wakeModel(tb)
	onnxtest.Write(tb, filepath.Join(dir, "en.phone"), []byte("HEY HH EY1\n"))
	return dir
}

func probe(t *testing.T, tr Trial) (Figures, error) {
	t.Helper()
	t.Setenv("BE_PROBE", "1")
	return Probe(t.Context(), tr, os.Args[0])
}

func TestProbe(t *testing.T) {
	needLibrary(t)
	for name, tr := range trials(t) {
		tr.Name = name
		f, err := probe(t, tr)
		if err != nil || f.Load <= 0 || f.RTF <= 0 || f.Memory < 10 {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
}

// Every file of every model missing, empty, truncated, replaced by text or by a
// model of another kind: one sentence that names the model, whatever the library
// does in the child.
func TestProbeOfDamagedModels(t *testing.T) {
	needLibrary(t)
	foreign, err := os.ReadFile(speakerModel(t))
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join(senseVoiceModel(t), "model.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	died := 0
	for name, tr := range trials(t) {
		for file, data := range damageable(t, tr) {
			for how, spoilt := range map[string][]byte{
				"missing": nil, "empty": {}, "truncated": data[:len(data)/2], "text": []byte("<html>404 Not Found</html>\n"), "foreign": foreign, "other": other,
			} {
				if how == "foreign" && name == "speaker" || how == "other" && name == "sensevoice" {
					continue
				}
				spoil(t, file, spoilt)
				tr.Name = name
				var err error
				if len(spoilt) == 0 { // found before the library sees it, in this process
					if _, err = tr.Run(nil); err != nil {
						err = fmt.Errorf("model %s: %w", name, err)
					}
				} else {
					_, err = probe(t, tr)
				}
				spoil(t, file, data)
				// Half a list of words is a list of words, and without English
				// sounds the Chinese wake phrase is left.
				harmless := filepath.Ext(file) == ".txt" && how == "truncated" || filepath.Ext(file) == ".phone"
				if err == nil && !harmless {
					t.Errorf("%s: %s %s is taken", name, filepath.Base(file), how)
				}
				if err != nil && (strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "model "+name)) {
					t.Errorf("%s: %s %s: %v", name, filepath.Base(file), how, err)
				}
				if err != nil && !chinese(err) {
					t.Errorf("%s: %s %s is not told in Chinese: %v", name, filepath.Base(file), how, err)
				}
				if err != nil && strings.Contains(err.Error(), "gives up") {
					died++
				}
			}
		}
	}
	t.Logf("the library ended its process %d times", died)
}

// chinese reports that err is told in Chinese.
func chinese(err error) bool {
	return strings.ContainsFunc(phrases.Told(err, phrases.Chinese), func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// What a child says of a model is told in both languages; a child that says nothing
// of the kind has the last of its lines.
func TestReasonOfAChild(t *testing.T) {
	var out, errs strings.Builder
	if code := Answer([]byte(`{"purpose":"juggling"}`), &out, &errs, nil); code != 1 {
		t.Errorf("exit %d", code)
	}
	for _, tt := range []struct{ out, errs, en, zh string }{
		{out.String(), errs.String(), `models for "juggling" cannot be tried`, `"juggling" 用的模型没法试`},
		{"", "library: noise\nit broke\n", "it broke", "it broke"},
		{"{}", "it broke", "it broke", "it broke"},
	} {
		if err := reason([]byte(tt.out), tt.errs); err.Error() != tt.en || phrases.Told(err, phrases.Chinese) != tt.zh {
			t.Errorf("%q %q: %v, %s", tt.out, tt.errs, err, phrases.Told(err, phrases.Chinese))
		}
	}
}

func spoil(t *testing.T, file string, data []byte) {
	t.Helper()
	err := os.Remove(file)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err == nil && data != nil {
		err = os.WriteFile(file, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// damageable are the files of a model, by path, with their content.
func damageable(t *testing.T, tr Trial) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	paths := []string{tr.Path}
	if isDir(tr.Path) {
		paths, _ = filepath.Glob(filepath.Join(tr.Path, "*"))
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		all[p] = data
	}
	return all
}
