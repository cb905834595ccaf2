package voice_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/internal/event"
	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
	"homebot/voice"
)

// instantEars answers at once: what is measured is this package.
type instantEars struct {
	heard chan speech.Heard
	mu    sync.Mutex
	sent  int
	at    time.Time // of the newest sample
}

func (e *instantEars) Heard() <-chan speech.Heard { return e.heard }
func (e *instantEars) Take(string) error          { return nil }
func (e *instantEars) Overhear(string) error      { return nil }
func (e *instantEars) Wait() error                { return nil }

func (e *instantEars) Send(pcm []int16) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent, e.at = e.sent+len(pcm), time.Now()
	return nil
}

func (e *instantEars) End() error {
	e.heard <- speech.Heard{Kind: speech.Final, Text: "几点了", Lang: "zh"}
	return nil
}

// position is the newest sample, and when it was captured.
func (e *instantEars) position() (int, time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sent, e.at
}

func (e *instantEars) wake() {
	at, _ := e.position()
	e.heard <- speech.Heard{Kind: speech.Wake, Phrase: "你好小厨", Lang: "zh", End: at}
}

// stampSink takes everything at once and tells when it is given something.
type stampSink struct {
	audiotest.Sink
	given chan time.Time
}

func (s *stampSink) Write(p []int16) (int, error) {
	select {
	case s.given <- time.Now():
	default:
	}
	return len(p), nil
}

// next is when the sink is first given something from now on.
func (s *stampSink) next() time.Time {
	for {
		select {
		case <-s.given: // of before
		default:
			return <-s.given
		}
	}
}

// called is a Handler that tells when it is called.
type called chan time.Time

func (c called) Handle(ctx context.Context, _ voice.Turn, r voice.Reply) error {
	c <- time.Now()
	r.Finish(ctx, voice.End)
	r.Done(voice.Result{Next: voice.End})
	return nil
}

// rig is a running voice session in real time.
type rig struct {
	ears    *instantEars
	sink    *stampSink
	speaker *voice.Speaker
	player  *audio.Player
	called  called
}

const benchSilence = 100 * time.Millisecond

func newRig(b *testing.B) *rig {
	r := &rig{
		ears: &instantEars{heard: make(chan speech.Heard, 8)},
		sink: &stampSink{given: make(chan time.Time, 1)}, called: make(called, 1),
	}
	r.player = audio.NewPlayer(r.sink, nil)
	r.speaker = voice.NewSpeaker(&speechtest.Synthesizer{}, r.player, nil)
	bus := event.NewBus(event.State{})
	listener := voice.NewListener(voice.ListenerConfig{
		Source: &audiotest.Source{}, Ears: r.ears, Endpointing: voice.Endpointing{Silence: benchSilence},
	})
	loop := voice.NewLoop(voice.LoopConfig{
		Listener: listener, Speaker: r.speaker, Player: r.player, Handler: r.called, Bus: bus,
	})
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, run := range []func(context.Context) error{bus.Run, r.player.Run, listener.Run, loop.Run} {
		all.Go(func() { _ = run(ctx) })
	}
	b.Cleanup(func() { cancel(); all.Wait() })
	r.ears.heard <- speech.Heard{Kind: speech.Ready}
	time.Sleep(200 * time.Millisecond)
	return r
}

func report(b *testing.B, sum time.Duration, worst time.Duration) {
	b.ReportMetric(float64(sum.Microseconds())/1000/float64(b.N), "ms/op")
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
	b.ReportMetric(0, "ns/op")
}

// End of speech → Handle called, beyond the endpointing silence; the recogniser
// answers at once here, so its own time comes on top. It is up to one frame of
// 20 ms and the hops between goroutines. Aim: 30 ms.
func BenchmarkEndOfSpeechToHandle(b *testing.B) {
	r := newRig(b)
	var sum, worst time.Duration
	for b.Loop() {
		r.ears.wake()
		time.Sleep(107 * time.Millisecond)
		r.ears.heard <- speech.Heard{Kind: speech.SpeechStarted}
		time.Sleep(107 * time.Millisecond)
		end, ended := r.ears.position()
		r.ears.heard <- speech.Heard{Kind: speech.SpeechStopped, End: end}
		d := (<-r.called).Sub(ended) - benchSilence
		sum, worst = sum+d, max(worst, d)
		time.Sleep(20 * time.Millisecond)
	}
	report(b, sum, worst)
}

// Wake message → earcon handed to the sink. Aim: 150 ms.
func BenchmarkWakeToEarcon(b *testing.B) {
	r := newRig(b)
	var sum, worst time.Duration
	for b.Loop() {
		time.Sleep(350 * time.Millisecond) // the earcon before is over
		woken := time.Now()
		r.ears.wake()
		d := r.sink.next().Sub(woken)
		r.ears.heard <- speech.Heard{Kind: speech.NoSpeech}
		sum, worst = sum+d, max(worst, d)
	}
	report(b, sum, worst)
}

// unwatched looks away: the Speaker alone is measured.
type unwatched struct{}

func (unwatched) Said(context.Context, event.Words) {}
func (unwatched) Mute(context.Context, error)       {}

// First sentence complete → first sound to the sink; the voice answers at once
// here. Aim: 150 ms.
func BenchmarkSentenceToSound(b *testing.B) {
	r := newRig(b)
	var sum, worst time.Duration
	for b.Loop() {
		ctx, cancel := context.WithCancel(context.Background())
		s := r.speaker.Begin(ctx, "zh", unwatched{})
		s.Write("先把番茄切块")
		time.Sleep(5 * time.Millisecond)
		complete := time.Now()
		s.Write("。再")
		d := r.sink.next().Sub(complete)
		cancel()
		s.Finish(ctx)
		sum, worst = sum+d, max(worst, d)
	}
	report(b, sum, worst)
}
