// Package modelstest gets the one model that tests can have: the voice activity
// detector, from npm, kept in the user's cache directory.
package modelstest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
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
	st, err := store()
	if err != nil {
		tb.Skipf("the voice activity model cannot be had: %v", err)
	}
	return st
}

// store pulls the model where it is not here; once in a process: an npm that hangs
// would hang for every test.
var store = sync.OnceValues(func() (*models.Store, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	st, err := models.Open(filepath.Join(cache, "homebot", "models"))
	if err != nil || st.Check("silero-vad") == nil {
		return st, err
	}
	if err := os.MkdirAll(st.Dir, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lock(st.Dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return st, (&models.Puller{Store: st}).Pull(ctx, "silero-vad")
})

// lock keeps the test binaries of several packages from pulling at once.
func lock(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, ".test-lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	return func() { _ = f.Close() }, err
}
