package voice_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/voice"
	"homebot/voice/voicetest"
)

// V8: a microphone that hangs without an error is lost too, and back with its
// first frame; all the while the Listener and the Loop answer the watchdog, so a
// missing microphone never becomes a restart.
func TestHungMicrophone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := voicetest.NewStage(voicetest.Script{Lang: "en"}, func(from, to event.DialogueState) { t.Errorf("%s → %s", from, to) })
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { st.Run(ctx) })
		alive := func(when string) {
			t.Helper()
			asked, done := context.WithTimeout(ctx, time.Second)
			defer done()
			if err := st.Listener.Ping(asked); err != nil {
				t.Errorf("%s: the listener: %v", when, err)
			}
			if err := st.Loop.Ping(asked); err != nil {
				t.Errorf("%s: the loop: %v", when, err)
			}
		}
		time.Sleep(time.Second)
		alive("at first")
		if st.Bus.Snapshot().Deaf() {
			t.Errorf("deaf at first: %+v", st.Bus.Snapshot().Faults)
		}
		st.Mic.Stall()
		time.Sleep(4 * time.Second)
		alive("just hung")
		time.Sleep(2 * time.Second)
		if f := st.Bus.Snapshot().Faults; len(f) != 1 || f[0].Code != voice.FaultMicrophone {
			t.Errorf("6 s hung: %+v", f)
		}
		alive("hung")
		st.Mic.Resume()
		time.Sleep(time.Second)
		if f := st.Bus.Snapshot().Faults; len(f) != 0 {
			t.Errorf("back: %+v", f)
		}
		cancel()
		all.Wait()
		if st.Listener.Ping(t.Context()) == nil || st.Loop.Ping(t.Context()) == nil {
			t.Error("what does not run answers")
		}
	})
}

// V8: a Listener whose Loop takes nothing any more does not answer: that is what
// systemd starts anew.
func TestHungLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ears := voicetest.NewEars()
		l := voice.NewListener(voice.ListenerConfig{Source: voicetest.NewStage(voicetest.Script{}, nil).Mic, Ears: ears})
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { _ = l.Run(ctx) }) // nobody reads Heard
		time.Sleep(time.Minute)
		asked, done := context.WithTimeout(ctx, 5*time.Second)
		defer done()
		if err := l.Ping(asked); err == nil {
			t.Error("it answers")
		}
		cancel()
		all.Wait()
	})
}
