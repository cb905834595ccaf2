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
	for i, m := range r.Messages {
		if i > 0 {
			b.WriteByte(',')
		}
		raw := llm.EncodeMessage(m)
		b.Write(raw)
		sent.Messages = append(sent.Messages, hash(raw))
	}
	b.WriteString(`]}`)
	sent.Bytes = b.Len()
	return b.Bytes(), sent, nil
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
