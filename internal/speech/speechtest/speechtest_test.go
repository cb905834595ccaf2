package speechtest_test

import (
	"slices"
	"testing"

	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
)

func TestEnginePassesConformance(t *testing.T) {
	speechtest.TestRecognizer(t, &speechtest.Engine{},
		speechtest.Sample{Name: "wake", Wake: "hey home bot", Lang: "en",
			PCM: speechtest.Utter("hey home bot", "en", 16000)},
		speechtest.Sample{Name: "one breath", Wake: "你好小厨", Command: "打开做饭模式", Lang: "zh",
			PCM: speechtest.Utter("你好小厨打开做饭模式", "zh", 16000)},
		speechtest.Sample{Name: "command", Command: "open cooking mode", Lang: "en",
			PCM: speechtest.Utter("open cooking mode", "en", 16000)},
	)
}

func TestSynthesizerPassesConformance(t *testing.T) {
	speechtest.TestSynthesizer(t, &speechtest.Synthesizer{})
}

// The kinds of what is heard come in the order in which a Listener relies on
// them, and the counts are those of the audio.
func TestEngineTellsSpansOfSpeech(t *testing.T) {
	r, _, err := new(speechtest.Engine).NewRecognizer(t.Context(), speech.Hello{
		Wake: []speech.Phrase{{Text: "hey home bot", Lang: "en"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	silence := make([]int16, 8000)
	pcm := slices.Concat(silence, speechtest.Utter("hey home bot", "en", 8000), silence,
		speechtest.Utter("stop", "en", 8000), silence)
	heard, err := r.Accept(pcm)
	if err != nil {
		t.Fatal(err)
	}
	want := []speech.HeardKind{speech.Wake, speech.SpeechStarted, speech.Partial, speech.SpeechStopped}
	var got []speech.HeardKind
	for _, h := range heard {
		got = append(got, h.Kind)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("heard %v, want %v", got, want)
	}
	if h := heard[3]; h.Start != 24000 || h.End != 32000 {
		t.Errorf("speech from %d to %d, want 24000 to 32000", h.Start, h.End)
	}
	final, err := r.End()
	if err != nil || len(final) != 1 || final[0].Text != "stop" {
		t.Errorf("End: %v, %v", final, err)
	}
}

func TestEngineFollowsItsScript(t *testing.T) {
	e := &speechtest.Engine{Script: []speechtest.Cue{
		{At: 320, Heard: speech.Heard{Kind: speech.Wake, Phrase: "x"}},
		{At: 960, Heard: speech.Heard{Kind: speech.Final, Text: "y"}},
	}}
	r, _, err := e.NewRecognizer(t.Context(), speech.Hello{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []string
	for range 4 {
		heard, err := r.Accept(make([]int16, 320))
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range heard {
			got = append(got, h.Phrase+h.Text)
		}
		got = append(got, "|")
	}
	if want := []string{"x", "|", "|", "y", "|", "|"}; !slices.Equal(got, want) {
		t.Errorf("heard %v, want %v", got, want)
	}
}
