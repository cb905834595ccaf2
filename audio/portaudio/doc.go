// Package portaudio is the sound card through PortAudio (cgo), to be used only
// in the child process of audio/child: RunChild is that process's main.
//
// What it knows of the library (19.6, as Debian has it): one goroutine owns a
// stream, since stopping it beside a blocked read hangs or crashes; Stop cuts
// the end off, so the caller writes silence first; the list of devices is that
// of the process's start; Initialize writes pages of noise to stderr, aborts
// the process when ALSA has no pcm.default, and an unplugged device spins for
// ever without an error, both of which only a process of its own survives.
//
// Tests with the race detector need
// -gcflags=github.com/gordonklaus/portaudio=-d=checkptr=0.
package portaudio

import (
	"context"
	"io"

	"homebot/audio/child"
)

// RunChild is `homebot audio-io`: args as audio/child gives them, PCM and
// messages on stdin and stdout. It returns when the parent is gone or done, or
// when the device failed (the parent was told); the process should end then,
// with status 1 for an error and nothing on stderr.
func RunChild(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	return child.Serve(ctx, args, stdin, stdout, &Driver{})
}
