package config

import (
	"slices"
	"strconv"
	"strings"

	"homebot/internal/phrases"
)

// Limits of a wake phrase's threshold and boost; 0 leaves either to the engine.
// The library writes both with two digits, hence the least. The largest boost is
// chosen: far beyond what its examples use (1 to 2).
const (
	leastTuning   = 0.01
	mostThreshold = 1
	mostBoost     = 10
)

// Tuning is how one wake phrase is heard; 0 is what [wake] says for all.
type Tuning struct {
	Phrase    string
	Threshold float64 // probability the phrase needs, to 1: lower hears more, also what was not said
	Boost     float64 // how much the phrase is favoured
}

// Tuned returns threshold and boost of a wake phrase, 0 being the engine's own.
func (w Wake) Tuned(phrase string) (threshold, boost float64) {
	threshold, boost = w.Threshold, w.Boost
	for _, t := range w.Tuning {
		if !samePhrase(t.Phrase, phrase) {
			continue
		}
		if t.Threshold != 0 {
			threshold = t.Threshold
		}
		if t.Boost != 0 {
			boost = t.Boost
		}
	}
	return threshold, boost
}

func samePhrase(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// tunings is a list of text like "hey home bot: threshold 0.3 boost 1.5".
type tunings struct{ to *[]Tuning }

func (v *tunings) set(raw any) error {
	var lines []string
	if err := (&list{&lines, func([]string) error { return nil }}).set(raw); err != nil {
		return err
	}
	var all []Tuning
	for i, line := range lines {
		t, err := readTuning(line)
		if err != nil {
			return phrases.Errorf(phrases.ConfigItem, i+1, err)
		}
		if slices.ContainsFunc(all, func(o Tuning) bool { return samePhrase(o.Phrase, t.Phrase) }) {
			return phrases.Errorf(phrases.ConfigTunedTwice, i+1)
		}
		all = append(all, t)
	}
	*v.to = all
	return nil
}

func (v *tunings) toml() string {
	var lines []string
	for _, t := range *v.to {
		line := t.Phrase + ":"
		if t.Threshold != 0 {
			line += " threshold " + decimals(t.Threshold)
		}
		if t.Boost != 0 {
			line += " boost " + decimals(t.Boost)
		}
		lines = append(lines, line)
	}
	return (&list{to: &lines}).toml()
}

// readTuning reads one item. What is before its last colon is the phrase.
func readTuning(line string) (t Tuning, err error) {
	wrong := phrases.Errorf(phrases.ConfigNoTuning)
	at := strings.LastIndex(line, ":")
	if at < 0 || strings.TrimSpace(line[:at]) == "" {
		return t, wrong
	}
	t.Phrase = strings.TrimSpace(line[:at])
	figures := strings.Fields(line[at+1:])
	if len(figures) != 2 && len(figures) != 4 {
		return t, wrong
	}
	for pair := range slices.Chunk(figures, 2) {
		v := map[string]*decimal{"threshold": {&t.Threshold, leastTuning, mostThreshold}, "boost": {&t.Boost, leastTuning, mostBoost}}[pair[0]]
		x, err := strconv.ParseFloat(pair[1], 64)
		if v == nil || err != nil || x == 0 || *v.to != 0 {
			return t, wrong
		}
		if err := v.set(x); err != nil {
			return t, err
		}
	}
	return t, nil
}

// decimal is 0 (left to the engine) or a number from least to most.
type decimal struct {
	to          *float64
	least, most float64
}

func (v *decimal) set(raw any) error {
	x, ok := raw.(float64)
	if n, whole := raw.(int64); whole {
		x, ok = float64(n), true
	}
	if !ok {
		return wrongType(raw, phrases.ConfigWantNumber)
	}
	if x != 0 && !(x >= v.least && x <= v.most) { // a number that is none is refused too
		return phrases.Errorf(phrases.ConfigDecimalRange, decimals(x), decimals(v.least), decimals(v.most))
	}
	*v.to = x + 0 // no minus in front of 0
	return nil
}

func (v *decimal) toml() string { return decimals(*v.to) }

func decimals(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
