package console

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"time"

	"homebot/internal/console/door"
	"homebot/internal/console/web"
	"homebot/internal/phrases"
)

// views are the addresses of the one page; its scripts show what belongs there.
var views = []string{
	"/{$}", "/cook", "/recipes", "/recipes/new", "/recipes/{id}", "/recipes/{id}/edit", "/history", "/history/{id}", "/talk", "/settings",
}

// pageRoutes are the pages for people.
func (c *Console) pageRoutes() []route {
	static := c.site.Static()
	all := []route{
		{"GET", "/pair", open, c.getPairPage},
		{"GET", web.Prefix, open, func(w http.ResponseWriter, r *http.Request) error {
			static.ServeHTTP(w, r)
			return nil
		}},
		{"GET", "/favicon.ico", open, func(w http.ResponseWriter, r *http.Request) error {
			http.Redirect(w, r, c.site.URL("icon.svg"), http.StatusFound)
			return nil
		}},
	}
	for _, v := range views {
		all = append(all, route{"GET", v, door.Read, c.getView})
	}
	return all
}

func (c *Console) getView(w http.ResponseWriter, r *http.Request) error {
	p := web.Page{Title: phrases.ConsolePageNavLive.In(c.lang(r)), Door: web.Door{HTTPS: c.httpsOf(r), CA: c.authority() != nil}}
	return c.show(w, r, http.StatusOK, web.App, p)
}

func (c *Console) getPairPage(w http.ResponseWriter, r *http.Request) error {
	to := here(r.URL.Query().Get("to"))
	if _, in := c.who(r); in {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return nil
	}
	return c.show(w, r, http.StatusOK, web.Pairs, web.Page{
		Title: phrases.ConsolePagePairTitle.In(c.lang(r)),
		Data:  web.Pair{To: to, Speaks: c.Announcer != nil, Token: c.Settings.Token.Set()},
	})
}

// failPage shows an error to a person.
func (c *Console) failPage(w http.ResponseWriter, r *http.Request, status int, text string) {
	err := c.show(w, r, status, web.Fails, web.Page{Title: text, Data: web.Failure{Status: status, Text: text}})
	if err != nil {
		c.Log.Error("the page of an error cannot be shown", "err", err)
		http.Error(w, text, status)
	}
}

// show writes a page, gzipped when that helps. ?lang= chooses the language from
// now on.
func (c *Console) show(w http.ResponseWriter, r *http.Request, status int, name string, p web.Page) error {
	p.Lang, p.Path = c.lang(r), r.URL.Path
	if asked := r.URL.Query().Get("lang"); asked == p.Lang {
		http.SetCookie(w, &http.Cookie{
			Name: "lang", Value: asked, Path: "/", MaxAge: int((365 * 24 * time.Hour).Seconds()), SameSite: http.SameSiteLaxMode,
		})
	}
	var b bytes.Buffer
	if err := c.site.Write(&b, name, p); err != nil {
		return err
	}
	data, h := b.Bytes(), w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", p.Lang)
	h.Set("Vary", "Accept-Encoding, Accept-Language, Cookie")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		data = squeezed(data)
	}
	w.WriteHeader(status)
	_, err := w.Write(data)
	return ignoreGone(err)
}

func squeezed(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data) // memory takes everything
	_ = z.Close()
	return b.Bytes()
}

// httpsOf is the same page over https, "" where there is none or this is it.
func (c *Console) httpsOf(r *http.Request) string {
	at := c.Address()
	if at.HTTPS == "" || r.TLS != nil {
		return ""
	}
	host, port := hostOnly(r.Host), at.HTTPS[strings.LastIndexByte(at.HTTPS, ':')+1:]
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "443" {
		host += ":" + port
	}
	return "https://" + host + r.URL.RequestURI()
}
