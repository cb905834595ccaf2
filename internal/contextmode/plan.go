package contextmode

import (
	"math"
	"slices"
	"strings"
)

// Input is everything Plan looks at. Log and Cuts are the whole logs of the
// conversation; nothing in it is written to.
type Input struct {
	Log       []Turn
	Cuts      []Cut
	Table     Table
	Profile   Profile // of the Decision
	Reopen    bool    // Decision.Reopens: cut-off turns may come back
	Budget    int     // Table.BudgetAt
	Meter     Meter
	Current   string // user content about to be sent; "" after a reply
	After     bool   // after a reply: the lower mark, off the user's path
	Window    int    // tokens the model takes; 0 unknown, then nothing is too much
	Fixed     int    // tokens of system prompt and tools
	Summaries map[Range]string
}

// Outcome is what Plan proposes. The zero Cut pointer means that every byte before
// the current turn stays as it is.
type Outcome struct {
	Cut      *Cut    // to be appended before the request is sent; nil: unchanged
	Ranges   []Range // turns that got a block of their own by this cut: a model may summarise them
	Before   int     // estimate of the variable part: head, turns, current, reserve
	After    int     // the same after the cut
	Overrun  bool    // what must be sent is over the budget (C6)
	Room     int     // tokens left for the current message when it does not fit; -1: it fits
	Fallback int     // summaries that were refused (C15)
	Merged   int     // blocks that became one
	Dropped  int     // blocks that went
}

// Plan decides whether this is the moment for a cut, and makes its record (C20):
// at the high mark, when far more turns are there than the profile keeps, when the
// request would not fit the model, or when the user asked for more. Between cuts
// nothing moves. Trim first, then summarise what was cut from the originals, then
// check once more (C9).
func Plan(in Input) Outcome {
	p := newPlanner(in)
	p.out.Before = p.estimate()
	mark := p.high
	if in.After {
		mark = scale(mark, in.Table.Trim.AfterReply)
	}
	switch {
	case p.out.Before > mark:
		p.cut(CutHigh)
	case p.limit > 0 && p.visible() > in.Table.Trim.MaxTurnsFactor*p.limit:
		p.cut(CutMaxTurns)
	case in.Reopen:
		p.reopen()
	}
	p.out.After = p.estimate()
	p.out.Overrun = p.out.After > in.Budget
	if p.out.After > p.hard {
		p.squeeze()
	}
	p.finish()
	return p.out
}

// planner is one run of Plan.
type planner struct {
	in        Input
	view      View
	spec      Spec
	high, low int
	hard      int // what the model takes of the variable part
	keep      int // raw turns that stay
	limit     int // max_turns; -1: none

	start   int
	blocks  []string
	facts   []string
	costs   []int // by turn from view.Start
	turns   int   // their sum from start on
	head    int   // estimate of the head
	current int
	reason  string
	out     Outcome
}

func newPlanner(in Input) *planner {
	p := &planner{in: in, view: Fold(in.Log, in.Cuts), spec: in.Table.Spec(in.Profile), limit: -1}
	p.out.Room = -1
	p.high = scale(in.Budget, in.Table.Trim.High)
	p.low = scale(p.high, in.Table.Trim.Low)
	p.hard = math.MaxInt
	if in.Window > 0 {
		p.hard = in.Window - in.Fixed
	}
	p.keep = in.Table.Trim.KeepTurns
	if p.spec.MaxTurns > 0 {
		p.limit, p.keep = p.spec.MaxTurns, min(p.keep, p.spec.MaxTurns)
	}
	p.start, p.blocks, p.facts = p.view.Start, slices.Clip(p.view.Blocks), p.view.Facts
	p.costs = make([]int, len(p.view.Turns))
	for i := range p.view.Turns {
		p.costs[i] = in.Meter.turn(&p.view.Turns[i])
		p.turns += p.costs[i]
	}
	p.head = in.Meter.message(p.view.Head)
	p.current = in.Meter.message(in.Current)
	return p
}

func scale(n int, by float64) int { return int(float64(n) * by) }

func (p *planner) visible() int { return len(p.in.Log) - p.start }

func (p *planner) estimate() int {
	return p.head + p.turns + p.current + p.in.Table.Trim.ReplyReserve
}

func (p *planner) measureHead() { p.head = p.in.Meter.message(head(p.facts, p.blocks)) }

// cut moves the start to the low mark in whole steps, or until only the turns
// remain that always stay: the last step may be a smaller one.
func (p *planner) cut(reason string) {
	p.freezeFacts(p.spec.KeepSession)
	p.measureHead()
	step := p.in.Table.Trim.Step
	for p.visible()-step >= p.keep && (p.estimate() > p.low || p.tooMany()) {
		p.step(step)
	}
	if extra := p.visible() - p.keep; extra > 0 && extra < step && (p.estimate() > p.low || p.tooMany()) {
		p.step(extra)
	}
	if p.start == p.view.Start { // nothing could go: no cut
		p.facts, p.blocks = p.view.Facts, p.view.Blocks
		p.measureHead()
		return
	}
	p.reason = reason
	p.boundBlocks()
	p.out.Ranges = slices.DeleteFunc(p.out.Ranges, func(r Range) bool { return !p.hasBlock(r) })
}

// hasBlock reports whether r has a block of its own: neither merged nor gone.
func (p *planner) hasBlock(r Range) bool {
	return slices.ContainsFunc(p.blocks, func(b string) bool { return strings.HasPrefix(b, r.label()) })
}

func (p *planner) tooMany() bool { return p.limit > 0 && p.visible() > p.limit }

// freezeFacts takes the facts in force, verbatim: pinned ones always, their
// importance is 1 (C6).
func (p *planner) freezeFacts(keepSession bool) {
	p.facts = nil
	for _, f := range factsInForce(p.in.Log) {
		if keepSession || f.Importance() >= p.spec.ImportanceKeep {
			p.facts = append(p.facts, factText(f))
		}
	}
}

// factText is a fact in the head: verbatim, on one line.
func factText(f Fact) string { return flat(f.Text) }

// step cuts n turns off, and makes their block.
func (p *planner) step(n int) {
	r := Range{p.start, p.start + n}
	cost := p.drop(n)
	tokens, keep := scale(cost, p.in.Table.Trim.Summary), p.spec.ImportanceKeep
	summary := p.in.Summaries[r]
	if !p.spec.Summarize {
		tokens, summary = 0, ""
	}
	text, fellBack := block(p.in.Log, r, summary, tokens, p.in.Meter, keep)
	if fellBack {
		p.out.Fallback++
	}
	if p.spec.Summarize {
		p.out.Ranges = append(p.out.Ranges, r)
	}
	if text != "" {
		p.blocks = append(p.blocks, text)
		p.head += p.in.Meter.Tokens(text) + 1
	}
}

// drop cuts n turns off and returns their estimate.
func (p *planner) drop(n int) int {
	cost := 0
	for i := range n {
		cost += p.cost(p.start + i)
	}
	p.start += n
	p.turns -= cost
	return cost
}

// cost is the estimate of one turn of the log.
func (p *planner) cost(turn int) int {
	if i := turn - p.view.Start; i >= 0 {
		return p.costs[i]
	}
	return p.in.Meter.turn(&p.in.Log[turn])
}

// boundBlocks merges the older half of the blocks once, when they are over their
// share of the budget or keep the view over the low mark, and lets the oldest go
// that are still too much. A merger is made from the originals: no summary is
// summarised (C10).
func (p *planner) boundBlocks() {
	limit := scale(p.in.Budget, p.in.Table.Trim.Blocks)
	if p.blockTokens() > limit || p.estimate() > p.low {
		p.merge((len(p.blocks) + 1) / 2)
	}
	left, over := make([]string, 0, len(p.blocks)), p.blockTokens()-limit
	for _, b := range p.blocks {
		if over > 0 {
			kept := p.keptOf(b)
			over -= p.in.Meter.Tokens(b) - p.in.Meter.Tokens(kept)
			if b = kept; b == "" {
				p.out.Dropped++
				continue
			}
		}
		left = append(left, b)
	}
	p.blocks = left
	p.measureHead()
}

func (p *planner) blockTokens() int {
	n := 0
	for _, b := range p.blocks {
		n += p.in.Meter.Tokens(b) + 1
	}
	return n
}

// merge makes one block of the first half of the blocks, half their size.
func (p *planner) merge(half int) {
	if half < 2 {
		return
	}
	first, ok1 := blockRange(p.blocks[0])
	last, ok2 := blockRange(p.blocks[half-1])
	r := Range{first.From, last.To}
	if !ok1 || !ok2 || r.To > p.start || r.From >= r.To {
		return
	}
	tokens := 0
	for _, b := range p.blocks[:half] {
		tokens += p.in.Meter.Tokens(b)
	}
	if !p.keepsTurns() {
		r.From = max(r.From, r.To-mergeTurns)
	}
	var merged []string
	if text, _ := block(p.in.Log, r, "", tokens/2, p.in.Meter, p.spec.ImportanceKeep); text != "" {
		merged = append(merged, text)
	}
	p.blocks = append(merged, p.blocks[half:]...)
	p.out.Merged += half
}

// mergeTurns bounds a merger: so many turns at most share its few sentences; what
// is older is in the log, and its facts are pinned.
const mergeTurns = 200

// keepsTurns reports whether there are turns that are never trimmed.
func (p *planner) keepsTurns() bool { return p.spec.ImportanceKeep <= ImportanceDetail }

// keptOf is what must stay of a block that goes: its turns that are never trimmed.
func (p *planner) keptOf(old string) string {
	r, ok := blockRange(old)
	if !ok || r.To > p.start || !p.keepsTurns() {
		return ""
	}
	text, _ := block(p.in.Log, r, "", 0, p.in.Meter, p.spec.ImportanceKeep)
	return text
}

// reopen brings cut-off turns back, up to the low mark (C20: only on an explicit
// request).
func (p *planner) reopen() {
	for p.start > 0 {
		to, blocks := max(p.start-p.in.Table.Trim.Step, 0), p.blocks
		for len(blocks) > 0 {
			r, ok := blockRange(blocks[len(blocks)-1])
			if !ok || r.To <= to {
				break
			}
			to, blocks = min(to, r.From), blocks[:len(blocks)-1]
		}
		cost := 0
		for i := to; i < p.start; i++ {
			cost += p.cost(i)
		}
		if p.estimate()+cost > min(p.low, p.hard) || p.limit > 0 && len(p.in.Log)-to > p.limit {
			break
		}
		p.start, p.blocks, p.turns, p.reason = to, blocks, p.turns+cost, CutExplicit
	}
	if p.reason != "" {
		p.freezeFacts(p.spec.KeepSession)
		p.measureHead()
	}
}

// squeeze makes the request fit the model's window: raw turns go first, oldest
// first, then blocks, then unconfirmed facts; then the current message gets what
// is left (C6).
func (p *planner) squeeze() {
	p.out.Overrun = true
	over := func() bool { return p.estimate() > p.hard }
	for p.visible() > 0 && over() {
		p.overrun(p.spec.KeepSession)
		p.drop(1)
	}
	for len(p.blocks) > 0 && over() {
		p.blocks = p.blocks[1:]
		p.out.Dropped++
		p.overrun(p.spec.KeepSession)
	}
	if over() && len(p.facts) > 0 {
		p.overrun(false)
	}
	if over() && p.current > 0 {
		p.out.Room = max(p.hard-(p.estimate()-p.current), minRoom)
	}
}

// overrun makes this a cut, with the facts of now.
func (p *planner) overrun(keepSession bool) {
	if p.reason == "" || !keepSession {
		p.freezeFacts(keepSession)
	}
	if p.reason = CutOverrun; p.start < p.view.Start {
		p.reason = CutExplicit // turns came back, though not all that were asked for
	}
	p.measureHead()
}

// minRoom tokens of the current message are sent whatever happens.
const minRoom = 64

// finish makes the record.
func (p *planner) finish() {
	p.out.After = p.estimate()
	if p.reason == "" {
		return
	}
	p.out.Cut = &Cut{
		Cut: len(p.in.Log), From: p.view.Start, To: p.start, Reason: p.reason, Profile: p.spec.Profile, Table: p.in.Table.Version,
		Estimate: p.out.Before, Blocks: append([]string{}, p.blocks...), Facts: append([]string{}, p.facts...),
	}
}

// CutMiddle shortens a message that alone does not fit to Outcome.Room tokens: its
// beginning, with the header, and its end stay, … between (C6). The user is told.
func CutMiddle(content string, tokens int, m Meter) string {
	if m.message(content) <= tokens {
		return content
	}
	low, high := 0, len(content)
	for low < high { // the most bytes of both ends that fit
		middle := (low + high + 1) / 2
		if m.message(bothEnds(content, middle)) <= tokens {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return bothEnds(content, low)
}

// bothEnds is about n bytes of s, two thirds of them from its beginning.
func bothEnds(s string, n int) string {
	first, last := n*2/3, len(s)-n/3
	for first > 0 && !startsRune(s, first) {
		first--
	}
	for last < len(s) && !startsRune(s, last) {
		last++
	}
	return s[:first] + "…" + s[last:]
}

func startsRune(s string, i int) bool { return i >= len(s) || s[i]&0xC0 != 0x80 }
