package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// rootfs makes a tar as stage 1 does, and its manifest.
func rootfs(t *testing.T, manifest string, files map[string]string, links map[string]string) string {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for name, text := range files {
		w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg})
		w.Write([]byte(text))
	}
	for name, to := range links {
		w.WriteHeader(&tar.Header{Name: name, Linkname: to, Typeflag: tar.TypeSymlink})
	}
	w.Close()
	path := filepath.Join(t.TempDir(), "rootfs.tar")
	if err := os.WriteFile(path, buf.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".packages", []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every package of the manifest is in the bill, with the licences of its own
// copyright file, also when its directory is a link to another package's.
func TestDebianPackages(t *testing.T) {
	path := rootfs(t, "dash\t0.5.12-12\tarm64\tdash\t0.5.12-12\nlibpcre2\t10.46-1\tarm64\tx\t1\nold\t1\tarm64\told\t1\nnone\t2\tarm64\tnone\t2\n",
		map[string]string{
			"./usr/share/doc/dash/copyright": "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nFiles: *\nLicense: BSD-3-clause and GPL-2+\n\nLicense: Expat\n text\n",
			"./usr/share/doc/old/copyright":  "On Debian systems see /usr/share/common-licenses/GPL-3 and /usr/share/common-licenses/GPL.\n",
		}, map[string]string{"./usr/share/doc/libpcre2": "dash"})
	got, err := debianPackages(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []component{
		{Name: "dash", Version: "0.5.12-12", License: "BSD-3-Clause AND GPL-2.0-or-later AND MIT", Kind: "debian"},
		{Name: "libpcre2", Version: "10.46-1", License: "BSD-3-Clause AND GPL-2.0-or-later AND MIT", Kind: "debian"},
		{Name: "old", Version: "1", License: "GPL-3.0-only", Kind: "debian"},
		{Name: "none", Version: "2", Kind: "debian"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if _, err := debianPackages(rootfs(t, "", nil, nil)); err == nil {
		t.Error("an empty manifest is no error")
	}
}

func TestLicenseID(t *testing.T) {
	for name, want := range map[string]string{
		"GPL-2+": "GPL-2.0-or-later", "LGPL-2.1": "LGPL-2.1-only", "GPL-3.0+ with autoconf exception": "GPL-3.0-or-later", "Expat": "MIT",
		"public-domain": "LicenseRef-public-domain", "GFDL-1.3+": "GFDL-1.3-or-later", "weird/one": "LicenseRef-weird-one", "": "",
	} {
		if got := licenseID(name); got != want {
			t.Errorf("licenseID(%q) = %q, want %q", name, got, want)
		}
	}
}

// The bill has what SPDX 2.3 asks of a document: ids of its alphabet, each once,
// every package in a relationship, and a text for each licence SPDX has no id for.
func TestBill(t *testing.T) {
	d := bill("homebot-1-arm64", "1", time.Unix(0, 0).UTC(), []component{
		{Name: "homebot", Version: "1", License: "Apache-2.0", Kind: "application"},
		{Name: "libstdc++6", Version: "14.2+b1", License: "LicenseRef-public-domain", Kind: "debian"},
		{Name: "libstdc++6", Version: "v1", Kind: "golang"},
	})
	ids := map[string]bool{}
	for _, p := range d.Packages {
		if ids[p.ID] || notInID.MatchString(strings.TrimPrefix(p.ID, "SPDXRef-")) {
			t.Errorf("id %q is not one, or used twice", p.ID)
		}
		ids[p.ID] = true
	}
	if len(d.Relationships) != len(d.Packages) {
		t.Errorf("%d packages and %d relationships", len(d.Packages), len(d.Relationships))
	}
	for _, r := range d.Relationships[1:] {
		if !ids[r.To] {
			t.Errorf("%+v leads nowhere", r)
		}
	}
	if len(d.Licenses) != 1 || d.Licenses[0].ID != "LicenseRef-public-domain" || d.Licenses[0].Text == "" {
		t.Errorf("licences without an id: %+v", d.Licenses)
	}
	text, err := json.Marshal(d)
	if err != nil || !strings.Contains(string(text), `pkg:deb/debian/libstdc++6@14.2%2Bb1?arch=arm64`) {
		t.Errorf("%v: no package URL in %s", err, text)
	}
}

// Imager refuses an entry that lacks one of these, or whose sums are wrong.
func TestOffer(t *testing.T) {
	text, err := json.Marshal(offer("homebot-1-arm64", "1", "https://example.org/d", time.Unix(86400, 0).UTC(), sum{10, "aa"}, sum{4, "bb"}))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		List []map[string]any `json:"os_list"`
	}
	if err := json.Unmarshal(text, &got); err != nil || len(got.List) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	for key, want := range map[string]any{
		"url": "https://example.org/d/homebot-1-arm64.img.xz", "extract_size": 10.0, "extract_sha256": "aa", "image_download_size": 4.0,
		"image_download_sha256": "bb", "release_date": "1970-01-02", "architecture": "armv8", "init_format": "rpi-preseed",
	} {
		if got.List[0][key] != want {
			t.Errorf("%s is %v, want %v", key, got.List[0][key], want)
		}
	}
	for _, key := range []string{"name", "description", "icon", "website", "devices"} {
		if got.List[0][key] == nil {
			t.Errorf("%s is missing", key)
		}
	}
}

// The modules are read out of a program itself: this test's.
func TestGoModules(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	got, err := goModules(self)
	if err != nil || len(got) == 0 || got[0].Name != "stdlib" {
		t.Fatalf("%v, %v", got, err)
	}
	for text, want := range map[string]string{
		"MIT License\nPermission is hereby granted, free of\ncharge": "MIT", "Mozilla Public License Version 2.0": "MPL-2.0", "hello": "",
		"Redistribution and use in source and binary forms ... Neither the name of": "BSD-3-Clause",
	} {
		if got := recognise(text); got != want {
			t.Errorf("recognise(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzLicenseOf(f *testing.F) {
	f.Add("License: GPL-2+ or Expat\n")
	f.Add("/usr/share/common-licenses/GPL-2.")
	f.Fuzz(func(t *testing.T, text string) {
		for _, id := range strings.Split(licenseOf(text), " AND ") {
			if notInID.MatchString(id) {
				t.Errorf("%q is no SPDX id", id)
			}
		}
	})
}

// A version that is told in words is no part of a package URL.
func TestPurl(t *testing.T) {
	for want, c := range map[string]component{
		"pkg:generic/onnxruntime":                         {Name: "onnxruntime", Version: "in sherpa-onnx v1", Kind: "library"},
		"pkg:generic/sphinx-zh@5683bb58":                  {Name: "sphinx-zh", Version: "5683bb58", Kind: "model"},
		"pkg:golang/example.org/a@v1.2.3":                 {Name: "example.org/a", Version: "v1.2.3", Kind: "golang"},
		"pkg:deb/debian/a@1%2Bb?arch=arm64&distro=trixie": {Name: "a", Version: "1+b", Kind: "debian"},
	} {
		if got := c.purl(); got != want {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
}
