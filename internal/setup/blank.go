package setup

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"homebot/internal/phrases"
)

// blanking is a write to the FAT that is under way.
type blanking struct {
	Name string `json:"name"`
	Old  []byte `json:"old"`
	New  []byte `json:"new"` // of the same length
}

// blank writes a file of the FAT over with one of the same length. The secrets in
// old are durable elsewhere.
func (p *preparing) blank(name string, old, rest []byte) {
	if string(old) == string(rest) {
		return
	}
	if len(old) != len(rest) {
		p.trouble(phrases.SetupOddEncoding, name)
		return
	}
	b := blanking{Name: name, Old: old, New: rest}
	data, err := json.Marshal(b)
	if err == nil {
		err = p.keep(blankingName, data)
	}
	if err == nil {
		err = p.overwrite(b)
	}
	if err != nil {
		p.trouble(phrases.SetupCardReadOnly, name, cause(err))
		return
	}
	p.Log.Info("setup: secrets moved to the data partition", "file", name)
}

// finishBlanking ends what a power cut interrupted. A file that is neither the old
// one nor the new one, nor something between them, was written by a person since.
func (p *preparing) finishBlanking() {
	var b blanking
	data := p.kept(blankingName)
	if len(data) == 0 {
		return
	}
	if json.Unmarshal(data, &b) != nil || (b.Name != ConfigName && b.Name != PreseedName) {
		p.endBlanking()
		return
	}
	now, err := p.FS.ReadFile(filepath.Join(p.Boot, b.Name))
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return // the card may be readable at the next start
	case err == nil && between(now, b.Old, b.New):
		if err := p.overwrite(b); err != nil {
			p.trouble(phrases.SetupCardReadOnly, b.Name, cause(err))
		}
	default:
		p.endBlanking()
	}
}

// overwrite writes the file in place and forgets that it had to.
func (p *preparing) overwrite(b blanking) error {
	done, err := p.Writable()
	if err != nil {
		return err
	}
	defer done()
	f, err := p.FS.OpenFile(filepath.Join(p.Boot, b.Name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(b.New)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	p.endBlanking()
	return nil
}

func (p *preparing) endBlanking() {
	err := p.FS.Remove(filepath.Join(p.Data, blankingName))
	if err == nil {
		err = p.FS.SyncDir(p.Data)
	}
	if err != nil {
		p.Log.Warn("setup: done, but not put down as done; it is repeated at the next start", "err", err)
	}
}

// between reports whether a file that was being overwritten may look like now: at
// each place the old byte, the new one, or the zero of a sector that was lost.
func between(now, old, rest []byte) bool {
	if len(now) != len(old) || len(now) != len(rest) {
		return false
	}
	for i, b := range now {
		if b != old[i] && b != rest[i] && b != 0 {
			return false
		}
	}
	return true
}
