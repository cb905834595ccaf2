package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/skills/timers"
)

// fakeSound writes down what is asked of it; its volume is on the bus.
type fakeSound struct {
	bus    *event.Bus
	mu     sync.Mutex
	orders []string
	err    error
}

func (s *fakeSound) order(format string, args ...any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders = append(s.orders, fmt.Sprintf(format, args...))
	return s.err
}

func (s *fakeSound) SetVolume(_ context.Context, percent int) error {
	if s.bus != nil {
		s.bus.Update(func(st *event.State) { st.Volume = percent }, event.StateChanged, nil)
	}
	return s.order("volume %d", percent)
}
func (s *fakeSound) Mute(_ context.Context, on bool) error { return s.order("mute %v", on) }
func (s *fakeSound) Stop(context.Context) error            { return s.order("stop") }
func (s *fakeSound) Repeat(context.Context) error          { return s.order("repeat") }

// Volume, mute, stop and repeat over the socket: each is one order, answered by
// the state after it or by one line.
func TestControl(t *testing.T) {
	sound := &fakeSound{}
	r := runWith(t, t.TempDir(), sound)
	sound.bus = r.bus
	c := r.connect(t)
	fifty := 50
	for _, o := range []Control{
		{Do: DoVolume, Percent: &fifty}, {Do: DoVolume, Steps: 1}, {Do: DoVolume, Steps: -9}, {Do: DoVolume, Steps: 99},
		{Do: DoMute}, {Do: DoUnmute}, {Do: DoStop}, {Do: DoRepeat},
	} {
		if _, err := c.Control(o); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	want := []string{"volume 50", "volume 60", "volume 10", "volume 100", "mute true", "mute false", "stop", "repeat"}
	if !slices.Equal(sound.orders, want) {
		t.Errorf("got %q", sound.orders)
	}
	if s, err := c.Control(Control{Do: DoStop}); err != nil || s.Volume != 100 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := c.Control(Control{Do: "fly"}); err == nil || !strings.Contains(err.Error(), `"fly"`) {
		t.Errorf("an unknown control: %v", err)
	}
	sound.err = errors.New("not now")
	if _, err := c.Control(Control{Do: DoRepeat}); err == nil || err.Error() != "not now" {
		t.Errorf("a refusal: %v", err)
	}
}

// V9: where timers do not work an order of one is answered with a sentence.
func TestTimersDown(t *testing.T) {
	r := runWith(t, t.TempDir(), nil)
	done, err := r.connect(t).Timers(timers.Command{Do: timers.DoSet, Words: "八分钟"})
	if err != nil || done.OK || done.Say != phrases.TimersDown.In("zh") {
		t.Errorf("%+v, %v", done, err)
	}
}

// Without an engine there is nothing to control, and none is started for it;
// an engine without sound says so.
func TestControlWithoutSound(t *testing.T) {
	dir := t.TempDir()
	if _, err := Attach(context.Background(), dir); !errors.Is(err, ErrNoEngine) || !strings.Contains(err.Error(), "homebot run") {
		t.Errorf("without an engine: %v", err)
	}
	run(t, dir)
	c, err := Attach(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Control(Control{Do: DoStop}); err == nil || !strings.Contains(err.Error(), "no sound") {
		t.Errorf("without sound: %v", err)
	}
}

// FuzzAnswer: whatever an engine answers, a client reads it or says what is wrong
// with it.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"state":{"dialogue_state":"idle","volume":35}}`)
	f.Add(`{"event":{"kind":"turn","data":{"id":7}}}` + "\n" + `{"delta":"x"}`)
	f.Add(`{"outcome":{"id":"x","latency_ms":{"total":-1}}}`)
	f.Add(`{"error":"no"}`)
	f.Add("null\n\x00\n[]")
	f.Fuzz(func(t *testing.T, answer string) {
		calls := []func(*Client) error{
			func(c *Client) error { _, err := c.Control(Control{Do: DoStop}); return err },
			func(c *Client) error { _, err := c.Status(); return err },
			func(c *Client) error { _, err := c.turn(Turn{Text: "x"}, nil); return err },
			func(c *Client) error {
				return c.Watch(context.Background(), func(*event.State, *event.Event) bool { return true })
			},
		}
		for _, call := range calls {
			mine, its := net.Pipe()
			var engine sync.WaitGroup
			engine.Go(func() {
				defer its.Close()
				_, _ = its.Read(make([]byte, 4096))
				_, _ = io.WriteString(its, answer+"\n")
			})
			c := &Client{}
			c.use(mine)
			err := call(c)
			if err == nil && strings.TrimSpace(answer) == "" {
				t.Errorf("%q is no answer", answer)
			}
			_ = c.Close()
			engine.Wait()
		}
	})
}
