// Package backup puts a workspace into one file and takes it back out: sessions,
// members, recipes, timers, modes of one's own, settings. Left out are secrets,
// models and caches: what can be had again, and what a lost file must not tell.
//
// # Making one
//
// Create needs nobody's lock and delays no turn. It copies, looks whether anything
// changed while it did, and copies that again, until between two looks nothing has
// changed: then all of it was so at one instant. In the middle of a turn that is a
// state as a power cut leaves it, which the engine mends when it begins.
//
// # Taking it back
//
// Restore first puts the whole archive, checked against its manifest, into
// restore.new; then restore.json, which is the moment from which on it holds; then
// it moves every old part of the workspace into before-restore-TIME and the new one
// into its place. Finish repeats what a power cut left over. Whoever takes the
// lock of a workspace calls it before he reads anything else.
package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"homebot/internal/phrases"
)

// Names in a workspace that no backup has: secrets, what is made again by itself,
// and what belongs to a running process.
var leftOut = map[string]bool{
	"secrets.toml": true, "models": true, "cache": true, "homebot.lock": true, "homebot.sock": true,
	stagingName: true, journalName: true, "console": true,
}

const asideName = "before-restore-"

// kept reports whether the entry of a workspace, or an archive, belongs into a
// backup. name has slashes.
func kept(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return !leftOut[top] && !strings.HasPrefix(top, asideName) && !strings.HasSuffix(name, ".tmp") && !strings.HasPrefix(top, ".")
}

// Config is what Create needs.
type Config struct {
	Workspace string
	Version   string           // of homebot, for the manifest
	Now       func() time.Time // nil: time.Now
	// Settings, if not nil, takes the secrets out of a homebot.toml.
	Settings func([]byte) []byte
	// Between is called between two looks that differ; nil: a short pause.
	Between func(try int)
}

// Summary is what a backup holds.
type Summary struct {
	MadeAt time.Time
	Files  int
	Bytes  int64
	// Skipped are entries that are no files or directories: links are not
	// followed, wherever they lead.
	Skipped []string
}

// maxTries is how often the workspace may have changed under the hands of Create.
// A turn writes for some milliseconds every few seconds; twenty looks fall into a
// pause.
const maxTries = 20

// Create writes a backup of the workspace to file, which appears when it is whole
// and replaces an older one of that name.
func Create(c Config, file string) (Summary, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Between == nil {
		c.Between = pause
	}
	if err := c.fits(file); err != nil {
		return Summary{}, err
	}
	spool, err := os.MkdirTemp(filepath.Dir(file), ".homebot-backup-")
	if err != nil {
		return Summary{}, phrases.Errorf(phrases.BackupBeside, file, err)
	}
	defer os.RemoveAll(spool)
	m, skipped, err := c.snapshot(spool)
	if err != nil {
		return Summary{}, err
	}
	if err := writeArchive(spool, m, file); err != nil {
		return Summary{}, err
	}
	s := m.summary()
	s.Skipped = skipped
	return s, nil
}

// fits refuses what a backup must not take the place of, and a place in the
// workspace: the next backup would hold this one, and the one after it both.
func (c Config) fits(file string) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return phrases.Errorf(phrases.BackupNoFile, file)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return phrases.Errorf(phrases.BackupBeside, file, err)
	}
	workspace, err := filepath.EvalSymlinks(c.Workspace)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	in, err := filepath.Rel(workspace, filepath.Join(dir, filepath.Base(file)))
	if err == nil && filepath.IsLocal(in) && kept(filepath.ToSlash(in)) {
		return phrases.Errorf(phrases.BackupInWorkspace, file)
	}
	return nil
}

func pause(try int) {
	t := time.NewTimer(time.Duration(try) * 100 * time.Millisecond)
	<-t.C
}

// stamp tells whether a file is the one that was copied: replacing makes another
// inode, appending another size.
type stamp struct {
	inode uint64
	size  int64
	time  time.Time
}

// snapshot copies the workspace into spool as it was at one instant.
func (c Config) snapshot(spool string) (manifest, []string, error) {
	copied, files := map[string]stamp{}, map[string]entry{}
	for try := range maxTries {
		now, skipped, err := scan(c.Workspace)
		if err != nil {
			return manifest{}, nil, err
		}
		if maps.Equal(now, copied) {
			m := manifest{Format: format, Version: c.Version, MadeAt: c.Now().Truncate(time.Second)}
			for _, name := range slices.Sorted(maps.Keys(files)) {
				m.Files = append(m.Files, files[name])
			}
			return m, skipped, nil
		}
		if try > 0 {
			c.Between(try)
		}
		maps.DeleteFunc(files, func(name string, _ entry) bool { _, ok := now[name]; return !ok })
		for name, s := range now {
			if copied[name] == s {
				continue
			}
			e, err := c.copyFile(name, filepath.Join(spool, spoolName(name)))
			if err != nil && !os.IsNotExist(err) {
				return manifest{}, nil, phrases.Errorf(phrases.BackupOneFile, name, err)
			}
			files[name] = e // of a file that is gone the next look knows
		}
		copied = now
	}
	return manifest{}, nil, phrases.Errorf(phrases.BackupNoPause, c.Workspace)
}

// spoolName is flat, so that no directory has to be made.
func spoolName(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}

// scan lists the files of a workspace that belong into a backup.
func scan(workspace string) (files map[string]stamp, skipped []string, err error) {
	files = map[string]stamp{}
	root := os.DirFS(workspace)
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case name == "." || os.IsNotExist(err):
			return err0(name, err)
		case err != nil:
			return err
		case !kept(name):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			skipped = append(skipped, name)
			return nil
		}
		info, err := d.Info()
		if os.IsNotExist(err) {
			return nil
		}
		if err == nil {
			st, _ := info.Sys().(*syscall.Stat_t)
			s := stamp{size: info.Size(), time: info.ModTime()}
			if st != nil {
				s.inode = st.Ino
			}
			files[name] = s
		}
		return err
	})
	if err != nil {
		return nil, nil, phrases.Errorf(phrases.BackupReadWorkspace, workspace, err)
	}
	return files, skipped, nil
}

// err0 lets what vanished meanwhile pass, but not the workspace itself.
func err0(name string, err error) error {
	if name == "." {
		return err
	}
	return nil
}

// copyFile copies one file of the workspace, never through a link.
func (c Config) copyFile(name, to string) (entry, error) {
	in, err := os.OpenFile(filepath.Join(c.Workspace, name), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return entry{}, err
	}
	defer in.Close()
	var from io.Reader = in
	if name == settingsName && c.Settings != nil {
		data, err := io.ReadAll(io.LimitReader(in, maxSettings))
		if err != nil {
			return entry{}, err
		}
		from = strings.NewReader(string(c.Settings(data)))
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return entry{}, err
	}
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, hash), from)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return entry{Path: name, Size: n, SHA256: hex.EncodeToString(hash.Sum(nil))}, err
}

const (
	settingsName = "homebot.toml"
	maxSettings  = 64 << 10 // what package config takes
)
