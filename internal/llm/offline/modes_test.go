package offline

import (
	"strings"
	"testing"

	"homebot/internal/phrases"
)

// Which mode is active is told, and "exit" names that one; a mode that there is
// not, and a model that was never set up, are told as such.
func TestActiveModeAndNoModel(t *testing.T) {
	for _, c := range []struct{ words, active, want string }{
		{"退出", "study", "说“退出学习模式”就可以退出。[[continue]]"},
		{"exit", "study", "Say “exit study mode” and it will close.[[continue]]"},
		{"退出", "", "现在没有打开任何模式。[[end]]"},
		{"exit the mode", "", "No mode is active.[[end]]"},
		{"what mode am I in", "study", "You are in study mode.[[end]]"},
		{"现在是什么模式", "study", "现在开着学习模式。[[end]]"},
		{"现在是什么模式？", "", "现在没有打开任何模式。[[end]]"},
		{"turn it down", "study", "If you mean my voice, say “volume up” or “volume down”.[[continue]]"},
		{"番茄要放几个", "", "还没有接上大模型，这个我答不了，不过我可以定时、开关模式、报时间和日期、重复刚才的话。[[end]]"},
		{"help", "", "No language model is set up, but you can say “open cooking mode”, “set a timer for ten minutes”, “what time is it”, or “repeat that”.[[continue]]"},
	} {
		cfg := newModel().cfg
		cfg.NoModel, cfg.Active = true, func() string { return c.active }
		if got := says(t, New(cfg), request(c.words)); got != c.want {
			t.Errorf("%s in %q\n got %s\nwant %s", c.words, c.active, got, c.want)
		}
	}
}

// V9: a timer beside a switch of mode that cannot be set is not passed over.
func TestFaultBesideASwitch(t *testing.T) {
	r := afterSwitch("打开做饭模式，每天七点叫我", `{"action":"enter","mode_id":"cooking"}`, `{"ok":true,"display_name":"做饭模式"}`)
	if got := says(t, newModel(), r); !strings.Contains(got, phrases.TimerNoRepeat.ZH) || !strings.Contains(got, "已进入做饭模式") {
		t.Errorf("got %s", got)
	}
}
