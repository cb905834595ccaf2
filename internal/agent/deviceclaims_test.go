package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"homebot/internal/event"
	"homebot/skills/timers"
	"homebot/voice"
)

// What is true where a reply claimed more.
const (
	micOnZH, micOnEN   = "麦克风没有关。要关的话，只说“静音”就行。", "The microphone is still on. To turn it off, just say “mute”."
	sameZH, sameEN     = "音量没有变，现在是40。请再说一遍。", "The volume did not change, it is 40. Please say that again."
	stoppedZH, stopped = "这里没有什么在响或者在放，所以什么也没停。", "Nothing is ringing or playing here, so nothing was stopped."
)

// V9, R10: a reply that claims that the microphone is off, that it is louder or
// softer, or that a sound was ended, although no tool did it, is put right: held
// back where the words asked for it, else after it.
func TestDeviceClaimsAreChecked(t *testing.T) {
	for _, c := range []struct{ words, reply, want string }{
		{"你能不能先静音一会儿", "好的，已静音。", micOnZH},
		{"把你的麦克风关一下可以吗我要打电话", "麦克风已经关闭了。", micOnZH},
		{"别听我们说话了好吗我们要聊私事", "好的，我不再听您说话。", micOnZH},
		{"could you go on mute for a while please", "Sure, I've muted myself.", micOnEN},
		{"please turn your microphone off for an hour", "Okay! The microphone is now off.", micOnEN},
		{"我要打个电话", "好的，我已经静音了。", "好的，我已经静音了。\n" + micOnZH},
		{"I need to make a call", "I'll mute until you are done.", "I'll mute until you are done."},
		{"I need to make a call", "I'll mute now.", "I'll mute now.\n" + micOnEN},

		{"宝宝睡了", "好的，我小声点。", "好的，我小声点。\n" + sameZH},
		{"宝宝睡了", "我已经把音量调低了。", "我已经把音量调低了。\n" + sameZH},
		{"the baby is asleep", "I've turned the volume down.", "I've turned the volume down.\n" + sameEN},
		{"宝宝睡了", "好的，音量变小了。", "好的，音量变小了。\n" + sameZH},
		{"宝宝睡了", "如果还是太响，我已经把音量调低了。", "如果还是太响，我已经把音量调低了。\n" + sameZH},
		{"讲个故事", "好的，我已经把音量调低了。从前有座山。", "好的，我已经把音量调低了。从前有座山。\n" + sameZH},
		{"the baby is asleep", "If it is too loud, I've turned the volume down.", "If it is too loud, I've turned the volume down.\n" + sameEN},
		{"the baby is asleep", "Okay, I'll speak more quietly.", "Okay, I'll speak more quietly.\n" + sameEN},

		{"把音乐停了", "好的，音乐已经停止。", "好的，音乐已经停止。\n" + stoppedZH},
		{"快停", "好的，停了。", stoppedZH},
		{"stop the music please", "I've stopped the music.", "I've stopped the music.\n" + stopped},
		{"stop that", "Done, stopped.", stopped},
	} {
		if got := strings.TrimSpace(newLoud(t, &speaker{percent: 40}).turn(c.words, say(c.reply+"[[end]]")).Reply); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.words, got, c.want)
		}
	}
}

// V9: what claims nothing of the device, denies, asks, explains or tells a tale is
// left alone.
func TestDeviceClaimsAreNotImagined(t *testing.T) {
	for _, c := range []struct{ words, reply string }{
		{"你能静音吗", "可以，只说“静音”两个字就行。"},
		{"你能静音吗", "我没法静音，请按设备上的按钮。"},
		{"你一直在听我们说话吗", "没有，说了唤醒词以后我才听，说完就停止收听。"},
		{"are you always listening", "No, I am no longer listening when a talk is over."},
		{"can you mute", "Just say mute, and I will not hear you. Shall I explain more?"},
		{"讲个故事", "音乐停了，公主转过身来。她小声说：“谁在那里？”"},
		{"tell me a tale", "The music stopped, and the princess turned around. The door was off its hinges."},
		{"汤什么时候好", "等锅里的声音变小了，就把火关掉，停止搅拌。"},
		{"when is the soup done", "When it is quieter, turn it down and stop stirring."},
		{"快停", "好的，不说了。"},
		{"怎么停下发酵", "放进冰箱，发酵就停了。"},
		{"炖肉的火要不要关", "我已经说过，肉软了再关火。"},
		{"别放太多盐", "好，少放一点。"},
		{"讲个故事", "夜深了，音量慢慢变大了，灯也亮了。"},
		{"讲个故事", "台上的麦克风关了。他说：“我已经把音量调大了。”"},
		{"后来怎么样", "广场上的音量慢慢变大了。"},
		{"电影里发生了什么", "电影的音量变大了，大家都不说话了。"},
		{"宝宝睡了", "想安静一点的话，把音量调低就好了。"},
		{"宝宝睡了", "把音量调低就行了，你说“小声点”就可以。"},
		{"tell me a tale", "The volume was turned up and the microphone was off, so nobody heard her."},
		{"the baby is asleep", "If you like it quieter, turning the volume down helps."},
	} {
		if got := strings.TrimSpace(newLoud(t, &speaker{percent: 40}).turn(c.words, say(c.reply+"[[end]]")).Reply); got != c.reply {
			t.Errorf("%s\n got %q\nwant %q", c.words, got, c.reply)
		}
	}
}

// V9: what a tool or the device did may be told, in whatever words; where the
// microphone is off already, that it is; on the text channel the way out is
// another one.
func TestDeviceClaimsThatAreTrue(t *testing.T) {
	k := newLoud(t, &speaker{percent: 40})
	if got := k.turn("宝宝睡了", call("set_volume", args{"change": -1}), say("好的，我小声点。[[end]]")).Reply; got != "好的，我小声点。" {
		t.Errorf("softer by the tool: %q", got)
	}
	timed := newTimed(t)
	timed.turn("定时一分钟", call("set_timer", args{"minutes": 1}), say("好。[[end]]"))
	if got := timed.turn("别响了，把那个定时停了吧", call("cancel_timer", args{"all": true}), say("铃声已经关掉了。[[end]]")).Reply; got != "铃声已经关掉了。" {
		t.Errorf("stopped by the tool: %q", got)
	}
	k = newKitchen(t, newDisk())
	k.turn("打开做饭模式", enter("cooking"), say("好。[[continue]]"))
	if got := k.turn("停止做饭模式", exit(), say("已停止。[[end]]")).Reply; got != "已停止。" {
		t.Errorf("a mode that ended: %q", got)
	}
	text := func(words, answer string) string {
		r := &reply{}
		k.handle(voice.Turn{Channel: voice.ChannelText, Text: words}, r, say(answer))
		return r.result.Reply
	}
	if got := text("你现在静音了没有", "已经静音了。[[end]]"); !strings.Contains(got, "homebot mute") {
		t.Errorf("in text, while it is on: %q", got)
	}
	muted(t, k)
	for _, c := range []struct{ words, reply, want string }{
		{"你现在静音了没有", "已经静音了。", "已经静音了。"},
		{"取消静音", "已取消静音。", "麦克风还关着。要打开，请按按钮、用网页，或者运行 homebot unmute。"},
		{"unmute", "Okay, the microphone is on.", "The microphone is still off. Turn it on with the button, the web page, or homebot unmute."},
	} {
		if got := text(c.words, c.reply+"[[end]]"); got != c.want {
			t.Errorf("while it is off, %s: %q, want %q", c.words, got, c.want)
		}
	}
}

// V9: a ring that goes on is told, when a reply claims its end.
func TestRingThatGoesOn(t *testing.T) {
	k := newTimed(t)
	if _, err := k.book.Set(timers.Order{Label: "鸡蛋", Lang: "zh", Span: time.Second}); err != nil {
		t.Fatal(err)
	}
	if ring(t, k); !k.desk.Rings() {
		t.Fatal("nothing rings")
	}
	if got := k.turn("能不能让它别再响下去了呀", say("好的，铃声已经停了。[[end]]")).Reply; !strings.Contains(got, "更正一下，定时没有变动。") {
		t.Errorf("got %q", got)
	}
}

// muted turns the microphone off, as far as an Agent sees it.
func muted(t *testing.T, k *kitchen) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() { _ = k.bus.Run(ctx); close(over) }()
	k.bus.Update(func(s *event.State) { s.Muted = true }, event.StateChanged, nil)
	cancel()
	<-over
}
