package replay

import (
	"math"
	"slices"
	"strings"

	"homebot/internal/text"
)

// Observed is what homebot did while one recording played. Times are seconds from
// its beginning.
type Observed struct {
	Seconds   float64            // that it lasted, with the quiet after it
	Wakes     []float64          // when it woke
	Heard     []string           // final transcripts
	Endpoints []float64          // when utterances were found to be over
	Stages    map[string][]int64 // milliseconds after the end of speech, by stage
}

// A wake counts for an expected one that ended this long before or after it:
// recognisers tell of it late, and truth is set by ear.
const (
	wakeEarly = 1.0
	wakeLate  = 3.0
)

// Report is the result of a replay.
type Report struct {
	Recordings int     `json:"recordings"`
	Hours      float64 `json:"hours"`

	Wakes             int     `json:"wakes"`
	WakeMisses        int     `json:"wake_misses"`
	FalseWakes        int     `json:"false_wakes"`
	FalseWakesPerHour float64 `json:"false_wakes_per_hour"`

	Words           int      `json:"words"`             // of the truth, English
	WordErrorRate   *float64 `json:"word_error_rate"`   // null: no English text
	Chars           int      `json:"chars"`             // of the truth, Chinese
	CharErrorRate   *float64 `json:"char_error_rate"`   // null: no Chinese text
	WholeSentences  int      `json:"whole_sentences"`   // understood without an error
	SentencesAsked  int      `json:"sentences_asked"`   // with a text
	EndpointsJudged int      `json:"endpoints_judged"`  // with a known end of speech
	CutOff          int      `json:"endpoints_cut_off"` // found over while somebody still spoke

	CutOffMS *Quantiles           `json:"cut_off_ms"` // how much too early; null: none
	WaitMS   *Quantiles           `json:"wait_ms"`    // from the end of speech to the endpoint
	Latency  map[string]Quantiles `json:"latency_ms"` // of turns, since the end of speech as homebot heard it

	Files []File `json:"files"`
}

// Quantiles are of N values.
type Quantiles struct {
	N   int   `json:"n"`
	P50 int64 `json:"p50"`
	P95 int64 `json:"p95"`
}

// File is the result of one recording.
type File struct {
	File       string `json:"file"`
	Misses     int    `json:"wake_misses"`
	FalseWakes int    `json:"false_wakes"`
	Heard      string `json:"heard"`
	Text       string `json:"text,omitempty"`
	Errors     int    `json:"errors"` // words or characters
}

// Score judges what was observed of each truth, in the same order.
func Score(truth []Truth, seen []Observed) Report {
	r := Report{Recordings: len(truth), Latency: map[string]Quantiles{}, Files: []File{}}
	stages := map[string][]int64{}
	var early, waits []int64
	var wordErrors, charErrors int
	for i, t := range truth {
		o := seen[i]
		r.Hours += o.Seconds / 3600
		f := File{File: t.File, Heard: strings.Join(o.Heard, " "), Text: t.Text}
		f.Misses, f.FalseWakes = matchWakes(t.Wakes, o.Wakes)
		if t.Text != "" {
			want, got := units(t.Text, t.Lang), units(f.Heard, t.Lang)
			f.Errors = text.Distance(want, got)
			r.SentencesAsked++
			if f.Errors == 0 {
				r.WholeSentences++
			}
			if t.Lang == text.Chinese {
				r.Chars, charErrors = r.Chars+len(want), charErrors+f.Errors
			} else {
				r.Words, wordErrors = r.Words+len(want), wordErrors+f.Errors
			}
		}
		if t.SpeechEnd > 0 && len(o.Endpoints) > 0 {
			r.EndpointsJudged++
			off := int64(math.Round((o.Endpoints[len(o.Endpoints)-1] - t.SpeechEnd) * 1000))
			if off < 0 {
				r.CutOff, early = r.CutOff+1, append(early, -off)
			} else {
				waits = append(waits, off)
			}
		}
		for name, ms := range o.Stages {
			stages[name] = append(stages[name], ms...)
		}
		r.Wakes, r.WakeMisses, r.FalseWakes = r.Wakes+len(t.Wakes), r.WakeMisses+f.Misses, r.FalseWakes+f.FalseWakes
		r.Files = append(r.Files, f)
	}
	if r.Hours > 0 {
		r.FalseWakesPerHour = float64(r.FalseWakes) / r.Hours
	}
	r.WordErrorRate, r.CharErrorRate = rate(wordErrors, r.Words), rate(charErrors, r.Chars)
	r.CutOffMS, r.WaitMS = quantiles(early), quantiles(waits)
	for name, ms := range stages {
		r.Latency[name] = *quantiles(ms)
	}
	return r
}

// matchWakes gives each expected wake the first that is near it.
func matchWakes(want, got []float64) (misses, extra int) {
	free := slices.Clone(got)
	for _, w := range want {
		i := slices.IndexFunc(free, func(g float64) bool { return g >= w-wakeEarly && g <= w+wakeLate })
		if i < 0 {
			misses++
			continue
		}
		free = slices.Delete(free, i, i+1)
	}
	return misses, len(free)
}

// units are what an error rate counts: Chinese characters (and whole words of
// other scripts between them), or English words.
func units(s, lang string) []string {
	bare := text.Bare(s)
	if lang != text.Chinese {
		return strings.Fields(bare)
	}
	var all []string
	word := ""
	end := func() {
		if word != "" {
			all, word = append(all, word), ""
		}
	}
	for _, r := range bare {
		switch {
		case text.IsHan(r):
			end()
			all = append(all, string(r))
		case r == ' ':
			end()
		default:
			word += string(r)
		}
	}
	end()
	return all
}

func rate(errors, of int) *float64 {
	if of == 0 {
		return nil
	}
	r := float64(errors) / float64(of)
	return &r
}

// quantiles are by nearest rank; nil for no values.
func quantiles(all []int64) *Quantiles {
	if len(all) == 0 {
		return nil
	}
	all = slices.Sorted(slices.Values(all))
	at := func(p float64) int64 { return all[max(0, int(math.Ceil(p*float64(len(all))))-1)] }
	return &Quantiles{N: len(all), P50: at(0.50), P95: at(0.95)}
}
