package speech_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
)

// collect speaks text through s and returns the samples.
func collect(t *testing.T, s speech.Synthesizer, text, lang string) []int16 {
	t.Helper()
	var all []int16
	err := s.Speak(t.Context(), text, lang, func(pcm []int16) error {
		all = append(all, pcm...)
		return nil
	})
	if err != nil {
		t.Fatalf("Speak: %v", err)
	}
	return all
}

// The client's voice over the server's is the server's, sample by sample.
func TestVoiceSpeaksWhatTheServerSpeaks(t *testing.T) {
	fake := &speechtest.Synthesizer{}
	url := serveHTTP(t, &speech.Server{Synthesizer: fake, Token: "secret"})
	v := speech.NewVoice(speech.VoiceConfig{BaseURL: url, Token: "secret"})
	got := collect(t, v, "Two eggs.", "en")
	want := collect(t, &speechtest.Synthesizer{}, "Two eggs.", "en")
	if !bytes.Equal(speechtest.Bytes(got), speechtest.Bytes(want)) {
		t.Errorf("%d samples, want %d", len(got), len(want))
	}
	collect(t, v, "两个鸡蛋", "zh")
	if said := fake.Said(); len(said) != 2 || said[0].Lang != "en" || said[1].Lang != "zh" || said[1].Text != "两个鸡蛋" {
		t.Errorf("the server spoke %+v", said)
	}
	t.Run("stops early", func(t *testing.T) {
		stop := errors.New("stop")
		if err := v.Speak(t.Context(), "Two eggs.", "en", func([]int16) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("err %v", err)
		}
	})
}

// held is a voice that speaks one frame and then waits to be released.
type held struct{ release chan struct{} }

func (h held) Speak(ctx context.Context, _, _ string, emit func([]int16) error) error {
	if err := emit(make([]int16, 480)); err != nil {
		return err
	}
	select {
	case <-h.release:
		return emit(make([]int16, 480))
	case <-ctx.Done():
		return ctx.Err()
	}
}

// dumb hangs.
type dumb struct{}

func (dumb) Speak(ctx context.Context, _, _ string, _ func([]int16) error) error {
	<-ctx.Done()
	return ctx.Err()
}

// V5: the first audio arrives while the rest is still being made.
func TestFirstAudioDoesNotWait(t *testing.T) {
	release := make(chan struct{})
	v := speech.NewVoice(speech.VoiceConfig{BaseURL: serveHTTP(t, &speech.Server{Synthesizer: held{release}})})
	total := 0
	err := v.Speak(t.Context(), "x", "en", func(pcm []int16) error {
		if total == 0 {
			close(release) // the rest is only made after this
		}
		total += len(pcm)
		return nil
	})
	if err != nil || total != 960 {
		t.Errorf("%d samples, %v", total, err)
	}
}

// V6: barge-in: cancelling the client's context ends the server's voice too.
func TestCancelReachesTheVoice(t *testing.T) {
	ended := make(chan error, 1)
	s := &speech.Server{Synthesizer: synth(func(ctx context.Context, emit func([]int16) error) error {
		_ = emit(make([]int16, 480))
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})}
	v := speech.NewVoice(speech.VoiceConfig{BaseURL: serveHTTP(t, s)})
	ctx, cancel := context.WithCancel(t.Context())
	err := v.Speak(ctx, "x", "en", func([]int16) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err %v", err)
	}
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Error("the voice went on")
	}
}

// synth is a Synthesizer of one function.
type synth func(ctx context.Context, emit func([]int16) error) error

func (s synth) Speak(ctx context.Context, _, _ string, emit func([]int16) error) error {
	return s(ctx, emit)
}

func TestSpeechRefusals(t *testing.T) {
	url := serveHTTP(t, &speech.Server{Synthesizer: &speechtest.Synthesizer{}}) + "/v1/audio/speech"
	long := strings.Repeat("好", 4097)
	for _, tt := range []struct {
		body, param string
		status      int
	}{
		{`{"model":"x","input":"","voice":"zh"}`, "input", 400},
		{`{"model":"x","input":"  \n","voice":"zh"}`, "input", 400},
		{`{"input":"` + long + `"}`, "input", 400},
		{`{"input":"x","response_format":"mp3"}`, "response_format", 400},
		{`{"input":"x","speed":5}`, "speed", 400},
		{`{"input":"x","speed":0}`, "speed", 400},
		{`{"input":7}`, "", 400},
		{`not json`, "", 400},
		{``, "", 400},
		{`{"input":"` + strings.Repeat("x", 200<<10) + `"}`, "", 413},
	} {
		resp := post(t, url, tt.body)
		var got struct {
			Error struct{ Message, Type, Param, Code string }
		}
		if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
			t.Fatalf("%.40q: %v", tt.body, err)
		}
		if resp.StatusCode != tt.status || got.Error.Param != tt.param || got.Error.Message == "" ||
			got.Error.Type != "invalid_request_error" || strings.Contains(got.Error.Message, "\n") {
			t.Errorf("%.40q: %d %+v", tt.body, resp.StatusCode, got)
		}
	}
	if resp := post(t, url, `{"input":"`+long[:3*4096]+`"}`); resp.StatusCode != 200 {
		t.Errorf("4096 characters: %d", resp.StatusCode)
	}
}

func TestSpeechFormats(t *testing.T) {
	url := serveHTTP(t, &speech.Server{Synthesizer: &speechtest.Synthesizer{}}) + "/v1/audio/speech"
	body := func(req string) (string, []byte) {
		resp := post(t, url, req)
		data, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != 200 {
			t.Fatalf("%s: %d %s %v", req, resp.StatusCode, data, err)
		}
		return resp.Header.Get("Content-Type"), data
	}
	kind, pcm := body(`{"input":"hello","voice":"alloy","response_format":"pcm","speed":1.2,"stream_format":"audio"}`)
	if kind != "audio/pcm" || len(pcm) != 2*speechtest.Samples("hello") {
		t.Errorf("pcm: %s, %d bytes", kind, len(pcm))
	}
	for _, req := range []string{`{"input":"hello","response_format":"wav"}`, `{"input":"hello","speed":null}`} {
		kind, wav := body(req)
		if kind != "audio/wav" || len(wav) != 44+len(pcm) || string(wav[:4]) != "RIFF" || string(wav[36:40]) != "data" ||
			binary.LittleEndian.Uint32(wav[24:]) != 24000 || !bytes.Equal(wav[44:], pcm) {
			t.Errorf("wav: %s, %d bytes, header %q", kind, len(wav), wav[:44])
		}
	}
}

// A voice that fails before its first sound is an error; one that fails later
// must not look like a whole reply.
func TestVoiceFailures(t *testing.T) {
	speak := func(s speech.Synthesizer) (int, error) {
		v := speech.NewVoice(speech.VoiceConfig{BaseURL: serveHTTP(t, &speech.Server{Synthesizer: s})})
		n := 0
		err := v.Speak(t.Context(), "hello", "en", func(pcm []int16) error { n += len(pcm); return nil })
		return n, err
	}
	if n, err := speak(nil); n != 0 || err == nil || !strings.Contains(err.Error(), "no voice") {
		t.Errorf("no voice: %d samples, %v", n, err)
	}
	if n, err := speak(&speechtest.Synthesizer{Err: errors.New("throat\nsore")}); n != 0 || err == nil || !strings.Contains(err.Error(), "throat sore") {
		t.Errorf("failed at once: %d samples, %v", n, err)
	}
	if n, err := speak(&speechtest.Synthesizer{Err: errors.New("sore"), After: 2400}); n != 2400 || err == nil {
		t.Errorf("failed later: %d samples, %v", n, err)
	}
}

// Other servers: errors are one line with the host, without the key.
func TestVoiceOnOtherServers(t *testing.T) {
	const key = "sk-very-secret"
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"wrong key": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(401)
			fmt.Fprint(w, `{"error":{"message":"bad\nkey","type":"x","code":"y"}}`)
		}, "bad key (401)"},
		"the key repeated": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(401)
			fmt.Fprintf(w, `{"error":{"message":"bad key %s %s"}}`, r.Header.Get("Authorization"), strings.Repeat("x", 9999))
		}, "bad key Bearer … xxx"},
		"web page": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(502)
			fmt.Fprint(w, "<html>\n<h1>Bad</h1>")
		}, "502"},
		"mp3 anyway": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "audio/mpeg")
			fmt.Fprint(w, "ID3")
		}, "audio/mpeg, not pcm"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(tt.handler)
			defer srv.Close()
			v := speech.NewVoice(speech.VoiceConfig{BaseURL: srv.URL + "/v1", Token: key})
			err := v.Speak(t.Context(), "x", "en", func([]int16) error { return nil })
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), key) {
				t.Errorf("err %v, want %q in one line", err, tt.want)
			}
			if zh := phrases.Told(err, phrases.Chinese); !strings.HasPrefix(zh, "语音合成服务 127.0.0.1:") {
				t.Errorf("in Chinese: %s", zh)
			}
		})
	}
	t.Run("nobody", func(t *testing.T) {
		l := tcpListener(t, "127.0.0.1:0")
		l.Close()
		v := speech.NewVoice(speech.VoiceConfig{BaseURL: "http://" + l.Addr().String(), Token: key})
		err := v.Speak(t.Context(), "x", "en", func([]int16) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("err %v", err)
		}
	})
	t.Run("halves of samples", func(t *testing.T) {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			for i := range 101 {
				_, _ = w.Write([]byte{byte(i)})
				_ = http.NewResponseController(w).Flush()
			}
		}))
		defer srv.Close()
		got := speechtest.Bytes(collect(t, speech.NewVoice(speech.VoiceConfig{BaseURL: srv.URL}), "x", "en"))
		for i, b := range got {
			if int(b) != i {
				t.Fatalf("byte %d is %d", i, b)
			}
		}
		if len(got) != 100 {
			t.Errorf("%d bytes, want 100", len(got))
		}
	})
}

// V8: a server that hangs, at once or midway, and one that never ends, break a
// reply off.
func TestVoiceGivesUp(t *testing.T) {
	for want, voice := range map[string]speech.Synthesizer{"does not answer": dumb{}, "nothing came for 15s": held{}} {
		synctest.Test(t, func(t *testing.T) {
			h := open(t, &speech.Server{Synthesizer: voice})
			defer h.close()
			transport := &http.Transport{DialContext: h.pipe.Dial}
			defer transport.CloseIdleConnections()
			v := speech.NewVoice(speech.VoiceConfig{BaseURL: speechtest.PipeURL, Client: &http.Client{Transport: transport}})
			began := time.Now()
			err := v.Speak(t.Context(), "hello", "en", func([]int16) error { return nil })
			if took := time.Since(began); err == nil || !strings.Contains(err.Error(), want) || took != 15*time.Second {
				t.Errorf("%s: %v after %v", want, err, took)
			}
		})
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "audio/pcm")
		for piece := make([]byte, 1<<20); ; {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	}))
	defer srv.Close()
	n := 0
	err := speech.NewVoice(speech.VoiceConfig{BaseURL: srv.URL}).Speak(t.Context(), "x", "en", func(pcm []int16) error { n += len(pcm); return nil })
	if most := 600 * speech.PlaybackRate; err == nil || !strings.Contains(err.Error(), "does not end") || n > most {
		t.Errorf("never ends: %d samples, %v", n, err)
	}
}

// Too many texts at once are refused, not queued.
func TestTooManySpeeches(t *testing.T) {
	release := make(chan struct{})
	s := &speech.Server{Synthesizer: held{release}, Limits: speech.Limits{Speeches: 1}}
	url := serveHTTP(t, s) + "/v1/audio/speech"
	first := post(t, url, `{"input":"x"}`)
	if resp := post(t, url, `{"input":"x"}`); resp.StatusCode != 429 {
		t.Errorf("status %d, want 429", resp.StatusCode)
	}
	close(release)
	if _, err := io.ReadAll(first.Body); err != nil {
		t.Error(err)
	}
}
