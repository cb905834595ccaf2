package openai

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"

	"homebot/internal/llm"
)

// encodeRequest writes the body of a request: our own bytes, so that neither a
// new version of the client library nor its way of writing can break a prefix
// that a provider has cached (R31, R36). The tools array goes in as it is.
func encodeRequest(c Config, r llm.Request) ([]byte, Sent, error) {
	names, err := llm.DecodeTools(r.Tools)
	if err != nil {
		return nil, Sent{}, err
	}
	var b bytes.Buffer
	var sent Sent
	field(&b, `{"model":`, c.Model)
	b.WriteString(`,"stream":true,"stream_options":{"include_usage":true}`)
	if len(names) > 0 { // servers refuse an empty array
		b.WriteString(`,"tools":`)
		b.Write(r.Tools)
		sent.Tools = hash(r.Tools)
	}
	if c.PromptCacheKey && r.CacheKey != "" {
		field(&b, `,"prompt_cache_key":`, r.CacheKey)
	}
	b.WriteString(`,"messages":[`)
	marked := marks(c, r.Messages)
	for i, m := range r.Messages {
		if i > 0 {
			b.WriteByte(',')
		}
		raw := llm.EncodeMessage(m)
		if marked[i] {
			b.Write(mark(m, raw))
		} else {
			b.Write(raw)
		}
		sent.Messages = append(sent.Messages, hash(raw))
	}
	b.WriteString(`]}`)
	sent.Bytes = b.Len()
	return b.Bytes(), sent, nil
}

// marks are the messages that get a cache_control mark, three of the four that
// servers take: the system message (the tools are cached with it), what the
// request before ended with, and the newest message.
func marks(c Config, msgs []llm.Message) map[int]bool {
	if !c.CacheMarks {
		return nil
	}
	last := len(msgs) - 1
	for last > 0 && msgs[last].Role != llm.User {
		last--
	}
	return map[int]bool{0: true, last - 1: true, len(msgs) - 1: true}
}

// mark writes a message with its text as a marked part; one without text stays
// as it is.
func mark(m llm.Message, raw json.RawMessage) json.RawMessage {
	if m.Content == "" {
		return raw
	}
	text, err := json.Marshal(m.Content)
	var keys struct {
		Role       json.RawMessage `json:"role"`
		ToolCalls  json.RawMessage `json:"tool_calls"`
		ToolCallID json.RawMessage `json:"tool_call_id"`
	}
	if err != nil || json.Unmarshal(raw, &keys) != nil {
		return raw
	}
	var b bytes.Buffer
	b.WriteString(`{"role":` + string(keys.Role) + `,"content":[{"type":"text","text":` + string(text) + `,"cache_control":{"type":"ephemeral"}}]`)
	if keys.ToolCalls != nil {
		b.WriteString(`,"tool_calls":` + string(keys.ToolCalls))
	}
	if keys.ToolCallID != nil {
		b.WriteString(`,"tool_call_id":` + string(keys.ToolCallID))
	}
	b.WriteString("}")
	return b.Bytes()
}

func field(b *bytes.Buffer, key, value string) {
	b.WriteString(key)
	raw, err := json.Marshal(value)
	if err != nil {
		panic("openai: " + err.Error()) // a string cannot fail
	}
	b.Write(raw)
}

func hash(raw []byte) (h Hash) {
	sum := sha256.Sum256(raw)
	copy(h[:], sum[:])
	return h
}
