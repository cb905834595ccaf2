package main

import (
	"context"
	"strings"

	"homebot/audio"
	"homebot/audio/child"
	"homebot/audio/echo"
	"homebot/internal/config"
	"homebot/internal/event"
	"homebot/internal/phrases"
)

// echoChoice is who takes the device's own voice out of what it hears.
type echoChoice struct {
	by      string         // config.EchoServer, EchoProcess or EchoOff
	server  string         // the sound server's microphone, "" when it has no pair
	trouble phrases.Phrase // why what the configuration wants cannot be had; zero if it can
}

// chooseEcho decides it. In auto the sound server does it where its default
// microphone and loudspeaker do, or where the configuration names a microphone
// that says so.
func chooseEcho(ctx context.Context, c config.Audio, env []string) echoChoice {
	own := echoChoice{by: config.EchoProcess}
	if !echo.Built {
		own = echoChoice{by: config.EchoOff, trouble: phrases.EchoNotBuilt}
	}
	switch c.Echo {
	case config.EchoOff:
		return echoChoice{by: config.EchoOff}
	case config.EchoProcess:
		return own
	}
	server := ""
	switch {
	case echo.Named(c.Input):
		server = c.Input
	case throughServer(c.Input) && throughServer(c.Output):
		server = echo.Server(ctx, env)
	}
	if server != "" {
		return echoChoice{by: config.EchoServer, server: server}
	}
	if c.Echo == config.EchoServer {
		return echoChoice{by: config.EchoOff, trouble: phrases.EchoNoPair}
	}
	return own
}

// throughServer reports whether a device of [audio] is the sound server's
// default one.
func throughServer(device string) bool {
	switch strings.ToLower(device) {
	case "", "default", "pulse", "pipewire":
		return true
	}
	return false
}

// In is one line for the doctor and `homebot devices`.
func (e echoChoice) In(lang string) string {
	switch {
	case e.troubled():
		return phrases.EchoTrouble.In(lang, e.trouble.In(lang))
	case e.by == config.EchoServer:
		return phrases.EchoByServer.In(lang, e.server)
	case e.by == config.EchoProcess:
		return phrases.EchoByProcess.In(lang)
	}
	return phrases.EchoOff.In(lang)
}

func (e echoChoice) troubled() bool { return e.trouble != phrases.Phrase{} }

// examineEcho tells who cancels the echo.
func (d doctor) examineEcho(ctx context.Context) finding {
	e := chooseEcho(ctx, d.cfg.Audio, nil)
	f := finding{phrases.DoctorOK, phrases.DoctorEcho.In(d.lang), e.In(d.lang)}
	switch {
	case e.troubled() && d.cfg.Audio.Echo != config.EchoAuto:
		return d.bad(phrases.DoctorEcho, phrases.EchoTryAuto, f.text)
	case e.by == config.EchoOff:
		f.level = phrases.DoctorNote
	}
	return f
}

// cancelEcho puts the canceller between the microphone and who listens, where
// homebot does it itself. It returns what the loudspeaker has to tell.
func (s *sound) cancelEcho(h *house, env []string) child.Tap {
	e := chooseEcho(context.Background(), h.cfg.Audio, env)
	h.logger.Info("echo: " + e.In(phrases.English))
	s.serverCancels = e.by == config.EchoServer
	if e.by != config.EchoProcess {
		return nil
	}
	c, err := echo.New(h.speaks, h.logger)
	if err != nil {
		h.logger.Warn("the echo is not cancelled", "err", err)
		return nil
	}
	s.echo = c
	return c
}

// behindCanceller is the microphone behind the canceller, if there is one.
func (s *sound) behindCanceller(src audio.Source) audio.Source {
	if s.echo == nil {
		return src
	}
	return s.echo.Wrap(src)
}

// echoCancelled reports whether the microphone hears the loudspeaker no more.
func (s *sound) echoCancelled() bool {
	return s.serverCancels || s.echo != nil && s.echo.Works()
}

// speaks reports whether the device speaks, or is about to.
func (h *house) speaks() bool {
	d := h.bus.Snapshot().Dialogue
	return d == event.Speaking || d == event.Thinking
}
