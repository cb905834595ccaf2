package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// The page is announced where it is, homebot pair shows a code and a link, makes
// a token that lets in, and takes it back; a port that is taken is one line, and
// the device goes on.
func TestConsoleAndPair(t *testing.T) {
	h := newHome(t, nil)
	h.configure("[console]\nlisten = \"127.0.0.1:0\"\n")
	run := h.command("run", "--no-sound")
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Process.Signal(os.Interrupt); _ = run.Wait() })
	address := ""
	for lines := bufio.NewScanner(out); address == "" && lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "homebot's page: "); ok {
			address, _, _ = strings.Cut(rest, " ")
		}
	}
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("the page is at %q", address)
	}
	shown, stderr, code := h.once("", "pair")
	if code != 0 || !strings.Contains(shown, address+"/pair#key=") || !strings.Contains(shown, "Code:  ") {
		t.Errorf("pair: %d %s %s", code, shown, stderr)
	}
	token, stderr, code := h.once("", "pair", "--token", "test", "--scope", "read")
	if code != 0 || !strings.Contains(stderr, "--revoke") {
		t.Fatalf("token: %d %s", code, stderr)
	}
	get := func() int {
		r, err := http.NewRequestWithContext(t.Context(), "GET", address+"/api/v1/state", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body)
		return res.StatusCode
	}
	if got := get(); got != 200 {
		t.Errorf("with the token: %d", got)
	}
	list, _, _ := h.once("", "pair", "--list")
	if !strings.Contains(list, "token") || !strings.Contains(list, "read") || strings.Contains(list, strings.TrimSpace(token)) {
		t.Errorf("list: %s", list)
	}
	id, _, _ := strings.Cut(list, " ")
	if _, stderr, code := h.once("", "pair", "--revoke", id); code != 0 {
		t.Errorf("revoke: %d %s", code, stderr)
	}
	if got := get(); got != 401 {
		t.Errorf("after it was revoked: %d", got)
	}
	other := newHome(t, nil)
	other.configure("[console]\nlisten = \"" + strings.TrimPrefix(address, "http://") + "\"\n")
	second := other.command("run", "--no-sound")
	errs, err := second.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = second.Process.Signal(os.Interrupt); _ = second.Wait() })
	said := ""
	for lines := bufio.NewScanner(errs); said == "" && lines.Scan(); {
		if strings.Contains(lines.Text(), "no console") {
			said = lines.Text()
		}
	}
	if !strings.Contains(said, "cannot be listened on") || !strings.Contains(said, "[console] listen") {
		t.Errorf("of a taken port it says %q", said)
	}
	if reply, stderr, code := other.once("现在几点\n", "chat"); code != 0 || reply == "" {
		t.Errorf("it does not go on: %d %s", code, stderr)
	}
}
