package sphinx

import (
	"bytes"
	"errors"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"homebot/internal/phrases"
	"homebot/internal/speech"
)

func TestGrammar(t *testing.T) {
	p := pronounced{speech.Phrase{Text: "a | b;"}, []phones{{"A"}, {"B", "A"}}}
	dict := dictionary([]pronounced{p}, []pronounced{p}, []string{"A", "B"})
	want := "wake0 A\nwake0(2) B A\ncmd0 A\ncmd0(2) B A\ng_A A\ng_B B\n"
	if dict != want {
		t.Errorf("dictionary:\n%s\nwant:\n%s", dict, want)
	}
	for name, g := range map[string]string{
		"no phrases": commandGrammar(nil, nil, []string{"g_A"}),
		"no wake":    wakeGrammar(nil, []string{"g_A"}),
	} {
		if strings.Contains(g, "<wake>") || strings.Contains(g, "<cmd>") {
			t.Errorf("%s: the grammar names a rule it does not have:\n%s", name, g)
		}
	}
}

func TestPhraseIndex(t *testing.T) {
	for word, want := range map[string]int{"cmd0": 0, "cmd12(3)": 12, "g_A": -1, "<sil>": -1, "cmd": -1, "wake1": -1} {
		if got := phraseIndex(word, cmdPrefix); got != want {
			t.Errorf("phraseIndex(%q) = %d, want %d", word, got, want)
		}
	}
}

// TestNoiseFloor: digital silence gets noise at −45 dBFS, the same each time; a
// microphone's own noise is left alone.
func TestNoiseFloor(t *testing.T) {
	mix := func(pcm []int16) []int16 {
		var n noiseFloor
		for block := range slices.Chunk(pcm, frameSamples) {
			n.mix(block)
		}
		return pcm
	}
	silence := mix(make([]int16, rate))
	if db := 20 * math.Log10(rms(silence)/32768); math.Abs(db+45) > 1.5 {
		t.Errorf("the noise floor is at %.1f dBFS, want -45", db)
	}
	if !slices.Equal(silence, mix(make([]int16, rate))) {
		t.Error("the noise differs from run to run")
	}
	room := quietRoom(1)
	if !slices.Equal(room, mix(slices.Clone(room))) {
		t.Error("a microphone's own noise was mixed with more")
	}
}

// TestLevel: speech is counted in samples of the audio itself.
func TestLevel(t *testing.T) {
	pcm := quietRoom(4)
	for i := rate; i < 2*rate; i++ {
		pcm[i] = clip(6000 * math.Sin(float64(i)*0.2))
	}
	var l level
	var at []int
	for block := range slices.Chunk(pcm, frameSamples) {
		switch l.add(block) {
		case started:
			at = append(at, l.start)
		case stopped:
			at = append(at, l.start, l.end)
		}
	}
	if len(at) != 3 {
		t.Fatalf("speech changed %d times, want one start and one stop", len(at))
	}
	for i, want := range []int{rate, rate, 2 * rate} {
		if d := at[i] - want; d < -rate/20 || d > rate/20 {
			t.Errorf("count %d is %d samples, want about %d", i, at[i], want)
		}
	}
}

// TestLevelLearnsNoise: a fan that starts is speech at first, and background
// after some seconds.
func TestLevelLearnsNoise(t *testing.T) {
	var l level
	var n noiseFloor
	for range 20 * rate / frameSamples {
		block := make([]int16, frameSamples)
		for i := range block {
			block[i] = clip(4 * n.next())
		}
		l.add(block)
	}
	if l.speaking {
		t.Errorf("after 20 s of even noise it is still speech: floor %.0f", l.floor)
	}
}

func TestMissingModel(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		config    Config
		lang, say string
		zh        string
	}{
		"english":     {Config{EnglishDir: dir, Languages: []string{"en"}}, "en", "install the package pocketsphinx-en-us", dir + " 里没有英语语音模型：请"},
		"mandarin":    {Config{MandarinDir: dir, Languages: []string{"zh"}}, "zh", "put tdt_sc_8k/ and mandarin.dic there", dir + " 里没有中文语音模型：请"},
		"no place":    {Config{Languages: []string{"zh"}}, "zh", "no directory is set", "没有设置中文语音模型的目录：请"},
		"nothing":     {Config{EnglishDir: dir}, "en", dir, dir + " 里没有英语语音模型：请"},
		"no language": {Config{Languages: []string{"fr"}}, "fr", "use en or zh", "没有 \"fr\" 这种语言的语音模型：请"},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := New(tt.config)
			var missing *MissingError
			if e != nil || !errors.As(err, &missing) {
				t.Fatalf("New gives %v, %v; want no engine and a MissingError", e, err)
			}
			if missing.Lang != tt.lang || !strings.Contains(err.Error(), tt.say) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q (%s) does not say %q in one line", err, missing.Lang, tt.say)
			}
			if zh := phrases.Told(err, phrases.Chinese); !strings.HasPrefix(zh, tt.zh) {
				t.Errorf("in Chinese %q, want %q…", zh, tt.zh)
			}
		})
	}
}

func skipUnsupported(t *testing.T) {
	t.Helper()
	if err := supported(); err != nil {
		t.Skip(err)
	}
}

// TestWorksWithWhatIsThere: a named language that is missing is reported, the
// others work; one that was not named is no error.
func TestWorksWithWhatIsThere(t *testing.T) {
	skipUnsupported(t)
	c := testConfig(t, "en")
	c.Languages = []string{"zh", "en"}
	e, err := New(c)
	var missing *MissingError
	if e == nil || !errors.As(err, &missing) || missing.Lang != "zh" {
		t.Fatalf("New gives %v, %v; want an engine and what is missing", e, err)
	}
	if got := e.Languages(); !slices.Equal(got, []string{"en"}) {
		t.Errorf("it hears %q", got)
	}
	c.Languages = nil
	if _, err := New(c); err != nil {
		t.Errorf("New without named languages: %v", err)
	}
}

// TestLeftOut: what cannot be heard is named, with the reason in its language.
func TestLeftOut(t *testing.T) {
	skipUnsupported(t)
	c := testConfig(t, "en")
	var log bytes.Buffer
	c.Log, c.MandarinDir = slog.New(slog.NewTextHandler(&log, nil)), filepath.Join(t.TempDir(), "sphinx-zh")
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, out, err := e.NewRecognizer(t.Context(), speech.Hello{
		Wake:    []speech.Phrase{{Text: "hey home bot", Lang: "en"}},
		Phrases: []speech.Phrase{{Text: "stop", Lang: "en"}, {Text: "open xyzzy", Lang: "en"}, {Text: "停止", Lang: "zh"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if len(out) != 2 || out[0].Phrase.Text != "停止" || out[1].Phrase.Text != "open xyzzy" {
		t.Errorf("left out: %v", out)
	}
	for range 3 { // as often as a Mandarin sentence is spoken: the connection must not end over it
		if err := errors.Join(r.Take("zh"), r.(speech.Overhearer).Overhear("zh")); err != nil {
			t.Errorf("an utterance in a language without a model: %v", err)
		}
	}
	if heard, err := r.End(); err != nil || len(heard) != 1 || heard[0].Lang != "en" {
		t.Errorf("it was taken as %v, %v", heard, err)
	}
	if said := log.String(); strings.Count(said, "level=WARN") != 1 || !strings.Contains(said, "put tdt_sc_8k/ and mandarin.dic there") {
		t.Errorf("the log is\n%s", said)
	}
	_, _, err = e.NewRecognizer(t.Context(), speech.Hello{Wake: []speech.Phrase{{Text: "xyzzy", Lang: "en"}}})
	if err == nil || !strings.Contains(err.Error(), "no wake phrase can be heard") {
		t.Errorf("without a wake phrase: %v", err)
	}
}

// TestEngineKeepsEars: a closed recogniser's warm decoder serves the next one,
// and nothing is left in the temporary directory.
func TestEngineKeepsEars(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	skipUnsupported(t)
	e, err := New(testConfig(t, "en"))
	if err != nil {
		t.Fatal(err)
	}
	open := func(phrase string) *recognizer {
		r, _, err := e.NewRecognizer(t.Context(), speech.Hello{Phrases: phraseList("en", []string{phrase})})
		if err != nil {
			t.Fatal(err)
		}
		return r.(*recognizer)
	}
	first := open("stop")
	ear := first.ears[0]
	second := open("stop")
	if second.ears[0] == ear {
		t.Error("two recognisers share a decoder")
	}
	first.Close()
	other := open("help")
	if other.ears[0] == ear {
		t.Error("a decoder serves other phrases than its own")
	}
	if third := open("stop"); third.ears[0] != ear {
		t.Error("the warm decoder was not used again")
	} else {
		third.Close()
	}
	e.Close()
	for _, r := range []*recognizer{second, other} {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if _, err := r.Accept(make([]int16, 160)); err == nil {
			t.Error("a closed recogniser accepts audio")
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
