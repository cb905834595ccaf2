package led_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/gpio/gpiotest"

	"homebot/internal/event"
	"homebot/internal/led"
	"homebot/internal/led/ledtest"
	"homebot/internal/phrases"
)

func TestPinsConform(t *testing.T) {
	mine := &ledtest.Pin{}
	t.Run("ledtest", func(t *testing.T) { ledtest.TestPin(t, mine, mine.High) })
	theirs := &gpiotest.Pin{N: "GPIO17", Num: 17, Fn: "Out"}
	t.Run("gpiotest", func(t *testing.T) { ledtest.TestPin(t, theirs, func() bool { return bool(theirs.L) }) })
}

// follow runs a bus and the light on it until the test ends.
func follow(t *testing.T, initial event.State, light *led.Light) *event.Bus {
	t.Helper()
	bus := event.NewBus(initial)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = bus.Run(ctx) })
	running.Go(func() {
		if err := light.Run(ctx, bus); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(func() { cancel(); running.Wait() })
	synctest.Wait()
	return bus
}

// setMode publishes that a mode (or none) is active, as the turn in progress does.
func setMode(bus *event.Bus, m *event.Mode) {
	bus.Update(func(s *event.State) { s.Mode = m }, event.ModeSwitched, nil)
	synctest.Wait()
}

// R52: the light is on exactly while a mode is active, at start too; V4: nothing
// else moves it.
func TestLightFollowsTheMode(t *testing.T) {
	for _, activeLow := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			pin := &ledtest.Pin{}
			lit := func() bool { return pin.High() != activeLow }
			bus := follow(t, event.State{Mode: &event.Mode{ID: "cooking"}}, led.New("GPIO17", pin, activeLow))
			if !lit() || len(pin.Levels()) == 0 {
				t.Fatalf("active low %v: dark at start although a mode is active", activeLow)
			}
			for _, d := range []event.DialogueState{event.Listening, event.Muted, event.Ringing} {
				bus.Update(func(s *event.State) { s.Dialogue = d }, event.StateChanged, nil)
				if synctest.Wait(); !lit() {
					t.Errorf("active low %v: the dialogue state %s switched the mode light off", activeLow, d)
				}
			}
			setMode(bus, nil)
			if lit() {
				t.Errorf("active low %v: lit without a mode", activeLow)
			}
			setMode(bus, &event.Mode{ID: "cooking"})
			if !lit() {
				t.Errorf("active low %v: dark in a mode", activeLow)
			}
		})
	}
}

// R52: a light that starts without a mode is switched off, not left as it was.
func TestLightIsSwitchedOffAtStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pin := &ledtest.Pin{}
		follow(t, event.State{}, led.New("GPIO17", pin, false))
		if got := pin.Levels(); len(got) == 0 || got[0] {
			t.Errorf("levels written at start: %v, want low", got)
		}
	})
}

// R11, R52: from one mode to another the light does not blink.
func TestLightDoesNotBlinkOnSwitch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pin := &ledtest.Pin{}
		bus := follow(t, event.State{Mode: &event.Mode{ID: "cooking"}}, led.New("GPIO17", pin, false))
		setMode(bus, &event.Mode{ID: "study"})
		for i, high := range pin.Levels() {
			if !high {
				t.Errorf("write %d is low", i)
			}
		}
	})
}

// R52: watchers see the light as it is driven.
func TestLightIsPublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := follow(t, event.State{}, led.New("GPIO17", &ledtest.Pin{}, false))
		if got, want := bus.Snapshot().Light, (event.Light{Pin: "GPIO17", Present: true}); got != want {
			t.Errorf("at start %+v, want %+v", got, want)
		}
		_, events := bus.Watch(t.Context(), 8)
		setMode(bus, &event.Mode{ID: "cooking"})
		if e := <-events; e.Kind != event.ModeSwitched {
			t.Fatalf("first event %s", e.Kind)
		}
		if e := <-events; e.Kind != event.LightChanged || !e.State.Light.On || !e.State.Light.Present {
			t.Errorf("second event %s with light %+v, want light, on and present", e.Kind, e.State.Light)
		}
		bus.Publish(event.BargedIn, nil)
		synctest.Wait()
		if e := <-events; e.Kind != event.BargedIn {
			t.Errorf("third event %s", e.Kind)
		}
		select {
		case e := <-events:
			t.Errorf("the light announced itself without news: %+v", e)
		default:
		}
	})
}

// A light that cannot be driven is logged once, never stops the device, and is
// back as soon as it can be driven.
func TestBrokenLightRecovers(t *testing.T) {
	var logged bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, nil)))
	defer slog.SetDefault(before)
	synctest.Test(t, func(t *testing.T) {
		pin := &ledtest.Pin{}
		pin.Fail(errors.New("device busy"))
		bus := follow(t, event.State{Mode: &event.Mode{ID: "cooking"}}, led.New("GPIO17", pin, false))
		bus.Publish(event.BargedIn, nil)
		synctest.Wait()
		if got := bus.Snapshot().Light; got.Present || !got.On {
			t.Errorf("while it fails: %+v, want not present, on", got)
		}
		if pin.Closed() != 2 {
			t.Errorf("the line was released %d times, want after each failure", pin.Closed())
		}
		pin.Fail(nil)
		bus.Publish(event.BargedIn, nil)
		synctest.Wait()
		if got := bus.Snapshot().Light; !got.Present || !pin.High() {
			t.Errorf("afterwards: %+v, pin high %v; want present and high", got, pin.High())
		}
	})
	if n := strings.Count(logged.String(), "cannot be driven"); n != 1 {
		t.Errorf("logged %d times, want once: %s", n, logged.String())
	}
}

// "Not on this host" is an error the caller can tell apart, and the light that
// comes with it works: it exists in the state only.
func TestOpenWithoutThePin(t *testing.T) {
	light, err := led.Open("GPIO-none", false)
	if !errors.Is(err, led.ErrNoPin) || !strings.Contains(err.Error(), "mode_pin") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line with ErrNoPin and the way out", err)
	}
	if zh := phrases.Told(err, phrases.Chinese); !strings.HasPrefix(zh, "本机没有这个 GPIO 引脚：GPIO-none") {
		t.Errorf("in Chinese %q", zh)
	}
	synctest.Test(t, func(t *testing.T) {
		bus := follow(t, event.State{Mode: &event.Mode{ID: "cooking"}}, light)
		if got, want := bus.Snapshot().Light, (event.Light{Pin: "GPIO-none", On: true}); got != want {
			t.Errorf("light %+v, want %+v", got, want)
		}
	})
	if err := light.Halt(); err != nil {
		t.Errorf("Halt: %v", err)
	}
}

func TestOpenNoLightWanted(t *testing.T) {
	light, err := led.Open("", false)
	if err != nil || light.Set(true) != nil {
		t.Errorf("a light nobody wants: %v", err)
	}
}

// Open finds a pin by its name and drives it, with gpiotest as the chip.
func TestOpenByName(t *testing.T) {
	pin := &gpiotest.Pin{N: "HOMEBOT-TEST17", Num: 917, Fn: "Out"}
	if err := gpioreg.Register(pin); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = gpioreg.Unregister(pin.N) }()
	light, err := led.Open(pin.N, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range []bool{true, false} {
		if err := light.Set(on); err != nil || bool(pin.L) == on {
			t.Errorf("Set(%v) on an active-low light: level %s, %v", on, pin.L, err)
		}
	}
	_ = light.Set(true)
	if err := light.Halt(); err != nil || pin.L {
		t.Errorf("Halt: %v, level %s; the light must stay as it was", err, pin.L)
	}
}
