package speech_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
)

// The token is wanted where it is set, on both paths, and its absence is told to
// the device as refused, while it goes on trying.
func TestTokenIsWanted(t *testing.T) {
	url := serveHTTP(t, &speech.Server{Engine: &speechtest.Engine{}, Synthesizer: &speechtest.Synthesizer{}, Token: "open sesame"})
	for _, tt := range []struct {
		header string
		status int
	}{
		{"", 401}, {"Bearer wrong", 401}, {"Basic open sesame", 401}, {"Bearer ", 401}, {"open sesame", 401},
		{"Bearer open sesame", 200}, {"bearer open sesame", 200},
	} {
		if resp := post(t, url+"/v1/audio/speech", `{"input":"x"}`, "Authorization", tt.header); resp.StatusCode != tt.status {
			t.Errorf("%q: status %d, want %d", tt.header, resp.StatusCode, tt.status)
		}
	}
	g := visit(t, speech.Config{URL: url, Token: "wrong"})
	if f := g.next(t, speech.Failure); f.Code != speech.CodeRefused || strings.Contains(f.Text, "wrong") {
		t.Errorf("heard %+v", f)
	}
	g.close()
	g = visit(t, speech.Config{URL: url, Token: "open sesame"})
	g.next(t, speech.Ready)
	g.close()
}

// Other machines are not served without a token.
func TestOpenServerIsRefused(t *testing.T) {
	l := tcpListener(t, "0.0.0.0:0")
	err := (&speech.Server{Engine: &speechtest.Engine{}}).Run(t.Context(), l)
	if !errors.Is(err, speech.ErrOpen) {
		t.Errorf("Run: %v, want ErrOpen", err)
	}
	if _, err := l.Accept(); err == nil {
		t.Error("the listener is still open")
	}
}

// Pages of other sites, and names that were pointed at this machine behind the
// browser's back, are not served.
func TestForeignPagesAreRefused(t *testing.T) {
	url := serveHTTP(t, &speech.Server{Synthesizer: &speechtest.Synthesizer{}}) + "/v1/audio/speech"
	tokenURL := serveHTTP(t, &speech.Server{Synthesizer: &speechtest.Synthesizer{}, Token: "x"}) + "/v1/audio/speech"
	for _, tt := range []struct {
		url, origin, host string
		status            int
	}{
		{url, "", "", 200},
		{url, "http://localhost:8080", "", 200},
		{url, "http://127.0.0.1", "", 200},
		{url, "https://evil.example", "", 403},
		{url, "null", "", 403},
		{url, "", "evil.example", 403},
		{url, "http://evil.example", "evil.example", 403},
		{url, "http://pipe:9790", "pipe:9790", 403},
		{tokenURL, "https://evil.example", "", 403},
		{tokenURL, "http://kitchen.local", "kitchen.local", 200},
	} {
		header := []string{"Authorization", "Bearer x"}
		if tt.origin != "" {
			header = append(header, "Origin", tt.origin)
		}
		if tt.host != "" {
			header = append(header, "Host", tt.host)
		}
		if resp := post(t, tt.url, `{"input":"x"}`, header...); resp.StatusCode != tt.status {
			t.Errorf("origin %q, host %q: status %d, want %d", tt.origin, tt.host, resp.StatusCode, tt.status)
		}
	}
}

// V8: nothing says OK while it is deaf: /healthz is 200 only when the server can really hear.
func TestHealth(t *testing.T) {
	broken := func([]int16) error { return errors.New("decoder died") }
	for name, tt := range map[string]struct {
		server *speech.Server
		status int
		word   string
	}{
		"well":      {&speech.Server{Engine: &speechtest.Engine{}, Synthesizer: &speechtest.Synthesizer{}, Token: "x"}, 200, "ok"},
		"mute":      {&speech.Server{Engine: &speechtest.Engine{}}, 200, "mute"},
		"no engine": {&speech.Server{Synthesizer: &speechtest.Synthesizer{}}, 503, "deaf"},
		"no model":  {&speech.Server{Engine: &speechtest.Engine{Err: errors.New("no model")}}, 503, "deaf"},
		"broken":    {&speech.Server{Engine: &speechtest.Engine{Before: broken}}, 503, "deaf"},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := http.Get(serveHTTP(t, tt.server) + "/healthz")
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			var rep struct {
				Status, Engine, Error string
				Hears                 bool
				Languages             []string
			}
			if err := json.NewDecoder(resp.Body).Decode(&rep); err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != tt.status || rep.Status != tt.word || rep.Hears != (tt.status == 200) || (tt.word != "ok") != (rep.Error != "") {
				t.Errorf("status %d, %+v", resp.StatusCode, rep)
			}
			if e, ok := tt.server.Engine.(*speechtest.Engine); ok && e.Open() != 0 {
				t.Errorf("the probe left %d recognisers open", e.Open())
			}
		})
	}
}
