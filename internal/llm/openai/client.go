package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"homebot/internal/llm"
)

// Client is an llm.Model on one server. It is safe for several goroutines.
type Client struct {
	cfg  Config
	host string // what errors name
	bad  error  // why the base URL is no use, or nil
	api  *api.Client
}

var _ llm.Model = (*Client)(nil)

// New makes a Client. It opens no connection; what is wrong with c shows in the
// first Stream.
func New(c Config) *Client {
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	c.APIKey = strings.TrimSpace(c.APIKey)
	c.Timeouts = c.Timeouts.withDefaults()
	client := &Client{cfg: c}
	u, err := url.Parse(c.BaseURL)
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		client.bad = errors.New("the base URL must look like http://host:port/v1")
	default:
		client.host = u.Host
	}
	conf := api.DefaultConfig(c.APIKey)
	conf.BaseURL = c.BaseURL
	conf.HTTPClient = httpClient(c.HTTPClient)
	conf.EmptyMessagesLimit = maxAnswer // the size of the answer is the limit
	client.api = api.NewClientWithConfig(conf)
	return client
}

// String names the server and the model, and never the key.
func (c *Client) String() string { return c.cfg.String() }

// GoString is String.
func (c *Client) GoString() string { return c.cfg.String() }

// Stream implements llm.Model. Text comes as it arrives; tool calls come whole,
// after the text; the usage last. An answer that was finished counts even when
// the connection then breaks; before that a break is llm.ErrUnreachable, and no
// half tool call is handed out.
//
// A connection that fails before the request was sent, or that had been idle, is
// tried once more after a short pause; nothing is ever retried once the server
// may have begun to answer.
func (c *Client) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		if err := c.stream(ctx, r, yield); err != nil {
			yield(llm.Delta{}, err)
		}
	}
}

// errStopped: the consumer wants no more.
var errStopped = errors.New("consumer stopped")

func (c *Client) stream(ctx context.Context, r llm.Request, yield func(llm.Delta, error) bool) error {
	if c.bad != nil {
		return fmt.Errorf("%w: %w", llm.ErrUnreachable, c.bad)
	}
	body, sent, err := encodeRequest(c.cfg, r)
	if err != nil {
		return fmt.Errorf("%w: %w", llm.ErrRefused, err)
	}
	if c.cfg.Observe != nil {
		c.cfg.Observe(sent)
	}
	w := newWatch(ctx, c.cfg.Timeouts)
	defer w.stop()
	ex := &exchange{body: body, watch: w}
	err = c.converse(w.ctx, ex, newAnswer(len(r.Messages), func(d llm.Delta) bool { return yield(d, nil) }))
	if err == nil || errors.Is(err, errStopped) {
		return nil
	}
	return c.explain(ctx, w.ctx, err)
}

// converse sends the request and reads the answer into a.
func (c *Client) converse(ctx context.Context, ex *exchange, a *answer) error {
	// Only the URL, the headers, the status and the lines of the stream are the
	// library's: the transport puts ex.body in the place of its body.
	s, err := c.api.CreateChatCompletionStream(withExchange(ctx, ex), api.ChatCompletionRequest{
		Model: c.cfg.Model, StreamOptions: &api.StreamOptions{IncludeUsage: true},
	})
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // a body that was read to its end, or given up
	if err := read(ctx, s, ex, a); err != nil {
		return err
	}
	ex.drain()
	return nil
}

// read feeds a with the lines of s until the answer has ended.
func read(ctx context.Context, s *api.ChatCompletionStream, ex *exchange, a *answer) error {
	for {
		line, err := s.RecvRaw()
		switch {
		case err == nil:
			err = a.line(line)
		case a.finished() && ctx.Err() == nil, a.finished() && isSlow(ctx):
			return a.end() // what is missing is at most the usage
		case errors.Is(err, io.EOF) && !ex.done():
			err = errors.New("the answer broke off")
		case errors.Is(err, io.EOF):
			return a.end()
		}
		if err != nil {
			return err
		}
		if a.finished() {
			ex.watch.hurry()
		}
	}
}

// httpClient returns given, or a new client, with our transport around its own.
func httpClient(given *http.Client) *http.Client {
	var client http.Client
	if given != nil {
		client = *given
	}
	if client.Transport == nil {
		client.Transport = defaultTransport()
	}
	client.Transport = &transport{next: client.Transport}
	return &client
}
