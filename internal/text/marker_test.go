package text

import (
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

// V3: the result does not depend on the pieces, and no marker is ever spoken.
func FuzzMarkerParser(f *testing.F) {
	for i, c := range markerCases {
		f.Add(c.in, uint16(i))
	}
	f.Add("\xe3\x80[[\x90end]]", uint16(3))
	f.Fuzz(func(t *testing.T, s string, at uint16) {
		whole, next := parse(s, len(s)+1)
		cut := int(at) % (len(s) + 1)
		var p MarkerParser
		split := p.Write(s[:cut]) + p.Write(s[cut:]) + p.Close()
		if split != whole || p.Next() != next {
			t.Fatalf("%q cut at %d: %q, %v; whole: %q, %v", s, cut, split, p.Next(), whole, next)
		}
		if bytewise, n := parse(s, 1); bytewise != whole || n != next {
			t.Fatalf("%q byte by byte: %q, %v; whole: %q, %v", s, bytewise, n, whole, next)
		}
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
