package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"homebot/audio"
	"homebot/audio/child"
	"homebot/audio/portaudio"
	"homebot/audio/wav"
	"homebot/internal/cli"
	"homebot/internal/engine"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

func (a *app) soundCommands() []*cobra.Command {
	return []*cobra.Command{a.devicesCommand(), a.sayCommand(), a.listenCommand(), a.replayCommand(), a.audioCommand()}
}

// audioCommand is the sound card's child process; people do not call it.
func (a *app) audioCommand() *cobra.Command {
	return &cobra.Command{
		Use: "audio-io", Hidden: true, DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			return portaudio.RunChild(c.Context(), args, a.stdin, a.stdout)
		},
	}
}

func (a *app) devicesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "devices", Short: phrases.HelpDevices.In(a.lang), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			all, err := child.Devices(c.Context(), child.Config{})
			if err != nil {
				return err
			}
			if len(all) == 0 {
				fmt.Fprintln(a.stdout, phrases.DevicesNone.In(a.lang))
			}
			for _, d := range all {
				fmt.Fprintln(a.stdout, deviceLine(d, a.lang))
			}
			if cfg, err := a.config(); err == nil && len(all) > 0 {
				fmt.Fprintln(a.stdout, phrases.DevicesEcho.In(a.lang, chooseEcho(c.Context(), cfg.Audio, nil).In(a.lang)))
			}
			return nil
		},
	}
}

func deviceLine(d child.Device, lang string) string {
	in, out := phrases.DevicesMicrophone, phrases.DevicesLoudspeaker
	if d.DefaultInput {
		in = phrases.DevicesMicrophoneDefault
	}
	if d.DefaultOutput {
		out = phrases.DevicesLoudspeakerDefault
	}
	var role string
	switch {
	case d.Inputs > 0 && d.Outputs > 0:
		role = phrases.DevicesBoth.In(lang, in.In(lang), out.In(lang))
	case d.Inputs > 0:
		role = in.In(lang)
	case d.Outputs > 0:
		role = out.In(lang)
	}
	return fmt.Sprintf("%s %6d Hz  %s", cli.Pad(d.Name, 40), d.Rate, role)
}

func (a *app) sayCommand() *cobra.Command {
	return &cobra.Command{
		Use: "say TEXT", Short: phrases.HelpSay.In(a.lang),
		Args: cli.AtLeastArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.say(c.Context(), strings.Join(args, " ")) },
	}
}

func (a *app) say(ctx context.Context, words string) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	h := build(cfg, a.logger(levelQuiet))
	s := a.newSound(h, soundOptions{alone: true})
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	if s.server != nil {
		all.Go(func() { _ = s.server.Run(ctx) })
	}
	all.Go(func() { _ = s.player.Run(ctx) })
	err = s.say(ctx, words, text.Lang(words, cfg.System.Language))
	stop()
	all.Wait()
	_ = s.source.Close()
	if closed := s.sink.Close(); err == nil {
		err = closed // else it is the same, told twice
	}
	return err
}

// say speaks one text and waits until it was played.
func (s *sound) say(ctx context.Context, words, lang string) error {
	if err := s.awaitServer(ctx); err != nil {
		return err
	}
	stream := s.player.Begin(ctx)
	err := s.voice.Speak(ctx, words, lang, stream.Write)
	stream.End()
	select {
	case <-stream.Done():
	case <-ctx.Done():
	}
	if card := stream.Err(); card != nil { // then the voice only ended with it
		return card
	}
	return err
}

// awaitServer waits until our own speech server serves.
func (s *sound) awaitServer(ctx context.Context) error {
	if s.server == nil {
		return nil
	}
	_, err := s.server.address(ctx)
	return err
}

func (a *app) listenCommand() *cobra.Command {
	return &cobra.Command{
		Use: "listen FILE.wav…", Short: phrases.HelpListen.In(a.lang),
		Long: a.lines(phrases.HelpListen, phrases.HelpListenLines),
		Args: cli.AtLeastArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.listen(c.Context(), args) },
	}
}

// quiet before, between and after recordings: longer than any endpointing
// silence, so that each one is an utterance of its own.
const quiet = 2 * time.Second

func (a *app) listen(ctx context.Context, files []string) error {
	cfg, err := a.config()
	if err == nil {
		err = a.checkWake(cfg)
	}
	if err != nil {
		return err
	}
	source := newRecording()
	for _, f := range files {
		pcm, _, err := wav.ReadFile(f, audio.CaptureRate)
		if err != nil {
			return err
		}
		source.add(pcm)
	}
	lock, err := engine.Acquire(cfg.Workspace)
	if err != nil {
		return phrases.Errorf(phrases.RunStopFirst, err)
	}
	defer lock.Release()
	h := build(cfg, a.logger(slog.LevelWarn))
	s := a.newSound(h, soundOptions{source: source, sink: &nowhere{}})
	return a.listenWith(ctx, h, s, source)
}

// listenWith runs the house until the recording is over and the dialogue rests.
func (a *app) listenWith(ctx context.Context, h *house, s *sound, source *recording) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	var failed error
	_, events := h.bus.Watch(ctx, showQueue)
	_, early := h.bus.Watch(ctx, showQueue)
	all.Go(func() { failed = h.engine(s.Run).Run(ctx) })
	all.Go(func() {
		if hears(early) {
			source.begin()
		}
	})
	out := json.NewEncoder(a.stdout)
	out.SetEscapeHTML(false)
	var start opening
	rest := time.NewTicker(100 * time.Millisecond)
	defer rest.Stop()
	for {
		select {
		case e, ok := <-events:
			if !ok {
				stop()
				all.Wait()
				return failed
			}
			if start.news(e) {
				_ = out.Encode(e)
			}
		case <-rest.C:
			if source.over() && h.bus.Snapshot().Dialogue == event.Idle {
				stop()
			}
		}
	}
}
