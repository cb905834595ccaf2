package storetest

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// file is an open file of a Disk.
type file struct {
	disk   *Disk
	id     int
	name   string
	flag   int
	off    int
	closed bool
}

// start is what every method does first.
func (f *file) start(op string, kind opKind) (*node, error) {
	if f.closed {
		return nil, pathErr(op, f.name, fs.ErrClosed)
	}
	return f.disk.now.nodes[f.id], pathErr(op, f.name, f.disk.begin(kind))
}

// Write implements store.File. When it is made to fail, half of p is written.
func (f *file) Write(p []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if !f.closed && f.flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		return 0, pathErr("write", f.name, syscall.EBADF)
	}
	n, err := f.start("write", allocates)
	if n == nil {
		return 0, err
	}
	if err != nil {
		p = p[:len(p)/2]
	}
	if f.flag&os.O_APPEND != 0 {
		f.off = len(n.live)
	}
	if len(p) > 0 {
		n.write(f.off, p)
		f.off += len(p)
		f.disk.remember(describe("write", f.name))
	}
	return len(p), err
}

// Sync implements store.File. When it is made to fail, what was not durable will
// not become so by another Sync.
func (f *file) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	n, err := f.start("sync", changes)
	if n == nil {
		return err
	}
	if err != nil {
		n.stick()
		return err
	}
	if n.stuck < 0 {
		n.durable, n.pending = n.live, nil
	}
	f.disk.remember(describe("sync", f.name))
	return nil
}

// Truncate implements store.File.
func (f *file) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	n, err := f.start("truncate", changes)
	if err != nil {
		return err
	}
	n.truncate(int(size))
	f.disk.remember(describe("truncate", f.name))
	return nil
}

// Close implements store.File. It makes nothing durable.
func (f *file) Close() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	n, err := f.start("close", reads)
	if n != nil {
		f.closed = true
	}
	return err
}

func (n *node) write(off int, p []byte) {
	op := dataOp{off: off, data: slices.Clone(p)}
	n.live = op.apply(n.live)
	n.pending = append(n.pending, op)
}

func (n *node) truncate(size int) {
	op := dataOp{off: size}
	n.live = op.apply(n.live)
	n.pending = append(n.pending, op)
	if size <= n.stuck {
		n.stuck = -1
	}
}

// stick remembers from where on the content cannot be synced any more. Bytes
// truncated away by now are not content.
func (n *node) stick() {
	for _, op := range n.pending {
		if op.data != nil && op.off < len(n.live) && (n.stuck < 0 || op.off < n.stuck) {
			n.stuck = op.off
		}
	}
}

// apply returns the content after op, in a new slice.
func (op dataOp) apply(content []byte) []byte {
	end := op.off + len(op.data)
	size := max(len(content), end)
	if op.data == nil {
		size = op.off
	}
	out := make([]byte, size)
	copy(out, content)
	copy(out[min(op.off, size):], op.data)
	return out
}
