package openai

import (
	"encoding/json"
	"math"

	"homebot/internal/llm"
)

// wireUsage holds every name under which servers report tokens (R40).
type wireUsage struct {
	PromptTokens     json.RawMessage `json:"prompt_tokens"`
	CompletionTokens json.RawMessage `json:"completion_tokens"`
	InputTokens      json.RawMessage `json:"input_tokens"`
	OutputTokens     json.RawMessage `json:"output_tokens"`

	PromptDetails struct { // OpenAI, vLLM, Qwen
		Cached json.RawMessage `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	InputDetails struct {
		Cached json.RawMessage `json:"cached_tokens"`
	} `json:"input_tokens_details"`
	CacheHit      json.RawMessage `json:"prompt_cache_hit_tokens"` // DeepSeek
	CacheMiss     json.RawMessage `json:"prompt_cache_miss_tokens"`
	CacheRead     json.RawMessage `json:"cache_read_input_tokens"` // Anthropic
	CacheCreation json.RawMessage `json:"cache_creation_input_tokens"`
	Cached        json.RawMessage `json:"cached_tokens"` // Moonshot, Qwen
}

// parseUsage reads a usage object of any shape. ok is false when it holds no
// count at all (servers send null or {} with every chunk).
func parseUsage(raw json.RawMessage) (u llm.Usage, ok bool) {
	var w wireUsage
	if len(raw) == 0 || json.Unmarshal(raw, &w) != nil {
		return u, false
	}
	read := tokens(w.CacheRead)
	u.Cached = max(tokens(w.PromptDetails.Cached), tokens(w.InputDetails.Cached),
		tokens(w.CacheHit), read, tokens(w.Cached))
	u.Completion = max(tokens(w.CompletionTokens), tokens(w.OutputTokens))
	u.Prompt = tokens(w.PromptTokens)
	if u.Prompt == 0 {
		u.Prompt = tokens(w.CacheHit) + tokens(w.CacheMiss)
	}
	if u.Prompt == 0 {
		// Anthropic's input_tokens leaves out what the cache read and wrote.
		u.Prompt = tokens(w.InputTokens) + read + tokens(w.CacheCreation)
	}
	u.Cached = min(u.Cached, u.Prompt)
	return u, u.Prompt > 0 || u.Completion > 0
}

// tokens reads a count; what is no number, or a negative one, is 0.
func tokens(raw json.RawMessage) int {
	var f float64
	if len(raw) == 0 || json.Unmarshal(raw, &f) != nil || !(f > 0) {
		return 0
	}
	return int(math.Min(f, math.MaxInt32))
}
