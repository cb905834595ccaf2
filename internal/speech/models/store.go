package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"homebot/internal/phrases"
)

// installedFile records what was put into a model's directory: what the check
// compares with, since the manifest knows packages rather than files.
const installedFile = "installed.json"

// Store is a directory of models. Its methods may be called from one goroutine
// at a time; other processes may read it meanwhile.
type Store struct {
	Dir     string
	Catalog Catalog
}

// Open returns the store in dir with the built-in manifest. dir need not exist.
func Open(dir string) (*Store, error) {
	c, err := Read()
	if err != nil {
		return nil, err
	}
	return &Store{Dir: dir, Catalog: c}, nil
}

// installed is the content of installedFile.
type installed struct {
	Model    string `json:"model"`
	Verified bool   `json:"verified"` // every package or file matched a published sha256
	Files    []File `json:"files"`
}

// Problem is one thing that is wrong with a model. Its text is one line with the
// way out.
type Problem struct {
	Model, File string
	What        error
	missing     bool // all of it
}

// Error is In English.
func (p *Problem) Error() string { return p.In(phrases.English) }

// In is the problem in lang.
func (p *Problem) In(lang string) string {
	where := p.Model
	if p.File != "" {
		where += "/" + p.File
	}
	return phrases.ModelProblem.In(lang, where, phrases.Told(p.What, lang), p.Model)
}

// absent is a model that is not there at all.
func (s *Store) absent(name string) error {
	return &Problem{Model: name, What: phrases.Errorf(phrases.ModelNotInstalled, s.Dir), missing: true}
}

// Missing reports whether err says that a model is not there at all.
func Missing(err error) bool {
	var p *Problem
	return errors.As(err, &p) && p.missing
}

// Path is where the model's directory is or would be.
func (s *Store) Path(name string) string { return filepath.Join(s.Dir, name) }

// Whole is nil when every file of the model is there with its size, without
// reading them: what serve asks at every start.
func (s *Store) Whole(name string) error { return s.examine(name, false) }

// Check reads every file too and compares sha256.
func (s *Store) Check(name string) error { return s.examine(name, true) }

func (s *Store) examine(name string, read bool) error {
	m, ok := s.Catalog.Model(name)
	if !ok {
		return phrases.Errorf(phrases.ModelUnknown, name)
	}
	dir := s.Path(name)
	if _, err := os.Stat(dir); err != nil {
		return s.absent(name)
	}
	for _, want := range s.expected(m) {
		if err := examineFile(dir, want, read); err != nil {
			err.Model = name
			return err
		}
	}
	return nil
}

// expected merges what the manifest wants with what was recorded at install
// time. A directory made by hand has no record.
func (s *Store) expected(m Model) []File {
	rec, _ := s.record(m.Name)
	want := slices.Clone(rec.Files)
	for _, f := range m.Files() {
		if strings.HasSuffix(f.Name, "/") && slices.ContainsFunc(rec.Files, func(r File) bool { return strings.HasPrefix(r.Name, f.Name) }) {
			continue
		}
		i := slices.IndexFunc(want, func(r File) bool { return r.Name == f.Name })
		switch {
		case i < 0 && !f.Optional:
			want = append(want, f)
		case i >= 0 && f.SHA256 != "":
			want[i].SHA256, want[i].Bytes = f.SHA256, f.Bytes
		}
	}
	return want
}

// Verified reports whether the installed model came from packages whose
// published sha256 it matched.
func (s *Store) Verified(name string) bool {
	rec, err := s.record(name)
	return err == nil && rec.Verified
}

func (s *Store) record(name string) (installed, error) {
	var rec installed
	data, err := os.ReadFile(filepath.Join(s.Path(name), installedFile))
	if err == nil {
		err = json.Unmarshal(data, &rec)
	}
	return rec, err
}

func examineFile(dir string, want File, read bool) *Problem {
	path := filepath.Join(dir, filepath.FromSlash(want.Name))
	wrong := func(p phrases.Phrase, args ...any) *Problem {
		return &Problem{File: want.Name, What: phrases.Errorf(p, args...)}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wrong(phrases.ModelFileMissing)
	case err != nil:
		return wrong(phrases.ModelFileUnreadable, err)
	case strings.HasSuffix(want.Name, "/"):
		return nil
	case info.IsDir():
		return wrong(phrases.ModelFileDirectory)
	case info.Size() == 0 && want.Bytes != 0:
		return wrong(phrases.ModeFileEmpty)
	case want.Bytes > 0 && info.Size() != want.Bytes:
		return wrong(phrases.ModelFileSize, info.Size(), want.Bytes)
	}
	if !read || want.SHA256 == "" {
		return nil
	}
	sum, err := fileSum(path)
	if err != nil {
		return wrong(phrases.ModelFileUnreadable, err)
	}
	if sum != want.SHA256 {
		return wrong(phrases.ModelFileDamaged)
	}
	return nil
}

func fileSum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Remove takes a model away, with what is left of its downloads.
func (s *Store) Remove(name string) error {
	if !plainName(name) {
		return phrases.Errorf(phrases.ModelNoName, name)
	}
	link := s.Path(name)
	target, _ := os.Readlink(link)
	if _, err := os.Lstat(link); err != nil {
		return s.absent(name)
	}
	if err := os.RemoveAll(link); err != nil {
		return err
	}
	if target != "" && filepath.Dir(target) == packDir && filepath.IsLocal(target) {
		return os.RemoveAll(filepath.Join(s.Dir, target))
	}
	return nil
}

// Find returns the directory of the first whole model that serves purpose in
// lang ("" for any), in the order of the manifest.
func (s *Store) Find(purpose, lang string) (Model, error) {
	var first error
	for _, m := range s.Catalog.Models {
		if m.Purpose != purpose || lang != "" && !slices.Contains(m.Languages, lang) {
			continue
		}
		err := s.Whole(m.Name)
		if err == nil {
			return m, nil
		}
		// A damaged one says more than an absent one.
		if first == nil || Missing(first) && !Missing(err) {
			first = err
		}
	}
	if first == nil {
		first = phrases.Errorf(phrases.ModelNone, purpose, lang)
	}
	return Model{}, first
}
