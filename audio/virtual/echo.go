package virtual

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Reflection is one way of the sound from the loudspeaker to the microphone.
type Reflection struct {
	After time.Duration // the way's length; the server adds some ms of its own
	Gain  float64       // dB: 0 is as loud in the microphone as in the loudspeaker
}

// Echo puts the card into a room: what the loudspeaker plays comes back into the
// microphone, by each of the ways, beside what is spoken into it. It holds until
// Close or Kill.
func (c *Card) Echo(ctx context.Context, ways ...Reflection) error {
	for _, w := range ways {
		if err := c.reflect(ctx, w); err != nil {
			return fmt.Errorf("virtual sound card: its echo: %w", err)
		}
	}
	return nil
}

func (c *Card) reflect(ctx context.Context, w Reflection) error {
	out, err := c.client(ctx, "pactl", "load-module", "module-loopback", "source=speaker.monitor", "sink=cable",
		fmt.Sprintf("latency_msec=%d", w.After.Milliseconds()), "adjust_time=0", "source_dont_move=true", "sink_dont_move=true").Output()
	if err != nil {
		return err
	}
	module, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		return err
	}
	input, err := c.inputOf(ctx, module)
	if err != nil || w.Gain == 0 {
		return err
	}
	// A signed volume is relative, and a new one is at 0 dB.
	return c.client(ctx, "pactl", "set-sink-input-volume", strconv.Itoa(input), fmt.Sprintf("%+.1fdB", w.Gain)).Run()
}

// inputOf is the stream into a sink that a module made.
func (c *Card) inputOf(ctx context.Context, module int) (int, error) {
	out, err := c.client(ctx, "pactl", "--format=json", "list", "sink-inputs").Output()
	if err != nil {
		return 0, err
	}
	var all []struct {
		Index int             `json:"index"`
		Owner json.RawMessage `json:"owner_module"` // a number, or the word n/a
	}
	if err := json.Unmarshal(out, &all); err != nil {
		return 0, err
	}
	for _, i := range all {
		if strings.Trim(string(i.Owner), `"`) == strconv.Itoa(module) {
			return i.Index, nil
		}
	}
	return 0, fmt.Errorf("module %d plays nothing", module)
}
