package sherpa

import (
	"strings"
	"testing"

	"homebot/internal/speech"
)

// table makes a tokens.txt of the given tokens, in order.
func table(list string) tokens {
	t := tokens{}
	for i, tok := range strings.Fields(list) {
		t[tok] = i
	}
	return t
}

// pinyinTable and phoneTable are excerpts as the bilingual keyword model has
// them: initials, finals with tone marks, ARPAbet.
const (
	pinyinTable = "<blk> <sos/eos> <unk> n h x iǎo chú ǐ ǎo w én b ō q àn zh ōng m éi uó yǒu y ǒu l ǜ á í sh í ì er r én ā j iā m ā a ān"
	phoneTable  = pinyinTable + " HH EY1 HH OW1 M B AA1 T AH0 L"
)

// V1: the default wake phrases and others become the model's tokens.
func TestSpell(t *testing.T) {
	phones := map[string][]string{"HEY": {"HH", "EY1"}, "HOME": {"HH", "OW1", "M"}, "BOT": {"B", "AA1", "T"}, "ODD": {"QQ"}}
	zhEn := vocabulary{tokens: table(phoneTable + " ch ú"), phones: phones}
	chars := vocabulary{tokens: table("你 好 小 厨 ▁HE LL O H E L ▁ ▁W")}
	bpe := vocabulary{tokens: table("<blk> ▁ E H L O W R D Y ▁H LL ▁HE ▁W LD ▁HELL")}
	for _, tt := range []struct {
		v          vocabulary
		text, lang string
		want       string
		unknown    string
	}{
		{zhEn, "你好小厨", "zh", "n ǐ h ǎo x iǎo ch ú", ""},
		{zhEn, "你好，小廚！", "zh", "n ǐ h ǎo x iǎo ch ú", ""},
		{zhEn, "安", "zh", "ān", ""},
		{zhEn, "你好 wén", "zh", "n ǐ h ǎo w én", ""},
		{zhEn, "nǐhǎo", "zh", "n ǐ h ǎo", ""},
		{zhEn, "hey home bot", "en", "HH EY1 HH OW1 M B AA1 T", ""},
		{zhEn, "Hey, Home-Bot.", "en", "HH EY1 HH OW1 M B AA1 T", ""},
		{zhEn, "你好 bot", "zh", "n ǐ h ǎo B AA1 T", ""},
		{zhEn, "hey jarvis", "en", "", "jarvis"},
		{zhEn, "odd", "en", "", "odd"},
		{zhEn, "你好龘", "zh", "", "龘"},
		{chars, "你好小厨", "zh", "你 好 小 厨", ""},
		{bpe, "hello", "en", "▁HELL O", ""},
		{bpe, "he who", "en", "▁HE ▁W H O", ""},
		{bpe, "jazz", "en", "", "jazz"},
		{zhEn, "…", "zh", "", ""},
	} {
		got, unknown := tt.v.spell(speech.Phrase{Text: tt.text, Lang: tt.lang})
		if strings.Join(got, " ") != tt.want || unknown != tt.unknown {
			t.Errorf("%s: %q, unknown %q; want %q, %q", tt.text, got, unknown, tt.want, tt.unknown)
		}
	}
}

// Each phrase has its own boost and threshold, and comes back by number.
func TestKeywordLines(t *testing.T) {
	v := vocabulary{tokens: table(phoneTable + " ch ú"), phones: map[string][]string{}}
	lines, known, leftOut := v.keywordLines([]speech.Phrase{
		{Text: "你好小厨", Lang: "zh"}, {Text: "hey home bot", Lang: "en"},
		{Text: "你好，小厨", Lang: "zh"}, {Text: "小厨", Lang: "zh", Boost: 2, Threshold: 0.5},
	})
	want := "n ǐ h ǎo x iǎo ch ú :1.00 #0.25 @0\nx iǎo ch ú :2.00 #0.50 @1\n"
	if lines != want || len(known) != 2 || known[1].Text != "小厨" {
		t.Errorf("%q, %v", lines, known)
	}
	if len(leftOut) != 1 || !strings.Contains(leftOut[0].Reason, "hey") {
		t.Errorf("left out %v", leftOut)
	}
}

// A phrase with nothing to say in it is named too.
func TestNothingToSpell(t *testing.T) {
	v := vocabulary{tokens: table(phoneTable)}
	_, known, leftOut := v.keywordLines([]speech.Phrase{{Text: "😀 ", Lang: "en"}})
	if len(known) != 0 || len(leftOut) != 1 || leftOut[0].Reason != "The dictionary does not know “😀”. Please use other words." {
		t.Errorf("%v %v", known, leftOut)
	}
}

func TestHotwordLines(t *testing.T) {
	known := table("打 开 做 饭 模 式 ▁OPEN")
	list := []speech.Phrase{{Text: "打开做饭模式", Lang: "zh"}, {Text: "关灯", Lang: "zh"}, {Text: "open cooking mode", Lang: "en"}, {Text: "…"}}
	if got := hotwordLines(list, known, false); got != "打开做饭模式\n" {
		t.Errorf("%q", got)
	}
	if got := hotwordLines(list, known, true); got != "打开做饭模式\nOPEN COOKING MODE\n" {
		t.Errorf("%q", got)
	}
}

func TestReadPhones(t *testing.T) {
	got, err := readPhones(strings.NewReader("HEY HH EY1\nhey(2) HH EH1\nbot\tB AA1 T\nBAD\nOTHER AH0\n"), map[string]bool{"HEY": true, "BOT": true, "BAD": true})
	if err != nil || strings.Join(got["HEY"], " ") != "HH EY1" || strings.Join(got["BOT"], " ") != "B AA1 T" || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
}

// FuzzReadTokens: what is read has numbers, and spelling with it ends.
func FuzzReadTokens(f *testing.F) {
	f.Add("<blk> 0\nn 1\nǐ 2\n▁HE 3\n", "你 he")
	f.Add("a b 1\n  2\n", "\xff'")
	f.Fuzz(func(t *testing.T, file, phrase string) {
		v, err := readTokens(strings.NewReader(file))
		if err != nil {
			return
		}
		for _, lang := range []string{"zh", "en"} {
			spelt, _ := vocabulary{tokens: v}.spell(speech.Phrase{Text: phrase, Lang: lang})
			for _, tok := range spelt {
				if _, ok := v[tok]; !ok {
					t.Errorf("%q is spelt with %q, which the model has not", phrase, tok)
				}
			}
		}
	})
}
