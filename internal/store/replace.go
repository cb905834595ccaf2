package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const tempSuffix = ".tmp"

// IsTemp says whether name is a temporary of Replace, left by a power cut.
func IsTemp(name string) bool { return strings.HasSuffix(name, tempSuffix) }

// Replace makes data the whole content of path, durably: temp in the same
// directory, write, fsync, rename, fsync of the directory (S1). After nil the new
// content is there whatever happens; after an error the file is whole, with
// either the old or the new content, and the temporary is removed. One writer a
// path. A symbolic link is replaced, not followed.
func Replace(fsys FS, path string, data []byte, perm fs.FileMode) error {
	temp := path + tempSuffix
	if err := writeSynced(fsys, temp, data, perm); err != nil {
		_ = fsys.Remove(temp) // worthless, and the next Replace overwrites it anyway
		return fmt.Errorf("replace %s: %w", path, err)
	}
	if err := fsys.Rename(temp, path); err != nil {
		_ = fsys.Remove(temp)
		return fmt.Errorf("replace %s: %w", path, err)
	}
	if err := fsys.SyncDir(filepath.Dir(path)); err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	return nil
}

// writeSynced creates name with data and syncs it; its directory is not synced.
func writeSynced(fsys FS, name string, data []byte, perm fs.FileMode) error {
	f, err := fsys.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// MkdirAll makes path and its missing parents, each durably: after nil the
// directory is there after a power cut. An existing directory may be the work
// of a process that died before it synced, so its parent is synced too.
func MkdirAll(fsys FS, path string, perm fs.FileMode) error {
	if err := mkdirAll(fsys, filepath.Clean(path), perm); err != nil {
		return fmt.Errorf("make directory %s: %w", path, err)
	}
	return nil
}

func mkdirAll(fsys FS, path string, perm fs.FileMode) error {
	parent := filepath.Dir(path)
	if info, err := fsys.Stat(path); err == nil {
		return syncExisting(fsys, path, info)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if parent != path {
		if err := mkdirAll(fsys, parent, perm); err != nil {
			return err
		}
	}
	if err := fsys.Mkdir(path, perm); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return fsys.SyncDir(parent)
}

// syncExisting syncs the entry of a directory found there. A parent that this
// user may not even open is somebody else's, and so is the durability of what
// is in it.
func syncExisting(fsys FS, path string, info fs.FileInfo) error {
	if !info.IsDir() {
		return &fs.PathError{Op: "mkdir", Path: path, Err: errNotDir}
	}
	if err := fsys.SyncDir(filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
