package led_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpiotest"

	"homebot/internal/led"
)

// finger is a push button under test.
type finger struct {
	pin     *gpiotest.Pin
	presses int
}

// hold runs a button on f's pin until the test's stop.
func hold(t *testing.T, in led.Input, press func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if err := led.NewButton("GPIO5", in, press, nil).Run(ctx); err != nil {
			t.Error(err)
		}
	})
	synctest.Wait()
	return func() { cancel(); all.Wait() }
}

func (f *finger) goes(levels ...gpio.Level) {
	for _, l := range levels {
		f.pin.EdgesChan <- l
		time.Sleep(2 * time.Millisecond) // contacts bounce
	}
	time.Sleep(200 * time.Millisecond)
	synctest.Wait() // what it did is seen from here
}

// One press counts once, however the contacts bounce; the release does nothing,
// nor does a click too short to be a finger's, or a button held at the start.
func TestButton(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &finger{pin: &gpiotest.Pin{N: "GPIO5", EdgesChan: make(chan gpio.Level)}}
		stop := hold(t, f.pin, func(context.Context) error { f.presses++; return errors.New("logged only") })
		if f.pin.P != gpio.PullUp {
			t.Errorf("pull %v, want up", f.pin.P)
		}
		const hi, lo = gpio.High, gpio.Low
		for i, tt := range []struct {
			levels []gpio.Level
			want   int
		}{
			{[]gpio.Level{lo}, 1},
			{[]gpio.Level{hi}, 1},
			{[]gpio.Level{lo, hi, lo, hi, lo}, 2},
			{[]gpio.Level{hi, lo, hi}, 2},
			{[]gpio.Level{lo, hi}, 2},
			{[]gpio.Level{lo}, 3},
		} {
			if f.goes(tt.levels...); f.presses != tt.want {
				t.Errorf("step %d, %v: %d presses, want %d", i, tt.levels, f.presses, tt.want)
			}
		}
		stop()
	})
}

// brokenInput cannot be taken at first.
type brokenInput struct {
	*gpiotest.Pin
	tries, closed int
}

func (b *brokenInput) In(p gpio.Pull, e gpio.Edge) error {
	if b.tries++; b.tries < 3 {
		return errors.New("device or resource busy")
	}
	return b.Pin.In(p, e)
}

func (b *brokenInput) Close() { b.closed++ }

// A line that is busy is tried again, and given back.
func TestBusyButton(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &finger{pin: &gpiotest.Pin{N: "GPIO5", EdgesChan: make(chan gpio.Level)}}
		in := &brokenInput{Pin: f.pin}
		stop := hold(t, in, func(context.Context) error { f.presses++; return nil })
		time.Sleep(21 * time.Second)
		if f.goes(gpio.Low); f.presses != 1 || in.tries != 3 {
			t.Errorf("%d presses after %d tries", f.presses, in.tries)
		}
		stop()
		if in.closed == 0 {
			t.Error("the line was not given back")
		}
	})
}

// Without the line there is one error, and nothing to press.
func TestNoButton(t *testing.T) {
	b, err := led.OpenButton("GPIO-none", "mute_pin", nil, nil)
	if !errors.Is(err, led.ErrNoPin) || b.Run(t.Context()) != nil {
		t.Errorf("%v", err)
	}
	if b, err := led.OpenButton("", "mute_pin", nil, nil); err != nil || b.Run(t.Context()) != nil {
		t.Errorf("none wanted: %v", err)
	}
}
