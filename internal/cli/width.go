package cli

import (
	"fmt"
	"io"
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

// Table writes rows in columns, two cells apart; the last cell of a row takes what
// it needs.
func Table(w io.Writer, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], cells.StringWidth(cell))
		}
	}
	for _, row := range rows {
		last := len(row) - 1
		for i, cell := range row[:last] {
			fmt.Fprint(w, Pad(cell, widths[i]+2))
		}
		fmt.Fprintln(w, row[last])
	}
}
