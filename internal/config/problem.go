package config

import (
	"errors"
	"fmt"
	"slices"
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

// Says returns p with what err says.
func (p Problem) Says(err error) Problem {
	p.Text, p.ZH = err.Error(), ""
	var m mistake
	if errors.As(err, &m) {
		p.ZH = m.zh
	}
	return p
}

// mistake is what is wrong and the way out, in both languages.
type mistake struct{ en, zh string }

// Error is the English words.
func (m mistake) Error() string { return m.en }

// Mistake is an error that Says tells in both languages, for who reads settings
// elsewhere.
func Mistake(p phrases.Phrase, args ...any) error { return mistaken(p, args...) }

// mistaken makes a mistake. Arguments that are mistakes or phrases themselves are
// put in in the language of each.
func mistaken(p phrases.Phrase, args ...any) mistake {
	say := func(lang string) string {
		own := slices.Clone(args)
		for i, a := range own {
			switch a := a.(type) {
			case phrases.Phrase:
				own[i] = a.In(lang)
			case mistake:
				if own[i] = a.en; lang == phrases.Chinese {
					own[i] = a.zh
				}
			}
		}
		return p.In(lang, own...)
	}
	return mistake{say(phrases.English), say(phrases.Chinese)}
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
func (c Config) problem(key string, m mistake) Problem {
	from, file := c.origins[key], c.Path
	if from.secrets {
		file = c.Secrets
	}
	return Problem{File: file, Line: from.line, Column: from.column, Key: key}.Says(m)
}
