package store

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// SyncData is fdatasync(2): content and size are durable, times may not be.
func (f osFile) SyncData() error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return &fs.PathError{Op: "fdatasync", Path: f.Name(), Err: err}
		}
		return nil
	}
}
