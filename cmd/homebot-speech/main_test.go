package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"homebot/audio"
	"homebot/audio/wav"
	"homebot/internal/speech"
	"homebot/internal/speech/espeak"
	"homebot/internal/speech/sphinx"
)

// TestMain lets the test binary be homebot-speech itself, for tests that kill a
// real process.
func TestMain(m *testing.M) {
	if os.Getenv("BE_HOMEBOT_SPEECH") != "" || len(os.Args) == 2 && os.Args[1] == "try" {
		main()
		return
	}
	os.Exit(m.Run())
}

// needModel skips where the English model is not installed.
func needModel(t *testing.T) {
	t.Helper()
	e, err := sphinx.New(sphinx.Config{Languages: []string{"en"}})
	if err != nil {
		t.Skipf("no English recogniser here: %v", err)
	}
	e.Close()
}

func noEnv(string) string { return "" }

// call runs homebot-speech in this process.
func call(ctx context.Context, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(ctx, args, noEnv, stdin, &out, &errs)
	return code, out.String(), errs.String()
}

// What is wrong is one line on stderr, and the exit code says whose fault it is.
func TestOneLineErrors(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{}, 2, "serve"},
		{[]string{"listen"}, 2, "unknown command"},
		{[]string{"serve", "--nonsense"}, 2, "unknown flag"},
		{[]string{"serve", "extra"}, 2, "extra"},
		{[]string{"serve", "--listen", taken.Addr().String()}, 1, "in use"},
		{[]string{"serve", "--listen", "nowhere"}, 1, "--listen"},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--languages", "tlh"}, 1, "tlh"},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--speed", "zh=9"}, 1, "--speed"},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--engine", "ear"}, 1, "--engine"},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--languages", "zh"}, 1, "sphinx-zh"},
	} {
		code, stdout, stderr := call(t.Context(), strings.NewReader(""), tt.args...)
		if code != tt.code || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, tt.want) || stdout != "" {
			t.Errorf("%q: exit %d, stdout %q, stderr %q; want %d and %q", tt.args, code, stdout, stderr, tt.code, tt.want)
		}
	}
}

// Missing model and port in use: one sentence each, in both languages.
func TestErrorsInTheTerminalsLanguage(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	models := t.TempDir()
	if err := os.Mkdir(models+"/sphinx-zh", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		locale string
		args   []string
		want   string
	}{
		{"zh_CN.UTF-8", []string{"--listen", taken.Addr().String()}, "已被占用"},
		{"en_GB.UTF-8", []string{"--listen", taken.Addr().String()}, "in use"},
		{"zh_CN.UTF-8", []string{"--listen", "127.0.0.1:0", "--languages", "zh", "--models", models}, "缺少语音模型"},
		{"C", []string{"--listen", "127.0.0.1:0", "--languages", "zh", "--models", models}, "model is missing"},
		{"en_GB.UTF-8", []string{"--lang", "zh", "--listen", taken.Addr().String()}, "已被占用"},
		{"zh_CN.UTF-8", []string{"--listen", taken.Addr().String(), "--lang=en"}, "in use"},
	} {
		code, _, errs := callIn(t, tt.locale, append([]string{"serve"}, tt.args...)...)
		if code != 1 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, tt.want) {
			t.Errorf("%s %q: exit %d, %q; want %q", tt.locale, tt.args, code, errs, tt.want)
		}
	}
}

func TestOpenAddressNeedsToken(t *testing.T) {
	needModel(t)
	code, _, stderr := call(t.Context(), strings.NewReader(""), "serve", "--listen", "0.0.0.0:0")
	if code != 1 || !strings.Contains(stderr, "HOMEBOT_SPEECH_TOKEN") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

func TestVersion(t *testing.T) {
	if code, stdout, _ := call(t.Context(), nil, "version"); code != 0 || !strings.HasPrefix(stdout, "homebot-speech ") {
		t.Errorf("exit %d, %q", code, stdout)
	}
}

// serving starts serve in this process and returns its URL and what ends it.
func serving(t *testing.T, stdin io.Reader, args ...string) (url string, stop context.CancelFunc, ended <-chan int) {
	t.Helper()
	r, w := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		done <- run(ctx, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), noEnv, stdin, w, io.Discard)
		w.Close()
	})
	t.Cleanup(func() { stop(); r.Close(); wg.Wait() })
	return readyURL(t, r), stop, done
}

// readyURL reads the READY line.
func readyURL(t *testing.T, r io.Reader) string {
	t.Helper()
	line, err := bufio.NewReader(r).ReadString('\n')
	fields := strings.Fields(line)
	if err != nil || len(fields) < 2 || fields[0] != "READY" {
		t.Fatalf("read %q, %v; want READY and an address", line, err)
	}
	return fields[1]
}

func exit(t *testing.T, ended <-chan int) int {
	t.Helper()
	select {
	case code := <-ended:
		return code
	case <-time.After(30 * time.Second):
		t.Fatal("serve did not end")
		return -1
	}
}

// The end of the parent (its pipe closes) ends the server, in good order.
func TestLifeline(t *testing.T) {
	needModel(t)
	stdin, parent := io.Pipe()
	_, _, ended := serving(t, stdin, "--stdin-lifeline")
	parent.Close()
	if code := exit(t, ended); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// SIGTERM is ctx's end here: it takes the connections along and returns 0.
func TestGracefulShutdown(t *testing.T) {
	needModel(t)
	url, stop, ended := serving(t, strings.NewReader(""))
	resp, err := http.Get(url + "/healthz")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("healthz: %v %v", resp, err)
	}
	resp.Body.Close()
	stop()
	if code := exit(t, ended); code != 0 {
		t.Errorf("exit %d", code)
	}
}

var wake = speech.Hello{
	Languages: []string{"en"},
	Wake:      []speech.Phrase{{Text: "hey home bot", Lang: "en"}},
	Phrases:   []speech.Phrase{{Text: "open cooking mode", Lang: "en"}},
}

// The whole of it, real: the voice says the wake phrase, the ears hear it.
func TestHearsItsOwnVoice(t *testing.T) {
	needModel(t)
	if err := espeak.New(espeak.Config{}).Check(t.Context()); err != nil {
		t.Skip(err)
	}
	url, _, _ := serving(t, strings.NewReader(""), "--languages", "en")
	var pcm []int16
	err := speech.NewVoice(speech.VoiceConfig{BaseURL: url}).Speak(t.Context(), "hey home bot", "en", func(p []int16) error {
		pcm = append(pcm, p...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	pcm, err = audio.Resample(pcm, speech.PlaybackRate, speech.CaptureRate)
	if err != nil {
		t.Fatal(err)
	}
	c, next := client(t, url)
	next(speech.Ready)
	gap := make([]int16, speech.CaptureRate)
	for frame := range slices.Chunk(slices.Concat(gap, pcm, gap), 320) {
		if err := c.Send(frame); err != nil {
			t.Fatal(err)
		}
	}
	if h := next(speech.Wake); h.Phrase != "hey home bot" || h.Lang != "en" {
		t.Errorf("woken by %+v", h)
	}
}

// client connects to url; next waits for something of a kind, past others.
func client(t *testing.T, url string) (*speech.Client, func(speech.HeardKind) speech.Heard) {
	t.Helper()
	return clientOf(t, url, wake)
}

func clientOf(t *testing.T, url string, hello speech.Hello) (*speech.Client, func(speech.HeardKind) speech.Heard) {
	t.Helper()
	c := speech.NewClient(speech.Config{URL: url, Hello: hello})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = c.Run(ctx) })
	t.Cleanup(func() { cancel(); wg.Wait() })
	return c, func(kind speech.HeardKind) speech.Heard {
		t.Helper()
		late := time.After(60 * time.Second)
		for {
			select {
			case h := <-c.Heard():
				if h.Kind == kind {
					return h
				}
				t.Logf("heard %+v", h)
			case <-late:
				t.Fatalf("never heard %s", kind)
			}
		}
	}
}

// spawn starts a real homebot-speech.
func spawn(t *testing.T, listen string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "serve", "--listen", listen, "--languages", "en")
	cmd.Env = append(os.Environ(), "BE_HOMEBOT_SPEECH=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, readyURL(t, out)
}

// reserved is an address of this machine that the system gives to nobody else until
// the test ends: nobody listens there, and a server may, again and again.
func reserved(t testing.TB) string {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	err = errors.Join(unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1),
		unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	at, atErr := unix.Getsockname(fd)
	if err := errors.Join(err, atErr); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", at.(*unix.SockaddrInet4).Port)
}

// V8: kill -9 in the middle of an utterance: the client reports the loss, and is
// back when the server is.
func TestKilledInUtterance(t *testing.T) {
	needModel(t)
	at := reserved(t)
	cmd, url := spawn(t, at)
	c, next := client(t, url)
	next(speech.Ready)
	if err := errors.Join(c.Take("en"), c.Send(make([]int16, 3200))); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if h := next(speech.Failure); h.Code != speech.CodeLost {
		t.Errorf("heard %+v", h)
	}
	spawn(t, at)
	next(speech.Ready)
	if err := errors.Join(c.Take("en"), c.Send(make([]int16, 3200)), c.End()); err != nil {
		t.Fatal(err)
	}
	next(speech.NoSpeech)
}

// A recording of the server's own voice comes back as text.
func TestTranscribesItsOwnVoice(t *testing.T) {
	needModel(t)
	if err := espeak.New(espeak.Config{}).Check(t.Context()); err != nil {
		t.Skip(err)
	}
	url, _, _ := serving(t, strings.NewReader(""), "--languages", "en", "--engine", "sphinx")
	var pcm []int16
	err := speech.NewVoice(speech.VoiceConfig{BaseURL: url}).Speak(t.Context(), "open cooking mode", "en", func(p []int16) error {
		pcm = append(pcm, p...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var file, body bytes.Buffer
	if err := wav.Write(&file, slices.Concat(make([]int16, 12000), pcm, make([]int16, 12000)), speech.PlaybackRate); err != nil {
		t.Fatal(err)
	}
	form := multipart.NewWriter(&body)
	w, err := form.CreateFormFile("file", "said.wav")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(file.Bytes())
	_ = form.WriteField("prompt", "open cooking mode\nwhat time is it")
	_ = form.Close()
	resp, err := http.Post(url+"/v1/audio/transcriptions", form.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK || strings.TrimSpace(string(got)) != `{"text":"open cooking mode"}` {
		t.Errorf("%d %s", resp.StatusCode, got)
	}
}

// A recording of a low rate is small in a form and huge in memory: its length
// counts.
func TestDecode(t *testing.T) {
	for rate, seconds := range map[int]int{8000: 360, 16000: 360, 48000: 60} {
		for _, longer := range []bool{false, true} {
			if longer {
				seconds = int(maxRecording.Seconds()) + 1
			}
			var file bytes.Buffer
			if err := wav.Write(&file, make([]int16, seconds*rate), rate); err != nil {
				t.Fatal(err)
			}
			pcm, err := decode(&file)
			if longer && (err == nil || !strings.Contains(err.Error(), "longer than 6 minutes")) {
				t.Errorf("%d Hz, %d s: %v", rate, seconds, err)
			}
			if !longer && (err != nil || len(pcm) != seconds*16000) {
				t.Errorf("%d Hz, %d s: %d samples, %v", rate, seconds, len(pcm), err)
			}
		}
	}
}
