package openai

import (
	"encoding/json"
	"strings"

	"homebot/internal/llm"
)

// chunk is one event of a stream, in the parts we read. Its field types take
// whatever a server may write there; only what is no JSON object at all is an
// error.
type chunk struct {
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
	XGroq   struct {
		Usage json.RawMessage `json:"usage"`
	} `json:"x_groq"`
}

type choice struct {
	Index        number          `json:"index"`
	Delta        part            `json:"delta"`
	Message      part            `json:"message"`
	FinishReason text            `json:"finish_reason"`
	Usage        json.RawMessage `json:"usage"`
}

type part struct {
	Content   text       `json:"content"`
	Refusal   text       `json:"refusal"`
	ToolCalls []fragment `json:"tool_calls"`
}

func (p part) empty() bool {
	return p.Content == "" && p.Refusal == "" && len(p.ToolCalls) == 0
}

// fragment is a piece of a tool call, or all of it.
type fragment struct {
	Index    *number `json:"index"`
	ID       text    `json:"id"`
	Function struct {
		Name      text      `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

func parseChunk(raw []byte) (chunk, error) {
	var c chunk
	err := json.Unmarshal(raw, &c)
	return c, err
}

// errorText is the message of an error object, or "".
func (c chunk) errorText() string {
	if len(c.Error) == 0 || string(c.Error) == "null" {
		return ""
	}
	var object struct {
		Message text `json:"message"`
	}
	var plain text
	switch {
	case json.Unmarshal(c.Error, &object) == nil && object.Message != "":
		return string(object.Message)
	case json.Unmarshal(c.Error, &plain) == nil && plain != "":
		return string(plain)
	}
	return "the server reported an error"
}

// usage looks in every place where servers put it.
func (c chunk) usage() *llm.Usage {
	places := []json.RawMessage{c.Usage, c.XGroq.Usage}
	for _, choice := range c.Choices {
		places = append(places, choice.Usage)
	}
	for _, raw := range places {
		if u, ok := parseUsage(raw); ok {
			return &u
		}
	}
	return nil
}

// text is a string; null is empty, a list of parts is the text in them.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*t = text(s)
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) == nil {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p.Text)
		}
		*t = text(b.String())
	}
	return nil
}

// arguments is a string, or, from servers that do not encode twice, an object.
type arguments string

// UnmarshalJSON implements json.Unmarshaler.
func (a *arguments) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*a = arguments(s)
		return nil
	}
	*a = arguments(raw)
	return nil
}

// number is an integer; anything else is 0.
type number int

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(raw []byte) error {
	*n = number(tokens(raw))
	return nil
}
