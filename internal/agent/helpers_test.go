package agent_test

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/llm"
	"homebot/internal/store"
	"homebot/modes"
	"homebot/skills"
)

type contextT = context.Context

type record = conversation.Record

func writeFile(t testing.TB, k *kitchen, path, text string) {
	t.Helper()
	full := filepath.Join(workspace, path)
	if err := store.MkdirAll(k.disk, filepath.Dir(full), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := store.Replace(k.disk, full, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// watchBreaks counts prefix breaks from now until the returned function is
// called.
func watchBreaks(t testing.TB, k *kitchen) (stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	_, events := k.bus.Watch(context.Background(), 100)
	done := make(chan struct{})
	go func() { _ = k.bus.Run(ctx); close(done) }()
	var n atomic.Int32
	counted := make(chan struct{})
	go func() {
		for e := range events {
			if e.Kind == event.PrefixBroken {
				n.Add(1)
			}
		}
		close(counted)
	}()
	return func() int {
		cancel()
		<-done
		<-counted
		return int(n.Load())
	}
}

// What a disk can refuse with.
var (
	errFull     = syscall.ENOSPC
	errReadOnly = syscall.EROFS
	errIO       = syscall.EIO
)

// newOSKitchen is a kitchen on a real directory with these files in it: modes of
// the user's own are read through the operating system.
func newOSKitchen(t testing.TB, files map[string]string) *kitchen {
	t.Helper()
	k := &kitchen{t: t, disk: newDisk(), model: &model{}, clock: evening}
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	k.registry = modes.NewRegistry(skills.Builtin, filepath.Join(dir, "skills"))
	k.restart()
	return k
}

// sleepy is a model that thinks first.
type sleepy struct {
	llm.Model
	thinks time.Duration
}

func (s sleepy) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		timer := time.NewTimer(s.thinks)
		defer timer.Stop()
		select {
		case <-timer.C:
			s.Model.Stream(ctx, r)(yield)
		case <-ctx.Done():
			yield(llm.Delta{}, ctx.Err())
		}
	}
}
