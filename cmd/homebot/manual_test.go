package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"homebot/internal/led"
	"homebot/internal/phrases"
)

// V4: the manuals of the appliance have every signal of the state light, with what
// it means, and those of the faults with their flashes.
func TestManualsHaveTheLightCodes(t *testing.T) {
	for lang, file := range map[string]string{phrases.English: "README.md", phrases.Chinese: "README.zh.md"} {
		data, err := os.ReadFile("../../deploy/pi/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range led.Signals() {
			row := "| " + s.Means.In(lang) + " |"
			if f := flashesOf(s); f != "" {
				row = "| " + f + " " + row
			}
			if !strings.Contains(string(data), row) {
				t.Errorf("%s has no row for %s: %s", file, s.Name, row)
			}
		}
	}
}

// flashesOf a signal that is counted: a short flash, a long one.
func flashesOf(s led.Signal) string {
	last := s.Steps[len(s.Steps)-1]
	if last.On || last.For != 1500*time.Millisecond {
		return ""
	}
	var all []string
	for _, step := range s.Steps {
		switch {
		case step.On && step.For > 500*time.Millisecond:
			all = append(all, "━")
		case step.On:
			all = append(all, "●")
		}
	}
	return strings.Join(all, " ")
}

// What the manual shows is there: pictures, and the pins in them are those of the
// text.
func TestManualsPictures(t *testing.T) {
	for _, file := range []string{"README.md", "README.zh.md"} {
		data, err := os.ReadFile("../../deploy/pi/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`!\[[^]]+\]\(([^)]+)\)`).FindAllStringSubmatch(string(data), -1) {
			if picture, err := os.ReadFile("../../deploy/pi/" + m[1]); err != nil || !strings.HasPrefix(string(picture), "<svg") {
				t.Errorf("%s: %s %v", file, m[1], err)
			}
		}
	}
	pins, err := os.ReadFile("../../deploy/pi/wiring/pins.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"GPIO17", "GPIO5", "GPIO6"} {
		if !strings.Contains(string(pins), ">"+name+"<") {
			t.Errorf("pins.svg has no %s", name)
		}
	}
}
