package cert

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"homebot/internal/store"
)

var names = []string{"homebot.local", "localhost"}

func chain(t *testing.T, a *Authority, host string, at time.Time) error {
	t.Helper()
	c, err := a.Get(nil)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(c.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	root, err := x509.ParseCertificate(a.Root())
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	_, err = leaf.Verify(x509.VerifyOptions{DNSName: host, Roots: pool, CurrentTime: at})
	return err
}

// Who installed the root trusts this device by its names and addresses, for
// nothing else; after a restart with the same root.
func TestAuthority(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	clock := func() time.Time { return now }
	a, err := Open(store.OS(), dir, names, clock)
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"homebot.local", "localhost", "127.0.0.1", "::1"} {
		if err := chain(t, a, host, now); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	if err := chain(t, a, "example.com", now); err == nil {
		t.Error("it is example.com too")
	}
	for _, f := range []string{"ca.pem", "cert.pem"} {
		if info, err := os.Stat(filepath.Join(dir, "console", f)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", f, info, err)
		}
	}
	first, _ := a.Get(nil)
	again, err := Open(store.OS(), dir, names, clock)
	if err != nil {
		t.Fatal(err)
	}
	if string(again.Root()) != string(a.Root()) {
		t.Error("another root after a restart")
	}
	if c, _ := again.Get(nil); string(c.Certificate[0]) != string(first.Certificate[0]) {
		t.Error("another certificate after a restart")
	}
	now = now.Add(leafLife - renewFrom/2) // about to end
	c, _ := again.Get(nil)
	if string(c.Certificate[0]) == string(first.Certificate[0]) {
		t.Error("a certificate that is about to end is not made anew")
	}
	if err := chain(t, again, "homebot.local", now); err != nil {
		t.Error(err)
	}
}

// The root may not sign for others, even if its key is stolen.
func TestRootIsNarrow(t *testing.T) {
	a, err := Open(store.OS(), t.TempDir(), names, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	a.names = []string{"bank.example"}
	if err := chain(t, a, "bank.example", time.Now()); err == nil || !strings.Contains(err.Error(), "not permitted") {
		t.Errorf("the root signed for a bank: %v", err)
	}
}

// A damaged file is one line with the way out; a certificate of the user's own is
// read as it is, and a wrong one said.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	a, err := Open(store.OS(), dir, names, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Get(nil); err != nil {
		t.Fatal(err)
	}
	pem := filepath.Join(dir, "console", "cert.pem")
	own := Files{Cert: pem, Key: pem}
	var get func(*tls.ClientHelloInfo) (*tls.Certificate, error) = own.Get
	if _, err := get(nil); err != nil {
		t.Error(err)
	}
	if _, err := (Files{Cert: pem, Key: filepath.Join(dir, "none")}).Get(nil); err == nil || !strings.Contains(err.Error(), "[console] cert") {
		t.Errorf("a missing key: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "console", "ca.pem"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(store.OS(), dir, names, time.Now); err == nil || !strings.Contains(err.Error(), "remove ca.pem") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a damaged root: %v", err)
	}
}
