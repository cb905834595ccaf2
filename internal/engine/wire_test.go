package engine

import (
	"context"
	"testing"

	"homebot/internal/phrases"
)

// What an engine refuses is told in the language of who asked; what is in one
// language only stays as it is.
func TestErrorsCrossTheSocketInBothLanguages(t *testing.T) {
	r := run(t, t.TempDir())
	for words, want := range map[string]phrases.Phrase{"full": phrases.DiskFull, "fail": {ZH: "workspace lost", EN: "workspace lost"}} {
		_, err := r.connect(t).Turn(context.Background(), Turn{Channel: "text", Text: words}, nil)
		if err == nil || err.Error() != want.EN || phrases.Told(err, phrases.Chinese) != want.ZH {
			t.Errorf("%s: %v, want %v", words, err, want)
		}
	}
}
