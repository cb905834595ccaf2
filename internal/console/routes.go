package console

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	_ "embed"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"homebot/internal/console/door"
	"homebot/internal/phrases"
)

// open is the scope of what everybody may ask.
const open = ""

// route is one operation; openapi.yaml describes each that is not a page.
type route struct {
	method, path string
	scope        string // of door, or open
	serve        func(http.ResponseWriter, *http.Request) error
}

// api are the routes for programs and for the pages' scripts.
func (c *Console) api() []route {
	return []route{
		{"GET", "/healthz", open, c.getHealth},
		{"GET", "/metrics", open, c.getMetrics}, // looks by itself
		{"GET", "/ca.crt", open, c.getCA},
		{"GET", "/api/openapi.yaml", open, getOpenAPI},
		{"GET", "/api/v1/live", door.All, c.live},
		{"GET", "/api/v1/talk", door.All, c.talk},
		{"GET", "/api/v1/state", door.Read, c.getState},
		{"POST", "/api/v1/turns", door.All, c.postTurn},
		{"POST", "/api/v1/mode/exit", door.All, c.postExit},
		{"POST", "/api/v1/device", door.All, c.postDevice},
		{"GET", "/api/v1/timers", door.Read, c.getTimers},
		{"POST", "/api/v1/timers", door.All, c.postTimer},
		{"DELETE", "/api/v1/timers", door.All, c.deleteTimers},
		{"DELETE", "/api/v1/timers/{id}", door.All, c.deleteTimer},
		{"POST", "/api/v1/timers/stop", door.All, c.postStop},
		{"GET", "/api/v1/cooking", door.Read, c.getCooking},
		{"POST", "/api/v1/cooking", door.All, c.postCook},
		{"GET", "/api/v1/recipes", door.Read, c.getRecipes},
		{"POST", "/api/v1/recipes", door.All, c.postRecipe},
		{"POST", "/api/v1/recipes/import", door.All, c.postImport},
		{"GET", "/api/v1/recipes/{id}", door.Read, c.getRecipe},
		{"PUT", "/api/v1/recipes/{id}", door.All, c.putRecipe},
		{"DELETE", "/api/v1/recipes/{id}", door.All, c.deleteRecipe},
		{"GET", "/api/v1/history", door.Read, c.getHistory},
		{"GET", "/api/v1/history/{id}", door.Read, c.getSession},
		{"DELETE", "/api/v1/history/{id}", door.All, c.deleteSession},
		{"GET", "/api/v1/history/{id}/export", door.Read, c.getExport},
		{"GET", "/api/v1/members", door.Read, c.getMembers},
		{"DELETE", "/api/v1/members/{id}", door.All, c.deleteMember},
		{"POST", "/api/v1/forget", door.All, c.postForget},
		{"GET", "/api/v1/context", door.Read, c.getContext},
		{"POST", "/api/v1/pair/code", open, c.postCode},
		{"POST", "/api/v1/pair", open, c.postPair},
		{"GET", "/api/v1/access", door.Read, c.getAccess},
		{"DELETE", "/api/v1/access/{id}", door.All, c.deleteAccess},
		{"POST", "/api/v1/logout", door.All, c.postLogout},
	}
}

// routes is the whole handler.
func (c *Console) routes() http.Handler {
	mux := http.NewServeMux()
	for _, r := range append(c.api(), c.pageRoutes()...) {
		mux.Handle(r.method+" "+r.path, c.allowed(r))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		c.refuse(w, r, refusal{http.StatusNotFound, "not_found", phrases.ConsoleNotFound, nil})
	})
	return c.guarded(mux)
}

// allowed lets in who may.
func (c *Console) allowed(to route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, in := c.who(r)
		switch {
		case to.scope == open:
		case !in && wantsPage(r):
			http.Redirect(w, r, "/pair?to="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
			return
		case !in:
			c.refuse(w, r, stranger(r))
			return
		case !who.May(to.scope):
			c.refuse(w, r, refusal{http.StatusForbidden, "not_allowed", phrases.ConsoleNotAllowed, nil})
			return
		}
		c.meters.requested(to)
		r = r.WithContext(context.WithValue(r.Context(), entryKey{}, who))
		if err := to.serve(w, r); err != nil {
			c.refuse(w, r, err)
		}
	})
}

type entryKey struct{}

// entryOf is who asks; the zero Entry for a stranger.
func entryOf(r *http.Request) door.Entry {
	e, _ := r.Context().Value(entryKey{}).(door.Entry)
	return e
}

// The session's cookies: a page of http cannot replace one that https set as
// Secure, so each scheme has its own name.
const (
	plainCookie  = "homebot"
	secureCookie = "__Host-homebot"
)

// sessionCookie is one of the two, without a value.
func sessionCookie(secure bool) *http.Cookie {
	c := &http.Cookie{Name: plainCookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure}
	if secure {
		c.Name = secureCookie
	}
	return c
}

// sessions are the secrets that a browser shows, the one of its scheme first.
// Over https that of http counts too: who was let in there need not pair again
// for the microphone.
func sessions(r *http.Request) (secrets []string) {
	names := []string{plainCookie}
	if r.TLS != nil {
		names = []string{secureCookie, plainCookie}
	}
	for _, name := range names {
		if cookie, err := r.Cookie(name); err == nil {
			secrets = append(secrets, cookie.Value)
		}
	}
	return secrets
}

// who finds out who asks: a token, else a cookie.
func (c *Console) who(r *http.Request) (door.Entry, bool) {
	if token := bearer(r); token != "" {
		if c.isToken(token) {
			return door.Entry{ID: "config", Kind: door.Token, Scope: door.All}, true
		}
		return c.door.Who(token)
	}
	for _, secret := range sessions(r) {
		if e, in := c.door.Who(secret); in {
			return e, true
		}
	}
	return door.Entry{}, false
}

// stranger tells who is not let in how to be: a program to bring a token that is
// known, a browser to be paired.
func stranger(r *http.Request) refusal {
	says := phrases.ConsoleNotPaired
	if bearer(r) != "" {
		says = phrases.ConsoleTokenUnknown
	}
	return refusal{http.StatusUnauthorized, "not_paired", says, nil}
}

// isToken reports whether said is [console] token.
func (c *Console) isToken(said string) bool {
	if !c.Settings.Token.Set() {
		return false
	}
	a, b := sha256.Sum256([]byte(said)), sha256.Sum256([]byte(c.Settings.Token.Reveal()))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// body reads the JSON of a request, at most limit bytes.
func (c *Console) body(w http.ResponseWriter, r *http.Request, limit int64, into any) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return refusal{http.StatusUnsupportedMediaType, "not_json", phrases.ConsoleContentType, nil}
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, limit))
	err = d.Decode(into)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return refusal{http.StatusRequestEntityTooLarge, "too_large", phrases.ConsoleTooLarge, []any{limit >> 10}}
	case err != nil || d.More():
		return badJSON(err)
	}
	return nil
}

// reply answers with JSON. < and & are escaped, so that no text of anybody's
// becomes a tag, wherever it is put.
func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // who has gone gets nothing
}

//go:embed openapi.yaml
var openAPI []byte

func getOpenAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/yaml; charset=utf-8")
	_, err := w.Write(openAPI)
	return ignoreGone(err)
}

// ignoreGone: an answer that nobody waits for any more is no failure.
func ignoreGone(error) error { return nil }

// here keeps only a path of this console: what a link gave must not lead away.
// Browsers drop tabs and line ends from an address before they read it.
func here(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, unsafeInPath) {
		return "/"
	}
	return path
}

func unsafeInPath(r rune) bool { return r == '\\' || unicode.IsControl(r) }
