package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// notifications is systemd's end of a Type=notify service.
func notifications(t *testing.T) (socket string, hear func() string) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return socket, func() string {
		t.Helper()
		buf := make([]byte, 1024)
		_ = l.SetReadDeadline(time.Now().Add(time.Minute))
		n, err := l.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	}
}

// V8: as a service, homebot-speech tells systemd that it is ready when it serves,
// lives through its own socket, and stops; as homebot's child it tells nobody.
func TestTellsSystemd(t *testing.T) {
	needModel(t)
	socket, hear := notifications(t)
	t.Setenv("NOTIFY_SOCKET", socket)
	t.Setenv("WATCHDOG_USEC", "3000000")
	ctx, cancel := context.WithCancel(t.Context())
	var out, errs bytes.Buffer
	var all sync.WaitGroup
	code := -1
	env := func(key string) string { return map[string]string{"LC_ALL": "en_US.UTF-8"}[key] }
	all.Go(func() {
		code = run(ctx, []string{"serve", "--listen", "127.0.0.1:0"}, env, strings.NewReader(""), &out, &errs)
	})
	if got := hear(); !strings.HasPrefix(got, "READY=1\nSTATUS=Serving on 127.0.0.1:") {
		t.Errorf("first word %q", got)
	}
	for range 3 {
		if got := hear(); got != "WATCHDOG=1" {
			t.Errorf("then %q", got)
		}
	}
	cancel()
	all.Wait()
	got := hear()
	for ; got == "WATCHDOG=1"; got = hear() {
	}
	if got != "STOPPING=1" || code != 0 {
		t.Errorf("last word %q, code %d: %s", got, code, &errs)
	}

	ctx, cancel = context.WithCancel(t.Context())
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all.Go(func() {
		code = run(ctx, []string{"serve", "--listen", "127.0.0.1:0", "--stdin-lifeline"}, env, r, &out, &errs)
	})
	w.Close() // the parent is gone
	all.Wait()
	cancel()
	probe, err := net.Dial("unixgram", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer probe.Close()
	if _, err := probe.Write([]byte("nothing")); err != nil {
		t.Fatal(err)
	}
	if got := hear(); got != "nothing" {
		t.Errorf("a child said %q", got)
	}
}
