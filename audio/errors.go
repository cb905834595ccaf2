package audio

import "errors"

// Errors a Source, a Sink or a Player answers with; callers use errors.Is.
var (
	// ErrLost means the device is gone: unplugged, its sound server dead, or
	// silent for longer than a healthy device ever is.
	ErrLost = errors.New("sound device lost")
	// ErrNoDevice means there is no device of the wanted name, or no default
	// one. It always comes together with ErrLost: it may still be plugged in.
	ErrNoDevice = errors.New("no such sound device")
	// ErrFormat means the device cannot do the rate or channel count.
	ErrFormat = errors.New("sound device cannot do this format")
	// ErrStopped is what a Stream's Write returns after Player.Stop.
	ErrStopped = errors.New("playback stopped")
)
