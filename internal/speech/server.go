package speech

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"homebot/internal/phrases"
)

// Limits bound what a client may cost. Zero fields take the defaults that the
// comments name; docs/PROTOCOL.md states them to clients.
type Limits struct {
	Connections int           // websockets at once: 16
	Frame       time.Duration // audio in one message: 1 s
	Text        int64         // bytes of one text message: 64 KiB
	Phrases     int           // phrases in one hello: 500
	Wake        int           // wake phrases in one hello: 8 (V1)
	Queue       time.Duration // audio waiting for the recogniser, then it is dropped: 10 s
	Dropped     time.Duration // audio dropped on one connection, then it is closed: 30 s
	Hello       time.Duration // until the hello: 5 s
	Speeches    int           // texts being spoken at once: 4
	Input       int           // characters of one text to speak: 4096, as OpenAI has it
}

func (l Limits) withDefaults() Limits {
	orInt := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	orTime := func(v *time.Duration, d time.Duration) {
		if *v == 0 {
			*v = d
		}
	}
	orInt(&l.Connections, 16)
	orInt(&l.Phrases, 500)
	orInt(&l.Wake, 8)
	orInt(&l.Speeches, 4)
	orInt(&l.Input, 4096)
	orTime(&l.Frame, time.Second)
	orTime(&l.Queue, 10*time.Second)
	orTime(&l.Dropped, 30*time.Second)
	orTime(&l.Hello, 5*time.Second)
	if l.Text == 0 {
		l.Text = 64 << 10
	}
	return l
}

// Server serves the protocol: /v1/listen, /v1/audio/speech,
// /v1/audio/transcriptions and /healthz. Fields
// are set before the first call and not changed; a nil Engine hears nothing, a
// nil Synthesizer says nothing, and both are reported so. Use it by pointer.
type Server struct {
	Engine      Engine
	Synthesizer Synthesizer
	// Decode reads a recording as 16 kHz mono, for /v1/audio/transcriptions; nil
	// offers none.
	Decode func(io.Reader) ([]int16, error)
	Token  string // "" serves this machine only
	Limits Limits
	Logger *slog.Logger // nil: silent

	once     sync.Once
	limits   Limits
	log      *slog.Logger
	slots    chan struct{} // Limits.Connections: one token per websocket
	speeches chan struct{} // Limits.Speeches: one token per text being spoken
	health   health
	labour   labour
}

// ErrOpen is what Run answers when it would serve other machines without a
// token.
var ErrOpen = phrases.Errorf(phrases.SpeechOpen)

// Check returns an error that wraps ErrOpen when serving addr needs a token and
// there is none.
func (s *Server) Check(addr net.Addr) error {
	if s.Token == "" && addr.Network() == "tcp" && !loopback(addr.String()) {
		return fmt.Errorf("%s: %w", addr, ErrOpen)
	}
	return nil
}

func (s *Server) setup() {
	s.once.Do(func() {
		s.limits = s.Limits.withDefaults()
		s.slots = make(chan struct{}, s.limits.Connections)
		s.speeches = make(chan struct{}, s.limits.Speeches)
		s.log = s.Logger
		if s.log == nil {
			s.log = slog.New(slog.DiscardHandler)
		}
	})
}

// Handler serves all paths. Connections live until the client leaves or the
// request's base context ends.
func (s *Server) Handler() http.Handler {
	s.setup()
	mux := http.NewServeMux()
	mux.Handle("GET /v1/listen", s.guard(s.listen))
	mux.Handle("POST /v1/audio/speech", s.guard(s.speak))
	mux.Handle("POST /v1/audio/transcriptions", s.guard(s.transcribe))
	mux.HandleFunc("GET /healthz", s.serveHealth)
	mux.HandleFunc("GET /livez", s.serveLive)
	return mux
}

// Run serves l until ctx ends, closes it, and joins everything; connections get
// a Failure with CodeShutdown. It returns nil when ctx ended, ErrOpen when l is
// not on loopback and there is no token.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	s.setup()
	if err := s.Check(l.Addr()); err != nil {
		_ = l.Close()
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	srv := &http.Server{
		Handler:           s.Handler(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	var stopper sync.WaitGroup
	stopper.Go(func() {
		<-ctx.Done()
		s.stop(srv, l)
	})
	err := srv.Serve(l)
	asked := ctx.Err() != nil
	cancel()
	stopper.Wait()
	for range cap(s.slots) { // every websocket has ended when all slots are ours
		s.slots <- struct{}{}
	}
	if asked {
		return nil
	}
	return fmt.Errorf("speech server: %w", err)
}

// stopWait is how long a reply that is being spoken may take to end.
const stopWait = 2 * time.Second

func (s *Server) stop(srv *http.Server, l net.Listener) {
	_ = l.Close() // first: Server.Close waits for Serve in a synctest bubble
	ctx, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	if srv.Shutdown(ctx) != nil {
		_ = srv.Close()
	}
}

// guard lets only those in who may: with a token who has it, without one this
// machine; and no page of another site (Origin), nor one that was resolved to
// this machine behind the browser's back (Host).
func (s *Server) guard(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case s.Token != "" && !sameToken(bearer(r), s.Token):
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeError(w, http.StatusUnauthorized, "invalid_api_key", "", "missing or wrong token")
		case s.Token == "" && !local(r):
			writeError(w, http.StatusForbidden, "not_local", "", "without a token only this machine is served")
		case !ownOrigin(r):
			writeError(w, http.StatusForbidden, "origin", "", "pages of other sites are not served")
		default:
			next(w, r)
		}
	})
}

func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// sameToken compares in constant time, whatever the lengths.
func sameToken(got, want string) bool {
	a, b := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(want))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// local reports whether r came from this machine and meant it.
func local(r *http.Request) bool {
	return peerHere(r.RemoteAddr) && loopback(r.Host)
}

// ownOrigin is true for clients that are no browser, and for pages of this
// machine.
func ownOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && (loopback(u.Host) || u.Host == r.Host && bearer(r) != "")
}

// peerHere reports whether a peer's address is this machine's. What is no IP
// address (a pipe, a Unix socket) cannot be anything else.
func peerHere(addr string) bool { return addr == "pipe" || addr == "@" || loopback(addr) }

// loopback reports whether a host, with or without a port, is this machine.
// Nothing else than these names and addresses is: a network may have given any
// other name to this machine's address. No host at all is no browser's.
func loopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if host == "localhost" || host == "" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
