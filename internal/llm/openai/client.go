package openai

import (
	"context"
	"iter"

	"homebot/internal/llm"
)

// Client is an llm.Model. It is safe for several goroutines.
type Client struct{ cfg Config }

var _ llm.Model = (*Client)(nil)

// New makes a Client. It opens no connection.
func New(c Config) *Client { return &Client{cfg: c} }

// Stream implements llm.Model.
func (c *Client) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) { yield(llm.Delta{}, llm.ErrUnreachable) }
}
