package text

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// cutUp feeds s in pieces of n bytes.
func cutUp(s string, n int) []string {
	var sp Splitter
	var out []string
	for len(s) > n {
		out = append(out, sp.Write(s[:n])...)
		s = s[n:]
	}
	out = append(out, sp.Write(s)...)
	return append(out, sp.Close()...)
}

// splitCases mark the cuts with |, which no sentence holds.
var splitCases = []string{
	"",
	"好的。|先打蛋！|准备好了吗？|开始吧",
	"你说“开始。”|我就开始。|（等一下。）|好",
	"真的吗？！|太好了……|那就开始；|第一步",
	"他说：“好！”|“走吧。”|然后走了",
	"油温一百八十度，放3.5克盐。|水1,000毫升。|完",
	"**小心烫！**|**下一步**：切菜。|好",
	"1. 切菜。\n|2. 炒蛋。\n|完成",
	"1.切菜。|2.炒蛋。",
	"- 鸡蛋 2个\n|- 番茄 3个\n|\n|好",
	"好的.|现在开始.|完",
	"Hello. |How are you? |Fine! |Good",
	"Mr. Smith adds 3.5 g, e.g. salt, at 8 a.m. |Then he waits.",
	"At 8 a.m. we start. |No. 5 is hot. |No. |That is all.",
	"It costs $1,000.50. |Really?! |Yes... |It does.",
	"Wait... what? |Yes… |Good… maybe.",
	"He said \"Stop.\" |Then he left. |\"Go!\" she said. |'Fine.' |Ok.",
	"**Careful!** |**Next** chop. |*Done.* |Bye.",
	"1. Chop onions.\n|2. Fry.\n|3. Eat",
	"See https://a.b/c?d=e.f for more. |J. Oliver did. |So did I. |Bye",
	"Add 2 tbsp. of soy. |Add 2 tbsp. |Stir.",
	"好的👌！|Let's go. |现在开始",
	"Use 180 °C. |好。|Ok?",
	"...",
	"？",
}

// V5: sentences end where they end, whatever the pieces.
func TestSplitter(t *testing.T) {
	for _, c := range splitCases {
		text := strings.ReplaceAll(c, "|", "")
		var want []string
		for s := range strings.SplitSeq(c, "|") {
			if s = strings.TrimSpace(s); s != "" {
				want = append(want, s)
			}
		}
		for _, n := range []int{1, 2, 3, 7, len(text) + 1} {
			got := cutUp(text, n)
			for i := range got {
				got[i] = strings.TrimSpace(got[i])
			}
			if !slices.Equal(got, want) {
				t.Errorf("pieces of %d:\n got %q\nwant %q", n, got, want)
			}
		}
	}
}

// V5: a sentence is handed over as soon as it is certain.
func TestSplitterIsPrompt(t *testing.T) {
	var sp Splitter
	for _, step := range []struct {
		delta string
		want  []string
	}{
		{"好的。", nil}, // a closing quote may follow
		{"先", []string{"好的。"}},
		{"打蛋\n", []string{"先打蛋"}},
		{"Add 3", nil},
		{".5 g. ", nil},
		{"Stir", []string{"\nAdd 3.5 g."}},
	} {
		if got := sp.Write(step.delta); !slices.Equal(got, step.want) {
			t.Errorf("Write(%q) = %q, want %q", step.delta, got, step.want)
		}
	}
	if got := sp.Close(); !slices.Equal(got, []string{" Stir"}) {
		t.Errorf("Close() = %q", got)
	}
}

// V5: a sentence nobody could say in one breath is cut, at a comma if it has one.
func TestSplitterLongSentence(t *testing.T) {
	clause := "把切好的番茄放进锅里翻炒出汁，" // 15 characters
	got := Sentences(strings.Repeat(clause, 5))
	if len(got) != 2 || got[0] != strings.Repeat(clause, 4) {
		t.Errorf("Chinese: %q", got)
	}
	words := Sentences(strings.Repeat("word ", 60))
	if len(words) != 2 || len(words[0]) > maxWeight || !strings.HasSuffix(words[0], "word") {
		t.Errorf("without commas: %q", words)
	}
	commas := Sentences(strings.Repeat("one, two, 1,000 and ", 12))
	if len(commas) != 2 || !strings.HasSuffix(commas[0], "two,") {
		t.Errorf("with commas: %q", commas)
	}
	solid := Sentences(strings.Repeat("x", 400))
	if len(solid) != 3 || len(solid[0]) != maxWeight {
		t.Errorf("without anything: %d pieces", len(solid))
	}
}

// V5: the pieces of the stream make no difference, and nothing is lost.
func FuzzSplitter(f *testing.F) {
	for i, c := range splitCases {
		f.Add(strings.ReplaceAll(c, "|", ""), uint16(i))
	}
	f.Add(strings.Repeat("把切好的番茄放进锅里，", 9)+strings.Repeat("a, ", 90), uint16(50))
	f.Add("\xe3\x80\x82\xe3\x80. \xff", uint16(4))
	f.Fuzz(func(t *testing.T, s string, at uint16) {
		if len(s) > 2000 {
			return
		}
		whole := Sentences(s)
		cut := int(at) % (len(s) + 1)
		var sp Splitter
		split := append(sp.Write(s[:cut]), sp.Write(s[cut:])...)
		if split = append(split, sp.Close()...); !slices.Equal(split, whole) {
			t.Fatalf("%q cut at %d: %q; whole: %q", s, cut, split, whole)
		}
		if single := cutUp(s, 1); !slices.Equal(single, whole) {
			t.Fatalf("%q byte by byte: %q; whole: %q", s, single, whole)
		}
		joined := strings.Join(whole, "")
		if rest, ok := strings.CutPrefix(s, joined); !ok || strings.TrimSpace(rest) != "" {
			t.Fatalf("%q joined is %q", s, joined)
		}
		for _, x := range whole {
			if strings.TrimSpace(x) == "" {
				t.Fatalf("%q: an empty sentence in %q", s, whole)
			}
			if strings.ContainsRune(strings.TrimFunc(x, unicode.IsSpace), '\n') {
				t.Fatalf("%q: a line break in %q", s, x)
			}
		}
	})
}

func BenchmarkSplitter(b *testing.B) {
	reply := strings.Repeat("番茄切块，鸡蛋打散。油热以后，先炒鸡蛋。", 10)
	for b.Loop() {
		cutUp(reply, 6)
	}
}
