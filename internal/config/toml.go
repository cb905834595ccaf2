package config

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"homebot/internal/phrases"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// document is a parsed file: its values, and every key and table where it was
// written.
type document struct {
	tree    map[string]any
	entries []entry
}

// entry is a key or a table header in the file.
type entry struct {
	path         string // parts joined with "."
	parts        []string
	line, column int
	table        bool // [header], [[header]] or inline table
	single       bool // a table that is not [[…]]
}

// name is the path as it can stand in one line of a message.
func (e entry) name() string {
	if printable(e.path) != nil || !utf8.ValidString(e.path) || len(e.path) > 60 || e.path == "" {
		return strconv.Quote(clip(e.path))
	}
	return e.path
}

// readTOML parses a file. A file that is not TOML has one problem, its first.
func readTOML(file string, data []byte) (document, *Problem) {
	data = decode(data)
	if at := invalidUTF8(data); at >= 0 {
		line, column := position(data, at)
		p := Problem{File: file, Line: line, Column: column}.Says(phrases.Errorf(phrases.ConfigNotUTF8))
		return document{}, &p
	}
	doc := document{tree: map[string]any{}}
	if err := toml.Unmarshal(data, &doc.tree); err != nil {
		return document{}, syntaxProblem(file, data, err)
	}
	doc.entries = entries(data)
	return doc, nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// syntaxProblem turns the decoder's error into a Problem. The decoder quotes the
// text it stumbled over, so on a line with a secret only the place is told.
func syntaxProblem(file string, data []byte, err error) *Problem {
	says := phrases.Errorf(phrases.ConfigNoTOML, line(strings.TrimPrefix(err.Error(), "toml: "), 160))
	p := Problem{File: file}.Says(says)
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return &p
	}
	row, col := at.Position()
	p.Line, p.Column = row, col
	lines := bytes.Split(data, []byte("\n"))
	if row < 1 || row > len(lines) {
		return &p
	}
	text := lines[row-1]
	p.Column = 1 + utf8.RuneCount(text[:min(max(col-1, 0), len(text))])
	if key, _, ok := bytes.Cut(text, []byte("=")); ok && utf8.Valid(key) && printable(string(key)) == nil {
		p.Key = clip(strings.TrimSpace(string(key)))
	}
	if bytes.ContainsAny(text, "“”„‘’＂") {
		says = phrases.Errorf(phrases.ConfigCurlyQuotes)
	}
	if mentionsSecret(string(text)) {
		says = phrases.Errorf(phrases.ConfigBadSecretLine)
	}
	p = p.Says(says)
	return &p
}

// mentionsSecret reports whether a line may hold a secret.
func mentionsSecret(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{"key", "token", "pass"}, func(word string) bool { return strings.Contains(line, word) })
}

// position returns line and column (in characters) of an offset.
func position(data []byte, offset int) (line, column int) {
	before := data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
}

// entries lists every key and table header of valid TOML in the order of the
// file. Of a table that is not ours only the header is listed, so that it makes
// one problem, not many.
func entries(data []byte) []entry {
	var (
		p     unstable.Parser
		all   []entry
		under []string // path of the last header
		ours  = true   // its keys are looked at: it is a table that exists, written once
	)
	_, tables := index()
	p.Reset(data)
	for p.NextExpression() {
		node := p.Expression()
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			e := newEntry(&p, data, nil, node)
			e.table, e.single = true, node.Kind == unstable.Table
			all, under, ours = append(all, e), e.parts, e.single && tables[e.path]
		case unstable.KeyValue:
			if ours {
				all = appendKey(all, &p, data, under, node)
			}
		}
	}
	return all
}

// appendKey appends one key = value; an inline table of ours gives its keys.
func appendKey(all []entry, p *unstable.Parser, data []byte, under []string, node *unstable.Node) []entry {
	_, tables := index()
	e := newEntry(p, data, under, node)
	if node.Value().Kind != unstable.InlineTable {
		return append(all, e)
	}
	e.table, e.single = true, true
	all = append(all, e)
	if !tables[e.path] {
		return all
	}
	children := node.Value().Children()
	for children.Next() {
		if child := children.Node(); child.Kind == unstable.KeyValue {
			all = appendKey(all, p, data, e.parts, child)
		}
	}
	return all
}

func newEntry(p *unstable.Parser, data []byte, under []string, node *unstable.Node) entry {
	e := entry{parts: slices.Clone(under)}
	first := true
	for key := node.Key(); key.Next(); first = false {
		n := key.Node()
		if first {
			e.line, e.column = position(data, int(n.Raw.Offset))
		}
		e.parts = append(e.parts, string(n.Data))
	}
	e.path = strings.Join(e.parts, ".")
	return e
}

// value returns what the file has at a path, nil if there is nothing (which a
// key that was written only has inside a [[table]]).
func (d document) value(parts []string) any {
	var at any = d.tree
	for _, part := range parts {
		table, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = table[part]
	}
	return at
}
