// Package models keeps the files of speech models: which there are (one
// manifest), where they come from, whether they are whole, and how they get
// here: pulled, or imported on a machine without a network.
//
// A model is one directory of the store. It appears whole or not at all.
package models

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"homebot/internal/phrases"
)

//go:embed manifest.json
var manifest []byte

// What a model is for.
const (
	PurposeVAD     = "vad"     // speech and silence
	PurposeWake    = "wake"    // wake phrases
	PurposeSTT     = "stt"     // speech to text
	PurposeTTS     = "tts"     // text to speech
	PurposeSpeaker = "speaker" // who speaks
)

// Catalog is what the manifest says.
type Catalog struct {
	Boards []Board `json:"boards"`
	Models []Model `json:"models"`
}

// Board is a computer and the models that fit it. Words are in English; those in
// Chinese may be missing.
type Board struct {
	ID      string   `json:"id"` // zero2w, 3, 4, 5
	Title   string   `json:"title"`
	TitleZH string   `json:"title_zh"`
	RAM     int      `json:"ram_mb"`
	Models  []string `json:"models"`
	Note    string   `json:"note"`
	NoteZH  string   `json:"note_zh"`
}

// Words are the title and the note in lang.
func (b Board) Words(lang string) (title, note string) {
	if lang == phrases.Chinese {
		return cmp.Or(b.TitleZH, b.Title), cmp.Or(b.NoteZH, b.Note)
	}
	return b.Title, b.Note
}

// Model is one model.
type Model struct {
	Name      string   `json:"name"` // also its directory in the store
	Purpose   string   `json:"purpose"`
	Kind      string   `json:"kind"` // how it is loaded, where a purpose has several kinds
	Languages []string `json:"languages"`
	Licence   string   `json:"licence"`
	LicenceZH string   `json:"licence_zh"` // "": as Licence
	// Memory is what the process grows by, in MB: measured for the voice activity
	// model (x86-64, with what the first model of all brings), else an estimate.
	Memory   int   `json:"memory_mb"`
	Unpacked int64 `json:"unpacked"` // bytes in the store, about
	// Speed is by board: "no", what its makers published, or "unmeasured".
	Speed     map[string]string `json:"speed"`
	Downloads []Download        `json:"downloads"`
}

// Download is one package that holds files of a model: an npm package, an
// archive (.tar.bz2, .tar.gz, .tgz) or a plain file at a URL.
type Download struct {
	NPM    string `json:"npm"` // NAME@VERSION, fetched by the npm client
	URL    string `json:"url"`
	Bytes  int64  `json:"bytes"`  // exact; 0: not known
	About  int64  `json:"about"`  // where Bytes is not known
	SHA256 string `json:"sha256"` // of the package; "": not published
	Files  []File `json:"files"`
}

// File is one file of a model, or a directory with all in it (both names end in
// a slash then).
type File struct {
	From     string `json:"from"` // in the package; its first directory may be left out
	Name     string `json:"name"` // in the store
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`
	Optional bool   `json:"optional"`
}

// Size is how much is downloaded, as far as it is known.
func (d Download) Size() int64 {
	if d.Bytes > 0 {
		return d.Bytes
	}
	return d.About
}

// Package is the name of the file that is downloaded; "" for npm, which decides
// itself.
func (d Download) Package() string {
	if d.URL == "" {
		return ""
	}
	return path.Base(d.URL)
}

// LicenceIn is the licence in words of lang.
func (m Model) LicenceIn(lang string) string {
	if lang == phrases.Chinese {
		return cmp.Or(m.LicenceZH, m.Licence)
	}
	return m.Licence
}

// Size is how much all downloads of m are.
func (m Model) Size() int64 {
	var n int64
	for _, d := range m.Downloads {
		n += d.Size()
	}
	return n
}

// Files are all files of m.
func (m Model) Files() []File {
	var all []File
	for _, d := range m.Downloads {
		all = append(all, d.Files...)
	}
	return all
}

// Read returns the manifest that this program was built with.
func Read() (Catalog, error) { return Parse(manifest) }

// Parse reads and checks a manifest.
func Parse(data []byte) (Catalog, error) {
	var c Catalog
	if err := json.Unmarshal(data, &c); err != nil {
		return Catalog{}, fmt.Errorf("model manifest: %w", err)
	}
	if err := c.check(); err != nil {
		return Catalog{}, fmt.Errorf("model manifest: %w", err)
	}
	return c, nil
}

// Model finds a model by name.
func (c Catalog) Model(name string) (Model, bool) {
	for _, m := range c.Models {
		if m.Name == name {
			return m, true
		}
	}
	return Model{}, false
}

// Board finds a board by id.
func (c Catalog) Board(id string) (Board, bool) {
	for _, b := range c.Boards {
		if b.ID == id {
			return b, true
		}
	}
	return Board{}, false
}

// Names lists the models a name means: a model's own, or a board's set with
// "pi-" in front of its id (pi-4).
func (c Catalog) Names(name string) ([]string, error) {
	if _, ok := c.Model(name); ok {
		return []string{name}, nil
	}
	if id, ok := strings.CutPrefix(name, "pi-"); ok {
		if b, ok := c.Board(id); ok {
			return b.Models, nil
		}
	}
	return nil, phrases.Errorf(phrases.ModelUnknown, name)
}

// check refuses a manifest that would lead outside of the store or nowhere.
func (c Catalog) check() error {
	seen := map[string]bool{}
	for _, m := range c.Models {
		if seen[m.Name] || !plainName(m.Name) {
			return fmt.Errorf("model name %q is empty, used twice or no plain name", m.Name)
		}
		seen[m.Name] = true
		if err := m.check(); err != nil {
			return fmt.Errorf("model %s: %w", m.Name, err)
		}
	}
	for _, b := range c.Boards {
		for _, name := range b.Models {
			if !seen[name] {
				return fmt.Errorf("board %s wants %q, which is no model", b.ID, name)
			}
		}
	}
	return nil
}

func (m Model) check() error {
	if len(m.Files()) == 0 {
		return errors.New("no files")
	}
	for _, d := range m.Downloads {
		if (d.NPM == "") == (d.URL == "") {
			return errors.New("a download needs either npm or url")
		}
		if d.SHA256 != "" && len(d.SHA256) != 64 {
			return fmt.Errorf("sha256 %q is none", d.SHA256)
		}
		for _, f := range d.Files {
			if !localPath(f.From) || !localPath(f.Name) || strings.HasSuffix(f.From, "/") != strings.HasSuffix(f.Name, "/") {
				return fmt.Errorf("file %q from %q leads nowhere", f.Name, f.From)
			}
		}
	}
	return nil
}

func plainName(s string) bool { return s != "" && s[0] != '.' && !strings.ContainsAny(s, `/\`) }

// localPath is true for a clean relative path that stays below where it begins.
func localPath(p string) bool {
	p = strings.TrimSuffix(p, "/")
	return p != "" && p == path.Clean(p) && !path.IsAbs(p) && p != ".." && !strings.HasPrefix(p, "../") && !strings.Contains(p, `\`)
}
