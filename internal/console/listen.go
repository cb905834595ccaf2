package console

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"homebot/internal/config"
	"homebot/internal/console/cert"
)

// listener is one address.
type listener struct {
	net.Listener
	secure bool
}

// listen binds http and, if there is to be any, https.
func (c *Console) listen() ([]listener, error) {
	ln, err := net.Listen("tcp", c.Settings.Listen)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be listened on (%w); set another [console] listen, or \"\" for none", c.Settings.Listen, cause(err))
	}
	c.setAddress(func(a *Address) {
		a.HTTP, a.Open = "http://"+c.shown(ln.Addr()), !loopback(ln.Addr())
	})
	all := []listener{{ln, false}}
	secure, err := c.listenTLS(ln.Addr())
	if err != nil {
		c.Log.Error("no https for the console", "err", err)
	}
	if secure != nil {
		all = append(all, listener{secure, true})
		c.setAddress(func(a *Address) { a.HTTPS = "https://" + c.shown(secure.Addr()) })
	}
	return all, nil
}

func (c *Console) setAddress(change func(*Address)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.at)
}

// cause is an error of the network without what the line around it says already.
func cause(err error) error {
	var sys *os.SyscallError
	if errors.As(err, &sys) {
		return sys.Err
	}
	return err
}

func (c *Console) listenTLS(plain net.Addr) (net.Listener, error) {
	address := c.Settings.TLSAddress(plain.String())
	if address == "" {
		return nil, nil
	}
	get, err := c.certificate()
	if err != nil {
		return nil, err
	}
	ln, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be listened on (%w); set [console] tls to another address, or to \"off\"", address, cause(err))
	}
	return tls.NewListener(ln, &tls.Config{GetCertificate: get, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}), nil
}

// certificate is the user's own, else one made for this device.
func (c *Console) certificate() (func(*tls.ClientHelloInfo) (*tls.Certificate, error), error) {
	if c.Settings.Cert != "" {
		own := cert.Files{Cert: config.InWorkspace(c.Workspace, c.Settings.Cert), Key: config.InWorkspace(c.Workspace, c.Settings.Key)}
		if _, err := own.Get(nil); err != nil {
			return nil, err
		}
		return own.Get, nil
	}
	a, err := cert.Open(c.FS, c.Workspace, c.names.all(), c.Now)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.certs = a
	return a.Get, nil
}

func (c *Console) authority() *cert.Authority {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.certs
}

// shown is an address for people: one they can type.
func (c *Console) shown(a net.Addr) string {
	t, ok := a.(*net.TCPAddr)
	if !ok {
		return a.String()
	}
	if t.IP.IsUnspecified() {
		return net.JoinHostPort(c.names.first(), strconv.Itoa(t.Port))
	}
	return a.String()
}

func loopback(a net.Addr) bool {
	t, ok := a.(*net.TCPAddr)
	return ok && t.IP.IsLoopback()
}

// names are the host names that this device goes by. Addresses are not among
// them: a request is for the address its connection arrived at.
type names struct{ list []string }

func newNames(s config.Console) names {
	list := []string{"localhost", "homebot.local", "homebot"}
	if h, err := os.Hostname(); err == nil && h != "" {
		h = strings.ToLower(strings.TrimSuffix(h, "."))
		short, _, _ := strings.Cut(h, ".")
		list = append(list, h, short, short+".local")
	}
	for _, h := range s.Hosts {
		list = append(list, strings.ToLower(h))
	}
	slices.Sort(list)
	return names{slices.Compact(list)}
}

func (n names) all() []string { return n.list }

// first is the name to show: the machine's own.
func (n names) first() string {
	h, err := os.Hostname()
	if err != nil || h == "" {
		return "homebot.local"
	}
	short, _, _ := strings.Cut(strings.ToLower(h), ".")
	return short + ".local"
}

// ours reports whether a Host header names this device; conn is the connection
// it came on. A name that is not in the list is somebody else's, who pointed it
// here (DNS rebinding).
func (n names) ours(host string, conn net.Conn) bool {
	name := hostOnly(host)
	ip := net.ParseIP(name)
	if ip == nil {
		return slices.Contains(n.list, strings.ToLower(strings.TrimSuffix(name, ".")))
	}
	if conn == nil {
		return ip.IsLoopback()
	}
	local, ok := conn.LocalAddr().(*net.TCPAddr)
	return ok && local.IP.Equal(ip)
}

// hostOnly is a Host header without its port.
func hostOnly(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

type connKey struct{}

func withConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

func connOf(ctx context.Context) net.Conn {
	conn, _ := ctx.Value(connKey{}).(net.Conn)
	return conn
}
