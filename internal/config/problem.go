package config

import (
	"fmt"
	"strings"

	"homebot/internal/phrases"
)

// Problem is one mistake in the configuration.
type Problem struct {
	File         string // empty: not in a file
	Line, Column int    // from 1, columns in characters; 0: the file as a whole
	Key          string // "table.name", or the variable of the environment; may be empty
	Text         string // what is wrong; the way out; in English
	ZH           string `json:",omitempty"` // the same in Chinese; "": Text is all there is
}

// Says returns p with what err says, in Chinese too if err knows it.
func (p Problem) Says(err error) Problem {
	p.Text, p.ZH = err.Error(), phrases.Told(err, phrases.Chinese)
	if p.ZH == p.Text {
		p.ZH = ""
	}
	return p
}

// String is In English.
func (p Problem) String() string { return p.In(phrases.English) }

// In is the problem in one line: "file:line:column: key: text".
func (p Problem) In(lang string) string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File)
		if p.Line > 0 {
			fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
		}
		b.WriteString(": ")
	}
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	if lang == phrases.Chinese && p.ZH != "" {
		return b.String() + p.ZH
	}
	return b.String() + p.Text
}

// Problems is the error of Load: every mistake, in the order of the file, then
// those of the environment. Its text has one line for each.
type Problems []Problem

// Error is In English.
func (ps Problems) Error() string { return ps.In(phrases.English) }

// In returns one line for each problem.
func (ps Problems) In(lang string) string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.In(lang)
	}
	return strings.Join(lines, "\n")
}

// origin is where a setting comes from.
type origin struct {
	env          string // variable, or "" for a file
	secrets      bool   // that file is the one with the secrets
	line, column int
}

// problem blames the setting key where the file sets it. (No key that is checked
// together with others can come from the environment.)
func (c Config) problem(key string, wrong error) Problem {
	from, file := c.origins[key], c.Path
	if from.secrets {
		file = c.Secrets
	}
	return Problem{File: file, Line: from.line, Column: from.column, Key: key}.Says(wrong)
}
