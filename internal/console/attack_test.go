package console

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gorilla/websocket"

	"homebot/internal/config"
	"homebot/internal/console/door"
	"homebot/internal/phrases"
)

// paired is a browser that was let in: its cookie.
func (h *house) paired() *http.Cookie {
	h.t.Helper()
	r := h.request("POST", "/api/v1/pair", object{"key": h.console.Door().NewKey(), "name": "phone"})
	r.Header.Del("Authorization")
	res, text := h.send(r)
	if res.StatusCode != 204 || len(res.Cookies()) != 1 {
		h.t.Fatalf("pair: %d %s %v", res.StatusCode, text, res.Cookies())
	}
	c := res.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || len(c.Value) < 40 {
		h.t.Errorf("cookie %+v", c)
	}
	return c
}

// browser is a request as a page of origin makes it.
func (h *house) browser(cookie *http.Cookie, origin, method, path string, body any) *http.Request {
	r := h.request(method, path, body)
	r.Header.Del("Authorization")
	if cookie != nil {
		r.AddCookie(cookie)
	}
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	return r
}

// Requests of other sites, to other names, and of strangers are refused, also
// with the cookie of somebody who is let in, and counted.
func TestForeignRequests(t *testing.T) {
	h := newHouse(t, nil)
	cookie := h.paired()
	here := h.console.Address().HTTP
	turn := object{"text": "打开做饭模式"}
	for name, c := range map[string]struct {
		r    *http.Request
		host string
		want int
		code string
	}{
		"own page":               {r: h.browser(cookie, here, "POST", "/api/v1/mode/exit", object{}), want: 200},
		"stranger":               {r: h.browser(nil, "", "GET", "/api/v1/state", nil), want: 401, code: "not_paired"},
		"stranger on this host":  {r: h.browser(nil, here, "POST", "/api/v1/turns", turn), want: 401, code: "not_paired"},
		"cross-site POST":        {r: h.browser(cookie, "http://evil.example", "POST", "/api/v1/turns", turn), want: 403, code: "wrong_origin"},
		"POST of another port":   {r: h.browser(cookie, "http://127.0.0.1:1", "POST", "/api/v1/turns", turn), want: 403, code: "wrong_origin"},
		"POST of a sandbox":      {r: h.browser(cookie, "null", "POST", "/api/v1/turns", turn), want: 403, code: "wrong_origin"},
		"cross-site DELETE":      {r: h.browser(cookie, "http://evil.example", "DELETE", "/api/v1/timers", nil), want: 403, code: "wrong_origin"},
		"cross-site pairing":     {r: h.browser(nil, "http://evil.example", "POST", "/api/v1/pair", object{"code": "1"}), want: 403, code: "wrong_origin"},
		"DNS rebinding":          {r: h.browser(cookie, "http://evil.example", "GET", "/api/v1/state", nil), host: "evil.example", want: 421, code: "wrong_host"},
		"rebinding with a port":  {r: h.browser(cookie, "", "GET", "/", nil), host: "evil.example:80", want: 421, code: "wrong_host"},
		"name like ours":         {r: h.browser(cookie, "", "GET", "/", nil), host: "homebot.local.evil.example", want: 421, code: "wrong_host"},
		"another address":        {r: h.browser(cookie, "", "GET", "/", nil), host: "192.0.2.1", want: 421, code: "wrong_host"},
		"own name":               {r: h.browser(cookie, "", "GET", "/api/v1/state", nil), host: "homebot.local", want: 200},
		"wrong token":            {r: withToken(h.request("GET", "/api/v1/state", nil), "nonsense"), want: 401, code: "not_paired"},
		"metrics of a neighbour": {r: h.browser(nil, "", "GET", "/metrics", nil), want: 200}, // this machine
	} {
		t.Run(name, func(t *testing.T) {
			if c.host != "" {
				c.r.Host = c.host
			}
			res, text := h.send(c.r)
			if res.StatusCode != c.want || c.code != "" && !strings.Contains(text, `"`+c.code+`"`) {
				t.Errorf("%d %s, want %d %s", res.StatusCode, text, c.want, c.code)
			}
			if res.StatusCode != 400 && (!strings.Contains(res.Header.Get("Content-Security-Policy"), "script-src 'self'") || res.Header.Get("Access-Control-Allow-Origin") != "") {
				t.Errorf("headers %v", res.Header)
			}
		})
	}
	if h.bus.Snapshot().Mode != nil {
		t.Error("a foreign request opened a mode")
	}
	for code, least := range map[string]string{"wrong_origin": "5", "wrong_host": "4", "not_paired": "3"} {
		if n := h.metric(`homebot_http_refusals_total{reason="` + code + `"}`); n != least {
			t.Errorf("%s is counted as %q, want %s", code, n, least)
		}
	}
}

func withToken(r *http.Request, token string) *http.Request {
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

// A browser that is not let in is told to be paired, a program that its token is
// not known and how to make one.
func TestStrangersAreToldTheWayIn(t *testing.T) {
	h := newHouse(t, nil)
	_, browser := h.send(h.browser(nil, "", "GET", "/api/v1/state", nil))
	_, program := h.send(withToken(h.request("GET", "/api/v1/state", nil), "nonsense"))
	if !strings.Contains(browser, phrases.ConsoleNotPaired.EN) || !strings.Contains(program, phrases.ConsoleTokenUnknown.EN) {
		t.Errorf("a browser is told %s, a program %s", browser, program)
	}
}

// A websocket is opened by our own pages and by programs only.
func TestForeignWebsockets(t *testing.T) {
	h := newHouse(t, nil)
	cookie := h.paired()
	address := "ws" + strings.TrimPrefix(h.url("/api/v1/live"), "http")
	for name, c := range map[string]struct {
		header http.Header
		want   int
	}{
		"own page":         {http.Header{"Cookie": {cookie.String()}, "Origin": {h.console.Address().HTTP}}, 101},
		"cross-site":       {http.Header{"Cookie": {cookie.String()}, "Origin": {"http://evil.example"}}, 403},
		"no origin":        {http.Header{"Cookie": {cookie.String()}}, 403},
		"other scheme":     {http.Header{"Cookie": {cookie.String()}, "Origin": {strings.Replace(h.console.Address().HTTP, "http", "https", 1)}}, 403},
		"no cookie":        {http.Header{"Origin": {h.console.Address().HTTP}}, 401},
		"program":          {http.Header{"Authorization": {"Bearer " + h.token}}, 101},
		"program, no good": {http.Header{"Authorization": {"Bearer x"}}, 401},
	} {
		conn, res, err := websocket.DefaultDialer.Dial(address, c.header)
		if err == nil {
			_ = conn.Close()
		}
		if res == nil || res.StatusCode != c.want {
			t.Errorf("%s: %v %v, want %d", name, res, err, c.want)
		}
	}
}

// A scope is not exceeded.
func TestScopes(t *testing.T) {
	h := newHouse(t, nil)
	for scope, want := range map[string][3]int{door.Read: {200, 403, 200}, door.Metrics: {403, 403, 200}, door.All: {200, 200, 200}} {
		secret, _, err := h.console.Door().Admit(door.Token, scope, scope)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range []*http.Request{h.request("GET", "/api/v1/state", nil), h.request("DELETE", "/api/v1/timers", nil), h.request("GET", "/metrics", nil)} {
			if res, text := h.send(withToken(r, secret)); res.StatusCode != want[i] {
				t.Errorf("%s %s: %d, want %d: %s", scope, r.URL.Path, res.StatusCode, want[i], text)
			}
		}
	}
}

// Names lead out of nowhere.
func TestTraversal(t *testing.T) {
	h := newHouse(t, nil)
	h.do("GET", "/api/v1/recipes", nil, 200, nil)
	for _, name := range []string{
		"..%2F..%2Fhomebot", "%2e%2e%2fhistory", "..%5c..%5cx", ".installed", "%00", "a%2F..%2F..%2Fb", "..", "%2Fetc%2Fpasswd",
		"..%2f..%2fconsole%2faccess.json", strings.Repeat("a", 300),
	} {
		for _, c := range []struct{ method, path string }{
			{"GET", "/api/v1/recipes/"}, {"DELETE", "/api/v1/recipes/"}, {"GET", "/api/v1/history/"}, {"DELETE", "/api/v1/history/"},
			{"DELETE", "/api/v1/members/"}, {"GET", "/static/"}, {"GET", "/recipes/"},
		} {
			res, text := h.send(h.request(c.method, c.path+name, nil))
			ok := res.StatusCode == 404 || res.StatusCode/100 == 3 || res.StatusCode == 405 || c.path == "/recipes/" && res.StatusCode == 200
			if !ok || strings.Contains(text, "root:") || strings.Contains(text, "hash") {
				t.Errorf("%s %s%s: %d %.200s", c.method, c.path, name, res.StatusCode, text)
			}
		}
	}
	if !h.exists("console/access.json") || !h.exists("cooking/recipes/.installed") {
		t.Error("something was deleted")
	}
}

// A script in a title, a dialogue and a member's name stays text: no page and no
// JSON holds a tag that could run.
func TestScriptsStayText(t *testing.T) {
	h := newHouse(t, nil)
	const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>`
	h.do("POST", "/api/v1/recipes", RecipeDoc{Title: "Evil " + evil, Servings: 2, Ingredients: []string{evil}, Steps: []string{evil}}, 201, nil)
	h.do("POST", "/api/v1/turns", object{"text": "你好 " + evil, "speaker_id": evil}, 200, nil)
	cookie := h.paired()
	for _, path := range []string{"/api/v1/recipes", "/api/v1/state", "/", "/recipes/" + "evil", "/pair?to=" + "%22%3E%3Cscript%3E", "/nothing/%3Cscript%3Ealert(1)%3C%2Fscript%3E"} {
		r := h.browser(cookie, "", "GET", path, nil)
		r.Header.Set("Accept", "text/html")
		res, text := h.send(r)
		if strings.Contains(text, "<script>alert") || strings.Contains(text, "<img src=x") || strings.Contains(text, `"><script>`) {
			t.Errorf("%s:\n%s", path, text)
		}
		if got := res.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: %q", path, got)
		}
	}
	for to, want := range map[string]string{"/cook?x=1": "/cook?x=1", "//evil.example": "/", "https://evil.example": "/", `/\evil.example`: "/", "": "/", "/\t/evil.example": "/", "/\x00/evil.example": "/"} {
		if got := here(to); got != want {
			t.Errorf("here(%q) = %q, want %q", to, got, want)
		}
	}
}

// endless is a body that never ends and counts what was taken of it.
type endless struct{ taken atomic.Int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.taken.Load() > 1<<30 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = ' '
	}
	e.taken.Add(int64(len(p)))
	return len(p), nil
}

// A body of a gigabyte is refused long before it has come.
func TestHugeBody(t *testing.T) {
	h := newHouse(t, nil)
	for path, limit := range map[string]int64{"/api/v1/turns": maxBody, "/api/v1/recipes/import": maxImportBody + maxBody, "/api/v1/pair": 4 << 10} {
		body := &endless{}
		r := h.request("POST", path, object{})
		r.Body, r.ContentLength, r.GetBody = io.NopCloser(body), -1, nil
		res, err := http.DefaultClient.Do(r)
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("%s: %d", path, res.StatusCode)
			}
		} // else the connection was closed under the body, which is as good
		if n := body.taken.Load(); n > limit+64<<20 { // what the two kernels hold
			t.Errorf("%s: %d bytes were taken", path, n)
		}
	}
}

// Five hundred silent sockets push out each other; who asks is answered, and an
// open page stays.
func TestIdleSockets(t *testing.T) {
	h := newHouse(t, nil)
	page := h.dial("/api/v1/live")
	page.next()
	address := strings.TrimPrefix(h.console.Address().HTTP, "http://")
	for range 500 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
	h.do("GET", "/api/v1/state", nil, 200, nil)
	within(t, "silent sockets are closed", func() bool {
		waiting, _, _, closed := h.console.limits.counts()
		return waiting <= maxWaiting && closed >= 500-maxWaiting-2
	})
	page.send(object{"id": "p", "do": "ping"})
	if m := page.result("p"); m["ok"] != true {
		t.Errorf("the open page: %v", m)
	}
	if n := h.metric("homebot_http_evicted_connections_total"); n == "0" || n == "" {
		t.Errorf("evicted: %q", n)
	}
}

// A code is guessed a few times, then it is worth nothing, and so is the address
// for a while; all of it is counted. The device speaks it digit by digit.
func TestGuessingTheCode(t *testing.T) {
	device := &fakeDevice{}
	h := newHouse(t, func(c *Config) { c.Device, c.Announcer = device, device })
	try := func(code string) (int, string) {
		res, text := h.send(h.browser(nil, h.console.Address().HTTP, "POST", "/api/v1/pair", object{"code": code}))
		return res.StatusCode, text
	}
	if status, text := try("123456"); status != 403 || !strings.Contains(text, "no_code") {
		t.Errorf("no code waits: %d %s", status, text)
	}
	res, text := h.send(h.browser(nil, h.console.Address().HTTP, "POST", "/api/v1/pair/code", object{}))
	if res.StatusCode != 202 || !strings.Contains(text, `"spoken":true`) {
		t.Fatalf("%d %s", res.StatusCode, text)
	}
	right, err := h.console.Door().NewCode(false) // what homebot pair shows is what was spoken
	if err != nil {
		t.Fatal(err)
	}
	if spoken := strings.Join(strings.Split(right, ""), ", "); !strings.Contains(device.heard(), spoken) || strings.Contains(text, right) {
		t.Errorf("spoken %q, answered %s, code %s", device.heard(), text, right)
	}
	wrong := "000000"
	if wrong == right {
		wrong = "000001"
	}
	for range 5 {
		if status, text := try(wrong); status != 403 && status != 429 {
			t.Errorf("wrong: %d %s", status, text)
		}
	}
	status, text := try(right)
	if status != 403 && status != 429 {
		t.Errorf("the right one after five wrong ones: %d %s", status, text)
	}
	for range 20 {
		status, text = try(wrong)
	}
	if status != 429 || !strings.Contains(text, "too_many_tries") {
		t.Errorf("guessing on: %d %s", status, text)
	}
	if n := h.metric(`homebot_http_refusals_total{reason="wrong_code"}`); n != "5" {
		t.Errorf("wrong codes are counted as %q", n)
	}
	for range 12 {
		res, text = h.send(h.browser(nil, h.console.Address().HTTP, "POST", "/api/v1/pair/code", object{}))
	}
	if res.StatusCode != 429 || !strings.Contains(text, "too_many_codes") {
		t.Errorf("asking for codes: %d %s", res.StatusCode, text)
	}
}

// Pages need a session, and lead to the door; the door lets in with the token of
// the configuration too. No secret is on a page.
func TestDoor(t *testing.T) {
	h := newHouse(t, func(c *Config) { c.Settings.Token = config.NewSecret("the-configured-token") })
	r := h.browser(nil, "", "GET", "/recipes?q=x", nil)
	r.Header.Set("Accept", "text/html")
	res, _ := h.send(r)
	if res.StatusCode != 303 || res.Header.Get("Location") != "/pair?to=%2Frecipes%3Fq%3Dx" {
		t.Errorf("%d %v", res.StatusCode, res.Header)
	}
	res, _ = h.send(h.browser(nil, h.console.Address().HTTP, "POST", "/api/v1/pair", object{"token": "the-configured-token"}))
	if res.StatusCode != 204 {
		t.Fatalf("token: %d", res.StatusCode)
	}
	cookie := res.Cookies()[0]
	for _, path := range []string{"/", "/settings", "/pair", "/api/v1/access", "/api/v1/state"} {
		r := h.browser(cookie, "", "GET", path, nil)
		res, text := h.send(r)
		if res.StatusCode/100 > 3 || strings.Contains(text, "the-configured-token") || strings.Contains(text, cookie.Value) {
			t.Errorf("%s: %d %s", path, res.StatusCode, text)
		}
	}
	h.do("GET", "/api/v1/state", nil, 200, nil)
	if res, _ := h.send(withToken(h.request("GET", "/api/v1/state", nil), "the-configured-token")); res.StatusCode != 200 {
		t.Errorf("as a bearer: %d", res.StatusCode)
	}
	if res, _ := h.send(h.browser(cookie, h.console.Address().HTTP, "POST", "/api/v1/logout", object{})); res.StatusCode != 204 {
		t.Errorf("logout: %d", res.StatusCode)
	}
	if res, _ := h.send(h.browser(cookie, "", "GET", "/api/v1/state", nil)); res.StatusCode != 401 {
		t.Errorf("after logout: %d", res.StatusCode)
	}
	if link := h.console.Link(); !strings.HasPrefix(link, fmt.Sprintf("%s/pair#key=", h.console.Address().HTTP)) {
		t.Errorf("link %q", link)
	}
}

// A browser that was paired over https can be paired over http too, which cannot
// replace a Secure cookie: each scheme has its own. Over https either counts, and
// signing out ends both.
func TestCookiesOfBothSchemes(t *testing.T) {
	h := newHouse(t, func(c *Config) { c.Settings.TLS = "127.0.0.1:0" })
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := http.Client{Jar: jar, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	t.Cleanup(browser.CloseIdleConnections)
	ask := func(base, method, path string, body any) int {
		t.Helper()
		r := h.browser(nil, base, method, path, body)
		if r.URL, err = r.URL.Parse(base + path); err != nil {
			t.Fatal(err)
		}
		r.Host = ""
		res, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	at := h.console.Address()
	pair := func(base string) {
		t.Helper()
		if status := ask(base, "POST", "/api/v1/pair", object{"key": h.console.Door().NewKey()}); status != 204 {
			t.Fatalf("pairing at %s: %d", base, status)
		}
	}
	want := func(when string, http, https int) {
		t.Helper()
		if a, b := ask(at.HTTP, "GET", "/api/v1/state", nil), ask(at.HTTPS, "GET", "/api/v1/state", nil); a != http || b != https {
			t.Errorf("%s: http %d, https %d, want %d and %d", when, a, b, http, https)
		}
	}
	pair(at.HTTPS)
	want("paired over https", 401, 200)
	pair(at.HTTP)
	want("and over http", 200, 200)
	if status := ask(at.HTTPS, "POST", "/api/v1/logout", object{}); status != 204 {
		t.Errorf("logout: %d", status)
	}
	want("after signing out", 401, 401)
	if all, err := h.console.Door().List(); err != nil || len(all) != 1 { // the test's own token
		t.Errorf("%d are still let in, %v", len(all), err)
	}
	pair(at.HTTP)
	want("paired over http", 200, 200)
	root, err := http.NewRequest("GET", at.HTTPS, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := jar.Cookies(root.URL); len(c) != 1 || c[0].Name != plainCookie {
		t.Errorf("cookies %v: the others are cleared", c)
	}
}
