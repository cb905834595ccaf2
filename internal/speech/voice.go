package speech

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"homebot/internal/phrases"

	"github.com/sashabaranov/go-openai"
)

// VoiceConfig is what a Voice needs; only BaseURL has no default.
type VoiceConfig struct {
	BaseURL string            // of the server, with or without /v1
	Token   string            // "" sends none
	Model   string            // "tts-1"
	Voices  map[string]string // by language; "zh" and "en" where missing
	Speed   float64           // 0 sends none: the voice's own
	Client  *http.Client      // nil: http.DefaultClient
}

// Voice is a Synthesizer on any OpenAI-shaped POST /v1/audio/speech that can
// give 24 kHz pcm: homebot-speech's own, or a cloud voice. Any number of
// goroutines may use it.
type Voice struct {
	cfg VoiceConfig
	api *openai.Client
}

var _ Synthesizer = (*Voice)(nil)

// What a reply may cost. firstAnswer bounds the wait for its first byte, and the
// pauses in it: a server that hangs midway must not keep the device speaking for
// ever. maxSpoken is longer than any sentence lasts: one that never ends would
// fill the memory.
const (
	firstAnswer = 15 * time.Second
	maxSpoken   = 10 * time.Minute
)

// NewVoice makes a Voice. It connects to nothing before Speak.
func NewVoice(cfg VoiceConfig) *Voice {
	if cfg.Model == "" {
		cfg.Model = string(openai.TTSModel1)
	}
	if cfg.Client == nil {
		cfg.Client = http.DefaultClient
	}
	api := openai.DefaultConfig(cfg.Token)
	api.BaseURL = apiURL(cfg.BaseURL)
	api.HTTPClient = cfg.Client
	return &Voice{cfg: cfg, api: openai.NewClientWithConfig(api)}
}

// apiURL adds the /v1 of a base URL that has no path, and takes a websocket's URL
// for its server's.
func apiURL(base string) string {
	base = strings.TrimRight(base, "/")
	if rest, ok := strings.CutPrefix(base, "ws"); ok && (strings.HasPrefix(rest, "://") || strings.HasPrefix(rest, "s://")) {
		base = "http" + rest
	}
	if u, err := url.Parse(base); err == nil && u.Path == "" {
		base += "/v1"
	}
	return base
}

// Speak streams the audio of text as it comes. Its errors are one line and hold
// no secret.
func (v *Voice) Speak(ctx context.Context, text, lang string, emit func(pcm []int16) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	late := time.AfterFunc(firstAnswer, func() { cancel(phrases.Errorf(phrases.VoiceMute, hostOf(v.cfg.BaseURL))) })
	resp, err := v.api.CreateSpeech(ctx, openai.CreateSpeechRequest{
		Model: openai.SpeechModel(v.cfg.Model), Input: text, Voice: openai.SpeechVoice(v.voice(lang)),
		ResponseFormat: openai.SpeechResponseFormatPcm, Speed: v.cfg.Speed,
	})
	late.Stop()
	if err != nil {
		return v.explain(ctx, err)
	}
	defer resp.Close()
	if kind := resp.Header().Get("Content-Type"); kind != "" && !pcmKind(kind) {
		return phrases.Errorf(phrases.VoiceNotPCM, hostOf(v.cfg.BaseURL), v.quoted(kind))
	}
	return copyPCM(ctx, &patient{resp, func() { cancel(errStalled) }}, emit)
}

// What a server can do wrong once it began.
var (
	errStalled = phrases.Errorf(phrases.VoiceStalled, firstAnswer)
	errEndless = phrases.Errorf(phrases.VoiceEndless)
)

// patient gives up a Read that lasts longer than firstAnswer.
type patient struct {
	io.Reader
	giveUp func()
}

func (p *patient) Read(b []byte) (int, error) {
	defer time.AfterFunc(firstAnswer, p.giveUp).Stop()
	return p.Reader.Read(b)
}

// pcmKind reports whether a content type can be raw pcm; servers differ.
func pcmKind(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	switch strings.TrimSpace(strings.ToLower(kind)) {
	case "audio/pcm", "audio/l16", "audio/raw", "audio/x-raw", "application/octet-stream", "binary/octet-stream":
		return true
	}
	return false
}

func (v *Voice) voice(lang string) string {
	if name := v.cfg.Voices[lang]; name != "" {
		return name
	}
	return lang
}

// copyPCM emits what r gives as soon as it gives it. A sample may arrive in two
// halves.
func copyPCM(ctx context.Context, r io.Reader, emit func([]int16) error) error {
	buf := make([]byte, PlaybackRate*2/10) // 100 ms
	held, left := 0, int(maxSpoken.Seconds())*PlaybackRate
	for {
		n, err := r.Read(buf[held:])
		n += held
		held = n % 2
		if n > 1 {
			pcm := make([]int16, n/2)
			for i := range pcm {
				pcm[i] = int16(binary.LittleEndian.Uint16(buf[2*i:]))
			}
			if left -= len(pcm); left < 0 {
				return errEndless
			}
			if err := emit(pcm); err != nil {
				return err
			}
		}
		if held == 1 {
			buf[0] = buf[n-1]
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return phrases.Errorf(phrases.VoiceBrokeOff, err)
		}
	}
}

// quoted is what a server said, fit for an error: some repeat the key.
func (v *Voice) quoted(text string) string { return Quoted(text, v.cfg.Token) }

// explain words a failure in one line.
func (v *Voice) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	host := hostOf(v.cfg.BaseURL)
	var api *openai.APIError
	var req *openai.RequestError
	var netErr net.Error
	switch {
	case errors.As(err, &api):
		return phrases.Errorf(phrases.VoiceRefuses, host, v.quoted(api.Message), api.HTTPStatusCode)
	case errors.As(err, &req):
		return phrases.Errorf(phrases.VoiceAnswers, host, req.HTTPStatusCode)
	case errors.As(err, &netErr) && netErr.Timeout():
		return phrases.Errorf(phrases.VoiceMute, host)
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return phrases.Errorf(phrases.VoiceUnreachable, host, err)
}
