package store

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// RemoveAll removes path and all below it, durably; what is not there is no
// error. Symbolic links are removed, not followed. After an error some of it may
// be gone; it may be repeated.
func RemoveAll(fsys FS, path string) error {
	entries, err := fsys.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		for _, e := range entries {
			child := filepath.Join(path, e.Name())
			if e.IsDir() {
				err = RemoveAll(fsys, child)
			} else {
				err = fsys.Remove(child)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if err := fsys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fsys.SyncDir(filepath.Dir(path))
}
