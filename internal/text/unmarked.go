package text

import (
	"strings"

	"homebot/internal/lazyregexp"
)

var (
	closedMark = lazyregexp.New(`[\[［【]{2,}[^\[［【\]］】\n]{0,40}[\]］】]+`)
	openMark   = lazyregexp.New(`[\[［【]{2,}\s*(?i:end|continue)?|[\]］】]{2,}`)
)

// Unmarked is s without markers and without what could become one, for sentences
// of the device's own, which hold words of others (V3). Unlike a MarkerParser it
// keeps what follows.
func Unmarked(s string) string {
	if !strings.ContainsAny(s, "[［【]］】") {
		return s
	}
	return openMark.ReplaceAllString(closedMark.ReplaceAllString(s, ""), "")
}
