package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"homebot/audio/wav"
	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/speech/espeak"
	"homebot/internal/speech/models"
	"homebot/internal/speech/models/modelstest"
	"homebot/internal/speech/sherpa"
	"homebot/internal/speech/sherpa/onnxtest"
)

// sherpaStore is a models' directory with everything the sherpa engine needs: the
// real voice activity model, and tiny ones that hear loudness. The wake word model
// says n ǐ h ǎo, the recogniser 打开灯.
func sherpaStore(t *testing.T) *models.Store {
	t.Helper()
	if sherpa.Version() == "" {
		t.Skip(sherpa.ErrNotBuilt)
	}
	st, err := models.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	vad, err := os.ReadFile(modelstest.VAD(t))
	if err != nil {
		t.Fatal(err)
	}
	onnxtest.Write(t, filepath.Join(st.Path("silero-vad"), "silero_vad_v5.onnx"), vad)
	wake := st.Path("kws-zh-en")
	onnxtest.Transducer(t, wake, 11, 3, 4, 5, 6)
	onnxtest.Write(t, filepath.Join(wake, "tokens.txt"), []byte("<blk> 0\n<sos/eos> 1\n<unk> 2\nn 3\nǐ 4\nh 5\nǎo 6\nx 7\niǎo 8\nch 9\nú 10\n"))
	onnxtest.Write(t, filepath.Join(wake, "en.phone"), []byte("HEY HH EY1\n"))
	stt := st.Path("stt-zipformer-small")
	onnxtest.Transducer(t, stt, 6, 3, 4, 5)
	onnxtest.Write(t, filepath.Join(stt, "tokens.txt"), []byte("<blk> 0\n<sos/eos> 1\n<unk> 2\n打 3\n开 4\n灯 5\n"))
	return st
}

// health asks the server at url.
func health(t *testing.T, url string) (h struct{ Status, Engine, Note string }) {
	t.Helper()
	resp, err := http.Get(url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&h); err != nil {
		t.Fatal(err)
	}
	return h
}

// recording is real speech from the shared folder.
func recording(t *testing.T) []int16 {
	t.Helper()
	shared := os.Getenv("HOMEBOT_SHARED")
	if shared == "" {
		shared = "../../../shared"
	}
	pcm, _, err := wav.ReadFile(filepath.Join(shared, "audio", "jfk.wav"), speech.CaptureRate)
	if err != nil {
		t.Skip("no shared recordings: set HOMEBOT_SHARED")
	}
	return pcm
}

// V1: with a whole set the sherpa engine serves: real server, real library, real
// voice activity; wake word, partials and final over one websocket.
func TestServesWithSherpa(t *testing.T) {
	st := sherpaStore(t)
	url, _, _ := serving(t, strings.NewReader(""), "--models", st.Dir)
	if h := health(t, url); h.Status == "deaf" || h.Engine != "sherpa" || h.Note != "" {
		t.Errorf("health %+v", h)
	}
	c, next := clientOf(t, url, speech.Hello{Wake: []speech.Phrase{{Text: "你好", Lang: "zh"}}})
	next(speech.Ready)
	pcm := slices.Concat(make([]int16, speech.CaptureRate), recording(t)[:3*speech.CaptureRate], make([]int16, speech.CaptureRate))
	for frame := range slices.Chunk(pcm, 320) {
		if err := c.Send(frame); err != nil {
			t.Fatal(err)
		}
	}
	if h := next(speech.Wake); h.Phrase != "你好" {
		t.Errorf("woken by %+v", h)
	}
	next(speech.Partial)
	next(speech.SpeechStopped)
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	if h := next(speech.Final); h.Text != "打开灯" || h.Lang != "zh" {
		t.Errorf("heard %+v", h)
	}
}

// A set that is not whole is not used, and both the log and /healthz say why:
// missing, truncated, damaged in a way that ends the library's process.
func TestFallsBackToSphinx(t *testing.T) {
	needModel(t)
	encoder := "stt-zipformer-small/encoder.onnx"
	for name, tt := range map[string]struct {
		spoil func(dir string) error
		want  string
	}{
		"missing":   {func(d string) error { return os.Remove(filepath.Join(d, encoder)) }, "encoder.onnx is missing"},
		"empty":     {func(d string) error { return os.Truncate(filepath.Join(d, encoder), 0) }, "encoder.onnx"},
		"truncated": {func(d string) error { return os.Truncate(filepath.Join(d, encoder), 300) }, "gives up"},
		"no set":    {func(d string) error { return os.RemoveAll(filepath.Join(d, "kws-zh-en")) }, "kws-zh-en is not installed"},
	} {
		t.Run(name, func(t *testing.T) {
			st := sherpaStore(t)
			if err := tt.spoil(st.Dir); err != nil {
				t.Fatal(err)
			}
			url, _, _ := serving(t, strings.NewReader(""), "--models", st.Dir, "--languages", "en")
			h := health(t, url)
			if h.Engine != "sphinx+silero" || !strings.Contains(h.Note, tt.want) || strings.Contains(h.Note, "\n") {
				t.Errorf("health %+v, want %q", h, tt.want)
			}
			code, _, stderr := call(t.Context(), strings.NewReader(""), "serve", "--listen", "127.0.0.1:0", "--models", st.Dir, "--engine", "sherpa")
			if code != 1 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, tt.want) {
				t.Errorf("--engine sherpa: exit %d, %q", code, stderr)
			}
		})
	}
}

// A model that could be loaded once is not tried again until it changes.
func TestProvenOnce(t *testing.T) {
	st := sherpaStore(t)
	m, _ := st.Catalog.Model("silero-vad")
	p := readProven(st)
	if err := p.usable(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if readProven(st).keys[m.Name] != fingerprint(st.Path(m.Name)) {
		t.Error("not remembered")
	}
	file := filepath.Join(st.Path(m.Name), "silero_vad_v5.onnx")
	if err := os.WriteFile(file, []byte("no model"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := readProven(st).usable(t.Context(), m); err == nil {
		t.Error("a changed model was not tried again")
	}
}

func TestModelsCommands(t *testing.T) {
	st := sherpaStore(t)
	for _, tt := range []struct {
		args   string
		code   int
		stdout string
		stderr string
	}{
		{"models", 2, "", "list, check"},
		{"models list", 0, "kws-zh-en", ""},
		{"models list --files", 0, "npm pack @ricky0123/vad-web@0.0.31", ""},
		{"models check", 0, "silero-vad           whole", ""},
		{"models check nonsense", 1, "", "no model \"nonsense\""},
		{"models check speaker-campplus", 1, "is not installed", "not usable: speaker-campplus"},
		{"models check --run silero-vad kws-zh-en stt-zipformer-small", 0, "PEAK MEMORY", ""},
		{"models pull nonsense", 1, "", "no model"},
		{"models pull kws-zh-en", 0, "is here", ""},
		{"models import /nowhere", 1, "", "no directory"},
		{"models remove stt-sensevoice", 1, "", "is not installed"},
		{"engine", 0, "sherpa\n", ""},
		{"engine --engine sphinx", 0, "sphinx\n", ""},
		{"engine --engine other", 1, "", "--engine other"},
		{"engine --stt tts-piper-en", 0, "no model that recognises", ""},
		{"models remove kws-zh-en", 0, "removed", ""},
		{"engine", 0, "sphinx: model kws-zh-en is not installed", ""},
		{"speakers list", 1, "", "speaker-campplus is not installed"},
	} {
		args := strings.Fields(tt.args)
		if args[0] != "speakers" || len(args) > 1 {
			args = append(args, "--models", st.Dir)
		}
		code, stdout, stderr := call(t.Context(), strings.NewReader(""), args...)
		if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) || strings.Count(stderr, "\n") > 1 {
			t.Errorf("%s: exit %d\n%s%s", tt.args, code, stdout, stderr)
		}
	}
}

// stopper is a terminal whose reader presses Ctrl-C as soon as it shows something.
type stopper struct {
	strings.Builder
	stop func()
}

func (s *stopper) Write(b []byte) (int, error) { s.stop(); return s.Builder.Write(b) }

// Ctrl-C in the middle of a download is one line, and the same command goes on.
func TestPullStopped(t *testing.T) {
	asked := make(chan string, 10)
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Header.Get("Range")
		_, _ = w.Write([]byte("begun"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer mirror.Close()
	dir := t.TempDir()
	for locale, want := range map[string]string{"zh_CN.UTF-8": "停下了，没有损坏什么", "C": "Stopped. Nothing is broken, and the same command goes on."} {
		ctx, stop := context.WithCancel(t.Context())
		env := func(key string) string { return map[string]string{"LANG": locale}[key] }
		errs := &stopper{stop: stop}
		code := run(ctx, []string{"models", "pull", "kws-zh-en", "--models", dir, "--mirror", mirror.URL}, env, strings.NewReader(""), io.Discard, errs)
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		if last := lines[len(lines)-1]; code != 1 || !strings.HasPrefix(last, "homebot-speech: "+want) || strings.Contains(errs.String(), "canceled") {
			t.Errorf("exit %d\n%s", code, errs)
		}
	}
	if first, then := <-asked, <-asked; first != "" || then != "bytes=5-" {
		t.Errorf("asked for %q, then for %q", first, then)
	}
}

// A speaker model that is not the manifest's is refused before it is loaded.
func TestEnrolNeedsTheModel(t *testing.T) {
	st := sherpaStore(t)
	onnxtest.Embedding(t, filepath.Join(st.Path("speaker-campplus"), "model.onnx"))
	pcm := recording(t)
	var files []string
	for i := range 3 {
		f := filepath.Join(t.TempDir(), fmt.Sprint(i, ".wav"))
		if err := wav.WriteFile(f, pcm[:3*speech.CaptureRate], speech.CaptureRate); err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	code, _, stderr := call(t.Context(), strings.NewReader(""), append([]string{"speakers", "enrol", "--models", st.Dir, "mum"}, files...)...)
	if code != 1 || !strings.Contains(stderr, "bytes instead of") {
		t.Errorf("a speaker model of the wrong size: exit %d, %s", code, stderr)
	}
}

// On a board whose memory does not hold the set, the small engine listens, and the
// voices stay espeak-ng's: nothing is loaded to find out.
func TestSmallBoard(t *testing.T) {
	needModel(t)
	st := sherpaStore(t)
	onnxtest.VITS(t, filepath.Join(st.Path("tts-piper-en"), "model.onnx"), 100)
	onnxtest.Write(t, filepath.Join(st.Path("tts-piper-en"), "tokens.txt"), []byte("a 1\n"))
	onnxtest.Write(t, filepath.Join(st.Path("tts-piper-en"), "espeak-ng-data/phontab"), []byte("x"))
	c := newChooser(st, serveOptions{models: st.Dir, engine: engineAuto, languages: []string{"en"}}, slog.New(slog.DiscardHandler))
	c.free = func() int { return 180 }
	small := espeak.New(espeak.Config{})
	e, err := c.ears(t.Context(), small)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if info := e.Describe(); !strings.Contains(info.Note, "180 MB are free") || !strings.HasPrefix(info.Engine, engineSphinx) {
		t.Errorf("%+v", info)
	}
	if v, _ := c.voice(t.Context(), small); v != speech.Synthesizer(small) {
		t.Error("a voice was loaded that does not fit")
	}
	if len(readProven(st).keys) != 1 { // the voice activity model
		t.Errorf("tried %v", readProven(st).keys)
	}
}

// The figures of a model are one table, for a Pi's owner to send back.
func TestFiguresOfThisMachine(t *testing.T) {
	if m := machine(phrases.English); !strings.Contains(m, "cores") || strings.Contains(m, "\n") {
		t.Errorf("%q", m)
	}
	if freeMemory() <= 0 {
		t.Error("no free memory is told")
	}
}
