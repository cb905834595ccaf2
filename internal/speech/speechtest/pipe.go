package speechtest

import (
	"context"
	"net"
	"slices"
	"sync"
)

// Pipe is a listener whose connections are in memory: a speech.Server on it and
// a speech.Client with its Dial meet without a network, also inside a synctest
// bubble. The client's URL is then PipeURL. Close it before the bubble ends.
type Pipe struct {
	conns chan net.Conn
	done  chan struct{}

	mu     sync.Mutex
	closed bool
	open   []net.Conn
}

// PipeURL is a URL that a server without a token takes for its own machine.
const PipeURL = "http://localhost"

var _ net.Listener = (*Pipe)(nil)

// NewPipe makes a Pipe.
func NewPipe() *Pipe {
	return &Pipe{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Dial connects to whoever accepts; it is a speech.Config.Dial.
func (p *Pipe) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = append(p.open, near, far)
	return near, nil
}

// Accept waits for a Dial.
func (p *Pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// Cut breaks every connection at once, as a killed process would.
func (p *Pipe) Cut() {
	p.mu.Lock()
	conns := slices.Clone(p.open)
	p.open = nil
	p.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
}

// Close lets no one in any more; connections stay.
func (p *Pipe) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.closed = true
		close(p.done)
	}
	return nil
}

// Addr is no address of a network.
func (p *Pipe) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }
