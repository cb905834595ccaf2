package contextmode

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var budgets = []int{3000, 6000, 12000}

// simulation runs policies over the shared conversations and keeps what it
// measured.
type simulation struct {
	conversations
	count *trueTokens
	done  map[string]figures
}

func newSimulation(t testing.TB) *simulation {
	return &simulation{loadConversations(t), newTrueTokens(t), map[string]figures{}}
}

func (s *simulation) spoken(name string) []spokenTurn {
	if name == "heavy" {
		return s.Heavy
	}
	return s.Voice
}

// figures of a policy at a budget.
func (s *simulation) figures(conv, pol string, budget int) figures {
	if pol == "none" {
		budget = 0
	}
	key := fmt.Sprint(conv, pol, budget)
	if _, ok := s.done[key]; !ok {
		s.done[key] = s.run(conv, s.policy(pol, budget))
	}
	return s.done[key]
}

func (s *simulation) run(conv string, pol policy) figures {
	return run(&provider{count: s.count, outputCached: true}, s.spoken(conv), pol)
}

func (s *simulation) policy(name string, budget int) policy {
	window := sliding{system: systemLayer(s.System), budget: budget}
	switch name {
	case "none":
		return &sliding{system: window.system}
	case "sliding":
		return &window
	case "rolling":
		return &rolling{window}
	}
	return newOurs(s.System, budget)
}

// target reports a figure beside what it must be.
func target(t *testing.T, ok bool, format string, args ...any) {
	t.Helper()
	if text := fmt.Sprintf(format, args...); ok {
		t.Log("ok   " + text)
	} else {
		t.Error("MISS " + text)
	}
}

// The targets of the benchmark: T1 to T4, with the policies beside ours. C20,
// C23, C11: between cuts every byte before the current turn is the same.
func TestTargets(t *testing.T) {
	s := newSimulation(t)
	convs := []string{"voice", "heavy"}
	t.Log("conversation budget policy  | cached (all requests) | billed | not cached a turn: mean p95 worst | cuts breaks")
	for _, conv := range convs {
		for _, budget := range budgets {
			policies := []string{"sliding", "ours"}
			if testing.Verbose() {
				policies = []string{"none", "sliding", "rolling", "ours"}
			}
			for _, pol := range policies {
				f := s.figures(conv, pol, budget)
				t.Logf("%-6s %6d %-8s | %.3f (%.3f) | %7.0f | %6.1f %5d %5d | %2d %3d",
					conv, budget, pol, f.share(), f.all(), f.billed(), f.mean(), f.p95(), f.worst(), len(f.cutAt), f.breaks())
			}
		}
	}
	for _, conv := range convs {
		for i, budget := range budgets {
			f, window := s.figures(conv, "ours", budget), s.figures(conv, "sliding", budget)
			least := []float64{0.96, 0.975, 0.98}[i]
			target(t, f.share() >= least, "T1 %s %d: cached %.4f, at least %.3f", conv, budget, f.share(), least)
			if ratio := f.billed() / window.billed(); window.breaks() > 0 {
				target(t, ratio <= 0.37, "T2 %s %d: billed %.3f of a sliding window, at most 0.37", conv, budget, ratio)
			}
			if len(f.cutAt) == 0 {
				none := s.figures(conv, "none", budget)
				target(t, slices.EqualFunc(f.first, none.first, slices.Equal[[]Message]), "T2 %s %d: no cut, the bytes of no trimming", conv, budget)
			}
			target(t, f.mean() <= 110 && f.p95() <= 400 && f.worst() <= 450,
				"T3 %s %d: not cached a turn %.1f / %d / %d, at most 110 / 400 / 450", conv, budget, f.mean(), f.p95(), f.worst())
			target(t, f.breaks() == 0, "T4 %s %d: %d prefix breaks outside a cut", conv, budget, f.breaks())
			if budget == 6000 {
				target(t, len(f.cutAt) <= 6, "T4 %s %d: %d cuts, at most 6", conv, budget, len(f.cutAt))
			}
		}
	}
}

// T5, over every request of both conversations. C5, C6, C7, C11, C22: at least 6
// raw turns, no tool message, no pinned fact missing, in the order they were said,
// the log unchanged.
func TestTargetVisible(t *testing.T) {
	s := newSimulation(t)
	for _, conv := range []string{"voice", "heavy"} {
		for _, budget := range budgets {
			o := newOurs(s.System, budget)
			spoken := s.spoken(conv)
			o.onView = func(v View, log []Turn) {
				n := len(log)
				if want := min(n, 6); len(v.Turns) < want {
					t.Fatalf("%s %d: %d raw turns after %d", conv, budget, len(v.Turns), n)
				}
				checkView(t, v, log, o.cuts)
				if n == len(spoken)-1 && !reflect.DeepEqual(log, turnsOf(spoken[:n])) {
					t.Fatal("the log was changed")
				}
			}
			s.run(conv, o)
			t.Logf("ok   T5 %s %d: at least 6 raw turns, no tool message, no pinned fact missing, in order, the log unchanged", conv, budget)
		}
	}
}

// T6: each seeded mistake misses T1 or T4.
func TestTargetMistakes(t *testing.T) {
	s := newSimulation(t)
	text, tools, ok := strings.Cut(s.System, "# 工具定义\n")
	if !ok {
		t.Fatal("the system text has no tools")
	}
	random := rand.New(rand.NewPCG(1, 2))
	part := func(text string) Message { return sized(rolePart, s.count.count(text), text) }
	mistakes := []struct {
		name   string
		break_ func([]Message, []Turn, spokenTurn) []Message
	}{
		{"a clock in the system prompt", func(_ []Message, log []Turn, next spokenTurn) []Message {
			if next.User == "" { // off the path: the time of the last turn
				next.T = int(log[len(log)-1].At.Sub(evening).Seconds())
			}
			return []Message{part(text), sized(rolePart, 12, next.at().Format("15:04")), part(tools)}
		}},
		{"tool order from a map", func([]Message, []Turn, spokenTurn) []Message {
			lines := strings.Split(strings.TrimSpace(tools), "\n")
			random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			msgs := []Message{part(text)}
			for _, line := range lines {
				msgs = append(msgs, part(line))
			}
			return msgs
		}},
		{"the speaker's profile in the system prompt", func(system []Message, log []Turn, next spokenTurn) []Message {
			if next.User == "" {
				next.Speaker = log[len(log)-1].Speaker
			}
			return append(slices.Clone(system), sized(rolePart, 60, next.Speaker))
		}},
		{"facts edited in the system layer", func(system []Message, log []Turn, _ spokenTurn) []Message {
			msgs := slices.Clone(system)
			for _, f := range factsInForce(log) {
				msgs = append(msgs, part(f.Text))
			}
			return msgs
		}},
	}
	for _, m := range mistakes {
		o := newOurs(s.System, 6000)
		o.mistake = m.break_
		f := s.run("voice", o)
		clean := s.figures("voice", "ours", 6000)
		target(t, f.share() < 0.975 || f.breaks() > 0, "T6 %s: cached %.3f (clean %.3f), %d breaks", m.name, f.share(), clean.share(), f.breaks())
	}
}

// T8, C20, C21: a load that flaps between 12000 and 3000 tokens every 10 turns
// thrashes nothing.
func TestTargetFlapping(t *testing.T) {
	s := newSimulation(t)
	for _, conv := range []string{"voice", "heavy"} {
		o := newOurs(s.System, 0)
		o.budget = func(turn int) int {
			if turn/10%2 == 0 {
				return 12000
			}
			return 3000
		}
		f := s.run(conv, o)
		target(t, len(f.cutAt) <= 12 && f.breaks() == 0, "T8 %s: %d cuts, at most 12; %d breaks; cached %.3f", conv, len(f.cutAt), f.breaks(), f.share())
	}
}
