package contextmode

import "strings"

// View is what a request carries of a conversation. Its slices belong to the log
// and to the cut records: not to be written to.
type View struct {
	Start   int    // first raw turn
	Turns   []Turn // log[Start:]
	Head    string // facts and blocks as one user message; "" before the first cut
	Facts   []string
	Blocks  []string
	LastCut int // index of the record in force; -1 before the first
	Applied int // cut records that counted
	Ignored int // records that contradict the log or the ones before them
}

// Fold computes the view of a conversation from its two logs, and from nothing
// else: any machine, any profile and any table give the same bytes (C11, C21).
// A record that goes beyond the log, or moves the start back without an explicit
// request, is ignored and counted.
func Fold(log []Turn, cuts []Cut) View {
	v := View{LastCut: -1}
	turn := 0
	for i := range cuts {
		c := &cuts[i]
		back := c.To < v.Start && c.Reason != CutExplicit
		if c.To < 0 || c.To > c.Cut || c.Cut > len(log) || c.Cut < turn || back {
			v.Ignored++
			continue
		}
		v.Start, v.LastCut, turn = c.To, i, c.Cut
		v.Applied++
	}
	if v.LastCut >= 0 {
		v.Facts, v.Blocks = cuts[v.LastCut].Facts, cuts[v.LastCut].Blocks
		v.Head = head(v.Facts, v.Blocks)
	}
	v.Turns = log[v.Start:len(log):len(log)]
	return v
}

// The titles in the head message. One text for every language: a change of
// language in a session moves no byte.
const (
	factsTitle  = "[已确认 confirmed]\n"
	blocksTitle = "[前文摘要 earlier]\n"
	factMark    = "- "
)

// head renders facts and blocks.
func head(facts, blocks []string) string {
	if len(facts)+len(blocks) == 0 {
		return ""
	}
	var b strings.Builder
	if len(facts) > 0 {
		b.WriteString(factsTitle)
	}
	for _, f := range facts {
		b.WriteString(factMark + f + "\n")
	}
	if len(blocks) > 0 {
		b.WriteString(blocksTitle)
	}
	for _, block := range blocks {
		b.WriteString(block + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Messages is the request: system, head, raw turns in the order they were said
// (C7), current. Without system or current there is no message for it. Tool calls
// and results of the turn are appended behind it by the caller.
func (v View) Messages(system, current string) []Message {
	return v.AppendMessages(make([]Message, 0, 2*len(v.Turns)+3), system, current)
}

// AppendMessages is Messages into dst.
func (v View) AppendMessages(dst []Message, system, current string) []Message {
	dst = appendMessage(dst, RoleSystem, system)
	dst = appendMessage(dst, RoleUser, v.Head)
	for i := range v.Turns {
		dst = appendMessage(dst, RoleUser, v.Turns[i].Sent)
		dst = appendMessage(dst, RoleAssistant, v.Turns[i].Reply)
	}
	return appendMessage(dst, RoleUser, current)
}

// appendMessage leaves empty ones out: some servers refuse them.
func appendMessage(dst []Message, role, content string) []Message {
	if content == "" {
		return dst
	}
	return append(dst, Message{role, content})
}

// Parts are the estimated tokens of a view by what they are for, for a person who
// asks why (C17).
type Parts struct {
	Facts   int `json:"facts"`
	Blocks  int `json:"blocks"`
	Turns   int `json:"turns"`
	Current int `json:"current"`
	Reserve int `json:"reserve"`
}

// Parts estimates the view beside the current message.
func (v View) Parts(m Meter, rule TrimRule, current string) Parts {
	p := Parts{Facts: m.message(head(v.Facts, nil)), Current: m.message(current), Reserve: rule.ReplyReserve}
	p.Blocks = max(m.message(v.Head)-p.Facts, 0)
	for i := range v.Turns {
		p.Turns += m.turn(&v.Turns[i])
	}
	return p
}

// Sum is the estimate of the variable part.
func (p Parts) Sum() int { return p.Facts + p.Blocks + p.Turns + p.Current + p.Reserve }

// Trimmed is what a view does not carry as it was said (C4).
type Trimmed struct {
	Turns      int `json:"turns"`      // turns that are not raw
	Items      int `json:"items"`      // session items that are left out
	Summarised int `json:"summarised"` // of the turns, those that a block tells of
}

// TrimmedOf counts what v, a view of log, does not carry.
func TrimmedOf(v View, log []Turn) Trimmed {
	t := Trimmed{Turns: v.Start}
	for _, b := range v.Blocks {
		if r, ok := blockRange(b); ok {
			t.Summarised += min(r.To, v.Start) - min(r.From, v.Start)
		}
	}
	if v.LastCut < 0 {
		return t
	}
	carried := make(map[string]bool, len(v.Facts))
	for _, f := range v.Facts {
		carried[f] = true
	}
	for _, f := range factsInForce(log[:v.Start]) {
		if !carried[factText(f)] {
			t.Items++
		}
	}
	return t
}
