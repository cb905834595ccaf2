package watchdog_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/watchdog"
)

// systemd notes what a service says, and when.
type systemd struct {
	mu    sync.Mutex
	began time.Time
	said  []string
}

func (s *systemd) notify(state string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, fmt.Sprintf("%v %s", time.Since(s.began), strings.ReplaceAll(state, "\n", " ")))
	return nil
}

func (s *systemd) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.said)
}

// V8: READY=1 comes when the service is ready and not before; then it is fed as
// long as every part answers; a part that hangs is named and nothing is fed, until
// it answers again.
func TestFedThroughTheParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &systemd{began: time.Now()}
		ready := make(chan struct{})
		var status atomic.Value
		status.Store("all is well")
		inbox := make(chan struct{}) // of the part: who hangs takes nothing
		hang, over := make(chan bool), make(chan struct{})
		go func() {
			defer close(over)
			for hangs := false; ; {
				in := inbox
				if hangs {
					in = nil
				}
				select {
				case <-in:
				case h, ok := <-hang:
					if !ok {
						return
					}
					hangs = h
				}
			}
		}()
		d := watchdog.New(watchdog.Config{
			Limit: 30 * time.Second, Notify: s.notify, Status: func() string { return status.Load().(string) },
			Ready: func(ctx context.Context) error {
				select {
				case <-ready:
				case <-ctx.Done():
				}
				return ctx.Err()
			},
			Probes: []watchdog.Probe{{"voice", func(ctx context.Context) error {
				select {
				case inbox <- struct{}{}:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}}},
		})
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if err := d.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(7 * time.Second)
		close(ready)
		time.Sleep(15 * time.Second) // 22 s
		hang <- true
		time.Sleep(30 * time.Second) // 52 s
		status.Store("no network")   // before it is asked for again
		hang <- false
		time.Sleep(10 * time.Second)
		cancel()
		all.Wait()
		close(hang)
		<-over
		want := []string{
			"7s READY=1 STATUS=all is well", "7s WATCHDOG=1", "17s WATCHDOG=1",
			"37s STATUS=no answer from voice (context deadline exceeded)",
			"47s STATUS=no answer from voice (context deadline exceeded)",
			"52s WATCHDOG=1 STATUS=no network", "57s WATCHDOG=1", "1m2s STOPPING=1",
		}
		if got := s.all(); !slices.Equal(got, want) {
			t.Errorf("systemd heard\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// A service that never gets ready says so, and never READY=1.
func TestNeverReady(t *testing.T) {
	s := &systemd{began: time.Now()}
	never := errors.New("no ears")
	d := watchdog.New(watchdog.Config{Notify: s.notify, Ready: func(context.Context) error { return never }})
	if err := d.Run(t.Context()); !errors.Is(err, never) {
		t.Errorf("Run: %v", err)
	}
	if got := strings.Join(s.all(), "\n"); strings.Contains(got, "READY") || !strings.Contains(got, "STOPPING=1") {
		t.Errorf("systemd heard %q", got)
	}
}

// V8: over the real socket of a Type=notify service, at the pace of WATCHDOG_USEC.
func TestRealSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "30000")
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { _ = watchdog.New(watchdog.Config{}).Run(ctx) })
	hear := func() string {
		buf := make([]byte, 256)
		_ = l.SetReadDeadline(time.Now().Add(30 * time.Second))
		n, err := l.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	}
	for i, want := range []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"} {
		if got := hear(); got != want {
			t.Errorf("message %d: %q, want %q", i, got, want)
		}
	}
	cancel()
	all.Wait()
	for got := hear(); got != "STOPPING=1"; got = hear() {
		if got != "WATCHDOG=1" {
			t.Fatalf("the last word is %q", got)
		}
	}
}

// Without systemd nothing is sent and nothing fails.
func TestNoSystemd(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	t.Setenv("WATCHDOG_USEC", "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := watchdog.New(watchdog.Config{}).Run(ctx); err != nil {
		t.Error(err)
	}
}
