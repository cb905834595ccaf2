package voice_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/internal/event"
	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
	"homebot/voice"
	"homebot/voice/voicetest"
)

// pipes is a net.Listener whose connections are net.Pipes.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	shut  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.shut:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.shut) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.shut:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// The voice session over the real protocol: microphone → speech.Client →
// websocket → speech.Server → recogniser, and back: a question, its follow-up,
// and a barge-in, in PCM that carries its words.
func TestOverTheProtocol(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wire := &pipes{conns: make(chan net.Conn), shut: make(chan struct{})}
		server := &speech.Server{Engine: &speechtest.Engine{}}
		client := speech.NewClient(speech.Config{
			URL: "http://127.0.0.1", Dial: wire.dial,
			Hello: speech.Hello{Wake: []speech.Phrase{{Text: voicetest.WakeZH, Lang: "zh"}}},
		})
		mic, sink := &audiotest.Source{}, &audiotest.Sink{}
		bus, player := event.NewBus(event.State{}), audio.NewPlayer(sink, nil)
		handler := &voicetest.Handler{Bus: bus, Answers: []voicetest.Answer{
			{Says: "几个人吃？"},
			{Says: "三个人要六个鸡蛋，两个番茄，一点盐，一点糖，再来一点葱花。", Next: voice.End},
			{Says: "好的。", Next: voice.End},
		}}
		listener := voice.NewListener(voice.ListenerConfig{Source: mic, Ears: client})
		loop := voice.NewLoop(voice.LoopConfig{
			Listener: listener, Player: player, Handler: handler, Bus: bus,
			Speaker: voice.NewSpeaker(&speechtest.Synthesizer{}, player, nil),
			Illegal: func(from, to event.DialogueState) { t.Errorf("illegal: %s → %s", from, to) },
		})
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for _, run := range []func(context.Context) error{
			bus.Run, player.Run, listener.Run, client.Run, loop.Run,
			func(ctx context.Context) error { return server.Run(ctx, wire) },
		} {
			all.Go(func() {
				if err := run(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		say := func(pause time.Duration, words string) {
			mic.Wait(pause)
			mic.Say(speechtest.Utter(words, "zh", audio.CaptureRate))
		}
		say(time.Second, "你好小厨番茄炒蛋怎么做")
		time.Sleep(5 * time.Second) // answered; the follow-up window is open
		if s := bus.Snapshot(); s.Dialogue != event.Listening || len(s.Faults) != 0 {
			t.Errorf("%+v", s)
		}
		say(100*time.Millisecond, "三个人")
		time.Sleep(3 * time.Second)
		if s := bus.Snapshot().Dialogue; s != event.Speaking {
			t.Errorf("%s, not speaking", s)
		}
		say(0, "你好小厨再说一遍")
		time.Sleep(5 * time.Second)
		cancel()
		all.Wait()
		var heard []string
		for _, turn := range handler.Turns() {
			heard = append(heard, turn.Text)
		}
		if got := strings.Join(heard, "，"); got != "番茄炒蛋怎么做，三个人，再说一遍" {
			t.Errorf("heard %s", got)
		}
		turns := handler.Turns()
		if len(turns) == 3 && (turns[0].ChatID != turns[1].ChatID || turns[1].ChatID == turns[2].ChatID) {
			t.Errorf("%+v", turns)
		}
	})
}
