package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// wireTool and wireFunction are one element of a tools array as it is sent. A
// struct, not a map: the order of the keys is part of the bytes (R37).
type wireTool struct {
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

// EncodeTools makes the exact bytes of a tools array, as they are frozen in
// tools.json and sent (R31): sorted by name, compact, nothing escaped that JSON
// does not demand. The same set of tools gives the same bytes, in whatever order
// it comes (R37). No tools give nil.
//
// A Schema that is empty or no JSON object becomes {"type":"object","properties":{}}
// (a tool without arguments); its keys stay in their order.
func EncodeTools(defs []ToolDef) json.RawMessage {
	if len(defs) == 0 {
		return nil
	}
	sorted := slices.Clone(defs)
	slices.SortStableFunc(sorted, func(a, b ToolDef) int { return strings.Compare(a.Name, b.Name) })
	tools := make([]wireTool, 0, len(sorted))
	for _, d := range sorted {
		tools = append(tools, wireTool{Type: "function", Function: wireFunction{
			Name: d.Name, Description: d.Description, Parameters: compactObject(d.Schema),
		}})
	}
	return encode(tools)
}

// DecodeTools reads the names out of a tools array, in its order. It returns an
// error for anything that is not an array of named functions; nil gives none.
func DecodeTools(raw json.RawMessage) ([]string, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var tools []wireTool
	if err := json.Unmarshal(raw, &tools); err != nil {
		return nil, fmt.Errorf("tools array: %w", err)
	}
	names := make([]string, 0, len(tools))
	for i, t := range tools {
		if t.Function.Name == "" {
			return nil, fmt.Errorf("tools array: element %d has no function name", i)
		}
		names = append(names, t.Function.Name)
	}
	return names, nil
}

// compactObject returns raw without insignificant white space, or the schema of
// no arguments when raw is not an object.
func compactObject(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil || b.Len() == 0 || b.Bytes()[0] != '{' {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return b.Bytes()
}

// encode is json.Marshal without the escaping meant for HTML pages. It is only
// given values that cannot fail.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("llm: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
