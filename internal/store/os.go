package store

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// OS returns the real file system. It holds no state; any goroutine may use it.
func OS() FS { return osFS{} }

type osFS struct{}

func (osFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // a nil *os.File must not become a non-nil File
	}
	return osFile{f}, nil
}

func (osFS) ReadFile(name string) ([]byte, error)       { return os.ReadFile(name) }
func (osFS) Rename(oldname, newname string) error       { return os.Rename(oldname, newname) }
func (osFS) Remove(name string) error                   { return os.Remove(name) }
func (osFS) Mkdir(name string, perm fs.FileMode) error  { return os.Mkdir(name, perm) }
func (osFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osFS) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }

// SyncDir opens the directory and syncs it. A file system that cannot sync a
// directory says EINVAL (some FUSE and network ones); there is then nothing
// better to do, so that is not an error.
func (osFS) SyncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	if errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// osFile adds SyncData to *os.File.
type osFile struct{ *os.File }

// dataSyncer is a File that can make content and size durable without the
// times in its inode, which saves a journal write for each record.
type dataSyncer interface{ SyncData() error }

// syncData is fdatasync where the file has it, else Sync.
func syncData(f File) error {
	if d, ok := f.(dataSyncer); ok {
		return d.SyncData()
	}
	return f.Sync()
}
