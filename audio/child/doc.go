// Package child keeps the sound library in a process of its own, `homebot
// audio-io`: PortAudio spins for ever on an unplugged device, aborts the
// process when ALSA has no default device, writes noise to stderr and freezes
// its list of devices at start. A process can be ended and begun again.
//
// The parent's side is Source and Sink (pure Go, no goroutine of their own: the
// one that reads or writes also supervises) and Devices. The child's side is
// Serve, which runs a Driver; audio/portaudio has the real one. Capture and
// playback are one child each, so a dying microphone does not stop the
// loudspeaker.
//
// PCM and a few control messages go over the child's stdin and stdout (wire.go).
// The child ends with its stdin, and the kernel kills it with its parent.
package child
