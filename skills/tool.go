package skills

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
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

// NewTool makes a tool of a typed function. The schema comes from In's fields:
// json names, `jsonschema:"required,description=…,enum=…"`. An error of fn is
// told to the model as text.
func NewTool[In any](name, description string, fn func(context.Context, In) (string, error)) Tool {
	return Tool{
		Name:        name,
		Description: description,
		Schema:      schemaOf(new(In)),
		Call: func(ctx context.Context, args json.RawMessage) string {
			var in In
			if err := decodeArguments(args, &in); err != nil {
				return Failed(fmt.Errorf("arguments of %s: %w", name, err))
			}
			out, err := fn(ctx, in)
			if err != nil {
				return Failed(err)
			}
			return out
		},
	}
}

// Failed is how a tool tells the model that nothing was done, and why.
func Failed(err error) string {
	return Answer(struct {
		OK     bool   `json:"ok"`
		Reason string `json:"reason"`
	}{Reason: err.Error()})
}

// Answer is v as JSON for the model, Chinese and quotes unescaped.
func Answer(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return `{"ok":false,"reason":"the result could not be encoded"}`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// schemaOf is deterministic: jsonschema keeps the order of the fields (R37).
func schemaOf(in any) json.RawMessage {
	r := jsonschema.Reflector{DoNotReference: true, Anonymous: true, AllowAdditionalProperties: true, RequiredFromJSONSchemaTags: true}
	s := r.Reflect(in)
	s.Version = ""
	data, err := json.Marshal(s)
	if err != nil { // a type that cannot be a schema is a programming error, seen by the first test
		panic(fmt.Sprintf("skills: schema of %T: %v", in, err))
	}
	return data
}

// decodeArguments reads one JSON object; the empty text some models send for
// "no arguments" counts as {}.
func decodeArguments(args json.RawMessage, in any) error {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	d := json.NewDecoder(bytes.NewReader(args))
	if err := d.Decode(in); err != nil {
		var t *json.UnmarshalTypeError
		if errors.As(err, &t) && t.Field == "" {
			return fmt.Errorf("must be one JSON object, not %s", t.Value)
		}
		if errors.As(err, &t) {
			return fmt.Errorf("%s must be %s, not %s", t.Field, t.Type, t.Value)
		}
		return fmt.Errorf("not a JSON object (%w)", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}

// Set is the tools of one conversation, sorted by name once, so that the same
// tools always give the same bytes (R37). The zero value is an empty set.
type Set struct{ tools []Tool }

// NewSet sorts tools by name. Two tools of one name are a programming error.
func NewSet(tools ...Tool) Set {
	s := Set{tools: slices.Clone(tools)}
	slices.SortFunc(s.tools, func(a, b Tool) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(s.tools); i++ {
		if s.tools[i].Name == s.tools[i-1].Name {
			panic("skills: two tools named " + s.tools[i].Name)
		}
	}
	return s
}

// Tools returns the tools in order. The caller must not change them.
func (s Set) Tools() []Tool { return s.tools }

// Lookup finds a tool by name.
func (s Set) Lookup(name string) (Tool, bool) {
	i, ok := slices.BinarySearchFunc(s.tools, name, func(t Tool, n string) int { return strings.Compare(t.Name, n) })
	if !ok {
		return Tool{}, false
	}
	return s.tools[i], true
}
