package replay

import (
	"math"
	"strings"
	"testing"

	"homebot/internal/phrases"
	"homebot/internal/text"
)

// What is wrong in a truth file is told with file and line.
func TestParseTruth(t *testing.T) {
	all, err := ParseTruth("truth.jsonl", []byte("# kitchen\n\n"+`{"file":"a.wav","lang":"zh","wakes":[1.2],"text":"打开做饭模式","speech_end":3.4}`+"\n"+`{"file":"noise.wav"}`+"\n"))
	if err != nil || len(all) != 2 || all[0].Wakes[0] != 1.2 || all[1].File != "noise.wav" {
		t.Fatalf("%+v, %v", all, err)
	}
	if all, err := ParseTruth("truth.jsonl", []byte("\xef\xbb\xbf{\"file\":\"a.wav\"}\r\n")); err != nil || len(all) != 1 || all[0].File != "a.wav" {
		t.Errorf("as Windows saves it: %+v, %v", all, err)
	}
	for line, want := range map[string]string{
		`{`:                                          "no JSON",
		`{"file":"a.wav","wakes":["x"]}`:             "no JSON",
		`{"file":"a.wav","wake":[1]}`:                "unknown field",
		`{"wakes":[1]}`:                              "file is missing",
		`{"file":"../a.wav"}`:                        "leaves the directory",
		`{"file":"a.wav","lang":"fr"}`:               `lang "fr"`,
		`{"file":"a.wav","wakes":[1],"text":"x"}`:    "lang is missing",
		`{"file":"a.wav","lang":"en","text":"x"}`:    "wakes is missing",
		`{"file":"a.wav","wakes":[2,1]}`:             "in their order",
		`{"file":"a.wav","speech_end":-1}`:           "before the beginning",
		`{"file":"a.wav"}{"file":"b.wav"}`:           "more than one",
		"{\"file\":\"a.wav\"}\n{\"file\":\"a.wav\"}": "truth.jsonl:4: a.wav stands here twice",
		"": "no recording",
	} {
		_, err := ParseTruth("truth.jsonl", []byte("#\n\n"+line+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) || line != "" && !strings.Contains(err.Error(), "truth.jsonl:") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
		if zh := phrases.Told(err, phrases.Chinese); !text.HasHan(zh) || line != "" && !strings.HasPrefix(zh, "truth.jsonl:") {
			t.Errorf("%s in Chinese: %s", line, zh)
		}
	}
}

// FuzzParseTruth: nothing brings it down, and what is accepted can be judged.
func FuzzParseTruth(f *testing.F) {
	f.Add(`{"file":"a.wav","lang":"zh","wakes":[1.2],"text":"打开做饭模式","speech_end":3.4}`)
	f.Add("#\n{\"file\":1}")
	f.Fuzz(func(t *testing.T, data string) {
		all, err := ParseTruth("t", []byte(data))
		if err != nil {
			return
		}
		Score(all, make([]Observed, len(all))).Print(&strings.Builder{}, phrases.English)
	})
}

func TestScore(t *testing.T) {
	truth := []Truth{
		{File: "a", Lang: "zh", Wakes: []float64{1}, Text: "打开做饭模式", SpeechEnd: 3},
		{File: "b", Lang: "en", Wakes: []float64{1, 9}, Text: "Open cooking mode", SpeechEnd: 3},
		{File: "c"},
	}
	r := Score(truth, []Observed{
		{Seconds: 900, Wakes: []float64{1.4}, Heard: []string{"打开 作饭模式。"}, Endpoints: []float64{3.7}, Stages: map[string][]int64{"final": {900}, "done": {4000}}},
		{Seconds: 900, Wakes: []float64{1.4}, Heard: []string{"open", "mode please"}, Endpoints: []float64{2.8}, Stages: map[string][]int64{"final": {700}}},
		{Seconds: 1800, Wakes: []float64{5, 800}},
	})
	if r.Wakes != 3 || r.WakeMisses != 1 || r.FalseWakes != 2 || r.FalseWakesPerHour != 2 || r.Hours != 1 {
		t.Errorf("wakes: %+v", r)
	}
	if math.Abs(*r.CharErrorRate-1.0/6) > 1e-9 || math.Abs(*r.WordErrorRate-2.0/3) > 1e-9 || r.WholeSentences != 0 || r.SentencesAsked != 2 {
		t.Errorf("words: %v %v %+v", *r.CharErrorRate, *r.WordErrorRate, r)
	}
	if r.CutOff != 1 || *r.CutOffMS != (Quantiles{1, 200, 200}) || *r.WaitMS != (Quantiles{1, 700, 700}) || r.Latency["final"] != (Quantiles{2, 700, 900}) {
		t.Errorf("times: %+v", r)
	}
	var out strings.Builder
	r.Print(&out, phrases.English)
	var zh strings.Builder
	r.Print(&zh, phrases.Chinese)
	for _, want := range []string{
		"录音                         3 段，1.00 小时\n", "没听到的唤醒词               1，共 3\n", "误唤醒                       2 次，每小时 2.0 次\n",
		"错词率（英文）               66.7 %，共 3 词\n", "  认出文字                   P50 700 毫秒，P95 900 毫秒（2 次）\n", "c：没听到 0 次，误唤醒 2 次，",
	} {
		if !strings.Contains(zh.String(), want) {
			t.Errorf("%q is missing in\n%s", want, zh.String())
		}
	}
	for _, want := range []string{"1 of 3", "2, 2.0 an hour", "66.7 % of 3 words", "16.7 % of 6 characters", "P50 700 ms, P95 900 ms", "c: 0 missed, 2 false"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}
