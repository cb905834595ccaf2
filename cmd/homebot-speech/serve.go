package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"homebot/audio"
	"homebot/audio/wav"
	"homebot/internal/phrases"
	"homebot/internal/speech"
	"homebot/internal/speech/espeak"
	"homebot/internal/speech/models"
	"homebot/internal/speech/remote"
	"homebot/internal/speech/sphinx"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	listen    string
	models    string
	languages []string
	engine    string
	stt       string
	voices    string
	speed     map[string]string
	other     string // kind of another server that understands, "" for none
	otherURL  string
	otherEnv  string
	otherName string
	tokenEnv  string
	lifeline  bool
	verbose   bool
	quiet     bool
}

func (p *program) serveCommand() *cobra.Command {
	o := &p.serve
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Listen and speak until SIGTERM",
		Long: `Listen and speak until SIGTERM.

Prints one line that begins with READY and the address when it can hear.
On an address that other machines reach it needs a token in the environment.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.began = true
			return p.runServe(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:9790", "address to serve; port 0 takes a free one; unix:PATH is a socket in the file system")
	o.engineFlags(cmd)
	f.StringVar(&o.voices, "voices", "", "file of the members' voices (default members.json beside the models)")
	f.StringToStringVar(&o.speed, "speed", nil, "speed of a model's voice by language, such as zh=1.1,en=0.9")
	f.StringSliceVar(&o.languages, "languages", nil, "languages to hear, such as zh,en; one without a model is left out with a warning (default: all whose model is there)")
	f.StringVar(&o.other, "transcribe", "", "let another server understand what is said after the wake word: openai, vosk, sherpa or funasr")
	f.StringVar(&o.otherURL, "transcribe-url", "", "its address")
	f.StringVar(&o.otherEnv, "transcribe-token-env", "HOMEBOT_TRANSCRIBE_TOKEN", "environment variable that holds its token")
	f.StringVar(&o.otherName, "transcribe-model", "", "the model to ask it for (openai)")
	f.StringVar(&o.tokenEnv, "token-env", "HOMEBOT_SPEECH_TOKEN", "environment variable that holds the token")
	f.BoolVar(&o.lifeline, "stdin-lifeline", false, "end when standard input closes: the parent has died")
	f.BoolVar(&o.verbose, "verbose", false, "log every connection")
	f.BoolVar(&o.quiet, "quiet", false, "log only what is wrong")
	return cmd
}

// engineFlags are those that choose the engine.
func (o *serveOptions) engineFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.models, "models", "", "directory of speech models (default $HOMEBOT_MODELS, or models in the workspace)")
	f.StringVar(&o.engine, "engine", engineAuto, "recogniser: sherpa, sphinx, or auto: sherpa when its models are whole")
	f.StringVar(&o.stt, "stt", "", "the model that recognises speech (default: the first that is installed)")
}

// check refuses flags that mean nothing.
func (o serveOptions) check() error {
	if !slices.Contains([]string{engineAuto, engineSherpa, engineSphinx}, o.engine) {
		return fmt.Errorf("--engine %s: use auto, sherpa or sphinx", o.engine)
	}
	for lang, speed := range o.speed {
		if v, err := strconv.ParseFloat(speed, 64); err != nil || !(v >= 0.25 && v <= 4) {
			return fmt.Errorf("--speed %s=%s: use 0.25 to 4", lang, speed)
		}
	}
	return nil
}

// speeds are the flag's numbers, which check has seen.
func (o serveOptions) speeds() map[string]float64 {
	out := map[string]float64{}
	for lang, speed := range o.speed {
		out[lang], _ = strconv.ParseFloat(speed, 64)
	}
	return out
}

// engineCommand tells what serve would listen with, for doctor.
func (p *program) engineCommand() *cobra.Command {
	var o serveOptions
	c := &cobra.Command{
		Use:   "engine",
		Short: "Print the engine that serve would use, and why",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p.began = true
			if err := o.check(); err != nil {
				return err
			}
			st, err := models.Open(p.modelsDir(o.models))
			if err != nil {
				return err
			}
			_, err = newChooser(st, o, slog.New(slog.DiscardHandler)).sherpaModels()
			switch {
			case o.engine != engineSphinx && err == nil:
				fmt.Fprintln(p.stdout, engineSherpa)
			case o.engine == engineSherpa:
				return err
			case err != nil:
				fmt.Fprintf(p.stdout, "%s: %v\n", engineSphinx, err)
			default:
				fmt.Fprintln(p.stdout, engineSphinx)
			}
			return nil
		},
	}
	o.engineFlags(c)
	return c
}

// runServe serves until ctx ends.
func (p *program) runServe(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if p.serve.lifeline {
		// Not joined: a read of stdin cannot be interrupted, and the process
		// ends right after.
		go func() {
			_, _ = io.Copy(io.Discard, p.stdin)
			cancel()
		}()
	}
	if err := p.serve.check(); err != nil {
		return err
	}
	log := p.logger()
	l, err := listen(p.serve.listen, p.lang())
	if err != nil {
		return err
	}
	defer l.Close()
	voice := espeak.New(espeak.Config{})
	if err := voice.Check(ctx); err != nil {
		log.Warn(phrases.EspeakMissing.In(p.lang()), "err", err)
	}
	p.serve.models = p.modelsDir(p.serve.models)
	st, err := models.Open(p.serve.models)
	if err != nil {
		return err
	}
	choose := newChooser(st, p.serve, log)
	engine, err := choose.ears(ctx, voice)
	var missing *sphinx.MissingError
	switch {
	case errors.As(err, &missing) && missing.Dir != "":
		return errors.New(phrases.ModelMissing.In(p.lang(), missing.Dir))
	case err != nil:
		return err
	}
	defer engine.Close()
	ears, err := p.withOther(engine, log)
	if err != nil {
		return err
	}
	mouth, closeVoice := choose.voice(ctx, voice)
	defer closeVoice()
	server := &speech.Server{Engine: ears, Synthesizer: mouth, Decode: decode, Token: p.env(p.serve.tokenEnv), Logger: log}
	if err := server.Check(l.Addr()); err != nil {
		return fmt.Errorf("%w: set %s, or use --listen 127.0.0.1:9790", err, p.serve.tokenEnv)
	}
	info := ears.Describe()
	fmt.Fprintf(p.stdout, "READY %s engine=%s languages=%s\n", place(l.Addr()), info.Engine, strings.Join(info.Languages, ","))
	return p.serveWatched(ctx, server, l, log)
}

// place is the address as the READY line has it.
func place(a net.Addr) string {
	if a.Network() == "unix" {
		return "unix:" + a.String()
	}
	return "http://" + a.String()
}

// maxRecording is about what the largest upload holds at 16 kHz. One of a low rate
// would hold hours, and take all memory once it is brought to 16 kHz.
const maxRecording = 6 * time.Minute

// decode reads a WAV recording of any usual rate.
func decode(r io.Reader) ([]int16, error) {
	pcm, info, err := wav.Read(r, 0)
	if err != nil {
		return nil, err
	}
	if len(pcm) > int(maxRecording.Seconds())*info.Rate {
		return nil, fmt.Errorf("it is longer than %d minutes; cut it into pieces", int(maxRecording.Minutes()))
	}
	if info.Rate == speech.CaptureRate {
		return pcm, nil
	}
	return audio.Resample(pcm, info.Rate, speech.CaptureRate)
}

// describedEngine is an engine with a name.
type describedEngine interface {
	speech.Engine
	speech.Describer
}

// withOther puts another server's ears behind the engine, if one is named.
func (p *program) withOther(e describedEngine, log *slog.Logger) (describedEngine, error) {
	o := p.serve
	if o.other == "" {
		return e, nil
	}
	service, err := remote.Dial(o.other, remote.Options{URL: o.otherURL, Token: p.env(o.otherEnv), Model: o.otherName})
	if err != nil {
		return nil, fmt.Errorf("--transcribe: %w", err)
	}
	return remote.New(remote.Config{Local: e, Service: service, Name: o.other, Log: log}), nil
}

func (p *program) logger() *slog.Logger {
	level := slog.LevelInfo
	if p.serve.quiet {
		level = slog.LevelWarn
	}
	if p.serve.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
}

// lang is the language of the terminal, for what is said on it.
func (p *program) lang() string {
	for _, key := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := p.env(key); v != "" {
			return v[:min(2, len(v))]
		}
	}
	return phrases.English
}

// listen opens the address, or says in one line of lang why not. unix:PATH is a
// socket of the file system, for whom its directory and group let in.
func listen(addr, lang string) (net.Listener, error) {
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		return listenUnix(path)
	}
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, errors.New(phrases.PortInUse.In(lang, addr))
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %q: %w; choose another with --listen", addr, rootCause(err))
	}
	return l, nil
}

// listenUnix replaces what a server that was killed left at path. Two servers at
// one path would be a mistake of the service file, which has one.
func listenUnix(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
		_ = os.Remove(path)
	}
	l, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o660)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %q: %w; choose another with --listen", "unix:"+path, rootCause(err))
	}
	return l, nil
}

// rootCause leaves the operation and address out of a network error.
func rootCause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}
