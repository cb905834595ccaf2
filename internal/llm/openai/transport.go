package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"
)

const (
	// maxAnswer bounds the bytes of one answer: far above any reply that could
	// be spoken, far below the memory of the smallest board.
	maxAnswer = 8 << 20
	// retryPause is between the two attempts at a connection.
	retryPause = 200 * time.Millisecond
	// drainPause and drainMost bound the wait for the end of a finished answer,
	// which keeps the connection usable for the next turn.
	drainPause = 100 * time.Millisecond
	drainMost  = 4 << 10
)

// What an answer can be that is no stream. They are llm.ErrNonsense.
var (
	errWebPage = errors.New("a web page came instead of an answer (wrong base URL, or a login page of the network)")
	errTooLong = errors.New("the answer has no end")
)

// exchange is one request and its answer on the way through the transport.
type exchange struct {
	body   []byte // what is sent
	watch  *watch
	answer *watchedBody // set by the transport
}

type exchangeKey struct{}

func withExchange(ctx context.Context, ex *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, ex)
}

// done tells whether the stream ended with its end mark.
func (ex *exchange) done() bool { return ex.answer != nil && ex.answer.sawDone() }

// drain reads what little follows the end mark.
func (ex *exchange) drain() {
	ex.watch.idle = drainPause
	_, _ = io.CopyN(io.Discard, ex.answer, drainMost) //nolint:errcheck // only the connection's reuse is at stake
}

// transport puts an exchange's bytes in the place of a request's body and
// watches its answer. Requests without an exchange pass unchanged.
type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ex, ok := req.Context().Value(exchangeKey{}).(*exchange)
	if !ok || req.Method != http.MethodPost {
		return t.next.RoundTrip(req)
	}
	if req.Body != nil {
		_ = req.Body.Close() //nolint:errcheck // the library's bytes in memory
	}
	resp, again, err := t.try(req, ex)
	if again && pause(req.Context(), retryPause) {
		resp, _, err = t.try(req, ex)
	}
	if err != nil {
		return nil, err
	}
	ex.answer = &watchedBody{next: resp.Body, watch: ex.watch}
	resp.Body = ex.answer
	if resp.StatusCode != http.StatusOK {
		return resp, nil
	}
	return asStream(resp, ex)
}

// try sends the request once. again: nothing of an answer can exist, because the
// connection was never made or was an idle one that had died.
func (t *transport) try(req *http.Request, ex *exchange) (resp *http.Response, again bool, err error) {
	reused := false
	trace := &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { reused = c.Reused }}
	out := req.Clone(httptrace.WithClientTrace(req.Context(), trace))
	out.ContentLength = int64(len(ex.body))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(ex.body)), nil }
	out.Body, _ = out.GetBody()
	resp, err = t.next.RoundTrip(out)
	if err == nil {
		return resp, false, nil
	}
	var op *net.OpError
	dial := errors.As(err, &op) && op.Op == "dial" && !op.Timeout()
	return nil, (dial || reused) && req.Context().Err() == nil, err
}

// asStream accepts servers that answer with one whole JSON object: it becomes
// the only event of a stream. A web page is an error.
func asStream(resp *http.Response, ex *exchange) (*http.Response, error) {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")) //nolint:errcheck // then it is a stream
	switch kind {
	case "text/html":
		_ = resp.Body.Close() //nolint:errcheck // not wanted
		return nil, errWebPage
	case "application/json":
		whole, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close() //nolint:errcheck // read to its end
		if err != nil {
			return nil, err
		}
		stream := strings.TrimSpace(string(whole))
		if !strings.HasPrefix(stream, "data:") { // else a stream under a wrong name
			stream = "data: " + strings.NewReplacer("\n", " ", "\r", " ").Replace(stream) + "\n\ndata: [DONE]"
		}
		ex.answer = &watchedBody{next: io.NopCloser(strings.NewReader(stream)), watch: ex.watch}
		resp.Body = ex.answer
	}
	return resp, nil
}

// pause waits; false when ctx ended before.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// defaultTransport is net/http's own with shorter waits: a person stands there.
// Idle connections are given up before home routers forget them.
func defaultTransport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport // replaced by the program around us
	}
	t = t.Clone()
	t.DialContext = (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 15 * time.Second}).DialContext
	t.TLSHandshakeTimeout = 5 * time.Second
	t.IdleConnTimeout = time.Minute
	return t
}
