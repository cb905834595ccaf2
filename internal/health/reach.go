package health

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"homebot/internal/event"
	"homebot/internal/llm"
	"homebot/internal/phrases"
)

// How often the way to the language model is looked at: whether the machine has
// a network at all (which costs nothing), a connection to the model's port, and
// both while something is wrong.
const (
	networkEvery = 10 * time.Second
	connectEvery = 5 * time.Minute
	reachAgain   = 15 * time.Second
	reachWait    = 5 * time.Second // one connection, one answer
	maxModels    = 1 << 20         // bytes of a list of models
)

// What is wrong with the way to the language model.
var (
	noNetwork  = Finding{event.FaultNetwork, phrases.NetworkGone, phrases.NetworkBack}
	noAnswer   = Finding{event.FaultLLM, phrases.LLMGone, phrases.LLMBack}
	refusesKey = Finding{event.FaultLLM, phrases.LLMKeyWrong, phrases.LLMBack}
)

// Reach is the way to the language model: network and llm.
type Reach struct {
	BaseURL, Model, Key string
	// Online reports whether this machine is on a network at all. nil: it has a
	// default route.
	Online func() bool
	// Dial connects; nil: net.Dialer.DialContext.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	mu   sync.Mutex
	last error // how the last request ended; nil: well
	sees bool  // the last request is news

	check     *Check
	connected time.Time // the last connection that worked; the check's goroutine
}

// Check is what a Monitor looks at.
func (r *Reach) Check() *Check {
	r.check = &Check{
		Codes: []string{event.FaultNetwork, event.FaultLLM},
		Every: networkEvery, Again: reachAgain, Ask: r.ask,
	}
	return r.check
}

// Watch is m with its luck told to the check.
func (r *Reach) Watch(m llm.Model) llm.Model { return watched{m, r} }

type watched struct {
	llm.Model
	reach *Reach
}

// Stream implements llm.Model.
func (w watched) Stream(ctx context.Context, q llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		answered := false
		for d, err := range w.Model.Stream(ctx, q) {
			if err != nil {
				w.reach.ended(err)
			} else if !answered {
				answered = true
				w.reach.ended(nil)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// ended takes how a request went. A person's interruption says nothing.
func (r *Reach) ended(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	r.mu.Lock()
	news := err != nil || r.last != nil
	r.last, r.sees = err, true
	r.mu.Unlock()
	if news && r.check != nil {
		r.check.Nudge()
	}
}

// ask judges: a request that went well is the best proof; else the network, the
// port, and the server's list of models.
func (r *Reach) ask(ctx context.Context) []Finding {
	r.mu.Lock()
	last, news := r.last, r.sees
	r.sees = false
	r.mu.Unlock()
	if news && last == nil {
		r.connected = time.Now()
		return nil
	}
	if !r.local() && !r.online() {
		return []Finding{noNetwork}
	}
	if last == nil && !news && time.Since(r.connected) < connectEvery {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, reachWait)
	defer cancel()
	if err := r.connect(ctx); err != nil {
		r.connected = time.Time{}
		return []Finding{r.blame(err)}
	}
	r.connected = time.Now()
	if last == nil {
		return nil
	}
	f, well := r.answers(ctx, last)
	if !well {
		return []Finding{f}
	}
	r.mu.Lock()
	if !r.sees {
		r.last = nil
	}
	r.mu.Unlock()
	return nil
}

func (r *Reach) connect(ctx context.Context) error {
	dial := r.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	c, err := dial(ctx, "tcp", HostPort(r.door()))
	if err != nil {
		return err
	}
	return c.Close()
}

// door is what requests go to first: the proxy of the environment, if there is
// one for the model's server.
func (r *Reach) door() string {
	if req, err := http.NewRequest(http.MethodGet, r.BaseURL, nil); err == nil {
		if proxy, err := http.ProxyFromEnvironment(req); err == nil && proxy != nil {
			return proxy.String()
		}
	}
	return r.BaseURL
}

// blame tells a network that is gone from a server that is: one in the house (or
// one that refuses the connection) is known to be reached by the network.
func (r *Reach) blame(err error) Finding {
	var name *net.DNSError
	switch {
	case r.local(), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ECONNRESET):
		return noAnswer
	case errors.As(err, &name), errors.Is(err, syscall.ENETUNREACH):
		return noNetwork
	case r.private():
		return noAnswer
	}
	return noNetwork
}

// answers asks for the list of models, which costs nothing. A server without one
// is believed to be well once it talks; one whose list lacks the model is not.
func (r *Reach) answers(ctx context.Context, last error) (Finding, bool) {
	status, names, err := r.models(ctx)
	refused := errors.Is(last, llm.ErrRefused)
	switch {
	case err != nil, status >= 500:
		return noAnswer, false
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusPaymentRequired:
		return refusesKey, false
	case refused && len(names) > 0 && !slices.Contains(names, r.Model):
		return refusesKey, false
	}
	return Finding{}, true
}

func (r *Reach) models(ctx context.Context) (status int, names []string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(r.BaseURL, "/")+"/models", nil)
	if err != nil {
		return 0, nil, err
	}
	if r.Key != "" {
		req.Header.Set("Authorization", "Bearer "+r.Key)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: r.Dial, Proxy: http.ProxyFromEnvironment}}
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.NewDecoder(io.LimitReader(resp.Body, maxModels)).Decode(&list) == nil {
		for _, m := range list.Data {
			names = append(names, m.ID)
		}
	}
	return resp.StatusCode, names, nil
}

func (r *Reach) online() bool {
	if r.Online != nil {
		return r.Online()
	}
	return Online()
}

// Online reports whether this machine has a way out of the house.
func Online() bool { return defaultRoute("/proc/net") }

// Look asks once for the list of models: the status of the answer, and whether
// the model is in the list. An error: there is no answer.
func (r *Reach) Look(ctx context.Context) (status int, listed bool, err error) {
	status, names, err := r.models(ctx)
	return status, slices.Contains(names, r.Model), err
}

func (r *Reach) address() netip.Addr {
	u, err := url.Parse(r.BaseURL)
	if err != nil {
		return netip.Addr{}
	}
	if u.Hostname() == "localhost" {
		return netip.IPv6Loopback()
	}
	a, _ := netip.ParseAddr(u.Hostname())
	return a
}

func (r *Reach) local() bool   { return r.address().IsLoopback() }
func (r *Reach) private() bool { return r.address().IsPrivate() || r.address().IsLinkLocalUnicast() }

// HostPort is host:port of a base URL.
func HostPort(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	port := u.Port()
	if port == "" {
		port = u.Scheme // "https" is a service name that package net knows
	}
	return net.JoinHostPort(u.Hostname(), port)
}
