package agent_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/agent"
	"homebot/internal/event"
	"homebot/internal/llm"
	"homebot/modes"
	"homebot/skills"
	"homebot/voice"
)

// slow is a model that thinks for as long as the words say, and enters cooking
// when they ask for it.
type slow struct {
	mu    sync.Mutex
	think map[string]time.Duration
	order []string // words, as they were begun
}

func (m *slow) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		final := last(r.Messages)
		words := final.Content[strings.LastIndex(final.Content, "\n")+1:]
		m.mu.Lock()
		if final.Role == llm.User {
			m.order = append(m.order, words)
		}
		think := m.think[words]
		m.mu.Unlock()
		timer := time.NewTimer(think)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			yield(llm.Delta{}, ctx.Err())
			return
		}
		if final.Role == llm.User && strings.HasPrefix(words, "打开") {
			c := llm.ToolCall{ID: "c1", Name: "switch_mode", Arguments: `{"action":"enter","mode_id":"cooking"}`}
			yield(llm.Delta{ToolCall: &c}, nil)
			return
		}
		yield(llm.Delta{Text: "好。[[end]]"}, nil)
	}
}

// hall is an agent that several people talk to at once, inside a bubble.
type hall struct {
	t     *testing.T
	k     *kitchen
	model *slow
	all   sync.WaitGroup
	mu    sync.Mutex
	done  []string // words, as their turns ended
	res   map[string]voice.Result
	heard map[string]int // how often a turn was told to wait
	began time.Time
}

func newHall(t *testing.T) *hall {
	h := &hall{t: t, model: &slow{think: map[string]time.Duration{}}, res: map[string]voice.Result{}, heard: map[string]int{}, began: time.Now()}
	h.k = &kitchen{t: t, disk: newDisk(), model: &model{}, clock: evening}
	h.k.config = func(c *agent.Config) {
		c.Model = h.model
		c.Now = func() time.Time { return evening.Add(time.Since(h.began)) }
		registry := modes.NewRegistry(skills.Builtin, "")
		registry.Plugins = []modes.Plugin{stub()}
		c.Registry = registry
	}
	h.k.restart()
	return h
}

// waiter is a reply that can be told to wait.
type waiter struct {
	reply
	waiting func()
}

func (w *waiter) Waiting() { w.waiting() }

// say lets somebody say words after a while; the model thinks for so long.
func (h *hall) say(after time.Duration, channel, speaker, words string, think time.Duration) {
	h.model.mu.Lock()
	h.model.think[words] = think
	h.model.mu.Unlock()
	h.all.Go(func() {
		time.Sleep(after)
		turn := voice.Turn{Channel: channel, Speaker: speaker, Text: words}
		if channel == voice.ChannelVoice {
			turn.ChatID = "voice-20261022-195500-abcdef"
		}
		w := &waiter{waiting: func() { h.mu.Lock(); h.heard[words]++; h.mu.Unlock() }}
		if err := h.k.agent.Handle(context.Background(), turn, w); err != nil {
			h.t.Errorf("%s: %v", words, err)
		}
		h.mu.Lock()
		h.done = append(h.done, words)
		h.res[words] = w.result
		h.mu.Unlock()
	})
}

// R50: each normal session is a conversation of its own: one does not wait for
// another; two messages of one person do, and are one session.
func TestNormalSessionsRunAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t)
		h.say(0, "text", "mama", "慢的", 8*time.Second)
		h.say(0, "text", "papa", "快的", time.Second)
		h.say(time.Second, "voice", "guest", "说的", time.Second)
		h.say(2*time.Second, "text", "mama", "第二条", time.Second)
		h.all.Wait()
		if got := strings.Join(h.done, " "); got != "快的 说的 慢的 第二条" {
			t.Errorf("ended in the order %s", got)
		}
		if h.res["慢的"].ChatID != h.res["第二条"].ChatID || h.res["慢的"].ChatID == h.res["快的"].ChatID {
			t.Errorf("sessions %s %s %s", h.res["慢的"].ChatID, h.res["第二条"].ChatID, h.res["快的"].ChatID)
		}
		if h.heard["第二条"] != 1 || h.heard["快的"] != 0 {
			t.Errorf("told to wait %v", h.heard)
		}
	})
}

// R12, R50: in a mode all channels share one conversation and take turns; a voice
// turn goes before a waiting text turn, and after a second of waiting it is told.
func TestModeTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t)
		h.say(0, "voice", "guest", "打开做饭模式", 0)
		h.all.Wait()
		h.say(0, "text", "mama", "一", 3*time.Second)
		h.say(time.Second/2, "text", "papa", "二", time.Second)
		h.say(time.Second, "voice", "guest", "三", time.Second)
		h.all.Wait()
		if got := strings.Join(h.done[1:], " "); got != "一 三 二" {
			t.Errorf("ended in the order %s", got)
		}
		if h.heard["三"] != 1 || h.heard["二"] != 1 || h.heard["一"] != 0 {
			t.Errorf("told to wait %v", h.heard)
		}
		_, records := h.k.session()
		var words []string
		for _, r := range records {
			words = append(words, r.SpeakerID+" "+r.User)
		}
		if got := strings.Join(words, "|"); got != "guest 打开做饭模式|mama 一|guest 三|papa 二" {
			t.Errorf("records %s", got)
		}
	})
}

// R50: after 15 s the text turn gives way: one that waits is told that nothing
// was done, one that runs is ended for the voice turn, which never is.
func TestTextGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t)
		h.say(0, "voice", "guest", "打开做饭模式", 0)
		h.all.Wait()
		h.say(0, "voice", "guest", "慢", 20*time.Second)
		h.say(time.Second, "text", "mama", "等不到", time.Second)
		h.all.Wait()
		if r := h.res["等不到"]; code(r) != "busy" || r.Err.Text == "" || r.Reply != "" {
			t.Errorf("the waiting text turn: %+v", r)
		}
		if r := h.res["慢"]; r.Err != nil {
			t.Errorf("the voice turn: %+v", r.Err)
		}
		start := time.Now()
		h.say(0, "text", "mama", "很慢", 50*time.Second)
		h.say(time.Second, "voice", "guest", "急", time.Second)
		h.all.Wait()
		if r := h.res["很慢"]; code(r) != "cancelled" || r.Err.Text == "" {
			t.Errorf("the running text turn: %+v %+v", r, r.Err)
		}
		if r := h.res["急"]; r.Err != nil || r.Reply != "好。" {
			t.Errorf("the voice turn: %+v", r)
		}
		if d := time.Since(start); d != 17*time.Second {
			t.Errorf("took %v", d)
		}
		_, records := h.k.session()
		n := slices.IndexFunc(records, func(r record) bool { return r.User == "很慢" })
		if n < 0 || records[n].Failed != "interrupted" || slices.ContainsFunc(records, func(r record) bool { return r.User == "等不到" }) {
			t.Errorf("records %+v", records)
		}
	})
}

// R49, R50: the job waits for the turn in progress, which is recorded in the
// mode; the next turn is a normal one and its header says what happened.
func TestExpiryWaitsForTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t)
		ctx, cancel := context.WithCancel(context.Background())
		stopped := make(chan struct{})
		go func() { _ = h.k.agent.Run(ctx); close(stopped) }()
		h.say(0, "voice", "guest", "打开做饭模式", 0)
		untilExpiry := time.Date(2026, 10, 23, 0, 10, 0, 0, evening.Location()).Sub(evening)
		h.say(untilExpiry-5*time.Second, "voice", "guest", "最后一句", 12*time.Second)
		time.Sleep(untilExpiry + 5*time.Second)
		if h.k.action()["active"] != true {
			t.Error("the mode ended under a turn")
		}
		h.all.Wait()
		synctest.Wait()
		if a := h.k.action(); a["active"] != false || a["exit_reason"] != "expired" {
			t.Errorf("action %v", a)
		}
		if r := h.res["最后一句"]; r.Err != nil || r.Mode == nil {
			t.Errorf("the turn: %+v", r)
		}
		_, records := h.k.session()
		if n := len(records); n != 3 || records[1].User != "最后一句" || records[2].Exit.Reason != "expired" || records[2].Channel != "system" {
			t.Errorf("records %+v", records)
		}
		h.say(0, "voice", "guest", "早", 0)
		h.all.Wait()
		log := h.k.read("sessions", "voice", "voice-20261022-195500-abcdef.jsonl")
		if !strings.Contains(log, `[做饭模式已于 00:10 自动结束，已归档]`) || strings.Count(log, "\n") != 1 {
			t.Errorf("the normal log\n%s", log)
		}
		cancel()
		<-stopped
	})
}

// R11, R50: two normal turns that enter at once: one enters, the other is told
// that a mode is active; there is one session.
func TestTwoEnterAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t)
		h.say(0, "text", "mama", "打开做饭模式", 2*time.Second)
		h.say(0, "text", "papa", "打开做饭模式吧", 2*time.Second)
		h.all.Wait()
		var accepted, refused int
		for _, r := range h.res {
			if len(r.Switches) != 1 {
				t.Fatalf("switches %+v", r.Switches)
			}
			if r.Switches[0].Accepted {
				accepted++
			} else if r.Switches[0].Reason == "other_active" {
				refused++
			}
		}
		if accepted != 1 || refused != 1 {
			t.Errorf("%d accepted, %d refused: %+v", accepted, refused, h.res)
		}
		if _, records := h.k.session(); len(records) != 1 {
			t.Errorf("records %+v", records)
		}
	})
}

// R51: the watcher tells a jump of the clock within its ten seconds.
func TestClockStepIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &kitchen{t: t, disk: newDisk(), model: &model{}, clock: evening}
		began := time.Now()
		var jump atomic.Int64
		k.config = func(c *agent.Config) {
			c.Now = func() time.Time { return evening.Add(time.Since(began) + time.Duration(jump.Load())) }
		}
		k.restart()
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() { _ = k.agent.Run(ctx) })
		all.Go(func() { _ = k.bus.Run(ctx) })
		_, events := k.bus.Watch(ctx, 100)
		var steps []event.ClockStep
		all.Go(func() {
			for e := range events {
				if s, ok := e.Data.(event.ClockStep); ok {
					steps = append(steps, s)
				}
			}
		})
		time.Sleep(25 * time.Second)
		jump.Store(int64(3 * time.Hour))
		time.Sleep(10 * time.Second)
		synctest.Wait()
		cancel()
		all.Wait()
		if len(steps) != 1 || steps[0].By != 3*time.Hour {
			t.Errorf("steps %v", steps)
		}
	})
}
