package speech

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
)

// errNoEngine and errNoVoice say what this server was built or started without.
var (
	errNoEngine = errors.New("this server has no recogniser")
	errNoVoice  = errors.New("this server has no voice")
)

// probeEvery is how long the answer of a probe is believed; probeWait is how
// long one may take.
const (
	probeEvery = 5 * time.Second
	probeWait  = 10 * time.Second
)

// health is what the server knows of its own ears.
type health struct {
	mu    sync.Mutex // guards the rest
	live  int        // recognisers at work
	err   error      // why the last one failed; nil after the next success
	tried time.Time  // of the last probe
}

func (h *health) enter() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live++
	h.err = nil
}

func (h *health) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live--
}

func (h *health) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err, h.tried = err, time.Time{}
}

// check answers from a recogniser at work, from a recent probe, or from probe.
// Probes run one at a time.
func (h *health) check(probe func() error) (live int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.live > 0 && h.err == nil {
		return h.live, nil
	}
	if h.tried.IsZero() || time.Since(h.tried) > probeEvery {
		h.err, h.tried = probe(), time.Now()
	}
	return h.live, h.err
}

// healthReport is the body of /healthz.
type healthReport struct {
	Status      string   `json:"status"` // ok, mute (hears, cannot speak) or deaf
	Engine      string   `json:"engine"`
	Languages   []string `json:"languages"`
	Hears       bool     `json:"hears"`
	Voices      []string `json:"voices"`
	Speaks      bool     `json:"speaks"`
	Connections int      `json:"connections"`
	Error       string   `json:"error,omitempty"`
	Note        string   `json:"note,omitempty"` // of the engine, see Info
}

// serveHealth answers 200 when the server can really hear: a recogniser is at
// work, or one was made and fed just now. It holds no secret and needs no token.
func (s *Server) serveHealth(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), probeWait)
	defer cancel()
	info := s.describe()
	rep := healthReport{Status: "ok", Engine: info.Engine, Languages: info.Languages, Hears: true, Speaks: true, Note: oneLine(info.Note)}
	var deaf error
	rep.Connections, deaf = s.health.check(func() error { return s.probeEngine(ctx, info) })
	mute := s.checkVoice(ctx)
	if mute != nil {
		rep.Status, rep.Speaks, rep.Error = "mute", false, oneLine(mute.Error())
	} else {
		rep.Voices = []string{"zh", "en"}
	}
	status := http.StatusOK
	if deaf != nil {
		rep.Status, rep.Hears, rep.Error = "deaf", false, oneLine(deaf.Error())
		status = http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(rep)
}

// describe names the engine, if it can say.
func (s *Server) describe() Info {
	info := Info{Engine: "unnamed", Languages: []string{}}
	if d, ok := s.Engine.(Describer); ok {
		info = d.Describe()
	} else if s.Engine == nil {
		info.Engine = "none"
	}
	return info
}

// probeEngine makes a recogniser and lets it hear a frame of silence.
func (s *Server) probeEngine(ctx context.Context, info Info) error {
	if s.Engine == nil {
		return errNoEngine
	}
	if c, ok := s.Engine.(Checker); ok {
		return c.Check(ctx)
	}
	h := Hello{Version: ProtocolVersion, Rate: CaptureRate, Languages: info.Languages}
	rec, _, err := s.Engine.NewRecognizer(ctx, h)
	if err != nil {
		return err
	}
	_, err = rec.Accept(make([]int16, CaptureRate/50))
	return errors.Join(err, rec.Close())
}

func (s *Server) checkVoice(ctx context.Context) error {
	if s.Synthesizer == nil {
		return errNoVoice
	}
	if c, ok := s.Synthesizer.(Checker); ok {
		return c.Check(ctx)
	}
	return nil
}

// Quoted is what another server said, fit for one line of a log: not too long, and
// without the token it was given, which some repeat.
func Quoted(text, token string) string {
	const most = 200 // characters
	if token != "" {
		text = strings.ReplaceAll(text, token, "…")
	}
	text = oneLine(text)
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return text
}

// oneLine makes text fit for one line of a log or a message.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
