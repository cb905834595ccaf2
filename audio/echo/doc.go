// Package echo takes the device's own voice out of what its microphone hears,
// where no sound server does it: libspeexdsp's adaptive filter and residual echo
// suppression, in this process.
//
// A Canceller is fed from both sides. What the sound card was given comes
// through its child.Tap methods, on the goroutine that plays, and is kept on a
// time line (reference.go). What was captured goes through the audio.Source that
// Wrap makes, on the goroutine that reads the microphone; that one does all the
// work. Loudspeaker and microphone are two devices with two clocks in two child
// processes, so where the echo lies is measured in the sound itself (delay.go),
// to the sample and anew for each start of the card; the clock only says where
// to look.
//
// While nothing was played for a second, samples pass through untouched and
// nothing is computed.
//
// The build tag nospeex, or CGO_ENABLED=0, builds without the library: Built is
// false then.
package echo
