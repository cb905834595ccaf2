package script

import (
	"encoding/json"
	"errors"
	"fmt"

	"homebot/internal/phrases"

	starjson "go.starlark.net/lib/json"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// hooks are the functions that the struct of a mode may hold.
var hooks = []string{callStatic, callRuntime, callExit}

// predeclared is all a script can use beside the language.
func predeclared() starlark.StringDict {
	return starlark.StringDict{
		"struct": starlark.NewBuiltin("struct", starlarkstruct.Make),
		"tool":   starlark.NewBuiltin("tool", makeTool),
		"json":   starjson.Module,
	}
}

// program is a loaded script and the request it answers.
type program struct {
	thread *starlark.Thread
	entry  *starlarkstruct.Struct
	call   request
	ctx    *scopeValue
}

// hook is a function of the struct, nil when it has none.
func (p *program) hook(name string) (starlark.Callable, error) {
	v, err := p.entry.Attr(name)
	if err != nil || v == nil || v == starlark.None {
		return nil, nil // no such attribute
	}
	f, ok := v.(starlark.Callable)
	if !ok {
		return nil, phrases.Errorf(phrases.ScriptNoFunction, name, v.Type())
	}
	return f, nil
}

func (p *program) describe() (response, error) {
	var r response
	for _, name := range p.entry.AttrNames() {
		switch name {
		case callStatic, callRuntime, callExit, "tools", "mode_id", "display_name":
		default:
			return r, phrases.Errorf(phrases.ScriptNoUse, name)
		}
	}
	for _, name := range hooks {
		f, err := p.hook(name)
		if err != nil {
			return r, err
		}
		if f != nil {
			r.Hooks = append(r.Hooks, name)
		}
	}
	tools, err := p.tools()
	for _, t := range tools {
		r.Tools = append(r.Tools, t.spec)
	}
	return r, err
}

func (p *program) tools() ([]*toolValue, error) {
	v, err := p.entry.Attr("tools")
	if err != nil || v == nil || v == starlark.None {
		return nil, nil
	}
	list, ok := v.(starlark.Iterable)
	if !ok {
		return nil, phrases.Errorf(phrases.ScriptNoList, v.Type())
	}
	var all []*toolValue
	for v := range starlark.Elements(list) {
		t, ok := v.(*toolValue)
		if !ok {
			return nil, phrases.Errorf(phrases.ScriptNoTool, v.Type())
		}
		all = append(all, t)
	}
	return all, nil
}

// invoke calls a hook with ctx before args.
func (p *program) invoke(f starlark.Callable, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if p.call.Scope == nil {
		return nil, errors.New("request without a scope")
	}
	p.ctx = newScope(*p.call.Scope)
	return starlark.Call(p.thread, f, append(starlark.Tuple{p.ctx}, args...), kwargs)
}

func (p *program) named(name string, args ...starlark.Value) (starlark.Value, error) {
	f, err := p.hook(name)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, fmt.Errorf("%s is not there any more", name)
	}
	return p.invoke(f, args, nil)
}

func (p *program) static() (response, error) {
	v, err := p.named(callStatic)
	if err != nil {
		return response{}, err
	}
	s, ok := starlark.AsString(v)
	if !ok && v != starlark.None {
		return response{}, fmt.Errorf("static_prompt must return a string, not %s", v.Type())
	}
	if len(s) > maxText {
		return response{}, fmt.Errorf("static_prompt returned %d bytes, more than %d", len(s), maxText)
	}
	return response{Text: s, Writes: p.ctx.writes}, nil
}

func (p *program) runtime() (response, error) {
	v, err := p.named(callRuntime)
	if err != nil {
		return response{}, err
	}
	r := response{Writes: p.ctx.writes}
	if v == starlark.None {
		return r, nil
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		return response{}, fmt.Errorf("runtime_context must return a dict, not %s", v.Type())
	}
	for _, item := range d.Items() {
		key, ok := starlark.AsString(item[0])
		if !ok {
			return response{}, fmt.Errorf("runtime_context: the key %s must be a string", item[0])
		}
		r.Fields = append(r.Fields, [2]string{key, plain(item[1])})
	}
	return r, nil
}

// plain is a value as text: a string as it is, anything else as it is written.
func plain(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return v.String()
}

func (p *program) exit() (response, error) {
	turns := make([]starlark.Value, len(p.call.Turns))
	for i, t := range p.call.Turns {
		turns[i] = starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
			"time": starlark.String(t.Time), "speaker": starlark.String(t.Speaker),
			"user": starlark.String(t.User), "assistant": starlark.String(t.Assistant), "failed": starlark.Bool(t.Failed),
		})
	}
	_, err := p.named(callExit, starlark.String(p.call.Summary), starlark.NewList(turns))
	if err != nil {
		return response{}, err
	}
	return response{Writes: p.ctx.writes}, nil
}

func (p *program) tool() (response, error) {
	tools, err := p.tools()
	if err != nil {
		return response{}, err
	}
	for _, t := range tools {
		if t.spec.Name == p.call.Tool {
			return p.callTool(t)
		}
	}
	return response{}, fmt.Errorf("the tool %s is not there any more", p.call.Tool)
}

func (p *program) callTool(t *toolValue) (response, error) {
	kwargs, err := t.arguments(p.call.Args)
	if err != nil {
		return response{}, err
	}
	v, err := p.invoke(t.run, nil, kwargs)
	if err != nil {
		return response{}, err
	}
	text, err := p.encode(v)
	if err != nil {
		return response{}, err
	}
	if len(text) > maxText {
		return response{}, fmt.Errorf("%s returned %d bytes, more than %d", t.spec.Name, len(text), maxText)
	}
	return response{Text: text, Writes: p.ctx.writes}, nil
}

// encode is a tool's value for the model: always an object with ok.
func (p *program) encode(v starlark.Value) (string, error) {
	if s, ok := starlark.AsString(v); ok {
		d := starlark.NewDict(2)
		_ = d.SetKey(starlark.String("text"), starlark.String(s)) // a new dict is not frozen
		v = d
	}
	if v == starlark.None {
		v = starlark.NewDict(1)
	}
	encoded, err := starlark.Call(p.thread, starjson.Module.Members["encode"], starlark.Tuple{v}, nil)
	if err != nil {
		return "", fmt.Errorf("a tool must return a string, a dict or a struct: %w", err)
	}
	s, _ := starlark.AsString(encoded)
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(s), &members); err != nil {
		return "", errors.New("a tool must return a string, a dict or a struct")
	}
	if _, ok := members["ok"]; ok {
		return s, nil
	}
	if len(members) == 0 {
		return `{"ok":true}`, nil
	}
	return `{"ok":true,` + s[1:], nil
}
