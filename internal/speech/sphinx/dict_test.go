package sphinx

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"homebot/internal/phrases"
	"homebot/internal/speech"
)

func TestScanLexicon(t *testing.T) {
	text := ";; a comment\nhey HH EY\n\nthe DH AH\nthe(2) DH IY\nbroken\n你好\tn i h ao\r\nother OW\n"
	lex, err := scanLexicon(strings.NewReader(text), map[string]bool{"the": true, "你好": true, "broken": true})
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(lex.words)); !slices.Equal(got, []string{"the", "你好"}) {
		t.Errorf("words are %q", got)
	}
	if got := lex.words["the"]; len(got) != 2 || got[1].String() != "DH IY" {
		t.Errorf("the is said %v", got)
	}
	want := []string{"AH", "DH", "EY", "HH", "IY", "OW", "ao", "h", "i", "n"}
	if !slices.Equal(lex.phones, want) {
		t.Errorf("phones are %q, want %q", lex.phones, want)
	}
}

// FuzzScanLexicon: no dictionary, however damaged, brings it down, and no phone
// or word that comes out of it can break a generated dictionary.
func FuzzScanLexicon(f *testing.F) {
	f.Add("hey HH EY\nhey(2) HH IY\n")
	f.Add("(2) A\n( \t\n;;\n#\nx\t\ty")
	f.Add("你好\tn i h ao\n")
	f.Fuzz(func(t *testing.T, text string) {
		lex, err := scanLexicon(strings.NewReader(text), map[string]bool{"hey": true, "": true, "x": true})
		if err != nil {
			return
		}
		for _, p := range lex.phones {
			if p == "" || strings.ContainsAny(p, " \t\n") {
				t.Errorf("%q is no phone", p)
			}
		}
		for w, ways := range lex.words {
			if len(ways) == 0 {
				t.Errorf("%q is there with no pronunciation", w)
			}
		}
	})
}

func TestNear(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"S T AA P", "S T AA P", true},
		{"S T AA P", "S T AA R T", false},
		{"S T AA P", "S T AA", true},
		{"T AA P", "S T AA P", true},
		{"S T AA P", "S T IY P", true},
		{"S T AA P", "S T IY K", false},
		{"A B", "B A", false},
		{"", "A", true},
		{"", "A B", false},
	} {
		a, b := phones(strings.Fields(tt.a)), phones(strings.Fields(tt.b))
		if a.near(b) != tt.want || b.near(a) != tt.want {
			t.Errorf("near(%q, %q) is not %v", tt.a, tt.b, tt.want)
		}
	}
}

// testLexicon knows the words of list by the entries of a small dictionary.
func testLexicon(t *testing.T, lang string, list []speech.Phrase) lexicon {
	t.Helper()
	const text = `hey HH EY
stop S T AA P
stops S T AA P S
the DH AH
the(2) DH IY
what's W AH T S
time T AY M
time(2) T AA M
打 d a
开 k ai
打开 d a k ai
做饭 z uo f an
模式 m o sh ib
`
	lex, err := scanLexicon(strings.NewReader(text), wantedWords(lang, list))
	if err != nil {
		t.Fatal(err)
	}
	return lex
}

func TestPronounce(t *testing.T) {
	en := func(text, kin string) speech.Phrase { return speech.Phrase{Text: text, Lang: "en", Kin: kin} }
	zh := func(text string) speech.Phrase { return speech.Phrase{Text: text, Lang: "zh"} }
	for name, tt := range map[string]struct {
		lang    string
		list    []speech.Phrase
		known   string // phrases, each with its ways
		leftOut string
	}{
		"every variant": {"en", []speech.Phrase{en("the time", "")},
			"the time: DH AH T AY M, DH IY T AY M, DH AH T AA M, DH IY T AA M", ""},
		"case, width and marks": {"en", []speech.Phrase{en("What’s  the ＴＩＭＥ?", "")},
			"What’s  the ＴＩＭＥ?: W AH T S DH AH T AY M, W AH T S DH IY T AY M, W AH T S DH AH T AA M, W AH T S DH IY T AA M", ""},
		"longest match": {"zh", []speech.Phrase{zh("打开做饭模式")}, "打开做饭模式: d a k ai z uo f an m o sh ib", ""},
		"traditional":   {"zh", []speech.Phrase{zh("打開做飯模式")}, "打開做飯模式: d a k ai z uo f an m o sh ib", ""},
		"unknown word":  {"en", []speech.Phrase{en("hey xyzzy", ""), en("stop", "")}, "stop: S T AA P", "hey xyzzy: The dictionary does not know “xyzzy”. Please use other words."},
		"unknown character": {"zh", []speech.Phrase{zh("打开鍋")}, "",
			"打开鍋: 发音词典里没有“锅”，请换个说法。"},
		"one phone apart": {"en", []speech.Phrase{en("stop", ""), en("stops", "")}, "stop: S T AA P", "stops: It sounds too much like “stop”. Please use other words."},
		"kin":             {"en", []speech.Phrase{en("stop", "halt"), en("stops", "halt")}, "stop: S T AA P; stops: S T AA P S", ""},
		"twice":           {"en", []speech.Phrase{en("stop", ""), en("Stop!", "")}, "stop: S T AA P", ""},
		"nothing to say":  {"en", []speech.Phrase{en(" ?!", "")}, "", " ?!: The dictionary does not know “?!”. Please use other words."},
		"pictures": {"zh", []speech.Phrase{zh("😀"), zh("🎉")}, "",
			"😀: 发音词典里没有“😀”，请换个说法。; 🎉: 发音词典里没有“🎉”，请换个说法。"},
	} {
		t.Run(name, func(t *testing.T) {
			known, out := pronounce(tt.lang, tt.list, testLexicon(t, tt.lang, tt.list))
			var got []string
			for _, p := range known {
				var ways []string
				for _, w := range p.ways {
					ways = append(ways, w.String())
				}
				got = append(got, p.Text+": "+strings.Join(ways, ", "))
			}
			if s := strings.Join(got, "; "); s != tt.known {
				t.Errorf("known:\n%s\nwant:\n%s", s, tt.known)
			}
			got = nil
			for _, l := range out {
				got = append(got, l.Phrase.Text+": "+l.Reason)
			}
			if s := strings.Join(got, "; "); s != tt.leftOut {
				t.Errorf("left out:\n%s\nwant:\n%s", s, tt.leftOut)
			}
		})
	}
}

func TestVariantsAreBounded(t *testing.T) {
	list := []speech.Phrase{{Text: strings.Repeat("the time ", 10), Lang: "en"}}
	ways, _ := say("en", list[0].Text, testLexicon(t, "en", list))
	if len(ways) != maxVariants {
		t.Errorf("%d ways to say it, want %d", len(ways), maxVariants)
	}
}

// FuzzPronounce: every phrase is either known with a pronunciation or left out
// with a reason, whatever is in it.
func FuzzPronounce(f *testing.F) {
	f.Add("stop the time")
	f.Add("打开做饭模式")
	f.Add("'' ’ \x00\xff ｈｅｙ 12")
	f.Fuzz(func(t *testing.T, text string) {
		for _, lang := range []string{"en", "zh"} {
			list := []speech.Phrase{{Text: text, Lang: lang}}
			known, out := pronounce(lang, list, testLexicon(t, lang, list))
			if len(known)+len(out) != 1 {
				t.Fatalf("%q is %d times known and %d times left out", text, len(known), len(out))
			}
			for _, l := range out {
				if l.Reason == "" || l.Why == nil {
					t.Errorf("%q is left out for no reason", text)
				}
			}
		}
	})
}

// TestPronounceable reads the real dictionaries: every phrase of the corpora can
// be said, and no two of a language sound alike.
func TestPronounceable(t *testing.T) {
	c := testConfig(t)
	for _, s := range corpora {
		for _, l := range c.Pronounceable(phraseList(s.lang, append(s.phrases, s.wake))) {
			t.Errorf("%s: %s", l.Phrase.Text, l.Reason)
		}
	}
	out := c.Pronounceable([]speech.Phrase{{Text: "open xyzzy", Lang: "en"}, {Text: "bonjour", Lang: "fr"}})
	if len(out) != 1 || out[0].Phrase.Text != "open xyzzy" {
		t.Fatalf("left out: %v, want only the phrase with an unknown word", out)
	}
	if zh := phrases.Told(out[0].Why, phrases.Chinese); zh != "发音词典里没有“xyzzy”，请换个说法。" {
		t.Errorf("in Chinese %q", zh)
	}
}
