package speech_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
)

// The waits between tries double from 100 ms to 5 s, each between half and all
// of it, and one outage is told once, in the log too.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tries []time.Time
		var log strings.Builder
		g := visit(t, speech.Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Dial: func(context.Context, string, string) (net.Conn, error) {
			tries = append(tries, time.Now())
			return nil, errors.New("nobody there")
		}})
		if f := g.next(t, speech.Failure); f.Code != speech.CodeLost || !strings.Contains(f.Text, "cannot be reached") {
			t.Errorf("heard %+v", f)
		}
		time.Sleep(time.Minute)
		g.close()
		if h, ok := <-g.Heard(); ok {
			t.Errorf("heard %+v too", h)
		}
		if lines := strings.Count(log.String(), "\n"); lines != 1 {
			t.Errorf("%d lines in the log: %s", lines, &log)
		}
		jittered := false
		for i := 1; i < len(tries); i++ {
			want := min(100*time.Millisecond<<(i-1), 5*time.Second)
			got := tries[i].Sub(tries[i-1])
			if got < want/2 || got > want {
				t.Errorf("wait %d was %v, want %v to %v", i, got, want/2, want)
			}
			jittered = jittered || got != want
		}
		if len(tries) < 10 || !jittered {
			t.Errorf("%d tries in a minute, jittered: %v", len(tries), jittered)
		}
	})
}

// A connection that had lived is sought again at once; one that dies as soon as
// it is ready is not hammered.
func TestReconnectAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, &speech.Server{Engine: &speechtest.Engine{}})
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		g.next(t, speech.Ready)
		time.Sleep(2 * time.Second)
		began := time.Now()
		h.pipe.Cut()
		g.next(t, speech.Failure)
		g.next(t, speech.Ready)
		if d := time.Since(began); d != 0 {
			t.Errorf("reconnected after %v", d)
		}
		began = time.Now()
		h.pipe.Cut()
		g.next(t, speech.Failure)
		g.next(t, speech.Ready)
		if d := time.Since(began); d < 50*time.Millisecond || d > 100*time.Millisecond {
			t.Errorf("a flapping connection was back after %v, want a wait", d)
		}
		g.close()
		h.close()
	})
}

// While there is no connection audio is dropped and counted, never kept, and
// nothing blocks. When it is back, counts go on as those of Send.
func TestSendWhileDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var up atomic.Bool
		h := open(t, &speech.Server{Engine: &speechtest.Engine{}})
		g := visit(t, speech.Config{Dial: func(ctx context.Context, n, a string) (net.Conn, error) {
			if !up.Load() {
				return nil, errors.New("down")
			}
			return h.pipe.Dial(ctx, n, a)
		}})
		g.next(t, speech.Failure)
		for _, err := range []error{g.Send(make([]int16, 320)), g.Take("en"), g.End(), g.Wait()} {
			if !errors.Is(err, speech.ErrLost) {
				t.Errorf("err %v, want ErrLost", err)
			}
		}
		if g.Dropped() != 320 {
			t.Errorf("%d samples dropped, want 320", g.Dropped())
		}
		up.Store(true)
		g.next(t, speech.Ready)
		g.send(t, slices.Concat(silence(100*time.Millisecond), speechtest.Utter("hey home bot", "en", 3200)))
		if w := g.next(t, speech.Wake); w.Start != 320+1600 {
			t.Errorf("wake starts at %d, want %d", w.Start, 320+1600)
		}
		g.close()
		h.close()
	})
}

// frozen is a connection whose other end stops without closing (a stopped
// process, a pulled cable): after freeze nothing comes and nothing goes.
type frozen struct {
	net.Conn
	frozen *atomic.Bool
}

func (f frozen) Read(p []byte) (int, error) {
	n, err := f.Conn.Read(p)
	for err == nil && f.frozen.Load() { // what comes is lost, until the deadline
		n, err = f.Conn.Read(p)
	}
	return n, err
}

func (f frozen) Write(p []byte) (int, error) {
	if f.frozen.Load() {
		return len(p), nil
	}
	return f.Conn.Write(p)
}

// V8: a server that froze is found by its silence, within deadAfter.
func TestFrozenServerIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ice atomic.Bool
		h := open(t, &speech.Server{Engine: &speechtest.Engine{}})
		g := visit(t, speech.Config{Dial: func(ctx context.Context, n, a string) (net.Conn, error) {
			conn, err := h.pipe.Dial(ctx, n, a)
			return frozen{conn, &ice}, err
		}})
		g.next(t, speech.Ready)
		time.Sleep(time.Minute)
		ice.Store(true)
		began := time.Now()
		g.next(t, speech.Failure)
		if d := time.Since(began); d > speech.DeadAfter+2*time.Second {
			t.Errorf("noticed after %v", d)
		}
		ice.Store(false)
		g.next(t, speech.Ready)
		g.close()
		h.close()
	})
}

// V8: models that load for longer than a client waits for a silent server are
// loaded once: the client is told, and waits. /livez says that nothing hangs.
func TestSlowLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := &slowEngine{release: make(chan struct{})}
		h := open(t, &speech.Server{Engine: engine})
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		for range 20 { // 100 s
			g.next(t, speech.Loading)
		}
		if got := h.get(t, "/livez"); got != "200 ok" {
			t.Errorf("/livez says %q", got)
		}
		close(engine.release)
		g.next(t, speech.Ready)
		if n := engine.made.Load(); n != 1 {
			t.Errorf("%d recognisers were made, want one", n)
		}
		g.close()
		h.close()
	})
}

// V8: an engine that never gets ready is given up and tried again; meanwhile
// /livez says that it hangs, and with it the service's watchdog.
func TestNeverReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := &slowEngine{release: make(chan struct{})}
		h := open(t, &speech.Server{Engine: engine})
		g := visit(t, speech.Config{Dial: h.pipe.Dial})
		began := time.Now()
		f := <-g.Heard()
		for ; f.Kind == speech.Loading; f = <-g.Heard() {
		}
		want := speech.LoadLimit - speech.PingEvery + speech.ReadyWait
		if d := time.Since(began); f.Code != speech.CodeLost || d < want || d > want+2*speech.PingEvery {
			t.Errorf("after %v: %+v, want it lost after %v", d, f, want)
		}
		if got := h.get(t, "/livez"); !strings.HasPrefix(got, "503 a recogniser hangs in loading its models") {
			t.Errorf("/livez says %q", got)
		}
		close(engine.release)
		for f = <-g.Heard(); f.Kind == speech.Loading; f = <-g.Heard() {
		}
		if f.Kind != speech.Ready {
			t.Errorf("afterwards: %+v", f)
		}
		g.close()
		h.close()
	})
}

// slowEngine makes recognisers when it is released.
type slowEngine struct {
	speechtest.Engine
	release chan struct{}
	made    atomic.Int32
}

func (e *slowEngine) NewRecognizer(ctx context.Context, h speech.Hello) (speech.Recognizer, []speech.LeftOut, error) {
	e.made.Add(1)
	<-e.release
	return e.Engine.NewRecognizer(ctx, h)
}

// A server that speaks something else is an outage in one line, not a crash.
func TestNonsenseServers(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"web page": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>hello</html>")) },
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pipe := speechtest.NewPipe()
				srv := &http.Server{Handler: handler}
				go srv.Serve(pipe)
				g := visit(t, speech.Config{Dial: pipe.Dial})
				if f := g.next(t, speech.Failure); f.Code != speech.CodeLost || strings.Contains(f.Text, "\n") {
					t.Errorf("heard %+v", f)
				}
				g.close()
				pipe.Close()
				srv.Close()
			})
		})
	}
}

// V8, on a real socket: the server is killed in the middle of an utterance; the
// client says lost, and ready when a new one is there, waiting for a wake.
func TestServerKilledInUtterance(t *testing.T) {
	l := tcpListener(t, "127.0.0.1:0")
	addr := l.Addr().String()
	cut := &cutter{Listener: l}
	ctx, kill := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- (&speech.Server{Engine: &speechtest.Engine{}}).Run(ctx, cut) }()
	g := visit(t, speech.Config{URL: "http://" + addr})
	g.next(t, speech.Ready)
	g.send(t, speechtest.Utter("hey home bot", "en", 8000))
	g.next(t, speech.Wake)
	g.send(t, slices.Concat(silence(200*time.Millisecond), speechtest.Utter("open coo", "en", 4000)))
	g.next(t, speech.SpeechStarted)
	g.next(t, speech.Partial)
	cut.cut() // the sockets die first: no goodbye is heard, as with kill -9
	kill()
	if f := g.next(t, speech.Failure); f.Code != speech.CodeLost {
		t.Errorf("heard %+v", f)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	again := tcpListener(t, addr)
	ctx, stop := context.WithCancel(t.Context())
	go func() { ended <- (&speech.Server{Engine: &speechtest.Engine{}}).Run(ctx, again) }()
	g.next(t, speech.Ready)
	g.send(t, speechtest.Utter("open cooking mode", "en", 8000)) // no wake: must stay unheard
	g.send(t, speechtest.Utter("hey home bot", "en", 8000))
	g.next(t, speech.Wake)
	g.close()
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// cutter can cut the connections it accepted.
type cutter struct {
	net.Listener
	conns []net.Conn
}

func (c *cutter) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.conns = append(c.conns, conn)
	}
	return conn, err
}

func (c *cutter) cut() {
	for _, conn := range c.conns {
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
}

// BenchmarkFrame is the way of a 20 ms frame over a real socket to a recogniser
// and of its answer back.
func BenchmarkFrame(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- (&speech.Server{Engine: echoEngine{}}).Run(ctx, l) }()
	c := speech.NewClient(speech.Config{URL: "http://" + l.Addr().String(), Hello: hello})
	go func() { ended <- c.Run(ctx) }()
	<-c.Heard()
	frame := make([]int16, 320)
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Send(frame); err != nil {
			b.Fatal(err)
		}
		<-c.Heard()
	}
	stop()
	<-ended
	<-ended
}

// echoEngine answers every frame.
type echoEngine struct{}

func (echoEngine) NewRecognizer(context.Context, speech.Hello) (speech.Recognizer, []speech.LeftOut, error) {
	return echoRecognizer{}, nil, nil
}

type echoRecognizer struct{}

func (echoRecognizer) Accept([]int16) ([]speech.Heard, error) {
	return []speech.Heard{{Kind: speech.SpeechStarted}}, nil
}
func (echoRecognizer) Take(string) error            { return nil }
func (echoRecognizer) End() ([]speech.Heard, error) { return nil, nil }
func (echoRecognizer) Wait() error                  { return nil }
func (echoRecognizer) Close() error                 { return nil }
