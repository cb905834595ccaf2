package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// MaxConfined is the largest file that Confined reads or writes: far above any
// note a mode keeps, low enough that a wrong file cannot fill a small board.
const MaxConfined = 4 << 20

// ErrEscapes: a name that leads out of the directory, or could.
var ErrEscapes = errors.New("path leads out of its directory")

// Confined is the files below one directory: no name and no symbolic link leads
// out of it. Names are relative, with slashes. It holds nothing open; any
// goroutine may use it.
type Confined struct {
	fsys FS
	dir  string
}

// Confine returns the files below dir, which need not exist yet.
func Confine(fsys FS, dir string) Confined { return Confined{fsys, dir} }

// Dir is the directory.
func (c Confined) Dir() string { return c.dir }

// ReadFile reads a regular file.
func (c Confined) ReadFile(name string) (data []byte, err error) {
	err = c.do(name, func(fsys FS, path string) error {
		info, err := fsys.Stat(path)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() { // a pipe would block for ever
			return &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR}
		}
		if info.Size() > MaxConfined {
			return &fs.PathError{Op: "read", Path: name, Err: syscall.EFBIG}
		}
		data, err = fsys.ReadFile(path)
		return err
	})
	return data, err
}

// ReadDir lists a directory by name.
func (c Confined) ReadDir(name string) (all []fs.DirEntry, err error) {
	err = c.do(name, func(fsys FS, path string) error {
		all, err = fsys.ReadDir(path)
		return err
	})
	return all, err
}

// Stat follows a symbolic link that stays inside.
func (c Confined) Stat(name string) (info fs.FileInfo, err error) {
	err = c.do(name, func(fsys FS, path string) error {
		info, err = fsys.Stat(path)
		return err
	})
	return info, err
}

// Replace makes data the whole content of name, durably (S1), and the
// directories above it when they are missing.
func (c Confined) Replace(name string, data []byte) error {
	if len(data) > MaxConfined {
		return &fs.PathError{Op: "write", Path: name, Err: syscall.EFBIG}
	}
	if err := MkdirAll(c.fsys, c.dir, 0o700); err != nil {
		return err
	}
	return c.do(name, func(fsys FS, path string) error {
		if err := MkdirAll(fsys, filepath.Dir(path), 0o700); err != nil {
			return err
		}
		return Replace(fsys, path, data, logPerm)
	})
}

// Remove removes a file, durably.
func (c Confined) Remove(name string) error {
	return c.do(name, func(fsys FS, path string) error {
		if err := fsys.Remove(path); err != nil {
			return err
		}
		return fsys.SyncDir(filepath.Dir(path))
	})
}

// do calls f with a file system and a path in it that cannot leave the
// directory.
func (c Confined) do(name string, f func(fsys FS, path string) error) error {
	if name != "." && !filepath.IsLocal(name) {
		return fmt.Errorf("%w: %q", ErrEscapes, name)
	}
	if !onDisk(c.fsys) { // a model of a disk has no symbolic links
		return f(c.fsys, filepath.Join(c.dir, name))
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return err
	}
	return errors.Join(escape(f(rootFS{root}, filepath.Clean(name))), root.Close())
}

// escape makes what os.Root refuses ErrEscapes: it is the only error of a path
// that is not the kernel's.
func escape(err error) error {
	var pe *fs.PathError
	var kernel syscall.Errno
	if errors.As(err, &pe) && !errors.As(pe.Err, &kernel) && !errors.Is(pe.Err, fs.ErrInvalid) && !errors.Is(pe.Err, fs.ErrClosed) {
		return fmt.Errorf("%w: %w", ErrEscapes, err)
	}
	return err
}

// rootFS is the real file system below an os.Root; names are relative to it.
type rootFS struct{ root *os.Root }

func (r rootFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := r.root.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (r rootFS) ReadFile(name string) ([]byte, error)       { return r.root.ReadFile(name) }
func (r rootFS) Rename(oldname, newname string) error       { return r.root.Rename(oldname, newname) }
func (r rootFS) Remove(name string) error                   { return r.root.Remove(name) }
func (r rootFS) Mkdir(name string, perm fs.FileMode) error  { return r.root.Mkdir(name, perm) }
func (r rootFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.root.FS(), name) }
func (r rootFS) Stat(name string) (fs.FileInfo, error)      { return r.root.Stat(name) }

func (r rootFS) SyncDir(name string) error {
	d, err := r.root.Open(name)
	if err != nil {
		return err
	}
	err = errors.Join(d.Sync(), d.Close())
	if errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}
