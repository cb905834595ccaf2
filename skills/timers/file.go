package timers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"homebot/internal/store"
)

// File is the name of the document in the workspace.
const File = "timers.json"

// schemaVersion of File.
const schemaVersion = 1

// document is File as it is written.
type document struct {
	SchemaVersion int      `json:"schema_version"`
	Next          int      `json:"next"` // number of the next id
	Timers        []Timer  `json:"timers"`
	Missed        []Missed `json:"missed"`              // not yet told
	Lost          bool     `json:"lost,omitempty"`      // an older document was damaged, not yet told
	LostSome      bool     `json:"lost_some,omitempty"` // only some of its entries, not yet told
}

func (d document) clone() document {
	d.Timers, d.Missed = slices.Clone(d.Timers), slices.Clone(d.Missed)
	return d
}

// load reads the document of a workspace. What can be understood of a damaged one
// is kept; when something cannot, the whole is kept beside it too, and the
// document says so.
func load(fsys store.FS, workspace string) (document, error) {
	path := filepath.Join(workspace, File)
	data, err := fsys.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return document{SchemaVersion: schemaVersion, Next: 1}, nil
	}
	if err != nil && setAside(fsys, path) {
		return document{SchemaVersion: schemaVersion, Next: 1, Lost: true}, nil
	}
	if err != nil {
		return document{}, fmt.Errorf("read timers: %w", err)
	}
	d, whole := decode(data)
	if whole {
		return d, nil
	}
	if err := store.Replace(fsys, path+".damaged", data, 0o600); err != nil {
		return document{}, fmt.Errorf("keep the damaged timers aside: %w", err)
	}
	return d, nil
}

// setAside renames a directory that stands where the document belongs. It reports
// whether the place is free now.
func setAside(fsys store.FS, path string) bool {
	info, err := fsys.Stat(path)
	if err != nil || !info.IsDir() {
		return false
	}
	return fsys.Rename(path, path+".damaged") == nil && fsys.SyncDir(filepath.Dir(path)) == nil
}

var errUnreadable = errors.New("timers that could not be read again")

// valid: what could not be read again is not written.
func (d document) valid() bool {
	seen := map[string]bool{}
	for _, t := range d.Timers {
		if t.ID == "" || seen[t.ID] || t.Span < 0 || t.Paused < 0 || t.Due.IsZero() || t.spanLost() {
			return false
		}
		seen[t.ID] = true
	}
	return d.Next > 0
}

func (d document) save(fsys store.FS, workspace string) error {
	if !d.valid() {
		return errUnreadable
	}
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return fmt.Errorf("encode timers: %w", err)
	}
	if err := store.MkdirAll(fsys, workspace, 0o700); err != nil {
		return err
	}
	return store.Replace(fsys, filepath.Join(workspace, File), append(data, '\n'), 0o600)
}
