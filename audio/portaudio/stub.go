//go:build !cgo

package portaudio

import (
	"homebot/audio"
	"homebot/audio/child"
	"homebot/internal/phrases"
)

// Built reports whether this program has sound at all.
const Built = false

// Driver of a program built without cgo has no sound and says so.
type Driver struct{}

var errNoSound = phrases.Errorf(phrases.SoundNotBuilt, audio.ErrNoDevice)

// Devices always fails.
func (*Driver) Devices() ([]child.Device, error) { return nil, errNoSound }

// OpenInput always fails.
func (*Driver) OpenInput(string, int) (child.Input, child.Ready, error) {
	return nil, child.Ready{}, errNoSound
}

// OpenOutput always fails.
func (*Driver) OpenOutput(string, int) (child.Output, child.Ready, error) {
	return nil, child.Ready{}, errNoSound
}
