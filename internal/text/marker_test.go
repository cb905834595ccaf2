package text

import (
	"fmt"
	"strings"
	"testing"
)

// parse feeds s in pieces of n bytes.
func parse(s string, n int) (spoken string, next Marker) {
	var p MarkerParser
	var out strings.Builder
	for len(s) > n {
		out.WriteString(p.Write(s[:n]))
		s = s[n:]
	}
	out.WriteString(p.Write(s))
	out.WriteString(p.Close())
	return out.String(), p.Next()
}

var markerCases = []struct {
	in, spoken string
	next       Marker
}{
	{"好的。[[continue]]", "好的。", MarkerContinue},
	{"好的。[[end]]", "好的。", MarkerEnd},
	{"Done. [[END]]", "Done. ", MarkerEnd},
	{"Done.[[ Continue ]]", "Done.", MarkerContinue},
	{"好的。【【continue】】", "好的。", MarkerContinue},
	{"好的。［［ｅｎｄ］］", "好的。", MarkerEnd},
	{"好的。[［end】]", "好的。", MarkerEnd},
	{"好的。[[[end]]]", "好的。", MarkerEnd},
	{"a[[end]]b[[continue]]c", "a", MarkerEnd},        // the first marker wins
	{"a[[pause]]b[[continue]]", "ab", MarkerContinue}, // unknown ones are removed
	{"a[[]]b", "ab", MarkerNone},                      // also an empty one
	{"a[1]b [x", "a[1]b [x", MarkerNone},              // single brackets are text
	{"看【步骤】一", "看【步骤】一", MarkerNone},                  // so are Chinese ones
	{"a[[b\n c]]", "a[[b\n c]]", MarkerNone},          // no marker goes over a line
	{"a[[b[[end]]", "a[[b", MarkerEnd},                // the second pair is the marker
	{"好的。[[end", "好的。", MarkerEnd},                    // forgot to close
	{"好的。[[end] bye", "好的。", MarkerEnd},               // closed by half
	{"好的。[[cont", "好的。", MarkerNone},                  // torn: never spoken
	{"好的。[[end\n]]", "好的。", MarkerEnd},                // over a line
	{"[[", "[[", MarkerNone},                          // nothing that could be one
	{"[", "[", MarkerNone},                            //
	{"[[not closed at all", "[[not closed at all", MarkerNone},
	{"[[" + strings.Repeat("x", 41) + "]]", "[[" + strings.Repeat("x", 41) + "]]", MarkerNone},
	{"[[" + strings.Repeat("x", 39) + "]]", "", MarkerNone},
	{"", "", MarkerNone},
}

// V3: the marker is taken out, whatever its case and width and wherever the
// stream was cut.
func TestMarkerParser(t *testing.T) {
	for _, c := range markerCases {
		for n := 1; n <= len(c.in)+1; n++ {
			spoken, next := parse(c.in, n)
			if spoken != c.spoken || next != c.next {
				t.Errorf("%q in pieces of %d: %q, %v, want %q, %v", c.in, n, spoken, next, c.spoken, c.next)
			}
		}
	}
}

// V3: everything from the first [[ that could become a marker is held back,
// and nothing else is.
func TestMarkerHoldsBack(t *testing.T) {
	var p MarkerParser
	for _, step := range []struct{ delta, want string }{
		{"好的", "好的"},
		{"。[", "。"},
		{"1]", "[1]"},
		{"[", ""},
		{"[con", ""},
		{"tinue]", ""},
		{"] more", ""},
	} {
		if got := p.Write(step.delta); got != step.want {
			t.Errorf("Write(%q) = %q, want %q", step.delta, got, step.want)
		}
	}
	if rest := p.Close(); rest != "" || p.Next() != MarkerContinue {
		t.Errorf("Close() = %q, Next() = %v", rest, p.Next())
	}
}

// cutAt feeds s cut at the places given, which ascend.
func cutAt(s string, cuts ...int) (spoken string, next Marker) {
	var p MarkerParser
	var out strings.Builder
	from := 0
	for _, c := range append(cuts, len(s)) {
		out.WriteString(p.Write(s[from:c]))
		from = c
	}
	out.WriteString(p.Close())
	return out.String(), p.Next()
}

// pairsUpTo is the length in bytes up to which every pair of cuts is tried: of
// longer texts that would be millions.
const pairsUpTo = 48

// everySplit compares the result of s in every division into two pieces, into
// three where it is short enough, and into single bytes, with that of the whole.
func everySplit(t *testing.T, s string) {
	t.Helper()
	whole, next := cutAt(s)
	same := func(how string, spoken string, n Marker) {
		if spoken != whole || n != next {
			t.Fatalf("%q %s: %q, %v; whole: %q, %v", s, how, spoken, n, whole, next)
		}
	}
	for i := range len(s) + 1 {
		spoken, n := cutAt(s, i)
		same(fmt.Sprintf("cut at %d", i), spoken, n)
		for j := i; j <= len(s) && len(s) <= pairsUpTo; j++ {
			spoken, n := cutAt(s, i, j)
			same(fmt.Sprintf("cut at %d and %d", i, j), spoken, n)
		}
	}
	spoken, n := parse(s, 1)
	same("byte by byte", spoken, n)
}

// V3: every text of the table in every division into two and three pieces and
// into bytes, alone, after another marker's beginning, and before more text.
func TestMarkerEverySplit(t *testing.T) {
	for _, c := range markerCases {
		everySplit(t, c.in)
		everySplit(t, "做[[en"+c.in)
		everySplit(t, c.in+"】]好[[end]]")
	}
}

// V3: the result does not depend on the pieces, wherever the stream is cut, and
// no marker is ever spoken.
func FuzzMarkerParser(f *testing.F) {
	for _, c := range markerCases {
		f.Add(c.in)
	}
	f.Add("\xe3\x80[[\x90end]]")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4*pairsUpTo {
			s = s[:4*pairsUpTo]
		}
		everySplit(t, s)
		whole, _ := cutAt(s)
		for _, m := range []string{"[[continue]]", "[[end]]", "[[continue]", "[[end]", "[[continue\n", "[[end\n"} {
			if strings.Contains(strings.ToLower(whole), m) {
				t.Fatalf("%q speaks %q", s, whole)
			}
		}
	})
}

func BenchmarkMarkerParser(b *testing.B) {
	reply := strings.Repeat("番茄切块，鸡蛋打散。", 20) + "[[continue]]"
	for b.Loop() {
		parse(reply, 6)
	}
}
