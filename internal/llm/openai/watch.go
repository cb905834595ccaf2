package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// slowError says which limit was passed. It is the cause of a watch's context.
type slowError struct {
	what  string
	limit time.Duration
}

func (e *slowError) Error() string { return fmt.Sprintf("%s within %s", e.what, e.limit) }

// isSlow tells whether ctx was ended by a watch.
func isSlow(ctx context.Context) bool {
	var slow *slowError
	return errors.As(context.Cause(ctx), &slow)
}

// watch ends its context when the server takes too long. Only the goroutine of
// Stream uses it.
type watch struct {
	ctx         context.Context
	cancel      context.CancelCauseFunc
	idle        time.Duration
	begun       bool        // the first byte has come
	first, rest *time.Timer // rest runs only while waiting for further bytes
	total       *time.Timer
}

// newWatch starts waiting for the first byte. stop must be called.
func newWatch(ctx context.Context, t Timeouts) *watch {
	w := &watch{idle: t.Idle}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.first = w.after(t.FirstByte, "no first byte")
	w.total = w.after(t.Total, "no end of the answer")
	return w
}

func (w *watch) after(limit time.Duration, what string) *time.Timer {
	if limit < 0 {
		return nil
	}
	return time.AfterFunc(limit, func() { w.cancel(&slowError{what, limit}) })
}

// waiting: a read for more bytes begins.
func (w *watch) waiting() {
	if w.begun {
		w.rest = w.after(w.idle, "no further byte")
	}
}

// came: a read has ended, with bytes or without.
func (w *watch) came(n int) {
	halt(w.rest)
	if n > 0 {
		halt(w.first)
		w.begun = true
	}
}

// hurry: the answer is finished; at most its usage is still to come.
func (w *watch) hurry() {
	if w.idle < 0 || w.idle > time.Second {
		w.idle = time.Second
	}
}

func (w *watch) stop() {
	halt(w.first)
	halt(w.rest)
	halt(w.total)
	w.cancel(nil)
}

func halt(t *time.Timer) {
	if t != nil {
		t.Stop()
	}
}

// watchedBody is an answer's body: watched, bounded, and ending in a newline,
// without which the library drops a last line.
type watchedBody struct {
	next  io.ReadCloser
	watch *watch
	read  int
	tail  []byte // the last bytes, to find the end mark
	ended bool
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	if b.ended || len(p) == 0 {
		return 0, io.EOF
	}
	b.watch.waiting()
	n, err := b.next.Read(p)
	b.watch.came(n)
	b.read += n
	if b.tail = append(b.tail, p[:n]...); len(b.tail) > 64 {
		b.tail = append(b.tail[:0], b.tail[len(b.tail)-64:]...)
	}
	switch {
	case b.read > maxAnswer:
		return n, errTooLong
	case err == nil || !errors.Is(err, io.EOF):
		return n, err
	case n < len(p):
		b.ended = true
		p[n] = '\n'
		return n + 1, nil
	}
	return n, nil // full: the newline comes with the next read
}

// Close implements io.Closer.
func (b *watchedBody) Close() error { return b.next.Close() }

func (b *watchedBody) sawDone() bool { return bytes.Contains(b.tail, []byte("[DONE]")) }
