package modes

import (
	"path/filepath"

	"homebot/internal/store"
)

// damagedName is where a damaged file is kept.
func (m *Manager) damagedName(path string) string {
	return path + ".damaged-" + m.Now().Format("20060102-150405")
}

// setAside renames a directory that stands where a file of ours belongs. It
// reports whether the place is free now.
func (m *Manager) setAside(path string) bool {
	info, err := m.FS.Stat(path)
	if err != nil || !info.IsDir() {
		return false
	}
	aside := m.damagedName(path)
	if err = m.FS.Rename(path, aside); err == nil {
		err = m.FS.SyncDir(filepath.Dir(path))
	}
	m.Logger.Warn("a directory stood where a file belongs", "path", path, "kept", aside, "err", err)
	return err == nil
}

// keepAside keeps a copy of a damaged file. It reports whether the file may be
// written anew.
func (m *Manager) keepAside(path string, data []byte) bool {
	aside := m.damagedName(path)
	err := store.Replace(m.FS, aside, data, filePerm)
	m.Logger.Warn("a file is damaged", "path", path, "kept", aside, "err", err)
	return err == nil
}
