// Package ledtest holds a pin in memory and the test that every led.Pin passes,
// the one in memory like the one of a real chip.
package ledtest

import (
	"slices"
	"sync"
	"testing"

	"periph.io/x/conn/v3/gpio"

	"homebot/internal/led"
)

// Pin is a pin in memory that remembers what was written to it. The zero value
// is ready; it may be used from several goroutines.
type Pin struct {
	mu     sync.Mutex
	levels []bool
	fail   error
	closed int
}

var _ led.Pin = (*Pin)(nil)

// Out writes a level, or returns what Fail set.
func (p *Pin) Out(level gpio.Level) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fail != nil {
		return p.fail
	}
	p.levels = append(p.levels, bool(level))
	return nil
}

// Halt does nothing.
func (p *Pin) Halt() error { return nil }

// Close counts how often the line was released.
func (p *Pin) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed++
}

// Fail makes every Out fail with err until Fail(nil).
func (p *Pin) Fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail = err
}

// Levels returns every level written so far, high as true.
func (p *Pin) Levels() []bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.levels)
}

// High reports the last level written; false before the first.
func (p *Pin) High() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.levels) > 0 && p.levels[len(p.levels)-1]
}

// Closed returns how often the line was released.
func (p *Pin) Closed() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// TestPin drives p and checks the level that high sees: in memory, or with the
// kernel's own eyes (never through the pin's Read).
func TestPin(t *testing.T, p led.Pin, high func() bool) {
	t.Helper()
	for i, want := range []gpio.Level{gpio.High, gpio.High, gpio.Low, gpio.Low, gpio.High, gpio.Low} {
		if err := p.Out(want); err != nil {
			t.Fatalf("write %d: Out(%s): %v", i, want, err)
		}
		if high() != bool(want) {
			t.Errorf("write %d: the level is not %s", i, want)
		}
	}
	if err := p.Halt(); err != nil {
		t.Errorf("Halt: %v", err)
	}
	if err := p.Out(gpio.High); err != nil || !high() {
		t.Errorf("after Halt: Out(High): %v, high %v; a pin can be taken up again", err, high())
	}
}
