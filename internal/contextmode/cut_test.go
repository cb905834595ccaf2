package contextmode

import (
	"errors"
	"testing"
)

const cutLine = `{"cut":17,"from":0,"to":15,"reason":"high_watermark","profile":"compact","table":3,"estimate":5412,"blocks":["[1-5] <妈妈>: 定17分钟"],"facts":["花生过敏 & \"虾\""]}`

// C20: a cut record is one line of exactly these keys, and reads back as it was.
func TestCutRecord(t *testing.T) {
	c, err := ParseCut([]byte(cutLine))
	if err != nil {
		t.Fatal(err)
	}
	if c.Cut != 17 || c.To != 15 || c.Profile != Compact || c.Table != 3 || c.Estimate != 5412 || c.Facts[0] != `花生过敏 & "虾"` {
		t.Errorf("%+v", c)
	}
	if line, err := MarshalCut(c); err != nil || string(line) != cutLine {
		t.Errorf("%v\ngot  %s\nwant %s", err, line, cutLine)
	}
	line, _ := MarshalCut(Cut{Cut: 1, Reason: CutHigh, Profile: Full, Table: 1})
	if want := `{"cut":1,"from":0,"to":0,"reason":"high_watermark","profile":"full","table":1,"estimate":0,"blocks":[],"facts":[]}`; string(line) != want {
		t.Errorf("got %s", line)
	}
}

func TestBadCutRecords(t *testing.T) {
	bad := []string{
		``, `{`, `[]`, `null`, `{}`, `{"cut":5,"from":0}`,
		`{"cut":5,"from":0,"to":6,"reason":"x","profile":"full","table":1}`,
		`{"cut":5,"from":4,"to":2,"reason":"high_watermark","profile":"full","table":1}`,
		`{"cut":5,"from":-1,"to":2,"reason":"x","profile":"full","table":1}`,
		`{"cut":5,"from":0,"to":2,"reason":"x","profile":"fast","table":1}`,
		`{"cut":5,"from":0,"to":2,"reason":"x","profile":"full","table":0}`,
		`{"cut":5,"from":0,"to":2,"profile":"full","table":1}`,
		`{"cut":99999999999,"from":0,"to":2,"reason":"x","profile":"full","table":1}`,
		`{"cut":5,"from":0,"to":2,"reason":"x","profile":"full","table":1,"blocks":"no"}`,
	}
	lines := [][]byte{[]byte(cutLine)}
	for _, line := range bad {
		if _, err := ParseCut([]byte(line)); !errors.Is(err, ErrCut) {
			t.Errorf("%s: %v", line, err)
		}
		lines = append(lines, []byte(line))
	}
	if cuts, n := ParseCuts(append(lines, []byte(cutLine))); len(cuts) != 2 || n != len(bad) {
		t.Errorf("%d records, %d bad", len(cuts), n)
	}
	for _, line := range []string{
		`{"cut":5,"from":4,"to":2,"reason":"explicit","profile":"full","table":1}`,
		`{"later":{},"cut":5,"from":0,"to":2,"reason":"x","profile":"full","table":1}`,
	} {
		if _, err := ParseCut([]byte(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func FuzzParseCut(f *testing.F) {
	f.Add([]byte(cutLine))
	f.Add([]byte(`{"cut":5,"from":4,"to":2,"reason":"explicit","profile":"full","table":1,"facts":["\ud800"]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := ParseCut(line)
		if err != nil {
			return
		}
		once, err := MarshalCut(c)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseCut(once)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		if twice, _ := MarshalCut(again); string(twice) != string(once) {
			t.Fatalf("%s\n%s", once, twice)
		}
		// Whatever a record says, a view of a short log stands.
		log := kitchenLog(7)
		checkOrder(t, Fold(log, []Cut{c, c}), log)
	})
}
