package text

import (
	"strings"
	"sync"
	"unicode"

	"github.com/longbridgeapp/opencc"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// simplifier is loaded at the first Traditional word (about 2 ms, 0.4 MB) and
// kept. It is nil when the embedded dictionary does not load, which only a
// broken build can cause.
var simplifier = sync.OnceValue(func() *opencc.OpenCC {
	cc, err := opencc.New("t2s")
	if err != nil {
		return nil
	}
	return cc
})

// apostrophes are the characters R7 reads as '.
var apostrophes = strings.NewReplacer("’", "'", "ʼ", "'")

// Normalize returns the form in which words are compared (R7): NFKC, case
// folded, Simplified, with ' for ’ and ʼ. White space and punctuation stay.
// Invalid UTF-8 becomes U+FFFD.
func Normalize(s string) string {
	s = norm.NFKC.String(strings.ToValidUTF8(s, "\uFFFD"))
	s = cases.Fold().String(apostrophes.Replace(s))
	return ToSimplified(norm.NFKC.String(s))
}

// ToSimplified turns Traditional Chinese into Simplified, by phrases where one
// is known (乾燥 → 干燥, 乾隆 stays). Text without Han comes back as it is.
func ToSimplified(s string) string {
	if !HasHan(s) {
		return s
	}
	cc := simplifier()
	if cc == nil {
		return s
	}
	out, err := cc.Convert(s)
	if err != nil {
		return s
	}
	return out
}

// IsHan reports whether r is a Chinese character.
func IsHan(r rune) bool {
	return r >= 0x2E80 && unicode.Is(unicode.Han, r)
}

// HasHan reports whether s holds a Chinese character.
func HasHan(s string) bool {
	return strings.ContainsFunc(s, IsHan)
}

// The languages homebot speaks.
const (
	Chinese = "zh"
	English = "en"
)

// Lang is the language of s: "zh" if it holds Han, else "en" if it holds any
// letter, else fallback (nothing was said, or only numbers).
func Lang(s, fallback string) string {
	switch {
	case HasHan(s):
		return Chinese
	case strings.ContainsFunc(s, unicode.IsLetter):
		return English
	}
	return fallback
}

// JoinHan removes the white space that recognisers put between Chinese
// characters, and between those and Chinese punctuation (V10). Between Chinese
// and Latin words or numbers it goes too.
func JoinHan(s string) string {
	var b strings.Builder
	var prev rune
	gap := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap = true
			continue
		}
		if gap && prev != 0 && !isWide(prev) && !isWide(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		prev, gap = r, false
	}
	return b.String()
}

// isWide reports whether r is written without spaces around it.
func isWide(r rune) bool {
	return IsHan(r) || isWideMark(r)
}

// isWideMark reports whether r is Chinese punctuation.
func isWideMark(r rune) bool {
	return r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFF20 ||
		strings.ContainsRune("“”‘’…—", r)
}
