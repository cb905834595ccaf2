package text

import (
	"slices"
	"strings"
	"testing"
)

// V5: the beginning of the first sentence is spoken before the voice computed all
// of it.
func TestBreaths(t *testing.T) {
	for _, c := range []string{
		"",
		"好的。",
		"好的，开始。",
		"好的，定时器设好了。",
		"先把番茄切块，|再把鸡蛋打散，然后热锅下油，|等油热了再倒蛋液。",
		"水开以后放面条，|煮八分钟。",
		"您要做的是：|番茄炒蛋。",
		"需要鸡蛋、番茄、盐、糖和一点葱花。",
		"The timer is set,| it rings at seven.",
		"Well, take the pan off the stove,| then let it rest for five minutes, and stir once or twice.",
		"Take 1,000 grams of flour and 3,500 of water.",
		"After the water boils,| add the noodles and stir,| so that they do not stick together,| then cook them for eight minutes, taste one,| and drain them when it is done.",
		"No comma in this sentence although it is long",
	} {
		sentence := strings.ReplaceAll(c, "|", "")
		if got, want := Breaths(sentence), strings.Split(c, "|"); !slices.Equal(got, want) {
			t.Errorf("Breaths(%q)\n got %q\nwant %q", sentence, got, want)
		}
	}
}

func FuzzBreaths(f *testing.F) {
	for _, c := range splitCases {
		f.Add(strings.ReplaceAll(c, "|", ""))
	}
	f.Add("先把番茄切块，再把鸡蛋打散，然后热锅下油，等油热了再倒蛋液。")
	f.Fuzz(func(t *testing.T, s string) {
		pieces := Breaths(s)
		if strings.Join(pieces, "") != s {
			t.Fatalf("%q became %q", s, pieces)
		}
		for _, p := range pieces {
			if len(pieces) > 1 && weighAll(p) < minBreath {
				t.Fatalf("%q has the piece %q, too short", s, p)
			}
		}
	})
}
