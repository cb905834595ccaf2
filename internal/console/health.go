package console

import (
	"net/http"
	"slices"

	"homebot/internal/event"
	"homebot/voice"
)

// deafening are the faults with which nothing is heard.
var deafening = []string{voice.FaultMicrophone, voice.FaultEars}

// hears reports whether somebody who says the wake phrase now would be heard: the
// microphone and the recogniser work, and nobody switched it off.
func (c *Console) hears(s event.State) bool {
	deaf := slices.ContainsFunc(s.Faults, func(f event.Fault) bool { return slices.Contains(deafening, f.Code) })
	return c.Device != nil && !deaf && !s.Muted && s.Dialogue != event.Muted
}

// getHealth is 200 only when the device could really hear (V8). It tells codes
// and the device's own sentences, no words of anybody.
func (c *Console) getHealth(w http.ResponseWriter, _ *http.Request) error {
	s := c.Bus.Snapshot()
	status := http.StatusOK
	ok := c.hears(s)
	if !ok {
		status = http.StatusServiceUnavailable
	}
	faults := s.Faults
	if faults == nil {
		faults = []event.Fault{}
	}
	reply(w, status, map[string]any{"ok": ok, "dialogue_state": s.Dialogue, "muted": s.Muted, "sound": c.Device != nil, "faults": faults})
	return nil
}
