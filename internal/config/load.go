package config

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"homebot/internal/phrases"
)

// Names in the environment that are not a setting's.
const (
	EnvConfig    = "HOMEBOT_CONFIG"
	EnvWorkspace = "HOMEBOT_WORKSPACE"
	EnvSecrets   = "HOMEBOT_SECRETS"
)

// Load reads and checks the configuration. path names the file; empty means
// $HOMEBOT_CONFIG, else <workspace>/homebot.toml, where a missing file means the
// defaults. Secrets that it leaves empty come from $HOMEBOT_SECRETS, else
// <workspace>/secrets.toml, which may be missing. getenv is os.Getenv, wrapped in
// With for what the command line has. The error is Problems; the Config beside it
// holds whatever was right.
func Load(path string, getenv func(string) string) (Config, error) {
	c, from, found := locate(path, getenv)
	if len(found) > 0 {
		return c, found
	}
	return c.fill(from)
}

// sources are what a Config is filled from; what comes later wins.
type sources struct {
	secrets []byte // of what file leaves empty
	file    []byte
	getenv  func(string) string
	skip    map[string]bool // settings that are not to be looked at
}

// locate reads the files, and finds where everything is.
func locate(path string, getenv func(string) string) (c Config, from sources, found Problems) {
	c, from = Default(), sources{getenv: getenv}
	c.origins = map[string]origin{}
	c.applyLocale(getenv) // for what is wrong already
	workspace, err := workspaceDir(getenv)
	if err != nil {
		return c, from, Problems{*err}
	}
	c.Workspace = workspace
	var wrong *Problem
	c.Path, from.file, wrong = readNamed(path, getenv(EnvConfig), filepath.Join(workspace, "homebot.toml"))
	if wrong != nil {
		found = append(found, *wrong)
	}
	c.Secrets, from.secrets, wrong = readNamed("", "", secretsPath(workspace, getenv))
	if wrong != nil {
		found = append(found, *wrong)
	}
	return c, from, found
}

func secretsPath(workspace string, getenv func(string) string) string {
	if path := getenv(EnvSecrets); path != "" {
		return path
	}
	return filepath.Join(workspace, "secrets.toml")
}

// readNamed reads the first of the files that is named at all. The usual one may
// be missing, one that somebody named may not.
func readNamed(argument, variable, usual string) (path string, data []byte, wrong *Problem) {
	path = cmp.Or(argument, variable, usual)
	data, err := read(path)
	if errors.Is(err, fs.ErrNotExist) && path == usual {
		return path, nil, nil
	}
	if err != nil {
		p := Problem{File: path}.Says(unreadable(err))
		return path, nil, &p
	}
	return path, data, nil
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
func workspaceDir(getenv func(string) string) (string, *Problem) {
	dir, home := getenv(EnvWorkspace), getenv("HOME")
	rest, inHome := strings.CutPrefix(dir, "~/")
	switch {
	case dir == "" && home != "":
		dir = filepath.Join(home, ".homebot")
	case dir == "":
		p := Problem{Key: EnvWorkspace}.Says(phrases.Errorf(phrases.ConfigNoHome))
		return "", &p
	case inHome && home != "":
		dir = filepath.Join(home, rest)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		p := Problem{Key: EnvWorkspace}.Says(phrases.Errorf(phrases.ConfigNoAbsolute, err))
		return "", &p
	}
	return abs, nil
}

// parse fills c, which holds the defaults, from data and the environment.
func parse(c Config, data []byte, getenv func(string) string) (Config, error) {
	return c.fill(sources{file: data, getenv: getenv})
}

// fill sets what the sources set in c, which holds the defaults.
func (c Config) fill(from sources) (Config, error) {
	c.origins = map[string]origin{}
	c.applyLocale(from.getenv)
	found := c.applyFile(from)
	if c.System.Language == "" {
		c.applyLocale(from.getenv)
	}
	found = append(found, c.applySecrets(from)...)
	found = append(found, c.applyEnv(from)...)
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
	if a.File != b.File {
		return strings.Compare(a.File, b.File)
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Column - b.Column
}

// applyFile sets what the file sets and returns what is wrong with it. A file
// that is not TOML sets nothing.
func (c *Config) applyFile(from sources) Problems {
	doc, wrong := readTOML(c.Path, from.file)
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
			at = at.Says(phrases.Errorf(phrases.ConfigTableForKey, tableOf(e.path)))
		case isKey && from.skip[e.path]:
		case isKey:
			if err := f.bind(c).set(doc.value(e.parts)); err != nil {
				at = at.Says(err)
			} else {
				c.origins[e.path] = origin{line: e.line, column: e.column}
			}
		case tables[e.path] && !e.single:
			at = at.Says(phrases.Errorf(phrases.ConfigKeyForTable, e.path))
		case !tables[e.path]:
			at = at.Says(unknown(e))
		}
		if at.Text != "" {
			found = append(found, at)
		}
	}
	return found
}

// locale are the variables of the shell's language, in the order in which they
// count (POSIX).
var locale = []string{"LC_ALL", "LC_MESSAGES", "LANG"}

// shell is the language of the shell, if it is one of ours, and the variable that
// names it.
func shell(getenv func(string) string) (lang, name string) {
	for _, name := range locale {
		value := getenv(name)
		if value == "" {
			continue
		}
		if lang, _, _ := strings.Cut(strings.ToLower(value), "_"); lang == phrases.Chinese || lang == phrases.English {
			return lang, name
		}
		break
	}
	return "", ""
}

// ShellLanguage is the language of what a program without a configuration writes in
// a terminal: the shell's, if it is one of ours, else English.
func ShellLanguage(getenv func(string) string) string {
	lang, _ := shell(getenv)
	return cmp.Or(lang, phrases.English)
}

// applyLocale sets the language to the shell's, if that is one of ours, else to
// the default.
func (c *Config) applyLocale(getenv func(string) string) {
	delete(c.origins, "system.language")
	c.System.Language = Default().System.Language
	if lang, name := shell(getenv); lang != "" {
		c.System.Language, c.origins["system.language"] = lang, origin{env: name}
	}
}

// Terminal is the language of what is written in a terminal: the one that
// homebot.toml or the shell names, else English, which every terminal can show.
func (c Config) Terminal() string {
	if _, named := c.origins["system.language"]; !named {
		return phrases.English
	}
	return c.System.Language
}

// WithoutLocale returns a getenv that knows no language of a shell: that of the
// appliance is zh where its configuration names none.
func WithoutLocale(getenv func(string) string) func(string) string {
	return func(asked string) string {
		if slices.Contains(locale, asked) {
			return ""
		}
		return getenv(asked)
	}
}

// applyEnv sets what the environment sets; a variable that is empty counts as
// not set.
func (c *Config) applyEnv(from sources) Problems {
	var found Problems
	for _, f := range fields() {
		if f.env == "" || from.getenv(f.env) == "" || from.skip[f.env] {
			continue
		}
		c.origins[f.key] = origin{env: f.env}
		if err := f.bind(c).set(from.getenv(f.env)); err != nil {
			found = append(found, Problem{Key: f.env}.Says(err))
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
