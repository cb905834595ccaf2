// Package llm is the vocabulary of a language model that streams text and tool
// calls: Message, Request, Delta, Usage and the one-method interface Model.
//
// llm/openai speaks to any OpenAI-compatible server, llm/offline answers
// without a network, llm/llmtest is a scripted server for tests.
package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
)

// Roles of a message.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
	ToolRole  = "tool"
)

// Message is one message of a request. An assistant message may carry ToolCalls;
// each of them is answered by one message of role tool with its ToolCallID.
type Message struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// ToolCall is the model's wish to run a tool. Arguments is the model's own text
// and may be anything, valid JSON or not.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
}

// ToolDef is how the model sees a tool. Schema is a JSON Schema object.
type ToolDef struct {
	Name        string
	Description string
	Schema      json.RawMessage
}

// Request is one call of a model. Tools is the exact JSON text of the tools
// array as EncodeTools made it (R31: what was frozen is what is sent); nil means
// no tools. CacheKey routes requests of one conversation to one provider cache
// where the provider has such a key; empty means none.
type Request struct {
	Messages []Message
	Tools    json.RawMessage
	CacheKey string
}

// Usage is what the provider billed, in its own tokens. Cached is the part of
// Prompt that came from its prefix cache (R40: every provider's shape is read).
type Usage struct {
	Prompt     int `json:"prompt"`
	Cached     int `json:"cached"`
	Completion int `json:"completion"`
}

// Delta is one step of a stream: text, or one complete tool call, or the usage
// at the end. Exactly one field is set.
type Delta struct {
	Text     string
	ToolCall *ToolCall
	Usage    *Usage
}

// Model streams the answer to one request. The sequence ends after the last
// Delta, or with one non-nil error (Delta zero), which wraps one of the errors
// below or ctx.Err(). The consumer may stop early; nothing is left running.
type Model interface {
	Stream(ctx context.Context, r Request) iter.Seq2[Delta, error]
}

// What can go wrong with a model, for errors.Is. The text of an error that wraps
// them never holds a secret.
var (
	// ErrUnreachable: no connection, or it broke before or while streaming.
	ErrUnreachable = errors.New("model is unreachable")
	// ErrRefused: the server answered with an error status (key, model name,
	// quota, malformed request).
	ErrRefused = errors.New("model refused the request")
	// ErrBusy is an ErrRefused that may pass by itself: too many requests, or a
	// fault of the server.
	ErrBusy = fmt.Errorf("%w for now", ErrRefused)
	// ErrSlow: no byte within the time allowed.
	ErrSlow = errors.New("model is too slow")
	// ErrNonsense: the stream could not be understood, or held neither text
	// nor a tool call.
	ErrNonsense = errors.New("model answered nonsense")
)
