package agent_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/voice"
)

// R44: an interrupted turn is recorded with what was heard, and replayed so.
func TestInterrupted(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	heard := "先把番茄"
	r := &reply{heard: &heard}
	k.handle(voice.Turn{Channel: voice.ChannelVoice, ChatID: "v", Text: "怎么做"}, r, say("先把番茄切块，再打鸡蛋。[[end]]"))
	_, records := k.session()
	got := last(records)
	if got.Failed != conversation.FailedInterrupted || got.Assistant != heard || got.RawReply() != heard {
		t.Errorf("record %+v", got)
	}
	k.turn("继续")
	if msgs := texts(last(k.model.requests).Messages); msgs[len(msgs)-2] != "assistant: 先把番茄" {
		t.Errorf("messages %q", msgs)
	}
}

// R10: an accepted exit is carried out however the turn ends.
func TestExitHoweverTheTurnEnds(t *testing.T) {
	nothing := ""
	for name, play := range map[string]func(k *kitchen){
		"model fails": func(k *kitchen) { k.turn("退出做饭模式", exit(), step{err: llm.ErrSlow}) },
		"barge-in": func(k *kitchen) {
			k.handle(voice.Turn{Channel: "voice", ChatID: "v", Text: "退出做饭模式"}, &reply{heard: &nothing}, exit(), say("再见"))
		},
		"cancelled": func(k *kitchen) {
			k.handle(voice.Turn{Channel: "voice", ChatID: "v", Text: "退出做饭模式"}, &reply{heard: &nothing}, exit(), step{cancel: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKitchen(t, newDisk())
			k.turn("打开做饭模式", enter("cooking"), say("好。"))
			play(k)
			if k.action()["active"] != false {
				t.Error("the mode is still active")
			}
			if _, records := k.session(); last(records).Exit == nil || last(records).Failed == "" {
				t.Errorf("record %+v", last(records))
			}
		})
	}
}

// R3, C22: what a model can get wrong ends in one sentence, a well-formed
// history and error set.
func TestModelGoesWrong(t *testing.T) {
	many := step{}
	for i := range 20 {
		many.calls = append(many.calls, llm.ToolCall{ID: fmt.Sprint(i), Name: "note_fact", Arguments: `{"kind":"fact","text":"x"}`})
	}
	loop := make([]step, 20)
	for i := range loop {
		loop[i] = call("note_fact", map[string]string{"kind": "fact", "text": "x"})
	}
	for _, c := range []struct {
		name   string
		steps  []step
		code   string
		failed string
	}{
		{"unreachable", []step{{err: llm.ErrUnreachable}}, "llm_unreachable", "network"},
		{"refused", []step{{err: llm.ErrRefused}}, "llm_refused", "llm"},
		{"busy", []step{{err: llm.ErrBusy}}, "llm_refused", "llm"},
		{"slow", []step{{err: llm.ErrSlow}}, "llm_slow", "llm"},
		{"nonsense", []step{{err: llm.ErrNonsense}}, "llm_nonsense", "llm"},
		{"empty", []step{{}}, "llm_nonsense", "llm"},
		{"only a marker", []step{say("[[end]]")}, "llm_nonsense", "llm"},
		{"dropped in the middle", []step{{text: "先切番", err: llm.ErrUnreachable}}, "llm_unreachable", "network"},
		{"unknown error", []step{{err: errors.New("x")}}, "llm_nonsense", "llm"},
		{"tools for ever", loop, "tool_rounds", "tool"},
		{"20 calls at once", []step{many, say("好。")}, "", ""},
		{"unknown tool", []step{call("fly", nil), say("不行。")}, "", ""},
		{"broken arguments", []step{{calls: []llm.ToolCall{{ID: "1", Name: "note_fact", Arguments: `{"kind":`}}}, say("不行。")}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKitchen(t, newDisk())
			k.turn("打开做饭模式", enter("cooking"), say("好。"))
			res := k.turn("然后呢", c.steps...)
			if got := code(res); got != c.code {
				t.Errorf("code %q, want %q", got, c.code)
			}
			if res.Reply == "" || (c.code != "" && !strings.HasSuffix(res.Reply, res.Err.Text)) {
				t.Errorf("reply %q", res.Reply)
			}
			_, records := k.session()
			if got := last(records); got.Failed != c.failed || got.Assistant != res.Reply {
				t.Errorf("record %+v", got)
			}
			k.turn("还好吗") // WellFormed is checked by every turn
		})
	}
}

// A server that is busy is not blamed on the key.
func TestBusyModelIsSaidToBeBusy(t *testing.T) {
	k := newKitchen(t, newDisk())
	if res := k.turn("然后呢", step{err: llm.ErrBusy}); res.Reply != phrases.LLMBusy.In("zh") {
		t.Errorf("reply %q", res.Reply)
	}
}

// S3, R1: a prompt of a normal session that cannot be used is made once more, and
// kept where that is possible.
func TestDamagedNormalPrompt(t *testing.T) {
	for _, damage := range []string{"", "\x00\x00\x00", "\xd6\xd0", "gone", "directory"} {
		k := newKitchen(t, newDisk())
		typed := func(words string) voice.Result {
			r := &reply{}
			k.handle(voice.Turn{Channel: voice.ChannelText, Text: words}, r, say("在。"))
			return r.result
		}
		id := typed("你好").ChatID
		path := filepath.Join(workspace, "sessions/text", id+".system_prompt.md")
		whole := k.read("sessions", "text", id+".system_prompt.md")
		if damage != "gone" && damage != "directory" {
			writeFile(t, k, "sessions/text/"+id+".system_prompt.md", damage)
		} else if err := k.disk.Remove(path); err != nil {
			t.Fatal(err)
		} else if damage == "directory" {
			_ = k.disk.Mkdir(path, 0o700)
		}
		res := typed("在吗")
		if res.Reply != "在。" || res.Err != nil || last(k.model.requests).Messages[0].Content != whole {
			t.Errorf("%q: reply %q, %+v", damage, res.Reply, res.Err)
		}
		if data, _ := k.disk.ReadFile(path); damage != "directory" && string(data) != whole {
			t.Errorf("%q: not repaired", damage)
		}
	}
}

// R37: facts are validated, numbered within the conversation, and recorded.
func TestNoteFact(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	k.turn("花生过敏", call("note_fact", map[string]string{"kind": "allergy", "text": " 花生\n过敏 "}), say("记下了。"))
	k.turn("x", call("note_fact", map[string]string{"kind": "mood", "text": "x"}), say("嗯。"))
	k.turn("y", call("note_fact", map[string]string{"kind": "fact", "text": "y", "replaces": "f9"}), say("嗯。"))
	k.turn("z", call("note_fact", map[string]string{"kind": "fact", "text": "z", "replaces": "f1"}), say("嗯。"))
	_, records := k.session()
	got := fmt.Sprint(records[1].Facts, records[2].Facts, records[3].Facts, records[4].Facts)
	if want := "[{f1 allergy 花生 过敏 }] [] [] [{f2 fact z f1}]"; got != want {
		t.Errorf("facts %s, want %s", got, want)
	}
}

// While a switch is in the air nothing is spoken before the tool has answered:
// what the model claims first may not be true.
func TestClaimsBeforeTheToolAreNotSpoken(t *testing.T) {
	k := newKitchen(t, newDisk())
	s := enter("cooking")
	s.text = "已经打开做饭模式了！"
	res := k.turn("别打开做饭模式", s, say("好的，不打开。[[end]]"))
	if res.Reply != "好的，不打开。" || res.Mode != nil {
		t.Errorf("reply %q", res.Reply)
	}
	res = k.turn("打开做饭模式", enter("cooking"), say("[[end]]"))
	if res.Reply != "已进入做饭模式。" || res.Err != nil {
		t.Errorf("a silent model: %q", res.Reply)
	}
}

func code(r voice.Result) string {
	if r.Err == nil {
		return ""
	}
	return r.Err.Code
}

// A typed turn that the end of homebot cuts off says so, also one that was still
// waiting for another; who speaks into a reply needs to be told nothing.
func TestStoppedWhileTyped(t *testing.T) {
	for lang, want := range map[string]string{"zh": "homebot 被停止了", "en": "homebot was stopped"} {
		for _, channel := range []string{voice.ChannelText, voice.ChannelWeb, voice.ChannelVoice} {
			r := &reply{}
			newKitchen(t, newDisk()).handle(voice.Turn{Channel: channel, ChatID: "c", Text: "番茄怎么切", Lang: lang}, r, step{cancel: true})
			e := r.result.Err
			if e == nil || e.Code != "cancelled" || strings.HasPrefix(e.Text, want) != (channel != voice.ChannelVoice) || strings.TrimSpace(r.result.Reply) != "" {
				t.Errorf("%s %s: %q %+v", lang, channel, r.result.Reply, e)
			}
		}
	}
}

// The same of one that waits for its conversation.
func TestStoppedWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t)
		h.say(0, "text", "mama", "慢的", 10*time.Second)
		ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
		defer stop()
		time.Sleep(time.Second)
		w := &waiter{waiting: func() {}}
		if err := h.k.agent.Handle(ctx, voice.Turn{Channel: "text", Speaker: "mama", Text: "第二条"}, w); err != nil {
			t.Error(err)
		}
		h.all.Wait()
		if r := w.result; code(r) != "cancelled" || !strings.HasPrefix(r.Err.Text, "homebot 被停止了") {
			t.Errorf("%+v %+v", r, r.Err)
		}
	})
}
