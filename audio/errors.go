package audio

import (
	"errors"

	"homebot/internal/phrases"
)

// Errors a Source, a Sink or a Player answers with; callers use errors.Is.
var (
	// ErrLost means the device is gone: unplugged, its sound server dead, or
	// silent for longer than a healthy device ever is.
	ErrLost = phrases.Errorf(phrases.SoundLost)
	// ErrNoDevice means there is no device of the wanted name, or no default
	// one. It always comes together with ErrLost: it may still be plugged in.
	ErrNoDevice = phrases.Errorf(phrases.SoundNoDevice)
	// ErrFormat means the device cannot do the rate or channel count.
	ErrFormat = phrases.Errorf(phrases.SoundNoFormat)
	// ErrStopped is what a Stream's Write returns after Player.Stop.
	ErrStopped = errors.New("playback stopped")
)
