// Package modelstest gets the one model that tests can have: the voice activity
// detector, from npm, kept in the user's cache directory.
package modelstest

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"homebot/internal/speech/models"
)

// VAD is the file of the voice activity model. The test is skipped, in one line,
// where npm does not deliver it.
func VAD(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(Store(tb).Path("silero-vad"), "silero_vad_v5.onnx")
}

// Store is a store that holds the voice activity model, shared by all tests of
// this machine; it is not to be changed.
func Store(tb testing.TB) *models.Store {
	tb.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	st, err := models.Open(filepath.Join(cache, "homebot", "models"))
	if err != nil {
		tb.Fatal(err)
	}
	if st.Check("silero-vad") == nil {
		return st
	}
	if err := os.MkdirAll(st.Dir, 0o755); err != nil {
		tb.Skipf("no place for the voice activity model: %v", err)
	}
	defer lock(tb, st.Dir)()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := (&models.Puller{Store: st}).Pull(ctx, "silero-vad"); err != nil {
		tb.Skipf("the voice activity model cannot be had: %v", err)
	}
	return st
}

// lock keeps the test binaries of several packages from pulling at once.
func lock(tb testing.TB, dir string) (unlock func()) {
	tb.Helper()
	f, err := os.OpenFile(filepath.Join(dir, ".test-lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return func() { _ = f.Close() }
}
