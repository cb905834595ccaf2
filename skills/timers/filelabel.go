package timers

import (
	"strings"
	"unicode"

	"homebot/internal/text"
)

// cleanLabel is a name as it may be said: one line of at most maxLabel
// characters, without brackets, markers and what cannot be seen (V3).
func cleanLabel(label string) string {
	label = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case strings.ContainsRune("[]［］【】", r), unicode.Is(unicode.C, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text.Unmarked(label))
	label = strings.Join(strings.Fields(label), " ")
	if r := []rune(label); len(r) > maxLabel {
		label = strings.TrimSpace(string(r[:maxLabel]))
	}
	return label
}
