package main

import (
	"context"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"homebot/audio"
	"homebot/audio/child"
	"homebot/audio/echo"
	"homebot/internal/config"
	"homebot/internal/console"
	"homebot/internal/speech"
	"homebot/voice"
)

// soundOptions say where sound comes from and goes to. The zero value is the
// configured microphone and loudspeaker.
type soundOptions struct {
	env    []string     // for the sound card's child processes
	source audio.Source // nil: the microphone
	sink   audio.Sink   // nil: the loudspeaker
	alone  bool         // it only speaks or only hears: there is no echo

	beside *sound              // for a browser's talk, beside the device's own sound
	talk   *console.TalkConfig // likewise
}

// sound is homebot's ears and voice put together.
type sound struct {
	cfg           config.Config
	server        *speechProcess // nil when a server is configured on this machine
	beside        *sound         // whose server is used; nil: its own
	ears          *speech.Client
	remote        *speech.Client // nil unless another machine takes the utterances
	voice         speech.Synthesizer
	source        audio.Source
	sink          audio.Sink
	echo          *echo.Canceller // nil unless this process cancels the echo
	serverCancels bool            // the sound server does
	player        *audio.Player
	listener      *voice.Listener
	loop          *voice.Loop
}

// newSound wires the sound of a house. Nothing runs yet.
func (a *app) newSound(h *house, o soundOptions) *sound {
	s := &sound{cfg: h.cfg, beside: o.beside}
	hello := speech.Hello{Languages: []string{"zh", "en"}, Wake: wakePhrases(h.cfg), Phrases: h.setPhrases()}
	s.connect(a, h, hello)
	s.source, s.sink = o.source, o.sink
	mic := child.Config{Device: h.cfg.Audio.Input, Env: o.env, Log: h.logger}
	speaker := child.Config{Device: h.cfg.Audio.Output, Env: o.env, Log: h.logger}
	if s.source == nil && s.sink == nil && !o.alone {
		speaker.Tap = s.cancelEcho(h, o.env)
	}
	if s.source == nil {
		s.source = s.behindCanceller(child.OpenSource(mic))
	}
	if s.sink == nil {
		s.sink = child.OpenSink(speaker)
	}
	s.player = audio.NewPlayer(s.sink, h.logger)
	s.listener = voice.NewListener(s.listenerConfig(h))
	s.loop = voice.NewLoop(s.loopConfig(h, o.talk))
	if o.talk == nil {
		h.loop = s.loop
	}
	return s
}

// loopConfig is the device's own dialogue, or that of a browser: its own
// conversation on channel web, full volume, and nothing that rings.
func (s *sound) loopConfig(h *house, talk *console.TalkConfig) voice.LoopConfig {
	c := voice.LoopConfig{
		Listener: s.listener, Speaker: voice.NewSpeaker(h.keep(s.voice), s.player, h.logger), Player: s.player,
		Handler: h.agent, Bus: h.bus, Lang: h.cfg.System.Language, Log: h.logger, BargeIn: bargeIn[h.cfg.Voice.BargeIn],
		Filler: h.cfg.Voice.Filler,
	}
	if talk != nil {
		c.Bus, c.Lang, c.Channel = talk.Bus, talk.Lang, voice.ChannelWeb
		c.NewChatID = func(string, time.Time) string { return talk.ChatID }
		return c
	}
	controls := h.controls()
	s.player.SetVolume(float64(controls.Volume) / 100)
	c.Hush, c.Controls, c.Keep, c.EchoCancelled = h.hush, &controls, h.controlFile().Keep, s.echoCancelled
	c.Standing = h.wrong
	return c
}

// connect chooses the speech servers: one of our own, unless the configuration
// names one on this machine; another machine takes utterances only (V1), unless
// it is allowed to hear everything.
func (s *sound) connect(a *app, h *house, hello speech.Hello) {
	c := h.cfg.Speech
	configured := speech.Config{URL: c.URL, Token: c.Token.Reveal(), Hello: hello, Logger: h.logger}
	voiceOf := speech.VoiceConfig{BaseURL: c.URL, Token: c.Token.Reveal()}
	if c.URL != "" && (!c.Remote() || c.RemoteWake) {
		s.ears, s.voice = speech.NewClient(configured), speech.NewVoice(voiceOf)
		return
	}
	dial := s.ownServer(a, h)
	const local = "http://localhost" // resolved by dial
	s.ears = speech.NewClient(speech.Config{URL: local, Hello: hello, Dial: dial, Logger: h.logger})
	own := speech.NewVoice(speech.VoiceConfig{BaseURL: local, Client: clientTo(dial)})
	s.voice = own
	if c.Remote() {
		s.remote = speech.NewClient(configured)
		s.voice = eitherVoice{speech.NewVoice(voiceOf), own}
	}
}

// ownServer is how to reach the speech server on this machine: one that the
// system started, the one that the device's own sound keeps alive, or one to be
// started.
func (s *sound) ownServer(a *app, h *house) func(context.Context, string, string) (net.Conn, error) {
	if dial := dialSocket(a.getenv(envSpeechSocket)); dial != nil {
		return dial
	}
	if s.beside != nil {
		return s.beside.server.dial
	}
	s.server = &speechProcess{
		args: speechFlags(h.cfg, a.models(h.cfg)), env: speechSecrets(h.cfg),
		lang: a.lang, stderr: a.stderr, log: h.logger,
	}
	return s.server.dial
}

func (s *sound) listenerConfig(h *house) voice.ListenerConfig {
	v := h.cfg.Voice
	c := voice.ListenerConfig{
		Source: s.source, Ears: s.ears, Log: h.logger, Wake: h.cfg.Wake.Phrases,
		Complete: isSetPhrase(h.setPhrases()),
		Endpointing: voice.Endpointing{
			Silence: v.EndSilence, Phrase: v.PhraseSilence, Talk: v.TalkSilence, TalkAfter: v.TalkAfter,
			NoSpeech: v.NoSpeech, FollowUp: orNone(v.FollowUp), Noise: v.Noise,
			Longest: v.MaxUtterance, LongestTalk: v.MaxTalk, PreRoll: v.PreRoll,
		},
	}
	if s.remote != nil {
		c.Remote = s.remote
	}
	return c
}

// bargeIn are the configuration's words for what interrupts a reply.
var bargeIn = map[string]voice.BargeIn{
	config.BargeInSpeech: voice.BargeInSpeech,
	config.BargeInWords:  voice.BargeInWords,
	config.BargeInWake:   voice.BargeInWake,
}

// orNone: 0 in the configuration means no follow-up window, and a negative one
// to the Listener, whose 0 is its default.
func orNone(d time.Duration) time.Duration {
	if d == 0 {
		return -1
	}
	return d
}

// Run hears and speaks until ctx ends. The dialogue ends first: what it was
// saying and hearing is still there while it records the last turn.
func (s *sound) Run(ctx context.Context) error {
	outer, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var all sync.WaitGroup
	run := func(f func(context.Context) error) { all.Go(func() { _ = f(outer) }) }
	if s.server != nil {
		run(s.server.Run)
	}
	run(s.ears.Run)
	if s.remote != nil {
		run(s.remote.Run)
	}
	run(s.player.Run)
	run(s.listener.Run)
	err := s.loop.Run(ctx)
	stop()
	all.Wait()
	_ = s.sink.Close()
	if s.echo != nil {
		s.echo.Close()
	}
	return err
}

// clientTo is an HTTP client whose every connection is made by dial.
func clientTo(dial func(context.Context, string, string) (net.Conn, error)) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: dial}}
}

// envSpeechSocket names the socket of a homebot-speech that runs as a service of
// its own: then none is started.
const envSpeechSocket = "HOMEBOT_SPEECH_SOCKET"

// dialSocket connects to a socket in the file system, whatever is asked for; nil
// for no path.
func dialSocket(path string) func(context.Context, string, string) (net.Conn, error) {
	if path == "" {
		return nil
	}
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", path)
	}
}

// eitherVoice speaks with the first; should that fail before a sound, with the
// second.
type eitherVoice struct{ first, second speech.Synthesizer }

func (e eitherVoice) Speak(ctx context.Context, text, lang string, emit func([]int16) error) error {
	spoke := false
	err := e.first.Speak(ctx, text, lang, func(pcm []int16) error {
		spoke = true
		return emit(pcm)
	})
	if err == nil || spoke || ctx.Err() != nil {
		return err
	}
	return e.second.Speak(ctx, text, lang, emit)
}

// models is where speech models lie: $HOMEBOT_MODELS, else in the workspace.
func (a *app) models(cfg config.Config) string {
	if dir := a.getenv("HOMEBOT_MODELS"); dir != "" {
		return dir
	}
	return filepath.Join(cfg.Workspace, "models")
}
