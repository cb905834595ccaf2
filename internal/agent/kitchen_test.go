package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"homebot/internal/agent"
	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/llm"
	"homebot/internal/store"
	"homebot/internal/store/storetest"
	"homebot/modes"
	"homebot/skills"
	"homebot/voice"
)

const workspace = "/home/kitchen"

// evening is the time of the seed's example, in a zone with an offset.
var evening = time.Date(2026, 10, 22, 19, 55, 0, 0, time.FixedZone("CST", 8*3600))

// step is what the model does with one request.
type step struct {
	text   string
	calls  []llm.ToolCall
	err    error // after the text
	cancel bool  // the turn's context ends while this is sent
}

func say(text string) step { return step{text: text} }

func call(name string, args any) step {
	data, _ := json.Marshal(args)
	return step{calls: []llm.ToolCall{{ID: "c-" + name, Name: name, Arguments: string(data)}}}
}

func enter(id string) step {
	return call("switch_mode", map[string]string{"action": "enter", "mode_id": id})
}
func exit() step { return call("switch_mode", map[string]string{"action": "exit"}) }

// model plays steps, one a request, and keeps the requests.
type model struct {
	steps    []step
	requests []llm.Request
	cancel   context.CancelFunc
	unbilled bool // no usage is reported
}

func (m *model) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		m.requests = append(m.requests, r)
		s := say("嗯。[[end]]")
		if len(m.steps) > 0 {
			s, m.steps = m.steps[0], m.steps[1:]
		}
		for _, c := range s.text {
			if !yield(llm.Delta{Text: string(c)}, nil) {
				return
			}
		}
		for _, c := range s.calls {
			if !yield(llm.Delta{ToolCall: &c}, nil) {
				return
			}
		}
		if s.cancel {
			m.cancel()
			yield(llm.Delta{}, ctx.Err())
			return
		}
		if s.err != nil {
			yield(llm.Delta{}, s.err)
			return
		}
		if !m.unbilled {
			yield(llm.Delta{Usage: &llm.Usage{Prompt: 10, Cached: 4, Completion: 2}}, nil)
		}
	}
}

// deaf understands nothing without a network.
type deaf struct{ model }

func (*deaf) Understands(llm.Request) bool { return false }

// reply keeps what the turn said and how it ended.
type reply struct {
	text   strings.Builder
	heard  *string // what the user heard of it, when not all
	result voice.Result
	done   bool
	fills  int // calls of MayFill
}

func (r *reply) MayFill()       { r.fills++ } // voice.Filled
func (r *reply) Write(s string) { r.text.WriteString(s) }
func (r *reply) Finish(ctx context.Context, _ voice.Next) (string, bool) {
	if r.heard != nil {
		return *r.heard, false
	}
	return r.text.String(), ctx.Err() == nil
}
func (r *reply) Done(res voice.Result) { r.result, r.done = res, true }

// kitchen is an agent on a disk in memory, with a clock that the test moves.
type kitchen struct {
	t      testing.TB
	disk   store.FS
	model  *model
	agent  *agent.Agent
	bus    *event.Bus
	mu     sync.Mutex // a running agent looks at the clock too
	clock  time.Time
	config func(*agent.Config)
	turns  int

	registry *modes.Registry // nil: the built-in modes
}

// now is the kitchen's clock.
func (k *kitchen) now() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.clock
}

func newKitchen(t testing.TB, disk store.FS) *kitchen {
	t.Helper()
	k := &kitchen{t: t, disk: disk, model: &model{}, clock: evening}
	k.restart()
	return k
}

// restart is a new process on the same disk.
func (k *kitchen) restart() {
	k.t.Helper()
	if err := k.tryRestart(); err != nil {
		k.t.Fatalf("start: %v", err)
	}
}

func (k *kitchen) tryRestart() error {
	k.bus = event.NewBus(event.State{Dialogue: event.Idle})
	registry := modes.NewRegistry(skills.Builtin, "")
	registry.Plugins = []modes.Plugin{stub()}
	c := agent.Config{
		FS: k.disk, Workspace: workspace, Registry: registry,
		Model: k.model, Offline: &deaf{}, Lang: "zh", Now: k.now, Bus: k.bus,
	}
	if k.registry != nil {
		c.Registry = k.registry
	}
	if k.config != nil {
		k.config(&c)
	}
	k.agent = agent.New(c)
	return k.agent.Start(context.Background())
}

// stub is a small plugin in the place of the real one, which lives beside this
// room: an index of finished sessions, nothing else.
func stub() modes.Plugin {
	return modes.Plugin{ID: "cooking", AfterExit: func(_ context.Context, s modes.Scope, e modes.Ended) error {
		old, err := s.Data.ReadFile("history.md")
		if err != nil && !errors.Is(err, fs.ErrNotExist) || strings.Contains(string(old), s.SessionID) {
			return err
		}
		return s.Data.Replace("history.md", append(fmt.Appendf(nil, "- %s %s\n", s.SessionID, e.Reason), old...))
	}}
}

// turn says words on the voice channel while the model plays steps.
func (k *kitchen) turn(words string, steps ...step) voice.Result {
	return k.as("guest", words, steps...)
}

func (k *kitchen) as(speaker, words string, steps ...step) voice.Result {
	k.t.Helper()
	r := &reply{}
	k.handle(voice.Turn{Channel: voice.ChannelVoice, ChatID: "voice-20261022-195500-abcdef", Speaker: speaker, Text: words}, r, steps...)
	return r.result
}

func (k *kitchen) handle(t voice.Turn, r *reply, steps ...step) {
	k.t.Helper()
	k.turns++
	k.mu.Lock()
	k.clock = k.clock.Add(time.Minute)
	k.mu.Unlock()
	if t.ID == "" {
		t.ID = fmt.Sprintf("%016x", k.turns)
	}
	k.model.steps = steps
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	k.model.cancel = cancel
	if err := k.agent.Handle(ctx, t, r); err != nil {
		k.t.Fatalf("%s: %v", t.Text, err)
	}
	if !r.done {
		k.t.Fatalf("%s: Done was not called", t.Text)
	}
	for _, q := range k.model.requests {
		if err := llm.WellFormed(q.Messages); err != nil {
			k.t.Fatalf("%s: %v", t.Text, err)
		}
	}
}

func (k *kitchen) read(path ...string) string {
	data, err := k.disk.ReadFile(filepath.Join(append([]string{workspace}, path...)...))
	if err != nil {
		return ""
	}
	return string(data)
}

func (k *kitchen) action() map[string]any {
	k.t.Helper()
	var a map[string]any
	if err := json.Unmarshal([]byte(k.read("modes", "action.json")), &a); err != nil {
		k.t.Fatalf("action.json: %v", err)
	}
	return a
}

// modeRecords are all records of all sessions of cooking, by session.
func (k *kitchen) modeRecords() map[string][]conversation.Record {
	out := map[string][]conversation.Record{}
	root := filepath.Join(workspace, "modes", "sessions", "cooking")
	entries, _ := k.disk.ReadDir(root)
	for _, e := range entries {
		records, _, err := conversation.Load(k.disk, filepath.Join(root, e.Name(), "conversation.jsonl"))
		if err == nil {
			out[e.Name()] = records
		}
	}
	return out
}

// session is the one session there is.
func (k *kitchen) session() (id string, records []conversation.Record) {
	k.t.Helper()
	all := k.modeRecords()
	if len(all) != 1 {
		k.t.Fatalf("%d sessions, want 1", len(all))
	}
	for id, records = range all {
	}
	return id, records
}

func newDisk() *storetest.Disk { return storetest.New("/home") }

func texts(msgs []llm.Message) []string {
	var out []string
	for _, m := range msgs {
		out = append(out, m.Role+": "+m.Content)
	}
	return out
}

func last[T any](s []T) T { return s[len(s)-1] }
