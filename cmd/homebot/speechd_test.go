package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"homebot/internal/config"
	"homebot/internal/speech"
)

// configured is the configuration that text is.
func configured(t *testing.T, workspace, text string) config.Config {
	t.Helper()
	file := filepath.Join(t.TempDir(), "homebot.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(file, func(name string) string { return map[string]string{config.EnvWorkspace: workspace}[name] })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What [speech] says becomes flags of the child; what it leaves open does not.
func TestSpeechFlags(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "--models /m",
		`engine = "auto"`:         "--models /m",
		`engine = "sphinx"`:       "--models /m --engine sphinx",
		`speed = "zh=1.1, en=.9"`: "--models /m --speed zh=1.1,en=.9",
		`voices = "who.json"`:     "--models /m --voices /w/who.json",
		`voices = "/v/who.json"`:  "--models /m --voices /v/who.json",
		`transcribe = "vosk  ws://192.168.1.20:2700"`:        "--models /m --transcribe vosk --transcribe-url ws://192.168.1.20:2700",
		`transcribe = "openai http://192.168.1.20/v1 large"`: "--models /m --transcribe openai --transcribe-url http://192.168.1.20/v1 --transcribe-model large",
	} {
		if got := strings.Join(speechFlags(configured(t, "/w", "[speech]\n"+text), "/m"), " "); got != want {
			t.Errorf("%s: flags %q, want %q", text, got, want)
		}
	}
}

// The real child gets its flags, and the token by its environment only: a command
// line is seen by every user of the machine.
func TestSpeechChildGetsItsSettings(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nfor a; do echo \"$a\"; done >" + dir + "/args\necho \"$HOMEBOT_TRANSCRIBE_TOKEN\" >" + dir + "/token\n" +
		"echo READY http://127.0.0.1:9 engine=none\nexec cat >/dev/null\n"
	if err := os.WriteFile(filepath.Join(dir, "homebot-speech"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	cfg := configured(t, dir, "[speech]\nengine = \"sherpa\"\nspeed = \"zh=1.2\"\ntranscribe = \"funasr ws://192.0.2.1:10095\"\ntranscribe_token = \"very-secret\"\n")
	a := &app{getenv: func(string) string { return "" }, stderr: io.Discard, lang: "zh"}
	s := &sound{cfg: cfg}
	s.connect(a, &house{cfg: cfg, logger: slog.New(slog.DiscardHandler)}, speech.Hello{})
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { _ = s.server.Run(ctx) })
	defer wg.Wait()
	defer stop()
	if _, err := s.server.address(ctx); err != nil {
		t.Fatal(err)
	}
	args, err := os.ReadFile(filepath.Join(dir, "args"))
	want := "serve --lang zh --listen 127.0.0.1:0 --stdin-lifeline --models " + dir + "/models --engine sherpa " +
		"--transcribe funasr --transcribe-url ws://192.0.2.1:10095 --speed zh=1.2 --quiet"
	if got := strings.Join(strings.Fields(string(args)), " "); err != nil || got != want {
		t.Errorf("started with %q (%v)\nwant %q", got, err, want)
	}
	if token, err := os.ReadFile(filepath.Join(dir, "token")); err != nil || string(token) != "very-secret\n" {
		t.Errorf("the token in its environment is %q (%v)", token, err)
	}
}

// V1: threshold and boost of a wake phrase reach the engine with it.
func TestWakePhrasesAreTuned(t *testing.T) {
	cfg := configured(t, "/w", "[wake]\nphrases = [\"小厨\", \"hey home bot\"]\nboost = 2\ntuning = [\"hey home bot: threshold 0.3 boost 1.5\"]\n")
	want := []speech.Phrase{{Text: "小厨", Lang: "zh", Boost: 2}, {Text: "hey home bot", Lang: "en", Boost: 1.5, Threshold: 0.3}}
	if got := wakePhrases(cfg); !reflect.DeepEqual(got, want) {
		t.Errorf("wake phrases %+v, want %+v", got, want)
	}
}

// V8: a child that is there and answers nothing any more is ended and started
// again; one that answers is left alone.
func TestHungSpeechChildIsStartedAgain(t *testing.T) {
	deaf, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, answers none
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	asked := make(chan struct{}, 1000)
	well := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- struct{}{} }))
	defer well.Close()
	dir := t.TempDir()
	script := "#!/bin/sh\necho >>" + dir + "/lives\nat=" + deaf.Addr().String() + "\n[ $(wc -l <" + dir + "/lives) = 1 ] || at=" + well.Listener.Addr().String() +
		"\necho READY http://$at engine=none\nexec cat >/dev/null\n"
	if err := os.WriteFile(filepath.Join(dir, "homebot-speech"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	var log strings.Builder
	p := &speechProcess{stderr: io.Discard, log: slog.New(slog.NewTextHandler(&log, nil)), patience: 100 * time.Millisecond}
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { _ = p.Run(ctx) })
	for range 3 * hungAfter {
		<-asked
	}
	stop()
	all.Wait()
	if lives, _ := os.ReadFile(filepath.Join(dir, "lives")); len(lives) != 2 || !strings.Contains(log.String(), errHung.Error()) {
		t.Errorf("%d lives, log %s", len(lives), &log)
	}
}

// V1: where only sherpa may listen and it cannot, doctor says so, and a remote
// server is refused: nothing here would hear the wake word.
func TestSherpaWantedButNotHere(t *testing.T) {
	h := newHome(t, nil).withSpeech()
	h.setenv("HOMEBOT_MODELS", t.TempDir())
	h.configure("[speech]\nengine = \"sherpa\"\n")
	out, errs, _ := h.once("", "doctor")
	bad := slices.ContainsFunc(strings.Split(out, "\n"), func(l string) bool {
		return strings.Contains(l, "BAD") && strings.Contains(l, "sherpa, which [speech] engine wants, cannot listen: ")
	})
	if errs != "" || !bad {
		t.Errorf("doctor: %q\n%s", errs, out)
	}
	const refused = "engine = \"sherpa\"\nurl = \"http://192.0.2.1:9790\"\ntoken = \"t\"\n"
	h.setenv("LC_ALL", "zh_CN.UTF-8")
	for language, want := range map[string]string{"": "没有安装在 ", "en": "is not installed in "} { // homebot-speech has no configuration
		h.configure("[system]\nlanguage = \"" + language + "\"\n[speech]\n" + refused)
		_, errs, code := h.once("", "config", "check")
		if code != 1 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "remote_wake") || !strings.Contains(errs, want) {
			t.Errorf("config check, language %q: %d %q", language, code, errs)
		}
	}
}
