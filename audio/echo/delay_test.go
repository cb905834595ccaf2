package echo

import (
	"testing"

	"homebot/audio"
)

// The delay of an echo 6 dB below somebody's voice is found to the sample in a
// second of sound; other speech is not taken for an echo.
func TestDelay(t *testing.T) {
	ref, near := shared(t, "jfk", audio.CaptureRate), shared(t, "negative_zh_1", audio.CaptureRate)
	m := newDelayMeter()
	for at := 0; at+measured <= min(len(ref), len(near)); at += measured / 2 {
		a, b := ref[at:at+measured], near[at:at+measured]
		if _, sure := m.measure(a, b, earliest, latest); sure >= certain {
			t.Errorf("at %d: other speech is an echo with %.1f", at, sure)
		}
		for _, delay := range []int{0, 1, 1000, 5000} {
			mix := make([]int16, measured)
			for i := range mix {
				mix[i] = b[i] / 2
				if i >= delay {
					mix[i] += a[i-delay] / 4
				}
			}
			if lag, sure := m.measure(a, mix, earliest, latest); sure >= certain && lag != delay {
				t.Errorf("at %d: %d for %d, with %.1f", at, lag, delay, sure)
			} else if sure < certain {
				t.Logf("at %d: %d is not found: %.1f", at, delay, sure)
			}
		}
	}
	if _, sure := m.measure(make([]int16, measured), near[:measured], earliest, latest); sure != 0 {
		t.Errorf("silence has an echo with %.1f", sure)
	}
}
