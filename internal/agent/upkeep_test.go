package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/agent"
	"homebot/internal/contextmode"
	"homebot/internal/llm"
	"homebot/voice"
)

// scribe is a model that also summarises and is warmed up, from the worker's
// goroutine.
type scribe struct {
	summarise func(ctx context.Context, instruction string) (string, error)

	mu     sync.Mutex
	turns  []llm.Request
	summed []llm.Request
	warmed []llm.Request
	hungUp int // warm-ups that were not listened to
}

func (s *scribe) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		content := last(r.Messages).Content
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case strings.HasPrefix(content, "[系统] 请把"):
			s.summed = append(s.summed, r)
			s.mu.Unlock()
			text, err := s.summarise(ctx, content)
			s.mu.Lock()
			if err != nil {
				yield(llm.Delta{}, err)
			} else {
				yield(llm.Delta{Text: text}, nil)
			}
		case strings.HasPrefix(content, "[系统 system]"):
			s.warmed = append(s.warmed, r)
			if !yield(llm.Delta{Text: "…"}, nil) {
				s.hungUp++
			}
		default:
			s.turns = append(s.turns, r)
			yield(llm.Delta{Text: "好，记住了。[[end]]"}, nil)
		}
	}
}

// summaries answers an instruction line by line, as it is asked to.
func summaries(format string) func(context.Context, string) (string, error) {
	return func(_ context.Context, instruction string) (string, error) {
		var b strings.Builder
		for line := range strings.Lines(instruction) {
			if label, _, ok := strings.Cut(line, "] “"); ok && strings.HasPrefix(label, "[") {
				fmt.Fprintf(&b, format+"\n", label+"]")
			}
		}
		return b.String(), nil
	}
}

// upkept talks in the mode with the worker running; the clock of the bubble moves
// on a minute a turn.
func upkept(t *testing.T, s *scribe, talk func(k *kitchen)) {
	synctest.Test(t, func(t *testing.T) {
		k := newKitchen(t, newDisk())
		k.config = func(c *agent.Config) {
			if s != nil {
				c.Model = s
			}
		}
		useTable(t, k, tight)
		k.restart()
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() {
			if err := k.agent.Run(ctx); err != nil {
				t.Errorf("Run: %v", err)
			}
		})
		talk(k)
		cancel()
		running.Wait()
	})
}

// chat is a turn of one text conversation; it returns how long it took and its id.
func (k *kitchen) chat(i int) (took time.Duration, id string) {
	k.t.Helper()
	r := &reply{}
	began := time.Now()
	k.handle(voice.Turn{Channel: voice.ChannelText, Text: long(i)}, r)
	return time.Since(began), r.result.ChatID
}

// C9, C10, C20, R36: after the reply, off the user's path, the model is asked for
// summaries behind the live prefix, the cut is made, and the new prefix is warmed
// up and hung up on at its first word; the next turn begins with what was warmed.
func TestUpkeep(t *testing.T) {
	s := &scribe{summarise: summaries("%s 做番茄炒蛋的事说了几件")}
	upkept(t, s, func(k *kitchen) {
		breaks := watchBreaks(t, k)
		var id string
		for i := range 25 {
			_, id = k.chat(i)
			synctest.Wait()
		}
		cuts := k.cuts("sessions", "text", id+".context.jsonl")
		if len(cuts) < 2 || len(s.summed) != len(cuts) || len(s.warmed) != len(cuts) || s.hungUp != len(cuts) {
			t.Fatalf("%d cuts, %d summaries, %d warm-ups, %d hung up", len(cuts), len(s.summed), len(s.warmed), s.hungUp)
		}
		for i, c := range cuts {
			if c.Cut == len(s.turns) {
				break // nothing was said after it
			}
			before, after := s.turns[c.Cut-1], s.turns[c.Cut]
			if !begins(s.summed[i].Messages, before.Messages) || string(s.summed[i].Tools) != string(before.Tools) {
				t.Errorf("summary %d is not asked behind the live prefix", i)
			}
			if n := len(s.warmed[i].Messages) - 1; !begins(after.Messages, s.warmed[i].Messages[:n]) {
				t.Errorf("turn %d does not begin with what was warmed up", c.Cut)
			}
		}
		if blocks := fmt.Sprint(last(cuts).Blocks); !strings.Contains(blocks, "说了几件") {
			t.Errorf("blocks %s", blocks)
		}
		if n := breaks(); n != 0 {
			t.Errorf("%d prefix breaks", n)
		}
	})
}

func begins(msgs, prefix []llm.Message) bool {
	if len(msgs) < len(prefix) {
		return false
	}
	for i := range prefix {
		if string(llm.EncodeMessage(msgs[i])) != string(llm.EncodeMessage(prefix[i])) {
			return false
		}
	}
	return true
}

// C9, C10: a model that fails, lies, hangs or talks nonsense gives an extractive
// block; the user never waits for it, and no pinned fact is lost.
func TestUpkeepWithABadModel(t *testing.T) {
	hang := func(ctx context.Context, _ string) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	for name, f := range map[string]func(context.Context, string) (string, error){
		"fails":    func(context.Context, string) (string, error) { return "", llm.ErrUnreachable },
		"lies":     summaries("%s 放了九百克盐"),
		"nonsense": func(context.Context, string) (string, error) { return "我不知道", nil },
		"hangs":    hang,
	} {
		t.Run(name, func(t *testing.T) {
			s := &scribe{summarise: f}
			upkept(t, s, func(k *kitchen) {
				var id string
				for i := range 25 {
					var took time.Duration
					if took, id = k.chat(i); took > 0 {
						t.Errorf("turn %d waited %s", i, took)
					}
					time.Sleep(time.Minute) // longer than any profile's time
					synctest.Wait()
				}
				cuts := k.cuts("sessions", "text", id+".context.jsonl")
				if len(cuts) < 2 || len(s.summed) != len(cuts) {
					t.Fatalf("%d cuts, %d summaries asked", len(cuts), len(s.summed))
				}
				var blocks string
				for _, c := range cuts {
					blocks += fmt.Sprint(c.Blocks)
				}
				if strings.Contains(blocks, "九百克") || strings.Contains(blocks, "不知道") || !strings.Contains(blocks, "番茄") {
					t.Errorf("blocks %s", blocks)
				}
				for _, c := range cuts {
					if i := c.Cut; i < len(s.turns) && !strings.Contains(s.turns[i].Messages[1].Content, "前文摘要") {
						t.Errorf("turn %d does not show the blocks", i)
					}
				}
			})
		})
	}
}

// C10, C20: a turn that begins ends the summary in the making: it neither waits
// for it nor shares the model with it, and the cut is made later all the same.
func TestUpkeepGivesWay(t *testing.T) {
	s := &scribe{}
	cancelled := 0
	s.summarise = func(ctx context.Context, _ string) (string, error) {
		<-ctx.Done()
		if errors.Is(ctx.Err(), context.Canceled) {
			cancelled++
		}
		return "", ctx.Err()
	}
	upkept(t, s, func(k *kitchen) {
		var id string
		for i := range 25 {
			var took time.Duration
			if took, id = k.chat(i); took > 0 {
				t.Errorf("turn %d waited %s", i, took)
			}
			synctest.Wait()
			time.Sleep(time.Second)
		}
		if cancelled == 0 {
			t.Error("no summary was interrupted")
		}
		if cuts := k.cuts("sessions", "text", id+".context.jsonl"); len(cuts) < 2 {
			t.Errorf("%d cuts: the high mark was not kept on the path", len(cuts))
		}
	})
}

// C10: without a model the cut off the path is extractive at once.
func TestUpkeepWithoutAModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKitchen(t, newDisk())
		k.config = func(c *agent.Config) { c.Model = nil; c.Offline = &deaf{} }
		useTable(t, k, tight)
		k.restart()
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = k.agent.Run(ctx) })
		var id string
		for i := range 25 {
			_, id = k.chat(i)
			synctest.Wait()
		}
		cancel()
		running.Wait()
		cuts := k.cuts("sessions", "text", id+".context.jsonl")
		if len(cuts) < 2 || len(last(cuts).Blocks) == 0 {
			t.Errorf("cuts %+v", cuts)
		}
	})
}

// C20: a run mode's session is cut in its own directory, and no more once the
// mode has ended.
func TestUpkeepInAMode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKitchen(t, newDisk())
		useTable(t, k, tight)
		k.turn("打开做饭模式", enter("cooking"), say("好。"))
		s := &scribe{summarise: summaries("%s 说了几件")}
		k.config = func(c *agent.Config) { c.Model = s }
		k.restart()
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = k.agent.Run(ctx) })
		talk := func(n int) {
			for i := range n {
				k.turn(long(i))
				synctest.Wait()
			}
		}
		talk(12)
		cuts := k.modeCuts()
		if n := k.agent.Counters()[agent.CounterKey{Table: 2, Profile: contextmode.Compact}]; len(cuts) == 0 || n.Cuts != len(cuts) || n.Turns != 12 {
			t.Errorf("%d cuts, counted %+v", len(cuts), n)
		}
		// The summary is in the making when the mode is left on the command line.
		s.summarise = func(context.Context, string) (string, error) {
			if _, err := k.agent.ExitMode(t.Context()); err != nil {
				t.Error(err)
			}
			return "", llm.ErrSlow
		}
		for range 20 {
			if k.action()["active"] == true {
				talk(1)
			}
		}
		if k.action()["active"] == true || len(k.modeCuts()) != len(cuts) {
			t.Errorf("%d cuts of the ended session, want %d", len(k.modeCuts()), len(cuts))
		}
		cancel()
		running.Wait()
	})
}
