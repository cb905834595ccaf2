package health

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/store"
)

// How often the disk is looked at; while something is wrong it is written to.
const (
	diskEvery = 30 * time.Second
	diskAgain = 10 * time.Second
	// DiskRoom is the least room that counts as some: a long talk and its
	// summary, in bytes.
	DiskRoom = 256 << 10
	// probeSize is what is written to see whether the disk takes it: one block.
	probeSize = 4 << 10
)

var (
	cardFull     = Finding{event.FaultDisk, phrases.CardFull, phrases.CardBack}
	cardReadOnly = Finding{event.FaultDisk, phrases.CardReadOnly, phrases.CardBack}
)

// Disk is the workspace's disk.
type Disk struct {
	Workspace string
	// Room is how many bytes are free, and whether the disk can be written. nil:
	// as the kernel says.
	Room func(dir string) (free int64, readOnly bool, err error)
	// Try writes and removes a file. nil: it does.
	Try func(dir string) error

	check *Check
	wrong bool // the check's goroutine
	tried bool // a nudge came: write, whatever the kernel says
	asks  chan struct{}
}

// Check is what a Monitor looks at.
func (d *Disk) Check() *Check {
	d.asks = make(chan struct{}, 1)
	d.check = &Check{Codes: []string{event.FaultDisk}, Every: diskEvery, Again: diskAgain, Ask: d.ask}
	return d.check
}

func (d *Disk) ask(context.Context) []Finding {
	select {
	case <-d.asks:
		d.tried = true
	default:
		d.tried = false
	}
	err := d.look()
	d.wrong = err != nil
	switch {
	case err == nil:
		return nil
	case store.Why(err) == store.Full:
		return []Finding{cardFull}
	}
	return []Finding{cardReadOnly}
}

// errFull is a disk with less than DiskRoom left.
var errFull = &fs.PathError{Op: "write", Path: "the workspace", Err: noSpace}

// look asks the kernel; a disk that is or may be bad has to take a file too.
func (d *Disk) look() error {
	room := d.Room
	if room == nil {
		room = Room
	}
	free, readOnly, err := room(d.Workspace)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // nothing was ever kept here
	case err != nil:
		return err
	case readOnly:
		return readOnlyFS
	case free < DiskRoom:
		return errFull
	case !d.wrong && !d.tried:
		return nil
	case d.Try != nil:
		return d.Try(d.Workspace)
	}
	return tryDisk(d.Workspace)
}

// tryDisk writes a file through to the disk and takes it away.
func tryDisk(dir string) error {
	name := filepath.Join(dir, ".probe")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, probeSize))
	err = errors.Join(err, f.Sync(), f.Close())
	return errors.Join(err, os.Remove(name))
}

// Watch is disk with its failures told to the check.
func (d *Disk) Watch(disk store.FS) store.FS { return watchedFS{disk, d} }

// failed takes how an access ended.
func (d *Disk) failed(err error) error {
	switch store.Why(err) {
	case store.Full, store.ReadOnly, store.Broken:
		if d.check == nil {
			return err
		}
		select {
		case d.asks <- struct{}{}:
		default:
		}
		d.check.Nudge()
	}
	return err
}

type watchedFS struct {
	store.FS
	disk *Disk
}

// Unwrap implements store.Wrapper.
func (w watchedFS) Unwrap() store.FS { return w.FS }

// OpenFile implements store.FS.
func (w watchedFS) OpenFile(name string, flag int, perm fs.FileMode) (store.File, error) {
	f, err := w.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, w.disk.failed(err)
	}
	return watchedFile{f, w.disk}, nil
}

// Rename implements store.FS, as do the others below.
func (w watchedFS) Rename(from, to string) error { return w.disk.failed(w.FS.Rename(from, to)) }

// Remove implements store.FS.
func (w watchedFS) Remove(name string) error { return w.disk.failed(w.FS.Remove(name)) }

// Mkdir implements store.FS.
func (w watchedFS) Mkdir(name string, perm fs.FileMode) error {
	return w.disk.failed(w.FS.Mkdir(name, perm))
}

// SyncDir implements store.FS.
func (w watchedFS) SyncDir(name string) error { return w.disk.failed(w.FS.SyncDir(name)) }

type watchedFile struct {
	store.File
	disk *Disk
}

// Write implements store.File, as do the others below.
func (w watchedFile) Write(p []byte) (int, error) {
	n, err := w.File.Write(p)
	return n, w.disk.failed(err)
}

// Sync implements store.File.
func (w watchedFile) Sync() error { return w.disk.failed(w.File.Sync()) }

// Truncate implements store.File.
func (w watchedFile) Truncate(size int64) error { return w.disk.failed(w.File.Truncate(size)) }
