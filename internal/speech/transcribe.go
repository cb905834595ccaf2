package speech

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
)

// maxUpload bounds a recording: 60 s of 48 kHz stereo, and the rest of the form.
const maxUpload = 12 << 20

// transcription is the answer in OpenAI's shape; json leaves out all but Text.
type transcription struct {
	Text     string  `json:"text"`
	Language string  `json:"language,omitempty"`
	Duration float64 `json:"duration,omitempty"` // seconds
}

// transcribe serves POST /v1/audio/transcriptions: one recording, as one
// utterance.
func (s *Server) transcribe(w http.ResponseWriter, r *http.Request) {
	ask, bad := s.readTranscribe(w, r)
	if bad != nil {
		writeError(w, bad.status, bad.code, bad.param, bad.text)
		return
	}
	select {
	case s.speeches <- struct{}{}:
		defer func() { <-s.speeches }()
	default:
		writeError(w, http.StatusTooManyRequests, "speeches", "", "too many requests are being served")
		return
	}
	pcm, err := s.Decode(ask.file) // takes memory: only as often as there are slots
	if err != nil {
		bad := badParam("file", "the file is no WAV recording: "+oneLine(err.Error()))
		writeError(w, bad.status, bad.code, bad.param, bad.text)
		return
	}
	ask.pcm = pcm
	heard, err := s.understand(r.Context(), ask)
	if err != nil {
		s.log.Warn("could not transcribe", "err", err)
		writeError(w, http.StatusServiceUnavailable, "engine", "", oneLine(err.Error()))
		return
	}
	out := transcription{Text: heard.Text}
	switch ask.format {
	case "text":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, heard.Text+"\n")
		return
	case "verbose_json":
		out.Language, out.Duration = heard.Lang, float64(len(ask.pcm))/CaptureRate
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

// transcribeRequest is what the form asks for.
type transcribeRequest struct {
	file   io.Reader
	pcm    []int16  // once it was decoded
	langs  []string // to try
	set    []Phrase // set phrases, for engines that need them
	format string
}

func (s *Server) readTranscribe(w http.ResponseWriter, r *http.Request) (ask transcribeRequest, bad *apiError) {
	if s.Decode == nil || s.Engine == nil {
		return ask, &apiError{http.StatusServiceUnavailable, "engine", "", errNoEngine.Error()}
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	file, _, err := r.FormFile("file")
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return ask, &apiError{http.StatusRequestEntityTooLarge, "too_long", "file", "the recording is too long"}
	}
	if err != nil {
		return ask, badParam("file", "the form has no file")
	}
	ask.file = file // the server takes away what is left of the form
	ask.format = r.FormValue("response_format")
	if !slices.Contains([]string{"", "json", "text", "verbose_json"}, ask.format) {
		return ask, badParam("response_format", "response_format must be json, text or verbose_json")
	}
	known := s.describe().Languages
	ask.langs = known
	if lang := r.FormValue("language"); lang != "" {
		if !slices.Contains(known, lang) {
			return ask, badParam("language", "this server hears "+strings.Join(known, ", "))
		}
		ask.langs = []string{lang}
	}
	ask.set = promptPhrases(r.FormValue("prompt"), ask.langs, s.limits.Phrases)
	return ask, nil
}

// promptPhrases reads a prompt as likely phrases, one a line.
func promptPhrases(prompt string, langs []string, most int) []Phrase {
	var set []Phrase
	for line := range strings.Lines(prompt) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if lang := langOf("", line); slices.Contains(langs, lang) && len(set) < most {
			set = append(set, Phrase{Text: line, Lang: lang})
		}
	}
	return set
}

// understand takes the recording as an utterance in each language, and keeps the
// surest transcript.
func (s *Server) understand(ctx context.Context, ask transcribeRequest) (best Heard, err error) {
	rec, _, err := s.Engine.NewRecognizer(ctx, Hello{Version: ProtocolVersion, Rate: CaptureRate, Languages: ask.langs, Phrases: ask.set})
	if err != nil {
		return best, err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	for _, lang := range ask.langs {
		if err := rec.Take(lang); err != nil {
			return best, err
		}
		for chunk := range slices.Chunk(ask.pcm, CaptureRate/10) {
			if _, err := rec.Accept(chunk); err != nil || ctx.Err() != nil {
				return best, errors.Join(err, ctx.Err())
			}
		}
		heard, err := rec.End()
		if err != nil {
			return best, err
		}
		for _, h := range heard {
			if h.Kind == Final && (best.Text == "" || h.Confidence > best.Confidence) {
				best = h
			}
		}
	}
	return best, nil
}
