package text

import (
	"testing"
	"unicode/utf8"
)

// R7: words are compared after NFKC, case folding, Traditional→Simplified and
// with one apostrophe.
func TestNormalize(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"打開做飯模式", "打开做饭模式"},
		{"ｏｐｅｎ　ＣＯＯＫＩＮＧ", "open cooking"},
		{"Don’t", "don't"},
		{"donʼt", "don't"},
		{"乾燥", "干燥"},
		{"乾隆", "乾隆"},
		{"！？", "!?"},
		{"ﬁnish", "finish"},
		{"", ""},
		{"a\xffb", "a\uFFFDb"},
	} {
		if got := Normalize(c.in); got != c.want {
			t.Errorf("Normalize(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// V10: Traditional answers of a recogniser become Simplified.
func TestToSimplified(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"關閉做飯模式", "关闭做饭模式"},
		{"plain", "plain"},
		{"用 air fryer 做麵包", "用 air fryer 做面包"},
	} {
		if got := ToSimplified(c.in); got != c.want {
			t.Errorf("ToSimplified(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestLang(t *testing.T) {
	for _, c := range []struct{ in, fallback, want string }{
		{"打开 cooking mode", "en", "zh"},
		{"open", "zh", "en"},
		{"", "zh", "zh"},
		{"12!", "en", "en"},
		{"12!", "zh", "zh"},
	} {
		if got := Lang(c.in, c.fallback); got != c.want {
			t.Errorf("Lang(%q, %q) = %q, want %q", c.in, c.fallback, got, c.want)
		}
	}
}

// V10: the spaces a recogniser puts between characters go.
func TestJoinHan(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"打開 做飯 模式 。", "打開做飯模式。"},
		{" 番茄 放 几个 ", "番茄放几个"},
		{"用 air fryer 做 行不行", "用air fryer做行不行"},
		{"open  the door", "open the door"},
		{"", ""},
	} {
		if got := JoinHan(c.in); got != c.want {
			t.Errorf("JoinHan(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"打開 做飯", "Don’t ＯＰＥＮ", "ﬁ", "\xff", "ß İ", "ᾳ͜"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := Normalize(s)
		if !utf8.ValidString(n) {
			t.Errorf("Normalize(%q) = %q is not UTF-8", s, n)
		}
		if j := JoinHan(JoinHan(s)); j != JoinHan(s) {
			t.Errorf("JoinHan(%q) changes its own result", s)
		}
	})
}

func BenchmarkNormalize(b *testing.B) {
	Normalize("開") // load the dictionary
	for b.Loop() {
		Normalize("好了，退出 做飯模式 吧，謝謝")
	}
}
