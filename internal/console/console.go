package console

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"homebot/internal/config"
	"homebot/internal/console/cert"
	"homebot/internal/console/door"
	"homebot/internal/console/web"
	"homebot/internal/event"
	"homebot/internal/store"
	"homebot/skills/timers"
	"homebot/voice"
)

// Bus is what a console watches (event.Bus).
type Bus interface {
	Watch(ctx context.Context, buffer int) (event.State, <-chan event.Event)
	Snapshot() event.State
}

// Agent answers turns and ends modes (agent.Agent).
type Agent interface {
	voice.Handler
	ExitMode(ctx context.Context) (*event.Mode, error)
}

// Timers are the house's timers (timers.Desk).
type Timers interface {
	Do(ctx context.Context, c timers.Command) timers.Result
	Rows() []timers.Row
}

// Device is the device's own sound (voice.Loop).
type Device interface {
	Mute(ctx context.Context, on bool) error
	SetVolume(ctx context.Context, percent int) error
	Stop(ctx context.Context) error
	Repeat(ctx context.Context) error
	Forget() // the reply that Repeat would say
}

// Announcer speaks a sentence of the device's own (voice.Loop).
type Announcer interface {
	Announce(ctx context.Context, text, lang string) error
}

// Config is what a Console is made of. Settings, Workspace, FS, Bus and Agent
// must be set; what is nil of the rest the house does not have.
type Config struct {
	Settings  config.Console
	Lang      string // of who says nothing about it: "zh" or "en"
	Workspace string // absolute
	FS        store.FS
	Bus       Bus
	Agent     Agent
	Timers    Timers
	Kitchen   Kitchen
	History   History
	People    People
	Device    Device
	Announcer Announcer
	Talks     Talks
	Contexts  Contexts
	Counters  Counters
	Version   string
	Now       func() time.Time // nil: time.Now
	Log       *slog.Logger     // nil: no log
}

// Console serves the pages and the API. New starts nothing; Run does.
type Console struct {
	Config
	boot    string
	door    *door.Door
	hub     *hub
	names   names
	limits  *limits
	meters  *meters
	certs   *cert.Authority
	site    *web.Site
	handler http.Handler
	ready   chan struct{}
	turns   sync.WaitGroup // that outlive the page that asked for them
	stopped context.Context
	stop    context.CancelFunc

	mu   sync.Mutex
	at   Address
	http []*http.Server
}

// Address is where a console can be reached.
type Address struct {
	HTTP  string // "http://127.0.0.1:8080"
	HTTPS string // "" without https
	Open  bool   // for other machines
}

// New returns a console that listens nowhere yet. The error is about the pages
// that are in this binary.
func New(c Config) (*Console, error) {
	site, err := web.New()
	if err != nil {
		return nil, err
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	k := &Console{Config: c, boot: newBoot(), ready: make(chan struct{})}
	k.stopped, k.stop = context.WithCancel(context.Background())
	k.door = door.New(c.FS, c.Workspace, c.Now)
	k.limits = newLimits()
	k.meters = newMeters(k)
	k.hub = newHub(k)
	k.names = newNames(c.Settings)
	k.site = site
	k.handler = k.routes()
	return k, nil
}

func newBoot() string {
	b := make([]byte, 8)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Handler is all of it, for tests and for a server of the caller's.
func (c *Console) Handler() http.Handler { return c.handler }

// Door is who is let in.
func (c *Console) Door() *door.Door { return c.door }

// Ready is closed when it listens, or has given that up.
func (c *Console) Ready() <-chan struct{} { return c.ready }

// Address is where it listens, once Ready is closed; zero when it does not.
func (c *Console) Address() Address {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Run serves until ctx ends, and joins all it started. A port that is taken, or
// may not be bound, is one line in the log: the device goes on without a page.
func (c *Console) Run(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	defer c.stop()
	all.Go(func() { c.hub.run(ctx) })
	lns, err := c.listen()
	if err != nil {
		c.Log.Error("no console", "err", err)
		close(c.ready)
		<-ctx.Done()
		return nil
	}
	for _, ln := range lns {
		srv := c.server(ln)
		all.Go(func() {
			if err := srv.Serve(ln.Listener); !errors.Is(err, http.ErrServerClosed) {
				c.Log.Error("the console ended", "address", ln.Addr(), "err", err)
			}
		})
	}
	close(c.ready)
	<-ctx.Done()
	c.shut()
	return nil
}

// When the device is told to stop, all is over within 5 s: turns may go on for
// stopGrace, and their answers have answerGrace to be sent.
const (
	stopGrace   = 4 * time.Second
	answerGrace = time.Second / 2
)

// shut ends the servers: websockets at once, turns after stopGrace.
func (c *Console) shut() {
	c.hub.closeAll()
	defer time.AfterFunc(stopGrace, c.stop).Stop()
	grace, cancel := context.WithTimeout(context.Background(), stopGrace+answerGrace)
	defer cancel()
	for _, srv := range c.servers() {
		if err := srv.Shutdown(grace); err != nil {
			_ = srv.Close()
		}
	}
	c.hub.sockets.Wait()
	c.turns.Wait()
	c.stop()
}

func (c *Console) servers() []*http.Server {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.http
}

// server is an HTTP server with every limit a stranger can test.
func (c *Console) server(ln listener) *http.Server {
	srv := &http.Server{
		Handler:           c.handler,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ConnState:         c.limits.connState,
		ErrorLog:          slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
		ConnContext:       func(ctx context.Context, conn net.Conn) context.Context { return withConn(ctx, conn) },
	}
	if ln.secure {
		srv.Protocols = new(http.Protocols)
		srv.Protocols.SetHTTP1(true) // websockets want HTTP/1.1
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.http = append(c.http, srv)
	return srv
}
