package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"homebot/internal/engine"
)

// held matches the kernel's word on a line that a process drives: who, how.
var held = regexp.MustCompile(`\(GPIO17 *\|(\S+) *\) (in|out) +(hi|lo)`)

// lightLevel is what the kernel said about the mode light after a step of init:
// "hi", "lo", or "" when no process drives the line.
func lightLevel(r report, step string) string {
	for _, said := range r["light"] {
		if rest, ok := strings.CutPrefix(said, step+" "); ok {
			if m := held.FindStringSubmatch(rest); m != nil && strings.HasPrefix(m[1], "homebot") && m[2] == "out" {
				return m[3]
			}
			return ""
		}
	}
	return "no such step"
}

// The light in a real kernel: the arm64 program as it ships, with its libraries,
// on an emulated Raspberry Pi 3 with Debian's kernel, which is asked itself.
//
// R52: lit exactly while a mode is active, dark before and after, and lit again
// when a killed process is started again. V4: nothing else drives the pin. S4:
// the light is driven by whoever holds the lock, a chat on its own too.
func TestLightOnARaspberryPi(t *testing.T) {
	a := newArchive(t, "testdata/pi/init", "homebot")
	// The console is the second serial port: the first is the Bluetooth chip's. One
	// core, because the others would spin until the kernel fetches them (half of
	// the host's time was spent on that).
	pi := a.boot("ttyS1,115200", "-M", "raspi3b", "-global", "bcm2837.enabled-cpus=1",
		"-dtb", a.match("usr/lib/linux-image-*/broadcom/bcm2837-rpi-3-b.dtb"), "-serial", "null")
	for _, c := range []struct{ step, want, why string }{
		{"ready", "lo", "no mode is active at the first start"},
		{"entered", "hi", "a mode was entered on the text channel"},
		{"killed", "", "nobody drives the line after kill -9"},
		{"restarted", "hi", "the mode is still active after a restart"},
		{"left", "lo", "the mode was left"},
		{"alone", "hi", "a mode was entered in a chat that runs the engine itself"},
	} {
		if got := lightLevel(pi, c.step); got != c.want {
			t.Errorf("%s: the kernel says %q, want %q: %s", c.step, got, c.want, c.why)
		}
	}
	var switches []string
	for _, said := range pi["said"] {
		var o engine.Outcome
		if err := json.Unmarshal([]byte(said), &o); err != nil {
			t.Fatalf("chat printed %q: %v", said, err)
		}
		for _, s := range o.Switch {
			switches = append(switches, fmt.Sprint(s.Action, " ", s.ModeID, " ", s.Accepted))
		}
	}
	if got, want := strings.Join(switches, ", "), "enter cooking true, exit cooking true, enter cooking true"; got != want {
		t.Errorf("switches %q, want %q", got, want)
	}
	if t.Failed() {
		t.Log(pi)
	}
}
