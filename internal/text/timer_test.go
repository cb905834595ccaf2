package text

import (
	"strconv"
	"testing"
	"time"
)

// shanghai is where and when the shared cases are set.
var timerNow = time.Date(2026, 10, 22, 19, 55, 0, 0, time.FixedZone("CST", 8*3600))

// V9: timers are understood in both languages and with kitchen words.
func TestTimerSharedCases(t *testing.T) {
	for _, col := range sharedCases(t, "timers.tsv") {
		for len(col) < 6 {
			col = append(col, "")
		}
		p, ok := ParseTimer(col[1], timerNow)
		got := []string{string(p.Action), "", "", p.Label}
		if p.Span != 0 {
			got[1] = strconv.Itoa(int(p.Span.Seconds()))
		}
		if !p.At.IsZero() {
			got[2] = p.At.Format(time.RFC3339)
		}
		if !ok || got[0] != col[2] || got[1] != col[3] || got[2] != col[4] || got[3] != col[5] {
			t.Errorf("%s: got %q, want %q", col[1], got, col[2:])
		}
	}
}
