package speech

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// How long a recogniser may work on one message before it counts as hung: a frame
// or an end takes a second at worst on a small Pi; making a recogniser loads
// models, from a slow card.
const (
	hungAfter = time.Minute
	loadLimit = 5 * time.Minute
)

// loadingEvery is how often a client is told that models are being loaded.
const loadingEvery = 5 * time.Second

// labour is what the recognisers are at, so that one that hangs is seen.
type labour struct {
	mu   sync.Mutex // guards jobs
	jobs map[*connection]job
}

type job struct {
	late time.Time
	what string
}

// begin notes that c's worker is at something; the function it returns ends it.
func (l *labour) begin(c *connection, what string, limit time.Duration) (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.jobs == nil {
		l.jobs = map[*connection]job{}
	}
	l.jobs[c] = job{time.Now().Add(limit), what}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.jobs, c)
	}
}

// hung names a worker that is at one message for too long; nil: none is.
func (l *labour) hung() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, j := range l.jobs {
		if late := time.Since(j.late); late > 0 {
			return fmt.Errorf("a recogniser hangs in %s, %v over its time", j.what, late.Round(time.Second))
		}
	}
	return nil
}

// serveLive answers 200 as long as no recogniser hangs. Unlike /healthz it makes
// none, so a watchdog may ask it often.
func (s *Server) serveLive(w http.ResponseWriter, _ *http.Request) {
	if err := s.labour.hung(); err != nil {
		http.Error(w, oneLine(err.Error()), http.StatusServiceUnavailable)
		return
	}
	_, _ = fmt.Fprintln(w, "ok")
}

// stillLoading tells the client every loadingEvery that models are being loaded,
// until the function it returns is called, or they take too long.
func (c *connection) stillLoading(ctx context.Context) (loaded func()) {
	ctx, cancel := context.WithTimeout(ctx, loadLimit)
	var telling sync.WaitGroup
	telling.Go(func() {
		tick := time.NewTicker(loadingEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				c.tell(Heard{Kind: Loading})
			}
		}
	})
	return func() { cancel(); telling.Wait() }
}

// Live asks the server at base whether it takes requests and nothing in it hangs:
// through its own socket, as a client would.
func Live(ctx context.Context, at net.Addr) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/livez", nil)
	if err != nil {
		return err
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, at.Network(), at.String())
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: dial}}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the speech server answers %s", resp.Status)
	}
	return nil
}
