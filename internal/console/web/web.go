// Package web is what a browser gets of the console: the pages' templates, their
// scripts and styles, and how they are sent.
//
// There is one page (app.html): its scripts show the view of the address and ask
// the API for the rest, so that the microphone and the connection outlive a
// change of view. Only who is not let in yet, and errors, have pages of their
// own. Everything is embedded and needs nothing from elsewhere.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"homebot/internal/phrases"
)

//go:embed templates/*.html static
var files embed.FS

// Prefix is where Site.Static is to be mounted.
const Prefix = "/static/"

// Page is what a template gets.
type Page struct {
	Lang  string // zh or en
	Title string
	Path  string // of the request
	Door  Door   // app.html
	Data  any    // Pair or Failure
}

// Door says how this page can be reached with a microphone.
type Door struct {
	HTTPS string `json:"https"` // the same page over https; "" when there is none, or it is this one
	CA    bool   `json:"ca"`    // /ca.crt is there to be installed
}

// Pair is the Data of pair.html.
type Pair struct {
	To     string // path to go to afterwards
	Speaks bool   // the device can speak the code
	Token  bool   // a token lets in too
}

// Failure is the Data of error.html.
type Failure struct {
	Status int
	Text   string
}

// Names of the templates, for Site.Write.
const (
	App   = "app.html"
	Pairs = "pair.html"
	Fails = "error.html"
)

// Site is the pages, ready to be sent. It never changes; any goroutine may use
// it.
type Site struct {
	version string // of all assets together
	assets  map[string]asset
	modules []string
	pages   map[string]*template.Template // by language
}

// asset is a file below static/.
type asset struct {
	kind        string
	plain, gzip []byte // gzip is nil where it would not be smaller
}

// New reads and compresses what is embedded.
func New() (*Site, error) {
	s := &Site{assets: map[string]asset{}, pages: map[string]*template.Template{}}
	if err := s.readAssets(); err != nil {
		return nil, fmt.Errorf("console's assets: %w", err)
	}
	for _, lang := range []string{phrases.Chinese, phrases.English} {
		t, err := template.New("").Funcs(s.funcs(lang)).ParseFS(files, "templates/*.html")
		if err != nil {
			return nil, fmt.Errorf("console's templates: %w", err)
		}
		s.pages[lang] = t
	}
	return s, nil
}

func (s *Site) readAssets() error {
	all := sha256.New()
	err := fs.WalkDir(files, "static", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(file)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(file, "static/")
		fmt.Fprintf(all, "%s %d\n", name, len(data))
		all.Write(data)
		if s.assets[name], err = newAsset(name, data); err != nil {
			return err
		}
		if strings.HasSuffix(name, ".js") && !slices.Contains(notOfTheApp, name) {
			s.modules = append(s.modules, name)
		}
		return nil
	})
	s.version = hex.EncodeToString(all.Sum(nil)[:6])
	return err
}

// notOfTheApp are scripts that app.html does not need at once.
var notOfTheApp = []string{"app.js", "pair.js", "mic-worklet.js"}

// kinds that the machine's own tables may not know.
var kinds = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
	".webmanifest": "application/manifest+json", ".webm": "video/webm", ".mp4": "video/mp4",
}

func newAsset(name string, data []byte) (asset, error) {
	a := asset{kind: kinds[path.Ext(name)], plain: data}
	if a.kind == "" {
		a.kind = mime.TypeByExtension(path.Ext(name))
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return a, err
	}
	if _, err := z.Write(data); err != nil {
		return a, err
	}
	if err := z.Close(); err != nil {
		return a, err
	}
	if b.Len() < len(data) {
		a.gzip = b.Bytes()
	}
	return a, nil
}

// URL is where an asset is. The version is in the path: a script's imports stay
// within one version, and a browser may keep all of it for ever.
func (s *Site) URL(name string) string { return Prefix + s.version + "/" + name }

// Static serves the assets below Prefix.
func (s *Site) Static() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		version, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, Prefix), "/")
		a, ok := s.assets[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", a.kind)
		h.Set("Vary", "Accept-Encoding")
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		if version != s.version { // a page from before an update asks for what is not there any more
			h.Set("Cache-Control", "no-store")
		}
		data := a.plain
		if a.gzip != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			data = a.gzip
		}
		if strings.HasPrefix(a.kind, "video/") { // browsers ask for parts of a video
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.plain))
			return
		}
		h.Set("Content-Length", strconv.Itoa(len(data)))
		if r.Method != http.MethodHead {
			_, _ = w.Write(data)
		}
	})
}

// Write writes a page as HTML.
func (s *Site) Write(w io.Writer, name string, p Page) error {
	t := s.pages[p.Lang]
	if t == nil {
		t = s.pages[phrases.English]
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, p); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

// funcs are the templates' own.
func (s *Site) funcs(lang string) template.FuncMap {
	words := map[string]string{}
	for name, p := range pageWords {
		words[name] = p.In(lang)
	}
	return template.FuncMap{
		"asset": s.URL,
		"modules": func() (all []string) {
			for _, name := range s.modules {
				all = append(all, s.URL(name))
			}
			return all
		},
		"t": func(name string) (string, error) {
			if _, ok := words[name]; !ok {
				return "", fmt.Errorf("there is no phrase %q", name)
			}
			return words[name], nil
		},
		// html/template writes it as JSON: it stands in a script of that type.
		"words": func() map[string]any {
			return map[string]any{"lang": lang, "words": words, "faults": phrases.Faults(lang)}
		},
	}
}
