package led

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// How a button is read. Contacts of a push button bounce for some milliseconds;
// bounce is how long the level must rest, settle the longest wait for that.
const (
	bounce = 30 * time.Millisecond
	settle = 20 // times bounce
	// look is how long one wait for an edge takes, and with it the end of Run.
	look = time.Second
	// again is the pause before a line that cannot be read is tried again.
	again = 10 * time.Second
	// pressing bounds what a press does.
	pressing = 5 * time.Second
)

// Input is the part of periph's gpio.PinIn that a button needs. If it also has
// Close(), that releases the line.
type Input interface {
	In(pull gpio.Pull, edge gpio.Edge) error
	Read() gpio.Level
	WaitForEdge(timeout time.Duration) bool
}

// Button is a push button between a GPIO line and ground.
type Button struct {
	name  string
	input Input // nil: nothing to read
	press func(context.Context) error
	log   *slog.Logger
}

// NewButton returns the button behind in, which may be nil; press is called for
// each press, from Run's goroutine.
func NewButton(name string, in Input, press func(context.Context) error, log *slog.Logger) *Button {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Button{name: name, input: in, press: press, log: log}
}

// OpenButton finds the line by the kernel's name for it. The button is never nil:
// without the line it is never pressed, and the error wraps ErrNoPin. key is the
// one of [led] that names it. An empty name means that none is wanted.
func OpenButton(name, key string, press func(context.Context) error, log *slog.Logger) (*Button, error) {
	if name == "" {
		return NewButton("", nil, press, log), nil
	}
	pin, err := openPin(name, key)
	if err != nil {
		return NewButton(name, nil, press, log), err
	}
	return NewButton(name, pin, press, log), nil
}

// Run calls press for each press until ctx ends. A line that cannot be read is
// logged once and tried again.
func (b *Button) Run(ctx context.Context) error {
	if b.input == nil {
		return nil
	}
	defer b.release()
	told := false
	for ctx.Err() == nil {
		err := b.watch(ctx)
		if err == nil {
			continue
		}
		if !told {
			told = true
			b.log.Warn("a button cannot be read", "line", b.name, "err", err)
		}
		b.release()
		wait(ctx, again)
	}
	return nil
}

// watch takes the line and reads it until ctx ends (nil) or it fails.
func (b *Button) watch(ctx context.Context) error {
	if err := b.input.In(gpio.PullUp, gpio.BothEdges); err != nil {
		return err
	}
	down := b.input.Read() == gpio.Low // held at the start: no press
	for ctx.Err() == nil {
		began := time.Now()
		if !b.input.WaitForEdge(look) {
			if time.Since(began) < look/2 {
				return fmt.Errorf("no edges from %s", b.name)
			}
			continue
		}
		b.rest()
		was := down
		if down = b.input.Read() == gpio.Low; down && !was {
			b.pressed(ctx)
		}
	}
	return nil
}

// rest waits until the contacts do not bounce any more.
func (b *Button) rest() {
	for range settle {
		if !b.input.WaitForEdge(bounce) {
			return
		}
	}
}

func (b *Button) pressed(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pressing)
	defer cancel()
	b.log.Info("a button was pressed", "line", b.name)
	if err := b.press(ctx); err != nil && ctx.Err() == nil {
		b.log.Warn("a press did not do what it should", "line", b.name, "err", err)
	}
}

func (b *Button) release() {
	if c, ok := b.input.(interface{ Close() }); ok {
		c.Close()
	}
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
