package config

import (
	"fmt"
	"strings"
)

// Problem is one mistake in the configuration.
type Problem struct {
	File         string // empty: not in a file
	Line, Column int    // from 1, columns in characters; 0: the file as a whole
	Key          string // "table.name", or the variable of the environment; may be empty
	Text         string // what is wrong; the way out
}

// String is the problem in one line: "file:line:column: key: text".
func (p Problem) String() string {
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
	return b.String() + p.Text
}

// Problems is the error of Load: every mistake, in the order of the file, then
// those of the environment. Its text has one line for each.
type Problems []Problem

// Error returns one line for each problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
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
func (c Config) problem(key, text string) Problem {
	from, file := c.origins[key], c.Path
	if from.secrets {
		file = c.Secrets
	}
	return Problem{File: file, Line: from.line, Column: from.column, Key: key, Text: text}
}
