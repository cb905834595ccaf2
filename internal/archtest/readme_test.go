package archtest

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestReadmesHaveOneShape: README.md and README.zh.md say the same, so they have
// the same headings, tables, code blocks and lists, in the same order; so do the
// two manuals of the appliance.
func TestReadmesHaveOneShape(t *testing.T) {
	for _, dir := range []string{"../../", "../../deploy/pi/"} {
		en, zh := shape(t, dir+"README.md"), shape(t, dir+"README.zh.md")
		for i := range max(len(en), len(zh)) {
			if i >= len(en) || i >= len(zh) || en[i] != zh[i] {
				t.Fatalf("block %d differs: %sREADME.md has %q, README.zh.md has %q; change both", i+1, dir, at(en, i), at(zh, i))
			}
		}
	}
}

func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "nothing more"
}

// shape is the blocks of a Markdown file: their kind and how many lines each
// has, text aside.
func shape(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	kind, n, code := "", 0, false
	flush := func() {
		if n > 0 {
			blocks = append(blocks, kind+" "+strconv.Itoa(n))
		}
		n = 0
	}
	for line := range strings.Lines(string(data)) {
		k := kindOf(line, code)
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if k != kind || k == "heading" {
			flush()
			kind = k
		}
		if k != "" {
			n++
		}
	}
	flush()
	return blocks
}

func kindOf(line string, code bool) string {
	switch {
	case code || strings.HasPrefix(line, "```"):
		return "code"
	case strings.TrimSpace(line) == "":
		return ""
	case strings.HasPrefix(line, "#"):
		return "heading"
	case strings.HasPrefix(line, "|"):
		return "table"
	case strings.HasPrefix(line, "- "):
		return "list"
	}
	return "text"
}

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }

func itoa(n int) string { return strconv.Itoa(n) }
