package engine

import (
	"context"

	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/voice"
)

// opControl is answered by one state, the one after it.
const opControl = "control"

// What a Control does.
const (
	DoVolume = "volume"
	DoMute   = "mute"
	DoUnmute = "unmute"
	DoStop   = "stop"
	DoRepeat = "repeat"
)

// Control is what somebody does to the device itself, not to the dialogue.
// DoVolume takes a Percent, or else Steps of voice.VolumeStep.
type Control struct {
	Do      string `json:"do"`
	Percent *int   `json:"percent,omitempty"`
	Steps   int    `json:"steps,omitempty"`
}

// Sound is what an engine with ears and a voice has (voice.Loop).
type Sound interface {
	SetVolume(ctx context.Context, percent int) error
	Mute(ctx context.Context, on bool) error
	Stop(ctx context.Context) error
	Repeat(ctx context.Context) error
}

// errNoSound: there is an engine, without ears and voice.
var errNoSound = phrases.Errorf(phrases.EngineNoSound)

func (s *session) control(ctx context.Context, c Control) error {
	if err := s.do(ctx, c); err != nil {
		return s.send(failed(err))
	}
	state := s.bus.Snapshot()
	return s.send(response{State: &state})
}

func (s *session) do(ctx context.Context, c Control) error {
	if s.sound == nil {
		return errNoSound
	}
	switch c.Do {
	case DoVolume:
		percent := voice.Louder(s.bus.Snapshot().Volume, c.Steps)
		if c.Percent != nil {
			percent = *c.Percent
		}
		return s.sound.SetVolume(ctx, percent)
	case DoMute, DoUnmute:
		return s.sound.Mute(ctx, c.Do == DoMute)
	case DoStop:
		return s.sound.Stop(ctx)
	case DoRepeat:
		return s.sound.Repeat(ctx)
	}
	return phrases.Errorf(phrases.EngineUnknownControl, c.Do)
}

// Control carries out a control and returns the state after it.
func (c *Client) Control(o Control) (event.State, error) {
	r, err := c.ask(request{Op: opControl, Control: &o})
	if err != nil || r.State == nil {
		return event.State{}, err
	}
	return *r.State, nil
}
