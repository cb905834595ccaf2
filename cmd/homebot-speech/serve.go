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
	"homebot/internal/cli"
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
		Use: "serve", Short: phrases.HelpServe.In(p.lang), Args: cli.NoArgs,
		Long: phrases.HelpServe.In(p.lang) + "\n\n" + phrases.HelpServeReady.In(p.lang) + "\n" + phrases.HelpServeToken.In(p.lang),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.runServe(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:9790", phrases.HelpServeListen.In(p.lang))
	o.engineFlags(cmd, p.lang)
	f.StringVar(&o.voices, "voices", "", phrases.HelpServeVoices.In(p.lang))
	f.StringToStringVar(&o.speed, "speed", nil, phrases.HelpServeSpeed.In(p.lang))
	f.Lookup("speed").DefValue = "" // pflag would show an empty map
	f.StringSliceVar(&o.languages, "languages", nil, phrases.HelpServeLanguages.In(p.lang))
	f.StringVar(&o.other, "transcribe", "", phrases.HelpServeTranscribe.In(p.lang))
	f.StringVar(&o.otherURL, "transcribe-url", "", phrases.HelpServeTranscribeURL.In(p.lang))
	f.StringVar(&o.otherEnv, "transcribe-token-env", "HOMEBOT_TRANSCRIBE_TOKEN", phrases.HelpServeTranscribeToken.In(p.lang))
	f.StringVar(&o.otherName, "transcribe-model", "", phrases.HelpServeTranscribeModel.In(p.lang))
	f.StringVar(&o.tokenEnv, "token-env", "HOMEBOT_SPEECH_TOKEN", phrases.HelpServeTokenEnv.In(p.lang))
	f.BoolVar(&o.lifeline, "stdin-lifeline", false, phrases.HelpServeLifeline.In(p.lang))
	f.BoolVar(&o.verbose, "verbose", false, phrases.HelpServeVerbose.In(p.lang))
	f.BoolVar(&o.quiet, "quiet", false, phrases.HelpServeQuiet.In(p.lang))
	return cmd
}

// engineFlags are those that choose the engine, with their help in lang.
func (o *serveOptions) engineFlags(c *cobra.Command, lang string) {
	f := c.Flags()
	f.StringVar(&o.models, "models", "", phrases.HelpSpeechModels.In(lang))
	f.StringVar(&o.engine, "engine", engineAuto, phrases.HelpSpeechEngine.In(lang))
	f.StringVar(&o.stt, "stt", "", phrases.HelpSpeechSTT.In(lang))
}

// check refuses flags that mean nothing.
func (o serveOptions) check() error {
	if !slices.Contains([]string{engineAuto, engineSherpa, engineSphinx}, o.engine) {
		return phrases.Errorf(phrases.SpeechBadEngine, o.engine)
	}
	for lang, speed := range o.speed {
		if v, err := strconv.ParseFloat(speed, 64); err != nil || !(v >= 0.25 && v <= 4) {
			return phrases.Errorf(phrases.SpeechBadSpeed, lang, speed)
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
		Use: "engine", Short: phrases.HelpEngine.In(p.lang), Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
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
				fmt.Fprintf(p.stdout, "%s: %s\n", engineSphinx, phrases.Told(err, p.lang))
			default:
				fmt.Fprintln(p.stdout, engineSphinx)
			}
			return nil
		},
	}
	o.engineFlags(c, p.lang)
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
	l, err := listen(p.serve.listen)
	if err != nil {
		return err
	}
	defer l.Close()
	voice := espeak.New(espeak.Config{})
	if err := voice.Check(ctx); err != nil {
		log.Warn("there is no voice", "err", err)
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
		return phrases.Errorf(phrases.ModelMissing, missing.Dir)
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
		return phrases.Errorf(phrases.SpeechSetToken, err, p.serve.tokenEnv)
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
		return nil, phrases.Errorf(phrases.SpeechBadTranscriber, err)
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

// listen opens the address, or says in one line why not. unix:PATH is a socket of
// the file system, for whom its directory and group let in.
func listen(addr string) (net.Listener, error) {
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		return listenUnix(path)
	}
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, phrases.Errorf(phrases.PortInUse, addr)
	case err != nil:
		return nil, phrases.Errorf(phrases.SpeechNotHeard, addr, rootCause(err))
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
		return nil, phrases.Errorf(phrases.SpeechNotHeard, "unix:"+path, rootCause(err))
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
