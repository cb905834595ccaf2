package models_test

import (
	"os"
	"path/filepath"
	"testing"
)

// A full disk is refused before anything is fetched.
func TestNoRoom(t *testing.T) {
	s := newShop(t)
	st := store(t, s)
	st.Catalog.Models[0].Unpacked = 1 << 50
	says(t, puller(st).Pull(t.Context(), "toy"), "MB free", "请腾出一些")
	if len(s.asked) > 0 {
		t.Errorf("asked %d times", len(s.asked))
	}
}

// A server that never ends does not fill the disk, and what came of it is thrown
// away.
func TestPullFlood(t *testing.T) {
	for _, known := range []bool{true, false} {
		s := newShop(t)
		st := store(t, s)
		s.flood = true
		d := &st.Catalog.Models[0].Downloads[0]
		if !known {
			d.Bytes, d.About = 0, d.Bytes
		}
		says(t, puller(st).Pull(t.Context(), "toy"), "sends more than", "服务器发来的超过 ")
		left, _ := filepath.Glob(filepath.Join(st.Dir, ".parts", "*"))
		for _, path := range left {
			if info, err := os.Stat(path); err != nil || info.Size() > 0 {
				t.Errorf("left behind: %v, %v", info, err)
			}
		}
	}
}
