package voice

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"homebot/audio"
)

// reopenEvery is how often a lost microphone is tried again: back within 5 s of
// its return, opening included, and not a load on a machine without one.
const reopenEvery = time.Second

// captured is one frame, or why there is none. pcm is valid until the next
// receive.
type captured struct {
	pcm []int16
	err error
}

// capture reads a Source on its own goroutine and opens it again when it is
// lost.
type capture struct {
	open   func(context.Context) (audio.Source, error)
	frame  atomic.Int32 // samples a read
	frames chan captured
}

func newCapture(open func(context.Context) (audio.Source, error)) *capture {
	c := &capture{open: open, frames: make(chan captured)}
	c.frame.Store(audio.WaitingFrame)
	return c
}

// run reads until ctx ends or a recording does.
func (c *capture) run(ctx context.Context) {
	for {
		err := c.readOne(ctx)
		if !c.send(ctx, captured{err: err}) || errors.Is(err, io.EOF) {
			return
		}
		retry := time.NewTimer(reopenEvery)
		select {
		case <-ctx.Done():
			retry.Stop()
			return
		case <-retry.C:
		}
	}
}

// readOne opens the source and reads it until it fails.
func (c *capture) readOne(ctx context.Context) error {
	src, err := c.open(ctx)
	if err != nil {
		return err
	}
	release := context.AfterFunc(ctx, func() { src.Close() }) // ends a blocked Read
	defer func() {
		if release() {
			src.Close()
		}
	}()
	return c.read(ctx, src)
}

// read hands over frames. Two buffers suffice: the receiver is done with one
// when it takes the other.
func (c *capture) read(ctx context.Context, src audio.Source) error {
	var buffers [2][audio.WaitingFrame]int16
	told := 0
	for i := 0; ; i ^= 1 {
		size := int(c.frame.Load())
		if f, ok := src.(framer); ok && size != told {
			f.SetFrame(size)
			told = size
		}
		n, err := src.Read(buffers[i][:size])
		if n > 0 && !c.send(ctx, captured{pcm: buffers[i][:n]}) {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

func (c *capture) send(ctx context.Context, f captured) bool {
	select {
	case <-ctx.Done():
		return false
	case c.frames <- f:
		return true
	}
}
