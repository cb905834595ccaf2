package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"homebot/internal/event"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/voice"
)

// fakeAgent echoes words; "slow" waits until it is let go, "endless" until it is
// cancelled.
type fakeAgent struct {
	mu      sync.Mutex
	turns   []voice.Turn
	mode    *event.Mode
	start   error
	started chan struct{} // a slow turn is in progress
	letGo   chan struct{}
}

func newFake() *fakeAgent {
	return &fakeAgent{started: make(chan struct{}, 10), letGo: make(chan struct{})}
}

func (a *fakeAgent) Start(context.Context) error { return a.start }

func (a *fakeAgent) ExitMode(context.Context) (*event.Mode, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.mode
	a.mode = nil
	return m, nil
}

func (a *fakeAgent) Handle(ctx context.Context, t voice.Turn, r voice.Reply) error {
	if t.Text == "fail" {
		return errors.New("workspace lost")
	}
	if t.Text == "full" {
		return phrases.Errorf(phrases.DiskFull)
	}
	if t.Text == "flood" {
		a.started <- struct{}{}
		for range 5000 {
			r.Write(strings.Repeat("x", 200))
		}
	}
	if t.Text == "slow" {
		a.started <- struct{}{}
		<-a.letGo
	}
	if t.Text == "endless" {
		a.started <- struct{}{}
		<-ctx.Done()
	}
	a.mu.Lock()
	a.turns = append(a.turns, t)
	a.mu.Unlock()
	r.Write("you said ")
	r.Write("<" + t.Text + ">")
	heard, _ := r.Finish(ctx, voice.Continue)
	r.Done(voice.Result{ID: t.ID, Reply: heard, Next: voice.Continue, Mode: a.mode, Usage: llm.Usage{Prompt: 3},
		Latency: voice.Latency{Total: 1500 * time.Millisecond}})
	return nil
}

// running is an engine on a workspace of its own, until the test ends.
type running struct {
	workspace string
	agent     *fakeAgent
	bus       *event.Bus
	stop      func() error
}

func run(t *testing.T, workspace string, beside ...func(context.Context) error) *running {
	t.Helper()
	return runWith(t, workspace, nil, beside...)
}

// runWith is run with ears and a voice.
func runWith(t *testing.T, workspace string, sound Sound, beside ...func(context.Context) error) *running {
	t.Helper()
	r := &running{workspace: workspace, agent: newFake(), bus: event.NewBus(event.State{Dialogue: event.Idle})}
	lock, err := Acquire(workspace)
	if err != nil {
		t.Fatal(err)
	}
	e := New(Config{Workspace: workspace, Agent: r.agent, Bus: r.bus, Sound: sound, Beside: beside})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	var once sync.Once
	var failed error
	r.stop = func() error {
		once.Do(func() {
			cancel()
			failed = errors.Join(<-done, lock.Release())
		})
		return failed
	}
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
	select {
	case <-e.Ready():
	case err := <-done:
		t.Fatalf("engine ended: %v", err)
	}
	return r
}

func (r *running) connect(t *testing.T) *Client {
	t.Helper()
	c, err := Connect(context.Background(), r.workspace, func() (*Engine, error) {
		return nil, errors.New("there is an engine already")
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// S4: turn, status, exit and watch over the socket.
func TestProtocol(t *testing.T) {
	r := run(t, t.TempDir())
	c := r.connect(t)
	var deltas []string
	o, err := c.Turn(context.Background(), Turn{ID: "1", Channel: "text", Speaker: "mama", Text: "你好"}, func(d string) { deltas = append(deltas, d) })
	if err != nil || o.Reply != "you said <你好>" || o.DialogueState != event.Listening || o.Latency.Total != 1500 || o.Usage.Prompt != 3 {
		t.Errorf("turn: %+v %v", o, err)
	}
	if strings.Join(deltas, "|") != "you said |<你好>" {
		t.Errorf("deltas %q", deltas)
	}
	if got := r.agent.turns[0]; got.Speaker != "mama" || got.ID != "1" || got.Channel != "text" {
		t.Errorf("the agent got %+v", got)
	}
	r.agent.mode = &event.Mode{ID: "cooking", SessionID: "cook-1"}
	if m, err := c.Exit(); err != nil || m == nil || m.ID != "cooking" {
		t.Errorf("exit: %+v %v", m, err)
	}
	if m, err := c.Exit(); err != nil || m != nil {
		t.Errorf("exit while inactive: %+v %v", m, err)
	}
	if s, err := c.Status(); err != nil || s.Dialogue != event.Idle {
		t.Errorf("status: %+v %v", s, err)
	}
	if _, err := c.Turn(context.Background(), Turn{Channel: "text", Text: "fail"}, nil); err == nil || err.Error() != "workspace lost" {
		t.Errorf("a failing agent: %v", err)
	}
}

// The object of a turn has the keys of `chat --json` in their order.
func TestOutcomeKeys(t *testing.T) {
	data, err := json.Marshal(outcomeOf(voice.Result{ID: "x", Mode: &event.Mode{ID: "m", SessionID: "s"}}))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"x","reply":"","dialogue_state":"idle","mode":"m","session_id":"s","switch":[],"profile":"","profile_reason":"","table":0,` +
		`"trimmed":{"turns":0,"items":0,"summarised":0},"usage":{"prompt":0,"cached":0,"completion":0},` +
		`"latency_ms":{"queued":0,"first_token":0,"total":0},"error":null}`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
}

// A watcher gets a snapshot, then events; when it goes, nothing of it stays.
func TestWatch(t *testing.T) {
	r := run(t, t.TempDir())
	c := r.connect(t)
	seen := make(chan string, 10)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- c.Watch(ctx, func(s *event.State, e *event.Event) bool {
			switch {
			case s != nil:
				seen <- "state " + string(s.Dialogue)
			case e != nil:
				seen <- string(e.Kind)
			}
			return true
		})
	}()
	if got := <-seen; got != "state idle" {
		t.Errorf("first came %q", got)
	}
	r.bus.Publish(event.BargedIn, nil)
	if got := <-seen; got != "barge_in" {
		t.Errorf("then came %q", got)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := r.stop(); err != nil { // joins the connection's goroutines
		t.Error(err)
	}
}

// A workspace too deep for a socket's path is reached all the same.
func TestLongPath(t *testing.T) {
	deep := filepath.Join(t.TempDir(), strings.Repeat("深", 20), strings.Repeat("x", 60))
	r := run(t, deep)
	if len(filepath.Join(deep, socketName)) <= maxSocketPath {
		t.Fatal("the path is not long")
	}
	if _, err := r.connect(t).Status(); err != nil {
		t.Error(err)
	}
}

// raw sends lines to the socket and returns the answers.
func raw(t *testing.T, workspace string, lines ...string) []string {
	t.Helper()
	c, err := net.Dial("unix", filepath.Join(workspace, socketName))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	in := bufio.NewReader(c)
	var out []string
	for _, l := range lines {
		if _, err := c.Write([]byte(l)); err != nil && !errors.Is(err, unix.EPIPE) { // refused: the reason can be read
			t.Fatal(err)
		}
		if answer, err := in.ReadString('\n'); err == nil {
			out = append(out, answer)
		}
	}
	return out
}

// Nonsense is answered with one line each, and the engine lives on.
func TestNonsense(t *testing.T) {
	r := run(t, t.TempDir())
	got := raw(t, r.workspace, "garbage\n", "{}\n", `{"op":"fly"}`+"\n", `{"op":"turn"}`+"\n", `{"op":"status"}`+"\n")
	if len(got) != 5 {
		t.Fatalf("%d answers: %q", len(got), got)
	}
	for _, answer := range got[:4] {
		if !strings.Contains(answer, `"error":"`) {
			t.Errorf("got %s", answer)
		}
	}
	if !strings.Contains(got[4], `"dialogue_state":"idle"`) {
		t.Errorf("status: %s", got[4])
	}
	long := raw(t, r.workspace, `{"op":"`+strings.Repeat("x", maxLine)+"\n")
	if len(long) != 1 || !strings.Contains(long[0], "longer than") {
		t.Errorf("a long line: %.100q", long)
	}
}

// More clients than there are places are told so.
func TestTooManyClients(t *testing.T) {
	r := run(t, t.TempDir())
	for range maxClients {
		c := r.connect(t)
		if _, err := c.Status(); err != nil {
			t.Fatal(err)
		}
	}
	got := raw(t, r.workspace, `{"op":"status"}`+"\n")
	if len(got) != 1 || !strings.Contains(got[0], "clients at once") {
		t.Errorf("one more: %q", got)
	}
}

// A turn in progress is finished when the engine is told to stop, and its client
// gets the outcome.
func TestStopFinishesTurns(t *testing.T) {
	r := run(t, t.TempDir())
	c := r.connect(t)
	result := make(chan error, 1)
	go func() {
		_, err := c.Turn(context.Background(), Turn{Channel: "text", Text: "slow"}, nil)
		result <- err
	}()
	<-r.agent.started
	stopped := make(chan error, 1)
	go func() { stopped <- r.stop() }()
	close(r.agent.letGo)
	if err := <-result; err != nil {
		t.Errorf("the turn: %v", err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// A client that goes away in the middle does not take its turn along.
func TestClientGoesAway(t *testing.T) {
	r := run(t, t.TempDir())
	c, err := net.Dial("unix", filepath.Join(r.workspace, socketName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write([]byte(`{"op":"turn","turn":{"channel":"text","text":"slow"}}` + "\n")); err != nil {
		t.Fatal(err)
	}
	<-r.agent.started
	_ = c.Close()
	close(r.agent.letGo)
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	if len(r.agent.turns) != 1 {
		t.Errorf("%d turns were finished", len(r.agent.turns))
	}
}

// R50: a client that does not read holds nobody up: its turn goes on without it.
func TestClientThatDoesNotRead(t *testing.T) {
	r := run(t, t.TempDir())
	c, err := net.Dial("unix", filepath.Join(r.workspace, socketName))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte(`{"op":"turn","turn":{"channel":"text","text":"flood"}}` + "\n")); err != nil {
		t.Fatal(err)
	}
	<-r.agent.started
	if err := r.stop(); err != nil { // waits for the turn, which must not wait for the client
		t.Error(err)
	}
	if len(r.agent.turns) != 1 {
		t.Errorf("%d turns were finished", len(r.agent.turns))
	}
}

// A line that is too long is answered on a pipe too, where nobody else reads.
func TestLongLineOnAPipe(t *testing.T) {
	workspace := t.TempDir()
	c, err := Connect(context.Background(), workspace, func() (*Engine, error) {
		return New(Config{Workspace: workspace, Agent: newFake(), Bus: event.NewBus(event.State{})}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Turn(context.Background(), Turn{Channel: "text", Text: strings.Repeat("x", maxLine)}, nil); err == nil {
		t.Error("a line longer than the limit was taken")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// R43: a client's channel is text or web, whatever it says.
func TestChannels(t *testing.T) {
	r := run(t, t.TempDir())
	c := r.connect(t)
	for _, channel := range []string{"web", "text", "voice", "../../evil", "text]\n[x"} {
		if _, err := c.Turn(context.Background(), Turn{Channel: channel, Text: "x"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"web", "text", "text", "text", "text"} {
		if got := r.agent.turns[i].Channel; got != want {
			t.Errorf("turn %d is on channel %q, want %q", i, got, want)
		}
	}
}

// S4: without an engine a command becomes one, serves others, and lets go.
func TestConnectBecomesTheEngine(t *testing.T) {
	workspace := t.TempDir()
	agent := newFake()
	build := func() (*Engine, error) {
		return New(Config{Workspace: workspace, Agent: agent, Bus: event.NewBus(event.State{Dialogue: event.Idle})}), nil
	}
	one, err := Connect(context.Background(), workspace, build)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Connect(context.Background(), workspace, func() (*Engine, error) { return nil, errors.New("a second engine") })
	if err != nil {
		t.Fatal(err)
	}
	if o, err := two.Turn(context.Background(), Turn{Channel: "text", Text: "x"}, nil); err != nil || o.Reply != "you said <x>" {
		t.Errorf("through the other: %+v %v", o, err)
	}
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	two.build = build
	if o, err := two.Turn(context.Background(), Turn{Channel: "text", Text: "y"}, nil); err != nil || o.Reply != "you said <y>" {
		t.Errorf("after the engine went: %+v %v", o, err)
	}
	if err := two.Close(); err != nil {
		t.Error(err)
	}
	lock, err := Acquire(workspace)
	if err != nil {
		t.Errorf("the lock was kept: %v", err)
	} else {
		_ = lock.Release()
	}
}

// An engine that cannot start says why, and holds nothing.
func TestStartFails(t *testing.T) {
	workspace := t.TempDir()
	agent := newFake()
	agent.start = errors.New("no")
	for range 2 {
		_, err := Connect(context.Background(), workspace, func() (*Engine, error) {
			return New(Config{Workspace: workspace, Agent: agent, Bus: event.NewBus(event.State{})}), nil
		})
		if err == nil || !strings.Contains(err.Error(), "no") || errors.Is(err, ErrHeld) {
			t.Errorf("got %v", err)
		}
	}
}

// What runs beside the engine ends it when it fails.
func TestBesideFails(t *testing.T) {
	workspace := t.TempDir()
	boom := errors.New("the microphone exploded")
	e := New(Config{Workspace: workspace, Agent: newFake(), Bus: event.NewBus(event.State{}),
		Beside: []func(context.Context) error{func(context.Context) error { return boom }}})
	if err := e.Run(context.Background()); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
}

// A workspace that cannot be is one line with the way out.
func TestWorkspaceErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Acquire(filepath.Join(file, "ws"))
	if err == nil || !strings.Contains(err.Error(), "--workspace") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
	dir := t.TempDir()
	lock, err := Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if _, err := Acquire(dir); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("a held workspace: %v", err)
	}
}

func FuzzRequest(f *testing.F) {
	f.Add(`{"op":"status"}`)
	f.Add(`{"op":"turn","turn":{"text":"x"}}`)
	f.Add(`{"op":1}`)
	f.Add("\x00")
	f.Add(`{"op":"control","control":{"do":"volume","percent":-1,"steps":99999999}}`)
	s := server{agent: newFake(), bus: event.NewBus(event.State{}), sound: &fakeSound{}}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "watch") || strings.Contains(line, "slow") {
			return // they wait by design
		}
		var out strings.Builder
		mine, its := net.Pipe()
		defer mine.Close()
		defer its.Close()
		c := &session{server: &s, conn: its, out: json.NewEncoder(&out)}
		if err := c.answer(context.Background(), []byte(line)); err != nil {
			t.Fatal(err)
		}
		for answer := range strings.Lines(out.String()) {
			var r response
			if err := json.Unmarshal([]byte(answer), &r); err != nil {
				t.Errorf("%q answered %q", line, answer)
			}
		}
	})
}
