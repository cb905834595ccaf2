package replay

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"homebot/internal/cli"
	"homebot/internal/phrases"
)

// stageOrder is the order of the table.
var stageOrder = []string{"wake", "endpoint", "final", "request", "first_token", "first_sentence", "first_audio", "done"}

// table is a report as it is printed in one language.
type table struct {
	w    io.Writer
	lang string
}

// line is what a figure is of, and the figure.
func (t table) line(what, figure phrases.Phrase, args ...any) {
	t.cells(what.In(t.lang), figure, args...)
}

func (t table) cells(what string, figure phrases.Phrase, args ...any) {
	fmt.Fprintf(t.w, "%s %s\n", cli.Pad(what, 28), figure.In(t.lang, args...))
}

func (t table) percent(what phrases.Phrase, rate *float64, n int, unit phrases.Phrase) {
	if rate != nil {
		t.line(what, phrases.ReplayPercent, *rate*100, n, unit.In(t.lang))
	}
}

func (t table) spread(what string, q *Quantiles) {
	if q != nil {
		t.cells(what, phrases.ReplaySpread, q.P50, q.P95, q.N)
	}
}

// Print writes the report as a table in lang.
func (r Report) Print(w io.Writer, lang string) {
	t := table{w, lang}
	t.line(phrases.ReplayRecordings, phrases.ReplayHours, r.Recordings, r.Hours)
	t.line(phrases.ReplayMissed, phrases.ReplayOf, r.WakeMisses, r.Wakes)
	t.line(phrases.ReplayFalse, phrases.ReplayPerHour, r.FalseWakes, r.FalseWakesPerHour)
	t.percent(phrases.ReplayWordErrors, r.WordErrorRate, r.Words, phrases.ReplayWords)
	t.percent(phrases.ReplayCharErrors, r.CharErrorRate, r.Chars, phrases.ReplayChars)
	t.line(phrases.ReplayWhole, phrases.ReplayOf, r.WholeSentences, r.SentencesAsked)
	t.line(phrases.ReplayCutOff, phrases.ReplayOf, r.CutOff, r.EndpointsJudged)
	t.spread("  "+phrases.ReplayCutOffBy.In(lang), r.CutOffMS)
	t.spread(phrases.ReplayWait.In(lang), r.WaitMS)
	if len(r.Latency) > 0 {
		fmt.Fprintln(w, phrases.ReplaySince.In(lang))
	}
	names := slices.SortedFunc(maps.Keys(r.Latency), func(a, b string) int {
		return cmp.Compare(slices.Index(stageOrder, a), slices.Index(stageOrder, b))
	})
	for _, n := range names {
		q := r.Latency[n]
		t.spread("  "+Stage(n, lang), &q)
	}
	for _, f := range r.Files {
		if f.Misses+f.FalseWakes+f.Errors > 0 {
			fmt.Fprintln(w, phrases.ReplayFile.In(lang, f.File, f.Misses, f.FalseWakes, f.Errors, f.Heard, f.Text))
		}
	}
}

// Stage is a stage of event.Measured in lang; one that is not known keeps its name.
func Stage(name, lang string) string {
	known := map[string]phrases.Phrase{
		"wake": phrases.StageWake, "endpoint": phrases.StageEndpoint, "final": phrases.StageFinal, "request": phrases.StageRequest,
		"first_token": phrases.StageFirstToken, "first_sentence": phrases.StageFirstSentence, "first_audio": phrases.StageFirstAudio, "done": phrases.StageDone,
		"speech_end": phrases.StageSpeechEnd, "arrival": phrases.StageArrival,
	}
	if p, ok := known[name]; ok {
		return p.In(lang)
	}
	return strings.ReplaceAll(name, "_", " ")
}
