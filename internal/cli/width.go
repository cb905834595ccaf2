package cli

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// cells counts a terminal's cells: 2 for a Han character, 1 for what is either wide
// or narrow.
var cells = &runewidth.Condition{EastAsianWidth: false}

// Pad fills s with spaces to the width of a column, in cells of a terminal, in
// which a Han character takes two. A longer s stays as it is.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-cells.StringWidth(s)))
}
