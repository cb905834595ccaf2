package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The services that run all the time are locked up: systemd's own measure, 0 to 10,
// is at most 2.0 for each.
func TestServicesAreLockedUp(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed (apt-get install systemd)")
	}
	units := "../../deploy/pi/overlay/usr/lib/systemd/system"
	for _, name := range []string{"homebot", "homebot-speech", "homebot-sound", "homebot-sound-routes"} {
		out, err := exec.Command(analyze, "security", "--offline=yes", "--threshold=20", "--no-pager", filepath.Join(units, name+".service")).CombinedOutput()
		if strings.Contains(string(out), "unrecognized option") {
			t.Skip("this systemd-analyze cannot look at files")
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if err != nil {
			t.Errorf("%s: %v, %s", name, err, lines[len(lines)-1])
		}
	}
}
