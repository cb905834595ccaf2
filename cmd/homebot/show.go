package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"homebot/cmd/homebot/replay"
	"homebot/internal/cli"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/voice"
)

// showQueue is how far the terminal may lag behind.
const showQueue = 256

// show prints what happens, for a person at the terminal.
type show struct {
	w     io.Writer
	lang  string
	bus   *event.Bus
	began time.Time
	heard time.Time // when the last words were final
	state event.DialogueState
	light bool
}

func newShow(w io.Writer, lang string, bus *event.Bus) *show {
	return &show{w: w, lang: lang, bus: bus, began: time.Now()}
}

// Run prints until ctx ends.
func (s *show) Run(ctx context.Context) error {
	_, events := s.bus.Watch(ctx, showQueue)
	for e := range events {
		s.print(e)
	}
	return nil
}

// measuredLine is a turn's breakdown in milliseconds.
func measuredLine(m event.Measured, lang string) string {
	var b strings.Builder
	b.WriteString(phrases.ShowSince.In(lang, replay.Stage(m.Since, lang)))
	names, ms := m.Stages()
	for i, n := range names {
		fmt.Fprintf(&b, " %s %d", replay.Stage(n, lang), ms[i])
	}
	if m.Cached != nil {
		b.WriteString(phrases.ShowCached.In(lang, *m.Cached, *m.Prompt))
	}
	return b.String()
}

// print shows one event; what did not change is not repeated.
func (s *show) print(e event.Event) {
	if e.State.Light.On != s.light {
		s.light = e.State.Light.On
		s.line(e, phrases.ShowLight, map[bool]phrases.Phrase{true: phrases.ShowLightOn, false: phrases.ModesLightOff}[s.light].In(s.lang))
	}
	switch d := e.Data.(type) {
	case event.Wake:
		s.line(e, phrases.ShowWoken, d.Phrase)
	case event.Words:
		s.words(e, d)
	case event.Earcon:
		s.line(e, phrases.ShowEarcon, d.Name)
	case event.Switch:
		s.line(e, phrases.ShowMode, d.Action+" "+d.ModeID)
	case event.Turn:
		s.turn(e, d)
	case event.Measured:
		s.line(e, phrases.ShowMeasured, measuredLine(d, s.lang))
	case event.Timer:
		s.line(e, shownKinds[e.Kind], strings.TrimSpace(d.ID+" "+d.Label))
	case event.Fault:
		s.line(e, shownKinds[e.Kind], d.Text)
	case event.PrefixBreak:
		s.line(e, phrases.ShowPrefixBreak, d.Reason)
	}
	if e.State.Dialogue != s.state {
		s.state = e.State.Dialogue
		s.line(e, phrases.ShowState, shownState(s.state, s.lang))
	}
}

// shownKinds are the kinds of event that share a payload.
var shownKinds = map[event.Kind]phrases.Phrase{
	event.TimerSet: phrases.ShowTimerSet, event.TimerChanged: phrases.ShowTimerChanged, event.TimerCancelled: phrases.ShowTimerCancelled,
	event.TimerRang: phrases.ShowTimerRang, event.TimerStopped: phrases.ShowTimerStopped, event.TimerMissed: phrases.ShowTimerMissed,
	event.FaultAppeared: phrases.ShowFault, event.FaultCleared: phrases.ShowFaultCleared,
}

// shownState is a state by its own name, and in Chinese as the pages call it.
func shownState(state event.DialogueState, lang string) string {
	words := map[event.DialogueState]phrases.Phrase{
		event.Idle: phrases.ConsolePageStateIdle, event.Listening: phrases.ConsolePageStateListening, event.Thinking: phrases.ConsolePageStateThinking,
		event.Speaking: phrases.ConsolePageStateSpeaking, event.Ringing: phrases.ConsolePageStateRinging, event.Muted: phrases.ConsolePageStateMuted,
	}
	if p, ok := words[state]; ok && lang == phrases.Chinese {
		return p.ZH
	}
	return string(state)
}

func (s *show) turn(e event.Event, t event.Turn) {
	if t.Channel != voice.ChannelVoice { // what was spoken was shown as it was heard and said
		s.label(e, phrases.ShowFrom.In(s.lang, t.Channel, t.Speaker), t.User)
		s.line(e, phrases.ShowReply, t.Assistant)
	}
	s.line(e, phrases.ShowTurnDone, phrases.ShowTurnTook.In(s.lang, t.Channel, t.First.Milliseconds(), t.Total.Milliseconds()))
}

func (s *show) words(e event.Event, w event.Words) {
	switch e.Kind {
	case event.PartialHeard:
		s.line(e, phrases.ShowPartial, w.Text)
	case event.FinalHeard:
		s.heard = e.At
		s.line(e, phrases.ShowHeard, w.Text)
	case event.Said:
		after := ""
		if !s.heard.IsZero() {
			after = "   " + phrases.ShowAfter.In(s.lang, e.At.Sub(s.heard).Milliseconds())
			s.heard = time.Time{}
		}
		s.line(e, phrases.ShowSays, w.Text+after)
	}
}

func (s *show) line(e event.Event, what phrases.Phrase, text string) {
	s.label(e, what.In(s.lang), text)
}

func (s *show) label(e event.Event, what, text string) {
	fmt.Fprintf(s.w, "%7.2fs  %s %s\n", e.At.Sub(s.began).Seconds(), cli.Pad(what, 12), text)
}
