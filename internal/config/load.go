package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Names in the environment that are not a setting's.
const (
	EnvConfig    = "HOMEBOT_CONFIG"
	EnvWorkspace = "HOMEBOT_WORKSPACE"
)

// maxSize of a file in bytes; the sample has a twentieth of it.
const maxSize = 64 << 10

// Load reads and checks the configuration. path names the file; empty means
// $HOMEBOT_CONFIG, else <workspace>/homebot.toml, where a missing file means the
// defaults. getenv is os.Getenv, wrapped in With for what the command line has.
// The error is Problems; the Config beside it holds whatever was right.
func Load(path string, getenv func(string) string) (Config, error) {
	c := Default()
	workspace, err := workspaceDir(getenv)
	if err != nil {
		return c, err
	}
	c.Workspace = workspace
	named := true
	if path == "" {
		path = getenv(EnvConfig)
	}
	if path == "" {
		path, named = filepath.Join(workspace, "homebot.toml"), false
	}
	c.Path = path
	data, err := read(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		data, err = nil, nil
	}
	if err != nil {
		return c, Problems{{File: path, Text: unreadable(err)}}
	}
	return parse(c, data, getenv)
}

// With returns a getenv in which name has value: how --workspace becomes
// HOMEBOT_WORKSPACE. An empty value changes nothing.
func With(getenv func(string) string, name, value string) func(string) string {
	return func(asked string) string {
		if asked == name && value != "" {
			return value
		}
		return getenv(asked)
	}
}

// workspaceDir returns $HOMEBOT_WORKSPACE or ~/.homebot, absolute.
func workspaceDir(getenv func(string) string) (string, error) {
	dir, home := getenv(EnvWorkspace), getenv("HOME")
	rest, inHome := strings.CutPrefix(dir, "~/")
	switch {
	case dir == "" && home != "":
		dir = filepath.Join(home, ".homebot")
	case dir == "":
		return "", Problems{{Key: EnvWorkspace, Text: "is not set, and there is no home directory; set it to a directory of homebot's own"}}
	case inHome && home != "":
		dir = filepath.Join(home, rest)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", Problems{{Key: EnvWorkspace, Text: fmt.Sprintf("cannot be resolved (%v); set it to an absolute path", err)}}
	}
	return abs, nil
}

var errTooLarge = errors.New("the file is too large")

// read returns the content of a file of at most maxSize.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = errTooLarge
	}
	return data, err
}

func unreadable(err error) string {
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		err = inPath.Err // the path is in front already
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file; correct the path, or make one with: homebot config sample"
	case errors.Is(err, fs.ErrPermission):
		return "may not be read by this user; change its owner or mode"
	case errors.Is(err, errTooLarge):
		return fmt.Sprintf("is larger than %d KiB, so it is no homebot.toml; correct the path", maxSize>>10)
	}
	return fmt.Sprintf("cannot be read (%v); correct the path or check the disk", err)
}

// parse fills c, which holds the defaults, from data and the environment.
func parse(c Config, data []byte, getenv func(string) string) (Config, error) {
	c.origins = map[string]origin{}
	found := c.applyFile(data)
	found = append(found, c.applyEnv(getenv)...)
	wrong := c.checkTogether()
	for _, key := range slices.Sorted(maps.Keys(wrong)) {
		found = append(found, c.problem(key, wrong[key]))
	}
	if len(found) > 0 {
		slices.SortStableFunc(found, inOrderOfFile)
		return c, found
	}
	return c, nil
}

// inOrderOfFile puts what is not in a file last.
func inOrderOfFile(a, b Problem) int {
	if (a.File == "") != (b.File == "") {
		return strings.Compare(b.File, a.File)
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Column - b.Column
}

// applyFile sets what the file sets and returns what is wrong with it. A file
// that is not TOML sets nothing.
func (c *Config) applyFile(data []byte) Problems {
	doc, wrong := readTOML(c.Path, data)
	if wrong != nil {
		return Problems{*wrong}
	}
	known, tables := index()
	var found Problems
	for _, e := range doc.entries {
		at := Problem{File: c.Path, Line: e.line, Column: e.column, Key: e.name()}
		f, isKey := known[e.path]
		switch {
		case isKey && e.table:
			at.Text = "is a table here; write it as a line key = value under [" + tableOf(e.path) + "]"
		case isKey:
			c.origins[e.path] = origin{line: e.line, column: e.column}
			if err := f.bind(c).set(doc.value(e.parts)); err != nil {
				at.Text = err.Error()
			}
		case tables[e.path] && !e.single:
			at.Text = "is a table; write it as a line [" + e.path + "]"
		case !tables[e.path]:
			at.Text = unknown(e)
		}
		if at.Text != "" {
			found = append(found, at)
		}
	}
	return found
}

// applyEnv sets what the environment sets; a variable that is empty counts as
// not set.
func (c *Config) applyEnv(getenv func(string) string) Problems {
	var found Problems
	for _, f := range fields() {
		if f.env == "" || getenv(f.env) == "" {
			continue
		}
		c.origins[f.key] = origin{env: f.env}
		if err := f.bind(c).set(getenv(f.env)); err != nil {
			found = append(found, Problem{Key: f.env, Text: err.Error()})
		}
	}
	return found
}

// index returns the fields by key, and the names of the tables.
func index() (known map[string]field, tables map[string]bool) {
	known, tables = map[string]field{}, map[string]bool{}
	for _, f := range fields() {
		known[f.key] = f
		tables[tableOf(f.key)] = true
	}
	return known, tables
}

func tableOf(key string) string {
	table, _, _ := strings.Cut(key, ".")
	return table
}
