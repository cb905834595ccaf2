// Package replay judges what was heard of recordings against what is true of
// them: wake words, words, the end of speech, and the time an answer took.
package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
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
		return nil, fmt.Errorf("%s: larger than %d bytes", name, maxTruth)
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
			err = fmt.Errorf("%s stands here twice", t.File)
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
		return nil, fmt.Errorf("%s: no recording is named in it", name)
	}
	return all, nil
}

func parseLine(line string) (Truth, error) {
	var t Truth
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return t, fmt.Errorf("no JSON object of a recording: %w", err)
	}
	if d.More() {
		return t, errors.New("more than one object in a line")
	}
	switch {
	case t.File == "":
		return t, errors.New("file is missing")
	case !filepath.IsLocal(t.File):
		return t, fmt.Errorf("file %q leaves the directory", t.File)
	case t.Lang != "" && t.Lang != "zh" && t.Lang != "en":
		return t, fmt.Errorf("lang %q is not known; write zh or en", t.Lang)
	case t.Text != "" && t.Lang == "":
		return t, errors.New("lang is missing beside text; write zh or en")
	case t.Text != "" && len(t.Wakes) == 0:
		return t, errors.New("text is heard only after a wake word; wakes is missing")
	case t.SpeechEnd < 0:
		return t, errors.New("speech_end is before the beginning")
	}
	for i, w := range t.Wakes {
		if w < 0 || i > 0 && w <= t.Wakes[i-1] {
			return t, errors.New("wakes are seconds from the beginning, in their order")
		}
	}
	return t, nil
}
