package agent_test

import (
	"strings"
	"testing"

	"homebot/voice"
)

const textChat = "text-20261022-195500-abcdef"

// typed is a turn of a text client that gives its id.
func (k *kitchen) typed(id, words string, steps ...step) voice.Result {
	k.t.Helper()
	r := &reply{}
	k.handle(voice.Turn{ID: id, Channel: voice.ChannelText, ChatID: textChat, Text: words}, r, steps...)
	return r.result
}

// R43, S3: a turn that ended a mode and is sent again is not done again where it
// lands now; neither is one of the normal session after a mode was entered.
func TestRepeatAfterTheMode(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.typed("00000000000000a1", "几点了", say("八点。"))
	k.typed("00000000000000a2", "打开做饭模式", enter("cooking"), say("好。"))
	if res := k.typed("00000000000000a1", "几点了", say("九点。")); code(res) != "duplicate" || res.Reply != "八点。" {
		t.Errorf("said before the mode: %q %+v", res.Reply, res.Err)
	}
	k.typed("00000000000000a3", "退出做饭模式", exit(), say("再见。"))
	asked := len(k.model.requests)
	res := k.typed("00000000000000a3", "退出做饭模式", exit(), say("没有打开。"))
	if code(res) != "duplicate" || res.Reply != "再见。" || len(k.model.requests) != asked {
		t.Errorf("the exit again: %q %+v", res.Reply, res.Err)
	}
	if res := k.typed("00000000000000a2", "打开做饭模式", enter("cooking")); code(res) != "duplicate" || res.Mode != nil {
		t.Errorf("the enter again: %q %+v", res.Reply, res.Err)
	}
}

// R43: a channel, a chat id and a turn id of another form are not used as names.
func TestForeignIDs(t *testing.T) {
	k := newKitchen(t, newDisk())
	r := &reply{}
	k.handle(voice.Turn{ID: "x", Channel: "mail", ChatID: "passwd", Text: "你好"}, r)
	if r.result.Err != nil || !strings.HasPrefix(r.result.ChatID, "text-") || r.result.ID == "x" {
		t.Errorf("%+v", r.result)
	}
	if k.read("sessions", "text", r.result.ChatID+".jsonl") == "" {
		t.Error("nothing recorded under text")
	}
}
