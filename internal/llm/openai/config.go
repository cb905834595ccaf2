// Package openai is an llm.Model on any OpenAI-compatible chat server, through
// go-openai's streaming client.
//
// The bytes of a request are ours: go-openai drops empty contents and writes the
// tools array through a map, so one http.RoundTripper puts llm.EncodeMessage's
// messages and the frozen tools array in their place, adds prompt_cache_key where
// the provider takes one, and watches the clock while bytes come in. The answer
// is read tolerantly: tool calls in pieces or whole, with an index or without,
// and every known shape of usage (R40).
package openai

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Defaults of a Config. They are what a person at a loudspeaker bears, not
// measurements: an apology after ten seconds is better than silence.
const (
	// DefaultBaseURL is the provider that the client library assumes.
	DefaultBaseURL = "https://api.openai.com/v1"
	// DefaultFirstByte allows for a local server that must load its model.
	DefaultFirstByte = 15 * time.Second
	// DefaultIdle is the longest pause between two pieces of an answer.
	DefaultIdle = 10 * time.Second
	// DefaultTotal bounds one answer, the consumer's own time included.
	DefaultTotal = 2 * time.Minute
)

// Timeouts bound one request; exceeding one is llm.ErrSlow. Zero means the
// default, a negative value means no limit.
type Timeouts struct {
	FirstByte time.Duration // from the call to the first byte of the answer's body
	Idle      time.Duration // one wait for more bytes; the consumer's time does not count
	Total     time.Duration // the whole stream
}

// Config says which server and how. The zero value asks api.openai.com without
// a key. It is not changed after New.
type Config struct {
	BaseURL  string // up to and including /v1; "" means DefaultBaseURL
	Model    string
	APIKey   string // sent as a bearer token; "" sends none; never in an error or log
	Timeouts Timeouts

	// PromptCacheKey: the provider takes Request.CacheKey as prompt_cache_key
	// (R40). Others may refuse unknown fields, so it is off by default.
	PromptCacheKey bool

	// CacheMarks: the provider caches up to what is marked with cache_control,
	// as Anthropic-style servers do (R40). The marks are no part of what it
	// compares.
	CacheMarks bool

	// Observe, if set, is called on the goroutine of Stream before a request
	// is sent, with what its bytes hash to. Used to prove prefixes (R36, C23).
	Observe func(Sent)

	// HTTPClient, if set, gives the transport and redirect policy; its Timeout
	// should be zero, as it would cut streams. It is not modified.
	HTTPClient *http.Client
}

// Hash is the first half of the SHA-256 of some bytes of a request.
type Hash [16]byte

// Sent identifies the bytes of one request: one hash a message as sent, and one
// of the tools array (zero without tools). Bytes is the size of the body.
type Sent struct {
	Messages []Hash
	Tools    Hash
	Bytes    int
}

// CacheWays is how the provider behind a base URL is told about prefix caches:
// by prompt_cache_key, by marks, or, as most are, not at all (R40).
func CacheWays(baseURL, model string) (key, marks bool) {
	u, err := url.Parse(baseURL)
	if err != nil {
		return false, false
	}
	host := strings.ToLower(u.Hostname())
	switch {
	case host == "api.openai.com", strings.HasSuffix(host, ".api.openai.com"), strings.HasSuffix(host, ".openai.azure.com"):
		return true, false
	case host == "api.anthropic.com":
		return false, true
	case host == "openrouter.ai" && strings.HasPrefix(strings.ToLower(model), "anthropic/"):
		return false, true
	}
	return false, false
}

// String names the server and the model, and never the key.
func (c Config) String() string {
	host := "?"
	if u, err := url.Parse(c.BaseURL); err == nil && u.Host != "" {
		host = u.Host
	}
	return fmt.Sprintf("%s at %s", c.Model, host)
}

// GoString is String: %#v must not show the key either.
func (c Config) GoString() string { return c.String() }

func (t Timeouts) withDefaults() Timeouts {
	set := func(d *time.Duration, standard time.Duration) {
		if *d == 0 {
			*d = standard
		}
	}
	set(&t.FirstByte, DefaultFirstByte)
	set(&t.Idle, DefaultIdle)
	set(&t.Total, DefaultTotal)
	return t
}
