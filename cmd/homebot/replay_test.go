package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"homebot/audio"
	"homebot/audio/wav"
	"homebot/cmd/homebot/replay"
	"homebot/internal/llm/llmtest"
	"homebot/internal/text"
)

// kitchenTape is a small set of recordings, and what is true of them.
type kitchenTape struct {
	t     *testing.T
	dir   string
	truth []replay.Truth
}

// second is so much silence.
func second(n float64) []int16 { return make([]int16, int(n*audio.CaptureRate)) }

// at is where in a recording something ends, in seconds.
func at(pcm []int16) float64 { return float64(len(pcm)) / audio.CaptureRate }

func (d *kitchenTape) record(truth replay.Truth, pcm []int16) {
	d.t.Helper()
	if err := wav.WriteFile(filepath.Join(d.dir, truth.File), pcm, audio.CaptureRate); err != nil {
		d.t.Fatal(err)
	}
	d.truth = append(d.truth, truth)
}

// talk records a wake phrase and a question.
func (d *kitchenTape) talk(k aTalk) {
	d.t.Helper()
	words := map[string]string{"en": "what time is it", "zh": "现在几点"}[k.lang]
	cut := func(words string) []int16 { pcm := spoken(d.t, words, k.lang); return pcm[:lastLoud(pcm)] }
	pcm := append(second(0.2), cut(k.wake)...)
	wake := at(pcm)
	pcm = slices.Concat(pcm, second(0.6), cut(words))
	end := at(pcm)
	d.record(replay.Truth{File: k.lang + ".wav", Lang: k.lang, Wakes: []float64{wake}, Text: words, SpeechEnd: end}, append(pcm, second(1)...))
}

// write writes the truth, with a comment as people do.
func (d *kitchenTape) write() {
	d.t.Helper()
	lines := []byte("# spoken by espeak-ng\n\n")
	for _, t := range d.truth {
		line, _ := json.Marshal(t)
		lines = append(append(lines, line...), '\n')
	}
	if err := os.WriteFile(filepath.Join(d.dir, replay.TruthFile), lines, 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// newTape records a talk in each language that is understood here, somebody who
// says no wake phrase, and a wake phrase that is not there: a miss must show.
func newTape(t *testing.T) *kitchenTape {
	d := &kitchenTape{t: t, dir: t.TempDir()}
	for _, k := range talksInTests {
		if k.lang == text.Chinese && modelsHere() == "" {
			t.Log("without Mandarin: no model here (set HOMEBOT_SHARED to the folder with models/sphinx-zh)")
			continue
		}
		d.talk(k)
	}
	d.record(replay.Truth{File: "salt.wav"}, append(spoken(t, "pass the salt", "en"), second(0.5)...))
	d.record(replay.Truth{File: "quiet.wav", Lang: "en", Wakes: []float64{0.5}}, second(1))
	d.write()
	return d
}

// V1, V5, V7: recordings of both languages through the whole voice path, real
// homebot-speech and all: the table and the JSON say what was heard, what was
// missed, and how long each stage took; nothing is kept.
func TestReplay(t *testing.T) {
	t.Parallel()
	h := newHome(t, func(r llmtest.Request) llmtest.Step {
		if strings.ContainsFunc(r.Words(), text.IsHan) {
			return llmtest.Reply("中午。[[end]]")
		}
		return llmtest.Reply("It is noon.[[end]]")
	}).withSpeech()
	d := newTape(t)
	var both sync.WaitGroup
	run := func(out *string, args ...string) {
		both.Go(func() {
			var errs string
			var code int
			if *out, errs, code = h.once("", append([]string{"replay", d.dir}, args...)...); code != 0 {
				t.Errorf("replay %v: exit %d, %s", args, code, errs)
			}
		})
	}
	var table, raw string
	run(&table)
	run(&raw, "--json")
	both.Wait()
	if !t.Failed() {
		checkReport(t, d, raw)
		checkTable(t, d, table)
	}
	if found, _ := filepath.Glob(filepath.Join(h.workspace, "*")); len(found) > 0 {
		t.Errorf("it left in the workspace: %q", found)
	}
}

// checkReport judges the JSON: one object.
func checkReport(t *testing.T, d *kitchenTape, raw string) {
	t.Helper()
	var r replay.Report
	if err := json.Unmarshal([]byte(raw), &r); err != nil || strings.Count(raw, "\n") != 1 {
		t.Fatalf("%v: %q", err, raw)
	}
	talks := len(d.truth) - 2
	if r.Recordings != len(d.truth) || r.Wakes != talks+1 || r.WakeMisses != 1 || r.FalseWakes != 0 {
		t.Errorf("wakes: %s", raw)
	}
	if r.SentencesAsked != talks || r.WholeSentences != talks || r.WordErrorRate == nil || *r.WordErrorRate != 0 || (r.CharErrorRate != nil) != (talks == 2) {
		t.Errorf("words: %s", raw)
	}
	if r.EndpointsJudged != talks || r.CutOff != 0 || r.WaitMS == nil || r.WaitMS.P95 > 5000 {
		t.Errorf("endpoints: %s", raw)
	}
	last := int64(-1 << 60)
	for _, stage := range []string{"wake", "endpoint", "final", "request", "first_token", "first_sentence", "first_audio", "done"} {
		q, ok := r.Latency[stage]
		if !ok || q.N != talks || q.P50 > q.P95 || q.P50 < last {
			t.Errorf("%s: %+v after %d ms: %s", stage, q, last, raw)
		}
		last = q.P50
	}
	for i, f := range r.Files {
		missed := 0
		if d.truth[i].File == "quiet.wav" {
			missed = 1
		}
		if f.File != d.truth[i].File || f.Misses != missed || f.Errors != 0 || d.truth[i].Text == "" && f.Heard != "" {
			t.Errorf("%s: %+v", d.truth[i].File, f)
		}
	}
}

// checkTable judges what a person reads.
func checkTable(t *testing.T, d *kitchenTape, table string) {
	t.Helper()
	want := []string{
		"recordings                   3, ", "wake words missed            1 of 2\n", "false wakes                  0, 0.0 an hour\n",
		"word error rate (en)         0.0 % of 4 words\n", "sentences without an error   1 of 1\n", "cut off while speaking       0 of 1\n",
		"wait after the last word     P50 ", "  first audio                P50 ", `quiet.wav: 1 missed, 0 false, 0 errors; heard "" for ""`,
	}
	if len(d.truth) == 4 {
		want[0], want[1], want[4], want[5] = "recordings                   4, ", "wake words missed            1 of 3\n", "sentences without an error   2 of 2\n", "cut off while speaking       0 of 2\n"
		want = append(want, "character error rate (zh)    0.0 % of 4 characters\n")
	}
	for _, w := range want {
		if !strings.Contains(table, w) {
			t.Errorf("the table has no %q:\n%s", w, table)
		}
	}
}
