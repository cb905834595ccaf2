package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"homebot/audio"
	"homebot/audio/virtual"
	"homebot/internal/config"
	"homebot/internal/event"
	"homebot/internal/phrases"
)

// A talk is what is spoken to the appliance in one language.
type talkLines struct {
	lang, wake string
	lines      []string
}

// talks show one mode from its beginning to its end: what was said before comes
// back after a second wake, from the rebuilt conversation.
var talks = []talkLines{
	{"en", "hey home bot", []string{"open cooking mode", "what time is it", "repeat that", "exit cooking mode"}},
	{"zh", "你好小厨", []string{"打开做饭模式", "现在几点了", "再说一遍", "退出做饭模式"}},
}

// How often a line is spoken again when it was not heard, and how long each
// waits. A person would do the same.
const (
	demoTries    = 3
	demoPatience = 12 * time.Second
)

// errDemoOver ends the engine when the talk is over.
var errDemoOver = errors.New("the talk is over")

// demo runs the appliance on a virtual sound card and speaks to it.
func (a *app) demo(ctx context.Context, cfg config.Config) error {
	dir, err := os.MkdirTemp("", "homebot-sound-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	card, err := virtual.Start(ctx, dir)
	if err != nil {
		return err
	}
	defer card.Close()
	h := build(cfg, a.logger(slog.LevelWarn))
	s := a.newSound(h, soundOptions{env: card.Env()})
	d := &demo{app: a, house: h, sound: s, card: card, show: newShow(a.stdout, a.lang, h.bus)}
	d.state, d.events = h.bus.Watch(ctx, showQueue)
	_, d.early = h.bus.Watch(ctx, showQueue)
	err = h.engine(s.Run, d.Run).Run(ctx)
	if !errors.Is(err, errDemoOver) {
		return err
	}
	if d.failed != nil {
		return d.failed
	}
	fmt.Fprintf(a.stdout, "\n%s\n", phrases.DemoDisk.In(a.lang, cfg.Workspace))
	if err := a.printTree(cfg.Workspace); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "\n%s\n", phrases.DemoOver.In(a.lang))
	return nil
}

// demo speaks to the appliance as a person would.
type demo struct {
	*app
	house  *house
	sound  *sound
	card   *virtual.Card
	show   *show
	events <-chan event.Event // of before the dialogue begins, as early
	early  <-chan event.Event // read until it hears
	state  event.State
	failed error
}

// Run holds the talks, then ends the engine.
func (d *demo) Run(ctx context.Context) error {
	if !hears(d.early) {
		return ctx.Err()
	}
	for _, t := range talks {
		if t.lang == "zh" && d.sphinxConfig(d.house.cfg).MandarinDir == "" {
			fmt.Fprintf(d.stdout, "\n%s\n", phrases.DemoNoMandarin.In(d.lang))
			continue
		}
		for _, line := range t.lines {
			if err := d.turn(ctx, t, line); err != nil {
				d.failed = err
				return errDemoOver
			}
		}
	}
	return errDemoOver
}

// turn speaks one line, waking the appliance first when it does not listen.
func (d *demo) turn(ctx context.Context, t talkLines, line string) error {
	for range demoTries {
		if d.state.Dialogue != event.Listening {
			if err := d.speak(ctx, t.wake, t.lang); err != nil {
				return err
			}
			if !d.await(ctx, func(e event.Event) bool { return e.State.Dialogue == event.Listening }) {
				continue
			}
		}
		if err := d.speak(ctx, line, t.lang); err != nil {
			return err
		}
		if d.await(ctx, func(e event.Event) bool { return e.Kind == event.TurnDone }) {
			d.await(ctx, func(e event.Event) bool {
				return e.State.Dialogue == event.Idle || e.State.Dialogue == event.Listening
			})
			return ctx.Err()
		}
	}
	return phrases.Errorf(phrases.DemoNotHeard, line, demoTries)
}

// speak says words into the virtual microphone, with the voice of this machine.
func (d *demo) speak(ctx context.Context, words, lang string) error {
	fmt.Fprintf(d.stdout, "\n%s\n", phrases.DemoSays.In(d.lang, words))
	var pcm []int16
	err := d.sound.voice.Speak(ctx, words, lang, func(p []int16) error {
		pcm = append(pcm, p...)
		return nil
	})
	if err != nil {
		return err
	}
	if pcm, err = audio.Resample(pcm, audio.PlaybackRate, audio.CaptureRate); err != nil {
		return err
	}
	return d.card.Speak(ctx, pcm)
}

// await shows what happens until ok, for at most demoPatience.
func (d *demo) await(ctx context.Context, ok func(event.Event) bool) bool {
	patience := time.NewTimer(demoPatience)
	defer patience.Stop()
	for {
		select {
		case e, more := <-d.events:
			if !more {
				return false
			}
			d.state = e.State
			d.show.print(e)
			if ok(e) {
				return true
			}
		case <-patience.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// printTree lists the files of a workspace, and what a session's log and summary
// hold.
func (a *app) printTree(root string) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		fmt.Fprintf(a.stdout, "  %s\n", rel)
		switch e.Name() {
		case "action.json", "summary.md", "conversation.jsonl":
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for line := range strings.Lines(string(data)) {
				fmt.Fprintf(a.stdout, "      | %s\n", strings.TrimSuffix(line, "\n"))
			}
		}
		return nil
	})
}
