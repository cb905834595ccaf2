package cli

import (
	"strings"
	"testing"
)

func TestPad(t *testing.T) {
	for in, want := range map[string]string{"": "      ", "disk": "disk  ", "磁盘": "磁盘  ", "麦克风": "麦克风", "pi 板": "pi 板 ", "microphone": "microphone"} {
		if got := Pad(in, 6); got != want {
			t.Errorf("Pad(%q, 6) = %q, want %q", in, got, want)
		}
	}
}

// Columns are as wide as what is in them, but for the last cell of a row.
func TestTable(t *testing.T) {
	var out strings.Builder
	Table(&out, [][]string{{"名字", "SIZE", "x"}, {"a", "12 MB", ""}, {"none", "a long reason"}, {"b"}})
	const want = "名字  SIZE   x\n" + "a     12 MB  \n" + "none  a long reason\n" + "b\n"
	if out.String() != want {
		t.Errorf("\n%s, want\n%s", &out, want)
	}
}
