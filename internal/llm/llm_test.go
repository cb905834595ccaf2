package llm

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var someTools = []ToolDef{
	{Name: "switch_mode", Description: "Switch <mode> & more\u2028关", Schema: json.RawMessage(`{ "type": "object", "properties": {"z": {}, "a": {}} }`)},
	{Name: "note_fact", Schema: json.RawMessage(`{"type":"object"}`)},
	{Name: "alarm", Description: "x"},
}

// R31, R37: the bytes of a set of tools are fixed: compact, sorted by name, keys
// of a schema in their order, nothing escaped for HTML; whatever order they come
// in.
func TestEncodeTools(t *testing.T) {
	want := `[{"type":"function","function":{"name":"alarm","description":"x","parameters":{"type":"object","properties":{}}}},` +
		`{"type":"function","function":{"name":"note_fact","parameters":{"type":"object"}}},` +
		`{"type":"function","function":{"name":"switch_mode","description":"Switch <mode> & more\u2028关","parameters":{"type":"object","properties":{"z":{},"a":{}}}}}]`
	defs := slices.Clone(someTools)
	for range 50 {
		rand.Shuffle(len(defs), func(i, j int) { defs[i], defs[j] = defs[j], defs[i] })
		if got := string(EncodeTools(defs)); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
	if EncodeTools(nil) != nil {
		t.Error("no tools gave bytes")
	}
	// Once more through any decoder and encoder of raw schemas: still the same.
	var again bytes.Buffer
	if err := json.Compact(&again, []byte(want)); err != nil || again.String() != want {
		t.Errorf("not compact: %v", err)
	}
}

func TestDecodeTools(t *testing.T) {
	names, err := DecodeTools(EncodeTools(someTools))
	if err != nil || !slices.Equal(names, []string{"alarm", "note_fact", "switch_mode"}) {
		t.Errorf("%v %v", names, err)
	}
	if names, err := DecodeTools(nil); err != nil || names != nil {
		t.Errorf("nil: %v %v", names, err)
	}
	for _, raw := range []string{`{`, `{}`, `[{}]`, `["a"]`, `[{"function":{"name":""}}]`, `7`} {
		if _, err := DecodeTools(json.RawMessage(raw)); err == nil {
			t.Errorf("%s passed for a tools array", raw)
		}
	}
}

func TestEncodeMessage(t *testing.T) {
	call := func(args string) Message {
		return Message{Role: Assistant, ToolCalls: []ToolCall{{ID: "1", Name: "f", Arguments: args}}}
	}
	tests := []struct {
		m    Message
		want string
	}{
		{Message{Role: User, Content: "[20:01 妈妈]\n<放> 几个 & \"什么\"？"}, `{"role":"user","content":"[20:01 妈妈]\n<放> 几个 & \"什么\"？"}`},
		{Message{Role: Assistant}, `{"role":"assistant","content":""}`},
		{Message{Role: ToolRole, ToolCallID: "1"}, `{"role":"tool","content":"","tool_call_id":"1"}`},
		{call(`{"a": 1}`), `{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}}]}`},
		{call(``), `{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}`},
		{call(`{"a":`), `{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}`},
		{call(`null`), `{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}`},
	}
	for _, tt := range tests {
		if got := string(EncodeMessage(tt.m)); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// C22: no orphan tool message, and no call without its one result.
func TestWellFormed(t *testing.T) {
	user := Message{Role: User, Content: "x"}
	calls := func(ids ...string) Message {
		m := Message{Role: Assistant}
		for _, id := range ids {
			m.ToolCalls = append(m.ToolCalls, ToolCall{ID: id, Name: "f"})
		}
		return m
	}
	result := func(id string) Message { return Message{Role: ToolRole, ToolCallID: id} }
	text := Message{Role: Assistant, Content: "y"}
	good := [][]Message{
		nil,
		{{Role: System}, user, text, user},
		{user, calls("a"), result("a"), text},
		{user, calls("a", "b"), result("b"), result("a"), calls("a"), result("a")},
	}
	for i, msgs := range good {
		if err := WellFormed(msgs); err != nil {
			t.Errorf("good %d: %v", i, err)
		}
	}
	bad := map[string][]Message{
		"orphan":                  {user, result("a")},
		"orphan at the beginning": {result("a"), user},
		"answered twice":          {user, calls("a"), result("a"), result("a")},
		"another id":              {user, calls("a"), result("b")},
		"no result":               {user, calls("a")},
		"one result missing":      {user, calls("a", "b"), result("a"), text},
		"not directly after":      {user, calls("a"), text, result("a")},
		"result of an older call": {user, calls("a"), result("a"), text, result("a")},
		"user in between":         {user, calls("a"), user, result("a")},
		"same id twice":           {user, calls("a", "a"), result("a")},
		"no id":                   {user, calls(""), result("")},
		"no name":                 {user, {Role: Assistant, ToolCalls: []ToolCall{{ID: "a"}}}, result("a")},
		"user with calls":         {{Role: User, ToolCalls: []ToolCall{{ID: "a", Name: "f"}}}, result("a")},
		"user with a result's id": {{Role: User, ToolCallID: "a"}},
		"unknown role":            {{Role: "narrator"}},
	}
	for name, msgs := range bad {
		if WellFormed(msgs) == nil {
			t.Errorf("%s passed", name)
		}
	}
}

func FuzzEncodeTools(f *testing.F) {
	f.Add("a", "d", `{"type":"object"}`, "b")
	f.Add("", "\xff<", `[`, "\u2028")
	f.Fuzz(func(t *testing.T, name, desc, schema, other string) {
		defs := []ToolDef{{name, desc, json.RawMessage(schema)}, {Name: other}}
		raw := EncodeTools(defs)
		if !json.Valid(raw) {
			t.Fatalf("not JSON: %s", raw)
		}
		if name != other && string(EncodeTools([]ToolDef{defs[1], defs[0]})) != string(raw) {
			t.Error("the order matters")
		}
		if names, err := DecodeTools(raw); name != "" && other != "" && (err != nil || len(names) != 2) {
			t.Errorf("%v %v", names, err)
		}
	})
}

func FuzzEncodeMessage(f *testing.F) {
	f.Add("user", "a", "", "")
	f.Add("assistant", "", "f", `{"a"`)
	f.Fuzz(func(t *testing.T, role, content, name, args string) {
		m := Message{Role: role, Content: content}
		if name != "" {
			m.ToolCalls = []ToolCall{{ID: "1", Name: name, Arguments: args}}
		}
		raw := EncodeMessage(m)
		var back struct {
			Content   *string
			ToolCalls []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
		}
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatal(err)
		}
		if back.Content != nil && *back.Content != strings.ToValidUTF8(content, "\ufffd") && !strings.Contains(*back.Content, "\ufffd") {
			t.Errorf("content %q became %q", content, *back.Content)
		}
		for _, c := range back.ToolCalls {
			if !json.Valid([]byte(c.Function.Arguments)) {
				t.Errorf("sent arguments %q", c.Function.Arguments)
			}
		}
	})
}
