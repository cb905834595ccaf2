package agent_test

import (
	"strings"
	"testing"

	"homebot/voice"
)

// fact is a model that notes one.
func fact(text string) step {
	return call("note_fact", map[string]string{"kind": "fact", "text": text})
}

// S3, R10: whatever a model writes fits a record: an answer without an end is
// cut and told, a summary or a fact that is too long is refused with a reason.
func TestBoundsOfATurn(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	res := k.turn("讲个故事", say(strings.Repeat("说\x01", 200<<10)))
	if code(res) != "llm_nonsense" || len(res.Reply) > 65<<10 || !strings.HasSuffix(res.Reply, res.Err.Text) || strings.Contains(res.Reply, "\x01") {
		t.Errorf("%d bytes, %+v", len(res.Reply), res.Err)
	}
	if _, records := k.session(); last(records).User != "讲个故事" || last(records).Failed != "llm" {
		t.Errorf("record %.99v", last(records))
	}
	k.turn("记住", fact(strings.Repeat("长", 501)), fact(strings.Repeat("长", 500)), say("好。"))
	if _, records := k.session(); len(last(records).Facts) != 1 {
		t.Errorf("%d facts", len(last(records).Facts))
	}
	answers := last(k.model.requests).Messages
	if got := answers[len(answers)-3].Content; !strings.Contains(got, "at most 500") {
		t.Errorf("the model was told %q", got)
	}
	res = k.turn("退出做饭模式",
		call("switch_mode", map[string]string{"action": "exit", "summary": strings.Repeat("长", 2001)}),
		call("switch_mode", map[string]string{"action": "exit", "summary": strings.Repeat("\x01", 2000)}), say("再见。"))
	if res.Err != nil || k.action()["active"] != false {
		t.Errorf("exit: %+v", res.Err)
	}
}

// A terminal would obey the control characters of a reply, those of 8 bits too.
func TestReplyWithoutControlCharacters(t *testing.T) {
	k := newKitchen(t, newDisk())
	if res := k.turn("讲个故事", say("好\x1b[2J的\u009b31m\x7f。")); res.Reply != "好[2J的31m。" {
		t.Errorf("%q", res.Reply)
	}
}

// Nor what turns the order of a line around or hides in a word; emoji stay whole.
func TestReplyWithoutHiddenMarks(t *testing.T) {
	k := newKitchen(t, newDisk())
	if res := k.turn("讲个故事", say("\ufeff好\u202e的\u2066，\u200b👨\u200d🍳❤\ufe0f。[[\u200bend]]")); res.Reply != "好的，👨\u200d🍳❤\ufe0f。" {
		t.Errorf("%q", res.Reply)
	}
}

// S3: words that would not fit a record are not taken.
func TestWordsTooLong(t *testing.T) {
	k := newKitchen(t, newDisk())
	r := &reply{}
	k.handle(voice.Turn{Channel: voice.ChannelText, Text: strings.Repeat("长", 30<<10)}, r)
	if code(r.result) != "too_long" || len(k.model.requests) != 0 {
		t.Errorf("%+v", r.result.Err)
	}
}
