package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"homebot/internal/speech"
)

// As a service of its own it listens on a socket that its group may use, in place
// of the one that a killed server left, and takes no other file for one.
func TestServesOnASocket(t *testing.T) {
	needModel(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "speech.sock")
	left, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	left.(*net.UnixListener).SetUnlinkOnClose(false)
	left.Close()
	at, stop, ended := serving(t, strings.NewReader(""), "--listen", "unix:"+path)
	if at != "unix:"+path {
		t.Errorf("READY names %q", at)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("the socket: %v %v", info, err)
	}
	if err := speech.Live(t.Context(), &net.UnixAddr{Name: path, Net: "unix"}); err != nil {
		t.Error(err)
	}
	stop()
	if code := exit(t, ended); code != 0 {
		t.Errorf("exit %d", code)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call(t.Context(), strings.NewReader(""), "serve", "--listen", "unix:"+file); code != 1 || !strings.Contains(errs, "in use") {
		t.Errorf("a file in its place: %d %q", code, errs)
	}
	if got, err := os.ReadFile(file); string(got) != "mine" {
		t.Errorf("the file holds %q (%v)", got, err)
	}
}
