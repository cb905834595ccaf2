package voice

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"homebot/internal/store"
)

// ControlFile keeps Controls in one document, so that they survive a restart and
// a power cut. The Loop is its one writer, through Keep.
type ControlFile struct {
	FS   store.FS
	Path string
	// Volume is that of `[voice] volume`, in percent. It counts until somebody
	// changes the volume, and again when the configuration was changed since.
	Volume int
}

// controlDocument is the file. Volume counts only beside the Configured one it
// was changed from.
type controlDocument struct {
	Volume     int  `json:"volume"`
	Configured int  `json:"configured"`
	Muted      bool `json:"muted"`
}

// Load returns what is kept, and what the configuration says where nothing is; so
// also beside an error, which is of the disk or of a document that is none.
func (f ControlFile) Load() (Controls, error) {
	c := Controls{Volume: f.Volume}
	data, err := f.FS.ReadFile(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	var d controlDocument
	if err := json.Unmarshal(data, &d); err != nil {
		return c, fmt.Errorf("%s: %w", f.Path, err)
	}
	c.Muted = d.Muted
	if d.Configured == f.Volume && d.Volume >= 0 && d.Volume <= 100 {
		c.Volume = d.Volume
	}
	return c, nil
}

// Keep replaces the document; after nil it is on the disk whatever happens.
func (f ControlFile) Keep(c Controls) error {
	data, err := json.Marshal(controlDocument{Volume: c.Volume, Configured: f.Volume, Muted: c.Muted})
	if err != nil {
		return err
	}
	return store.Replace(f.FS, f.Path, append(data, '\n'), 0o600)
}
