//go:build !cgo

package portaudio

import (
	"fmt"

	"homebot/audio"
	"homebot/audio/child"
)

// Built reports whether this program has sound at all.
const Built = false

// Driver of a program built without cgo has no sound and says so.
type Driver struct{}

var errNoSound = fmt.Errorf("%w: built without sound (CGO_ENABLED=0): build it with cgo and portaudio19-dev", audio.ErrNoDevice)

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
