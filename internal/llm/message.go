package llm

import (
	"encoding/json"
	"fmt"
)

// wireMessage and wireCall are one message as it is sent. Content is null only
// beside tool calls, which is how every server writes such a message itself;
// elsewhere it is a string, also when empty, because some servers refuse a
// message without the key.
type wireMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	ToolCalls  []wireCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type wireCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireCallBody `json:"function"`
}

type wireCallBody struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// EncodeMessage makes the exact bytes of one message as it is sent: the same
// message gives the same bytes in every request and in every version (R36).
//
// Arguments that are not a JSON object are sent as {}: servers parse the calls
// of earlier messages and answer a whole request with an error over one broken
// call. What was wrong with them is told in the tool's result.
func EncodeMessage(m Message) json.RawMessage {
	w := wireMessage{Role: m.Role, ToolCallID: m.ToolCallID}
	if m.Content != "" || len(m.ToolCalls) == 0 {
		w.Content = &m.Content
	}
	for _, c := range m.ToolCalls {
		w.ToolCalls = append(w.ToolCalls, wireCall{
			ID: c.ID, Type: "function",
			Function: wireCallBody{Name: c.Name, Arguments: objectOrEmpty(c.Arguments)},
		})
	}
	return encode(w)
}

func objectOrEmpty(args string) string {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(args), &object) != nil || object == nil {
		return "{}"
	}
	return args
}

// WellFormed tells whether a server would take these messages (C22): every tool
// call has exactly one result, the results of a message's calls come directly
// after it, and no tool message stands anywhere else. Calls of one message have
// different ids.
func WellFormed(msgs []Message) error {
	var open map[string]bool // calls of the last assistant message still without a result
	for i, m := range msgs {
		if m.Role == ToolRole {
			if !open[m.ToolCallID] {
				return fmt.Errorf("message %d: tool result %q answers no open call", i, m.ToolCallID)
			}
			delete(open, m.ToolCallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("message %d: comes before the results of %d tool calls", i, len(open))
		}
		var err error
		if open, err = openCalls(m); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("the last message leaves %d tool calls without a result", len(open))
	}
	return nil
}

// openCalls checks what one message by itself can get wrong and returns the ids
// of its calls.
func openCalls(m Message) (map[string]bool, error) {
	switch {
	case m.Role != System && m.Role != User && m.Role != Assistant:
		return nil, fmt.Errorf("unknown role %q", m.Role)
	case m.ToolCallID != "":
		return nil, fmt.Errorf("role %s has a tool_call_id", m.Role)
	case len(m.ToolCalls) > 0 && m.Role != Assistant:
		return nil, fmt.Errorf("role %s has tool calls", m.Role)
	}
	open := make(map[string]bool, len(m.ToolCalls))
	for _, c := range m.ToolCalls {
		if c.ID == "" || c.Name == "" {
			return nil, fmt.Errorf("a tool call lacks its id or name")
		}
		if open[c.ID] {
			return nil, fmt.Errorf("two tool calls share the id %q", c.ID)
		}
		open[c.ID] = true
	}
	return open, nil
}
