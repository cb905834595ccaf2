package speech

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sayRequest is the body of POST /v1/audio/speech, OpenAI's shape. Model and
// unknown fields are ignored.
type sayRequest struct {
	Input  string   `json:"input"`
	Voice  string   `json:"voice"`           // "zh…", "en…"; others: by the text
	Format string   `json:"response_format"` // pcm or wav; "" is wav
	Speed  *float64 `json:"speed"`           // 0.25 to 4; null is 1
}

// maxSayBody is room for the longest input with every rune escaped.
const maxSayBody = 128 << 10

// apiError is a refusal in OpenAI's shape.
type apiError struct {
	status            int
	code, param, text string
}

func (e *apiError) Error() string { return e.text }

func badParam(param, text string) *apiError {
	return &apiError{http.StatusBadRequest, "invalid_value", param, text}
}

// speak serves POST /v1/audio/speech: audio goes out as it becomes ready.
func (s *Server) speak(w http.ResponseWriter, r *http.Request) {
	req, bad := s.readSay(w, r)
	if bad != nil {
		writeError(w, bad.status, bad.code, bad.param, bad.text)
		return
	}
	select {
	case s.speeches <- struct{}{}:
		defer func() { <-s.speeches }()
	default:
		writeError(w, http.StatusTooManyRequests, "speeches", "", "too many texts are being spoken")
		return
	}
	if s.Synthesizer == nil {
		writeError(w, http.StatusServiceUnavailable, "no_voice", "", errNoVoice.Error())
		return
	}
	out := &sayWriter{w: w, flush: http.NewResponseController(w).Flush, wav: req.Format == "wav"}
	err := s.synthesize(r, req, out.emit)
	switch {
	case err == nil:
		out.finish()
	case !out.begun:
		s.log.Warn("could not speak", "err", err)
		writeError(w, http.StatusServiceUnavailable, "voice_failed", "", oneLine(err.Error()))
	default:
		s.log.Warn("stopped speaking", "err", err)
		panic(http.ErrAbortHandler) // the client must not take a torn reply for a whole one
	}
}

// synthesize speaks req in the language of its voice, or of its text.
func (s *Server) synthesize(r *http.Request, req sayRequest, emit func([]int16) error) error {
	lang := langOf(req.Voice, req.Input)
	if p, ok := s.Synthesizer.(Pacer); ok && req.Speed != nil {
		return p.SpeakAt(r.Context(), req.Input, lang, *req.Speed, emit)
	}
	return s.Synthesizer.Speak(r.Context(), req.Input, lang, emit)
}

// readSay reads and checks the request.
func (s *Server) readSay(w http.ResponseWriter, r *http.Request) (sayRequest, *apiError) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSayBody))
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return sayRequest{}, &apiError{http.StatusRequestEntityTooLarge, "too_long", "", "the request is too long"}
	} else if err != nil {
		return sayRequest{}, &apiError{http.StatusBadRequest, "bad_request", "", "the request could not be read"}
	}
	req, bad := decodeSay(data)
	if bad == nil && utf8.RuneCountInString(req.Input) > s.limits.Input {
		bad = badParam("input", fmt.Sprintf("input is longer than %d characters", s.limits.Input))
	}
	return req, bad
}

// decodeSay reads the body of a request to speak.
func decodeSay(data []byte) (sayRequest, *apiError) {
	var req sayRequest
	if err := json.Unmarshal(data, &req); err != nil {
		return req, &apiError{http.StatusBadRequest, "bad_json", "", "the body is not the JSON of a speech request: " + oneLine(err.Error())}
	}
	if req.Format == "" {
		req.Format = "wav"
	}
	switch {
	case strings.TrimSpace(req.Input) == "":
		return req, badParam("input", "input is empty")
	case !utf8.ValidString(req.Input):
		return req, badParam("input", "input is not UTF-8")
	case req.Format != "pcm" && req.Format != "wav":
		return req, badParam("response_format", "response_format must be pcm or wav")
	case req.Speed != nil && !(*req.Speed >= 0.25 && *req.Speed <= 4):
		return req, badParam("speed", "speed must be 0.25 to 4")
	}
	return req, nil
}

// langOf is the language of a voice named after one, else of the text: Chinese
// when it holds a Han character.
func langOf(voice, text string) string {
	for _, lang := range []string{"zh", "en"} {
		if strings.HasPrefix(strings.ToLower(voice), lang) {
			return lang
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return "zh"
	}
	return "en"
}

// sayWriter writes audio into a response, header first.
type sayWriter struct {
	w     http.ResponseWriter
	flush func() error
	wav   bool
	begun bool
	buf   []byte
}

func (o *sayWriter) emit(pcm []int16) error {
	o.begin()
	o.buf = appendFrame(o.buf[:0], pcm)
	if _, err := o.w.Write(o.buf); err != nil {
		return err
	}
	return o.flush()
}

// begin sends the header of the response and of the wav file once.
func (o *sayWriter) begin() {
	if o.begun {
		return
	}
	o.begun = true
	kind := "audio/pcm"
	if o.wav {
		kind = "audio/wav"
	}
	o.w.Header().Set("Content-Type", kind)
	o.w.WriteHeader(http.StatusOK)
	if o.wav {
		_, _ = o.w.Write(wavHeader())
	}
}

// finish ends a reply; one without any sound is an empty one.
func (o *sayWriter) finish() { o.begin() }

// wavHeader is that of a 24 kHz mono s16 file of unknown length, as it is
// streamed: the sizes are the largest there are.
func wavHeader() []byte {
	h := append(make([]byte, 0, 44), "RIFF\xff\xff\xff\xffWAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	h = binary.LittleEndian.AppendUint32(h, PlaybackRate)
	h = binary.LittleEndian.AppendUint32(h, PlaybackRate*2)
	return append(h, "\x02\x00\x10\x00data\xff\xff\xff\xff"...)
}

// writeError answers with OpenAI's error object.
func writeError(w http.ResponseWriter, status int, code, param, text string) {
	kind := "invalid_request_error"
	if status >= 500 {
		kind = "server_error"
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	var p any
	if param != "" {
		p = param
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"error": map[string]any{"message": text, "type": kind, "param": p, "code": code},
	})
}
