package text

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"homebot/internal/lazyregexp"
)

var (
	heading  = lazyregexp.New(`^\s*#{1,6}\s+`)
	quote    = lazyregexp.New(`^\s*(?:>\s?)+`)
	bullet   = lazyregexp.New(`^(\s*)[*+•]\s+`)
	manyRows = lazyregexp.New(`\n{3,}`)
)

// Plain is Markdown as a terminal should show it: lists and lines stay, marks
// and addresses of links go, a quote is indented. What is not seen goes too.
func Plain(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if fence.MatchString(strings.TrimRight(line, "\r\n")) {
			continue
		}
		b.WriteString(plainLine(line))
		b.WriteByte('\n')
	}
	return strings.TrimSpace(manyRows.ReplaceAllString(b.String(), "\n\n"))
}

// Unseen reports whether r shows nothing, in a text that others wrote: a control
// character, which a terminal would obey, or a mark that turns the order of a line
// around or hides in a word. What joins emoji and letters (U+200C, U+200D) and a
// flag's tags are none.
func Unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == 0x200B || r == 0x2060 || r == 0xFEFF
}

// Printable is s without what is not seen, on one line.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n':
			return ' '
		case Unseen(r):
			return -1
		}
		return r
	}, s)
}

// IsText reports whether data is UTF-8 text with something in it: no power cut
// left zeros, and nobody saved it in another encoding.
func IsText(data []byte) bool {
	return len(data) > 0 && utf8.Valid(data) && !bytes.Contains(data, []byte{0})
}

func plainLine(line string) string {
	line = strings.TrimRightFunc(Printable(line), unicode.IsSpace)
	if ruler.MatchString(line) {
		return ""
	}
	line = heading.ReplaceAllString(line, "")
	line = quote.ReplaceAllString(line, "  ")
	line = bullet.ReplaceAllString(line, "$1- ")
	line = image.ReplaceAllString(line, "$1")
	line = link.ReplaceAllString(line, "$1")
	line = strong.ReplaceAllString(line, "$1$2")
	line = underlined.ReplaceAllString(line, "$1$2$3")
	return strings.NewReplacer("`", "", "**", "").Replace(line)
}
