package web

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"homebot/internal/phrases"
)

func newSite(t testing.TB) *Site {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *Site) page(t testing.TB, name string, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b, name, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every sentence that a script or template asks for is there, and none is there
// for nothing.
func TestEverySentenceIsUsed(t *testing.T) {
	used := map[string]bool{}
	// In scripts: t("name"), and names that stand in tables. In templates: {{t "name"}}.
	asked, quoted := regexp.MustCompile(`\bt "([a-zA-Z]+)"|\bt\("([a-zA-Z]+)"`), regexp.MustCompile(`"([a-zA-Z]+)"`)
	all := pageWords
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "/lib/") || !strings.HasSuffix(path, ".js") && !strings.HasSuffix(path, ".html") {
			return err
		}
		data, err := files.ReadFile(path)
		for _, m := range asked.FindAllStringSubmatch(string(data), -1) {
			name := m[1] + m[2]
			if _, ok := all[name]; !ok {
				t.Errorf("%s: there is no sentence %q", path, name)
			}
			used[name] = true
		}
		for _, m := range quoted.FindAllStringSubmatch(string(data), -1) {
			used[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range all {
		if !used[name] {
			t.Errorf("no page shows the sentence %q", name)
		}
	}
}

var scripts = regexp.MustCompile(`(?s)<script([^>]*)>(.*?)</script>`)

// Nothing inline that a policy without 'unsafe-inline' would refuse, on any page.
func TestNothingInline(t *testing.T) {
	s := newSite(t)
	for _, lang := range []string{"zh", "en"} {
		for name, data := range map[string]any{App: nil, Pairs: Pair{To: "/", Speaks: true, Token: true}, Fails: Failure{404, "x"}} {
			html := s.page(t, name, Page{Lang: lang, Title: "x", Path: "/", Data: data})
			for _, m := range scripts.FindAllStringSubmatch(html, -1) {
				if m[2] != "" && !strings.Contains(m[1], "application/json") {
					t.Errorf("%s %s: inline script %s", lang, name, m[2])
				}
			}
			if regexp.MustCompile(`(?i)\sstyle=|<style|\son[a-z]+=|javascript:`).MatchString(html) {
				t.Errorf("%s %s: inline style or handler", lang, name)
			}
		}
	}
}

// What a page is given is text, wherever it stands.
func TestEscapes(t *testing.T) {
	s := newSite(t)
	evil := `</script><script>alert(1)</script>"'><img src=x onerror=alert(1)>`
	for name, data := range map[string]any{App: nil, Pairs: Pair{To: evil, Speaks: true}, Fails: Failure{404, evil}} {
		html := s.page(t, name, Page{Lang: "en", Title: evil, Path: "/" + evil, Door: Door{HTTPS: "https://x/" + evil}, Data: data})
		if strings.Contains(html, "<script>alert") || strings.Contains(html, "<img") {
			t.Errorf("%s holds what it was given as markup: %s", name, html)
		}
		for _, m := range scripts.FindAllStringSubmatch(html, -1) {
			if strings.Contains(m[1], "application/json") && !json.Valid([]byte(m[2])) {
				t.Errorf("%s: no JSON: %s", name, m[2])
			}
		}
	}
}

// maxWeight is what all of a first visit may weigh, compressed (issue F1).
const maxWeight = 150 << 10

// The whole of the console, every view and language data of the heavier language
// included, is light enough for a phone in a kitchen.
func TestWeight(t *testing.T) {
	s := newSite(t)
	sum := 0
	for name, a := range s.assets {
		n := len(a.plain)
		if a.gzip != nil {
			n = len(a.gzip)
		}
		if strings.HasPrefix(a.kind, "video/") || strings.HasSuffix(name, "LICENSE") {
			continue // one of the videos is fetched, where a phone has no wake lock
		}
		sum += n
	}
	page, err := newAsset("app.html", []byte(s.page(t, App, Page{Lang: "zh", Title: "x", Path: "/"})))
	if err != nil {
		t.Fatal(err)
	}
	sum += len(page.gzip)
	t.Logf("%d bytes compressed, %d files", sum, len(s.assets))
	if sum > maxWeight {
		t.Errorf("%d bytes, want at most %d", sum, maxWeight)
	}
}

func TestStatic(t *testing.T) {
	s := newSite(t)
	get := func(url, encoding string) *http.Response {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", url, nil)
		r.Header.Set("Accept-Encoding", encoding)
		s.Static().ServeHTTP(w, r)
		return w.Result()
	}
	plain, packed := get(s.URL("app.css"), ""), get(s.URL("app.css"), "br, gzip")
	if plain.Header.Get("Content-Encoding") != "" || packed.Header.Get("Content-Encoding") != "gzip" || !strings.Contains(plain.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("headers %v and %v", plain.Header, packed.Header)
	}
	if plain.ContentLength <= packed.ContentLength || plain.Header.Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("%d and %d bytes of %s", plain.ContentLength, packed.ContentLength, plain.Header.Get("Content-Type"))
	}
	if old := get(Prefix+"0123456789ab/app.css", ""); old.StatusCode != 200 || old.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("of an older version: %d %v", old.StatusCode, old.Header)
	}
	for _, path := range []string{"", "x/", "x/../web.go", "x/%2e%2e/templates/app.html", "x/nothing.js", "app.css"} {
		if got := get(Prefix+path, "").StatusCode; got != 404 {
			t.Errorf("%q: %d", path, got)
		}
	}
}

// Each script is loaded by the page at once: a chain of imports would cost a
// round trip a link.
func TestModules(t *testing.T) {
	s := newSite(t)
	html := s.page(t, App, Page{Lang: "en", Path: "/"})
	from := regexp.MustCompile(`from "(\.[^"]+)"`)
	app, err := files.ReadFile("static/app.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range from.FindAllStringSubmatch(string(app), -1) {
		if !strings.Contains(html, `modulepreload" href="`+s.URL(strings.TrimPrefix(m[1], "./"))) {
			t.Errorf("%s is not loaded ahead", m[1])
		}
	}
	if slices.Contains(s.modules, "pair.js") {
		t.Error("the pairing page's script is loaded by the app")
	}
}

// V8: a fault is shown in the page's language, whatever the device speaks.
func TestFaultsInThePagesLanguage(t *testing.T) {
	s := newSite(t)
	for lang, p := range map[string][2]string{
		"en": {phrases.NoMicrophone.ZH, phrases.NoMicrophone.EN},
		"zh": {phrases.NoMicrophone.EN, phrases.NoMicrophone.ZH},
	} {
		page := s.page(t, App, Page{Lang: lang})
		_, after, _ := strings.Cut(page, `<script type="application/json" id="words">`)
		data, _, _ := strings.Cut(after, "</script>")
		var words struct{ Faults map[string]string }
		if err := json.Unmarshal([]byte(data), &words); err != nil {
			t.Fatal(err)
		}
		if got := words.Faults[p[0]]; got != p[1] {
			t.Errorf("%s: %q is shown as %q, want %q", lang, p[0], got, p[1])
		}
	}
}
