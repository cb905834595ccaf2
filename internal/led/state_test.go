package led_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio/gpiotest"

	"homebot/internal/event"
	"homebot/internal/led"
	"homebot/internal/led/ledtest"
	"homebot/internal/phrases"
)

// V4: a lamp in memory, a GPIO line and an LED of the kernel behave alike.
func TestLampsConform(t *testing.T) {
	mine := &ledtest.Lamp{}
	t.Run("ledtest", func(t *testing.T) { ledtest.TestLamp(t, mine, mine.Lit) })
	pin := &gpiotest.Pin{N: "GPIO27", Num: 27, Fn: "Out"}
	t.Run("gpio", func(t *testing.T) {
		ledtest.TestLamp(t, led.New("GPIO27", pin, false), func() bool { return bool(pin.L) })
	})
	root := ledtest.Board(t, "Raspberry Pi 4 Model B Rev 1.4", "ACT")
	kernels, err := led.OpenLamp("/sys/class/leds/ACT", root)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("sysfs", func(t *testing.T) {
		ledtest.TestLamp(t, kernels, func() bool { return read(t, root, "ACT/brightness") == "255" })
	})
	if got := read(t, root, "ACT/trigger"); got != "mmc0" {
		t.Errorf("afterwards the trigger is %q, want what it was", got)
	}
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "sys/class/leds", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(data))
}

// V4: the board's own green LED is the default on a Raspberry Pi, under each name
// it has had; elsewhere there is none, and none is no error.
func TestBoardLamp(t *testing.T) {
	for _, tt := range []struct {
		model string
		leds  []string
		want  string // the LED taken; "" none
		err   bool
	}{
		{"Raspberry Pi 3 Model B Rev 1.2", []string{"default-on", "mmc0", "ACT", "PWR"}, "ACT", false},
		{"Raspberry Pi Zero 2 W Rev 1.0", []string{"led0", "led1"}, "led0", false},
		{"Raspberry Pi 5 Model B Rev 1.0", []string{"green:activity", "PWR"}, "green:activity", false},
		{"Raspberry Pi 4 Model B", []string{"PWR"}, "", true},
		{"QEMU virt", []string{"ACT"}, "", false},
	} {
		root := ledtest.Board(t, tt.model, tt.leds...)
		lamp, err := led.OpenLamp(led.AutoLamp, root)
		if (err != nil) != tt.err || err != nil && (!errors.Is(err, led.ErrNoLamp) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v", tt.model, err)
		}
		if (lamp != nil) != (tt.want != "") {
			t.Errorf("%s: lamp %v", tt.model, lamp)
		}
		for _, name := range tt.leds {
			if took := read(t, root, name+"/trigger") == "none"; took != (name == tt.want) {
				t.Errorf("%s: %s taken: %v", tt.model, name, took)
			}
		}
	}
}

// V4: an LED that is not there, or may not be switched, is one error that says the
// way out, and nothing is left half taken.
func TestLampRefused(t *testing.T) {
	root := ledtest.Board(t, "Raspberry Pi 4", "ACT")
	for _, name := range []string{"/sys/class/leds/PWR", "GPIO-none"} {
		lamp, err := led.OpenLamp(name, root)
		if lamp != nil || !errors.Is(err, led.ErrNoLamp) && !errors.Is(err, led.ErrNoPin) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v %v", name, lamp, err)
		}
		if zh := phrases.Told(err, phrases.Chinese); !strings.HasPrefix(zh, "本机没有这个 ") {
			t.Errorf("%s: in Chinese %q", name, zh)
		}
	}
	if os.Geteuid() == 0 {
		t.Log("root may write everything: the refusal itself is not shown")
	} else if err := os.Chmod(filepath.Join(root, "sys/class/leds/ACT/trigger"), 0o400); err != nil {
		t.Fatal(err)
	} else if _, err := led.OpenLamp("auto", root); !errors.Is(err, led.ErrNoLamp) {
		t.Errorf("read-only: %v", err)
	}
	if lamp, err := led.OpenLamp("", root); lamp != nil || err != nil {
		t.Errorf("none wanted: %v %v", lamp, err)
	}
}

// glow runs a bus and the state light on it.
func glow(t *testing.T, lamp led.Lamp, log *slog.Logger) (bus *event.Bus, stop func()) {
	bus = event.NewBus(event.State{})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = bus.Run(ctx) })
	running.Go(func() { _ = led.NewStateLight(lamp, log).Run(ctx, bus) })
	synctest.Wait()
	return bus, func() { cancel(); running.Wait() }
}

func wrong(codes ...string) (all []event.Fault) {
	for _, c := range codes {
		all = append(all, event.Fault{Code: c})
	}
	return all
}

// V4: each state has its own pattern, to the millisecond; a person's own doing is
// shown before faults, mute and faults before idle, deafness before other faults.
func TestStateLightShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lamp := &ledtest.Lamp{}
		bus, stop := glow(t, lamp, nil)
		lamp.Shown()
		for _, tt := range []struct {
			name  string
			state event.State
			for_  time.Duration
			want  string
		}{
			{"idle", event.State{Dialogue: event.Idle}, 10100 * time.Millisecond, "+40 -9960 +40 -60"},
			{"listening", event.State{Dialogue: event.Listening}, 5 * time.Second, "+5000"},
			{"thinking", event.State{Dialogue: event.Thinking}, 1200 * time.Millisecond, "+300 -300 +300 -300"},
			{"speaking", event.State{Dialogue: event.Speaking}, 2 * time.Second, "+900 -100 +900 -100"},
			{"no microphone", event.State{Dialogue: event.Idle, Faults: wrong("microphone")}, 2500 * time.Millisecond, "+250 -250 +250 -1500 +250"},
			{"listening all the same", event.State{Dialogue: event.Listening, Faults: wrong("network")}, time.Second, "+1000"},
			{"no network", event.State{Dialogue: event.Idle, Faults: wrong("network")}, 3250 * time.Millisecond, "+750 -250 +750 -1500"},
			{"deaf without a network", event.State{Dialogue: event.Idle, Faults: wrong("network", "ears")}, 2750 * time.Millisecond, "+250 -250 +250 -250 +250 -1500"},
			{"muted", event.State{Dialogue: event.Muted, Muted: true, Faults: wrong("microphone")}, 6 * time.Second, "+2700 -300 +2700 -300"},
			{"muted, said", event.State{Dialogue: event.Idle, Muted: true}, 3 * time.Second, "+2700 -300"},
			{"alarm over all", event.State{Dialogue: event.Ringing, Muted: true, Faults: wrong("disk")}, 400 * time.Millisecond, "+100 -100 +100 -100"},
			{"wrong configuration", event.State{Dialogue: event.Idle, Faults: wrong("clock", "config")}, 3 * time.Second, "+750 -250 +250 -1500 +250"},
			{"a fault of the future", event.State{Dialogue: event.Idle, Faults: wrong("flood")}, 2 * time.Second, "+250 -1500 +250"},
		} {
			bus.Update(func(s *event.State) { s.Dialogue = event.Idle; s.Muted, s.Faults = false, wrong("update") }, event.StateChanged, nil)
			time.Sleep(1500 * time.Millisecond) // dark: half a second of update is left
			lamp.Shown()
			bus.Update(func(s *event.State) { *s = tt.state }, event.StateChanged, nil)
			synctest.Wait()
			time.Sleep(tt.for_)
			if got := lamp.Shown(); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
		}
		bus.Update(func(s *event.State) { *s = event.State{Dialogue: event.Listening} }, event.StateChanged, nil)
		synctest.Wait()
		stop()
		if lamp.Lit() || !lamp.Halted() {
			t.Error("at the end it is not dark and given back")
		}
	})
}

// V4, V8: no pattern is another's, and none of deafness looks like all is well.
func TestSignalsDiffer(t *testing.T) {
	seen, names := map[string]string{}, map[string]bool{}
	for _, s := range led.Signals() {
		p := fmt.Sprint(s.Steps)
		if other := seen[p]; other != "" {
			t.Errorf("%s looks like %s: %s", s.Name, other, p)
		}
		seen[p], names[s.Name] = s.Name, true
		if s.Means == (phrases.Phrase{}) {
			t.Errorf("%s means nothing", s.Name)
		}
	}
	for _, name := range []string{"idle", "listening", "thinking", "speaking", "ringing", "muted", "microphone", "ears", "voice", "network", "llm", "disk", "clock", "config", "update", "remote_ears"} {
		if !names[name] {
			t.Errorf("%s has no pattern", name)
		}
	}
}

// V4: docs/LIGHT.md has the table as it is in the program.
func TestManualHasTheTable(t *testing.T) {
	data, err := os.ReadFile("../../docs/LIGHT.md")
	if err != nil {
		t.Fatal(err)
	}
	spaces := regexp.MustCompile(` +`)
	doc := spaces.ReplaceAllString(string(data), " ")
	for _, s := range led.Signals() {
		line := fmt.Sprintf("| `%s` | %s | %s | %s |", s.Name, s.Pattern(phrases.English), s.Means.EN, s.Means.ZH)
		if !strings.Contains(doc, line) {
			t.Errorf("docs/LIGHT.md lacks the line\n%s", line)
		}
	}
}

// V4: a light that cannot be driven is logged once, stops nothing, and is back
// with the next step that works.
func TestBrokenStateLight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		lamp := &ledtest.Lamp{}
		lamp.Fail(errors.New("read-only file system"))
		bus, stop := glow(t, lamp, slog.New(slog.NewTextHandler(&log, nil)))
		bus.Update(func(s *event.State) { s.Faults = wrong("disk") }, event.StateChanged, nil)
		time.Sleep(time.Minute)
		lamp.Fail(nil)
		time.Sleep(10 * time.Second)
		if got := lamp.Shown(); strings.Count(got, "+750") < 2 {
			t.Errorf("afterwards it shows %s", got)
		}
		stop()
		if n := strings.Count(log.String(), "\n"); n != 1 {
			t.Errorf("%d lines of log:\n%s", n, &log)
		}
	})
}
