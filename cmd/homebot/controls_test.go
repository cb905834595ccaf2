package main

import (
	"strings"
	"testing"
	"time"

	"homebot/internal/event"
)

// Volume, mute, stop and repeat need a homebot that runs and has sound; each says
// so in one line.
func TestControlsWithoutSound(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil)
	for _, args := range [][]string{{"volume"}, {"volume", "+"}, {"mute"}, {"unmute"}, {"stop"}, {"repeat"}} {
		out, errs, code := h.once("", args...)
		if code != 1 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "homebot run") {
			t.Errorf("%v without an engine: %d %q %q", args, code, out, errs)
		}
	}
	for _, args := range [][]string{{"volume", "101"}, {"volume", "+5"}, {"volume", "loud"}, {"volume", "1", "2"}, {"mute", "on"}} {
		if _, errs, code := h.once("", args...); code != 2 || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: %d %q", args, code, errs)
		}
	}
	h.talk().say("hello")
	if _, errs, code := h.once("", "stop"); code != 1 || !strings.Contains(errs, "no sound") {
		t.Errorf("beside a chat: %d %q", code, errs)
	}
}

// V4, S3: over the real sound path: volume and mute from the command line are
// heard and seen, a killed appliance begins with them, and what was said last is
// said again and stopped.
func TestControlsAloud(t *testing.T) {
	if testing.Short() {
		t.Skip("real processes and real sound")
	}
	t.Parallel()
	h := newHome(t, nil).withSpeech()
	h.configure("[system]\nlanguage = \"en\"\n")
	r := newRoom(t, h)
	a := h.appliance(r)
	run := func(want string, args ...string) {
		t.Helper()
		if out, errs, code := h.once("", args...); code != 0 || !strings.Contains(out, want) {
			t.Fatalf("%v: %d %q %q", args, code, out, errs)
		}
	}
	run("volume 70", "volume")
	run("volume 80", "volume", "80")
	run("volume 90", "volume", "+")
	mark := a.mark()
	run("", "repeat")
	a.must(mark, "that there is nothing to repeat", is(event.Said))
	run("stopped", "stop")
	a.rest(event.Idle)
	mark = a.mark()
	began := time.Now()
	run("homebot unmute", "mute")
	a.must(mark, "muted", inState(event.Muted))
	told := a.must(mark, "the sentence about the microphone", is(event.Said))
	if w := dataOf[event.Words](told); !strings.Contains(w.Text, "microphone is off") {
		t.Errorf("said %q", w.Text)
	}
	a.must(mark, "the last of it", func(e event.Event) bool {
		return e.Kind == event.Said && strings.Contains(dataOf[event.Words](e).Text, "unmute")
	})
	if d := r.sounding(began, time.Now()); d < 300*time.Millisecond {
		t.Errorf("the loudspeaker sounded for %v", d)
	}
	a.kill()

	a = h.appliance(r)
	if s := a.snapshot(); s.Dialogue != event.Muted || !s.Muted || s.Volume != 90 {
		t.Errorf("after a restart: %+v", s)
	}
	mark = a.mark()
	r.say("hey home bot", "en")
	run("on", "unmute")
	a.must(mark, "idle", inState(event.Idle))
	for _, e := range a.since(mark) {
		if e.Kind == event.Woken && e.State.Muted {
			t.Error("it heard while the microphone was off")
		}
	}
}
