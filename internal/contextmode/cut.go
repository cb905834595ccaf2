package contextmode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Reasons of a cut.
const (
	CutHigh     = "high_watermark" // the view reached the high mark
	CutMaxTurns = "max_turns"      // far more turns than the profile keeps
	CutOverrun  = "budget_overrun" // what must be sent did not fit the model's window
	CutExplicit = "explicit"       // the user asked for a richer profile: the start moved back
)

// Cut is one record of context.jsonl: what the prefix is from turn Cut on, until
// the next record. Records are only ever appended (C20). Blocks and Facts are all
// that are in force, so that each record stands for itself.
type Cut struct {
	Cut      int      `json:"cut"`  // turns in the log when it was made
	From     int      `json:"from"` // first raw turn before
	To       int      `json:"to"`   // first raw turn after
	Reason   string   `json:"reason"`
	Profile  Profile  `json:"profile"`
	Table    int      `json:"table"`
	Estimate int      `json:"estimate"` // tokens of the variable part that led to it, as estimated then
	Blocks   []string `json:"blocks"`
	Facts    []string `json:"facts"`
}

// ErrCut is wrapped by every error of ParseCut.
var ErrCut = errors.New("not a cut record")

// MarshalCut returns the record as one line, without the newline, keys in the
// order of Cut.
func MarshalCut(c Cut) ([]byte, error) {
	if c.Blocks == nil {
		c.Blocks = []string{}
	}
	if c.Facts == nil {
		c.Facts = []string{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		return nil, fmt.Errorf("cut record: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// ParseCut reads one line. Keys it does not know are ignored; a record that
// contradicts itself is refused.
func ParseCut(line []byte) (Cut, error) {
	c := Cut{Cut: -1, From: -1, To: -1}
	if err := json.Unmarshal(line, &c); err != nil {
		return Cut{}, fmt.Errorf("%w: %w", ErrCut, err)
	}
	switch {
	case c.Cut < 0 || c.From < 0 || c.To < 0:
		return Cut{}, fmt.Errorf("%w: cut, from or to is missing or negative", ErrCut)
	case c.From > c.Cut || c.To > c.Cut || c.Cut > math.MaxInt32:
		return Cut{}, fmt.Errorf("%w: cuts turns %d to %d of %d", ErrCut, c.From, c.To, c.Cut)
	case c.To < c.From && c.Reason != CutExplicit:
		return Cut{}, fmt.Errorf("%w: start moves back from %d to %d without an explicit request", ErrCut, c.From, c.To)
	case c.Reason == "" || !c.Profile.Valid() || c.Table < 1 || c.Estimate < 0:
		return Cut{}, fmt.Errorf("%w: reason, profile, table or estimate is missing", ErrCut)
	}
	return c, nil
}

// ParseCuts reads the lines of a context.jsonl. A bad line is passed over and
// counted: the records around it stand for themselves.
func ParseCuts(lines [][]byte) (cuts []Cut, bad int) {
	cuts = make([]Cut, 0, len(lines))
	for _, line := range lines {
		c, err := ParseCut(line)
		if err != nil {
			bad++
			continue
		}
		cuts = append(cuts, c)
	}
	return cuts, bad
}
