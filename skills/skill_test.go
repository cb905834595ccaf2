package skills_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"homebot/internal/phrases"
	"homebot/skills"
)

func TestParse(t *testing.T) {
	s, err := skills.Parse([]byte("---\nname: tea\ndescription: >\n  makes\n  tea\nlicense: MIT\n---\n\nBoil water.\n---\nstill body\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "tea" || s.Description != "makes tea" || s.Body != "Boil water.\n---\nstill body" {
		t.Errorf("got %+v", s)
	}
}

// R14: a bad SKILL.md is named by line and reason.
func TestParseSaysWhereItIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, in string
		line     int
		want     string
	}{
		{"no front matter", "# Tea\n", 1, "no front matter"},
		{"no description", "---\nname: tea\n---\nx", 1, "needs name and description"},
		{"bad yaml", "---\nname: tea\n\tdescription: x\n---\n", 3, ""},
		{"empty", "", 1, "no front matter"},
		{"GBK", "---\nname: tea\ndescription: \xb2\xe8\n---\nx", 3, "save the file as UTF-8"},
		{"UTF-16", "\xff\xfe-\x00-\x00-\x00\n\x00", 1, "save the file as UTF-8"},
		{"zeros", "---\nname: tea\ndescription: x\n---\n\x00\x00", 5, "not UTF-8 text"},
		{"too long", "---\nname: a\ndescription: b\n---\n" + strings.Repeat("x", 70<<10), 0, "longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := skills.Parse([]byte(c.in))
			var pe *skills.ParseError
			if !errors.As(err, &pe) {
				t.Fatalf("got %v, want a ParseError", err)
			}
			if pe.Line != c.line || !strings.Contains(pe.Reason, c.want) || strings.Contains(pe.Error(), "\n") {
				t.Errorf("got line %d %q", pe.Line, pe.Reason)
			}
			if zh := pe.In(phrases.Chinese); strings.HasPrefix(zh, "第 ") != (c.line > 0) || pe.ReasonIn(phrases.Chinese) == pe.Reason {
				t.Errorf("in Chinese %q", zh)
			}
		})
	}
}

// R21: cooking is built in, one body for both languages, short enough to be in
// every request (its limit is 700 tokens; runes are an upper bound for Han, and
// a Latin word is at most two).
func TestBuiltinCooking(t *testing.T) {
	s, err := skills.Load(skills.Builtin, "home-cooking")
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "home-cooking" || s.Description == "" {
		t.Errorf("got %q %q", s.Name, s.Description)
	}
	for _, w := range []string{"一步一步", "one step", "note_fact"} {
		if !strings.Contains(s.Body, w) {
			t.Errorf("body lacks %q", w)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("---\nname: a\ndescription: b\n---\nbody")
	f.Add("---\n---\n")
	f.Add("---\nname: [\n---\n")
	f.Fuzz(func(t *testing.T, in string) {
		s, err := skills.Parse([]byte(in))
		if err == nil && (s.Name == "" || s.Description == "" || strings.Contains(s.Description, "\n")) {
			t.Errorf("accepted %q as %+v", in, s)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("error of more than one line: %q", err)
		}
	})
}

type addIn struct {
	Kind string `json:"kind" jsonschema:"required,enum=a,enum=b,description=the kind"`
	Text string `json:"text" jsonschema:"required"`
	N    int    `json:"n,omitempty"`
}

func newAdd() skills.Tool {
	return skills.NewTool("add", "adds", func(_ context.Context, in addIn) (string, error) {
		if in.Text == "bad" {
			return "", errors.New("no such thing")
		}
		return skills.Answer(in), nil
	})
}

func TestToolArguments(t *testing.T) {
	tool := newAdd()
	for in, want := range map[string]string{
		`{"kind":"a","text":"<面>"}`:     `{"kind":"a","text":"<面>"}`,
		`{"kind":"a","text":"x","z":1}`: `{"kind":"a","text":"x"}`,
		``:                              `{"kind":"","text":""}`,
		`{"text":"bad"}`:                `{"ok":false,"reason":"no such thing"}`,
		`[1]`:                           `{"ok":false,"reason":"arguments of add: must be one JSON object, not array"}`,
		`{"n":"three"}`:                 `{"ok":false,"reason":"arguments of add: n must be int, not string"}`,
	} {
		if got := tool.Call(t.Context(), json.RawMessage(in)); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	for _, in := range []string{`{"kind":`, `[]`, `{} {}`, `nonsense`} {
		got := tool.Call(t.Context(), json.RawMessage(in))
		if !strings.HasPrefix(got, `{"ok":false,"reason":"arguments of add: `) {
			t.Errorf("%s: got %s", in, got)
		}
	}
}

// R37: the same tools give the same bytes, in whatever order they were made.
func TestSetIsOrdered(t *testing.T) {
	b := skills.NewTool("b", "", func(context.Context, struct{}) (string, error) { return "", nil })
	one, two := skills.NewSet(newAdd(), b), skills.NewSet(b, newAdd())
	for i, tool := range one.Tools() {
		other := two.Tools()[i]
		if tool.Name != other.Name || string(tool.Schema) != string(other.Schema) {
			t.Errorf("%d: %s %s differ", i, tool.Name, other.Name)
		}
	}
	if _, ok := one.Lookup("c"); ok {
		t.Error("found a tool that is not there")
	}
	if got, ok := one.Lookup("b"); !ok || got.Name != "b" {
		t.Error("did not find b")
	}
	want := `{"properties":{"kind":{"type":"string","enum":["a","b"],"description":"the kind"},"text":{"type":"string"},"n":{"type":"integer"}},"type":"object","required":["kind","text"]}`
	if got := string(newAdd().Schema); got != want {
		t.Errorf("schema\n got %s\nwant %s", got, want)
	}
}
