package cli

import "testing"

func TestPad(t *testing.T) {
	for in, want := range map[string]string{"": "      ", "disk": "disk  ", "磁盘": "磁盘  ", "麦克风": "麦克风", "pi 板": "pi 板 ", "microphone": "microphone"} {
		if got := Pad(in, 6); got != want {
			t.Errorf("Pad(%q, 6) = %q, want %q", in, got, want)
		}
	}
}
