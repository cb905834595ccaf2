// Package cert makes the console's own https certificate: a certificate authority
// of this device, whose root a phone can install, and a certificate signed by it
// for the names and addresses that the device has now.
//
// Both lie in <workspace>/console, 0600. The root can sign for this device's
// names and private addresses only, so that a phone that trusts it can be lied to
// about nothing else.
package cert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"homebot/internal/store"
)

// Lives of certificates. Apple's devices refuse one that is good for more than
// 825 days, and only the root must be installed by hand.
const (
	rootLife  = 20 * 365 * 24 * time.Hour
	leafLife  = 397 * 24 * time.Hour
	renewFrom = 30 * 24 * time.Hour // before its end
	// behind is how far a device's clock may have been behind when it signed:
	// a Pi without a clock battery may think it is years ago (R51).
	behind = 24 * time.Hour
)

// Authority signs for one device. Open reads or makes it; any goroutine may use
// it.
type Authority struct {
	fsys  store.FS
	dir   string
	names []string
	now   func() time.Time

	root *x509.Certificate
	key  *ecdsa.PrivateKey

	mu   sync.Mutex
	leaf *tls.Certificate
}

// Open reads the authority of a workspace, or makes one for names.
func Open(fsys store.FS, workspace string, names []string, now func() time.Time) (*Authority, error) {
	a := &Authority{fsys: fsys, dir: filepath.Join(workspace, "console"), names: names, now: now}
	root, key, err := a.read("ca")
	if errors.Is(err, fs.ErrNotExist) {
		root, key, err = a.makeRoot()
	}
	if err != nil {
		return nil, fmt.Errorf("certificate authority in %s: %w; remove ca.pem there to have a new one made", a.dir, err)
	}
	a.root, a.key = root, key
	return a, nil
}

// Root is the root certificate, DER: what a phone installs.
func (a *Authority) Root() []byte { return a.root.Raw }

// Get is for tls.Config.GetCertificate: a certificate for what the device is
// called now. It is made anew when it is about to end or the address changed.
func (a *Authority) Get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ips := addresses()
	if hello != nil && hello.Conn != nil {
		if t, ok := hello.Conn.LocalAddr().(*net.TCPAddr); ok && !slices.ContainsFunc(ips, t.IP.Equal) {
			ips = append(ips, t.IP)
		}
	}
	if a.leaf != nil && a.good(a.leaf.Leaf, ips) {
		return a.leaf, nil
	}
	if a.leaf == nil {
		if leaf, key, err := a.read("cert"); err == nil && a.good(leaf, ips) {
			a.leaf = pair(leaf, a.root, key)
			return a.leaf, nil
		}
	}
	leaf, key, err := a.sign(ips)
	if err != nil {
		return nil, err
	}
	a.leaf = pair(leaf, a.root, key)
	_ = a.write("cert", leaf, key) // a full disk must not keep a page away
	return a.leaf, nil
}

func pair(leaf, root *x509.Certificate, key *ecdsa.PrivateKey) *tls.Certificate {
	return &tls.Certificate{Certificate: [][]byte{leaf.Raw, root.Raw}, PrivateKey: key, Leaf: leaf}
}

// good: it names all that the device is called, is in force, and is ours.
func (a *Authority) good(c *x509.Certificate, ips []net.IP) bool {
	now := a.now()
	if c.CheckSignatureFrom(a.root) != nil || now.Before(c.NotBefore) || now.Add(renewFrom).After(c.NotAfter) {
		return false
	}
	for _, n := range a.names {
		if c.VerifyHostname(n) != nil {
			return false
		}
	}
	for _, ip := range ips {
		if !slices.ContainsFunc(c.IPAddresses, ip.Equal) {
			return false
		}
	}
	return true
}

func (a *Authority) makeRoot() (*x509.Certificate, *ecdsa.PrivateKey, error) {
	now := a.now()
	host, _ := os.Hostname()
	t := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: "homebot (" + host + ")", Organization: []string{"homebot"}},
		NotBefore: now.Add(-behind), NotAfter: now.Add(rootLife), IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage:                    x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: a.names, PermittedIPRanges: private(),
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	if err != nil {
		return nil, nil, err
	}
	root, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, nil, err
	}
	return root, key, a.write("ca", root, key)
}

// sign makes a certificate for the names that the root may sign for and the
// addresses of now.
func (a *Authority) sign(ips []net.IP) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	now := a.now()
	t := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: "homebot"}, DNSNames: a.names, IPAddresses: within(ips),
		NotBefore: now.Add(-behind), NotAfter: now.Add(leafLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, t, a.root, &key.PublicKey, a.key)
	if err != nil {
		return nil, nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	return leaf, key, err
}

func serial() *big.Int {
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return big.NewInt(time.Now().UnixNano())
	}
	return n
}

// private are the networks that a home has.
func private() []*net.IPNet {
	var all []*net.IPNet
	for _, s := range []string{"127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "::1/128", "fc00::/7", "fe80::/10"} {
		_, n, err := net.ParseCIDR(s)
		if err == nil {
			all = append(all, n)
		}
	}
	return all
}

func within(ips []net.IP) []net.IP {
	return slices.DeleteFunc(slices.Clone(ips), func(ip net.IP) bool {
		return !slices.ContainsFunc(private(), func(n *net.IPNet) bool { return n.Contains(ip) })
	})
}

// addresses are this machine's own that a root may sign for.
func addresses() []net.IP {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	ips := []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			ips = append(ips, n.IP)
		}
	}
	return within(ips)
}

// write keeps a certificate and its key in one file.
func (a *Authority) write(name string, c *x509.Certificate, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
	data = append(data, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})...)
	if err := store.MkdirAll(a.fsys, a.dir, 0o700); err != nil {
		return err
	}
	return store.Replace(a.fsys, filepath.Join(a.dir, name+".pem"), data, 0o600)
}

var errDamaged = errors.New("the file is damaged")

func (a *Authority) read(name string) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	data, err := a.fsys.ReadFile(filepath.Join(a.dir, name+".pem"))
	if err != nil {
		return nil, nil, err
	}
	p, err := tls.X509KeyPair(data, data)
	if err != nil {
		return nil, nil, errDamaged
	}
	key, ok := p.PrivateKey.(*ecdsa.PrivateKey)
	c, err := x509.ParseCertificate(p.Certificate[0])
	if err != nil || !ok {
		return nil, nil, errDamaged
	}
	return c, key, nil
}

// Files is a certificate of the user's own.
type Files struct{ Cert, Key string }

// Get reads the files, which may be renewed while the device runs: once a
// handshake is cheap enough for a house.
func (f Files) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	if err != nil {
		return nil, fmt.Errorf("certificate %s with key %s cannot be used (%w); correct [console] cert and key, or take them out", f.Cert, f.Key, err)
	}
	return &p, nil
}
