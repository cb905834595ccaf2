package config

import (
	"bytes"
	"strings"

	"homebot/internal/phrases"

	"github.com/pelletier/go-toml/v2/unstable"
)

// The file of secrets is TOML with the keys of homebot.toml that are secrets and
// no others. Where there is one, homebot.toml can lie where everybody reads it.

// applySecrets sets the secrets that the file left empty.
func (c *Config) applySecrets(from sources) Problems {
	doc, wrong := readTOML(c.Secrets, from.secrets)
	if wrong != nil {
		return Problems{*wrong}
	}
	known, tables := index()
	var found Problems
	for _, e := range doc.entries {
		if tables[e.path] && e.table || from.skip[e.path] {
			continue
		}
		at := Problem{File: c.Secrets, Line: e.line, Column: e.column, Key: e.name()}
		f, ok := known[e.path]
		if !ok {
			found = append(found, at.Says(unknown(e)))
			continue
		}
		secret, _ := f.bind(c).(*hidden)
		if secret == nil {
			found = append(found, at.Says(phrases.Errorf(phrases.ConfigNoSecret)))
			continue
		}
		if secret.to.Set() {
			continue
		}
		c.origins[e.path] = origin{secrets: true, line: e.line, column: e.column}
		if err := secret.set(doc.value(e.parts)); err != nil {
			found = append(found, at.Says(err))
		}
	}
	return found
}

// Valid says what is wrong with a value of the setting key ("table.name"), as TOML
// has it; the error holds no secret.
func Valid(key string, value any) error {
	known, _ := index()
	f, ok := known[key]
	if !ok {
		return phrases.Errorf(phrases.ConfigNoSetting)
	}
	c := Default()
	return f.bind(&c).set(value)
}

// IsSecret reports whether key ("table.name") is a secret's.
func IsSecret(key string) bool {
	known, _ := index()
	f, ok := known[key]
	if !ok {
		return false
	}
	_, ok = f.bind(&Config{}).(*hidden)
	return ok
}

// HoldsSecret reports whether the file of the configuration itself has a secret,
// also one that the environment has in its place.
func (c Config) HoldsSecret() bool {
	data, err := read(c.Path)
	return err == nil && len(ReadSecrets(data)) > 0
}

// ReadSecrets returns the values of a file of secrets by key; nil for one that is
// not TOML.
func ReadSecrets(data []byte) map[string]string {
	values, _ := TakeOut(data, func(path, _ string) bool { return IsSecret(path) })
	return values
}

// WriteSecrets returns the file that ReadSecrets reads.
func WriteSecrets(values map[string]string) []byte {
	var b bytes.Buffer
	b.WriteString("# What homebot took out of homebot.toml. Who may read this file may use the keys in it.\n")
	table := ""
	for _, f := range fields() {
		if v := values[f.key]; v != "" && printable(v) == nil {
			b.WriteString(nextTable(&b, &table, f) + " = " + quote(v) + "\n")
		}
	}
	return b.Bytes()
}

// TakeOut returns what a file has at the keys that are wanted, by their path, and
// the same file with "" in place of each: of the same length byte for byte, so
// that it can be written over the old one in place, comments and all. Values that
// are empty already or no text stay. Lines that are not TOML are looked over, as
// LoadAnyway does; of a file that cannot be read at all nothing is taken.
func TakeOut(data []byte, wanted func(path, value string) bool) (values map[string]string, rest []byte) {
	e := encodingOf(data)
	text, _, ok := Salvage("", data)
	if !ok {
		return nil, data
	}
	whole := decode(data)
	values = map[string]string{}
	var out []byte
	end := 0
	for _, s := range strs(text) {
		if len(s.value) == 0 || !wanted(s.path, s.value) {
			continue
		}
		values[s.path] = s.value
		old := whole[s.start:s.end]
		out = append(out, whole[end:s.start]...)
		out = append(out, `""`...)
		out = append(out, strings.Repeat(" ", e.width(old)-2)...)
		end = s.end
	}
	return values, e.encode(append(out, whole[end:]...))
}

// str is a string in a file: the bytes from start to end, quotes included.
type str struct {
	path, value string
	start, end  int
}

// strs lists the strings of valid TOML, in the order of the file, those in inline
// tables too and those in arrays not.
func strs(text []byte) []str {
	var (
		p     unstable.Parser
		all   []str
		under []string
	)
	p.Reset(text)
	for p.NextExpression() {
		node := p.Expression()
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			under = newEntry(&p, text, nil, node).parts
		case unstable.KeyValue:
			all = appendStrs(all, &p, text, under, node)
		}
	}
	return all
}

func appendStrs(all []str, p *unstable.Parser, text []byte, under []string, node *unstable.Node) []str {
	e := newEntry(p, text, under, node)
	v := node.Value()
	switch v.Kind {
	case unstable.String:
		start := int(v.Raw.Offset)
		all = append(all, str{e.path, string(v.Data), start, start + int(v.Raw.Length)})
	case unstable.InlineTable:
		children := v.Children()
		for children.Next() {
			if child := children.Node(); child.Kind == unstable.KeyValue {
				all = appendStrs(all, p, text, e.parts, child)
			}
		}
	}
	return all
}
