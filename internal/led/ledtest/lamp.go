package ledtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"homebot/internal/led"
)

// Lamp is a light in memory that remembers what it showed, and when. The zero
// value is ready; it may be used from several goroutines.
type Lamp struct {
	mu     sync.Mutex
	on     bool
	since  time.Time
	shown  []string
	halted bool
	fail   error
}

var _ led.Lamp = (*Lamp)(nil)

// Set switches it, or returns what Fail set.
func (l *Lamp) Set(on bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		return l.fail
	}
	if l.since.IsZero() {
		l.since = time.Now()
	}
	if on != l.on {
		l.note()
		l.on, l.since = on, time.Now()
	}
	return nil
}

func (l *Lamp) note() {
	sign := map[bool]string{true: "+", false: "-"}[l.on]
	if d := time.Since(l.since); d > 0 {
		l.shown = append(l.shown, fmt.Sprint(sign, d.Milliseconds()))
	}
}

// Halt gives it back.
func (l *Lamp) Halt() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.halted = true
	return nil
}

// Fail makes every Set fail with err until Fail(nil).
func (l *Lamp) Fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail = err
}

// Shown is what it has shown since the last call, "+" for lit and "-" for dark
// with milliseconds: "+250 -250 +250 -1500".
func (l *Lamp) Shown() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note()
	l.since = time.Now()
	s := strings.Join(l.shown, " ")
	l.shown = nil
	return s
}

// Lit and Halted tell how it is now.
func (l *Lamp) Lit() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.on
}

// Halted reports whether Halt was called.
func (l *Lamp) Halted() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.halted
}

// TestLamp drives l and checks what lit sees, in memory or at the kernel's end.
func TestLamp(t *testing.T, l led.Lamp, lit func() bool) {
	t.Helper()
	for i, on := range []bool{true, true, false, false, true, false} {
		if err := l.Set(on); err != nil {
			t.Fatalf("step %d: Set(%v): %v", i, on, err)
		}
		if lit() != on {
			t.Errorf("step %d: lit is %v, want %v", i, lit(), on)
		}
	}
	if err := l.Halt(); err != nil {
		t.Errorf("Halt: %v", err)
	}
}

// Board makes a root with a Raspberry Pi's device tree and the LEDs named, each
// with the trigger mmc0, and returns it.
func Board(t testing.TB, model string, leds ...string) string {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{"proc/device-tree/model": model + "\x00"}
	for _, name := range leds {
		dir := "sys/class/leds/" + name + "/"
		files[dir+"trigger"] = "none kbd-scrolllock [mmc0] timer\n"
		files[dir+"brightness"] = "0\n"
		files[dir+"max_brightness"] = "255\n"
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
