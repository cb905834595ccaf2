package agent_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/internal/contextmode"
	"homebot/internal/llm"
	"homebot/internal/llm/llmtest"
	"homebot/internal/llm/openai"
)

// spokenTurn is one turn of conversations.json.
type spokenTurn struct {
	T         int
	User      string
	Assistant string
	Fact      bool
	Speaker   string
}

type conversations struct {
	System string
	Voice  []spokenTurn
	Heavy  []spokenTurn
}

// loadConversations reads the shared conversations where they lie: in $CASES, or
// beside the project.
func loadConversations(t testing.TB) (c conversations) {
	t.Helper()
	dir := os.Getenv("CASES")
	if dir == "" {
		shared := os.Getenv("HOMEBOT_SHARED")
		if shared == "" {
			shared = filepath.Join("..", "..", "..", "shared")
		}
		dir = filepath.Join(shared, "cases", "context")
	}
	data, err := os.ReadFile(filepath.Join(dir, "conversations.json"))
	if err != nil {
		t.Skipf("%s is absent; set CASES to the folder of the shared conversations", dir)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// provider is the real client on a scripted server with a simulated prefix cache.
type provider struct {
	t      *testing.T
	client *openai.Client
	server *llmtest.Server
	path   llm.Usage // of the requests a user waits for
	all    llm.Usage
	cold   []int  // tokens not cached, by turn
	reply  string // to the next request
}

func newProvider(t *testing.T) *provider {
	p := &provider{t: t}
	p.server = llmtest.NewResponder(t, func(llmtest.Request) llmtest.Step { return llmtest.Reply(p.reply) })
	p.server.KeepsReplies = true
	p.client = openai.New(openai.Config{BaseURL: p.server.URL, Model: "deepseek-chat"})
	return p
}

// send makes one request and returns what of it was not cached.
func (p *provider) send(msgs []llm.Message, onPath bool) int {
	p.t.Helper()
	var u llm.Usage
	for d, err := range p.client.Stream(p.t.Context(), llm.Request{Messages: msgs}) {
		if err != nil {
			p.t.Fatal(err)
		}
		if d.Usage != nil {
			u = *d.Usage
		}
	}
	p.all.Prompt += u.Prompt
	p.all.Cached += u.Cached
	if onPath {
		p.path.Prompt += u.Prompt
		p.path.Cached += u.Cached
	}
	return u.Prompt - u.Cached
}

func (s spokenTurn) turn() contextmode.Turn {
	at := evening.Add(time.Duration(s.T) * time.Second)
	t := contextmode.Turn{
		At: at, Speaker: s.Speaker, User: s.User, Assistant: s.Assistant, Reply: s.Assistant,
		Sent: "[" + at.Format("15:04") + " " + s.Speaker + "]\n" + s.User,
	}
	if s.Fact {
		t.Facts = []contextmode.Fact{{Text: s.User}}
	}
	return t
}

// rounds are the tool calls of a turn, of the sizes that the benchmark says.
func (s spokenTurn) rounds(n int) (msgs [][]llm.Message) {
	for i, r := range []struct {
		words        []string
		call, result int // tokens
	}{{[]string{"计时器", "定"}, 38, 22}, {[]string{"还剩"}, 24, 26}, {[]string{"怎么做"}, 30, 260}, {[]string{"记一下"}, 36, 14}} {
		if slices.ContainsFunc(r.words, func(w string) bool { return !strings.Contains(s.User, w) }) {
			continue
		}
		id := fmt.Sprintf("call_%d_%d", n, i)
		args, _ := json.Marshal(map[string]string{"a": sized(n, r.call-14)})
		msgs = append(msgs, []llm.Message{
			{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: id, Name: "tool", Arguments: string(args)}}},
			{Role: llm.ToolRole, ToolCallID: id, Content: sized(n, r.result-4)},
		})
	}
	return msgs
}

// sized is a text of about so many tokens, another one for each n.
func sized(n, tokens int) string {
	return strings.Repeat(string(rune(0x4E00+n)), tokens*100/58)
}

// talkThrough runs a conversation as the agent does: cut on the path only when it
// must, else after the reply, with a summary and a warm-up.
func (p *provider) talkThrough(system string, spoken []spokenTurn, budget int) (cuts []contextmode.Cut) {
	var log []contextmode.Turn
	plan := func(current string, after bool) bool {
		in := contextmode.Input{
			Log: log, Cuts: cuts, Table: unlimited(p.t), Profile: contextmode.Compact, Budget: budget,
			Meter: contextmode.NewMeter("deepseek-chat", 0), Current: current, After: after,
		}
		out := contextmode.Plan(in)
		if out.Cut == nil {
			return false
		}
		if after {
			view := contextmode.Fold(log, cuts).Messages(system, contextmode.Instruction(log, out.Ranges, "zh"))
			p.send(messagesOf(view), false)
		}
		cuts = append(cuts, *out.Cut)
		return true
	}
	for n, s := range spoken {
		t := s.turn()
		plan(t.Sent, false)
		msgs := messagesOf(contextmode.Fold(log, cuts).Messages(system, t.Sent))
		cold := 0
		p.reply = "工具"
		for _, round := range s.rounds(n) {
			cold += p.send(msgs, true)
			msgs = append(msgs, round...)
		}
		p.reply = s.Assistant
		p.cold = append(p.cold, cold+p.send(msgs, true))
		p.reply = "摘要"
		log = append(log, t)
		if plan("", true) {
			p.send(messagesOf(contextmode.Fold(log, cuts).Messages(system, "…")), false)
		}
	}
	return cuts
}

// unlimited is the default table without max_turns, as the targets are measured.
func unlimited(t testing.TB) contextmode.Table {
	table, err := contextmode.ParseTable("x", []byte("version = 1\n[profile.compact]\nmax_turns = -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func messagesOf(view []contextmode.Message) []llm.Message {
	msgs := make([]llm.Message, len(view), len(view)+4)
	for i, m := range view {
		msgs[i] = llm.Message{Role: m.Role, Content: m.Content}
	}
	return msgs
}

// T1, through the real client and a server with a simulated prefix cache: the
// cached shares are those of the simulation; every first request of a turn begins
// with the one before, between cuts, byte for byte (T4).
func TestSharesThroughTheRealClient(t *testing.T) {
	c := loadConversations(t)
	for _, conv := range []struct {
		name   string
		spoken []spokenTurn
	}{{"voice", c.Voice}, {"heavy", c.Heavy}} {
		for i, budget := range []int{3000, 6000, 12000} {
			if os.Getenv("HOMEBOT_BENCH") == "" && budget != 6000 { // all of them: make bench-context
				continue
			}
			p := newProvider(t)
			cuts := p.talkThrough(c.System, conv.spoken, budget)
			share := float64(p.path.Cached) / float64(p.path.Prompt)
			least := []float64{0.96, 0.975, 0.98}[i]
			sum := 0
			for _, n := range p.cold {
				sum += n
			}
			verdict := map[bool]string{true: "ok  ", false: "MISS"}[share >= least]
			t.Logf("%s T1 real client, %s %d: cached %.4f, at least %.3f; all requests %.4f; not cached a turn %.0f; billed %.0f; %d cuts", verdict,
				conv.name, budget, share, least, float64(p.all.Cached)/float64(p.all.Prompt), float64(sum)/float64(len(p.cold)),
				float64(p.all.Prompt-p.all.Cached)+0.1*float64(p.all.Cached), len(cuts))
			if share < least {
				t.Errorf("T1 real client, %s %d: cached %.4f", conv.name, budget, share)
			}
		}
	}
}
