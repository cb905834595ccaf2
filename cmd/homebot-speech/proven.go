package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"homebot/internal/speech/models"
	"homebot/internal/speech/sherpa"
)

// proven remembers which models a child could load, so that this is tried again
// only when one has changed: it takes as long as loading it.
type proven struct {
	st   *models.Store
	path string
	keys map[string]string // by model
}

func readProven(st *models.Store) *proven {
	p := &proven{st: st, path: filepath.Join(st.Dir, ".proven.json"), keys: map[string]string{}}
	if data, err := os.ReadFile(p.path); err == nil {
		_ = json.Unmarshal(data, &p.keys) // damaged: everything is tried again
	}
	if p.keys == nil {
		p.keys = map[string]string{}
	}
	return p
}

// usable is nil if the model can be loaded, now or when it was last tried.
func (p *proven) usable(ctx context.Context, m models.Model) error {
	key := fingerprint(p.st.Path(m.Name))
	if p.keys[m.Name] == key {
		return nil
	}
	if _, err := try(ctx, p.st, m); err != nil {
		return err
	}
	p.keys[m.Name] = key
	if data, err := json.Marshal(p.keys); err == nil {
		_ = os.WriteFile(p.path, data, 0o644) // not written: it is tried again next time
	}
	return nil
}

// fingerprint changes with every file's name, size and time, and the library.
func fingerprint(dir string) string {
	h := sha256.New()
	fmt.Fprintln(h, sherpa.Version())
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		root = dir
	}
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err == nil && !e.IsDir() {
			fmt.Fprintln(h, path, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return hex.EncodeToString(h.Sum(nil))
}
