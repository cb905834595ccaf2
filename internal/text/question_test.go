package text

import "testing"

// V3: without a marker the device listens only after a question.
func TestEndsWithQuestion(t *testing.T) {
	for _, c := range []struct {
		reply string
		want  bool
	}{
		{"番茄要几个？", true},
		{"好的。番茄要几个?", true},
		{"要不要放辣？😊", true},
		{"“要辣吗？”", true},
		{"准备好了嗎", true},
		{"可以开始了吗。", true},
		{"番茄要几个？我先放两个。", false},
		{"好的。", false},
		{"", false},
		{"？", false},
		{"How many eggs?", true},
		{"How many eggs? I take two.", false},
		{"**How many?**", true},
	} {
		if got := EndsWithQuestion(c.reply); got != c.want {
			t.Errorf("EndsWithQuestion(%q) = %v", c.reply, got)
		}
	}
}

// V3: a courtesy is no question.
func TestIsCourtesy(t *testing.T) {
	for _, c := range []struct {
		sentence string
		want     bool
	}{
		{"还需要我帮忙吗？", true},
		{"還需要別的嗎？", true},
		{"还有别的吗？", true},
		{"还有什么可以帮您的吗？", true},
		{"还有 什么 需要 帮忙 的 吗", true},
		{"需要我帮你做点别的吗？", true},
		{"有什么我可以帮你的？", true},
		{"番茄要几个？", false},
		{"要放辣吗？", false},
		{"还有几个鸡蛋？", false},
		{"Anything else?", true},
		{"Is there anything else I can do for you?", true},
		{"Do you need anything?", true},
		{"What else can I do for you?", true},
		{"Can I help with anything else?", true},
		{"How many eggs do you need?", false},
		{"Do you want it spicy?", false},
		{"", false},
	} {
		if got := IsCourtesy(c.sentence); got != c.want {
			t.Errorf("IsCourtesy(%q) = %v", c.sentence, got)
		}
	}
}

func TestLastSentence(t *testing.T) {
	for in, want := range map[string]string{
		"好的。还有别的吗？":  "还有别的吗？",
		"Ok. Go! 👌":  "Go!",
		"Ok.\n---\n": "Ok.",
		"":           "",
	} {
		if got := LastSentence(in); got != want {
			t.Errorf("LastSentence(%q) = %q, want %q", in, got, want)
		}
	}
}
