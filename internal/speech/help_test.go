package speech_test

import (
	"context"
	"encoding/json"
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

	"github.com/gorilla/websocket"

	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
)

var hello = speech.Hello{
	Version: 1, Rate: 16000, Languages: []string{"zh", "en"},
	Wake: []speech.Phrase{{Text: "hey home bot", Lang: "en"}, {Text: "你好小厨", Lang: "zh"}},
}

// silence of d.
func silence(d time.Duration) []int16 { return make([]int16, int(d.Seconds()*speech.CaptureRate)) }

// house is a server on a Pipe and what a test may do to it. In a bubble call
// close before the end.
type house struct {
	pipe   *speechtest.Pipe
	server *speech.Server
	cancel context.CancelFunc
	wg     sync.WaitGroup
	err    error // of Run
}

func open(t *testing.T, s *speech.Server) *house {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h := &house{pipe: speechtest.NewPipe(), server: s, cancel: cancel}
	h.wg.Go(func() { h.err = s.Run(ctx, h.pipe) })
	t.Cleanup(h.close)
	return h
}

func (h *house) close() {
	h.cancel()
	h.wg.Wait()
}

// dial is a raw websocket to the house.
func (h *house) dial(t *testing.T) *websocket.Conn {
	t.Helper()
	d := websocket.Dialer{NetDialContext: h.pipe.Dial}
	conn, resp, err := d.Dial("ws://localhost/v1/listen", nil)
	if err != nil {
		t.Fatalf("dial: %v %v", err, resp)
	}
	return conn
}

// guest is a running client and everything it heard.
type guest struct {
	*speech.Client
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

func visit(t *testing.T, cfg speech.Config) *guest {
	t.Helper()
	if cfg.URL == "" {
		cfg.URL = speechtest.PipeURL
	}
	if cfg.Hello.Wake == nil {
		cfg.Hello = hello
	}
	ctx, cancel := context.WithCancel(context.Background())
	g := &guest{Client: speech.NewClient(cfg), cancel: cancel}
	g.wg.Go(func() {
		if err := g.Run(ctx); err != nil {
			t.Errorf("Client.Run: %v", err)
		}
	})
	t.Cleanup(g.close)
	return g
}

func (g *guest) close() {
	g.cancel()
	g.wg.Wait()
}

// next waits for something of kind and fails on anything else.
func (g *guest) next(t *testing.T, kind speech.HeardKind) speech.Heard {
	t.Helper()
	select {
	case h, ok := <-g.Heard():
		if !ok || h.Kind != kind {
			t.Fatalf("heard %+v, want %s", h, kind)
		}
		return h
	case <-time.After(90 * time.Second):
		t.Fatalf("nothing heard, want %s", kind)
	}
	panic("unreachable")
}

// send sends pcm in 20 ms frames.
func (g *guest) send(t *testing.T, pcm []int16) {
	t.Helper()
	for frame := range slices.Chunk(pcm, 320) {
		if err := g.Send(frame); err != nil {
			t.Fatalf("Send: %v", err)
		}
	}
}

// readUntilClosed reads a raw websocket to its end: what was heard, and the
// close code.
func readUntilClosed(t *testing.T, conn *websocket.Conn) (heard []speech.Heard, code int) {
	t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		_, data, err := conn.ReadMessage()
		var closed *websocket.CloseError
		if errors.As(err, &closed) {
			return heard, closed.Code
		}
		if err != nil {
			t.Fatalf("read: %v", err)
		}
		var h speech.Heard
		if err := json.Unmarshal(data, &h); err != nil {
			t.Fatal(err)
		}
		heard = append(heard, h)
	}
}

// serveHTTP serves s over a real socket and returns its base URL.
func serveHTTP(t *testing.T, s *speech.Server) string {
	t.Helper()
	srv := httptest.NewServer(s.Handler())
	t.Cleanup(srv.Close)
	return srv.URL
}

func post(t *testing.T, url, body string, header ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// tcpListener is a listener on a free or a given port of this machine.
func tcpListener(t *testing.T, addr string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// get is the status and the body of a door.
func (h *house) get(t *testing.T, path string) string {
	t.Helper()
	c := http.Client{Transport: &http.Transport{DialContext: h.pipe.Dial, DisableKeepAlives: true}}
	resp, err := c.Get("http://localhost" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(resp.StatusCode, " ", strings.TrimSpace(string(body)))
}
