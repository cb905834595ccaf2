package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	"homebot/internal/llm"
)

// callList puts tool calls together from their fragments. A fragment belongs to
// the call of its index; without an index, to the call of its id, or else to the
// last one. A fragment begins a new call when it brings another id, or else another
// name, or the same name while the arguments so far are already whole: some
// servers number nothing, others number every call 0.
type callList struct {
	calls []*partialCall
	slots map[int]*partialCall
}

type partialCall struct {
	id, name string
	args     strings.Builder
}

func (l *callList) add(f fragment) {
	c := l.find(f)
	if c == nil || c.begunAnewBy(f) {
		c = &partialCall{}
		l.calls = append(l.calls, c)
	}
	if f.Index != nil {
		if l.slots == nil {
			l.slots = map[int]*partialCall{}
		}
		l.slots[int(*f.Index)] = c
	}
	if c.id == "" {
		c.id = string(f.ID)
	}
	if c.name == "" {
		c.name = strings.TrimSpace(string(f.Function.Name))
	}
	c.args.WriteString(string(f.Function.Arguments))
}

// find returns the call that f may go on with, or nil.
func (l *callList) find(f fragment) *partialCall {
	if f.Index != nil {
		return l.slots[int(*f.Index)]
	}
	for _, c := range l.calls {
		if f.ID != "" && c.id == string(f.ID) {
			return c
		}
	}
	if len(l.calls) == 0 {
		return nil
	}
	return l.calls[len(l.calls)-1]
}

func (c *partialCall) begunAnewBy(f fragment) bool {
	if f.ID != "" && c.id != "" {
		return string(f.ID) != c.id
	}
	name := strings.TrimSpace(string(f.Function.Name))
	return name != "" && c.name != "" && (name != c.name || json.Valid([]byte(c.args.String())))
}

// whole returns the calls, well-formed: each with a name, and with an id that no
// other has. A call without a name is dropped: it cannot be answered. Missing or
// repeated ids are made up from turn, so that they differ from those of the
// requests before.
func (l *callList) whole(turn int) []llm.ToolCall {
	seen := map[string]bool{}
	var calls []llm.ToolCall
	for i, c := range l.calls {
		if c.name == "" {
			continue
		}
		id := c.id
		for n := i; id == "" || seen[id]; n += len(l.calls) {
			id = fmt.Sprintf("call_%d_%d", turn, n)
		}
		seen[id] = true
		args := c.args.String()
		if strings.TrimSpace(args) == "" {
			args = "{}" // how many servers write a call without arguments
		}
		calls = append(calls, llm.ToolCall{ID: id, Name: c.name, Arguments: args})
	}
	return calls
}
