package text

import (
	"html"
	"strings"
	"unicode"

	"homebot/internal/lazyregexp"
)

// Spoken is s as a voice should read it, in lang ("zh" or "en"): without
// Markdown, emoji and bare links, white space collapsed, the lines of a list or
// table joined with the pause of the language (V10). It may come back empty:
// then there is nothing to say. Units, fractions, ranges and, in Chinese, times
// and dates are written out; plain numbers are read by the voice.
//
// It works on whole texts and on single sentences of a Splitter. A code fence
// is known only by its own line there, so the code itself would be read.
func Spoken(s, lang string) string {
	var out []string
	for line := range strings.Lines(s) {
		if line = spokenLine(strings.TrimSpace(line), lang); line != "" {
			out = append(out, line)
		}
	}
	return joinLines(out, lang)
}

// pauses join the lines of a list, and the cells of a table row.
var pauses = map[string]struct{ line, cell string }{
	Chinese: {"，", "，"},
	English: {". ", ", "},
}

func joinLines(lines []string, lang string) string {
	if len(lines) == 0 {
		return ""
	}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteString(pauseAfter(lines[i-1], lang))
		}
		b.WriteString(l)
	}
	if last := lines[len(lines)-1]; lang != Chinese && len(lines) > 1 && !endsInMark(last) {
		b.WriteByte('.')
	}
	return b.String()
}

// pauseAfter is what goes between a line and the next one.
func pauseAfter(line, lang string) string {
	if !endsInMark(line) {
		return pauses[speakable(lang)].line
	}
	if lang == Chinese {
		return ""
	}
	return " "
}

func speakable(lang string) string {
	if lang == Chinese {
		return Chinese
	}
	return English
}

func endsInMark(s string) bool {
	r := []rune(strings.TrimRight(s, closers+`"`))
	return len(r) > 0 && (isEndMark(r[len(r)-1]) || strings.ContainsRune("，、：,:;", r[len(r)-1]))
}

var (
	lineStart  = lazyregexp.New(`^\s*(?:#{1,6}\s+|>+\s*|[-*+•·]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)、]\s+)+`)
	fence      = lazyregexp.New("^\\s*(?:```|~~~).*$")
	ruler      = lazyregexp.New(`^[\s|:*_=-]*[-*_=]{3,}[\s|:*_=-]*$`)
	image      = lazyregexp.New(`!\[([^\]]*)\]\([^)]*\)`)
	link       = lazyregexp.New(`\[([^\]]+)\]\([^)]*\)`)
	bareLink   = lazyregexp.New(`<?(?:https?://|\bwww\.)[^\s\p{Han}，。！？）>]+>?`)
	footnote   = lazyregexp.New(`\[\^[^\]]*\]:?`)
	tag        = lazyregexp.New(`</?[A-Za-z][A-Za-z0-9]{0,9}(?:\s[^<>]*)?/?>`)
	strong     = lazyregexp.New(`\*{1,3}([^*\s](?:[^*]*[^*\s])?)\*{1,3}|~~([^~]+)~~`)
	underlined = lazyregexp.New(`(^|[^\pL\pN])_{1,3}([^_\s](?:[^_]*[^_\s])?)_{1,3}([^\pL\pN]|$)`)
)

// linkWords stand for an address nobody wants to hear.
var linkWords = map[string]string{Chinese: "链接", English: "the link"}

// spokenLine strips one line.
func spokenLine(line, lang string) string {
	if fence.MatchString(line) || ruler.MatchString(line) {
		return ""
	}
	line = html.UnescapeString(line)
	line = lineStart.ReplaceAllString(line, "")
	if strings.HasPrefix(line, "|") {
		line = tableRow(line, lang)
	}
	line = image.ReplaceAllString(line, "$1")
	line = link.ReplaceAllString(line, "$1")
	line = footnote.ReplaceAllString(line, "")
	line = bareLink.ReplaceAllString(line, linkWords[speakable(lang)])
	line = tag.ReplaceAllString(line, " ")
	line = strong.ReplaceAllString(line, "$1$2")
	line = underlined.ReplaceAllString(line, "$1$2$3")
	line = strings.NewReplacer("`", "", "**", "").Replace(line)
	line = strings.Join(strings.Fields(strings.Map(withoutEmoji, vulgar.Replace(line))), " ")
	if lang == Chinese {
		line = JoinHan(line)
	}
	return readOut(line, lang)
}

// tableRow reads the cells of a row one after the other.
func tableRow(row, lang string) string {
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
		if cell = strings.TrimSpace(cell); cell != "" {
			cells = append(cells, cell)
		}
	}
	return strings.Join(cells, pauses[speakable(lang)].cell)
}

// withoutEmoji drops emoji and what joins them; for strings.Map.
func withoutEmoji(r rune) rune {
	switch {
	case r >= 0x1F000 && r <= 0x1FAFF, r >= 0x2600 && r <= 0x27BF,
		r >= 0x2B00 && r <= 0x2BFF, r >= 0xFE00 && r <= 0xFE0F,
		r >= 0xE0020 && r <= 0xE007F, r == 0x200D, r == 0x20E3:
		return -1
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}
