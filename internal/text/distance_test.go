package text

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "a b", 2}, {"a b", "", 2}, {"a b c", "a b c", 0}, {"a b c", "a x c", 1},
		{"a b c", "b c", 1}, {"k i t t e n", "s i t t i n g", 3}, {"放 一 半 油", "放 半 油", 1},
	} {
		if got := Distance(strings.Fields(tt.a), strings.Fields(tt.b)); got != tt.want {
			t.Errorf("%q to %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
