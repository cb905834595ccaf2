package models_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A full disk is refused before anything is fetched.
func TestNoRoom(t *testing.T) {
	s := newShop(t)
	st := store(t, s)
	st.Catalog.Models[0].Unpacked = 1 << 50
	if err := puller(st).Pull(t.Context(), "toy"); err == nil || !strings.Contains(err.Error(), "MB free") || len(s.asked) > 0 {
		t.Errorf("err %v, asked %d times", err, len(s.asked))
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
		if err := puller(st).Pull(t.Context(), "toy"); err == nil || !strings.Contains(err.Error(), "sends more than") {
			t.Errorf("err %v", err)
		}
		left, _ := filepath.Glob(filepath.Join(st.Dir, ".parts", "*"))
		for _, path := range left {
			if info, err := os.Stat(path); err != nil || info.Size() > 0 {
				t.Errorf("left behind: %v, %v", info, err)
			}
		}
	}
}
