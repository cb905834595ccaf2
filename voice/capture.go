package voice

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"homebot/audio"
)

// readAgain is the pause before a failed Source is read again. A Source that
// heals by itself blocks in Read until it is back; this only keeps one that
// does not from spinning.
const readAgain = time.Second

// captured is one frame, or why there is none. pcm is valid until the next
// receive.
type captured struct {
	pcm []int16
	err error
}

// capture reads the Source on its own goroutine.
type capture struct {
	src    audio.Source
	frame  atomic.Int32 // samples a read
	told   int          // the frame the source knows of
	frames chan captured
}

func newCapture(src audio.Source) *capture {
	c := &capture{src: src, frames: make(chan captured)}
	c.frame.Store(audio.WaitingFrame)
	return c
}

// run reads until ctx ends or a recording does, and closes the source.
func (c *capture) run(ctx context.Context) {
	release := context.AfterFunc(ctx, func() { c.src.Close() }) // ends a blocked Read
	defer func() {
		if release() {
			c.src.Close()
		}
	}()
	for {
		err := c.read(ctx)
		if !c.send(ctx, captured{err: err}) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
			return
		}
		again := time.NewTimer(readAgain)
		select {
		case <-ctx.Done():
			again.Stop()
			return
		case <-again.C:
		}
	}
}

// read hands over frames until the source fails. Two buffers suffice: the
// receiver is done with one when it takes the other.
func (c *capture) read(ctx context.Context) error {
	var buffers [2][audio.WaitingFrame]int16
	for i := 0; ; i ^= 1 {
		n, err := c.src.Read(buffers[i][:c.size()])
		if n > 0 && !c.send(ctx, captured{pcm: buffers[i][:n]}) {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// size is how much to read next; the source is told of a change.
func (c *capture) size() int {
	size := int(c.frame.Load())
	if f, ok := c.src.(framer); ok && size != c.told {
		f.SetFrame(size)
	}
	c.told = size
	return size
}

func (c *capture) send(ctx context.Context, f captured) bool {
	select {
	case <-ctx.Done():
		return false
	case c.frames <- f:
		return true
	}
}
