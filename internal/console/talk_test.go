package console

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"homebot/audio"
	"homebot/internal/event"
	"homebot/voice"
)

// fakeTalks make talks that send the microphone's loudness back as sound and tell
// what was ordered.
type fakeTalks struct{}

func (fakeTalks) Phrases() []string      { return []string{"hey home bot"} }
func (fakeTalks) Open(c TalkConfig) Talk { return &fakeTalk{TalkConfig: c, device: &fakeDevice{}} }

type fakeTalk struct {
	TalkConfig
	device *fakeDevice
}

// Run answers the first loud frame with a second of sound, then turns it off.
func (f *fakeTalk) Run(ctx context.Context) error {
	f.Bus.Update(func(s *event.State) { s.Dialogue = event.Listening }, event.StateChanged, nil)
	frame := make([]int16, audio.SessionFrame)
	context.AfterFunc(ctx, func() { _ = f.Source.Close(); _ = f.Sink.Close() })
	for ctx.Err() == nil {
		if _, err := f.Source.Read(frame); err != nil {
			return nil
		}
		if slices.Max(frame) < 1000 {
			continue
		}
		for range 50 {
			if _, err := f.Sink.Write(make([]int16, audio.PlaybackRate/50)); err != nil {
				return nil
			}
		}
		_ = f.Sink.Flush()
		f.Bus.Publish(event.Said, event.Words{Text: f.ChatID, Lang: f.Lang})
	}
	return nil
}

func (f *fakeTalk) Press(_ context.Context, lang string) error {
	f.Bus.Publish(event.Woken, event.Wake{Lang: lang, ChatID: f.ChatID})
	return nil
}
func (f *fakeTalk) Release(context.Context) error { f.Bus.Publish(event.NothingHeard, nil); return nil }
func (f *fakeTalk) Stop(context.Context) error    { f.Bus.Publish(event.BargedIn, nil); return nil }

var _ voice.Bus = (*talkBus)(nil)

// A browser's talk: sound goes up and comes down, orders are taken, the run mode
// is the house's, the dialogue its own; the house's bus hears nothing of it.
func TestTalk(t *testing.T) {
	h := newHouse(t, func(c *Config) { c.Talks = fakeTalks{} })
	_, house := h.bus.Watch(t.Context(), 100)
	s := h.dial("/api/v1/talk?lang=en&wake=1")
	ready := s.next()
	chat, _ := ready["chat_id"].(string)
	if ready["type"] != "ready" || ready["wake"] != true || !strings.HasPrefix(chat, "web-") || len(ready["phrases"].([]any)) != 1 {
		t.Fatalf("first came %v", ready)
	}
	s.until("state", func(m object) bool { return m["kind"] == "state" && m["dialogue_state"] == "listening" })
	s.send(object{"do": "press", "lang": "en"})
	s.until("press", func(m object) bool { return m["kind"] == "wake" && m["data"].(object)["chat_id"] == chat })
	loud := make([]int16, audio.SessionFrame)
	loud[3] = 20000
	if err := s.conn.WriteMessage(websocket.BinaryMessage, bytesOf(loud)); err != nil {
		t.Fatal(err)
	}
	bytes := 0
	s.until("flush", func(m object) bool {
		if n, ok := m["bytes"].(int); ok {
			bytes += n
		}
		return m["type"] == "flush"
	})
	if bytes != 2*audio.PlaybackRate {
		t.Errorf("%d bytes of sound came, want a second", bytes)
	}
	s.send(object{"do": "release"})
	s.until("release", func(m object) bool { return m["kind"] == "no_speech" })
	s.send(object{"do": "stop"})
	s.until("stop", func(m object) bool { return m["kind"] == "barge_in" })
	s.send(object{"do": "dance"})
	s.until("refusal", func(m object) bool { return m["type"] == "error" && m["code"] == "bad_request" })
	h.bus.Publish(event.TurnDone, event.Turn{ChatID: "web-another"})
	h.bus.Publish(event.TurnDone, event.Turn{ChatID: chat, User: "hello"})
	s.until("turn", func(m object) bool { return m["kind"] == "turn" && m["data"].(object)["user"] == "hello" })
	for range 2 {
		if e := <-house; e.Kind != event.TurnDone {
			t.Errorf("the house heard of %v", e)
		}
	}
	if err := s.conn.WriteMessage(websocket.BinaryMessage, make([]byte, maxFrame+2)); err != nil {
		t.Fatal(err)
	}
	_ = s.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	for {
		if _, _, err := s.conn.ReadMessage(); err != nil {
			break // a frame over the limit ends the talk
		}
	}
}

// So many browsers talk at once, and no more; one that left makes room.
func TestTalksAreCounted(t *testing.T) {
	h := newHouse(t, func(c *Config) { c.Talks = fakeTalks{} })
	var open []*socket
	for range maxTalks {
		s := h.dial("/api/v1/talk")
		s.next()
		open = append(open, s)
	}
	h.do("GET", "/api/v1/talk", nil, http.StatusServiceUnavailable, nil)
	_ = open[0].conn.Close()
	within(t, "there is room", func() bool { _, _, talks, _ := h.console.limits.counts(); return talks < maxTalks })
	h.dial("/api/v1/talk").next()
}

// The microphone of a browser keeps the pace of one: silence while nothing comes,
// no gap for a jitter, and no more than two seconds behind.
func TestBrowserMicrophone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newBrowserMic()
		frame := make([]int16, audio.SessionFrame)
		read := func() (took time.Duration) {
			start := time.Now()
			if n, err := m.Read(frame); n != len(frame) || err != nil {
				t.Fatalf("read %d %v", n, err)
			}
			return time.Since(start)
		}
		start := time.Now()
		for range 50 {
			read()
		}
		if took := time.Since(start); took != time.Second || slices.Max(frame) != 0 {
			t.Errorf("a second of silence took %v", took)
		}
		say := func(v int16) { m.take(bytesOf(slices.Repeat([]int16{v}, audio.SessionFrame))) }
		say(5)
		if took := read(); took != 0 || frame[0] != 5 || frame[len(frame)-1] != 5 {
			t.Errorf("sound that is there took %v: %v", took, frame[:3])
		}
		var late sync.WaitGroup
		late.Go(func() { time.Sleep(150 * time.Millisecond); say(6) })
		if took := read(); took != 150*time.Millisecond || frame[0] != 6 {
			t.Errorf("sound that is late took %v: %v", took, frame[:3])
		}
		late.Wait()
		for v := range int16(200) {
			say(100 + v)
		}
		if read(); frame[0] != 200 { // of 200 frames the newest 100
			t.Errorf("after four seconds came frame %d", frame[0])
		}
		_ = m.Close()
		m.pcm = nil
		if _, err := m.Read(frame); err != io.ErrClosedPipe {
			t.Errorf("closed: %v", err)
		}
	})
}

// The loudspeaker of a browser is fed at its own pace, a little ahead, and tells
// how much is not heard yet.
func TestBrowserLoudspeaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []message
		s := newBrowserSpeaker(func(m message) { sent = append(sent, m) })
		start := time.Now()
		for range 100 { // two seconds
			if _, err := s.Write(make([]int16, audio.PlaybackRate/50)); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 2*time.Second-speakerAhead {
			t.Errorf("two seconds took %v", took)
		}
		if l := s.Latency(); l != speakerAhead+speakerDelay {
			t.Errorf("latency %v", l)
		}
		if err := s.Flush(); err != nil || s.Latency() != speakerDelay || string(sent[len(sent)-1].data) != `{"type":"flush"}` {
			t.Errorf("flush: %v, %v", err, s.Latency())
		}
		_ = s.Close()
		if _, err := s.Write([]int16{1}); err != io.ErrClosedPipe {
			t.Errorf("closed: %v", err)
		}
	})
}
