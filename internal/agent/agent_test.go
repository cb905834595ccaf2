package agent_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"homebot/internal/agent"
	"homebot/internal/llm"
	"homebot/skills"
	"homebot/voice"
)

// R2, R3, R9, R19, R22, R24, R25: enter creates the session, then action.json;
// the file is as specified, byte for byte but for the random part of the id.
func TestEnter(t *testing.T) {
	k := newKitchen(t, newDisk())
	res := k.turn("打开做饭模式", enter("cooking"), say("好的，今天做什么？[[continue]]"))
	if res.Mode == nil || res.Mode.ID != "cooking" || res.Next != voice.Continue || res.Reply != "好的，今天做什么？" {
		t.Errorf("result %+v", res)
	}
	if want := []voice.Switch{{Action: "enter", ModeID: "cooking", Accepted: true}}; fmt.Sprint(res.Switches) != fmt.Sprint(want) {
		t.Errorf("switches %v", res.Switches)
	}
	id, records := k.session()
	if !regexp.MustCompile(`^cook-20261022-195600-[0-9a-f]{6}$`).MatchString(id) {
		t.Errorf("session id %s", id)
	}
	want := `{
  "schema_version": 1,
  "active": true,
  "mode_id": "cooking",
  "display_name": "做饭模式",
  "session_id": "` + id + `",
  "skill_name": "home-cooking",
  "started_at": "2026-10-22T19:56:00+08:00",
  "expires_at": "2026-10-23T00:10:00+08:00",
  "session_dir": "/home/kitchen/modes/sessions/cooking/` + id + `",
  "exit_reason": null
}
`
	if got := k.read("modes", "action.json"); got != want {
		t.Errorf("action.json\n%s\nwant\n%s", got, want)
	}
	// R9, R43: the turn is the first line of the mode, and only there.
	if len(records) != 1 || records[0].Enter == nil || records[0].Enter.SessionID != id || records[0].User != "打开做饭模式" {
		t.Errorf("records %+v", records)
	}
	if log := k.read("sessions", "voice", "voice-20261022-195500-abcdef.jsonl"); log != "" {
		t.Errorf("normal log has %q", log)
	}
	// R31: what was frozen is what the next request begins with.
	k.turn("两个人吃")
	req := last(k.model.requests)
	if req.Messages[0].Content != k.read("modes", "sessions", "cooking", id, "system_prompt.md") {
		t.Error("system message is not system_prompt.md")
	}
	if string(req.Tools) != k.read("modes", "sessions", "cooking", id, "tools.json") {
		t.Error("tools are not tools.json")
	}
}

// R23: before the first exit and after one, byte for byte.
func TestInactiveAction(t *testing.T) {
	inactive := func(reason string) string {
		return `{
  "schema_version": 1,
  "active": false,
  "mode_id": null,
  "display_name": null,
  "session_id": null,
  "skill_name": null,
  "started_at": null,
  "expires_at": null,
  "session_dir": null,
  "exit_reason": ` + reason + `
}
`
	}
	k := newKitchen(t, newDisk())
	if got := k.read("modes", "action.json"); got != inactive("null") {
		t.Errorf("at start: %s", got)
	}
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	k.turn("退出做饭模式", exit(), say("再见。[[end]]"))
	if got := k.read("modes", "action.json"); got != inactive(`"user"`) {
		t.Errorf("after exit: %s", got)
	}
}

// R10, R46: an exit is carried out after the reply, in its order, with the
// intent in the record; R47: without a model's summary one is made of the turns.
func TestExit(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	k.turn("三个人吃", call("note_fact", map[string]string{"kind": "servings", "text": "三个人吃"}), say("记下了。"))
	k.turn("不对，是四个人", call("note_fact", map[string]string{"kind": "servings", "text": "四个人吃", "replaces": "f1"}), say("好，四个人。"))
	k.turn("会失败的", step{err: llm.ErrUnreachable})
	res := k.turn("退出做饭模式", exit(), say("再见。[[end]]"))
	if res.Mode != nil || k.action()["active"] != false || res.Reply != "再见。" {
		t.Errorf("result %+v", res)
	}
	id, records := k.session()
	if x := last(records).Exit; x == nil || x.Reason != "user" {
		t.Errorf("last record %+v", last(records))
	}
	got := k.read("modes", "sessions", "cooking", id, "summary.md")
	want := "---\nsession_id: " + id + `
mode_id: cooking
started_at: 2026-10-22T19:56:00+08:00
ended_at: 2026-10-22T20:00:00+08:00
exit_reason: user
source: auto
---

做饭模式 · 4

- 打开做饭模式 → 好。
- 三个人吃 → 记下了。
- 不对，是四个人 → 好，四个人。
- 退出做饭模式 → 再见。

## 已确认

- 四个人吃
`
	if got != want {
		t.Errorf("summary.md\n%s\nwant\n%s", got, want)
	}
}

// R47: the model's own summary is used.
func TestExitWithSummary(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	k.turn("exit cooking mode", call("switch_mode", map[string]string{"action": "exit", "summary": "Tomato and eggs for two."}), say("Bye."))
	id, _ := k.session()
	got := k.read("modes", "sessions", "cooking", id, "summary.md")
	if !strings.Contains(got, "source: llm") || !strings.Contains(got, "\nTomato and eggs for two.\n") {
		t.Errorf("summary.md\n%s", got)
	}
}

// R3, R6, R11: refusals, each with its reason; nothing changes by them.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, words string
		step        step
		reason      string
	}{
		{"no name", "我想做饭", enter("cooking"), "no_name"},
		{"unknown", "打开学习模式", enter("study"), "unknown_mode"},
		{"exit while inactive", "退出做饭模式", exit(), "not_active"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKitchen(t, newDisk())
			before := k.read("modes", "action.json")
			res := k.turn(c.words, c.step, say("不行。"))
			if len(res.Switches) != 1 || res.Switches[0].Accepted || res.Switches[0].Reason != c.reason || res.Err != nil {
				t.Errorf("got %+v", res)
			}
			if k.read("modes", "action.json") != before {
				t.Error("action.json changed")
			}
		})
	}
}

// R7: the gate sees this turn's words, whatever the model says it heard.
func TestGateSeesOnlyThisTurn(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("我想打开做饭模式，可以吗，等一下", say("要我打开吗？[[continue]]"))
	res := k.turn("好的", enter("cooking"), say("请说打开做饭模式。"))
	if res.Mode != nil || res.Switches[0].Reason != "no_name" {
		t.Errorf("got %+v", res)
	}
}

// R11: entering the active mode again changes nothing; with 重新 it is archived
// and begun anew, the turn being the last line of the old log and the first of
// the new, with the same id.
func TestEnterAgain(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	before := k.read("modes", "action.json")
	if res := k.turn("打开做饭模式", enter("cooking"), say("已经开着。")); !res.Switches[0].Accepted || k.read("modes", "action.json") != before {
		t.Errorf("again: %+v", res)
	}
	res := k.turn("重新打开做饭模式", enter("cooking"), say("重新开始。"))
	if res.Mode == nil || k.read("modes", "action.json") == before {
		t.Fatalf("anew: %+v", res)
	}
	all := k.modeRecords()
	if len(all) != 2 {
		t.Fatalf("%d sessions", len(all))
	}
	now := k.action()["session_id"].(string)
	for id, records := range all {
		switch {
		case id == now && (len(records) != 1 || records[0].Enter == nil || records[0].Exit != nil):
			t.Errorf("new: %+v", records)
		case id != now && (last(records).Exit == nil || last(records).Exit.Reason != "user" || last(records).Exit.Next.SessionID != now || last(records).ID != all[now][0].ID):
			t.Errorf("old: %+v", last(records))
		}
	}
}

// R32, R33, R36, R34, R35: across wakes, restarts and speakers the history goes
// on, each turn's first request begins with the one before it, no USER.md is in
// it, and the time stands only in the last message.
func TestDialogueGoesOn(t *testing.T) {
	disk := newDisk()
	k := newKitchen(t, disk)
	writeFile(t, k, "members/mama/USER.md", "---\nname: 妈妈\n---\nSECRET PROFILE: 爱吃辣\n")
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	var first []llm.Request
	speak := func(speaker, words string, steps ...step) {
		n := len(k.model.requests)
		k.as(speaker, words, steps...)
		first = append(first, k.model.requests[n])
	}
	speak("guest", "番茄炒蛋", say("先打三个蛋。[[continue]]"))
	k.restart()
	speak("mama", "两个人吃", call("note_fact", map[string]string{"kind": "servings", "text": "两个人"}), say("记下了。[[end]]"))
	k.restart()
	speak("mama", "下一步")
	for i := 1; i < len(first); i++ {
		a, b := texts(first[i-1].Messages), texts(first[i].Messages)
		if len(b) < len(a) || strings.Join(b[:len(a)], "\x00") != strings.Join(a, "\x00") {
			t.Errorf("request %d does not begin with request %d\n%q\n%q", i, i-1, a, b)
		}
		if string(first[i].Tools) != string(first[i-1].Tools) {
			t.Errorf("tools of request %d differ", i)
		}
	}
	got := texts(last(first).Messages)[1:]
	want := []string{
		"user: [19:56 guest]\n[date: 2026-10-22 Thursday]\n[channel: voice]\n打开做饭模式",
		"assistant: 好。",
		"user: [19:57 guest]\n[date: 2026-10-22 Thursday]\n[channel: voice]\n[session_dir: " + k.action()["session_dir"].(string) + "]\n[history_file: /home/kitchen/modes/sessions/cooking]\n[context_dir: /home/kitchen/cooking]\n番茄炒蛋",
		"assistant: 先打三个蛋。[[continue]]",
		"user: [19:58 mama]\n两个人吃",
		"assistant: 记下了。[[end]]",
		"user: [19:59 mama]\n下一步",
	}
	if strings.Join(got, "\n\n") != strings.Join(want, "\n\n") {
		t.Errorf("messages\n%s\n\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, r := range first {
		for _, m := range r.Messages {
			if strings.Contains(m.Content, "SECRET PROFILE") {
				t.Error("USER.md is in a mode's request")
			}
		}
	}
}

// R35: after midnight all header fields are sent anew.
func TestHeaderAfterMidnight(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("你好")
	k.turn("你好")
	k.clock = time.Date(2026, 10, 23, 0, 1, 0, 0, evening.Location())
	k.turn("还在吗")
	msgs := last(k.model.requests).Messages
	if got := last(msgs).Content; got != "[00:02 guest]\n[date: 2026-10-23 Friday]\n[channel: voice]\n还在吗" {
		t.Errorf("got %q", got)
	}
	if got := msgs[3].Content; got != "[19:57 guest]\n[标准对话: 回答简洁自然。]\n你好" {
		t.Errorf("the second turn sent %q", got)
	}
}

// R31: a later edit of the tools does not reach a session; a tool that is gone
// says so.
func TestToolsAreFrozen(t *testing.T) {
	extra := skills.NewTool("aaa_light", "switches a lamp", func(contextT, struct{}) (string, error) { return `{"ok":true}`, nil })
	k := newKitchen(t, newDisk())
	k.config = func(c *agent.Config) { c.Tools = []skills.Tool{extra} }
	k.restart()
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	k.config = nil // an update without that tool
	k.restart()
	k.turn("开灯", call("aaa_light", nil), say("现在不行。"))
	req := last(k.model.requests)
	if !strings.Contains(string(req.Tools), "aaa_light") {
		t.Error("the frozen tools changed")
	}
	if got := last(req.Messages).Content; !strings.Contains(got, `"ok":false`) || !strings.Contains(got, "aaa_light") {
		t.Errorf("the tool answered %q", got)
	}
}

// R1: normal sessions: a wake starts empty, text goes on for half an hour, each
// speaker has their own, the profile of the first speaker is frozen in.
func TestNormalSessions(t *testing.T) {
	k := newKitchen(t, newDisk())
	writeFile(t, k, "members/mama/USER.md", "---\nname: 妈妈\n---\n爱吃辣\n")
	chat := func(speaker, words string) (id string, msgs []llm.Message) {
		r := &reply{}
		k.handle(voice.Turn{Channel: voice.ChannelText, Speaker: speaker, Text: words}, r)
		return r.result.ChatID, last(k.model.requests).Messages
	}
	one, msgs := chat("mama", "你好")
	if !regexp.MustCompile(`^text-20261022-195600-[0-9a-f]{6}$`).MatchString(one) || !strings.Contains(msgs[0].Content, "爱吃辣") {
		t.Errorf("first: %s %q", one, msgs[0].Content)
	}
	writeFile(t, k, "members/mama/USER.md", "不吃辣了")
	k.restart()
	two, msgs := chat("mama", "在吗")
	if two != one || len(msgs) != 4 || !strings.Contains(msgs[0].Content, "爱吃辣") {
		t.Errorf("second: %s %q", two, texts(msgs))
	}
	if other, msgs := chat("papa", "我呢"); other == one || len(msgs) != 2 || strings.Contains(msgs[0].Content, "爱吃辣") {
		t.Errorf("another speaker: %s %q", other, texts(msgs))
	}
	k.clock = k.clock.Add(31 * time.Minute)
	if late, msgs := chat("mama", "还在吗"); late == one || !strings.Contains(msgs[0].Content, "不吃辣了") {
		t.Errorf("after half an hour: %s %q", late, texts(msgs))
	}
	r := &reply{}
	k.handle(voice.Turn{Channel: voice.ChannelVoice, ChatID: "voice-20261022-210000-aaaaaa", Text: "刚才说什么"}, r)
	if msgs := last(k.model.requests).Messages; len(msgs) != 2 {
		t.Errorf("a wake starts with %q", texts(msgs))
	}
}

// R1: in a run mode nothing is written to a normal log, and afterwards the
// normal session goes on without the mode's turns.
func TestNormalSessionAroundAMode(t *testing.T) {
	k := newKitchen(t, newDisk())
	text := func(words string, steps ...step) string {
		r := &reply{}
		k.handle(voice.Turn{Channel: voice.ChannelText, Text: words}, r, steps...)
		return r.result.ChatID
	}
	id := text("你好")
	text("打开做饭模式", enter("cooking"), say("好。"))
	text("切葱")
	text("退出做饭模式", exit(), say("好。"))
	if again := text("回来了"); again != id {
		t.Errorf("went on in %s, not %s", again, id)
	}
	got := texts(last(k.model.requests).Messages)
	if len(got) != 4 || !strings.HasSuffix(got[1], "你好") || !strings.HasSuffix(got[3], "回来了") {
		t.Errorf("messages %q", got)
	}
}

// R36, C23: a prompt that changed by hand is a prefix break, told to watchers.
func TestPrefixBreakIsReported(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	id, _ := k.session()
	breaks := watchBreaks(t, k)
	k.turn("一")
	k.turn("二")
	writeFile(t, k, "modes/sessions/cooking/"+id+"/system_prompt.md", "changed")
	k.turn("三")
	if n := breaks(); n != 1 {
		t.Errorf("%d prefix breaks, want 1", n)
	}
}

// C23, R1, R9: the normal conversation goes on without the turn that entered a
// mode: that is no break of its prefix.
func TestTurnThatLeftTheConversationBreaksNoPrefix(t *testing.T) {
	k := newKitchen(t, newDisk())
	breaks := watchBreaks(t, k)
	k.turn("你好")
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	k.turn("退出做饭模式", exit(), say("好。"))
	k.turn("回来了")
	k.turn("继续")
	if n := breaks(); n != 0 {
		t.Errorf("%d prefix breaks", n)
	}
}

// R43: a repeated id is answered from the log: no request, no second record.
func TestRepeatedTurn(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	in := voice.Turn{ID: "00000000deadbeef", Channel: "text", Text: "番茄几个"}
	k.handle(in, &reply{}, say("两个。"))
	n := len(k.model.requests)
	r := &reply{}
	k.handle(in, r, say("三个。"))
	_, records := k.session()
	if len(k.model.requests) != n || len(records) != 2 || r.result.Reply != "两个。" || r.result.Err.Code != "duplicate" {
		t.Errorf("%d requests, %d records, %+v", len(k.model.requests)-n, len(records), r.result)
	}
}
