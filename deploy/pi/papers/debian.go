package main

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

// debianPackages reads the manifest beside the root file system, and each
// package's licences out of its copyright file inside.
func debianPackages(rootfs string) ([]component, error) {
	f, err := os.Open(rootfs + ".packages")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	licenses, err := copyrights(rootfs)
	if err != nil {
		return nil, err
	}
	var all []component
	for s := bufio.NewScanner(f); s.Scan(); {
		field := strings.Split(s.Text(), "\t")
		if len(field) < 2 {
			return nil, fmt.Errorf("%s.packages: %q is no line of name, version", rootfs, s.Text())
		}
		all = append(all, component{Name: field[0], Version: field[1], License: licenses[field[0]], Kind: "debian"})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s.packages is empty", rootfs)
	}
	return all, nil
}

// copyrights is the licence expression of every package whose copyright file says
// it. A package's doc directory may be a link to another's.
func copyrights(rootfs string) (map[string]string, error) {
	f, err := os.Open(rootfs)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	found, linked := map[string]string{}, map[string]string{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rootfs, err)
		}
		name := path.Clean("/" + h.Name)
		dir, file := path.Split(name)
		switch {
		case path.Clean(dir) == "/usr/share/doc" && h.Typeflag == tar.TypeSymlink:
			linked[file] = path.Base(h.Linkname)
		case file == "copyright" && path.Dir(path.Clean(dir)) == "/usr/share/doc":
			pkg := path.Base(dir)
			if h.Typeflag == tar.TypeSymlink {
				linked[pkg] = path.Base(path.Dir(h.Linkname))
				continue
			}
			text, err := io.ReadAll(io.LimitReader(r, 4<<20))
			if err != nil {
				return nil, err
			}
			found[pkg] = licenseOf(string(text))
		}
	}
	for pkg, to := range linked {
		if found[pkg] == "" {
			found[pkg] = found[to]
		}
	}
	return found, nil
}

// debianNames are Debian's short names that SPDX writes otherwise.
var debianNames = map[string]string{
	"expat": "MIT", "mit": "MIT", "x11": "X11", "mit/x11": "MIT", "isc": "ISC", "zlib": "Zlib", "cc0": "CC0-1.0", "cc0-1.0": "CC0-1.0",
	"bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause", "bsd-4-clause": "BSD-4-Clause", "bsd-2": "BSD-2-Clause", "bsd-3": "BSD-3-Clause",
	"apache-2": "Apache-2.0", "apache-2.0": "Apache-2.0", "mpl-2.0": "MPL-2.0", "mpl-1.1": "MPL-1.1", "openssl": "OpenSSL", "artistic": "Artistic-1.0-Perl",
	"artistic-2.0": "Artistic-2.0", "afl-2.1": "AFL-2.1", "bsl-1.0": "BSL-1.0", "boost": "BSL-1.0", "curl": "curl", "unlicense": "Unlicense",
	"ofl-1.1": "OFL-1.1", "ftl": "FTL", "python-2.0": "Python-2.0", "0bsd": "0BSD", "bsd-1-clause": "BSD-1-Clause",
}

// licenseOf is what a copyright file says, as an SPDX expression; "" when it is
// not in Debian's machine-readable form and names no common licence.
func licenseOf(text string) string {
	var ids []string
	add := func(id string) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "License:"); ok {
			for _, part := range splitLicense(name) {
				add(licenseID(part))
			}
		}
	}
	if len(ids) == 0 {
		for _, common := range commonLicenses(text) {
			add(licenseID(common))
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, " AND ")
}

// splitLicense takes "GPL-2+ and/or BSD-3-clause, and Expat" apart. Alternatives
// are listed as if all held: who ships the image then keeps to each.
func splitLicense(name string) []string {
	r := strings.NewReplacer(" and/or ", "|", " and ", "|", " or ", "|", ", ", "|", ";", "|", "(", "", ")", "")
	return strings.Split(r.Replace(strings.TrimSpace(name)), "|")
}

// gnu are the families whose names carry "or later" as a plus.
var gnu = []string{"GPL", "LGPL", "AGPL", "GFDL"}

// licenseID translates one of Debian's short names.
func licenseID(name string) string {
	name, _, _ = strings.Cut(strings.TrimSpace(name), " with ")
	name = strings.TrimSuffix(strings.TrimSpace(name), " exception")
	if name == "" {
		return ""
	}
	if id := debianNames[strings.ToLower(name)]; id != "" {
		return id
	}
	family, rest, ok := strings.Cut(name, "-")
	if ok && slices.Contains(gnu, strings.ToUpper(family)) {
		number, later := strings.CutSuffix(rest, "+")
		number = strings.TrimSuffix(number, ".0")
		if len(number) == 1 && number >= "1" && number <= "3" {
			number += ".0"
		}
		switch number {
		case "1.0", "2.0", "2.1", "3.0", "1.2", "1.3", "1.1":
			if later {
				return strings.ToUpper(family) + "-" + number + "-or-later"
			}
			return strings.ToUpper(family) + "-" + number + "-only"
		}
	}
	return "LicenseRef-" + strings.Trim(notInID.ReplaceAllString(strings.ToLower(name), "-"), "-")
}

// commonLicenses finds references to /usr/share/common-licenses, by which older
// copyright files name a licence.
func commonLicenses(text string) []string {
	const dir = "/usr/share/common-licenses/"
	var found []string
	for {
		_, after, ok := strings.Cut(text, dir)
		if !ok {
			return found
		}
		end := strings.IndexFunc(after, func(r rune) bool {
			return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.", r)
		})
		if end < 0 {
			end = len(after)
		}
		name := strings.TrimRight(after[:end], ".-")
		if name == "BSD" {
			name = "BSD-3-clause"
		}
		if strings.Contains(name, "-") {
			found = append(found, name)
		}
		text = after
	}
}
