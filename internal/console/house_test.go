package console

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"homebot/internal/agent"
	"homebot/internal/config"
	"homebot/internal/console/door"
	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/llm/offline"
	"homebot/internal/phrases"
	"homebot/internal/store"
	"homebot/modes"
	"homebot/skills"
	homecooking "homebot/skills/home-cooking"
	"homebot/skills/timers"
)

// house is a console before real owners of everything: agent (without a model),
// modes, kitchen, timers, archive, on a workspace of its own.
type house struct {
	t       testing.TB
	dir     string
	bus     *event.Bus
	agent   *agent.Agent
	console *Console
	token   string
}

// newHouse runs one until the test ends. change may be nil.
func newHouse(t testing.TB, change func(*Config)) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), bus: event.NewBus(event.State{Dialogue: event.Idle, Volume: 70})}
	registry := modes.NewRegistry(skills.Builtin, "")
	registry.Plugins = []modes.Plugin{homecooking.Plugin()}
	book, err := timers.Open(timers.Config{FS: store.OS(), Workspace: h.dir, Bus: h.bus})
	if err != nil {
		t.Fatal(err)
	}
	desk := timers.NewDesk(book, "zh")
	offlineModes := func() (all []offline.Mode) {
		for _, m := range registry.Scan().Modes {
			mode := offline.Mode{ID: m.ID, Names: m.Names()}
			for _, tool := range m.Offered() {
				mode.Tools = append(mode.Tools, tool.Name)
			}
			all = append(all, mode)
		}
		return all
	}
	h.agent = agent.New(agent.Config{
		FS: store.OS(), Workspace: h.dir, Registry: registry, Tools: desk.Tools(), Timers: desk, Lang: "zh", Bus: h.bus,
		Offline: offline.New(offline.Config{Modes: offlineModes, NoModel: true, Active: func() string {
			if m := h.bus.Snapshot().Mode; m != nil {
				return m.ID
			}
			return ""
		}}),
	})
	if err := h.agent.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := Config{
		Settings: config.Console{Listen: "127.0.0.1:0", TLS: "off"}, Lang: "en", Workspace: h.dir, FS: store.OS(), Bus: h.bus,
		Agent: h.agent, People: h.agent, Contexts: h.agent, Counters: h.agent, Timers: desk, Version: "test",
		Kitchen: homecooking.NewKitchen(store.OS(), h.dir), History: modes.Archive{FS: store.OS(), Workspace: h.dir},
	}
	if change != nil {
		change(&c)
	}
	if h.console, err = New(c); err != nil {
		t.Fatal(err)
	}
	h.run(h.bus.Run, h.console.Run)
	<-h.console.Ready()
	secret, _, err := h.console.Door().Admit(door.Token, "test", door.All)
	if err != nil {
		t.Fatal(err)
	}
	h.token = secret
	return h
}

// run keeps parts alive until the test ends; the last one ends first.
func (h *house) run(parts ...func(context.Context) error) {
	for _, part := range parts {
		ctx, cancel := context.WithCancel(context.Background())
		var running sync.WaitGroup
		running.Go(func() {
			if err := part(ctx); err != nil {
				h.t.Error(err)
			}
		})
		h.t.Cleanup(func() { cancel(); running.Wait() })
	}
}

func (h *house) url(path string) string { return h.console.Address().HTTP + path }

// request is a program's, with the token.
func (h *house) request(method, path string, body any) *http.Request {
	h.t.Helper()
	var in io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			h.t.Fatal(err)
		}
		in = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.url(path), in)
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.token)
	r.Header.Set("Accept-Language", "en")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// send sends a request and follows no redirect.
func (h *house) send(r *http.Request) (*http.Response, string) {
	h.t.Helper()
	client := http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       30 * time.Second,
	}
	res, err := client.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return res, string(data)
}

// do asks and wants a status; the answer is read into into, if that is not nil.
func (h *house) do(method, path string, body any, status int, into any) *http.Response {
	h.t.Helper()
	res, text := h.send(h.request(method, path, body))
	if res.StatusCode != status {
		h.t.Fatalf("%s %s: %d, want %d: %s", method, path, res.StatusCode, status, text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			h.t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
	return res
}

// object is any JSON object.
type object = map[string]any

// records are those of the one mode session on disk.
func (h *house) records() []conversation.Record {
	h.t.Helper()
	logs, err := filepath.Glob(filepath.Join(h.dir, "modes/sessions/cooking/*/conversation.jsonl"))
	if err != nil || len(logs) != 1 {
		h.t.Fatalf("logs %v %v", logs, err)
	}
	records, _, err := conversation.Load(store.OS(), logs[0])
	if err != nil {
		h.t.Fatal(err)
	}
	return records
}

// within waits until ok, with a deadline for a slow machine.
func within(t testing.TB, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.Now().Add(20 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("not in 20 s: %s", what)
		}
		<-tick.C
	}
}

// metric is the value of a line of /metrics, "" when it is not there.
func (h *house) metric(name string) string {
	h.t.Helper()
	_, text := h.send(h.request("GET", "/metrics", nil))
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

func (h *house) exists(path string) bool {
	_, err := os.Stat(filepath.Join(h.dir, path))
	return err == nil
}

// The cooking page tells to say only what the recogniser of set phrases, the one
// without models, understands too.
func TestCookHintFitsEveryEngine(t *testing.T) {
	quoted := regexp.MustCompile("“([^”]+)”")
	for _, lang := range []string{phrases.Chinese, phrases.English} {
		words := quoted.FindAllStringSubmatch(phrases.ConsolePageCookHint.In(lang), -1)
		if len(words) == 0 {
			t.Errorf("%s: the hint names nothing to say", lang)
		}
		for _, w := range words {
			if !slices.ContainsFunc(offline.Phrases(lang), func(p offline.Phrase) bool { return p.Text == w[1] }) {
				t.Errorf("%s: %q is no set phrase", lang, w[1])
			}
		}
	}
}
