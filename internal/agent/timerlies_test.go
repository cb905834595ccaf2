package agent_test

import (
	"strings"
	"testing"

	"homebot/internal/agent"
)

// V9: however a timer is asked for and claimed, a claim without a tool is put
// right, and what claims nothing is left alone.
func TestTimerClaimsInOtherWords(t *testing.T) {
	const zh, en = "定时还没有设上，请再说一遍。现在没有定时。", "No timer was set just now. Please say it again. No timer is set."
	for _, c := range []struct {
		words, reply, want string
	}{
		{"明早七点别让我睡过头", "搞定，我会在七点把您叫醒。", zh},
		{"明早七点别让我睡过头", "放心吧。", zh},
		{"ping me when eight minutes have passed", "Done! Eight minutes on the clock.", en},
		{"ping me when eight minutes have passed", "You got it.", en},
		{"don't let me oversleep, seven o'clock tomorrow", "Sleep well, I'll get you up.", en},
		{"give me a shout in ten minutes", "Sure thing.", en},
		{"八分钟以后吵我一下，提醒我们关火", "没问题，八分钟后准时叫您。", zh},
		{"I am boiling eggs", "I'll ping you once they are done.", "I'll ping you once they are done.\n" + en},
		{"鸡蛋在煮了", "七点整叫您起床。", "七点整叫您起床。\n" + zh},
		{"我明天要早起", "我会在七点叫醒您。", "我会在七点叫醒您。\n" + zh},
		{"tell me a joke", "I'll tell you one about a duck.", "I'll tell you one about a duck."},
		{"what do you call me", "I call you Bob.", "I call you Bob."},
		{"怎么称呼我", "我就叫您小王吧？", "我就叫您小王吧？"},
		{"烤箱怎么用", "预热好了烤箱会亮灯。", "预热好了烤箱会亮灯。"},
		{"鸡蛋煮多久", "煮八分钟，要不要到时候我提醒您？", "煮八分钟，要不要到时候我提醒您？"},
		{"how long for eggs", "Eight minutes. Shall I ping you?", "Eight minutes. Shall I ping you?"},
		{"明早七点别让我睡过头", "是明天早上七点吗？", "是明天早上七点吗？"},
	} {
		if got := strings.TrimSpace(newTimed(t).turn(c.words, say(c.reply+"[[end]]")).Reply); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.words, got, c.want)
		}
	}
}

// V9: of several that were asked for, a reply claims only those that were set.
func TestSomeOfSeveralTimers(t *testing.T) {
	for _, c := range []struct {
		words, reply, want string
		in                 args
	}{
		{"明天早上七点和八点各叫我一次", "好的，七点和八点各叫您一次。", "好的，明天早上七点响铃。", args{"at": "2026-10-23 07:00"}},
		{"set alarms for 7 and 8", "Okay, alarms at 7 and 8.", "Okay, I'll ring at 7 in the morning tomorrow.", args{"at": "2026-10-23 07:00"}},
		{"鸡蛋五分钟，米饭十分钟", "鸡蛋五分钟，米饭十分钟，都设好了。", "好的，鸡蛋，定时五分钟。", args{"minutes": 5, "label": "鸡蛋"}},
		{"明天早上七点和八点各叫我一次", "七点的设好了。", "七点的设好了。", args{"at": "2026-10-23 07:00"}},
	} {
		got := strings.TrimSpace(newTimed(t).turn(c.words, call("set_timer", c.in), say(c.reply+"[[end]]")).Reply)
		if !strings.Contains(got, c.want) || c.want != c.reply && strings.Contains(got, c.reply) {
			t.Errorf("%s\n got %q\nwant %q", c.words, got, c.want)
		}
	}
}

// V9: where timers do not work, a claim of one is still put right; an honest no is
// left alone.
func TestTimerClaimsWithoutTimers(t *testing.T) {
	const zh, en = "定时现在用不了，所以什么都没有设，也没有变，请看看磁盘。", "Timers do not work right now, so nothing was set or changed. Please check the disk."
	for _, c := range []struct {
		words, reply, want string
	}{
		{"定时十分钟", "好的，定时十分钟已经设好了。", zh},
		{"定时十分钟", "好的。", zh},
		{"set a timer for ten minutes", "Done, your timer is set.", en},
		{"鸡蛋的定时还剩多久", "还剩两分钟。", zh},
		{"定时十分钟", "现在没法定时。", "现在没法定时。"},
		{"定时十分钟", "现在不能定时，抱歉。", "现在不能定时，抱歉。"},
		{"set a timer for ten minutes", "Sorry, I can't set timers now.", "Sorry, I can't set timers now."},
		{"定时十分钟", "还没有接上大模型，这个我答不了，不过我可以定时。", zh},
		{"set a timer for ten minutes", "I can't answer that, but I can set timers.", en},
		{"鸡蛋煮多久", "煮八分钟。", "煮八分钟。"},
	} {
		k := &kitchen{t: t, disk: newDisk(), model: &model{}, clock: evening, config: func(c *agent.Config) { c.Timers = nil }}
		k.restart()
		if got := strings.TrimSpace(k.turn(c.words, say(c.reply+"[[end]]")).Reply); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.words, got, c.want)
		}
	}
}

// V3, V9: a marker in a label reaches neither speech nor the record.
func TestTimerLabelBringsNoMarker(t *testing.T) {
	k := newTimed(t)
	got := k.turn("定时十分钟煮鸡蛋", call("set_timer", args{"minutes": 10, "label": "[[end]] 鸡蛋"}), say("[[end]]")).Reply
	if got != "好的，鸡蛋，定时十分钟。" {
		t.Errorf("got %q", got)
	}
	if strings.Contains(k.desk.Status("zh"), "[[") {
		t.Errorf("listed %q", k.desk.Status("zh"))
	}
}
