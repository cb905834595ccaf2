package modes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"homebot/internal/lazyregexp"
	"homebot/internal/text"
	"homebot/skills"
)

// ManifestFile is the file that makes a skill folder a run mode (R15).
const ManifestFile = "mode.json"

// DefaultExpires is when a mode ends on the day after it was entered (R48).
const DefaultExpires = "00:10"

// Mode is one run mode as its mode.json and SKILL.md describe it.
type Mode struct {
	ID             string
	DisplayName    string
	Aliases        []string
	SessionPrefix  string   // of session ids; the id when not given
	ContextProfile string   // "" or full, compact, minimal
	Tools          []string // offered beside the common ones; nil means all of the skill
	Expires        string   // "HH:MM" of the day after entry
	OnEnter        string   // one line to say after entering, may be ""
	Entrypoint     string   // "" is a static mode

	Plugin   *Plugin // what Entrypoint names, nil for a static mode
	Skill    skills.Skill
	Folder   string // name of the skill's folder: skill_name of action.json
	Builtin  bool   // inside the binary
	Manifest string // where mode.json is, for people
}

// Names are the display name and the aliases: what the gate looks for.
func (m Mode) Names() []string { return append([]string{m.DisplayName}, m.Aliases...) }

// NameIn returns the mode's name for a sentence in lang: the display name, or
// for English the first alias without Han.
func (m Mode) NameIn(lang string) string {
	if lang == "zh" {
		return m.DisplayName
	}
	for _, n := range m.Names() {
		if !text.HasHan(n) {
			return n
		}
	}
	return m.DisplayName
}

// Broken is a mode that cannot be used, and why. ID is "" when not even that
// could be read.
type Broken struct {
	ID     string
	File   string
	Line   int // 1-based; 0 when it concerns the whole file
	Reason string
}

func (b Broken) String() string {
	if b.Line == 0 {
		return fmt.Sprintf("%s: %s", b.File, b.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.Reason)
}

// Catalogue is the modes there are at one instant. It does not change.
type Catalogue struct {
	Modes  []Mode // built-in ones first, then the workspace's, each by folder name
	Broken []Broken
	gate   *Gate
}

// Lookup finds a mode by id.
func (c *Catalogue) Lookup(id string) (Mode, bool) {
	i := slices.IndexFunc(c.Modes, func(m Mode) bool { return m.ID == id })
	if i < 0 {
		return Mode{}, false
	}
	return c.Modes[i], true
}

// IsBroken reports whether a mode of that id was found but cannot be used.
func (c *Catalogue) IsBroken(id string) bool {
	return slices.ContainsFunc(c.Broken, func(b Broken) bool { return b.ID == id })
}

// Has reports whether an id is taken, by a usable mode or a broken one.
func (c *Catalogue) Has(id string) bool {
	_, ok := c.Lookup(id)
	return ok || c.IsBroken(id)
}

// Gate judges words by the names of all modes of the catalogue.
func (c *Catalogue) Gate() *Gate { return c.gate }

// Registry finds run modes: those in the binary, then every folder of a
// directory the user may drop skills into (R14). Any goroutine may scan.
type Registry struct {
	builtin fs.FS
	dir     string

	// Plugins are what `builtin:NAME` names, by their id; Scripts what
	// `mode.star:NAME` does. Both may be empty and are set before the first
	// Scan.
	Plugins []Plugin
	Scripts Scripts

	mu   sync.Mutex
	seen string     // what the folders looked like when last was made
	last *Catalogue // nil: look again
}

// NewRegistry takes the built-in skill folders and the workspace's skills
// directory, which need not exist. It reads nothing yet.
func NewRegistry(builtin fs.FS, dir string) *Registry {
	return &Registry{builtin: builtin, dir: dir}
}

// Scan looks at all skill folders and reads them anew when one has changed. A bad
// one is listed as broken and never stops the others; so Scan itself cannot fail.
func (r *Registry) Scan() *Catalogue {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.look()
	if r.last == nil || now != r.seen {
		r.last, r.seen = r.scan(), now
	}
	c := r.last
	if len(c.Broken) > 0 {
		r.last = nil // what is wrong may lie outside the folders: a busy machine, a disk
	}
	return c
}

// look is a fingerprint of the workspace's folders: a turn of a mode asks for the
// catalogue and mostly finds it unchanged.
func (r *Registry) look() string {
	var b strings.Builder
	entries, _ := os.ReadDir(r.dir) // unreadable looks like empty; scan says why
	for _, e := range entries {
		b.WriteString(e.Name())
		for _, name := range []string{"", ManifestFile, skills.File, scriptFile} {
			info, err := os.Lstat(filepath.Join(r.dir, e.Name(), name))
			if err == nil {
				fmt.Fprintf(&b, "\x00%s %v %d %d", name, info.Mode(), info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return b.String()
}

func (r *Registry) scan() *Catalogue {
	s := scan{Catalogue: &Catalogue{}, Registry: r}
	s.folder(r.builtin, "", true)
	if r.dir != "" {
		s.workspace(r.dir)
	}
	names := make([]GateMode, len(s.Modes))
	for i, m := range s.Modes {
		names[i] = GateMode{ID: m.ID, Names: m.Names()}
	}
	s.gate = NewGate(names)
	return s.Catalogue
}

type scan struct {
	*Catalogue
	*Registry
}

// workspace reads dir through an os.Root for each skill folder, so that no path
// and no symlink leads out of it (R15).
func (s scan) workspace(dir string) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		s.broken(Broken{File: dir, Reason: "cannot be read: " + reason(err)})
		return
	}
	for _, e := range entries {
		full := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.Type()&fs.ModeSymlink != 0:
			s.broken(Broken{File: full, Reason: "is a symbolic link; copy the folder itself here"})
		case e.IsDir():
			s.one(full)
		}
	}
}

func (s scan) one(full string) {
	root, err := os.OpenRoot(full)
	if err != nil {
		s.broken(Broken{File: full, Reason: "cannot be read: " + reason(err)})
		return
	}
	defer root.Close()
	s.read(root.FS(), ".", full, false)
}

func (s scan) folder(fsys fs.FS, dir string, builtin bool) {
	entries, err := fs.ReadDir(fsys, path.Join(".", dir))
	if err != nil {
		s.broken(Broken{File: dir, Reason: reason(err)})
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			s.read(fsys, e.Name(), "built in: "+e.Name(), builtin)
		}
	}
}

// read takes one skill folder; without a mode.json it is a skill and no mode.
func (s scan) read(fsys fs.FS, dir, shown string, builtin bool) {
	name := path.Join(dir, ManifestFile)
	file := shown + "/" + ManifestFile
	data, err := skills.ReadFile(fsys, name, maxManifestBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		s.broken(fileBroken("", file, err))
		return
	}
	m, b := parseManifest(data)
	if b != nil {
		b.File = file
		s.broken(*b)
		return
	}
	m.Folder, m.Builtin, m.Manifest = path.Base(filepath.ToSlash(shown)), builtin, file
	m.Folder = strings.TrimPrefix(m.Folder, "built in: ")
	if m.Skill, err = skills.Load(fsys, dir); err != nil {
		s.broken(fileBroken(m.ID, shown+"/"+skills.File, err))
		return
	}
	if clash := s.clash(m); clash != "" {
		s.broken(Broken{ID: m.ID, File: file, Reason: clash})
		return
	}
	if b := s.plug(&m, fsys, dir, shown, data); b != nil {
		s.broken(*b)
		return
	}
	s.Modes = append(s.Modes, m)
}

// Bounds of what people drop into a folder.
const (
	maxManifestBytes = 64 << 10
	maxScriptBytes   = 256 << 10
)

// scriptFile is the one file of a skill that may hold code (R15).
const scriptFile = "mode.star"

// plug finds the plugin that m's entry point names.
func (s scan) plug(m *Mode, fsys fs.FS, dir, shown string, manifest []byte) *Broken {
	kind, name, _ := strings.Cut(m.Entrypoint, ":")
	switch kind {
	case "builtin":
		i := slices.IndexFunc(s.Plugins, func(p Plugin) bool { return p.ID == name })
		if i < 0 || name != m.ID {
			return &Broken{ID: m.ID, File: m.Manifest, Line: lineOfKey(manifest, "entrypoint"),
				Reason: fmt.Sprintf("entry point %q: nothing of that name is built in for the mode %q; drop entrypoint for a static mode", m.Entrypoint, m.ID)}
		}
		m.Plugin = &s.Plugins[i]
	case scriptFile:
		p, b := s.script(m.ID, fsys, path.Join(dir, scriptFile), shown+"/"+scriptFile, name)
		if b != nil {
			return b
		}
		m.Plugin = p
	}
	if key, why := m.wrongTools(); why != "" {
		return &Broken{ID: m.ID, File: m.Manifest, Line: lineOfKey(manifest, key), Reason: why}
	}
	return nil
}

func (s scan) script(id string, fsys fs.FS, file, shown, name string) (*Plugin, *Broken) {
	source, err := skills.ReadFile(fsys, file, maxScriptBytes)
	if err != nil {
		b := fileBroken(id, shown, err)
		return nil, &b
	}
	if s.Scripts == nil {
		return nil, &Broken{ID: id, File: shown, Reason: "scripts cannot run here; drop entrypoint for a static mode"}
	}
	p, err := s.Scripts.Load(shown, name, source)
	if err != nil {
		b := fileBroken(id, shown, err)
		return nil, &b
	}
	return p, nil
}

func (s scan) broken(b Broken) { s.Broken = append(s.Broken, b) }

// clash compares with the modes already taken: the first stands.
func (s scan) clash(m Mode) string {
	for _, o := range s.Modes {
		if o.ID == m.ID {
			return fmt.Sprintf("id %q is taken by %s; choose another id", m.ID, o.Manifest)
		}
		for _, n := range m.Names() {
			if slices.ContainsFunc(o.Names(), func(other string) bool { return sameName(n, other) }) {
				return fmt.Sprintf("name %q is taken by %s; choose another name", n, o.Manifest)
			}
		}
	}
	return ""
}

// sameName compares as the gate does: what it cannot tell apart is one name.
func sameName(a, b string) bool { return slices.Equal(gateWordsOf(a), gateWordsOf(b)) }

func fileBroken(id, file string, err error) Broken {
	var pe *skills.ParseError
	var he *HookError
	switch {
	case errors.As(err, &pe):
		return Broken{ID: id, File: file, Line: pe.Line, Reason: pe.Reason}
	case errors.As(err, &he):
		return Broken{ID: id, File: file, Line: he.Line, Reason: he.Reason}
	}
	return Broken{ID: id, File: file, Reason: reason(err)}
}

// manifest is mode.json (R15).
type manifest struct {
	ID             string   `json:"id"`
	DisplayName    string   `json:"display_name"`
	Entrypoint     string   `json:"entrypoint"`
	Aliases        []string `json:"aliases"`
	SessionPrefix  string   `json:"session_prefix"`
	ContextProfile string   `json:"context_profile"`
	Tools          []string `json:"tools"`
	Expires        string   `json:"expires"`
	OnEnter        string   `json:"on_enter"`
}

var (
	idPattern      = lazyregexp.New(`^[a-z][a-z0-9-]{0,31}$`)
	expiresPattern = lazyregexp.New(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
	aliasWord      = lazyregexp.New(`(?i)模式|\bmode\b`)
)

func parseManifest(data []byte) (Mode, *Broken) {
	var f manifest
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return Mode{}, jsonBroken(data, d.InputOffset(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Mode{}, &Broken{ID: validID(f.ID), Line: lineAt(data, d.InputOffset()), Reason: "something follows the closing }; take it away"}
	}
	m := Mode{
		ID: f.ID, DisplayName: f.DisplayName, Aliases: f.Aliases, SessionPrefix: f.SessionPrefix,
		ContextProfile: f.ContextProfile, Tools: f.Tools, Expires: f.Expires, OnEnter: f.OnEnter, Entrypoint: f.Entrypoint,
	}
	if m.SessionPrefix == "" {
		m.SessionPrefix = m.ID
	}
	if m.Expires == "" {
		m.Expires = DefaultExpires
	}
	if key, why := f.wrong(m); why != "" {
		return Mode{}, &Broken{ID: validID(f.ID), Line: lineOfKey(data, key), Reason: why}
	}
	return m, nil
}

// wrong names the first key of f that must not be so, and the way out.
func (f manifest) wrong(m Mode) (key, why string) {
	switch {
	case !idPattern.MatchString(f.ID):
		return "id", fmt.Sprintf("id %q: use a small letter, then small letters, digits and -, at most 32", f.ID)
	case slices.Contains(reservedIDs, f.ID):
		return "id", fmt.Sprintf("id %q is a name homebot uses itself; choose another id", f.ID)
	case strings.TrimSpace(f.DisplayName) == "":
		return "display_name", "display_name is missing: the name people say, such as 学习模式"
	case !idPattern.MatchString(m.SessionPrefix):
		return "session_prefix", fmt.Sprintf("session_prefix %q: use small letters, digits and -", f.SessionPrefix)
	case !expiresPattern.MatchString(m.Expires):
		return "expires", fmt.Sprintf("expires %q: use HH:MM, such as 00:10", f.Expires)
	case !slices.Contains([]string{"", "full", "compact", "minimal"}, f.ContextProfile):
		return "context_profile", fmt.Sprintf("context_profile %q: use full, compact or minimal", f.ContextProfile)
	}
	for i, n := range m.Names() {
		if strings.ContainsFunc(n, unicode.IsControl) || strings.ContainsAny(n, "[]") || len([]rune(n)) > maxNameRunes {
			return []string{"display_name", "aliases"}[min(i, 1)], fmt.Sprintf("name %q: use at most %d characters on one line, without [ and ]", n, maxNameRunes)
		}
	}
	for _, a := range f.Aliases {
		if !aliasWord.MatchString(a) {
			return "aliases", fmt.Sprintf("alias %q must contain 模式 or the word mode", a)
		}
	}
	return "entrypoint", f.wrongEntrypoint()
}

var entrypointPattern = lazyregexp.New(`^(builtin:[a-z][a-z0-9-]*|mode\.star:[A-Za-z_][A-Za-z0-9_]*)$`)

// wrongEntrypoint looks at the form only; plug looks for what it names.
func (f manifest) wrongEntrypoint() string {
	switch {
	case f.Entrypoint == "" || entrypointPattern.MatchString(f.Entrypoint):
		return ""
	case strings.Contains(f.Entrypoint, ".py"):
		return "Python is not run here; use mode.star:NAME, or drop entrypoint for a static mode"
	default:
		return fmt.Sprintf("entry point %q: use mode.star:NAME, or drop entrypoint for a static mode", f.Entrypoint)
	}
}

// reservedIDs are directories of a workspace that are no mode's data.
var reservedIDs = []string{"modes", "sessions", "members", "skills", "context", "timers", "logs", "cache", "data"}

// maxNameRunes bounds a name that people say.
const maxNameRunes = 32

func validID(id string) string {
	if idPattern.MatchString(id) {
		return id
	}
	return ""
}

func jsonBroken(data []byte, offset int64, err error) *Broken {
	var se *json.SyntaxError
	var te *json.UnmarshalTypeError
	why := err.Error()
	switch {
	case errors.As(err, &se):
		offset, why = se.Offset, "not JSON: "+se.Error()
	case errors.As(err, &te) && te.Field == "":
		offset, why = te.Offset, "must be one object in { }, not "+te.Value
	case errors.As(err, &te):
		offset, why = te.Offset, fmt.Sprintf("%s must be %s, not %s", te.Field, te.Type, te.Value)
	case strings.HasPrefix(why, "json: unknown field "):
		key := strings.Trim(strings.TrimPrefix(why, "json: unknown field "), `"`)
		return &Broken{Line: lineOfKey(data, key), Reason: fmt.Sprintf("unknown key %q; docs/MODES.md lists the keys", key)}
	case len(bytes.TrimSpace(data)) == 0:
		why = "is empty"
	}
	return &Broken{Line: lineAt(data, offset), Reason: why}
}

func lineAt(data []byte, offset int64) int {
	offset = min(max(offset, 0), int64(len(data)))
	return 1 + bytes.Count(data[:offset], []byte("\n"))
}

// lineOfKey finds the line where a key stands, 1 when it is missing.
func lineOfKey(data []byte, key string) int {
	i := bytes.Index(data, []byte(`"`+key+`"`))
	if i < 0 {
		return 1
	}
	return 1 + bytes.Count(data[:i], []byte("\n"))
}

// reason is an error without the path, which the caller shows itself.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
