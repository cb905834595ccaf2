package child

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"homebot/audio"
)

// Driver is a sound library as the child sees it. All calls come from one
// goroutine.
type Driver interface {
	Devices() ([]Device, error)
	// OpenInput opens the named microphone ("" the default) at 16 kHz mono;
	// frame is the expected length of a Read.
	OpenInput(device string, frame int) (Input, Ready, error)
	// OpenOutput opens the named loudspeaker at 24 kHz mono, stopped; frame is
	// the length of every Write.
	OpenOutput(device string, frame int) (Output, Ready, error)
}

// Input is an open, running microphone.
type Input interface {
	// Read fills p; overflowed says that samples before it were lost.
	Read(p []int16) (overflowed bool, err error)
	Close() error
}

// Output is an open loudspeaker.
type Output interface {
	Start() error
	// Write blocks while the card's buffer is full.
	Write(p []int16) error
	// Abort stops and drops what was not played; Stop may, too: the caller
	// writes silence first.
	Abort() error
	Stop() error
	Close() error
}

const (
	// maxFrame bounds what a parent may ask for: a second.
	maxFrame = audio.CaptureRate
	// farewell is how long the end waits for a library that hangs.
	farewell = 200 * time.Millisecond
)

// Serve is the child: args are "source", "sink" or "devices" and its flags. It
// returns when stdin ends (the parent is gone or done), ctx is done or the
// device fails; the failure was sent to the parent then. The library's calls
// run on a goroutine of their own, which is left behind if it hangs: the
// process is to end after Serve.
func Serve(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer, d Driver) error {
	if len(args) == 0 {
		return fmt.Errorf("audio-io: source, sink or devices")
	}
	fs := flag.NewFlagSet("audio-io", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	device := fs.String("device", "", "")
	frame := fs.Int("frame", audio.WaitingFrame, "")
	if err := fs.Parse(args[1:]); err != nil {
		return fmt.Errorf("audio-io: %w", err)
	}
	var job interface {
		run(context.Context) error
		control(message)
	}
	w := &writer{w: stdout}
	switch args[0] {
	case "source":
		j := &capture{d: d, w: w, device: *device}
		j.frame.Store(int64(min(max(*frame, 1), maxFrame)))
		job = j
	case "sink":
		job = &playback{d: d, w: w, device: *device, poke: make(chan struct{}, 1)}
	case "devices":
		return list(d, w)
	default:
		return fmt.Errorf("audio-io: %q: source, sink or devices", args[0])
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go listen(newReader(stdin), job.control, cancel)
	done := make(chan error, 1)
	go func() { done <- report(w, job.run(ctx)) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	t := time.NewTimer(farewell)
	defer t.Stop()
	select {
	case err := <-done:
		return err
	case <-t.C:
		return nil
	}
}

// listen passes the parent's messages on until its pipe ends.
func listen(r *reader, control func(message), end func()) {
	defer end()
	for {
		m, err := r.next()
		if err != nil {
			return
		}
		control(m)
	}
}

// report tells the parent why it ends.
func report(w *writer, err error) error {
	if err != nil {
		_ = w.json(kindError, newFailure(err)) // the parent may be gone: nobody to tell
	}
	return err
}

func list(d Driver, w *writer) error {
	if err := w.bare(kindStarting); err != nil {
		return err
	}
	devices, err := d.Devices()
	if err != nil {
		return report(w, err)
	}
	return w.json(kindDevices, devices)
}
