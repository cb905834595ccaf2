package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Recorded is one request as it came, byte for byte. Messages and Tools are
// parts of Body.
type Recorded struct {
	At       time.Time
	Header   http.Header
	Body     []byte
	Model    string
	Messages []json.RawMessage
	Tools    json.RawMessage // nil without tools
	CacheKey string          // prompt_cache_key
	Tokens   int             // what the request was billed as its prompt
	Cached   int             // the part of it that the simulated cache held
}

// Message is one message of a request, read.
type Message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// Request is what a respond function answers.
type Request struct {
	Recorded
	Number  int       // counts the server's requests from 0
	Read    []Message // the messages, read
	Offered []string  // names of the tools offered, in their order
}

// User is the last user message, whole: header lines and words.
func (r Request) User() string {
	for i := len(r.Read) - 1; i >= 0; i-- {
		if r.Read[i].Role == "user" {
			return r.Read[i].Content
		}
	}
	return ""
}

// Words are the user's words of the last user message: what follows its first
// lines in [ ].
func (r Request) Words() string {
	words := r.User()
	for {
		line, rest, more := strings.Cut(words, "\n")
		if !more || !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
			return words
		}
		words = rest
	}
}

// Results are the contents of the tool messages after the last user message, in
// order: empty in the first request of a turn.
func (r Request) Results() []string {
	var results []string
	for _, m := range r.Read {
		switch m.Role {
		case "user":
			results = nil
		case "tool":
			results = append(results, m.Content)
		}
	}
	return results
}

// PrefixOf tells whether request b goes on where a ended: the same tools, and a's
// messages are the first of b's, byte for byte (R36).
func PrefixOf(a, b Recorded) error {
	if !bytes.Equal(a.Tools, b.Tools) {
		return fmt.Errorf("tools differ at byte %d", diffAt(a.Tools, b.Tools))
	}
	if len(a.Messages) > len(b.Messages) {
		return fmt.Errorf("%d messages became %d", len(a.Messages), len(b.Messages))
	}
	for i := range a.Messages {
		if !bytes.Equal(a.Messages[i], b.Messages[i]) {
			return fmt.Errorf("message %d differs at byte %d:\n%s\n%s",
				i, diffAt(a.Messages[i], b.Messages[i]), a.Messages[i], b.Messages[i])
		}
	}
	return nil
}

// diffAt is the length of the common beginning.
func diffAt(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// readRequest takes a body apart.
func readRequest(body []byte, header http.Header) (Request, error) {
	var wire struct {
		Model    string            `json:"model"`
		Stream   bool              `json:"stream"`
		Messages []json.RawMessage `json:"messages"`
		Tools    json.RawMessage   `json:"tools"`
		CacheKey string            `json:"prompt_cache_key"`
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return Request{}, fmt.Errorf("body: %w", err)
	}
	r := Request{Recorded: Recorded{
		Header: header, Body: body, Model: wire.Model, Messages: wire.Messages,
		Tools: wire.Tools, CacheKey: wire.CacheKey,
	}}
	if !wire.Stream || len(wire.Messages) == 0 {
		return r, fmt.Errorf("this server streams: it needs messages and stream: true")
	}
	for i, raw := range wire.Messages {
		var m Message
		if err := json.Unmarshal(raw, &m); err != nil {
			return r, fmt.Errorf("messages[%d]: %w", i, err)
		}
		r.Read = append(r.Read, m)
	}
	if err := checkMessages(wire.Messages, r.Read); err != nil {
		return r, err
	}
	var err error
	r.Offered, err = toolNames(wire.Tools)
	return r, err
}

// checkMessages refuses what strict servers refuse: a message without its
// content key, a tool message that answers no call, a call without an answer.
func checkMessages(raw []json.RawMessage, msgs []Message) error {
	open := map[string]bool{}
	for i, m := range msgs {
		var keys map[string]json.RawMessage
		if json.Unmarshal(raw[i], &keys) == nil && keys["content"] == nil {
			return fmt.Errorf("messages[%d]: missing field content", i)
		}
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				return fmt.Errorf("messages[%d]: a tool message must follow the call it answers", i)
			}
			delete(open, m.ToolCallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("messages[%d]: %d tool calls before it have no result", i, len(open))
		}
		for _, c := range m.ToolCalls {
			if !json.Valid([]byte(c.Function.Arguments)) {
				return fmt.Errorf("messages[%d]: arguments of %s are not JSON", i, c.Function.Name)
			}
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%d tool calls have no result", len(open))
	}
	return nil
}

func toolNames(raw json.RawMessage) ([]string, error) {
	if raw == nil {
		return nil, nil
	}
	var tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if err := json.Unmarshal(raw, &tools); err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	names := make([]string, 0, len(tools))
	for i, t := range tools {
		if t.Type != "function" || t.Function.Name == "" {
			return nil, fmt.Errorf("tools[%d] is no function", i)
		}
		names = append(names, t.Function.Name)
	}
	return names, nil
}
