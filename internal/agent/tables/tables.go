// Package tables keeps the versions of the context profile table on disk:
// <workspace>/context/tables/<version>.toml, and a pointer beside them that says
// which one is in force (C1, C15).
//
// The pointer is read anew for every turn: who moves it, here or by hand, is
// obeyed at the next turn, without a restart.
package tables

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"homebot/internal/contextmode"
	"homebot/internal/phrases"
	"homebot/internal/store"
)

// Mistakes of an operator; their text is the line that is shown.
var (
	ErrNoVersion = phrases.Errorf(phrases.TableNoSuchVersion)
	ErrTaken     = phrases.Errorf(phrases.TableTaken)
	ErrNothing   = phrases.Errorf(phrases.TableNothing)
	ErrShare     = phrases.Errorf(phrases.TableShare)
	ErrCurrent   = phrases.Errorf(phrases.TableCurrent)
)

// pointer is the file `current`.
type pointer struct {
	Current  int     `json:"current"`
	Canary   int     `json:"canary,omitempty"`
	Share    float64 `json:"share,omitempty"`
	Previous []int   `json:"previous,omitempty"` // newest last
}

// maxPrevious bounds how far back one can roll.
const maxPrevious = 16

// Store is the tables of one workspace. Any goroutine may call it; one process a
// workspace writes (S4).
type Store struct {
	fs     store.FS
	dir    string
	logger *slog.Logger

	mu     sync.Mutex
	parsed map[int]parsed // by version
}

type parsed struct {
	text  string
	table contextmode.Table
	err   error
}

// New returns the tables below workspace; nothing is read yet. logger may not be
// nil.
func New(fsys store.FS, workspace string, logger *slog.Logger) *Store {
	return &Store{fs: fsys, dir: filepath.Join(workspace, "context", "tables"), logger: logger, parsed: map[int]parsed{}}
}

func (s *Store) pointerPath() string { return filepath.Join(s.dir, "current") }
func (s *Store) path(version int) string {
	return filepath.Join(s.dir, strconv.Itoa(version)+".toml")
}

// Rollout is which versions are in force now.
func (s *Store) Rollout() contextmode.Rollout {
	p := s.read()
	return contextmode.Rollout{Current: p.Current, Canary: p.Canary, Share: p.Share}
}

// read reads the pointer. Missing, it is the embedded table; damaged, too, and
// told.
func (s *Store) read() pointer {
	standard := pointer{Current: contextmode.Default().Version}
	data, err := s.fs.ReadFile(s.pointerPath())
	if errors.Is(err, fs.ErrNotExist) {
		return standard
	}
	var p pointer
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil || p.Current < 1 {
		s.logger.Error("pointer to the profile table cannot be read, the built-in one is used", "path", s.pointerPath(), "err", err)
		return standard
	}
	return p
}

func (s *Store) write(p pointer) error {
	if len(p.Previous) > maxPrevious {
		p.Previous = p.Previous[len(p.Previous)-maxPrevious:]
	}
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return store.Replace(s.fs, s.pointerPath(), append(data, '\n'), 0o600)
}

// For is the table of a session: the one in force, or the canary for its share of
// the sessions, the same for the whole session. It never fails: a version that
// cannot be read is told, and the next best is used.
func (s *Store) For(session string) contextmode.Table {
	p := s.read()
	r := contextmode.Rollout{Current: p.Current, Canary: p.Canary, Share: p.Share}
	return s.first(r.Pick(session), p.Current)
}

// Current is the table in force for everybody but a canary's sessions.
func (s *Store) Current() contextmode.Table { return s.first(s.read().Current) }

// first is the first of versions that can be used.
func (s *Store) first(versions ...int) contextmode.Table {
	for _, v := range versions {
		t, err := s.Load(v)
		if err == nil {
			return t
		}
		s.logger.Error("profile table", "version", v, "err", err)
	}
	return contextmode.Default()
}

// Load is one version. It is read from disk every time and parsed when it
// changed.
func (s *Store) Load(version int) (contextmode.Table, error) {
	text, err := s.Text(version)
	if err != nil {
		return contextmode.Table{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.parsed[version]
	if !ok || known.text != text {
		known = parsed{text: text}
		known.table, known.err = contextmode.ParseTable(s.path(version), []byte(text))
		if known.err == nil && known.table.Version != version {
			known.err = phrases.Errorf(phrases.TableOtherVersion, s.path(version), known.table.Version)
		}
		s.parsed[version] = known
	}
	return known.table, known.err
}

// Text is the file of one version as it is.
func (s *Store) Text(version int) (string, error) {
	data, err := s.fs.ReadFile(s.path(version))
	switch {
	case err == nil:
		return string(data), nil
	case errors.Is(err, fs.ErrNotExist) && version == contextmode.Default().Version:
		return contextmode.DefaultTOML(), nil
	case errors.Is(err, fs.ErrNotExist):
		return "", phrases.Errorf(phrases.TableWrong, version, ErrNoVersion)
	}
	return "", err
}

// Version is one line of List.
type Version struct {
	Version int     `json:"version"`
	Current bool    `json:"current"`
	Canary  float64 `json:"canary"` // its share of the sessions, 0 if it is none
	Builtin bool    `json:"builtin"`
	Broken  string  `json:"broken,omitempty"` // why it cannot be used

	BrokenZH string `json:"broken_zh,omitempty"` // the same in Chinese
}

// Why is why the version cannot be used, in lang.
func (v Version) Why(lang string) string {
	if lang == phrases.Chinese && v.BrokenZH != "" {
		return v.BrokenZH
	}
	return v.Broken
}

// List lists all versions, lowest first.
func (s *Store) List() ([]Version, error) {
	p := s.read()
	numbers := []int{contextmode.Default().Version, p.Current}
	entries, err := s.fs.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		name, toml := strings.CutSuffix(e.Name(), ".toml")
		if n, err := strconv.Atoi(name); toml && err == nil && n > 0 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	var all []Version
	for _, n := range slices.Compact(numbers) {
		v := Version{Version: n, Current: n == p.Current, Builtin: n == contextmode.Default().Version}
		if n == p.Canary {
			v.Canary = p.Share
		}
		if _, err := s.Load(n); err != nil {
			v.Broken, v.BrokenZH = err.Error(), phrases.Told(err, phrases.Chinese)
		}
		all = append(all, v)
	}
	return all, nil
}

// Apply puts a table in force for everybody at their next turn (C15). name is the
// file's, for messages about data.
func (s *Store) Apply(name string, data []byte) (contextmode.Table, error) {
	t, err := s.add(name, data)
	if err != nil {
		return t, err
	}
	p := s.read()
	if p.Current != t.Version {
		p.Previous = append(p.Previous, p.Current)
	}
	return t, s.write(pointer{Current: t.Version, Previous: p.Previous})
}

// Canary gives a table to a share of the sessions.
func (s *Store) Canary(name string, data []byte, share float64) (contextmode.Table, error) {
	if !(share > 0 && share < 1) {
		return contextmode.Table{}, ErrShare
	}
	t, err := s.add(name, data)
	if err != nil {
		return t, err
	}
	p := s.read()
	if t.Version == p.Current {
		return t, phrases.Errorf(phrases.TableIs, t.Version, ErrCurrent)
	}
	p.Canary, p.Share = t.Version, share
	return t, s.write(p)
}

// Rollback takes the canary back, or without one the version in force: the one
// before it is in force again at the next turn. It returns the version that is
// in force now.
func (s *Store) Rollback() (int, error) {
	p := s.read()
	switch n := len(p.Previous); {
	case p.Canary != 0:
		p.Canary, p.Share = 0, 0
	case n > 0:
		p.Current, p.Previous = p.Previous[n-1], p.Previous[:n-1]
	default:
		return p.Current, ErrNothing
	}
	return p.Current, s.write(p)
}

// add checks a table and keeps it under its version. A version never changes: cut
// records and caches speak of it.
func (s *Store) add(name string, data []byte) (contextmode.Table, error) {
	t, err := contextmode.ParseTable(name, data)
	if err != nil {
		return t, err
	}
	old, err := s.Text(t.Version)
	if err == nil && old == string(data) {
		return t, nil
	}
	if err == nil {
		return t, phrases.Errorf(phrases.TableVersionIs, name, t.Version, ErrTaken)
	}
	if !errors.Is(err, ErrNoVersion) {
		return t, err
	}
	if err := store.MkdirAll(s.fs, s.dir, 0o700); err != nil {
		return t, err
	}
	return t, store.Replace(s.fs, s.path(t.Version), data, 0o600)
}
