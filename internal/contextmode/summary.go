package contextmode

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Range is a run of turns of the log, [From, To).
type Range struct{ From, To int }

// label is how a block begins: turns are counted from 1 for a reader.
func (r Range) label() string {
	return "[" + strconv.Itoa(r.From+1) + "-" + strconv.Itoa(r.To) + "] "
}

// blockRange reads a block's label back. ok is false for a text without one.
func blockRange(block string) (r Range, ok bool) {
	inner, _, found := strings.Cut(block, "] ")
	if !found || !strings.HasPrefix(inner, "[") {
		return r, false
	}
	from, to, found := strings.Cut(inner[1:], "-")
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if !found || err1 != nil || err2 != nil || a < 1 || b < a {
		return r, false
	}
	return Range{a - 1, b}, true
}

// ErrSummary is wrapped by every error of CheckSummary.
var ErrSummary = errors.New("summary is refused")

// CheckSummary compares a model's summary with the turns it tells of: every
// number, time and amount in it must be among theirs, with the same unit where
// both have one. It does not see a number that is missing, or one that moved from
// the salt to the sugar.
func CheckSummary(summary string, originals []Turn) error {
	if strings.TrimSpace(summary) == "" {
		return fmt.Errorf("%w: it is empty", ErrSummary)
	}
	known := map[int64][]string{}
	note := func(s string) {
		for n := range amounts(s) {
			known[n.milli] = append(known[n.milli], n.unit)
		}
	}
	for i := range originals {
		if t := &originals[i]; !t.Failed {
			note(t.User)
			note(t.Assistant)
		}
	}
	for n := range amounts(summary) {
		units, ok := known[n.milli]
		if !ok || n.unit != "" && !slices.Contains(units, n.unit) && !slices.Contains(units, "") {
			return fmt.Errorf("%w: %q is not in what was said", ErrSummary, excerpt(summary[n.at:], 12))
		}
	}
	return nil
}

func excerpt(s string, runes int) string {
	for i := range s {
		if runes == 0 {
			return s[:i]
		}
		runes--
	}
	return s
}

// Extractive is the summary without a model: whole sentences of the turns, word
// for word, those with numbers, timers, allergies and decisions first, in the
// order they were said, within tokens by m. The same turns give the same text.
// Failed turns and small talk give nothing; neither may what is left.
func Extractive(turns []Turn, tokens int, m Meter) string {
	return extract(turns, tokens, m, 2)
}

// extract is Extractive that also keeps every turn of importance ≥ keep whole,
// whatever it costs (C6).
func extract(turns []Turn, tokens int, m Meter, keep float64) string {
	pieces := piecesOf(turns, keep)
	order := make([]int, len(pieces))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { // of equals the newer turn
		return cmp.Or(pieces[b].score-pieces[a].score, pieces[b].turn-pieces[a].turn)
	})
	for _, i := range order {
		p := &pieces[i]
		cost := m.Tokens(p.text) + 1
		if p.score >= scoreKept || cost <= tokens {
			p.taken = true
			tokens -= cost
		}
	}
	return joinPieces(pieces, turns)
}

// piece is one sentence of a turn.
type piece struct {
	turn  int
	reply bool
	text  string
	score int
	taken bool
}

// Scores of sentences, higher ones are taken first.
const (
	scoreKept     = 100 // of a turn that is never trimmed
	scoreDetail   = 8   // a number, a timer, an allergy
	scoreDecision = 4   // what was decided
	scoreUser     = 2   // the user's own words
	scoreFirst    = 1   // the first sentence of a reply
)

// decisionWords tell of something settled.
var decisionWords = []string{"决定", "确定", "就这样", "就用", "改成", "换成", "不要", "记下", "已经", "完成", "好了", "decide", "instead", "let's", "done", "noted", "confirmed"}

func piecesOf(turns []Turn, keep float64) []piece {
	pieces := make([]piece, 0, 4*len(turns))
	for i := range turns {
		t := &turns[i]
		if t.Failed {
			continue
		}
		importance := t.Importance()
		if importance >= keep {
			pieces = append(pieces, piece{turn: i, text: flat(t.User), score: scoreKept}, piece{turn: i, text: flat(t.Assistant), score: scoreKept, reply: true})
			continue
		}
		if importance <= ImportanceTalk {
			continue
		}
		for s := range sentences(t.User) {
			pieces = append(pieces, piece{turn: i, text: s, score: scoreUser + scoreOf(s)})
		}
		first := scoreFirst
		for s := range sentences(t.Assistant) {
			pieces = append(pieces, piece{turn: i, text: s, score: first + scoreOf(s), reply: true})
			first = 0
		}
	}
	return pieces
}

func scoreOf(s string) int {
	score := 0
	if hasDetail(s) {
		score += scoreDetail
	}
	for _, w := range decisionWords {
		if containsFold(s, w) {
			return score + scoreDecision
		}
	}
	return score
}

// joinPieces writes the pieces that were taken: "speaker: words → reply; …".
func joinPieces(pieces []piece, turns []Turn) string {
	var b strings.Builder
	last, reply := -1, false
	for _, p := range pieces {
		switch {
		case !p.taken || p.text == "":
			continue
		case p.turn != last:
			if last >= 0 {
				b.WriteString(" | ")
			}
			if speaker := turns[p.turn].Speaker; speaker != "" {
				b.WriteString(flat(speaker) + ": ")
			}
			reply = false
		}
		if p.reply && !reply {
			b.WriteString("→ ")
		}
		b.WriteString(p.text)
		last, reply = p.turn, p.reply
	}
	return b.String()
}

// sentences yields the sentences and clauses of s, as they are, without line
// breaks: after 。！？；, and after .!?; before a space.
func sentences(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		for i, r := range s {
			end := i + utf8.RuneLen(max(r, 0))
			if !endsSentence(s, r, end) {
				continue
			}
			if part := flat(s[start:min(end, len(s))]); part != "" && !yield(part) {
				return
			}
			start = min(end, len(s))
		}
		if part := flat(s[start:]); part != "" {
			yield(part)
		}
	}
}

func endsSentence(s string, r rune, end int) bool {
	switch r {
	case '。', '！', '？', '；', '\n':
		return true
	case '.', '!', '?', ';':
		return end >= len(s) || s[end] == ' ' || s[end] == '\n'
	}
	return false
}

// flat puts s on one line and keeps it valid UTF-8, so that a record reads
// back as it was written.
func flat(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !strings.ContainsAny(s, "\n\r\t") {
		return strings.TrimSpace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// block makes the block of r: the model's summary if it passes, else an
// extractive one; "" when there is nothing to tell. fellBack says that a summary
// was refused.
func block(log []Turn, r Range, summary string, tokens int, m Meter, keep float64) (text string, fellBack bool) {
	turns := log[r.From:r.To]
	if summary = flat(summary); summary != "" {
		kept := extract(turns, 0, m, keep)
		if m.Tokens(summary) <= 2*tokens+20 && CheckSummary(summary, turns) == nil {
			if kept != "" {
				summary += " | " + kept
			}
			return r.label() + summary, false
		}
		fellBack = true
	}
	if text = extract(turns, tokens, m, keep); text != "" {
		text = r.label() + text
	}
	return text, fellBack
}

// Instruction is the last message of the request that asks the model for the
// summaries of ranges: the live prefix stands before it unchanged, so that it
// hits the provider's cache. The answer has one line for each range, which
// ReadSummaries understands.
func Instruction(log []Turn, ranges []Range, lang string) string {
	var b strings.Builder
	if lang == chinese {
		b.WriteString("[系统] 请把下面每一段对话各压缩成一行，格式为“[起-止] 摘要”。寒暄和重复可以省略；结论、数字、时间、用量和确认过的事实必须原样保留，不要编造，不要调用工具，不要写别的。\n")
	} else {
		b.WriteString("[system] Compress each part of the dialogue below into one line, written as \"[from-to] summary\". Leave out small talk and repetition; keep conclusions, numbers, times, amounts and confirmed facts word for word. Invent nothing, call no tool, write nothing else.\n")
	}
	for _, r := range ranges {
		if r.From < 0 || r.To > len(log) || r.From >= r.To {
			continue
		}
		b.WriteString(r.label() + "“" + excerpt(flat(log[r.From].User), 16) + "” … “" + excerpt(flat(log[r.To-1].User), 16) + "”\n")
	}
	return b.String()
}

// ReadSummaries reads the model's answer to Instruction: the lines that begin
// with the label of one of ranges. The rest is ignored; a range without a line
// gets an extractive block.
func ReadSummaries(answer string, ranges []Range) map[Range]string {
	found := map[Range]string{}
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(line)
		r, ok := blockRange(line)
		if !ok || !slices.Contains(ranges, r) || found[r] != "" {
			continue
		}
		_, text, _ := strings.Cut(line, "] ")
		found[r] = strings.TrimSpace(text)
	}
	return found
}
