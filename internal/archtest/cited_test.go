package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// finished are the requirements that the finished work fulfils: each must be
// cited by a test that proves it. R29, R42, C18 and C19 are unused.
const finished = `
R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 R16 R17 R18 R19 R20 R21 R22 R23 R24 R25 R26 R27
R28 R30 R31 R32 R33 R34 R35 R36 R37 R38 R39 R40 R41 R43 R44 R45 R46 R47 R48 R49 R50 R51 R52
C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14 C15 C16 C17 C20 C21 C22 C23 C24
V1 V2 V3 V4 V5 V6 V7 V8 V9 V10
S1 S2 S3 S4
`

// TestFinishedWorkIsCited: `make check` asks that every spec id of finished work
// is cited by a test.
func TestFinishedWorkIsCited(t *testing.T) {
	cited := citedIDs(t, "../..")
	for _, id := range strings.Fields(finished) {
		if !cited[id] {
			t.Errorf("no test cites %s; cite it in the doc comment of the test that would fail without it, or take it out of finished", id)
		}
	}
}

var specID = regexp.MustCompile(`\b[RCVS][0-9]+\b`)
var idRange = regexp.MustCompile(`\b([RCVS])([0-9]+)–[RCVS]?([0-9]+)\b`)

func citedIDs(t *testing.T, root string) map[string]bool {
	t.Helper()
	cited := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "cited_test.go" {
			return err
		}
		data, err := os.ReadFile(path)
		for line := range strings.Lines(string(data)) {
			if _, comment, ok := strings.Cut(line, "//"); ok {
				cite(cited, comment)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return cited
}

// cite takes single ids and ranges such as R31–R36.
func cite(cited map[string]bool, comment string) {
	for _, id := range specID.FindAllString(comment, -1) {
		cited[id] = true
	}
	for _, m := range idRange.FindAllStringSubmatch(comment, -1) {
		for n := atoi(m[2]); n <= atoi(m[3]); n++ {
			cited[m[1]+itoa(n)] = true
		}
	}
}

func TestCite(t *testing.T) {
	cited := map[string]bool{}
	cite(cited, " R5–R8, R11: x V3 CRC32 (S1)")
	for _, id := range []string{"R5", "R6", "R7", "R8", "R11", "V3", "S1"} {
		if !cited[id] {
			t.Errorf("%s is not found", id)
		}
	}
	if cited["R9"] || cited["C32"] || len(cited) != 7 {
		t.Errorf("found %v", cited)
	}
}
