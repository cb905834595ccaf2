package child

import (
	"context"
	"sync/atomic"
)

// capture is the child of a Source.
type capture struct {
	d      Driver
	w      *writer
	device string
	frame  atomic.Int64 // set by control, read before each frame
}

func (c *capture) control(m message) {
	if n := m.number(); m.kind == kindFrame && n > 0 && n <= maxFrame {
		c.frame.Store(int64(n))
	}
}

// run sends frames until ctx is done; it looks between frames, as the library
// must not be stopped while another goroutine reads.
func (c *capture) run(ctx context.Context) error {
	if err := c.w.bare(kindStarting); err != nil {
		return err
	}
	in, ready, err := c.d.OpenInput(c.device, int(c.frame.Load()))
	if err != nil {
		return err
	}
	defer in.Close()
	if err := c.w.json(kindReady, ready); err != nil {
		return err
	}
	buf := make([]int16, maxFrame)
	for ctx.Err() == nil {
		p := buf[:c.frame.Load()]
		overflowed, err := in.Read(p)
		if err != nil {
			return err
		}
		if overflowed {
			if err := c.w.number(kindOverflow, 1); err != nil {
				return err
			}
		}
		if err := c.w.pcm(p); err != nil {
			return err
		}
	}
	return nil
}
