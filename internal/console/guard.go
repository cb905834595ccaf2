package console

import (
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"homebot/internal/phrases"
)

// Bounds of one request.
const (
	maxBody       = 64 << 10 // of most requests, in bytes
	maxImportBody = 1 << 20  // of a pasted page
	readTime      = 15 * time.Second
	writeTime     = 30 * time.Second
	turnTime      = 3 * time.Minute // of an answer that is still being thought of
)

// policy is what a page may load: files of ours, no script in the page itself.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; media-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types lit-html"

// guarded looks at a request before anybody else does: is it for us, is it from
// us, is it not too much.
func (c *Console) guarded(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.refuse(w, r, refusal{http.StatusForbidden, "wrong_origin", phrases.ConsoleWrongOrigin, nil})
	}))
	inside := cross.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secureHeaders(w.Header())
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(readTime))
		_ = control.SetWriteDeadline(time.Now().Add(writeTime))
		if !c.names.ours(r.Host, connOf(r.Context())) {
			c.refuse(w, r, refusal{http.StatusMisdirectedRequest, "wrong_host", phrases.ConsoleWrongHost, nil})
			return
		}
		if !c.limits.allow(remote(r)) {
			w.Header().Set("Retry-After", "5")
			c.refuse(w, r, refusal{http.StatusTooManyRequests, "too_many_requests", phrases.ConsoleTooMany, nil})
			return
		}
		if r.Header.Get("Upgrade") != "" && !sameOrigin(r) {
			c.refuse(w, r, refusal{http.StatusForbidden, "wrong_origin", phrases.ConsoleWrongOrigin, nil})
			return
		}
		if bearer(r) != "" { // a program, not a browser: nobody else's page can send it
			next.ServeHTTP(w, r)
			return
		}
		inside.ServeHTTP(w, r)
	})
}

func secureHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "microphone=(self), screen-wake-lock=(self), camera=(), geolocation=()")
	h.Set("Cache-Control", "no-store")
}

// sameOrigin is for websockets, which CrossOriginProtection lets pass as any GET:
// a browser says where the page is from, and it must be from here. Who says
// nothing is no browser, and needs a token.
func sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return bearer(r) != ""
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	return strings.EqualFold(origin, scheme+r.Host)
}

// bearer is the token of a request, "" without one.
func bearer(r *http.Request) string {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return ""
	}
	return strings.TrimSpace(token)
}

// remote is who asks, as far as limits go: an address, or a network of IPv6.
func remote(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	if ip := net.ParseIP(host); ip != nil && ip.To4() == nil {
		return ip.Mask(net.CIDRMask(64, 128)).String()
	}
	return host
}

// refusal is an error that people are told.
type refusal struct {
	status int
	code   string
	phrase phrases.Phrase
	args   []any
}

func (e refusal) Error() string { return e.code + ": " + e.in(phrases.English) }

// in is what it says in lang; an argument may have a language too.
func (e refusal) in(lang string) string {
	args := slices.Clone(e.args)
	for i, a := range args {
		if told, ok := a.(interface{ In(lang string) string }); ok {
			args[i] = told.In(lang)
		}
	}
	return e.phrase.In(lang, args...)
}

// refuse answers with an error: JSON for programs, a page for people.
func (c *Console) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var e refusal
	if !errors.As(err, &e) {
		c.Log.Error("request failed", "method", r.Method, "path", r.URL.Path, "err", err)
		e = refusal{http.StatusInternalServerError, "failed", phrases.ConsoleFailed, nil}
	}
	c.meters.refused(e.code)
	text := e.in(c.lang(r))
	if wantsPage(r) {
		c.failPage(w, r, e.status, text)
		return
	}
	reply(w, e.status, map[string]any{"error": problem{e.code, text}})
}

// problem is an error in JSON.
type problem struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// wantsPage: a person's browser goes somewhere.
func wantsPage(r *http.Request) bool {
	return !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// lang is the language of who asks.
func (c *Console) lang(r *http.Request) string {
	if asked := r.URL.Query().Get("lang"); asked == phrases.Chinese || asked == phrases.English {
		return asked
	}
	if cookie, err := r.Cookie("lang"); err == nil && (cookie.Value == phrases.Chinese || cookie.Value == phrases.English) {
		return cookie.Value
	}
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		main, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if main == phrases.Chinese || main == phrases.English {
			return main
		}
	}
	if c.Lang == phrases.English {
		return phrases.English
	}
	return phrases.Chinese
}
