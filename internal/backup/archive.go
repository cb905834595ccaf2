package backup

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"homebot/internal/phrases"
)

// format of the archive: a gzipped tar, manifest.json first, then the files in its
// order. A reader refuses a higher one.
const format = 1

const manifestName = "manifest.json"

// Limits of what is taken out of an archive. A workspace that was talked to for
// years has some megabytes; a recording or two fit too.
const (
	maxManifest = 16 << 20
	maxFiles    = 100_000
	maxBytes    = 1 << 30
	maxPath     = 1024
)

type manifest struct {
	Format  int       `json:"format"`
	Version string    `json:"homebot"`
	MadeAt  time.Time `json:"made_at"`
	Files   []entry   `json:"files"`
}

type entry struct {
	Path   string `json:"path"` // with slashes, relative to the workspace
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

func (m manifest) summary() Summary {
	s := Summary{MadeAt: m.MadeAt, Files: len(m.Files)}
	for _, e := range m.Files {
		s.Bytes += e.Size
	}
	return s
}

// writeArchive packs what lies in spool.
func writeArchive(spool string, m manifest, file string) error {
	part := filepath.Join(spool, "archive")
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = pack(f, spool, m)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		return phrases.Errorf(phrases.BackupWrite, file, err)
	}
	return syncDir(filepath.Dir(file))
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // a stick with FAT cannot
	return d.Close()
}

func pack(w io.Writer, spool string, m manifest) error {
	zip := gzip.NewWriter(w)
	out := tar.NewWriter(zip)
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	add := func(name string, size int64, from io.Reader) error {
		h := tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: m.MadeAt, Format: tar.FormatPAX}
		if err := out.WriteHeader(&h); err != nil {
			return err
		}
		_, err := io.Copy(out, from)
		return err
	}
	if err := add(manifestName, int64(len(data)), strings.NewReader(string(data))); err != nil {
		return err
	}
	for _, e := range m.Files {
		f, err := os.Open(filepath.Join(spool, spoolName(e.Path)))
		if err != nil {
			return err
		}
		err = add(e.Path, e.Size, f)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(out.Close(), zip.Close())
}

// ErrNoBackup: the file is none of ours, or not whole. The text around it says what
// is wrong.
var ErrNoBackup = errors.New("no backup, or not a whole one")

// refusal is an ErrNoBackup with what is wrong.
type refusal struct{ why error }

func refuse(what phrases.Phrase, args ...any) error { return &refusal{phrases.Errorf(what, args...)} }

// Error is In English.
func (r *refusal) Error() string { return r.In(phrases.English) }

// In is the refusal in lang.
func (r *refusal) In(lang string) string {
	return phrases.BackupNotTaken.In(lang, phrases.Told(r.why, lang))
}

// Is reports whether target is ErrNoBackup.
func (r *refusal) Is(target error) bool { return target == ErrNoBackup }

// read calls put with every file of an archive, in its order, after the manifest
// was checked; put must read all of content. Only a nil error means that all of
// them were whole.
func read(r io.Reader, put func(e entry, content io.Reader) error) (manifest, error) {
	zip, err := gzip.NewReader(r)
	if err != nil {
		return manifest{}, refuse(phrases.BackupNoGzip)
	}
	in := tar.NewReader(zip)
	m, err := readManifest(in)
	if err != nil {
		return m, err
	}
	for _, e := range m.Files {
		h, err := in.Next()
		if err != nil {
			return m, refuse(phrases.BackupEnds, e.Path, err)
		}
		if h.Typeflag != tar.TypeReg || h.Name != e.Path || h.Size != e.Size {
			return m, refuse(phrases.BackupOtherFile, clip(h.Name), e.Path)
		}
		content := &counted{from: in, hash: sha256.New()}
		if err := put(e, content); err != nil {
			return m, err
		}
		if content.err != nil {
			return m, refuse(phrases.BackupDamagedIn, e.Path, content.err)
		}
		if content.n != e.Size || hex.EncodeToString(content.hash.Sum(nil)) != e.SHA256 {
			return m, refuse(phrases.BackupDamagedFile, e.Path)
		}
	}
	return m, atEnd(in, zip)
}

// atEnd sees the checksum of the whole archive, and that nothing follows.
func atEnd(in *tar.Reader, zip io.Reader) error {
	if h, err := in.Next(); err == nil {
		return refuse(phrases.BackupExtraFile, clip(h.Name))
	} else if !errors.Is(err, io.EOF) {
		return refuse(phrases.BackupDamagedEndWhy, err)
	}
	if n, err := io.Copy(io.Discard, io.LimitReader(zip, maxManifest)); err != nil || n == maxManifest {
		return refuse(phrases.BackupDamagedEnd)
	}
	return nil
}

func readManifest(in *tar.Reader) (manifest, error) {
	var m manifest
	h, err := in.Next()
	if err != nil || h.Name != manifestName || h.Typeflag != tar.TypeReg || h.Size > maxManifest {
		return m, refuse(phrases.BackupNoManifest, manifestName)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return m, refuse(phrases.BackupManifestDamaged, err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, refuse(phrases.BackupManifestUnread)
	}
	if m.Format != format {
		return m, refuse(phrases.BackupNewer, m.Format, format)
	}
	return m, m.check()
}

// check refuses names that lead out of a workspace or belong to a running homebot,
// and more than a workspace can be.
func (m manifest) check() error {
	if len(m.Files) > maxFiles {
		return refuse(phrases.BackupTooMany, len(m.Files), maxFiles)
	}
	var total int64
	last, files := "", map[string]bool{}
	for _, e := range m.Files {
		switch {
		case !safe(e.Path):
			return refuse(phrases.BackupOddName, clip(e.Path))
		case e.Path <= last:
			return refuse(phrases.BackupOutOfOrder, clip(e.Path))
		case below(e.Path, files):
			return refuse(phrases.BackupBelowFile, clip(e.Path))
		case e.Size < 0 || e.Size > maxBytes-total:
			return refuse(phrases.BackupTooLarge, maxBytes>>20)
		}
		total += e.Size
		last, files[e.Path] = e.Path, true
	}
	return nil
}

// below reports whether a name lies below one of the files.
func below(name string, files map[string]bool) bool {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if files[dir] {
			return true
		}
	}
	return false
}

// safe reports whether a name is a plain one, below the workspace.
func safe(name string) bool {
	if !filepath.IsLocal(name) || filepath.ToSlash(filepath.Clean(name)) != name || len(name) > maxPath || !utf8.ValidString(name) {
		return false
	}
	if strings.ContainsFunc(name, unicode.IsControl) || strings.Contains(name, `\`) {
		return false
	}
	return kept(name)
}

func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

// counted is content as it is read.
type counted struct {
	from io.Reader
	hash hash.Hash
	n    int64
	err  error // of reading, other than its end
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.hash.Write(p[:n])
	c.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}
