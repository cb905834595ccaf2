package remote

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/sashabaranov/go-openai"

	"homebot/internal/speech"
)

// openAI is a Service on POST /v1/audio/transcriptions: an utterance is sent when
// it is over.
type openAI struct {
	o   Options
	api *openai.Client
}

func newOpenAI(o Options) *openAI {
	if o.Model == "" {
		o.Model = openai.Whisper1
	}
	c := openai.DefaultConfig(o.Token)
	c.BaseURL = strings.TrimRight(o.URL, "/")
	c.HTTPClient = bounded{}
	return &openAI{o, openai.NewClientWithConfig(c)}
}

// bounded is an HTTP client that reads no more of an answer than a transcript with
// its segments needs.
type bounded struct{}

func (bounded) Do(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultClient.Do(r)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxRead), resp.Body}
	}
	return resp, err
}

// maxPost bounds an utterance: 60 s.
const maxPost = 60 * speech.CaptureRate

func (s *openAI) Open(ctx context.Context, u Utterance) Session {
	return &post{service: s, ctx: ctx, lang: u.Lang}
}

type post struct {
	service *openAI
	ctx     context.Context
	lang    string
	pcm     []int16
}

func (p *post) Send(pcm []int16) { p.pcm = append(p.pcm, pcm[:min(len(pcm), maxPost-len(p.pcm))]...) }

func (*post) Partial() string { return "" }

func (*post) Close() {}

func (p *post) Finish(ctx context.Context) (string, error) {
	if len(p.pcm) < speech.CaptureRate/10 {
		return "", nil
	}
	resp, err := p.service.api.CreateTranscription(ctx, openai.AudioRequest{
		Model: p.service.o.Model, FilePath: "utterance.wav", Reader: bytes.NewReader(wavOf(p.pcm)),
		Language: p.lang, Format: openai.AudioResponseFormatVerboseJSON,
	})
	if err != nil {
		return "", explain(ctx, err, p.service.o.Token)
	}
	if len(resp.Text) > maxText {
		return "", errTooMuch
	}
	if len(resp.Segments) == 0 {
		return resp.Text, nil
	}
	var said []string
	for _, s := range resp.Segments {
		if s.NoSpeechProb > noSpeech && s.AvgLogprob < unsure {
			continue
		}
		said = append(said, s.Text)
	}
	if len(said) == len(resp.Segments) {
		return resp.Text, nil
	}
	return strings.Join(said, ""), nil
}

// noSpeech and unsure are whisper's own rule for what it read out of silence.
const noSpeech, unsure = 0.6, -1.0

// explain words a failure in one line without the address and the token.
func explain(ctx context.Context, err error, token string) error {
	var api *openai.APIError
	switch {
	case ctx.Err() != nil:
		return errNoAnswer
	case errors.As(err, &api):
		return fmt.Errorf("it answers %d: %s", api.HTTPStatusCode, speech.Quoted(api.Message, token))
	}
	var req *openai.RequestError
	if errors.As(err, &req) {
		return fmt.Errorf("it answers %d", req.HTTPStatusCode)
	}
	return fmt.Errorf("cannot be reached: %w", err)
}

// wavOf is pcm as a WAV file.
func wavOf(pcm []int16) []byte {
	n := uint32(2 * len(pcm))
	b := append(make([]byte, 0, 44+n), "RIFF"...)
	b = binary.LittleEndian.AppendUint32(b, 36+n)
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	b = binary.LittleEndian.AppendUint32(b, speech.CaptureRate)
	b = binary.LittleEndian.AppendUint32(b, 2*speech.CaptureRate)
	b = append(b, "\x02\x00\x10\x00data"...)
	b = binary.LittleEndian.AppendUint32(b, n)
	for _, v := range pcm {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	return b
}
