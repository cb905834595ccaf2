package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"homebot/internal/text"
)

// cutAt returns the words of sentence that were heard when played of total
// samples were: in proportion to its runes, back to the last word border. A Han
// character is a word of its own; a mark belongs to the word before it.
func cutAt(sentence string, played, total int) string {
	if total <= 0 || played <= 0 {
		return ""
	}
	if played >= total {
		return sentence
	}
	runes := utf8.RuneCountInString(sentence)
	heard := int(int64(runes) * int64(played) / int64(total))
	byteAt, n := 0, 0
	for i := range sentence {
		if n == heard {
			byteAt = i
			break
		}
		n++
	}
	return strings.TrimRightFunc(sentence[:wordBorder(sentence, byteAt)], unicode.IsSpace)
}

// wordBorder is the last word border of s at or before byte at.
func wordBorder(s string, at int) int {
	for at > 0 {
		before, size := utf8.DecodeLastRuneInString(s[:at])
		if isBorder(before, s[at:]) {
			return at
		}
		at -= size
	}
	return 0
}

// isBorder reports whether a word ends between before and rest. A mark inside a
// number or a word (3.5, don't) is no end.
func isBorder(before rune, rest string) bool {
	after, size := utf8.DecodeRuneInString(rest)
	switch {
	case unicode.IsSpace(before), unicode.IsSpace(after):
		return true
	case isWord(before) && isWord(after):
		return text.IsHan(before) || text.IsHan(after)
	case isWord(after):
		return text.IsHan(after)
	}
	next, _ := utf8.DecodeRuneInString(rest[size:])
	return !isWord(next) || text.IsHan(next)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
