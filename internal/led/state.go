package led

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// ErrNoLamp: this host has no such LED, or this user may not switch it. Callers
// log it once and go on.
var ErrNoLamp = phrases.Errorf(phrases.LEDNoLamp)

// lampDir is where the kernel keeps its LEDs, below the root.
const lampDir = "sys/class/leds"

// AutoLamp is the name of the board's own LED on a Raspberry Pi, and of none
// elsewhere.
const AutoLamp = "auto"

// Lamp is one light that can be switched. Halt gives it back.
type Lamp interface {
	Set(on bool) error
	Halt() error
}

// StateLight is the second light: what the dialogue is doing, that it is muted,
// and what is wrong (V4). One goroutine uses it.
type StateLight struct {
	lamp    Lamp // nil: nothing to drive
	log     *slog.Logger
	failing bool
}

// NewStateLight returns the light behind lamp, which may be nil.
func NewStateLight(lamp Lamp, log *slog.Logger) *StateLight {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &StateLight{lamp: lamp, log: log}
}

// OpenLamp finds the state light by its name: AutoLamp, /sys/class/leds/NAME, or
// the kernel's name for a GPIO line. nil without an error: none is wanted, or
// AutoLamp on a machine that is no Raspberry Pi. root is "/" but in tests.
func OpenLamp(name, root string) (Lamp, error) {
	switch {
	case name == "":
		return nil, nil
	case name == AutoLamp:
		return boardLamp(root)
	case strings.HasPrefix(name, "/"):
		return openLED(filepath.Join(root, name))
	}
	pin, err := openPin(name, "state")
	if err != nil {
		return nil, err
	}
	return New(name, pin, false), nil
}

// boardLamp is the green LED of a Raspberry Pi: "ACT" in Debian's and the
// foundation's device trees, "led0" in those before 2022; others at least have
// act in the name.
func boardLamp(root string) (Lamp, error) {
	model, err := os.ReadFile(filepath.Join(root, "proc/device-tree/model"))
	if err != nil || !strings.Contains(string(model), "Raspberry Pi") {
		return nil, nil
	}
	dir := filepath.Join(root, lampDir)
	all, err := os.ReadDir(dir)
	if err != nil {
		return nil, phrases.Errorf(phrases.Because, ErrNoLamp, err)
	}
	is := func(test func(string) bool) int {
		return slices.IndexFunc(all, func(e fs.DirEntry) bool { return test(strings.ToLower(e.Name())) })
	}
	for _, test := range []func(string) bool{
		func(s string) bool { return s == "act" },
		func(s string) bool { return s == "led0" },
		func(s string) bool { return strings.Contains(s, "act") },
	} {
		if i := is(test); i >= 0 {
			return openLED(filepath.Join(dir, all[i].Name()))
		}
	}
	return nil, phrases.Errorf(phrases.LEDNoBoardLamp, ErrNoLamp)
}

// Run shows the state until ctx or the bus ends; then the light is dark and given
// back. A light that cannot be driven is logged once and tried again with the
// next step: it never stops the device.
func (l *StateLight) Run(ctx context.Context, bus *event.Bus) error {
	if l.lamp == nil {
		return nil
	}
	defer l.end()
	state, events := bus.Watch(ctx, watchBuffer)
	signal, step := signalOf(state), 0
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-events:
			if !ok {
				return nil
			}
			if s := signalOf(e.State); s.Name != signal.Name {
				signal, step = s, 0
				next.Reset(0)
			}
		case <-next.C:
			s := signal.Steps[step]
			l.set(s.On)
			step = (step + 1) % len(signal.Steps)
			if s.For > 0 {
				next.Reset(s.For)
			}
		}
	}
}

func (l *StateLight) set(on bool) {
	err := l.lamp.Set(on)
	if err != nil && !l.failing {
		l.log.Warn("the state light cannot be driven", "err", err)
	}
	l.failing = err != nil
}

func (l *StateLight) end() {
	l.set(false)
	if err := l.lamp.Halt(); err != nil {
		l.log.Warn("the state light was not given back", "err", err)
	}
}
