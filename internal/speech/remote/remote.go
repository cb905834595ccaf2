// Package remote lets another server understand what was said: any
// OpenAI-compatible transcription, a Vosk, a sherpa-onnx or a FunASR websocket.
//
// The local engine keeps the wake word and the voice activity; sound leaves the
// machine only within an utterance. When the other server does not answer, what
// the local engine understood stands.
package remote

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/text"
)

// Service is a server that understands speech.
type Service interface {
	// Open begins an utterance. It does not wait for the server.
	Open(ctx context.Context, u Utterance) Session
}

// Utterance is what a server may be told in front.
type Utterance struct {
	Lang    string   // "zh", "en" or ""
	Phrases []string // that are likely
}

// Session is one utterance at a server. Its methods are called from one
// goroutine, and only Finish waits.
type Session interface {
	Send(pcm []int16)
	Partial() string // what was understood so far
	// Finish says that all was sent and waits for the transcript until ctx ends.
	Finish(ctx context.Context) (string, error)
	Close() // joins everything; may follow anything
}

// Config of an Engine.
type Config struct {
	Local   speech.Engine
	Service Service
	Name    string        // for Describe, such as "vosk"
	Wait    time.Duration // for a transcript after the end of the utterance: 4 s when 0
	Log     *slog.Logger  // nil discards
}

// defaultWait is as long as a person waits before asking again. Chosen.
const defaultWait = 4 * time.Second

// Engine is the local engine with another server's ears.
type Engine struct{ cfg Config }

var (
	_ speech.Engine    = (*Engine)(nil)
	_ speech.Describer = (*Engine)(nil)
)

// New makes an Engine. It connects to nothing before an utterance.
func New(c Config) *Engine {
	if c.Wait == 0 {
		c.Wait = defaultWait
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Engine{c}
}

// Describe is the local engine's, with the server's name.
func (e *Engine) Describe() speech.Info {
	info := speech.Info{Engine: "unnamed", Languages: []string{}}
	if d, ok := e.cfg.Local.(speech.Describer); ok {
		info = d.Describe()
	}
	info.Engine += "+" + e.cfg.Name
	return info
}

// NewRecognizer is the local one, each utterance of which goes to the server too.
func (e *Engine) NewRecognizer(ctx context.Context, h speech.Hello) (speech.Recognizer, []speech.LeftOut, error) {
	r, leftOut, err := e.cfg.Local.NewRecognizer(ctx, h)
	if err != nil {
		return nil, leftOut, err
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	out := &recognizer{Recognizer: r, cfg: e.cfg, ctx: life, cancel: end}
	for _, p := range h.Phrases {
		out.phrases = append(out.phrases, p.Text)
	}
	return out, leftOut, nil
}

// recognizer sends utterances on.
type recognizer struct {
	speech.Recognizer
	cfg     Config
	ctx     context.Context // of the connection
	cancel  context.CancelFunc
	phrases []string

	count   int // samples accepted
	kept    []int16
	session Session // nil while no utterance is taken
	lang    string
	from    int
	latest  string
}

// keepSamples is how much is kept for what began before a wake was reported.
const keepSamples = 2 * speech.CaptureRate

func (r *recognizer) Accept(pcm []int16) ([]speech.Heard, error) {
	heard, err := r.Recognizer.Accept(pcm)
	if err != nil {
		return heard, err
	}
	r.count += len(pcm)
	r.keep(pcm)
	var out []speech.Heard
	began := false
	for _, h := range heard {
		if h.Kind == speech.Partial && r.session != nil {
			continue // the server's stand
		}
		out = append(out, h)
		if h.Kind == speech.Wake {
			began = true
			r.begin(h.Lang, h.End)
			r.session.Send(r.kept[max(0, len(r.kept)-(r.count-h.End)):])
		}
	}
	if r.session == nil {
		return out, nil
	}
	if !began {
		r.session.Send(pcm)
	}
	if t := clean(r.session.Partial()); t != "" && t != r.latest {
		r.latest = t
		out = append(out, speech.Heard{Kind: speech.Partial, Text: t, Lang: text.Lang(t, r.lang), Start: r.from, End: r.count})
	}
	return out, nil
}

func (r *recognizer) keep(pcm []int16) {
	r.kept = append(r.kept, pcm...)
	if over := len(r.kept) - keepSamples; over > 0 {
		r.kept = r.kept[:copy(r.kept, r.kept[over:])]
	}
}

func (r *recognizer) begin(lang string, from int) {
	r.drop()
	if lang != "" {
		r.lang = lang
	}
	r.from, r.latest = from, ""
	r.session = r.cfg.Service.Open(r.ctx, Utterance{Lang: r.lang, Phrases: r.phrases})
}

func (r *recognizer) drop() {
	if r.session != nil {
		r.session.Close()
		r.session = nil
	}
}

func (r *recognizer) Take(lang string) error { return r.take(lang, r.Recognizer.Take) }

// Overhear implements speech.Overhearer, if the local engine does.
func (r *recognizer) Overhear(lang string) error {
	if o, ok := r.Recognizer.(speech.Overhearer); ok {
		return r.take(lang, o.Overhear)
	}
	return r.Take(lang)
}

func (r *recognizer) take(lang string, take func(string) error) error {
	if err := take(lang); err != nil {
		return err
	}
	r.begin(lang, r.count)
	return nil
}

// End waits for the server's transcript, and does with the local one when there
// is none.
func (r *recognizer) End() ([]speech.Heard, error) {
	heard, err := r.Recognizer.End()
	if r.session == nil || err != nil {
		return heard, err
	}
	defer r.drop()
	ctx, cancel := context.WithTimeout(r.ctx, r.cfg.Wait)
	defer cancel()
	said, err := r.session.Finish(ctx)
	if err != nil {
		r.cfg.Log.Warn("the other speech server did not answer; the local engine's words stand", "server", r.cfg.Name, "err", err)
		return heard, nil
	}
	h := speech.Heard{Kind: speech.NoSpeech, Lang: r.lang, Start: r.from, End: r.count}
	if t := clean(said); t != "" {
		h.Kind, h.Text, h.Lang = speech.Final, t, text.Lang(t, r.lang)
	}
	return []speech.Heard{h}, nil
}

func (r *recognizer) Wait() error {
	r.drop()
	return r.Recognizer.Wait()
}

func (r *recognizer) Close() error {
	r.drop()
	r.cancel()
	return r.Recognizer.Close()
}

// clean takes out the spaces that some servers put between Han.
func clean(s string) string { return text.JoinHan(s) }

// maxText bounds a transcript, in bytes: the longest utterance holds about 5000
// characters. Who says more is not believed.
const maxText = 32 << 10

// What a server can do wrong: it was there and never finished, or it does not
// stop talking.
var (
	errNoAnswer = errors.New("no transcript came")
	errTooMuch  = errors.New("its transcript is longer than anybody can speak")
)

// Services are the kinds that Dial knows.
var services = map[string]func(Options) Service{
	"openai": func(o Options) Service { return newOpenAI(o) },
	"vosk":   func(o Options) Service { return &socket{o, func(Utterance) protocol { return &vosk{} }} },
	"sherpa": func(o Options) Service { return &socket{o, func(Utterance) protocol { return &sherpa{} }} },
	"funasr": func(o Options) Service { return &socket{o, func(u Utterance) protocol { return &funasr{u: u} }} },
}

// Options of a Service.
type Options struct {
	URL   string
	Token string // "" sends none
	Model string // openai: "whisper-1" when empty
}

// Dial makes the service of a kind: openai, vosk, sherpa or funasr. It connects
// to nothing yet.
func Dial(kind string, o Options) (Service, error) {
	f, ok := services[kind]
	if !ok {
		return nil, phrases.Errorf(phrases.SpeechUnknownServer, kind)
	}
	if err := checkURL(kind, o.URL); err != nil {
		return nil, err
	}
	return f(o), nil
}

// transcript is what a session's reader knows, for its user.
type transcript struct {
	mu   sync.Mutex
	text string
}

func (t *transcript) set(s string) { t.mu.Lock(); t.text = s; t.mu.Unlock() }

func (t *transcript) get() string { t.mu.Lock(); defer t.mu.Unlock(); return t.text }
