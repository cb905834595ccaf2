package store

import (
	"io"
	"io/fs"
)

// FS is the part of a file system that durable files need. It is small so that
// a model of a crashing disk can implement it (storetest). Names are absolute
// paths. Errors are those of package os: errors.Is(err, fs.ErrNotExist),
// syscall.ENOSPC, syscall.EROFS and syscall.EIO hold.
type FS interface {
	// OpenFile opens as os.OpenFile does.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	ReadFile(name string) ([]byte, error)
	Rename(oldname, newname string) error
	Remove(name string) error
	Mkdir(name string, perm fs.FileMode) error
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
	// SyncDir makes the entries of a directory durable (names created,
	// renamed, removed).
	SyncDir(name string) error
}

// File is an open file for writing.
type File interface {
	io.Writer
	// Sync makes the content and size durable. After it failed the file must
	// not be used again (S2).
	Sync() error
	Truncate(size int64) error
	Close() error
}

// Wrapper is what an FS around another one may also be: one that only watches
// must not hide that below it is a real disk, whose links are looked at.
type Wrapper interface{ Unwrap() FS }

// onDisk reports whether fsys is the machine's own, or watches it.
func onDisk(fsys FS) bool {
	for {
		if _, ok := fsys.(osFS); ok {
			return true
		}
		w, ok := fsys.(Wrapper)
		if !ok {
			return false
		}
		fsys = w.Unwrap()
	}
}
