package modes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"homebot/internal/phrases"
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
	ZH     string // Reason in Chinese; "": Reason is all there is
}

// Says returns b with what err says, in Chinese too if err knows it.
func (b Broken) Says(err error) Broken {
	b.Reason, b.ZH = err.Error(), phrases.Told(err, phrases.Chinese)
	return b
}

// String is In English.
func (b Broken) String() string { return b.In(phrases.English) }

// In is the mode in one line: "file:line: reason".
func (b Broken) In(lang string) string {
	why := b.Reason
	if lang == phrases.Chinese && b.ZH != "" {
		why = b.ZH
	}
	if b.Line == 0 {
		return fmt.Sprintf("%s: %s", b.File, why)
	}
	return fmt.Sprintf("%s:%d: %s", b.File, b.Line, why)
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
		s.broken(Broken{File: dir}.Says(phrases.Errorf(phrases.ModeFileUnreadable, reason(err))))
		return
	}
	for _, e := range entries {
		full := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.Type()&fs.ModeSymlink != 0:
			s.broken(Broken{File: full}.Says(phrases.Errorf(phrases.ModeFileLink)))
		case e.IsDir():
			s.one(full)
		}
	}
}

func (s scan) one(full string) {
	root, err := os.OpenRoot(full)
	if err != nil {
		s.broken(Broken{File: full}.Says(phrases.Errorf(phrases.ModeFileUnreadable, reason(err))))
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
	if clash := s.clash(m); clash != nil {
		s.broken(Broken{ID: m.ID, File: file}.Says(clash))
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
			b := Broken{ID: m.ID, File: m.Manifest, Line: lineOfKey(manifest, "entrypoint")}.
				Says(phrases.Errorf(phrases.ModeFileNoBuiltin, m.Entrypoint, m.ID))
			return &b
		}
		m.Plugin = &s.Plugins[i]
	case scriptFile:
		p, b := s.script(m.ID, fsys, path.Join(dir, scriptFile), shown+"/"+scriptFile, name)
		if b != nil {
			return b
		}
		m.Plugin = p
	}
	if key, why := m.wrongTools(); why != nil {
		b := Broken{ID: m.ID, File: m.Manifest, Line: lineOfKey(manifest, key)}.Says(why)
		return &b
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
		b := Broken{ID: id, File: shown}.Says(phrases.Errorf(phrases.ModeFileNoScripts))
		return nil, &b
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
func (s scan) clash(m Mode) error {
	for _, o := range s.Modes {
		if o.ID == m.ID {
			return phrases.Errorf(phrases.ModeFileIDTaken, m.ID, o.Manifest)
		}
		for _, n := range m.Names() {
			if slices.ContainsFunc(o.Names(), func(other string) bool { return sameName(n, other) }) {
				return phrases.Errorf(phrases.ModeFileNameTaken, n, o.Manifest)
			}
		}
	}
	return nil
}

// sameName compares as the gate does: what it cannot tell apart is one name.
func sameName(a, b string) bool { return slices.Equal(gateWordsOf(a), gateWordsOf(b)) }

func fileBroken(id, file string, err error) Broken {
	var pe *skills.ParseError
	var he *HookError
	switch {
	case errors.As(err, &pe):
		return Broken{ID: id, File: file, Line: pe.Line, Reason: pe.Reason, ZH: pe.ReasonIn(phrases.Chinese)}
	case errors.As(err, &he):
		return Broken{ID: id, File: file, Line: he.Line, Reason: he.Reason, ZH: he.ZH}
	}
	return Broken{ID: id, File: file, Reason: reason(err)}
}

// reason is an error without the path, which the caller shows itself.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
