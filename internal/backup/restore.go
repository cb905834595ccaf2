package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/store"
)

const (
	stagingName = "restore.new"
	journalName = "restore.json"
)

// journal says that what lies in staging is whole and takes its place.
type journal struct {
	Aside string   `json:"aside"` // directory for what was there before
	Old   []string `json:"old"`   // entries of the workspace that go there
	New   []string `json:"new"`   // entries of staging that come
}

// Restore puts a backup into a workspace, whose lock the caller holds, and returns
// the directory in it that has what was there before, "" if nothing was. After an
// error the next Finish leaves the old workspace or the new one, whole; after
// ErrNoBackup it is as it was.
func Restore(fsys store.FS, workspace string, archive io.Reader, now time.Time) (aside string, s Summary, err error) {
	if err := Finish(fsys, workspace); err != nil {
		return "", s, err
	}
	staging := filepath.Join(workspace, stagingName)
	if err := store.MkdirAll(fsys, staging, 0o700); err != nil {
		return "", s, err
	}
	made := map[string]bool{staging: true}
	m, err := read(archive, func(e entry, content io.Reader) error {
		return extract(fsys, staging, e, content, made)
	})
	if err != nil {
		return "", s, errors.Join(err, removeAll(fsys, staging))
	}
	for dir := range made {
		if err := fsys.SyncDir(dir); err != nil {
			return "", s, err
		}
	}
	j, err := plan(fsys, workspace, now)
	if err != nil {
		return "", s, errors.Join(err, removeAll(fsys, staging))
	}
	if err := writeJournal(fsys, workspace, j); err != nil {
		return "", s, err // it may be there all the same: Finish knows
	}
	if len(j.Old) > 0 {
		aside = filepath.Join(workspace, j.Aside)
	}
	return aside, m.summary(), Finish(fsys, workspace)
}

// extract makes one file durable, but not yet its name: made gathers the directories
// to sync.
func extract(fsys store.FS, staging string, e entry, content io.Reader, made map[string]bool) error {
	path := filepath.Join(staging, filepath.FromSlash(e.Path))
	for dir := filepath.Dir(path); !made[dir]; dir = filepath.Dir(dir) {
		if err := store.MkdirAll(fsys, dir, 0o700); err != nil {
			return err
		}
		made[dir] = true
	}
	f, err := fsys.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	w := &writer{to: f}
	if _, err := io.Copy(w, content); err == nil {
		w.err = f.Sync()
	} // else w.err, or read tells what is wrong with the archive
	return errors.Join(w.err, f.Close())
}

// writer keeps its own error apart from those of what is copied.
type writer struct {
	to  io.Writer
	err error
}

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	w.err = err
	return n, err
}

// plan names what changes places: everything a backup can have.
func plan(fsys store.FS, workspace string, now time.Time) (journal, error) {
	j := journal{Aside: asideName + now.Format("20060102-150405")}
	for n := 2; ; n++ {
		there, err := exists(fsys, filepath.Join(workspace, j.Aside))
		if err != nil {
			return j, err
		}
		if !there {
			break
		}
		j.Aside = fmt.Sprintf("%s%s-%d", asideName, now.Format("20060102-150405"), n)
	}
	var err1, err2 error
	j.Old, err1 = parts(fsys, workspace)
	j.New, err2 = parts(fsys, filepath.Join(workspace, stagingName))
	return j, errors.Join(err1, err2)
}

func parts(fsys store.FS, dir string) (names []string, err error) {
	entries, err := fsys.ReadDir(dir)
	for _, e := range entries {
		if kept(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func writeJournal(fsys store.FS, workspace string, j journal) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return store.Replace(fsys, filepath.Join(workspace, journalName), data, 0o600)
}

// Finish ends a restore that was cut off, or removes what an unfinished one left.
// The caller holds the workspace's lock. Without a restore it does nothing.
func Finish(fsys store.FS, workspace string) error {
	err := finish(fsys, workspace)
	if err != nil {
		return phrases.Errorf(phrases.RestoreFinish, workspace, err)
	}
	return nil
}

func finish(fsys store.FS, workspace string) error {
	staging := filepath.Join(workspace, stagingName)
	path := filepath.Join(workspace, journalName)
	data, err := fsys.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return removeAll(fsys, staging)
	}
	if err != nil {
		return err
	}
	var j journal
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	if err := j.check(); err != nil {
		return err
	}
	for _, part := range j.Old {
		if !slices.Contains(j.New, part) {
			if err := moveAside(fsys, workspace, j.Aside, part); err != nil {
				return err
			}
		}
	}
	for _, part := range j.New {
		if err := place(fsys, workspace, j.Aside, part); err != nil {
			return err
		}
	}
	if err := removeAll(fsys, staging); err != nil {
		return err
	}
	return errors.Join(fsys.Remove(path), fsys.SyncDir(workspace))
}

func (j journal) check() error {
	for _, name := range slices.Concat([]string{j.Aside}, j.Old, j.New) {
		if name == "" || filepath.Base(name) != name || !filepath.IsLocal(name) {
			return phrases.Errorf(phrases.RestoreJournal, journalName, clip(name))
		}
	}
	return nil
}

// place puts a new part into its place. As long as it waits in staging, what is in
// its place is the old one.
func place(fsys store.FS, workspace, aside, part string) error {
	staging := filepath.Join(workspace, stagingName)
	waits, err := exists(fsys, filepath.Join(staging, part))
	if err != nil || !waits {
		return err
	}
	if err := moveAside(fsys, workspace, aside, part); err != nil {
		return err
	}
	if err := fsys.Rename(filepath.Join(staging, part), filepath.Join(workspace, part)); err != nil {
		return err
	}
	return errors.Join(fsys.SyncDir(workspace), fsys.SyncDir(staging))
}

// moveAside keeps what is in the place of a part, if there is anything.
func moveAside(fsys store.FS, workspace, aside, part string) error {
	there, err := exists(fsys, filepath.Join(workspace, part))
	if err != nil || !there {
		return err
	}
	dir := filepath.Join(workspace, aside)
	if err := store.MkdirAll(fsys, dir, 0o700); err != nil {
		return err
	}
	if err := fsys.Rename(filepath.Join(workspace, part), filepath.Join(dir, part)); err != nil {
		return err
	}
	return errors.Join(fsys.SyncDir(dir), fsys.SyncDir(workspace))
}

// exists looks into the directory, because a link that leads nowhere is there too.
func exists(fsys store.FS, path string) (bool, error) {
	entries, err := fsys.ReadDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	is := func(e fs.DirEntry) bool { return e.Name() == filepath.Base(path) }
	return slices.ContainsFunc(entries, is), err
}

// removeAll removes a directory and what is in it, links too, and follows none.
func removeAll(fsys store.FS, path string) error {
	entries, err := fsys.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		in := filepath.Join(path, e.Name())
		if e.IsDir() {
			err = removeAll(fsys, in)
		} else {
			err = fsys.Remove(in)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(fsys.Remove(path), fsys.SyncDir(filepath.Dir(path)))
}
