package timers

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// maxNext bounds the numbers of ids; a larger one was not written by a Book.
const maxNext = 1 << 30

// decode reads a document, entry by entry: one bad entry costs no other. whole is
// false when something could not be understood.
func decode(data []byte) (d document, whole bool) {
	empty := document{SchemaVersion: schemaVersion, Next: 1, Lost: true}
	var raw struct {
		SchemaVersion int             `json:"schema_version"`
		Next          json.RawMessage `json:"next"`
		Timers        json.RawMessage `json:"timers"`
		Missed        json.RawMessage `json:"missed"`
		Lost          bool            `json:"lost"`
		LostSome      bool            `json:"lost_some"`
	}
	if json.Unmarshal(data, &raw) != nil || raw.SchemaVersion != schemaVersion {
		return empty, false
	}
	d = document{SchemaVersion: schemaVersion, Lost: raw.Lost, LostSome: raw.LostSome}
	if json.Unmarshal(raw.Next, &d.Next) != nil {
		d.Next = 0 // told by the ids
	}
	timers, ok := entries(raw.Timers)
	missed, okMissed := entries(raw.Missed)
	whole = ok && okMissed
	for _, e := range timers {
		var t Timer
		_ = json.Unmarshal(e, &t) // the fields that could be read are enough, or it is dropped
		if !t.repair() {
			whole = false
			continue
		}
		d.Timers = append(d.Timers, t)
	}
	for _, e := range missed {
		var m Missed
		_ = json.Unmarshal(e, &m)
		if !m.repair() {
			whole = false
			continue
		}
		d.Missed = append(d.Missed, m)
	}
	d.number()
	if !whole {
		d.LostSome = d.LostSome || len(d.Timers)+len(d.Missed) > 0
		d.Lost = d.Lost || !d.LostSome
	}
	return d, whole
}

// entries are the elements of a list; a missing one is empty.
func entries(list json.RawMessage) (all []json.RawMessage, ok bool) {
	if len(list) == 0 {
		return nil, true
	}
	return all, json.Unmarshal(list, &all) == nil
}

// repair makes t one that can ring: what is missing is told by the rest. It is
// false when nothing tells when t is due.
func (t *Timer) repair() bool {
	longest := int64(Longest / time.Second)
	t.Paused = min(max(0, t.Paused), Longest)
	if t.Due.IsZero() && !t.Made.IsZero() && t.Span > 0 && t.Span <= longest {
		t.Due = t.Made.Add(time.Duration(t.Span) * time.Second)
	}
	if t.Due.IsZero() {
		return false
	}
	if t.spanLost() || t.Span > longest {
		span := t.Due.Sub(t.Made)
		if t.Made.IsZero() || span > Longest {
			span = t.Paused
		}
		t.Span = max(1, int64(span.Round(time.Second)/time.Second))
	}
	t.Label = cleanLabel(t.Label)
	return true
}

// spanLost: it counts on the clock since boot, as no alarm does before it rings,
// and has no length.
func (t Timer) spanLost() bool {
	return t.Span < 0 || t.Span == 0 && (t.Paused > 0 || t.Boot != "" && !t.Ringing())
}

// number gives new ids to those that have none or another's, and repairs Next.
func (d *document) number() {
	if d.Next > maxNext {
		d.Next = 0
	}
	seen := map[string]bool{}
	var unnumbered []*string
	note := func(id *string) {
		n, isNumber := idNumber(*id)
		if *id == "" || seen[*id] || n > maxNext {
			unnumbered = append(unnumbered, id)
			return
		}
		seen[*id] = true
		if isNumber {
			d.Next = max(d.Next, n+1)
		}
	}
	for i := range d.Timers {
		note(&d.Timers[i].ID)
	}
	for i := range d.Missed {
		note(&d.Missed[i].ID)
	}
	d.Next = max(1, d.Next)
	for _, id := range unnumbered {
		*id = "t" + strconv.Itoa(d.Next)
		d.Next++
	}
}

// idNumber is the number of an id that a Book gave; one too large for an int
// counts as beyond maxNext.
func idNumber(id string) (n int, ok bool) {
	digits, ok := strings.CutPrefix(id, "t")
	if !ok || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		n = maxNext + 1
	}
	return n, true
}
