package models_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/speech/models"
)

// says fails unless err is one line that holds en, and in Chinese one that holds zh.
func says(t *testing.T, err error, en, zh string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %q", en)
		return
	}
	for text, want := range map[string]string{err.Error(): en, phrases.Told(err, phrases.Chinese): zh} {
		if !strings.Contains(text, want) || strings.Contains(text, "\n") {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// tgz packs files as archives are published: below a directory of their own.
func tgz(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	w := tar.NewWriter(z)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: "pack-1.0/" + name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// content is what the test's model is made of; big enough to be sent in pieces.
var content = map[string]string{"net.onnx": noise(400 << 10), "tokens.txt": "a 0\n", "data/en": "x", "data/sub/zh": "y", "README": "not wanted"}

// noise is n bytes that no archive makes smaller.
func noise(n int) string {
	b := make([]byte, 0, n)
	for block := sha256.Sum256(nil); len(b) < n; block = sha256.Sum256(block[:]) {
		b = append(b, block[:]...)
	}
	return string(b)
}

// shop serves packages, with faults.
type shop struct {
	*httptest.Server
	pkg   []byte
	cut   int  // the connection breaks after so many bytes, once per request
	code  int  // answered instead, when set
	flood bool // sends on and on, without saying how much
	asked []string
}

func newShop(t *testing.T) *shop {
	s := &shop{pkg: tgz(t, content)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked = append(s.asked, r.Header.Get("Range"))
		if s.code != 0 {
			w.WriteHeader(s.code)
			return
		}
		for block := make([]byte, 64<<10); s.flood; {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
		if s.cut > 0 {
			w = &cutter{w, s.cut}
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.pkg))
	}))
	t.Cleanup(s.Close)
	return s
}

type cutter struct {
	http.ResponseWriter
	left int
}

func (c *cutter) Write(b []byte) (int, error) {
	if len(b) > c.left {
		_, _ = c.ResponseWriter.Write(b[:c.left])
		_ = http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= len(b)
	return c.ResponseWriter.Write(b)
}

// store is a store whose only model comes from s.
func store(t *testing.T, s *shop) *models.Store {
	t.Helper()
	m := models.Model{Name: "toy", Purpose: models.PurposeSTT, Languages: []string{"en"}, Unpacked: 1000,
		Downloads: []models.Download{{URL: s.URL + "/toy.tar.gz", Bytes: int64(len(s.pkg)), SHA256: sum(s.pkg), Files: []models.File{
			{From: "net.onnx", Name: "model.onnx"}, {From: "tokens.txt", Name: "tokens.txt"}, {From: "data/", Name: "espeak/"},
			{From: "rules.fst", Name: "rules.fst", Optional: true},
		}}}}
	data, err := json.Marshal(models.Catalog{Models: []models.Model{m}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := models.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return &models.Store{Dir: filepath.Join(t.TempDir(), "models"), Catalog: c}
}

func puller(st *models.Store) *models.Puller {
	return &models.Puller{Store: st, Wait: time.Millisecond}
}

func TestPull(t *testing.T) {
	s := newShop(t)
	st := store(t, s)
	if err := st.Whole("toy"); !models.Missing(err) || !strings.Contains(err.Error(), "pull toy") {
		t.Errorf("before: %v", err)
	}
	p := puller(st)
	var done, total int64
	p.Progress = func(_ string, d, n int64) { done, total = d, n }
	if err := p.Pull(t.Context(), "toy"); err != nil {
		t.Fatal(err)
	}
	if err := st.Check("toy"); err != nil || !st.Verified("toy") {
		t.Errorf("after: %v, verified %v", err, st.Verified("toy"))
	}
	if done != int64(len(s.pkg)) || total != done {
		t.Errorf("progress ended at %d of %d", done, total)
	}
	if b, _ := os.ReadFile(filepath.Join(st.Path("toy"), "espeak/sub/zh")); string(b) != "y" {
		t.Errorf("a directory's file holds %q", b)
	}
	if m, err := st.Find(models.PurposeSTT, "en"); err != nil || m.Name != "toy" {
		t.Errorf("Find: %v, %v", m.Name, err)
	}
	if _, err := st.Find(models.PurposeSTT, "zh"); err == nil {
		t.Error("found a model for a language that has none")
	}
	asked := len(s.asked)
	if err := p.Pull(t.Context(), "toy"); err != nil || len(s.asked) != asked {
		t.Errorf("a whole model was pulled again: %v", err)
	}
	if err := st.Remove("toy"); err != nil || !models.Missing(st.Whole("toy")) {
		t.Errorf("after Remove: %v, %v", err, st.Whole("toy"))
	}
	if left, _ := filepath.Glob(filepath.Join(st.Dir, ".*", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A connection that breaks is asked for the rest, in the same pull and in the
// next one.
func TestPullGoesOn(t *testing.T) {
	s := newShop(t)
	st := store(t, s)
	s.cut = len(s.pkg)/7 + 1
	says(t, puller(st).Pull(t.Context(), "toy"), "import DIR", "模型 toy：取不到 toy.tar.gz（")
	if err := st.Whole("toy"); !models.Missing(err) {
		t.Errorf("half a model is there: %v", err)
	}
	first := len(s.asked)
	if err := puller(st).Pull(t.Context(), "toy"); err != nil {
		t.Fatal(err)
	}
	if s.asked[first] == "" || s.asked[0] != "" {
		t.Errorf("asked for %q, then %q: want all, then the rest", s.asked[0], s.asked[first])
	}
	if err := st.Check("toy"); err != nil {
		t.Error(err)
	}
}

// What arrives damaged is thrown away and the old model stays.
func TestPullRefusesOtherContent(t *testing.T) {
	s := newShop(t)
	st := store(t, s)
	if err := puller(st).Pull(t.Context(), "toy"); err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(st.Path("toy"), "model.onnx")
	if err := os.WriteFile(model, []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.pkg = bytes.Clone(s.pkg)
	s.pkg[len(s.pkg)/2] ^= 1
	says(t, puller(st).Pull(t.Context(), "toy"), "sha256", "toy.tar.gz 已损坏，或者是别的版本（sha256 是 ")
	if b, _ := os.ReadFile(model); string(b) != "damaged" {
		t.Error("the model was changed by a pull that failed")
	}
	s.pkg[len(s.pkg)/2] ^= 1
	if err := puller(st).Pull(t.Context(), "toy"); err != nil {
		t.Errorf("the right package afterwards: %v", err)
	}
	if err := st.Check("toy"); err != nil {
		t.Error(err)
	}
}

func TestPullStops(t *testing.T) {
	s := newShop(t)
	st := store(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	p := puller(st)
	p.Progress = func(string, int64, int64) { cancel() }
	if err := p.Pull(ctx, "toy"); !errors.Is(err, context.Canceled) {
		t.Errorf("err %v", err)
	}
	s.code = http.StatusNotFound
	says(t, puller(store(t, s)).Pull(t.Context(), "toy"), "the server answers 404", "服务器回答 404")
	if n := len(s.asked); n > 3 {
		t.Errorf("asked %d times for what is not there", n)
	}
}

// Everything that can be wrong with installed files is one line that names it.
func TestCheckNamesWhatIsWrong(t *testing.T) {
	s := newShop(t)
	st := store(t, s)
	for name, tt := range map[string]struct {
		spoil func(dir string) error
		want  string
		zh    string
		read  bool // only found by reading
	}{
		"missing":     {func(d string) error { return os.Remove(d + "/tokens.txt") }, "tokens.txt is missing", "tokens.txt 缺失：请运行 homebot-speech models pull toy，", false},
		"truncated":   {func(d string) error { return os.Truncate(d+"/model.onnx", 100) }, "100 bytes instead of", "model.onnx 有 100 字节，应该是 ", false},
		"empty":       {func(d string) error { return os.Truncate(d+"/tokens.txt", 0) }, "empty", "tokens.txt 是空的", false},
		"wrong hash":  {func(d string) error { return os.WriteFile(d+"/tokens.txt", []byte("b 0\n"), 0o644) }, "damaged", "tokens.txt 已损坏（sha256 ", true},
		"directory":   {func(d string) error { return errors.Join(os.Remove(d+"/model.onnx"), os.Mkdir(d+"/model.onnx", 0o755)) }, "directory", "model.onnx 是一个目录", false},
		"a data file": {func(d string) error { return os.Remove(d + "/espeak/en") }, "espeak/en is missing", "模型 toy/espeak/en 缺失", false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := puller(st).Pull(t.Context(), "toy"); err != nil {
				t.Fatal(err)
			}
			if err := tt.spoil(st.Path("toy")); err != nil {
				t.Fatal(err)
			}
			if err := st.Whole("toy"); (err == nil) != tt.read {
				t.Errorf("Whole: %v", err)
			}
			err := st.Check("toy")
			says(t, err, tt.want, tt.zh)
			if models.Missing(err) {
				t.Error("Check: all of it is missing")
			}
		})
	}
}

func TestImport(t *testing.T) {
	s := newShop(t)
	pack, loose, below, wrong := t.TempDir(), filepath.Join(t.TempDir(), "stick [1]"), t.TempDir(), t.TempDir()
	write := func(dir, name string, b []byte) {
		t.Helper()
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, b, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write(pack, "toy.tar.gz", s.pkg)
	write(wrong, "toy.tar.gz", []byte("no archive"))
	for name, text := range content {
		write(loose, name, []byte(text))
		write(below, "pack-1.0/"+name, []byte(text))
	}
	for name, dir := range map[string]string{"package": pack, "files": loose, "directory": below} {
		for _, model := range []string{"toy", ""} {
			st := store(t, s)
			got, err := st.Import(t.Context(), model, dir)
			if err != nil || !slices.Equal(got, []string{"toy"}) || st.Check("toy") != nil {
				t.Errorf("%s %q: %v, %v, check: %v", name, model, got, err, st.Check("toy"))
			}
			if st.Verified("toy") != (name == "package") {
				t.Errorf("%s: verified %v", name, st.Verified("toy"))
			}
		}
	}
	st := store(t, s)
	for dir, want := range map[string][2]string{
		wrong: {"sha256", "什么也没有改动"}, t.TempDir(): {"not in", "模型 toy 导入不了：缺 toy.tar.gz（目录 "}, loose + "/tokens.txt": {"no directory", "不是目录"},
	} {
		_, err := st.Import(t.Context(), "toy", dir)
		says(t, err, want[0], want[1])
	}
	_, err := st.Import(t.Context(), "", t.TempDir())
	says(t, err, "holds no whole model", "没有完整的模型")
}

// A model that somebody laid there by hand is used, checked and replaced.
func TestMadeByHand(t *testing.T) {
	s := newShop(t)
	st := store(t, s)
	if err := os.MkdirAll(st.Path("toy")+"/espeak", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"model.onnx", "tokens.txt"} {
		if err := os.WriteFile(filepath.Join(st.Path("toy"), name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Whole("toy"); err != nil {
		t.Errorf("Whole: %v", err)
	}
	if _, err := st.Import(t.Context(), "toy", importDir(t, s)); err != nil {
		t.Fatal(err)
	}
	if !st.Verified("toy") {
		t.Error("was not replaced")
	}
}

func importDir(t *testing.T, s *shop) string {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/toy.tar.gz", s.pkg, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What an interrupted install left is swept away a day later; what is in use never.
func TestSweep(t *testing.T) {
	s := newShop(t)
	st := store(t, s)
	if err := puller(st).Pull(t.Context(), "toy"); err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(st.Dir, ".models", "toy-half")
	if err := os.Mkdir(half, 0o755); err != nil {
		t.Fatal(err)
	}
	st.Sweep(time.Now())
	if _, err := os.Stat(half); err != nil {
		t.Error("swept away what may still be written")
	}
	st.Sweep(time.Now().Add(25 * time.Hour))
	if _, err := os.Stat(half); err == nil || st.Check("toy") != nil {
		t.Errorf("half of a model: %v; the model: %v", err, st.Check("toy"))
	}
}

// Nothing leads out of the store, whatever an archive says.
func TestArchiveStaysInside(t *testing.T) {
	s := newShop(t)
	files := map[string]string{"data/../../../../evil": "x"}
	for k, v := range content {
		files[k] = v
	}
	s.pkg = tgz(t, files)
	st := store(t, s)
	if err := puller(st).Pull(t.Context(), "toy"); err != nil {
		t.Fatal(err)
	}
	_ = filepath.WalkDir(filepath.Dir(st.Dir), func(p string, _ os.DirEntry, _ error) error {
		if filepath.Base(p) == "evil" {
			t.Errorf("%s was written", p)
		}
		return nil
	})
}

func TestManifest(t *testing.T) {
	c, err := models.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range c.Models {
		if m.Purpose == "" || m.Licence == "" || m.Memory == 0 || m.Size() == 0 || len(m.Languages) == 0 {
			t.Errorf("%s lacks something", m.Name)
		}
		for _, b := range c.Boards {
			if m.Speed[b.ID] == "" {
				t.Errorf("%s says no speed for %s", m.Name, b.ID)
			}
		}
	}
	for _, b := range c.Boards {
		title, note := b.Words(phrases.Chinese)
		if title == b.Title || note == b.Note {
			t.Errorf("board %s has no words in Chinese: %s, %s", b.ID, title, note)
		}
		names, err := c.Names("pi-" + b.ID)
		need := 0
		for _, n := range names {
			m, _ := c.Model(n)
			need += m.Memory
		}
		if err != nil || need > b.RAM*3/4 {
			t.Errorf("board %s: %v; its models need %d MB of %d", b.ID, err, need, b.RAM)
		}
	}
	_, err = c.Names("pi-6")
	says(t, err, "no model \"pi-6\"", "没有 \"pi-6\" 这个模型")
}

// Words in Chinese may be missing in a manifest: those in English stand in.
func TestWordsOfTheManifest(t *testing.T) {
	for more, want := range map[string][3]string{"": {"Pi", "small", "free"}, "_zh": {"派", "小", "自由"}} {
		text := fmt.Sprintf(`{"boards":[{"id":"4","title":"Pi","note":"small","title%s":"%s","note%[1]s":"%[3]s"}],
			"models":[{"name":"a","licence":"free","licence%[1]s":"%[4]s","downloads":[{"url":"u","files":[{"from":"x","name":"y"}]}]}]}`, more, want[0], want[1], want[2])
		c, err := models.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for lang, want := range map[string][3]string{phrases.English: {"Pi", "small", "free"}, phrases.Chinese: want} {
			title, note := c.Boards[0].Words(lang)
			if got := [3]string{title, note, c.Models[0].LicenceIn(lang)}; got != want {
				t.Errorf("%s: %q, want %q", lang, got, want)
			}
		}
	}
}

// FuzzParse: a manifest that is accepted names files only below the store.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"models":[{"name":"a","downloads":[{"url":"u","files":[{"from":"x","name":"y"}]}]}]}`))
	f.Add([]byte(`{"models":[{"name":"a","downloads":[{"npm":"n@1","files":[{"from":"../x","name":"/y"}]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := models.Parse(data)
		if err != nil {
			return
		}
		for _, m := range c.Models {
			for _, file := range m.Files() {
				if !filepath.IsLocal(strings.TrimSuffix(file.Name, "/")) || !filepath.IsLocal(m.Name) {
					t.Errorf("%q / %q", m.Name, file.Name)
				}
			}
		}
	})
}

// The voice activity model as users get it: from npm, through its own client.
func TestPullFromNPM(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed here, so the voice activity model cannot be had")
	}
	st, err := models.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := (&models.Puller{Store: st}).Pull(ctx, "silero-vad"); err != nil {
		t.Skipf("npm does not deliver: %v", err)
	}
	if err := st.Check("silero-vad"); err != nil || !st.Verified("silero-vad") {
		t.Errorf("check: %v", err)
	}
}

func TestNoNPM(t *testing.T) {
	st, err := models.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	err = (&models.Puller{Store: st, NPM: "no-such-npm"}).Pull(t.Context(), "silero-vad")
	says(t, err, "npm pack @ricky0123/vad-web@0.0.31", "运行 npm pack @ricky0123/vad-web@0.0.31")
	err = (&models.Puller{Store: st, NPM: "false"}).Pull(t.Context(), "silero-vad")
	says(t, err, "import DIR", "（npm 没有取到）")
}
