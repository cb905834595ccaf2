package led

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"homebot/internal/phrases"
)

// ledDevice is an LED that the kernel drives (/sys/class/leds/NAME). Its trigger,
// on a Pi the activity of the card, is put back by Halt.
type ledDevice struct {
	dir     string
	full    []byte // what brightness takes for on
	trigger string // what switched it before
	before  []byte // how bright it was
}

// openLED takes the LED over. Without the right to do so it is left as it was.
func openLED(dir string) (Lamp, error) {
	d := &ledDevice{dir: dir, full: []byte("1")}
	triggers, err := os.ReadFile(d.file("trigger"))
	if err != nil {
		return nil, phrases.Errorf(phrases.Because, ErrNoLamp, err)
	}
	d.trigger = activeTrigger(string(triggers))
	if most, err := os.ReadFile(d.file("max_brightness")); err == nil {
		d.full = bytes.TrimSpace(most)
	}
	if d.before, err = os.ReadFile(d.file("brightness")); err != nil {
		return nil, phrases.Errorf(phrases.Because, ErrNoLamp, err)
	}
	if err := d.write("trigger", []byte("none")); err != nil {
		return nil, phrases.Errorf(phrases.LEDDenied, ErrNoLamp, err)
	}
	if err := d.Set(false); err != nil {
		return nil, errors.Join(phrases.Errorf(phrases.Because, ErrNoLamp, err), d.Halt())
	}
	return d, nil
}

// activeTrigger is the word in brackets of "none kbd-scrolllock [mmc0] timer".
func activeTrigger(all string) string {
	_, rest, _ := strings.Cut(all, "[")
	name, _, ok := strings.Cut(rest, "]")
	if !ok {
		return "none"
	}
	return name
}

// Set switches it.
func (d *ledDevice) Set(on bool) error {
	if on {
		return d.write("brightness", d.full)
	}
	return d.write("brightness", []byte("0"))
}

// Halt lets go: it does again what it did before.
func (d *ledDevice) Halt() error {
	if d.trigger == "none" {
		return d.write("brightness", bytes.TrimSpace(d.before))
	}
	return d.write("trigger", []byte(d.trigger))
}

func (d *ledDevice) file(name string) string { return filepath.Join(d.dir, name) }

// write writes an attribute, without making a file where there is none.
func (d *ledDevice) write(name string, data []byte) error {
	f, err := os.OpenFile(d.file(name), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
