package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"homebot/internal/phrases"
	"homebot/internal/store"
)

// scopeValue is ctx in a script.
type scopeValue struct {
	scope
	data    store.Confined
	writes  []write
	written int
}

var (
	_ starlark.HasAttrs = (*scopeValue)(nil)
	_ starlark.Value    = (*toolValue)(nil)
)

func newScope(s scope) *scopeValue {
	return &scopeValue{scope: s, data: store.Confine(store.OS(), s.DataDir)}
}

func (*scopeValue) String() string        { return "ctx" }
func (*scopeValue) Type() string          { return "ctx" }
func (*scopeValue) Freeze()               {}
func (*scopeValue) Truth() starlark.Bool  { return true }
func (*scopeValue) Hash() (uint32, error) { return 0, errors.New("ctx cannot be a key") }

// AttrNames lists what ctx has.
func (*scopeValue) AttrNames() []string {
	return []string{"facts", "lang", "mode_id", "now", "read", "session_id", "write"}
}

// Attr is one of them.
func (c *scopeValue) Attr(name string) (starlark.Value, error) {
	switch name {
	case "mode_id":
		return starlark.String(c.ModeID), nil
	case "session_id":
		return starlark.String(c.SessionID), nil
	case "now":
		return starlark.String(c.Now), nil
	case "lang":
		return starlark.String(c.Lang), nil
	case "facts":
		facts := make([]starlark.Value, len(c.Facts))
		for i, f := range c.Facts {
			facts[i] = starlark.String(f)
		}
		return starlark.NewList(facts), nil
	case "read":
		return starlark.NewBuiltin("read", c.read), nil
	case "write":
		return starlark.NewBuiltin("write", c.write), nil
	}
	return nil, nil // the language's own "no such attribute"
}

// read returns a file of the data directory, None when there is none. It sees
// what the same hook wrote before.
func (c *scopeValue) read(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var path string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "path", &path); err != nil {
		return nil, err
	}
	path = filepath.Clean(path)
	if i := slices.IndexFunc(c.writes, func(w write) bool { return w.Path == path }); i >= 0 {
		return starlark.String(c.writes[i].Text), nil
	}
	data, err := c.data.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return starlark.None, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read: %s", reason(err, path))
	}
	return starlark.String(data), nil
}

// write keeps a text for the data directory; it is on disk when the hook has
// succeeded.
func (c *scopeValue) write(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var path, text string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "path", &path, "text", &text); err != nil {
		return nil, err
	}
	if !filepath.IsLocal(path) || filepath.Clean(path) == "." {
		return nil, fmt.Errorf("write: %s", reason(store.ErrEscapes, path))
	}
	path = filepath.Clean(path)
	if c.written += len(text); c.written > maxWritten {
		return nil, fmt.Errorf("write: more than %d bytes in one call", maxWritten)
	}
	i := slices.IndexFunc(c.writes, func(w write) bool { return w.Path == path })
	switch {
	case i >= 0:
		c.writes[i].Text = text
	case len(c.writes) == maxWrites:
		return nil, fmt.Errorf("write: more than %d files in one call", maxWrites)
	default:
		c.writes = append(c.writes, write{path, text})
	}
	return starlark.None, nil
}

func reason(err error, path string) string {
	if errors.Is(err, store.ErrEscapes) {
		return fmt.Sprintf("%q leads out of the mode's own directory", path)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Sprintf("%q: %v", path, pe.Err)
	}
	return err.Error()
}

// toolValue is tool(name, description, run, params) in a script.
type toolValue struct {
	spec   toolSpec
	params []param
	run    starlark.Callable
}

// param is one argument of a tool: params={"word": "string: the word to learn"};
// a ? after the type makes it optional.
type param struct {
	name, kind, about string
	optional          bool
}

func (t *toolValue) String() string     { return "tool(" + t.spec.Name + ")" }
func (*toolValue) Type() string         { return "tool" }
func (*toolValue) Freeze()              {}
func (*toolValue) Truth() starlark.Bool { return true }
func (t *toolValue) Hash() (uint32, error) {
	return starlark.String(t.spec.Name).Hash()
}

func makeTool(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	t := &toolValue{}
	var params *starlark.Dict
	err := starlark.UnpackArgs(b.Name(), args, kwargs,
		"name", &t.spec.Name, "description", &t.spec.Description, "run", &t.run, "params?", &params)
	if err != nil {
		return nil, err
	}
	if params != nil {
		for _, item := range params.Items() {
			p, err := readParam(item)
			if err != nil {
				return nil, err
			}
			t.params = append(t.params, p)
		}
	}
	t.spec.Schema = schemaOf(t.params)
	return t, nil
}

func readParam(item starlark.Tuple) (param, error) {
	name, ok1 := starlark.AsString(item[0])
	spec, ok2 := starlark.AsString(item[1])
	if !ok1 || !ok2 {
		return param{}, phrases.Errorf(phrases.ScriptNoParams, item)
	}
	kind, about, _ := strings.Cut(spec, ":")
	p := param{name: name, about: strings.TrimSpace(about)}
	p.kind, p.optional = strings.CutSuffix(strings.TrimSpace(kind), "?")
	if !slices.Contains([]string{"string", "integer", "number", "boolean"}, p.kind) {
		return param{}, phrases.Errorf(phrases.ScriptNoKind, name, p.kind)
	}
	return p, nil
}

// schemaOf writes the schema in the order of the script, always the same bytes
// (R37).
func schemaOf(params []param) json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"properties":{`)
	var required []string
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(p.name))
		b.WriteString(`:{"type":"` + p.kind + `"`)
		if p.about != "" {
			b.WriteString(`,"description":`)
			b.Write(quoted(p.about))
		}
		b.WriteByte('}')
		if !p.optional {
			required = append(required, p.name)
		}
	}
	b.WriteString(`},"type":"object"`)
	if len(required) > 0 {
		names, _ := json.Marshal(required) // strings always encode
		b.WriteString(`,"required":`)
		b.Write(names)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func quoted(s string) []byte {
	data, _ := json.Marshal(s) // strings always encode
	return data
}

// arguments turns the model's JSON into keyword arguments.
func (t *toolValue) arguments(args json.RawMessage) ([]starlark.Tuple, error) {
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(args)) > 0 {
		if err := json.Unmarshal(args, &given); err != nil {
			return nil, fmt.Errorf("arguments of %s: not a JSON object", t.spec.Name)
		}
	}
	var kwargs []starlark.Tuple
	for _, p := range t.params {
		raw, ok := given[p.name]
		if !ok {
			if !p.optional {
				return nil, fmt.Errorf("arguments of %s: %s is missing", t.spec.Name, p.name)
			}
			continue
		}
		v, err := p.value(raw)
		if err != nil {
			return nil, fmt.Errorf("arguments of %s: %w", t.spec.Name, err)
		}
		kwargs = append(kwargs, starlark.Tuple{starlark.String(p.name), v})
	}
	return kwargs, nil
}

func (p param) value(raw json.RawMessage) (starlark.Value, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	switch x := v.(type) {
	case string:
		if p.kind == "string" {
			return starlark.String(x), nil
		}
	case bool:
		if p.kind == "boolean" {
			return starlark.Bool(x), nil
		}
	case float64:
		if p.kind == "number" {
			return starlark.Float(x), nil
		}
		if p.kind == "integer" && x == float64(int64(x)) {
			return starlark.MakeInt64(int64(x)), nil
		}
	}
	return nil, fmt.Errorf("%s must be %s, not %s", p.name, p.kind, raw)
}
