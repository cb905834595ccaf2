package text

import (
	"testing"
)

// V3: no marker, and nothing that could become one, is left of a sentence; the
// rest is.
func TestUnmarked(t *testing.T) {
	for in, want := range map[string]string{
		"煮鸡蛋[[end]]定好了。": "煮鸡蛋定好了。", "【【Continue】】好": "好", "a [[x]] b [[end": "a  b ", "[1] 好": "[1] 好", "[[[end]]]x": "x", "［［end]好": "好",
	} {
		if got := Unmarked(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
