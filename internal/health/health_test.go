package health_test

import (
	"context"
	"errors"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/internal/health"
	"homebot/internal/llm"
	"homebot/internal/llm/openai"
	"homebot/internal/phrases"
)

// mouth notes what it is to tell.
type mouth struct {
	mu   sync.Mutex
	told []string
}

func (m *mouth) Trouble(_ context.Context, code string, gone, back phrases.Phrase, wrong bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if wrong {
		m.told = append(m.told, code+": "+gone.EN)
	} else {
		m.told = append(m.told, code+": "+back.EN)
	}
	return nil
}

func (m *mouth) take() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := strings.Join(m.told, " | ")
	m.told = nil
	return s
}

// house is a bus with a monitor on it.
type house struct {
	bus   *event.Bus
	mouth mouth
	stop  func()
}

func watch(t *testing.T, checks ...*health.Check) *house {
	t.Helper()
	h := &house{bus: event.NewBus(event.State{Faults: []event.Fault{{Code: event.FaultVoice}}})}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { _ = h.bus.Run(ctx) })
	m := health.New(health.Config{Bus: h.bus, Lang: "en", Teller: &h.mouth}, checks...)
	all.Go(func() { _ = m.Run(ctx) })
	h.stop = sync.OnceFunc(func() { cancel(); all.Wait() })
	t.Cleanup(h.stop)
	return h
}

// wrong are the codes in the state beside the voice session's own.
func (h *house) wrong() string {
	var all []string
	for _, f := range h.bus.Snapshot().Faults {
		if f.Code != event.FaultVoice {
			all = append(all, f.Code)
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// V8: a fault is in the state from the look that finds it to the one that does not,
// with its sentence, beside others' faults, and each change is told once.
func TestFaultComesAndGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var found held[[]health.Finding]
		full := health.Finding{Code: event.FaultDisk, Gone: phrases.CardFull, Back: phrases.CardBack}
		broken := health.Finding{Code: event.FaultDisk, Gone: phrases.CardReadOnly, Back: phrases.CardBack}
		c := &health.Check{Every: time.Minute, Again: 10 * time.Second, Ask: func(context.Context) []health.Finding { return found.get() }}
		h := watch(t, c)
		_, events := h.bus.Watch(t.Context(), 64)
		look := func(at string, f ...health.Finding) {
			found.set(f)
			c.Nudge()
			synctest.Wait()
			_ = at
		}
		time.Sleep(time.Second)
		look("full", full)
		if f := h.bus.Snapshot().Faults; len(f) != 2 || f[1].Text != phrases.CardFull.EN || f[1].Since.IsZero() {
			t.Errorf("faults %+v", f)
		}
		since := h.bus.Snapshot().Faults[1].Since
		time.Sleep(30 * time.Second)
		look("another reason", broken)
		if f := h.bus.Snapshot().Faults; len(f) != 2 || f[1].Text != phrases.CardReadOnly.EN || f[1].Since != since {
			t.Errorf("faults %+v", f)
		}
		look("over")
		if got := h.wrong(); got != "" || len(h.bus.Snapshot().Faults) != 1 {
			t.Errorf("wrong %q, %+v", got, h.bus.Snapshot().Faults)
		}
		if got, want := h.mouth.take(), "disk: "+phrases.CardFull.EN+" | disk: "+phrases.CardBack.EN; got != want {
			t.Errorf("told %q, want %q", got, want)
		}
		h.stop()
		var kinds []string
		for e := range events {
			kinds = append(kinds, string(e.Kind))
		}
		if got := strings.Join(kinds, " "); got != "fault state fault_cleared" {
			t.Errorf("events %q", got)
		}
	})
}

// V8: a check that hangs, as a dying card makes it, keeps no other from telling.
func TestHangingCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		stuck := &health.Check{Every: time.Second, Again: time.Second, Ask: func(context.Context) []health.Finding { <-hang; return nil }}
		clock := &health.Clock{Now: func() time.Time { return time.Unix(60, 0) }, Kept: func() bool { return true }}
		h := watch(t, stuck, clock.Check())
		time.Sleep(time.Second)
		if got := h.wrong(); got != "clock" {
			t.Errorf("wrong %q", got)
		}
		close(hang)
		h.stop()
	})
}

// V8: a clock of 1970, one from before this program was built, and one that nobody
// has set on a board without a battery are told; a clock that is right is not, set
// or not.
func TestClock(t *testing.T) {
	built := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name         string
		now          time.Time
		synced, kept bool
		want         string
	}{
		{"1970", time.Unix(100, 0), false, true, "clock"},
		{"before it was built", built.Add(-time.Hour), true, true, "clock"},
		{"restored and not set", built.Add(time.Hour), false, false, "clock"},
		{"set", built.Add(time.Hour), true, false, ""},
		{"kept by a battery", built.Add(time.Hour), false, true, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var now held[time.Time]
			var synced held[bool]
			now.set(tt.now)
			synced.set(tt.synced)
			c := &health.Clock{
				Now: now.get, Built: built,
				Synchronised: synced.get, Kept: func() bool { return tt.kept },
			}
			h := watch(t, c.Check())
			synctest.Wait()
			if got := h.wrong(); got != tt.want {
				t.Errorf("%s: wrong %q, want %q", tt.name, got, tt.want)
			}
			now.set(built.Add(24 * time.Hour)) // the network is there
			synced.set(true)
			time.Sleep(11 * time.Second)
			if got := h.wrong(); got != "" {
				t.Errorf("%s: set, and still %q", tt.name, got)
			}
			h.stop()
		})
	}
}

// held is what a test changes while a check's goroutine reads it.
type held[T any] struct {
	mu sync.Mutex
	v  T
}

func (h *held[T]) get() T  { h.mu.Lock(); defer h.mu.Unlock(); return h.v }
func (h *held[T]) set(v T) { h.mu.Lock(); defer h.mu.Unlock(); h.v = v }

// V8: on a real disk that is full to the last byte, and has room again.
func TestRealDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	defer func() { _ = syscall.Unmount(dir, 0) }()
	d := &health.Disk{Workspace: dir}
	c := d.Check()
	ask := func(name string, want phrases.Phrase) {
		t.Helper()
		found := c.Ask(t.Context())
		if len(found) == 0 && want == (phrases.Phrase{}) {
			return
		}
		if len(found) != 1 || found[0].Gone != want {
			t.Errorf("%s: %+v, want %q", name, found, want.EN)
		}
	}
	ask("empty", phrases.Phrase{})
	fill := filepath.Join(dir, "fill")
	if err := os.WriteFile(fill, make([]byte, 4<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("filling it: %v", err)
	}
	ask("full", phrases.CardFull)
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	ask("room again", phrases.Phrase{})
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	ask("read-only", phrases.CardReadOnly)
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	ask("writable", phrases.Phrase{})
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// said streams what a scripted model says of one request.
func said(t *testing.T, m llm.Model) (err error) {
	t.Helper()
	for _, e := range m.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Content: "hi"}}}) {
		err = e
	}
	return err
}

// fails is a model whose requests end as it says.
type fails struct{ err error }

func (f *fails) Stream(context.Context, llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		if f.err != nil {
			yield(llm.Delta{}, f.err)
			return
		}
		yield(llm.Delta{Text: "hello"}, nil)
	}
}

// V8: the Wi-Fi away and back is found without a request; a model that refuses
// connections is another fault than a network that is away; while all is well one
// connection in five minutes is made.
func TestReach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var online held[bool]
		var dial held[error]
		var dials atomic.Int32
		online.set(true)
		r := &health.Reach{
			BaseURL: "https://llm.example.org/v1", Model: "m",
			Online: online.get,
			Dial: func(context.Context, string, string) (net.Conn, error) {
				dials.Add(1)
				if err := dial.get(); err != nil {
					return nil, err
				}
				a, b := net.Pipe()
				b.Close()
				return a, nil
			},
		}
		h := watch(t, r.Check())
		step := func(name, want string) {
			t.Helper()
			time.Sleep(16 * time.Second)
			if got := h.wrong(); got != want {
				t.Errorf("%s: wrong %q, want %q", name, got, want)
			}
		}
		step("well", "")
		time.Sleep(time.Hour)
		if n := dials.Load(); n > 14 {
			t.Errorf("%d connections in an hour", n)
		}
		online.set(false)
		step("no Wi-Fi", "network")
		online.set(true)
		step("back", "")
		model := &fails{}
		m := r.Watch(model)
		for _, tt := range []struct {
			name string
			err  error
			want string
		}{
			{"no name server", &net.DNSError{Err: "no such host"}, "network"},
			{"refused", &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "llm"},
			{"no route", &net.OpError{Op: "dial", Err: syscall.ENETUNREACH}, "network"},
		} {
			dial.set(tt.err)
			model.err = llm.ErrUnreachable
			_ = said(t, m)
			synctest.Wait() // a failed turn is news at once
			if got := h.wrong(); got != tt.want {
				t.Errorf("%s: wrong %q, want %q", tt.name, got, tt.want)
			}
			dial.set(nil)
			model.err = nil
			_ = said(t, m)
			synctest.Wait()
			if got := h.wrong(); got != "" {
				t.Errorf("%s: answered, and wrong %q", tt.name, got)
			}
		}
		model.err = context.Canceled
		_ = said(t, m)
		synctest.Wait()
		if got := h.wrong(); got != "" {
			t.Errorf("interrupted: wrong %q", got)
		}
		h.stop()
	})
}

// V8: with a real client and a real server: what refuses the key, lacks the model
// or fails inside is told apart, and over by itself when the list of models, which
// costs nothing, is right again. A server that is gone and back likewise.
func TestReachRealServer(t *testing.T) {
	var mu sync.Mutex
	chat, list, names := 200, 200, `{"data":[{"id":"scripted"}]}`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if q.Header.Get("Authorization") != "Bearer sk-very-secret" {
			t.Errorf("%s without the key", q.URL)
		}
		if strings.HasSuffix(q.URL.Path, "/models") {
			w.WriteHeader(list)
			_, _ = w.Write([]byte(names))
			return
		}
		w.WriteHeader(chat)
		_, _ = w.Write([]byte("{}"))
	}))
	defer srv.Close()
	r := &health.Reach{BaseURL: srv.URL + "/v1", Model: "scripted", Key: "sk-very-secret"}
	c := r.Check()
	m := r.Watch(openai.New(openai.Config{BaseURL: r.BaseURL, Model: "scripted", APIKey: "sk-very-secret"}))
	for _, tt := range []struct {
		name       string
		chat, list int
		names      string
		want       phrases.Phrase
	}{
		{"key refused", 401, 401, "", phrases.LLMKeyWrong},
		{"no such model", 404, 200, `{"data":[{"id":"another"}]}`, phrases.LLMKeyWrong},
		{"broken inside", 500, 503, "", phrases.LLMGone},
		{"a server without a list", 429, 404, "", phrases.Phrase{}},
	} {
		mu.Lock()
		chat, list, names = tt.chat, tt.list, tt.names
		mu.Unlock()
		if err := said(t, m); !errors.Is(err, llm.ErrRefused) {
			t.Errorf("%s: the request ended with %v", tt.name, err)
		}
		for range 2 { // it lasts as long as it lasts
			if got := gone(c.Ask(t.Context())); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, got.EN, tt.want.EN)
			}
		}
		mu.Lock()
		list, names = 200, `{"data":[{"id":"scripted"}]}`
		mu.Unlock()
		if got := gone(c.Ask(t.Context())); got != (phrases.Phrase{}) {
			t.Errorf("%s: over, and still %q", tt.name, got.EN)
		}
	}
	srv.Close()
	if err := said(t, m); !errors.Is(err, llm.ErrUnreachable) {
		t.Errorf("the server is gone: %v", err)
	}
	if got := gone(c.Ask(t.Context())); got != phrases.LLMGone {
		t.Errorf("the server is gone: %q", got.EN)
	}
	back := &httptest.Server{Listener: listen(t, strings.TrimPrefix(srv.URL, "http://")), Config: &http.Server{Handler: srv.Config.Handler}}
	back.Start()
	defer back.Close()
	if got := gone(c.Ask(t.Context())); got != (phrases.Phrase{}) {
		t.Errorf("the server is back: %q", got.EN)
	}
}

func gone(found []health.Finding) phrases.Phrase {
	if len(found) == 0 {
		return phrases.Phrase{}
	}
	return found[0].Gone
}

func listen(t *testing.T, addr string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Skipf("the port was taken by somebody else: %v", err)
	}
	return l
}

// The kernel's own tables of routes, as a Pi on Wi-Fi, without one, with IPv6 only,
// and with the reject route that every machine has.
func TestRoutes(t *testing.T) {
	const head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
	const reject = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n"
	for name, tt := range map[string]struct {
		four, six string
		want      bool
	}{
		"wifi":       {head + "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n", reject, true},
		"house only": {head + "wlan0\t0001A8C0\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0\n", reject, false},
		"nothing":    {head, "", false},
		"ipv6":       {head, "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003    wlan0\n", true},
		"garbage":    {"x\ty\n00000000 00000000\n", "0 0 0 0 0 0 0 0 zz zz\n", false},
	} {
		if got := health.Routes(tt.four, tt.six); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
