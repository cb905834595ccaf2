package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"homebot/audio"
	"homebot/audio/wav"
	"homebot/cmd/homebot/replay"
	"homebot/internal/cli"
	"homebot/internal/event"
	"homebot/internal/phrases"
)

func (a *app) replayCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "replay DIR", Short: phrases.HelpReplay.In(a.lang),
		Long: phrases.HelpReplayTakes.In(a.lang, replay.TruthFile) + "\n" + a.lines(phrases.HelpReplayFigures, phrases.HelpReplayAlone),
		Args: cli.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.replay(c.Context(), args[0], asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, phrases.HelpReplayJSON.In(a.lang))
	return c
}

func (a *app) replay(ctx context.Context, dir string, asJSON bool) error {
	truth, takes, err := readTakes(dir)
	if err != nil {
		return err
	}
	cfg, err := a.config()
	if err == nil {
		err = a.checkWake(cfg)
	}
	if err != nil {
		return err
	}
	models := a.models(cfg)
	getenv := a.getenv
	a.getenv = func(key string) string {
		if key == "HOMEBOT_MODELS" {
			return models // they stay where they are
		}
		return getenv(key)
	}
	if cfg.Workspace, err = os.MkdirTemp("", "homebot-replay-"); err != nil {
		return err
	}
	defer os.RemoveAll(cfg.Workspace)
	h := build(cfg, a.logger(slog.LevelError))
	source := newRecording()
	p := &replayer{source: source}
	s := a.newSound(h, soundOptions{source: source, sink: &nowhere{}})
	seen, err := p.run(ctx, h, s, takes)
	if err != nil {
		return err
	}
	report := replay.Score(truth, seen)
	if asJSON {
		return json.NewEncoder(a.stdout).Encode(report)
	}
	report.Print(a.stdout, a.lang)
	return nil
}

// readTakes reads the truth and its recordings, 16 kHz.
func readTakes(dir string) ([]replay.Truth, [][]int16, error) {
	name := filepath.Join(dir, replay.TruthFile)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, phrases.Errorf(phrases.TruthMissing, name)
	}
	if err != nil {
		return nil, nil, err
	}
	truth, err := replay.ParseTruth(name, data)
	if err != nil {
		return nil, nil, err
	}
	var takes [][]int16
	for _, t := range truth {
		pcm, _, err := wav.ReadFile(filepath.Join(dir, t.File), audio.CaptureRate)
		if err != nil {
			return nil, nil, err
		}
		takes = append(takes, pcm)
	}
	return truth, takes, nil
}

// replayer plays recordings one after the other and writes down what happens.
type replayer struct {
	source *recording

	mu    sync.Mutex
	began time.Time // of the recording that plays
	seen  replay.Observed
}

// restPatience is how long a dialogue may go on after its recording: a slow model
// and a long reply.
const restPatience = 2 * time.Minute

func (p *replayer) run(ctx context.Context, h *house, s *sound, takes [][]int16) (seen []replay.Observed, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	_, events := h.bus.Watch(ctx, showQueue)
	_, early := h.bus.Watch(ctx, showQueue)
	var all sync.WaitGroup
	all.Go(func() {
		err = h.engine(s.Run).Run(ctx)
		stop()
	})
	all.Go(func() {
		for e := range events {
			p.note(e)
		}
	})
	if hears(early) {
		for _, pcm := range takes {
			if !p.take(ctx, h, pcm) {
				break
			}
			p.mu.Lock()
			seen = append(seen, p.seen)
			p.mu.Unlock()
		}
	}
	stop()
	all.Wait()
	if err == nil && len(seen) < len(takes) {
		err = phrases.Errorf(phrases.ReplayEnded)
	}
	return seen, err
}

// take plays one recording and waits until the dialogue rests after it.
func (p *replayer) take(ctx context.Context, h *house, pcm []int16) bool {
	p.mu.Lock()
	p.began = time.Now()
	p.seen = replay.Observed{Stages: map[string][]int64{}}
	p.mu.Unlock()
	began := time.Now()
	p.source.next(pcm)
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	late := time.NewTimer(time.Duration(len(pcm))*time.Second/audio.CaptureRate + restPatience)
	defer late.Stop()
	for {
		select {
		case <-look.C:
			if !p.source.over() || h.bus.Snapshot().Dialogue != event.Idle {
				continue
			}
		case <-late.C:
			_ = h.loop.Stop(ctx) // so that the next recording is heard
		case <-ctx.Done():
			return false
		}
		p.mu.Lock()
		p.seen.Seconds = time.Since(began).Seconds()
		p.mu.Unlock()
		return true
	}
}

// note writes an event down.
func (p *replayer) note(e event.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := e.At.Sub(p.began).Seconds()
	switch d := e.Data.(type) {
	case event.Wake:
		p.seen.Wakes = append(p.seen.Wakes, at)
	case event.Words:
		if e.Kind == event.FinalHeard {
			p.seen.Heard = append(p.seen.Heard, d.Text)
		}
	case event.Earcon:
		if d.Name == audio.EarconDone && e.State.Dialogue == event.Listening {
			p.seen.Endpoints = append(p.seen.Endpoints, at)
		}
	case event.Measured:
		names, ms := d.Stages()
		for i, n := range names {
			p.seen.Stages[n] = append(p.seen.Stages[n], ms[i])
		}
	}
}
