package contextmode

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// blockSize is the granularity of the simulated prefix cache, in tokens.
const blockSize = 64

// provider is a model's server with a prefix cache of whole blocks. A hit costs a
// tenth.
type provider struct {
	count        *trueTokens
	outputCached bool // the reply's tokens are in the cache too (DeepSeek does that)
	seen         map[uint64]bool
}

// bill counts a request and remembers it with its reply.
func (p *provider) bill(request []Message, reply string) (tokens, cached int) {
	if p.seen == nil {
		p.seen = map[uint64]bool{}
	}
	h := fnv.New64a()
	hits := true
	remember := func(msgs []Message, count bool) {
		for _, m := range msgs {
			text := m.Role + "\x00" + m.Content + "\x00"
			n := p.count.count(m.Content) + MessageTokens
			if m.Role == roleTool || m.Role == rolePart { // its size stands in front
				_, _ = fmt.Sscanf(m.Content, "%d", &n)
			}
			// The block borders inside this message lie in proportion.
			done := 0
			for border := (tokens/blockSize + 1) * blockSize; border <= tokens+n; border += blockSize {
				to := len(text) * (border - tokens) / n
				_, _ = h.Write([]byte(text[done:to]))
				done = to
				if key := h.Sum64(); count && hits && p.seen[key] {
					cached += blockSize
				} else if count {
					hits = false
					p.seen[key] = true
				} else {
					p.seen[key] = true
				}
			}
			_, _ = h.Write([]byte(text[done:]))
			tokens += n
		}
	}
	remember(request, true)
	total := tokens
	if p.outputCached && reply != "" {
		remember([]Message{{RoleAssistant, reply}}, false)
	}
	return total, cached
}

// Roles of the simulation alone: messages that begin with their size in tokens.
const (
	roleTool = "tool"
	rolePart = "part" // of the system layer
)

func sized(role string, tokens int, text string) Message {
	return Message{role, fmt.Sprintf("%d %s", tokens, text)}
}

// toolRounds are the tool calls of a turn: tokens of each call and result.
func toolRounds(user string) [][2]int {
	var rounds [][2]int
	for _, r := range []struct {
		words []string
		size  [2]int
	}{
		{[]string{"计时器", "定"}, [2]int{38, 22}}, {[]string{"还剩"}, [2]int{24, 26}},
		{[]string{"怎么做"}, [2]int{30, 260}}, {[]string{"记一下"}, [2]int{36, 14}},
	} {
		if !slices.ContainsFunc(r.words, func(w string) bool { return !strings.Contains(user, w) }) {
			rounds = append(rounds, r.size)
		}
	}
	return rounds
}

// policy decides what each request of a conversation carries.
type policy interface {
	// request is the first request of the turn after log.
	request(log []Turn, next spokenTurn) []Message
	// settle is called when the reply was spoken; it returns the requests made
	// off the user's path.
	settle(log []Turn) [][]Message
}

// figures are what a run measured.
type figures struct {
	tokens, cached int   // of all requests
	path, hits     int   // of those on the user's path
	uncached       []int // by turn, on the user's path
	first          [][]Message
	cutAt          []int // turns after which a cut was made
}

// share is the cached share of the requests a user waits for; all counts those
// for summaries and warm-up too.
func (f figures) share() float64 { return float64(f.hits) / float64(f.path) }
func (f figures) all() float64   { return float64(f.cached) / float64(f.tokens) }

func (f figures) billed() float64 { return float64(f.tokens-f.cached) + cachedPrice*float64(f.cached) }

func (f figures) mean() float64 {
	sum := 0
	for _, n := range f.uncached {
		sum += n
	}
	return float64(sum) / float64(len(f.uncached))
}

// worst is without the first request, which is cold.
func (f figures) worst() int { return slices.Max(f.uncached[1:]) }

func (f figures) p95() int {
	sorted := slices.Sorted(slices.Values(f.uncached))
	return sorted[len(sorted)*95/100]
}

// run talks a conversation through.
func run(p *provider, spoken []spokenTurn, pol policy) figures {
	var f figures
	var log []Turn
	bill := func(msgs []Message, reply string) int {
		tokens, cached := p.bill(msgs, reply)
		f.tokens, f.path = f.tokens+tokens, f.path+tokens
		f.cached, f.hits = f.cached+cached, f.hits+cached
		return tokens - cached
	}
	for _, s := range spoken {
		request := pol.request(log, s)
		f.first = append(f.first, slices.Clone(request))
		uncached, rounds := 0, toolRounds(s.User)
		for i, r := range rounds {
			uncached += bill(request, "")
			request = append(request, sized(roleTool, r[0], fmt.Sprintf("call %d of %s", i, s.User)), sized(roleTool, r[1], "result of "+s.User))
		}
		uncached += bill(request, s.Assistant)
		f.uncached = append(f.uncached, uncached)
		log = append(log, s.turn())
		for _, extra := range pol.settle(log) {
			tokens, cached := p.bill(extra, "")
			f.tokens, f.cached = f.tokens+tokens, f.cached+cached
		}
	}
	if c, ok := pol.(interface{ cutTurns() []int }); ok {
		f.cutAt = c.cutTurns()
	}
	return f
}

// breaks counts the turns whose first request does not begin with the one of the
// turn before, without a cut between.
func (f figures) breaks() int {
	n := 0
	for i := 1; i < len(f.first); i++ {
		before, now := f.first[i-1], f.first[i]
		if !slices.Contains(f.cutAt, i) && (len(now) < len(before) || !slices.Equal(now[:len(before)], before)) {
			n++
		}
	}
	return n
}

// systemTokens is the simulation's fixed part: system prompt and six tools.
const systemTokens = 989

// systemLayer is the fixed part in its two parts.
func systemLayer(system string) []Message {
	return []Message{sized(rolePart, systemTokens, system)}
}

// ours is the engine itself.
type ours struct {
	system  []Message
	table   Table
	budget  func(turn int) int
	mistake func(system []Message, log []Turn, next spokenTurn) []Message
	cuts    []Cut
	onView  func(v View, log []Turn)
}

func newOurs(system string, budget int) *ours {
	o := &ours{system: systemLayer(system), table: Default(), budget: func(int) int { return budget }}
	o.table.specs[Compact.rank()].MaxTurns = -1
	return o
}

func (o *ours) cutTurns() (at []int) {
	for _, c := range o.cuts {
		at = append(at, c.Cut)
	}
	return at
}

func (o *ours) plan(log []Turn, current string, after bool) {
	out := Plan(Input{Log: log, Cuts: o.cuts, Table: o.table, Profile: Compact, Budget: o.budget(len(log)), Current: current, After: after, Meter: NewMeter("deepseek", 0)})
	if out.Cut != nil {
		o.cuts = append(o.cuts, *out.Cut)
	}
}

func (o *ours) request(log []Turn, next spokenTurn) []Message {
	o.plan(log, next.sent(), false)
	v := Fold(log, o.cuts)
	if o.onView != nil {
		o.onView(v, log)
	}
	system := o.system
	if o.mistake != nil {
		system = o.mistake(system, log, next)
	}
	return v.AppendMessages(slices.Clone(system), "", next.sent())
}

// settle cuts ahead: the summary is asked behind the live prefix, then the new
// prefix is warmed up.
func (o *ours) settle(log []Turn) [][]Message {
	before, n := Fold(log, o.cuts), len(o.cuts)
	o.plan(log, "", true)
	if len(o.cuts) == n {
		return nil
	}
	system := o.system
	if o.mistake != nil {
		system = o.mistake(system, log, spokenTurn{})
	}
	c := o.cuts[n]
	ranges := []Range{}
	for from := c.From; from < c.To; from += o.table.Trim.Step {
		ranges = append(ranges, Range{from, min(from+o.table.Trim.Step, c.To)})
	}
	return [][]Message{
		before.AppendMessages(slices.Clone(system), "", Instruction(log, ranges, "zh")),
		Fold(log, o.cuts).AppendMessages(slices.Clone(system), "", ""),
	}
}

// sliding drops the oldest turn whenever the budget is full.
type sliding struct {
	system []Message
	budget int // 0: no trimming at all
	cuts   bool
}

func (s *sliding) request(log []Turn, next spokenTurn) []Message {
	m, rule, start := NewMeter("deepseek", 0), Default().Trim, 0
	if s.budget > 0 {
		left := scale(s.budget, rule.High) - rule.ReplyReserve - m.message(next.sent())
		for start = len(log); start > 0 && left >= m.turn(&log[start-1]); start-- {
			left -= m.turn(&log[start-1])
		}
	}
	s.cuts = s.cuts || start > 0
	return View{Turns: log[start:]}.AppendMessages(slices.Clone(s.system), "", next.sent())
}

func (*sliding) settle([]Turn) [][]Message { return nil }

// rolling keeps one summary of all that is older than a few turns and rewrites it
// every turn once the budget is full.
type rolling struct{ sliding }

func (r *rolling) request(log []Turn, next spokenTurn) []Message {
	m, rule := NewMeter("deepseek", 0), Default().Trim
	whole := View{Turns: log}.Messages("", next.sent())
	high := scale(r.budget, rule.High)
	if m.Messages(whole)+rule.ReplyReserve <= high {
		return append(slices.Clone(r.system), whole...)
	}
	start, left := len(log), scale(high, rule.Low)
	for ; start > 0 && left >= m.turn(&log[start-1]); start-- {
		left -= m.turn(&log[start-1])
	}
	summary := Extractive(log[:start], scale(r.budget, rule.Blocks), m)
	return View{Turns: log[start:], Head: summary}.AppendMessages(slices.Clone(r.system), "", next.sent())
}
