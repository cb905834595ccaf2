package speech_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
)

// rawDecode takes s16le as it is.
func rawDecode(r io.Reader) ([]int16, error) {
	data, err := io.ReadAll(r)
	if err != nil || len(data)%2 != 0 {
		return nil, errors.Join(err, errors.New("half a sample"))
	}
	pcm := make([]int16, len(data)/2)
	for i := range pcm {
		pcm[i] = int16(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return pcm, nil
}

// upload posts a form; file nil leaves it out.
func upload(t *testing.T, s *speech.Server, file []byte, fields ...string) (int, string) {
	t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for i := 0; i+1 < len(fields); i += 2 {
		_ = m.WriteField(fields[i], fields[i+1])
	}
	if file != nil {
		w, _ := m.CreateFormFile("file", "said.wav")
		_, _ = w.Write(file)
	}
	_ = m.Close()
	r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/audio/transcriptions", &body)
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Content-Type", m.FormDataContentType())
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w.Code, strings.TrimSpace(w.Body.String())
}

func TestTranscribe(t *testing.T) {
	e := &speechtest.Engine{}
	s := &speech.Server{Engine: e, Decode: rawDecode}
	said := speechtest.Bytes(speechtest.Utter("打开做饭模式", "zh", 8000))
	for _, tt := range []struct {
		fields []string
		want   string
	}{
		{nil, `{"text":"打开做饭模式"}`},
		{[]string{"response_format", "text", "language", "zh"}, "打开做饭模式"},
		{[]string{"response_format", "verbose_json", "model", "whisper-1"}, `{"text":"打开做饭模式","language":"zh","duration":0.5}`},
	} {
		if code, got := upload(t, s, said, tt.fields...); code != http.StatusOK || got != tt.want {
			t.Errorf("%q: %d %s, want %s", tt.fields, code, got, tt.want)
		}
	}
	if code, got := upload(t, s, make([]byte, 32000)); code != http.StatusOK || got != `{"text":""}` {
		t.Errorf("silence: %d %s", code, got)
	}
	_, _ = upload(t, s, said, "prompt", "打开做饭模式\n\nopen cooking mode\n")
	hellos := e.Hellos()
	if set := hellos[len(hellos)-1].Phrases; len(set) != 2 || set[0] != (speech.Phrase{Text: "打开做饭模式", Lang: "zh"}) || set[1].Lang != "en" {
		t.Errorf("phrases %v", set)
	}
	if e.Open() != 0 {
		t.Errorf("%d recognisers are open", e.Open())
	}
}

func TestTranscribeRefuses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		server *speech.Server
		file   []byte
		fields []string
		code   int
		param  string
	}{
		{"no file", &speech.Server{Engine: &speechtest.Engine{}, Decode: rawDecode}, nil, nil, 400, "file"},
		{"no WAV", &speech.Server{Engine: &speechtest.Engine{}, Decode: rawDecode}, []byte("abc"), nil, 400, "file"},
		{"format", &speech.Server{Engine: &speechtest.Engine{}, Decode: rawDecode}, []byte("ab"), []string{"response_format", "srt"}, 400, "response_format"},
		{"language", &speech.Server{Engine: &speechtest.Engine{}, Decode: rawDecode}, []byte("ab"), []string{"language", "tlh"}, 400, "language"},
		{"too long", &speech.Server{Engine: &speechtest.Engine{}, Decode: rawDecode}, make([]byte, 13<<20), nil, 413, "file"},
		{"no decoder", &speech.Server{Engine: &speechtest.Engine{}}, []byte("ab"), nil, 503, ""},
		{"no engine", &speech.Server{Decode: rawDecode}, []byte("ab"), nil, 503, ""},
		{"broken engine", &speech.Server{Engine: &speechtest.Engine{Err: errors.New("broken\nbadly")}, Decode: rawDecode}, []byte("ab"), nil, 503, ""},
	} {
		code, body := upload(t, tt.server, tt.file, tt.fields...)
		var e struct {
			Error struct{ Message, Param string }
		}
		if err := json.Unmarshal([]byte(body), &e); err != nil || code != tt.code || e.Error.Param != tt.param || e.Error.Message == "" || strings.Contains(e.Error.Message, "\n") {
			t.Errorf("%s: %d %s", tt.name, code, body)
		}
	}
	s := &speech.Server{Engine: &speechtest.Engine{}, Decode: rawDecode, Token: "secret"}
	if code, _ := upload(t, s, []byte("ab")); code != http.StatusUnauthorized {
		t.Errorf("without the token: %d", code)
	}
}
