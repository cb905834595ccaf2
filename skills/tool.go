package skills

import (
	"context"
	"encoding/json"
)

// Tool is one thing the model can have done. Call runs it with the model's
// arguments and returns the text for the model; wrong arguments become such a
// text, never a Go error, and never a claim that something was done.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Call        func(ctx context.Context, args json.RawMessage) string
}
