package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"homebot/internal/llm"
)

// explain turns what went wrong into one line that wraps one of package llm's
// errors, or ctx's: ctx is the caller's, watched the one with the limits.
func (c *Client) explain(ctx, watched context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", c.host, ctx.Err())
	}
	if isSlow(watched) {
		return fmt.Errorf("%w: %s: %w", llm.ErrSlow, c.host, context.Cause(watched))
	}
	detail, kind := classify(err)
	return fmt.Errorf("%w: %s: %s", kind, c.host, c.clean(detail))
}

// classify finds what to say of an error, and its kind.
func classify(err error) (detail string, kind error) {
	var inURL *url.Error
	if errors.As(err, &inURL) {
		err = inURL.Err // without the URL, which may hold a password
	}
	var (
		status  *api.APIError
		foreign *api.RequestError
		odd     nonsense
		no      refusal
	)
	switch {
	case errors.As(err, &status) && status.HTTPStatusCode == 0:
		return status.Message, llm.ErrRefused
	case errors.As(err, &status):
		return fmt.Sprintf("status %d: %s", status.HTTPStatusCode, status.Message), refusedWith(status.HTTPStatusCode)
	case errors.As(err, &foreign):
		text := fmt.Sprintf("status %d: %s", foreign.HTTPStatusCode, plainBody(foreign.Body))
		return strings.TrimSuffix(text, ": "), refusedWith(foreign.HTTPStatusCode)
	case errors.As(err, &no):
		return err.Error(), llm.ErrRefused
	case errors.As(err, &odd), errors.Is(err, errEmpty), errors.Is(err, errWebPage), errors.Is(err, errTooLong),
		errors.Is(err, api.ErrTooManyEmptyStreamMessages):
		return err.Error(), llm.ErrNonsense
	}
	return err.Error(), llm.ErrUnreachable
}

// refusedWith tells a refusal of this request from a server that cannot answer any
// just now: neither key nor model's name is to blame for that.
func refusedWith(status int) error {
	if status == http.StatusTooManyRequests || status >= http.StatusInternalServerError {
		return llm.ErrBusy
	}
	return llm.ErrRefused
}

// plainBody is the text of an error's body unless it is a page for browsers.
func plainBody(body []byte) string {
	text := strings.TrimSpace(string(body))
	if strings.HasPrefix(text, "<") {
		return ""
	}
	return text
}

// keyLike finds keys as providers write them, also half masked: some quote the
// key they refuse.
var keyLike = regexp.MustCompile(`\b(sk|pk|gsk|xai|AIza)[-_][A-Za-z0-9_*.…-]{4,}`)

// clean makes one short line of a foreign text, without secrets.
func (c *Client) clean(text string) string {
	if c.cfg.APIKey != "" {
		text = strings.ReplaceAll(text, c.cfg.APIKey, "[key]")
	}
	text = keyLike.ReplaceAllString(text, "[key]")
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return text
}
