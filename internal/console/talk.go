package console

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"homebot/audio"
	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/voice"
)

// Talks makes the dialogues of browsers that have a microphone: the same ears,
// loop and voice as the device's own, with another microphone and loudspeaker.
type Talks interface {
	Phrases() []string // that wake
	Open(t TalkConfig) Talk
}

// TalkConfig is what one browser brings.
type TalkConfig struct {
	Source audio.Source // its microphone
	Sink   audio.Sink   // its loudspeaker
	Bus    voice.Bus    // what happens in this talk is told here
	ChatID string       // of its conversation
	Lang   string       // of what is said before it spoke
}

// Talk is one dialogue (voice.Loop with what it needs). Run ends with ctx.
type Talk interface {
	Run(ctx context.Context) error
	Press(ctx context.Context, lang string) error
	Release(ctx context.Context) error
	Stop(ctx context.Context) error
}

// Bounds of a talk's websocket.
const (
	maxFrame  = 8 << 10 // bytes of sound from a browser at once
	talkQueue = 256     // messages to a browser that wait; sound is at most 400 ms ahead
)

// talk serves a browser's microphone.
func (c *Console) talk(w http.ResponseWriter, r *http.Request) error {
	if c.Talks == nil {
		return refusal{http.StatusServiceUnavailable, "no_speech", phrases.ConsoleNoTalk, nil}
	}
	free, ok := c.limits.take(true)
	if !ok {
		return refusal{http.StatusServiceUnavailable, "talks_busy", phrases.ConsoleTalksBusy, nil}
	}
	defer free()
	if !c.hub.enter() {
		return nil
	}
	defer c.hub.exit()
	conn, err := c.upgrade(w, r)
	if err != nil {
		return nil // upgrade has answered
	}
	defer conn.Close()
	defer c.hub.parts(conn)()
	conn.SetReadLimit(maxFrame)
	ctx, cancel := context.WithCancel(c.hub.open)
	defer cancel()
	t := newTalkPage(c, conn, cancel, c.lang(r))
	defer c.hub.talkOf(entryOf(r).ID, cancel)()
	t.run(ctx, r.URL.Query().Get("wake") == "1")
	return nil
}

// talkPage is one browser that talks. The reader is the request's goroutine; run
// joins the others.
type talkPage struct {
	c      *Console
	conn   *websocket.Conn
	cancel context.CancelFunc
	lang   string
	chatID string
	mic    *browserMic
	out    chan message
	bus    *talkBus
	talk   Talk
}

// message is one frame to the browser.
type message struct {
	kind int
	data []byte
}

func newTalkPage(c *Console, conn *websocket.Conn, cancel context.CancelFunc, lang string) *talkPage {
	t := &talkPage{
		c: c, conn: conn, cancel: cancel, lang: lang, chatID: conversation.NewChatID(voice.ChannelWeb, c.Now()),
		mic: newBrowserMic(), out: make(chan message, talkQueue),
	}
	t.bus = &talkBus{page: t, house: c.Bus, state: event.State{Dialogue: event.Idle}}
	t.talk = c.Talks.Open(TalkConfig{Source: t.mic, Sink: newBrowserSpeaker(t.send), Bus: t.bus, ChatID: t.chatID, Lang: lang})
	return t
}

func (t *talkPage) run(ctx context.Context, wake bool) {
	var all sync.WaitGroup
	defer all.Wait()
	defer t.cancel()
	t.tell(map[string]any{"type": "ready", "chat_id": t.chatID, "wake": wake, "phrases": t.c.Talks.Phrases()})
	stop := context.AfterFunc(ctx, func() { _ = t.conn.SetReadDeadline(time.Now()) })
	defer stop()
	all.Go(func() { t.write(ctx) })
	all.Go(func() { t.turns(ctx) })
	all.Go(func() {
		if err := t.talk.Run(ctx); err != nil {
			t.c.Log.Warn("a browser's talk ended", "err", err)
		}
		t.cancel()
	})
	t.read(ctx)
}

// read takes sound and orders until the browser goes.
func (t *talkPage) read(ctx context.Context) {
	for ctx.Err() == nil {
		kind, data, err := t.conn.ReadMessage()
		if err != nil {
			return
		}
		_ = t.conn.SetReadDeadline(time.Now().Add(pongWait))
		if kind == websocket.BinaryMessage {
			t.mic.take(data)
			continue
		}
		if err := t.order(ctx, data); err != nil {
			t.tell(map[string]any{"type": "error", "code": problemIn(err, t.lang).Code, "text": problemIn(err, t.lang).Text})
		}
	}
}

// order carries out what the browser's buttons say.
func (t *talkPage) order(ctx context.Context, data []byte) error {
	var o struct {
		Do   string `json:"do"`
		Lang string `json:"lang"`
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return badJSON(err)
	}
	if o.Lang != phrases.Chinese && o.Lang != phrases.English {
		o.Lang = t.lang
	}
	ctx, cancel := context.WithTimeout(ctx, deviceWait)
	defer cancel()
	switch o.Do {
	case "press":
		return t.talk.Press(ctx, o.Lang)
	case "release":
		return t.talk.Release(ctx)
	case "stop":
		return t.talk.Stop(ctx)
	case "ping":
		return nil
	}
	return badCommand(phrases.ConsoleOneOf, "do", "press, release, stop, ping")
}

// turns tells of this talk's turns, which the agent publishes for the house.
func (t *talkPage) turns(ctx context.Context) {
	_, events := t.c.Bus.Watch(ctx, pageQueue)
	for e := range events {
		if turn, ok := e.Data.(event.Turn); ok && e.Kind == event.TurnDone && turn.ChatID == t.chatID {
			t.bus.Publish(e.Kind, turn)
		}
	}
}

// send queues a message. A browser that does not take its sound is gone.
func (t *talkPage) send(m message) {
	select {
	case t.out <- m:
	default:
		t.cancel()
	}
}

func (t *talkPage) tell(v any) { t.send(message{websocket.TextMessage, encode(v)}) }

func (t *talkPage) write(ctx context.Context) {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	defer t.cancel()
	for {
		select {
		case <-ctx.Done():
			_ = t.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseGoingAway, ""), time.Now().Add(time.Second))
			return
		case <-ping.C:
			if t.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait)) != nil {
				return
			}
		case m := <-t.out:
			_ = t.conn.SetWriteDeadline(time.Now().Add(writeWait))
			if t.conn.WriteMessage(m.kind, m.data) != nil {
				return
			}
		}
	}
}

// talkBus is voice.Bus for one browser: its dialogue state and faults are its
// own, the run mode is the house's.
type talkBus struct {
	page  *talkPage
	house Bus

	mu    sync.Mutex
	state event.State
}

// talkEvent is what happens in a talk, on the wire.
type talkEvent struct {
	Type     string              `json:"type"` // "event"
	Kind     event.Kind          `json:"kind"`
	Data     any                 `json:"data,omitempty"`
	Dialogue event.DialogueState `json:"dialogue_state"`
	Faults   []event.Fault       `json:"faults,omitempty"`
}

func (b *talkBus) Publish(kind event.Kind, data any) { b.Update(nil, kind, data) }

func (b *talkBus) Update(change func(*event.State), kind event.Kind, data any) {
	b.mu.Lock()
	if change != nil {
		change(&b.state)
	}
	e := talkEvent{Type: "event", Kind: kind, Data: data, Dialogue: b.state.Dialogue, Faults: append([]event.Fault{}, b.state.Faults...)}
	b.mu.Unlock()
	b.page.tell(e)
}

func (b *talkBus) Snapshot() event.State {
	b.mu.Lock()
	s := b.state
	b.mu.Unlock()
	s.Mode = b.house.Snapshot().Mode
	return s
}

// samplesOf reads little-endian PCM; an odd byte at the end is dropped.
func samplesOf(data []byte) []int16 {
	pcm := make([]int16, len(data)/2)
	for i := range pcm {
		pcm[i] = int16(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return pcm
}

func bytesOf(pcm []int16) []byte {
	data := make([]byte, 2*len(pcm))
	for i, s := range pcm {
		binary.LittleEndian.PutUint16(data[2*i:], uint16(s))
	}
	return data
}
