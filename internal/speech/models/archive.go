package models

import (
	"archive/tar"
	"compress/bzip2"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"homebot/internal/phrases"
)

// maxFile bounds one unpacked file: larger than any model here, smaller than
// what an archive bomb would write.
const maxFile = 2 << 30

// unpack copies the wanted files of a package into dir and returns what was
// written. The package is a file of its own or an archive.
func unpack(pkg, name string, want []File, dir string) ([]File, error) {
	f, err := os.Open(pkg)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader
	switch {
	case strings.HasSuffix(name, ".tar.bz2"):
		r = bzip2.NewReader(f)
	case strings.HasSuffix(name, ".tar.gz"), strings.HasSuffix(name, ".tgz"):
		if r, err = gzip.NewReader(f); err != nil {
			return nil, phrases.Errorf(phrases.ModelNoArchive, name, err)
		}
	default:
		got, err := writeFile(dir, want[0].Name, f)
		return []File{got}, err
	}
	return untar(tar.NewReader(r), name, want, dir)
}

func untar(t *tar.Reader, name string, want []File, dir string) ([]File, error) {
	var got []File
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return got, nil
		}
		if err != nil {
			return nil, phrases.Errorf(phrases.ModelArchiveDamaged, name, err)
		}
		to := wanted(h.Name, want)
		if to == "" || h.Typeflag != tar.TypeReg {
			continue
		}
		f, err := writeFile(dir, to, t)
		if err != nil {
			return nil, err
		}
		got = append(got, f)
	}
}

// wanted is where a member of an archive goes, "" for nowhere. Its first
// directory counts or does not: archives are packed with the model's own name.
func wanted(member string, want []File) string {
	member = path.Clean(member)
	_, rest, _ := strings.Cut(member, "/")
	for _, m := range []string{member, rest} {
		for _, f := range want {
			if m == f.From {
				return f.Name
			}
			if below, ok := strings.CutPrefix(m, f.From); ok && strings.HasSuffix(f.From, "/") && localPath(below) {
				return f.Name + below
			}
		}
	}
	return ""
}

// writeFile writes one file durably and says what it wrote.
func writeFile(dir, name string, r io.Reader) (File, error) {
	to := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return File{}, err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(r, maxFile))
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return File{}, phrases.Errorf(phrases.ModelNotWritten, name, err)
	}
	return File{Name: name, Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}
