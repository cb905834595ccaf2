package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one word of prepared text: a Han character, a run of letters, or a
// number with what belongs inside it (1.5, 7:30, 1/2).
type token struct{ from, to int } // bytes

// tokens is text made ready for reading amounts and times: normalised, without
// punctuation (but inside numbers and words), white space only between Latin
// words.
type tokens struct {
	src    string
	list   []token
	endsAt []int // byte → 1 + index of the token that ends there, 0 for none
}

// vulgar fractions would run into the digit before them under NFKC.
var vulgar = strings.NewReplacer("½", " 1/2", "¼", " 1/4", "¾", " 3/4", "⅓", " 1/3", "⅔", " 2/3", "⅛", " 1/8")

// tokenize prepares s.
func tokenize(s string) tokens {
	s = JoinHan(bare(Normalize(vulgar.Replace(s))))
	t := tokens{src: s, endsAt: make([]int, len(s)+1)}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		from := i
		i += size
		switch {
		case r == ' ':
			continue
		case isDigit(r):
			i = numberEnd(s, i)
		case !IsHan(r):
			i = wordEnd(s, i)
		}
		t.list = append(t.list, token{from, i})
		t.endsAt[i] = len(t.list)
	}
	return t
}

// bare replaces what is neither letter nor digit by a space, but for the marks
// inside numbers and words.
func bare(s string) string {
	runes := []rune(s)
	digit := func(i int) bool { return i >= 0 && i < len(runes) && isDigit(runes[i]) }
	letter := func(i int) bool { return i >= 0 && i < len(runes) && unicode.IsLetter(runes[i]) }
	var b strings.Builder
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r), isDigit(r):
			b.WriteRune(r)
		case (r == '.' || r == ':' || r == '/') && digit(i-1) && digit(i+1), r == '\'' && letter(i-1) && letter(i+1):
			b.WriteRune(r)
		case r == '\u2044':
			b.WriteByte('/')
		case r == ',' && digit(i-1) && digit(i+1): // 1,000
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func numberEnd(s string, i int) int {
	for i < len(s) && (isDigit(rune(s[i])) || strings.IndexByte(".:/", s[i]) >= 0 && i+1 < len(s) && isDigit(rune(s[i+1]))) {
		i++
	}
	return i
}

func wordEnd(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == ' ' || isDigit(r) || IsHan(r) {
			break
		}
		i += size
	}
	return i
}

// word is the text of token i, "" beyond the end.
func (t tokens) word(i int) string {
	if i < 0 || i >= len(t.list) {
		return ""
	}
	return t.src[t.list[i].from:t.list[i].to]
}

// span is the text of tokens from i up to j.
func (t tokens) span(i, j int) string {
	if i >= j {
		return ""
	}
	return t.src[t.list[i].from:t.list[j-1].to]
}

// eat returns the token after words, which must stand at i, or false. words may
// be several, as in the source: "小时", "half an".
func (t tokens) eat(i int, words string) (int, bool) {
	if i < 0 || i >= len(t.list) || words == "" {
		return i, false
	}
	from := t.list[i].from
	if !strings.HasPrefix(t.src[from:], words) {
		return i, false
	}
	j := t.endsAt[from+len(words)]
	return j, j > 0
}

// eatAny eats the first of the words that stands at i; put longer ones first.
func (t tokens) eatAny(i int, words ...string) (int, bool) {
	for _, w := range words {
		if j, ok := t.eat(i, w); ok {
			return j, true
		}
	}
	return i, false
}

// skip eats words if they are there.
func (t tokens) skip(i int, words ...string) int {
	j, _ := t.eatAny(i, words...)
	return j
}

// has reports whether words stand anywhere.
func (t tokens) has(words ...string) bool {
	for _, w := range words {
		if t.find(w) >= 0 {
			return true
		}
	}
	return false
}

// find is the first token at which words stand, or -1.
func (t tokens) find(words string) int {
	for i := range t.list {
		if _, ok := t.eat(i, words); ok {
			return i
		}
	}
	return -1
}
