package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/store"
	"homebot/internal/store/storetest"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// workspace makes one with these files.
func workspace(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree is what lies below dir, without what a backup never has.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// made is a backup of these files.
func made(t testing.TB, files map[string]string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	if _, err := Create(Config{Workspace: workspace(t, files), Now: func() time.Time { return noon }}, file); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var kitchen = map[string]string{
	"modes/action.json": `{"active":true}`, "modes/sessions/cooking/c/conversation.jsonl": "one\ntwo\n",
	"members/mama/USER.md": "爱吃辣", "cooking/recipes/粥.md": "# 粥", "timers.json": "[]", "homebot.toml": "api_key = \"sk\"",
}

var neverIn = map[string]string{
	"secrets.toml": "sk", "models/big.onnx": "weights", "cache/audio/x": "pcm", "homebot.lock": "1", "modes/action.json.tmp": "half",
	"before-restore-20260101-000000/timers.json": "old", "restore.new/x": "y", "console/sessions.json": "token",
}

// What is put into a backup comes out of it, secrets and models neither; what was
// there before is kept aside, and what no backup has stays.
func TestThereAndBack(t *testing.T) {
	all := maps.Clone(kitchen)
	maps.Copy(all, neverIn)
	dir := workspace(t, all)
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "members/link")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	blank := func([]byte) []byte { return []byte(`api_key = ""  `) }
	s, err := Create(Config{Workspace: dir, Version: "v1", Now: func() time.Time { return noon }, Settings: blank}, file)
	if err != nil || s.Files != len(kitchen) || !slices.Equal(s.Skipped, []string{"members/link"}) {
		t.Fatalf("%+v, %v", s, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup: %v %v", info, err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, no := range []string{pipe, t.TempDir(), filepath.Join(dir, "b.tar.gz"), filepath.Join(dir, "modes", "..", "b")} {
		if _, err := Create(Config{Workspace: dir}, no); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("a backup in the place of %s: %v", no, err)
		}
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode().IsRegular() {
		t.Errorf("the pipe: %v %v", info, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
		t.Errorf("beside the backup lie %v", left)
	}
	before := map[string]string{"timers.json": "[1]", "sessions/text/x.jsonl": "newer\n", "secrets.toml": "mine", "models/m": "w"}
	to := workspace(t, before)
	if err := os.Symlink("nowhere", filepath.Join(to, "members")); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	aside, s, err := Restore(store.OS(), to, f, noon)
	if err != nil || s.Files != len(kitchen) || !s.MadeAt.Equal(noon) {
		t.Fatalf("%q %+v, %v", aside, s, err)
	}
	want := maps.Clone(kitchen)
	want["homebot.toml"] = `api_key = ""  `
	maps.Copy(want, map[string]string{
		"secrets.toml": "mine", "models/m": "w",
		"before-restore-20261130-120000/timers.json": "[1]", "before-restore-20261130-120000/sessions/text/x.jsonl": "newer\n",
	})
	if got := tree(t, to); !maps.Equal(got, want) {
		t.Errorf("restored is %q\nwant %q", got, want)
	}
	if link, err := os.Readlink(filepath.Join(aside, "members")); link != "nowhere" {
		t.Errorf("a link that was there is %q (%v)", link, err)
	}
}

// A restore into a new workspace keeps nothing aside, and does not say so.
func TestRestoreIntoNothing(t *testing.T) {
	to := workspace(t, map[string]string{"homebot.lock": "", "models/m": "w"})
	aside, s, err := Restore(store.OS(), to, bytes.NewReader(made(t, map[string]string{"timers.json": "new"})), noon)
	if err != nil || aside != "" || s.Files != 1 {
		t.Errorf("aside %q, %+v, %v", aside, s, err)
	}
	if got, want := tree(t, to), (map[string]string{"homebot.lock": "", "models/m": "w", "timers.json": "new"}); !maps.Equal(got, want) {
		t.Errorf("restored is %q", got)
	}
	if left, _ := filepath.Glob(filepath.Join(to, "before-restore-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// A workspace that is written to while it is copied: the backup is how it was at one
// instant, here that of a turn whose two files belong together.
func TestWhileItChanges(t *testing.T) {
	dir := workspace(t, map[string]string{"a.jsonl": "0\n", "b.jsonl": "0\n"})
	turn := 0
	write := func() {
		turn++
		for _, name := range []string{"a.jsonl", "b.jsonl"} {
			f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Fprintln(f, turn); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
	}
	// The copying of homebot.toml is the moment at which somebody talks.
	if err := os.WriteFile(filepath.Join(dir, "homebot.toml"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Config{Workspace: dir, Between: func(int) {
		if turn < 3 {
			write()
		}
	}, Settings: func(b []byte) []byte { write(); return b }}
	file := filepath.Join(t.TempDir(), "b")
	if _, err := Create(c, file); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := map[string]string{}
	if _, err := read(f, func(e entry, in io.Reader) error { b, err := io.ReadAll(in); got[e.Path] = string(b); return err }); err != nil {
		t.Fatal(err)
	}
	if got["a.jsonl"] != "0\n1\n2\n3\n" || got["a.jsonl"] != got["b.jsonl"] {
		t.Errorf("got %q", got)
	}
	c.Between = func(int) { write() }
	if _, err := Create(c, file); err == nil || !strings.Contains(err.Error(), "changes all the time") {
		t.Errorf("a workspace without a pause: %v", err)
	}
}

// archive is one with a manifest and files of one's own making.
func archive(t testing.TB, m any, files ...tar.Header) []byte {
	t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	out := tar.NewWriter(zip)
	put := func(h tar.Header, content []byte) {
		if err := out.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	put(tar.Header{Typeflag: tar.TypeReg, Name: manifestName, Size: int64(len(data))}, data)
	for _, h := range files {
		put(h, make([]byte, h.Size))
	}
	if err := errors.Join(out.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// An archive that is foreign, damaged, too large, or would leave the workspace, is
// refused in one line, and the workspace is as it was.
func TestRefused(t *testing.T) {
	good := made(t, kitchen)
	one := func(name string) []byte {
		return archive(t, manifest{Format: 1, Files: []entry{{Path: name, SHA256: emptySum}}}, tar.Header{Typeflag: tar.TypeReg, Name: name})
	}
	damaged := slices.Clone(good)
	damaged[len(damaged)/2] ^= 1
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":       {nil, "no gzip"},
		"a text":        {[]byte("hello"), "no gzip"},
		"another tar":   {archive(t, 1)[:40], "does not begin with manifest.json"},
		"cut off":       {good[:len(good)-10], "damaged"},
		"cut in half":   {good[:len(good)/2], ""},
		"damaged":       {damaged, ""},
		"newer":         {archive(t, manifest{Format: 2}), "format 2"},
		"up":            {one("../x"), "no workspace has"},
		"absolute":      {one("/etc/passwd"), "no workspace has"},
		"in between":    {one("modes/../../x"), "no workspace has"},
		"not clean":     {one("modes//x"), "no workspace has"},
		"the lock":      {one("homebot.lock"), "no workspace has"},
		"secrets":       {one("secrets.toml"), "no workspace has"},
		"the journal":   {one("restore.json"), "no workspace has"},
		"control":       {one("a\nb"), "no workspace has"},
		"backslash":     {one(`a\b`), "no workspace has"},
		"hidden":        {one(".bashrc"), "no workspace has"},
		"too large":     {archive(t, manifest{Format: 1, Files: []entry{{Path: "a", Size: maxBytes}, {Path: "b", Size: 1}}}), "larger than"},
		"negative":      {archive(t, manifest{Format: 1, Files: []entry{{Path: "a", Size: -1}}}), "larger than"},
		"below a file":  {archive(t, manifest{Format: 1, Files: []entry{{Path: "a"}, {Path: "a-b"}, {Path: "a/b"}}}), "below a file"},
		"twice":         {archive(t, manifest{Format: 1, Files: []entry{{Path: "a"}, {Path: "a"}}}), "out of order"},
		"a link":        {archive(t, manifest{Format: 1, Files: []entry{{Path: "a", SHA256: emptySum}}}, tar.Header{Typeflag: tar.TypeSymlink, Name: "a", Linkname: "/etc"}), "where its manifest has"},
		"another file":  {archive(t, manifest{Format: 1, Files: []entry{{Path: "a", SHA256: emptySum}}}, tar.Header{Typeflag: tar.TypeReg, Name: "../a"}), "where its manifest has"},
		"more":          {archive(t, manifest{Format: 1}, tar.Header{Typeflag: tar.TypeReg, Name: "a"}), "which its manifest has not"},
		"less":          {archive(t, manifest{Format: 1, Files: []entry{{Path: "a"}}}), "ends before a"},
		"other content": {archive(t, manifest{Format: 1, Files: []entry{{Path: "a", Size: 3, SHA256: emptySum}}}, tar.Header{Typeflag: tar.TypeReg, Name: "a", Size: 3}), "not what was saved"},
		"no manifest":   {archive(t, "text"), "manifest cannot be read"},
	} {
		before := map[string]string{"timers.json": "mine"}
		dir := workspace(t, before)
		_, _, err := Restore(store.OS(), dir, bytes.NewReader(tt.data), noon)
		if !errors.Is(err, ErrNoBackup) || !strings.Contains(fmt.Sprint(err), tt.want) || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
		if zh := phrases.Told(err, phrases.Chinese); !strings.Contains(zh, "备份") || !strings.HasSuffix(zh, "，不能用来恢复") || strings.Contains(zh, "backup") {
			t.Errorf("%s: in Chinese %q", name, zh)
		}
		if got := tree(t, dir); !maps.Equal(got, before) {
			t.Errorf("%s: the workspace is %q", name, got)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("%s: left behind: %v", name, entries)
		}
	}
}

// begin is a workspace on a disk that may be crashed.
func begin(d *storetest.Disk) error {
	if err := store.MkdirAll(d, "/ws/sessions", 0o700); err != nil {
		return err
	}
	return errors.Join(
		store.Replace(d, "/ws/timers.json", []byte("old"), 0o600),
		store.Replace(d, "/ws/sessions/s", []byte("old"), 0o600),
		store.Replace(d, "/ws/secrets.toml", []byte("k"), 0o600))
}

var (
	oldFiles = map[string]string{"/ws/timers.json": "old", "/ws/sessions/s": "old", "/ws/secrets.toml": "k"}
	newFiles = map[string]string{
		"/ws/timers.json": "new", "/ws/modes/a": "new", "/ws/secrets.toml": "k",
		"/ws/before-restore-20261130-120000/timers.json": "old", "/ws/before-restore-20261130-120000/sessions/s": "old",
	}
)

// S3: the power may go at any instant of a restore, and again at any instant of what
// ends it: then the workspace is the old one or the new one, whole, and after it was
// acknowledged the new one; what was there before is never lost.
func TestPowerCuts(t *testing.T) {
	data := made(t, map[string]string{"timers.json": "new", "modes/a": "new"})
	run := func(d *storetest.Disk) error {
		_, _, err := Restore(d, "/ws", bytes.NewReader(data), noon)
		if err == nil {
			d.Ack("restored")
		}
		return err
	}
	check := func(c storetest.Crash) error {
		if err := Finish(c.Disk, "/ws"); err != nil {
			return err
		}
		got := c.Disk.Files()
		maps.DeleteFunc(got, func(name, _ string) bool { return store.IsTemp(name) })
		if maps.Equal(got, newFiles) || maps.Equal(got, oldFiles) && len(c.Acked) == 0 {
			return nil
		}
		return fmt.Errorf("acknowledged %v, the workspace is %q", c.Acked, got)
	}
	n := storetest.EachDoubleCrash(t, begin, run, check)
	faults := storetest.EachFault(t, begin, run, check)
	t.Logf("%d crash states, %d faults", n, faults)
}

// Whatever the file, it is taken whole or refused, and nothing leaves the workspace.
func FuzzRestore(f *testing.F) {
	f.Add(made(f, kitchen))
	f.Add(archive(f, manifest{Format: 1, Files: []entry{{Path: "a", SHA256: emptySum}}}, tar.Header{Typeflag: tar.TypeSymlink, Name: "a", Linkname: "/etc"}))
	f.Add(archive(f, manifest{Format: 1, Files: []entry{{Path: "../a", SHA256: emptySum}}}, tar.Header{Typeflag: tar.TypeReg, Name: "../a"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := storetest.New("/ws")
		if err := begin(d); err != nil {
			t.Fatal(err)
		}
		_, _, err := Restore(d, "/ws", bytes.NewReader(data), noon)
		for name := range d.Files() {
			if !strings.HasPrefix(name, "/ws/") || strings.HasPrefix(name, "/ws/"+stagingName) {
				t.Errorf("there is %s", name)
			}
		}
		if err != nil && !maps.Equal(d.Files(), oldFiles) {
			t.Errorf("refused (%v), and the workspace is %q", err, d.Files())
		}
	})
}

// FuzzManifest reads what a manifest may say, without the work of packing it.
func FuzzManifest(f *testing.F) {
	f.Add(`{"format":1,"files":[{"path":"a","size":1}]}`)
	f.Add(`{"format":1,"files":[{"path":"../a"},{"path":"a/../../b"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var m manifest
		if json.Unmarshal([]byte(text), &m) != nil || m.check() != nil {
			return
		}
		for _, e := range m.Files {
			at := filepath.Join("/ws/restore.new", e.Path)
			if !strings.HasPrefix(at, "/ws/restore.new/") || strings.ContainsAny(e.Path, "\x00\n") {
				t.Errorf("%q is taken", e.Path)
			}
		}
	})
}
