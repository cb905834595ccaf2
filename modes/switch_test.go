package modes_test

import (
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"homebot/internal/store"
	"homebot/modes"
)

// handles is a disk that counts the files that are open.
type handles struct {
	store.FS
	open *atomic.Int64
}

func (h handles) OpenFile(name string, flag int, perm fs.FileMode) (store.File, error) {
	f, err := h.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	h.open.Add(1)
	return &handle{File: f, open: h.open}, nil
}

type handle struct {
	store.File
	open *atomic.Int64
}

func (h *handle) Close() error {
	err := h.File.Close()
	if err == nil { // a second one is an error
		h.open.Add(-1)
	}
	return err
}

// R10, R11: whatever a turn asks for, and takes back, no file stays open after it.
func TestSwitchingLetsGoOfItsFiles(t *testing.T) {
	var open atomic.Int64
	dir := filepath.Join(t.TempDir(), "skills")
	skill(t, dir, "study", `{"id":"study","display_name":"学习模式"}`)
	other := func(w *modes.Switching) modes.Result { return w.Enter("study") }
	for name, asks := range map[string][]func(*modes.Switching) modes.Result{
		"out":                      {exitIt},
		"another":                  {other},
		"out, then another":        {exitIt, other},
		"another, then out":        {other, exitIt},
		"another, out and another": {other, exitIt, other},
	} {
		t.Run(name, func(t *testing.T) {
			m := modes.New(modes.Config{
				FS: handles{store.OS(), &open}, Workspace: t.TempDir(), Registry: registry(dir), Now: time.Now, Logger: quiet(),
				Freeze: func(modes.Mode, string) modes.Frozen { return modes.Frozen{System: "s", Tools: []byte(frozenTools)} },
			})
			if err := m.Recover(); err != nil {
				t.Fatal(err)
			}
			oneTurn(t, m, "打开某模式", enterIt)
			before := open.Load()
			oneTurn(t, m, "先退出某模式再切换到学习模式", func(w *modes.Switching) (last modes.Result) {
				for _, ask := range asks {
					if last = ask(w); !last.OK {
						break
					}
				}
				return last
			})
			if n := open.Load() - before; n != 0 {
				t.Errorf("%d files stay open", n)
			}
		})
	}
}
