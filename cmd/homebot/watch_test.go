package main

import (
	"bytes"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// service is a homebot that systemd has started, and what it said.
type service struct {
	t    *testing.T
	hear *net.UnixConn
	errs bytes.Buffer
	stop func() error
}

// startService starts `homebot run` with the socket of a Type=notify service
// whose watchdog bites after limit.
func (h *home) startService(t *testing.T, limit time.Duration, args ...string) *service {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	h.setenv("NOTIFY_SOCKET", socket)
	h.setenv("WATCHDOG_USEC", fmt.Sprint(limit.Microseconds()))
	s := &service{t: t, hear: l}
	c := h.command(append([]string{"run"}, args...)...)
	c.Stderr = &s.errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	s.stop = sync.OnceValue(func() error {
		_ = c.Process.Signal(syscall.SIGTERM)
		return c.Wait()
	})
	t.Cleanup(func() { _ = c.Process.Kill(); _ = s.stop(); l.Close() })
	return s
}

// next is the next thing said that is not in skip.
func (s *service) next(skip ...string) string {
	s.t.Helper()
	buf := make([]byte, 4096)
	for {
		_ = s.hear.SetReadDeadline(time.Now().Add(patience))
		n, err := s.hear.Read(buf)
		if err != nil {
			s.t.Fatalf("%v; stderr: %s", err, &s.errs)
		}
		said := string(buf[:n])
		again := false
		for _, x := range skip {
			again = again || said == x
		}
		if !again {
			return said
		}
	}
}

// V8: as a service homebot says when it is ready, that it lives, what is wrong in
// one line, and that it stops.
func TestServiceTellsSystemd(t *testing.T) {
	h := newHome(t, nil)
	h.configure("[system]\nlanguage = \"en\"\n")
	s := h.startService(t, 3*time.Second, "--no-sound")
	if got := s.next(); got != "READY=1\nSTATUS=All is well." {
		t.Errorf("first word %q", got)
	}
	for range 3 {
		if got := s.next(); got != "WATCHDOG=1" {
			t.Errorf("then %q", got)
		}
	}
	if err := s.stop(); err != nil {
		t.Errorf("%v: %s", err, &s.errs)
	}
	if got := s.next("WATCHDOG=1"); got != "STOPPING=1" {
		t.Errorf("last word %q", got)
	}
}

// V8: without a microphone homebot is ready when it has told so, is fed on, and
// says in its status line that it is deaf: systemd must not start it again and
// again for a cable.
func TestDeafServiceIsFed(t *testing.T) {
	h := newHome(t, nil).withSpeech()
	noCard(t, h)
	h.configure("[system]\nlanguage = \"en\"\n")
	s := h.startService(t, 3*time.Second)
	got := s.next()
	if !strings.HasPrefix(got, "READY=1\nSTATUS=") || !strings.Contains(got, phrases.NoMicrophone.EN) {
		t.Errorf("first word %q", got)
	}
	for range 3 {
		if got := s.next(); !strings.HasPrefix(got, "WATCHDOG=1") {
			t.Errorf("then %q", got)
		}
	}
}

// V8: ready is when it hears, or when people were told why not; a fault that is
// not yet told may still go by itself.
func TestSettled(t *testing.T) {
	deaf := []event.Fault{{Code: event.FaultMicrophone}, {Code: event.FaultEars}}
	mic, ears := deaf[:1], deaf[1:]
	for name, tt := range map[string]struct {
		events []event.Event
		want   bool
	}{
		"hears":             {[]event.Event{state(deaf), state(ears), state(nil)}, true},
		"not yet":           {[]event.Event{state(deaf), state(ears)}, false},
		"before it began":   {[]event.Event{state(nil)}, false},
		"told":              {[]event.Event{state(deaf), state(mic), {Kind: event.FaultAppeared, Data: mic[0], State: event.State{Faults: mic}}}, true},
		"told one of two":   {[]event.Event{state(deaf), {Kind: event.FaultAppeared, Data: mic[0], State: event.State{Faults: deaf}}}, false},
		"told another code": {[]event.Event{state(mic), {Kind: event.FaultAppeared, Data: event.Fault{Code: "llm"}, State: event.State{Faults: mic}}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				events := make(chan event.Event, len(tt.events))
				for _, e := range tt.events {
					events <- e
				}
				close(events)
				if got := settled(events); got != tt.want {
					t.Errorf("%v, want %v", got, tt.want)
				}
			})
		})
	}
}

func state(faults []event.Fault) event.Event {
	return event.Event{Kind: event.StateChanged, State: event.State{Faults: faults}}
}
