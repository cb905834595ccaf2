package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"homebot/internal/event"
	"homebot/voice"
)

// showQueue is how far the terminal may lag behind.
const showQueue = 256

// show prints what happens, for a person at the terminal.
type show struct {
	w     io.Writer
	bus   *event.Bus
	began time.Time
	heard time.Time // when the last words were final
	state event.DialogueState
	light bool
}

func newShow(w io.Writer, bus *event.Bus) *show { return &show{w: w, bus: bus, began: time.Now()} }

// Run prints until ctx ends.
func (s *show) Run(ctx context.Context) error {
	_, events := s.bus.Watch(ctx, showQueue)
	for e := range events {
		s.print(e)
	}
	return nil
}

// measuredLine is a turn's breakdown in milliseconds.
func measuredLine(m event.Measured) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ms since %s:", strings.ReplaceAll(m.Since, "_", " "))
	names, ms := m.Stages()
	for i, n := range names {
		fmt.Fprintf(&b, " %s %d", strings.ReplaceAll(n, "_", " "), ms[i])
	}
	if m.Cached != nil {
		fmt.Fprintf(&b, "; %d of %d tokens cached", *m.Cached, *m.Prompt)
	}
	return b.String()
}

// print shows one event; what did not change is not repeated.
func (s *show) print(e event.Event) {
	if e.State.Light.On != s.light {
		s.light = e.State.Light.On
		s.line(e, "light", map[bool]string{true: "ON", false: "off"}[s.light])
	}
	switch d := e.Data.(type) {
	case event.Wake:
		s.line(e, "woken by", d.Phrase)
	case event.Words:
		s.words(e, d)
	case event.Earcon:
		s.line(e, "earcon", d.Name)
	case event.Switch:
		s.line(e, "mode", d.Action+" "+d.ModeID)
	case event.Turn:
		if d.Channel != voice.ChannelVoice { // what was spoken was shown as it was heard and said
			s.line(e, d.Channel+" from "+d.Speaker, d.User)
			s.line(e, "reply", d.Assistant)
		}
		s.line(e, "turn done", fmt.Sprintf("%s (first text %d ms, whole turn %d ms)", d.Channel, d.First.Milliseconds(), d.Total.Milliseconds()))
	case event.Measured:
		s.line(e, "measured", measuredLine(d))
	case event.Timer:
		s.line(e, strings.ReplaceAll(string(e.Kind), "_", " "), strings.TrimSpace(d.ID+" "+d.Label))
	case event.Fault:
		s.line(e, string(e.Kind), d.Text)
	case event.PrefixBreak:
		s.line(e, "prefix break", d.Reason)
	}
	if e.State.Dialogue != s.state {
		s.state = e.State.Dialogue
		s.line(e, "state", string(s.state))
	}
}

func (s *show) words(e event.Event, w event.Words) {
	switch e.Kind {
	case event.PartialHeard:
		s.line(e, "partial", w.Text)
	case event.FinalHeard:
		s.heard = e.At
		s.line(e, "heard", w.Text)
	case event.Said:
		after := ""
		if !s.heard.IsZero() {
			after = fmt.Sprintf("   (%d ms after the words)", e.At.Sub(s.heard).Milliseconds())
			s.heard = time.Time{}
		}
		s.line(e, "says", w.Text+after)
	}
}

func (s *show) line(e event.Event, what, text string) {
	fmt.Fprintf(s.w, "%7.2fs  %-12s %s\n", e.At.Sub(s.began).Seconds(), what, text)
}
