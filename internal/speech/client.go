package speech

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"homebot/internal/phrases"

	"github.com/gorilla/websocket"
)

// Config is what a Client needs. URL, and Hello's phrases, have no default.
type Config struct {
	URL   string // of the server: http, https, ws or wss; a path other than / and /v1 is kept
	Token string // "" sends none
	Hello Hello  // Version and Rate are filled in
	// BackoffMin and BackoffMax bound the wait between two tries, which doubles
	// and varies by half: 100 ms and 5 s when zero.
	BackoffMin, BackoffMax time.Duration
	// Dial replaces net.Dialer.DialContext (tests, other transports).
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Logger *slog.Logger // nil: silent
}

// handshakeWait bounds connecting; readyWait the time from hello, or from the last
// word that models are being loaded, to ready; steady is how long a connection must have
// lived for its loss to be answered at once.
const (
	handshakeWait = 5 * time.Second
	readyWait     = 30 * time.Second
	steady        = time.Second
	// heardQueue lets the reader go on while a turn is being set up. A consumer
	// further behind stops the reading, and after a while the server ends it.
	heardQueue = 16
	// maxHeard bounds one message from the server.
	maxHeard = 1 << 20
)

// Client keeps one connection to a speech server, for as long as Run runs. Its
// other methods may be called from any goroutine, and never block.
type Client struct {
	cfg   Config
	log   *slog.Logger
	heard chan Heard // heardQueue

	mu      sync.Mutex // guards the rest
	wire    *wire      // nil while there is no connection
	abandon context.CancelCauseFunc
	sent    int // samples given to Send
	base    int // sent when this connection began
	dropped int // samples given to Send in vain
}

// NewClient makes a Client. It connects to nothing before Run.
func NewClient(cfg Config) *Client {
	cfg.Hello.Version, cfg.Hello.Rate = ProtocolVersion, CaptureRate
	if cfg.BackoffMin == 0 {
		cfg.BackoffMin = 100 * time.Millisecond
	}
	if cfg.BackoffMax == 0 {
		cfg.BackoffMax = 5 * time.Second
	}
	log := cfg.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Client{cfg: cfg, log: log, heard: make(chan Heard, heardQueue)}
}

// Heard gives what was heard, in order, and the state of the connection: Ready
// each time it is there (waiting for a wake phrase), Loading while it takes long to
// be, one Failure with CodeLost
// or CodeRefused when it is not. Start and End count the samples given to Send
// since NewClient. It is closed when Run returns.
func (c *Client) Heard() <-chan Heard { return c.heard }

// Send passes audio on, of any length up to the server's limit; it keeps no
// reference to frame. While there is no connection it drops frame, counts it and
// returns ErrLost.
func (c *Client) Send(frame []int16) error {
	data := appendFrame(make([]byte, 0, 2*len(frame)), frame)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent += len(frame)
	err := c.send(websocket.BinaryMessage, data)
	if err != nil {
		c.dropped += len(frame)
	}
	return err
}

// Take begins an utterance now, in lang; "" keeps the voice session's language.
func (c *Client) Take(lang string) error { return c.command(sayTake, lang, false) }

// Overhear is Take while the device itself speaks: a server that can reports
// wake phrases too (Overhearer).
func (c *Client) Overhear(lang string) error { return c.command(sayTake, lang, true) }

// End ends the utterance: Final or NoSpeech will be heard.
func (c *Client) End() error { return c.command(sayEnd, "", false) }

// Wait drops what is being taken and waits for a wake phrase again.
func (c *Client) Wait() error { return c.command(sayWait, "", false) }

// Dropped is how many samples were given to Send in vain, since NewClient.
func (c *Client) Dropped() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dropped
}

func (c *Client) command(kind, lang string, overhear bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.send(websocket.TextMessage, encodeCommand(kind, lang, overhear))
}

// send queues a message; c.mu is held. A full queue is a server that has not
// read for seconds: the connection is given up, because leaving messages out
// would make every later sample count wrong.
func (c *Client) send(kind int, data []byte) error {
	if c.wire == nil {
		return ErrLost
	}
	if !c.wire.send(kind, data) {
		c.abandon(errors.New("the server does not read"))
		c.wire = nil
		return ErrLost
	}
	return nil
}

// Run keeps the connection until ctx ends, then returns nil. Any other return is
// an URL that can never work.
func (c *Client) Run(ctx context.Context) error {
	defer close(c.heard)
	target, err := listenURL(c.cfg.URL)
	if err != nil {
		return err
	}
	told := "" // the code of the outage that was reported; "" while all is well
	for tries := 0; ctx.Err() == nil; {
		lived, err := c.connection(ctx, target)
		if ctx.Err() != nil {
			break
		}
		code := lostCode(err)
		if lived == 0 && told == code { // once an outage: one may last for days
			c.log.Debug("speech server still lost", "code", code, "err", err)
		} else {
			told = code
			c.log.Warn("speech server lost", "code", code, "err", err)
			c.emit(ctx, Heard{Kind: Failure, Code: code, Text: oneLine(err.Error())})
		}
		if lived >= steady {
			tries = 0
			continue
		}
		c.pause(ctx, tries)
		tries++
	}
	return nil
}

// pause waits before the next try: doubling, between half and all of it.
func (c *Client) pause(ctx context.Context, tries int) {
	d := c.cfg.BackoffMax
	if tries < 16 {
		d = min(d, c.cfg.BackoffMin<<tries)
	}
	d = d/2 + rand.N(d/2+1)
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// lostCode is CodeRefused for a server that is there and says no to us.
func lostCode(err error) string {
	var no *refused
	if errors.As(err, &no) {
		return CodeRefused
	}
	return CodeLost
}

// refused is a handshake that the server answered with 401 or 403.
type refused struct{ status int }

// Error is In English.
func (r *refused) Error() string { return r.In(phrases.English) }

// In is the refusal in lang.
func (r *refused) In(lang string) string {
	if r.status == http.StatusUnauthorized {
		return phrases.SpeechRefusesToken.In(lang)
	}
	return phrases.SpeechOwnMachine.In(lang)
}

// connection is one connection from dialling to its loss. lived is how long it
// was ready, 0 if never.
func (c *Client) connection(ctx context.Context, target string) (lived time.Duration, err error) {
	conn, err := c.dial(ctx, target)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := newWire(conn, maxHeard)
	w.send(websocket.TextMessage, encodeHello(c.cfg.Hello))
	c.install(w, cancel)
	defer c.uninstall(w)
	late := time.AfterFunc(readyWait, func() { cancel(errors.New("the speech server does not get ready")) })
	defer late.Stop()
	var ready time.Time
	err = w.run(ctx, func(kind int, data []byte) error {
		h, err := c.decode(kind, data)
		if err != nil || h.Kind == "" {
			return err
		}
		if h.Kind == Loading && ready.IsZero() {
			late.Reset(readyWait) // it lives; a second connection would load a second time
		}
		if h.Kind == Ready && ready.IsZero() {
			late.Stop()
			ready = time.Now()
		}
		c.emit(ctx, h)
		return nil
	})
	if !ready.IsZero() {
		lived = max(time.Since(ready), 1)
	}
	return lived, err
}

// decode reads one message; a zero Heard is one to ignore.
func (c *Client) decode(kind int, data []byte) (Heard, error) {
	if kind != websocket.TextMessage {
		return Heard{}, nil
	}
	h, err := decodeHeard(data)
	if err != nil {
		return Heard{}, fmt.Errorf("the server speaks another protocol: %w", err)
	}
	if !h.known() {
		return Heard{}, nil
	}
	if h.Kind != Ready && (h.Kind != Failure || h.End > 0) {
		c.mu.Lock()
		h.Start, h.End = h.Start+c.base, h.End+c.base
		c.mu.Unlock()
	}
	return h, nil
}

func (c *Client) install(w *wire, abandon context.CancelCauseFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wire, c.abandon, c.base = w, abandon, c.sent
}

func (c *Client) uninstall(w *wire) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wire == w {
		c.wire = nil
	}
}

func (c *Client) emit(ctx context.Context, h Heard) {
	select {
	case c.heard <- h:
	case <-ctx.Done():
	}
}

func (c *Client) dial(ctx context.Context, target string) (*websocket.Conn, error) {
	d := websocket.Dialer{
		HandshakeTimeout: handshakeWait,
		NetDialContext:   c.cfg.Dial,
		ReadBufferSize:   4096, WriteBufferSize: 4096,
	}
	header := http.Header{}
	if c.cfg.Token != "" {
		header.Set("Authorization", "Bearer "+c.cfg.Token)
	}
	conn, resp, err := d.DialContext(ctx, target, header)
	if err == nil {
		return conn, nil
	}
	if resp == nil {
		return nil, phrases.Errorf(phrases.SpeechUnreachable, hostOf(target), err)
	}
	if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden {
		return nil, &refused{resp.StatusCode}
	}
	return nil, phrases.Errorf(phrases.SpeechAnswers, hostOf(target), resp.Status)
}

// listenURL is where the websocket of the server at base is.
func listenURL(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("speech url %q: want http://HOST:PORT", redact(base))
	}
	switch u.Scheme {
	case "http", "ws":
		u.Scheme = "ws"
	case "https", "wss":
		u.Scheme = "wss"
	default:
		return "", fmt.Errorf("speech url %q: want http, https, ws or wss", redact(base))
	}
	if p := strings.TrimRight(u.Path, "/"); p == "" || p == "/v1" {
		u.Path = "/v1/listen"
	}
	return u.String(), nil
}

// redact leaves no password of an URL readable.
func redact(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return "?"
	}
	return u.Redacted()
}

func hostOf(target string) string {
	if u, err := url.Parse(target); err == nil {
		return u.Host
	}
	return "?"
}
