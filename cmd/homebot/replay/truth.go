// Package replay judges what was heard of recordings against what is true of
// them: wake words, words, the end of speech, and the time an answer took.
package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"homebot/internal/phrases"
)

// TruthFile is the name of the truth beside the recordings.
const TruthFile = "truth.jsonl"

// Truth is what is true of one recording; one line of the truth file. Times are
// seconds from its beginning.
type Truth struct {
	File      string    `json:"file"`                 // beside the truth file
	Lang      string    `json:"lang,omitempty"`       // zh or en; of Text
	Wakes     []float64 `json:"wakes,omitempty"`      // ends of wake phrases; none: nothing may wake it
	Text      string    `json:"text,omitempty"`       // all that is said to it, without wake phrases
	SpeechEnd float64   `json:"speech_end,omitempty"` // of the last words; 0: not known
}

// maxTruth bounds the truth, in bytes, and one line of it.
const maxTruth = 1 << 20

// ParseTruth reads a truth file; name stands in errors, one line each with file
// and line.
func ParseTruth(name string, data []byte) ([]Truth, error) {
	if len(data) > maxTruth {
		return nil, phrases.Errorf(phrases.TruthTooLarge, name, maxTruth)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // Windows editors
	var all []Truth
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxTruth)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		t, err := parseLine(line)
		if err == nil && seen[t.File] {
			err = phrases.Errorf(phrases.TruthTwice, t.File)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		seen[t.File] = true
		all = append(all, t)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(all) == 0 {
		return nil, phrases.Errorf(phrases.TruthEmpty, name)
	}
	return all, nil
}

func parseLine(line string) (Truth, error) {
	var t Truth
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return t, phrases.Errorf(phrases.TruthNotJSON, err)
	}
	if d.More() {
		return t, phrases.Errorf(phrases.TruthTwoObjects)
	}
	switch {
	case t.File == "":
		return t, phrases.Errorf(phrases.TruthNoFile)
	case !filepath.IsLocal(t.File):
		return t, phrases.Errorf(phrases.TruthOutside, t.File)
	case t.Lang != "" && t.Lang != "zh" && t.Lang != "en":
		return t, phrases.Errorf(phrases.TruthLang, t.Lang)
	case t.Text != "" && t.Lang == "":
		return t, phrases.Errorf(phrases.TruthNoLang)
	case t.Text != "" && len(t.Wakes) == 0:
		return t, phrases.Errorf(phrases.TruthNoWakes)
	case t.SpeechEnd < 0:
		return t, phrases.Errorf(phrases.TruthSpeechEnd)
	}
	for i, w := range t.Wakes {
		if w < 0 || i > 0 && w <= t.Wakes[i-1] {
			return t, phrases.Errorf(phrases.TruthWakes)
		}
	}
	return t, nil
}
