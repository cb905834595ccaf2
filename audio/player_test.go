package audio_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
)

// play runs f in a bubble with a running player on a fake loudspeaker.
func play(t *testing.T, f func(t *testing.T, p *audio.Player, sink *audiotest.Sink)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		sink := &audiotest.Sink{}
		p := audio.NewPlayer(sink, nil)
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() {
			if err := p.Run(ctx); err != nil {
				t.Errorf("Run = %v", err)
			}
		})
		f(t, p, sink)
		cancel()
		running.Wait()
	})
}

func tone(d time.Duration) []int16 { return audiotest.Tone(440, d, audio.PlaybackRate) }

// Streams play in the order of Begin, whole, and Done comes when the last
// sample was heard.
func TestPlayerOrder(t *testing.T) {
	play(t, func(t *testing.T, p *audio.Player, sink *audiotest.Sink) {
		begun := time.Now()
		a, b := p.Begin(t.Context()), p.Begin(t.Context())
		first, second := tone(300*time.Millisecond), audiotest.Tone(700, 200*time.Millisecond, audio.PlaybackRate)
		if err := b.Write(second); err != nil {
			t.Fatal(err)
		}
		b.End()
		if err := a.Write(first); err != nil {
			t.Fatal(err)
		}
		a.End()
		<-a.Done()
		if d := time.Since(begun); d < 300*time.Millisecond || d > 420*time.Millisecond {
			t.Errorf("the first was over after %v", d)
		}
		<-b.Done()
		if got := sink.Heard(); !slices.Equal(got, slices.Concat(first, second)) {
			t.Errorf("heard %d samples, want %d in order", len(got), len(first)+len(second))
		}
		if a.Played() != len(first) || b.Played() != len(second) || a.Err() != nil {
			t.Errorf("played %d and %d, err %v", a.Played(), b.Played(), a.Err())
		}
	})
}

// V6: Played never counts what was not heard, at any moment.
func TestPlayedIsHeard(t *testing.T) {
	play(t, func(t *testing.T, p *audio.Player, sink *audiotest.Sink) {
		s := p.Begin(t.Context())
		go func() {
			s.Write(tone(time.Second))
			s.End()
		}()
		last := 0
		for range 130 {
			time.Sleep(7 * time.Millisecond)
			n, heard := s.Played(), len(sink.Heard())
			if n > heard || n < last {
				t.Fatalf("Played %d (before %d) with %d heard", n, last, heard)
			}
			last = n
		}
		if last < audio.PlaybackRate/2 {
			t.Errorf("after 910ms Played is %d", last)
		}
	})
}

// V6: Stop silences within 200 ms, ends what is queued, and keeps what was
// heard.
func TestPlayerStop(t *testing.T) {
	play(t, func(t *testing.T, p *audio.Player, sink *audiotest.Sink) {
		a, b := p.Begin(t.Context()), p.Begin(t.Context())
		blocked := make(chan error, 1)
		go func() { blocked <- a.Write(tone(5 * time.Second)) }()
		time.Sleep(503 * time.Millisecond)
		begun := time.Now()
		p.Stop()
		if d := time.Since(begun); d > 200*time.Millisecond {
			t.Errorf("Stop took %v", d)
		}
		silent := len(sink.Heard())
		time.Sleep(time.Second)
		if more := len(sink.Heard()) - silent; more != 0 {
			t.Errorf("%d samples after Stop", more)
		}
		if err := <-blocked; !errors.Is(err, audio.ErrStopped) {
			t.Errorf("the blocked Write = %v", err)
		}
		<-a.Done()
		<-b.Done()
		if n := a.Played(); n == 0 || n > silent || silent-n > audio.PlaybackRate*130/1000 {
			t.Errorf("Played %d with %d heard", n, silent)
		}
		if b.Played() != 0 || !errors.Is(b.Err(), audio.ErrStopped) {
			t.Errorf("the second: %d, %v", b.Played(), b.Err())
		}
		c := p.Begin(t.Context())
		c.Write(tone(100 * time.Millisecond))
		c.End()
		<-c.Done()
		if c.Err() != nil || len(sink.Heard())-silent != audio.PlaybackRate/10 {
			t.Errorf("after Stop: %v, %d samples", c.Err(), len(sink.Heard())-silent)
		}
	})
}

// V6: a cancelled turn is barge-in: its stream stops with the cause, others
// play on.
func TestPlayerCancel(t *testing.T) {
	play(t, func(t *testing.T, p *audio.Player, sink *audiotest.Sink) {
		why := errors.New("barge-in")
		ctx, cancel := context.WithCancelCause(t.Context())
		a := p.Begin(ctx)
		a.Write(tone(800 * time.Millisecond))
		b := p.Begin(t.Context())
		b.Write(tone(100 * time.Millisecond))
		b.End()
		time.Sleep(251 * time.Millisecond)
		cancel(why)
		<-a.Done()
		if !errors.Is(a.Err(), why) || !errors.Is(a.Write(tone(time.Millisecond)), why) {
			t.Errorf("the cancelled stream: %v", a.Err())
		}
		<-b.Done()
		if b.Err() != nil || b.Played() != audio.PlaybackRate/10 || sink.Flushes() != 1 {
			t.Errorf("the other: %v, %d, %d flushes", b.Err(), b.Played(), sink.Flushes())
		}
		dead, stop := context.WithCancel(t.Context())
		stop()
		c := p.Begin(dead)
		<-c.Done()
		if c.Err() == nil {
			t.Error("a stream of a cancelled context plays")
		}
	})
}

// An earcon does not wait behind a stream whose voice is still thinking, and
// does not cut one that plays.
func TestPlayerEarcons(t *testing.T) {
	play(t, func(t *testing.T, p *audio.Player, sink *audiotest.Sink) {
		s := p.Begin(t.Context())
		p.Play(audio.Earcon(audio.EarconWake))
		time.Sleep(500 * time.Millisecond)
		if got := sink.Heard(); !slices.Equal(got, audio.Earcon(audio.EarconWake)) {
			t.Fatalf("heard %d samples of the earcon", len(got))
		}
		sink.Forget()
		speech := tone(400 * time.Millisecond)
		s.Write(speech)
		time.Sleep(50 * time.Millisecond)
		p.Play(audio.Earcon(audio.EarconDone))
		s.End()
		<-s.Done()
		time.Sleep(time.Second)
		if got := sink.Heard(); !slices.Equal(got, slices.Concat(speech, audio.Earcon(audio.EarconDone))) {
			t.Errorf("heard %d samples", len(got))
		}
	})
}

// V8: a lost loudspeaker fails the stream with what was heard; the next plays
// when the device is back.
func TestPlayerLost(t *testing.T) {
	play(t, func(t *testing.T, p *audio.Player, sink *audiotest.Sink) {
		a := p.Begin(t.Context())
		go a.Write(tone(2 * time.Second))
		time.Sleep(501 * time.Millisecond)
		sink.Unplug()
		<-a.Done()
		if heard := len(sink.Heard()); !errors.Is(a.Err(), audio.ErrLost) || a.Played() > heard || a.Played() == 0 {
			t.Errorf("lost: %v, played %d of %d", a.Err(), a.Played(), heard)
		}
		p.Play(tone(50 * time.Millisecond))
		time.Sleep(100 * time.Millisecond)
		sink.Plug()
		sink.Forget()
		b := p.Begin(t.Context())
		b.Write(tone(100 * time.Millisecond))
		b.End()
		<-b.Done()
		if b.Err() != nil || len(sink.Heard()) != audio.PlaybackRate/10 {
			t.Errorf("back: %v, %d samples", b.Err(), len(sink.Heard()))
		}
	})
}

// V6: even a loudspeaker that hangs does not hold Stop longer than its budget.
func TestPlayerStopWhileStalled(t *testing.T) {
	play(t, func(t *testing.T, p *audio.Player, sink *audiotest.Sink) {
		a := p.Begin(t.Context())
		a.Write(tone(500 * time.Millisecond))
		time.Sleep(100 * time.Millisecond)
		sink.Stall()
		time.Sleep(time.Second)
		begun := time.Now()
		p.Stop()
		if d := time.Since(begun); d > 200*time.Millisecond {
			t.Errorf("Stop took %v", d)
		}
		sink.Resume()
		<-a.Done()
	})
}

// The volume changes without a jump and is squared into the gain.
func TestPlayerVolume(t *testing.T) {
	play(t, func(t *testing.T, p *audio.Player, sink *audiotest.Sink) {
		flat := make([]int16, audio.PlaybackRate/2)
		for i := range flat {
			flat[i] = 10000
		}
		s := p.Begin(t.Context())
		s.Write(flat)
		time.Sleep(200 * time.Millisecond)
		p.SetVolume(0.5)
		s.End()
		<-s.Done()
		heard := sink.Heard()
		if heard[0] != 10000 || heard[len(heard)-1] != 2500 || p.Volume() != 0.5 {
			t.Errorf("from %d to %d", heard[0], heard[len(heard)-1])
		}
		for i := 1; i < len(heard); i++ {
			if heard[i-1]-heard[i] > 100 {
				t.Fatalf("a click of %d at %d", heard[i-1]-heard[i], i)
			}
		}
	})
}

// Without Run nothing hangs: Stop returns, and streams of before are over.
func TestPlayerWithoutRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := audio.NewPlayer(&audiotest.Sink{}, nil)
		s := p.Begin(t.Context())
		p.Play(tone(time.Millisecond))
		p.Stop()
		<-s.Done()
		if !errors.Is(s.Write(tone(time.Millisecond)), audio.ErrStopped) {
			t.Error("a stopped stream takes more")
		}
	})
}

// When Run ends every stream ends.
func TestPlayerRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := audio.NewPlayer(&audiotest.Sink{}, nil)
		s := p.Begin(t.Context())
		s.Write(tone(900 * time.Millisecond))
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if err := p.Run(ctx); err != nil {
			t.Fatal(err)
		}
		<-s.Done()
		if s.Played() == 0 || !errors.Is(s.Err(), audio.ErrStopped) {
			t.Errorf("%d, %v", s.Played(), s.Err())
		}
	})
}

func BenchmarkPlayer(b *testing.B) {
	p := audio.NewPlayer(deaf{}, nil)
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { p.Run(ctx) })
	second := tone(time.Second)
	for b.Loop() {
		s := p.Begin(ctx)
		s.Write(second)
		s.End()
		<-s.Done()
	}
	cancel()
	running.Wait()
	b.ReportMetric(b.Elapsed().Seconds()*100/float64(b.N), "%core")
}

// deaf is a Sink that takes all at once.
type deaf struct{}

func (deaf) Write(p []int16) (int, error) { return len(p), nil }
func (deaf) Latency() time.Duration       { return 0 }
func (deaf) Flush() error                 { return nil }
func (deaf) Drain() error                 { return nil }
func (deaf) Close() error                 { return nil }

// V6: a stream that is held falls silent within the latency and one chunk, and
// goes on with the very next sample; an earcon sounds meanwhile.
func TestHold(t *testing.T) {
	play(t, func(t *testing.T, p *audio.Player, sink *audiotest.Sink) {
		pcm := audiotest.Babble(1, 800*time.Millisecond, audio.PlaybackRate)
		s := p.Begin(t.Context())
		written := make(chan error, 1)
		go func() { written <- s.Write(pcm); s.End() }()
		time.Sleep(307 * time.Millisecond)
		p.Hold(true)
		time.Sleep(150 * time.Millisecond)
		held := len(sink.Heard())
		if most := 430 * audio.PlaybackRate / 1000; held > most {
			t.Errorf("%d samples sounded, at most %d should", held, most)
		}
		time.Sleep(time.Second)
		if now := len(sink.Heard()); now != held {
			t.Errorf("it went on while held: %d, then %d", held, now)
		}
		p.Play(audio.Earcon(audio.EarconWake))
		time.Sleep(500 * time.Millisecond)
		clip := len(audio.Earcon(audio.EarconWake))
		if got := len(sink.Heard()) - held; got != clip {
			t.Errorf("the earcon had %d samples, not %d", got, clip)
		}
		p.Hold(false)
		<-s.Done()
		heard := sink.Heard()
		if got := slices.Concat(heard[:held], heard[held+clip:]); !slices.Equal(got, pcm) || s.Played() != len(pcm) {
			t.Errorf("samples were lost or said twice: %d of %d, played %d", len(got), len(pcm), s.Played())
		}
		if err := <-written; err != nil {
			t.Error(err)
		}
	})
}
