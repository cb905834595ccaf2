// Package led is what a board has beside sound: the mode light, on exactly while
// a run mode is active (R52) and for nothing else (V4); the state light, for turns,
// mute and faults; and push buttons.
//
// It drives a GPIO pin through the kernel's character device only (the gpioioctl
// driver of periph): the same way on every Pi, without /dev/mem. A host without
// the pin is no failure; the light then only exists in event.State. A pin is
// never read back: periph's Read turns an output into an input.
package led

import (
	"context"
	"log/slog"

	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	_ "periph.io/x/host/v3/gpioioctl" // the driver behind gpioreg.ByName

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// ErrNoPin: this host has no such pin, or no GPIO chip at all. Callers log it
// once and go on.
var ErrNoPin = phrases.Errorf(phrases.LEDNoPin)

// watchBuffer is ample: a light that lags needs only the newest state.
const watchBuffer = 16

// Pin is the part of periph's gpio.PinOut that a light needs. If it also has
// Close(), that releases the line.
type Pin interface {
	Out(gpio.Level) error
	Halt() error
}

// Light is one LED. One goroutine uses it (Run, or its caller).
type Light struct {
	name      string
	pin       Pin // nil: nothing to drive
	activeLow bool
	failing   bool // the last Set failed and was logged
}

// New returns the light behind p, which may be nil. name is shown in
// event.Light.Pin. activeLow means that a low level lights it.
func New(name string, p Pin, activeLow bool) *Light {
	return &Light{name: name, pin: p, activeLow: activeLow}
}

// Open finds the pin by the kernel's name for its line ("GPIO17"). The light is
// never nil: without the pin it drives nothing, and the error wraps ErrNoPin. An
// empty name means that no light is wanted; that is no error.
func Open(name string, activeLow bool) (*Light, error) {
	if name == "" {
		return New("", nil, activeLow), nil
	}
	pin, err := openPin(name, "mode_pin")
	if err != nil {
		return New(name, nil, activeLow), err
	}
	return New(name, pin, activeLow), nil
}

// openPin finds a line by the kernel's name; key is the one of [led] it is from.
func openPin(name, key string) (gpio.PinIO, error) {
	if _, err := driverreg.Init(); err != nil {
		return nil, phrases.Errorf(phrases.LEDNoDriver, ErrNoPin, name, err)
	}
	pin := gpioreg.ByName(name)
	if pin == nil {
		return nil, phrases.Errorf(phrases.LEDNoLine, ErrNoPin, name, key)
	}
	return pin, nil
}

// Set switches the light. Without a pin it does nothing. After an error the line
// is released, so that the next Set begins from scratch.
func (l *Light) Set(on bool) error {
	if l.pin == nil {
		return nil
	}
	if err := l.pin.Out(gpio.Level(on != l.activeLow)); err != nil {
		l.release()
		return phrases.Errorf(phrases.LEDNotDriven, l.name, err)
	}
	return nil
}

// Halt gives the pin back. It does not switch the light off: whether a mode is
// active does not depend on somebody driving the light.
func (l *Light) Halt() error {
	if l.pin == nil {
		return nil
	}
	err := l.pin.Halt()
	l.release()
	if err != nil {
		return phrases.Errorf(phrases.LEDNotDriven, l.name, err)
	}
	return nil
}

// Run makes the light follow the active mode until ctx or the bus ends, and
// publishes LightChanged whenever State.Light changes. The level is written
// again with every event, so a light that was lost comes back. A light that
// cannot be driven never stops the device: that is logged once, State.Light says
// it is not present, and it is tried again with the next event.
func (l *Light) Run(ctx context.Context, bus *event.Bus) error {
	state, events := bus.Watch(ctx, watchBuffer)
	l.show(bus, state)
	for e := range events {
		if e.Kind != event.LightChanged || e.Lost > 0 {
			l.show(bus, e.State)
		}
	}
	return nil
}

// show derives the light from s and tells the bus if that is news.
func (l *Light) show(bus *event.Bus, s event.State) {
	on := s.Mode != nil
	err := l.Set(on)
	if err != nil && !l.failing {
		slog.Warn("mode light cannot be driven", "err", err)
	}
	l.failing = err != nil
	now := event.Light{Pin: l.name, Present: l.pin != nil && err == nil, On: on}
	if now != bus.Snapshot().Light {
		bus.Update(func(s *event.State) { s.Light = now }, event.LightChanged, nil)
	}
}

// release closes the line where the pin can do that. periph's line believes to
// be an output even when the kernel refused it, and only Close undoes this.
func (l *Light) release() {
	if c, ok := l.pin.(interface{ Close() }); ok {
		c.Close()
	}
}
