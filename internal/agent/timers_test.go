package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"homebot/internal/agent"
	"homebot/skills/timers"
)

// timed is a kitchen with timers.
type timed struct {
	*kitchen
	book *timers.Book
	desk *timers.Desk
}

func newTimed(t *testing.T) *timed {
	t.Helper()
	k := &timed{kitchen: &kitchen{t: t, disk: newDisk(), model: &model{}, clock: evening}}
	k.config = func(c *agent.Config) {
		book, err := timers.Open(timers.Config{
			FS: k.disk, Workspace: workspace, Now: func() time.Time { return k.clock },
			Uptime: func() (string, time.Duration) { return "boot", k.clock.Sub(evening) },
		})
		if err != nil {
			t.Fatal(err)
		}
		k.book, k.desk = book, timers.NewDesk(book, "zh")
		c.Tools, c.Timers = k.desk.Tools(), k.desk
	}
	k.restart()
	return k
}

type args = map[string]any

// V9: the reply never claims what a tool did not do. The model lies, the device
// says what is really set; what a tool confirmed is left as the model says it.
func TestTimerClaimsAreChecked(t *testing.T) {
	for _, c := range []struct {
		name, words string
		steps       []step
		want        string
	}{
		{"a lie", "定时十分钟", []step{say("好的，定时十分钟已经设好了。[[end]]")}, "定时还没有设上，请再说一遍。现在没有定时。"},
		{"a lie in English", "set a timer for ten minutes", []step{say("Done, your timer is set for ten minutes.[[end]]")}, "No timer was set just now. Please say it again. No timer is set."},
		{"another lie", "wake me at seven", []step{say("Sure, I'll wake you at seven.[[end]]")}, "No timer was set just now. Please say it again. No timer is set."},
		{"silence about it", "十分钟后叫我", []step{say("好的。[[end]]")}, "定时还没有设上，请再说一遍。现在没有定时。"},
		{"a lie nobody asked for", "鸡蛋要煮熟", []step{say("好的，我已经帮你设了八分钟的定时。[[end]]")}, "好的，我已经帮你设了八分钟的定时。\n定时还没有设上，请再说一遍。现在没有定时。"},
		{"a cancel that was none", "取消定时", []step{say("定时已经取消了。[[end]]")}, "更正一下，定时没有变动。现在没有定时。"},
		{"asking back", "设个定时", []step{say("定多久？[[continue]]")}, "定多久？"},
		{"the truth", "定时十分钟", []step{call("set_timer", args{"minutes": 10}), say("好，十分钟后我叫你。[[end]]")}, "好，十分钟后我叫你。"},
		{"other figures", "定时十分钟", []step{call("set_timer", args{"minutes": 10}), say("好，十五分钟后叫你。[[end]]")}, "准确地说：好的，定时十分钟。"},
		{"another length set", "定时十分钟", []step{call("set_timer", args{"minutes": 1}), say("好，十五分钟后叫你。[[end]]")}, "准确地说：好的，定时一分钟。"},
		{"another time of day", "wake me at seven", []step{call("set_timer", args{"at": "07:00"}), say("Okay, the alarm is set for 8 am.[[end]]")}, "To be exact: Okay, I'll ring at 7 in the morning tomorrow."},
		{"a refused tool", "定时十分钟", []step{call("set_timer", args{}), say("好的，定时设好了。[[end]]")}, "定时还没有设上，请再说一遍。现在没有定时。"},
		{"a denial", "定时十分钟", []step{call("set_timer", args{}), say("我没能设上定时。[[end]]")}, "我没能设上定时。"},
		{"both are told", "鸡蛋五分钟，米饭十分钟", []step{call("set_timer", args{"minutes": 5, "label": "鸡蛋"}), call("set_timer", args{"minutes": 10, "label": "米饭"}), say("好，两个都好了，鸡蛋七分钟。[[end]]")}, "准确地说：好的，鸡蛋，定时五分钟。 好的，米饭，定时十分钟。"},
		{"an honest no", "每天早上七点叫我", []step{say("重复的我还不会。[[end]]")}, "重复的我还不会。"},
		{"a repeating lie", "每天早上七点叫我", []step{say("好的，每天七点的闹钟设好了。[[end]]")}, "定时还没有设上，请再说一遍。现在没有定时。"},
		{"a lie without a time", "设一个八分钟的定时", []step{say("好的，到时候提醒你。[[end]]")}, "定时还没有设上，请再说一遍。现在没有定时。"},
		{"what to think of is no time", "做鱼要注意什么", []step{say("好的，我会提醒你少放一点盐。[[end]]")}, "好的，我会提醒你少放一点盐。"},
		{"a length that was said before", "鸡蛋煮八分钟", []step{say("好，水开了跟我说，我会告诉你下一步。[[continue]]")}, "好，水开了跟我说，我会告诉你下一步。"},
		{"just cooking", "番茄炒几分钟", []step{say("大火炒三分钟。[[end]]")}, "大火炒三分钟。"},
		{"cooking in English", "how long do I fry tomatoes", []step{say("Fry them for three minutes.[[end]]")}, "Fry them for three minutes."},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newTimed(t)
			if got := k.turn(c.words, c.steps...).Reply; strings.TrimSpace(got) != c.want {
				t.Errorf("%s\n got %q\nwant %q", c.words, got, c.want)
			}
		})
	}
	for words, replies := range guidance {
		k := newTimed(t)
		for _, r := range replies {
			if got := k.turn(words, say(r+"[[continue]]")).Reply; strings.TrimSpace(got) != r {
				t.Errorf("no claim, and answered by %q", got)
			}
		}
	}
	for words, replies := range timerLies {
		k := newTimed(t)
		for _, r := range replies {
			if got := k.turn(words, say(r+"[[end]]")).Reply; !strings.Contains(got, "定时还没有设上") && !strings.Contains(got, "No timer was set") {
				t.Errorf("a claim that was believed: %q", got)
			}
		}
	}
}

// V9: what is left is told by the tool, not by a model that guesses.
func TestTimeLeftIsTrue(t *testing.T) {
	k := newTimed(t)
	k.turn("鸡蛋定时八分钟", call("set_timer", args{"minutes": 8, "label": "鸡蛋"}), say("好的，鸡蛋八分钟。[[end]]"))
	got := k.turn("鸡蛋的定时还剩多久", say("还剩两分钟。[[end]]")).Reply
	if got != "现在有：鸡蛋还剩七分钟。" {
		t.Errorf("got %q", got)
	}
}

// V9: the list as the tool gave it claims no change, however often it is asked
// for.
func TestListIsNoClaim(t *testing.T) {
	k := newTimed(t)
	k.turn("set a timer for ten minutes", call("set_timer", args{"minutes": 10, "label": "timer set"}), say("Okay.[[end]]"))
	for range 2 {
		list := k.desk.Status("en")
		k.clock = k.clock.Add(-time.Minute) // a turn takes one
		if got := k.turn("how long is left?", call("list_timers", args{}), say(list+"[[end]]")).Reply; got != list {
			t.Errorf("got %q, want %q", got, list)
		}
	}
}

// V9: a ring is ended by words alone, on any channel, without a model; what the
// user said is recorded as it came (R7).
func TestStopWordEndsTheRing(t *testing.T) {
	k := newTimed(t)
	if _, err := k.book.Set(timers.Order{Label: "鸡蛋", Lang: "zh", Span: time.Second}); err != nil {
		t.Fatal(err)
	}
	ring(t, k)
	r := k.turn("嗯 停 。")
	if r.Reply != "好的，不响了。" || k.desk.Rings() || len(k.model.requests) != 0 {
		t.Errorf("got %q, rings %v, %d requests", r.Reply, k.desk.Rings(), len(k.model.requests))
	}
	if r := k.turn("停", say("停什么？[[continue]]")); r.Reply != "停什么？" {
		t.Errorf("with nothing ringing: %q", r.Reply)
	}
}

// V9: what was missed is told once, on the first turn of any channel.
func TestMissedIsToldOnce(t *testing.T) {
	k := newTimed(t)
	if _, err := k.book.Set(timers.Order{Label: "鸡蛋", Lang: "zh", Span: time.Minute}); err != nil {
		t.Fatal(err)
	}
	k.clock = k.clock.Add(3 * time.Hour)
	ring(t, k)
	k.restart()
	if got := k.turn("你好", say("你好。[[end]]")).Reply; got != "我不在的时候错过了：鸡蛋，晚上七点五十六分到的。\n你好。" {
		t.Errorf("first turn: %q", got)
	}
	k.restart()
	if got := k.turn("你好", say("你好。[[end]]")).Reply; got != "你好。" {
		t.Errorf("second turn: %q", got)
	}
}

// ring lets the book look at the clock once.
func ring(t *testing.T, k *timed) {
	t.Helper()
	k.clock = k.clock.Add(2 * time.Second)
	ctx, cancel := contextWithTimeout(t)
	defer cancel()
	_ = k.book.Run(ctx)
}

// R50: timers are not the mode's and survive its end.
func TestTimersSurviveTheMode(t *testing.T) {
	k := newTimed(t)
	k.turn("打开做饭模式", enter("cooking"), say("好的。[[end]]"))
	k.turn("定时十分钟", call("set_timer", args{"minutes": 10}), say("好，十分钟。[[end]]"))
	k.turn("退出做饭模式", exit(), say("再见。[[end]]"))
	k.restart()
	if rows := k.desk.Rows(); len(rows) != 1 || rows[0].State != "running" {
		t.Errorf("got %+v", rows)
	}
}

func contextWithTimeout(t *testing.T) (contextT, func()) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	return ctx, cancel
}
