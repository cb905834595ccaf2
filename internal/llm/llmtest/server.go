package llmtest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"homebot/internal/llm"
)

// Server answers chat requests as its respond function says. It is an
// http.Handler, so it can also be served over other transports. It is safe for
// several connections.
type Server struct {
	// URL is the base URL for OPENAI_BASE_URL, up to and including /v1; empty
	// when the Server is only used as a handler.
	URL string

	// KeepsReplies: the cache holds what was answered, too, as DeepSeek's
	// does. To be set before the first request.
	KeepsReplies bool

	respond func(Request) Step

	mu       sync.Mutex // guards what follows
	requests []Recorded
	refused  []error
	cache    cache
	closed   chan struct{}
}

// New makes a Server that listens nowhere: to be served as a handler.
// respond is called by one request at a time.
func New(respond func(Request) Step) *Server {
	return &Server{respond: respond, closed: make(chan struct{})}
}

// NewServer starts a Server on loopback that answers with steps in order. When t
// ends it is stopped, and t fails if the client asked more often than that or
// sent something a strict provider would refuse.
func NewServer(t testing.TB, steps ...Step) *Server {
	t.Helper()
	s := NewResponder(t, Script(steps...))
	t.Cleanup(func() {
		if n := len(s.Requests()); n > len(steps) {
			t.Errorf("llmtest: %d requests for a script of %d steps", n, len(steps))
		}
	})
	return s
}

// NewResponder starts a Server on loopback that answers as respond says, until t
// ends; t fails if the client sent something a strict provider would refuse.
func NewResponder(t testing.TB, respond func(Request) Step) *Server {
	t.Helper()
	s := New(respond)
	stop := s.serve()
	t.Cleanup(func() {
		stop()
		for _, err := range s.Refused() {
			t.Errorf("llmtest: %v", err)
		}
	})
	return s
}

// Start serves respond on loopback, without a test: url is for OPENAI_BASE_URL,
// also of other processes; stop ends it and waits.
func Start(respond func(Request) Step) (url string, stop func()) {
	s := New(respond)
	stop = s.serve()
	return s.URL, stop
}

func (s *Server) serve() (stop func()) {
	h := httptest.NewServer(s)
	s.URL = h.URL + "/v1"
	return sync.OnceFunc(func() {
		close(s.closed)
		h.CloseClientConnections()
		h.Close()
	})
}

// Requests returns what was asked so far, in order of arrival.
func (s *Server) Requests() []Recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Refused returns what was wrong with requests that a strict provider would not
// take. They were answered with status 400, not by the script.
func (s *Server) Refused() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.refused)
}

// ServeHTTP implements http.Handler for any path ending in /chat/completions.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	if hr.Method != http.MethodPost || !strings.HasSuffix(hr.URL.Path, "/chat/completions") {
		http.NotFound(w, hr)
		return
	}
	body, err := io.ReadAll(hr.Body)
	if err != nil {
		return // the client went away
	}
	r, step, err := s.take(body, hr.Header)
	if err != nil {
		step = Fail(http.StatusBadRequest, err.Error())
	}
	a := answer{w: w, ctl: http.NewResponseController(w), step: step, request: r}
	a.wait = func(d time.Duration) bool { return s.wait(hr, d) }
	if err := a.write(); err != nil {
		// Ends the connection without the end of the answer.
		panic(http.ErrAbortHandler)
	}
}

// take records a request and asks for its answer.
func (s *Server) take(body []byte, header http.Header) (Request, Step, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := readRequest(body, header.Clone())
	if err != nil {
		s.refused = append(s.refused, err)
		return r, Step{}, err
	}
	r.Number, r.At = len(s.requests), time.Now()
	// The answer is not known before the request is billed: a cache that keeps
	// replies is told of it afterwards.
	r.Tokens, r.Cached = s.cache.bill(r.Recorded, nil)
	s.requests = append(s.requests, r.Recorded)
	step := s.respond(r)
	if s.KeepsReplies && step.Text != "" && len(step.Tools) == 0 {
		s.cache.bill(r.Recorded, llm.EncodeMessage(llm.Message{Role: llm.Assistant, Content: step.Text}))
	}
	return r, step, nil
}

// wait lets d pass; false when the client or the server went away before.
func (s *Server) wait(hr *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-hr.Context().Done():
	case <-s.closed:
	}
	return false
}

// errDropped ends an answer in the middle.
var errDropped = errors.New("dropped")

// Listen serves s on l until l is closed, for transports other than loopback TCP
// (net.Pipe in a synctest bubble). It returns when every connection has ended.
func (s *Server) Listen(l net.Listener) error {
	server := &http.Server{Handler: s}
	err := server.Serve(l)
	if closeErr := server.Close(); closeErr != nil {
		return fmt.Errorf("close: %w", closeErr)
	}
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
