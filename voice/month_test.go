package voice_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/event"
	"homebot/voice"
	"homebot/voice/voicetest"
)

// acts are what may happen to a device, at any time.
var acts = []func(st *voicetest.Stage){
	do(voicetest.Wakes(0, "zh")),
	do(voicetest.Wakes(0, "en")),
	do(voicetest.WakesAndSays(0, "打开做饭模式", "zh", 900*time.Millisecond)),
	do(voicetest.Says(0, "番茄炒蛋怎么做", "zh", 900*time.Millisecond)),
	do(voicetest.Talks(0, "en", 300*time.Millisecond, "first", "", "cut the onion and", "", "then fry it")),
	do(voicetest.Says(0, "停", "zh", 300*time.Millisecond)),
	do(voicetest.Says(0, "never mind", "en", 500*time.Millisecond)),
	do(voicetest.Says(0, "字幕由 Amara.org 社区提供", "zh", 900*time.Millisecond)),
	do(voicetest.Mumbles(0, "zh", 600*time.Millisecond)),
	do(voicetest.Coughs(0, 200*time.Millisecond)),
	do(voicetest.Noise(0, true)),
	do(voicetest.Noise(0, false)),
	do(voicetest.Rings(0, eggs)),
	do(voicetest.Rings(0, eggs, pasta)),
	do(voicetest.Rings(0)),
	func(st *voicetest.Stage) { _ = st.Loop.Mute(context.Background(), true) },
	func(st *voicetest.Stage) { _ = st.Loop.Mute(context.Background(), false) },
	func(st *voicetest.Stage) { _ = st.Loop.Stop(context.Background()) },
	func(st *voicetest.Stage) { _ = st.Loop.Repeat(context.Background()) },
	func(st *voicetest.Stage) { _ = st.Loop.SetVolume(context.Background(), 40) },
	func(st *voicetest.Stage) { st.Ears.Lose() },
	func(st *voicetest.Stage) { st.Ears.Restore() },
	func(st *voicetest.Stage) { st.Mic.Unplug() },
	func(st *voicetest.Stage) { st.Mic.Plug() },
	func(st *voicetest.Stage) { st.Speaker.Unplug() },
	func(st *voicetest.Stage) { st.Speaker.Plug() },
}

// talking is how many of acts are things that people say, and stopWord one of them.
const (
	talking  = 10
	stopWord = 5
)

func do(s voicetest.Step) func(*voicetest.Stage) { return s.Do }

// healed brings back all that an act can take away. What rings then is ended by the
// stop word, whatever was lost meanwhile.
func healed(t *testing.T, st *voicetest.Stage) {
	st.Ears.Noise(false)
	st.Ears.Restore()
	st.Mic.Plug()
	st.Speaker.Plug()
	_ = st.Loop.Mute(context.Background(), false)
	for range 8 { // what others still say may stand before it, or in its way
		if time.Sleep(3 * time.Second); ringing(st) {
			acts[stopWord](st)
		}
	}
	if time.Sleep(3 * time.Second); ringing(st) {
		t.Error("the stop word does not end the ring")
	}
	_ = st.Loop.Ring(context.Background(), nil)
}

func ringing(st *voicetest.Stage) bool { return st.Bus.Snapshot().Dialogue == event.Ringing }

// manyAnswers are replies of all kinds: long, short, with and without a marker,
// slow, failing.
func manyAnswers(n int) []voicetest.Answer {
	kinds := []voicetest.Answer{
		{Says: recipeZH}, {Says: "好的。", Next: voice.End}, {Says: "几个人吃？"}, {Says: recipeEN, Next: voice.Continue},
		{Says: "七点。", After: 4 * seconds, Next: voice.End}, {Says: "还需要别的吗？"}, {Err: os.ErrClosed},
		{Says: "已进入做饭模式。", Enter: &event.Mode{ID: "cooking", SessionID: "c"}, Next: voice.Continue}, {Says: "已退出。", Leave: true, Next: voice.End},
	}
	all := make([]voicetest.Answer, n)
	for i := range all {
		all[i] = kinds[i%len(kinds)]
	}
	return all
}

// V3, V8: whatever happens, in whatever order, only legal transitions are taken,
// and when all is well again the device comes back to rest.
func FuzzLoop(f *testing.F) {
	f.Add([]byte{0, 0x43, 0xf5, 9, 9}, true)
	f.Add([]byte{2, 0x89, 0x29, 0x25}, true)
	f.Add([]byte{12, 0x35, 0, 0x23, 0x8c, 15, 16}, false)
	f.Add([]byte{0, 0x14, 0x24, 0x15, 0x43, 0x16, 0x17}, true)
	f.Add([]byte{10, 2, 0xf2, 0xf3, 11, 0x18, 0x19}, false)
	f.Add([]byte{2, 0x91, 0x12, 0xf1, 0x26, 0x1c}, true)
	f.Add([]byte{12, 0x34, 0x15}, true)        // it rings, and the recogniser is lost and back
	f.Add([]byte{13, 0x36, 0x17, 3, 5}, false) // likewise the microphone
	f.Fuzz(func(t *testing.T, data []byte, echo bool) {
		if len(data) > 40 {
			data = data[:40]
		}
		synctest.Test(t, func(t *testing.T) {
			s := voicetest.Script{Echo: echo, Filler: 2 * seconds, NoWake: len(data)%3 == 0, Answers: manyAnswers(40)}
			st := voicetest.NewStage(s, func(from, to event.DialogueState) { t.Errorf("illegal: %s → %s", from, to) })
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			all.Go(func() { st.Run(ctx) })
			time.Sleep(ms(300))
			for _, b := range data {
				acts[int(b&0x1f)%len(acts)](st)
				time.Sleep(time.Duration(b>>5)*300*time.Millisecond + 20*time.Millisecond)
			}
			healed(t, st)
			time.Sleep(30 * time.Second)
			if !rests(st) {
				t.Errorf("it is still %s after ten minutes", st.Bus.Snapshot().Dialogue)
			}
			if n := len(st.Bus.Snapshot().Faults); n > 0 && st.Bus.Snapshot().Faults[0].Code != voice.FaultVoice {
				t.Errorf("faults %v", st.Bus.Snapshot().Faults)
			}
			cancel()
			all.Wait()
		})
	})
}

// rests waits until the device is idle, for ten minutes at most.
func rests(st *voicetest.Stage) bool {
	for range 600 {
		if st.Bus.Snapshot().Dialogue == event.Idle {
			return true
		}
		time.Sleep(time.Second)
	}
	return false
}

// month is how a life is simulated: talks, and the silence after each.
type month struct {
	talks int
	pause time.Duration
}

// V3, V5, V6, V7, V8: a life of the device: talks in both languages, follow-ups,
// interruptions, rings, faults alone and together. No goroutine and no memory
// stays behind, no transition is illegal, and it always comes back to rest. With
// HOMEBOT_SOAK a month of 5000 talks, else half an hour of 40.
func TestMonthSoak(t *testing.T) {
	m := month{talks: 40, pause: 10 * time.Second}
	if os.Getenv("HOMEBOT_SOAK") != "" {
		m = month{talks: 5000, pause: 8 * time.Minute}
	}
	synctest.Test(t, func(t *testing.T) {
		s := voicetest.Script{Echo: true, Filler: 2 * seconds, Answers: manyAnswers(8 * m.talks)}
		st := voicetest.NewStage(s, func(from, to event.DialogueState) { t.Errorf("illegal: %s → %s", from, to) })
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { st.Run(ctx) })
		live(t, st, m)
		cancel()
		all.Wait()
		t.Logf("%d talks, %d turns in %v", m.talks, len(st.Handler.Turns()), time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).Round(time.Minute))
		if len(st.Handler.Turns()) < m.talks {
			t.Errorf("only %d turns", len(st.Handler.Turns()))
		}
	})
}

// live leads the life, and looks now and then at what it costs.
func live(t *testing.T, st *voicetest.Stage, m month) {
	r := rand.New(rand.NewPCG(1, 2))
	var goroutines int
	var heap uint64
	for i := range m.talks {
		acts[r.IntN(3)](st) // a wake
		time.Sleep(2 * time.Second)
		acts[3+r.IntN(2)](st) // a question
		for range 1 + r.IntN(5) {
			time.Sleep(time.Duration(1000+r.IntN(4000))*time.Millisecond + 7*time.Millisecond)
			n := talking
			if r.IntN(8) == 0 {
				n = len(acts)
			}
			acts[r.IntN(n)](st)
		}
		healed(t, st)
		if !rests(st) {
			t.Fatalf("talk %d: it is still %s", i, st.Bus.Snapshot().Dialogue)
		}
		time.Sleep(m.pause)
		st.Speaker.Forget()
		if i == m.talks/4 {
			goroutines, heap = costs(st)
		}
	}
	rests(st)
	time.Sleep(time.Minute)
	g, h := costs(st)
	if g > goroutines {
		t.Errorf("%d goroutines, %d before", g, goroutines)
	}
	if h > heap+4<<20 {
		t.Errorf("%d KB of heap, %d before", h>>10, heap>>10)
	}
	t.Logf("goroutines %d then %d, heap %d KB then %d KB", goroutines, g, heap>>10, h>>10)
}

// costs are the goroutines and the heap of a device at rest.
func costs(st *voicetest.Stage) (goroutines int, heap uint64) {
	rests(st)
	synctest.Wait()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return runtime.NumGoroutine(), m.HeapAlloc
}
