package agent_test

import (
	"strings"
	"testing"
)

// V9, R8: a model that claims a switch that did not happen is not believed: the
// user hears what is true, and that is what the model is shown afterwards.
func TestModeClaimsAreChecked(t *testing.T) {
	for _, c := range []struct {
		name   string
		active bool
		words  string
		steps  []step
		want   string
	}{
		{"closed, without a tool", true, "把做饭模式退出一下", []step{say("好的，做饭模式已关闭。[[end]]")}, "做饭模式还开着。说“退出做饭模式”就可以退出。"},
		{"opened, refused", false, "我想说说做饭模式", []step{enter("cooking"), say("好的，做饭模式已打开！[[continue]]")}, "打开做饭模式"},
		{"opened, without a tool", false, "做饭模式", []step{say("做饭模式打开啦！")}, "现在没有打开任何模式。说“打开做饭模式”就可以进入。"},
		{"short", false, "打开做饭模式", []step{say("好的，已经打开了。")}, "现在没有打开任何模式。说“打开做饭模式”就可以进入。"},
		{"promised", true, "退出做饭模式", []step{say("没问题，这就退出做饭模式。")}, "做饭模式还开着。说“退出做饭模式”就可以退出。"},
		{"in English", true, "exit cooking mode", []step{say("Done! Cooking mode has been closed.")}, "is still on."},
		{"in English, on", false, "open cooking mode", []step{say("Okay, cooking mode is now on.")}, "No mode is active."},
		{"opened, refused, not named", false, "我想做饭", []step{enter("cooking"), say("好的，做饭模式已打开！")}, "现在没有打开任何模式。说“打开做饭模式”就可以进入。"},
		{"opened, not named", false, "我要做饭了", []step{say("好的，已经进入做饭模式了。")}, "好的，已经进入做饭模式了。\n现在没有打开任何模式。说“打开做饭模式”就可以进入。"},
		{"closed, not named", true, "我吃完了", []step{say("好的，做饭模式已经退出。")}, "好的，做饭模式已经退出。\n做饭模式还开着。说“退出做饭模式”就可以退出。"},
		{"in English, not named", false, "let's cook", []step{say("Okay, cooking mode is now on.")}, "Okay, cooking mode is now on.\nNo mode is active."},
		{"an oven's mode", false, "烤箱怎么用", []step{say("先把烤箱打开，热风模式已经打开了就放进去。")}, "先把烤箱打开，热风模式已经打开了就放进去。"},
		{"true, not named", true, "我要做饭了", []step{say("做饭模式已经打开了，做什么菜？")}, "做饭模式已经打开了，做什么菜？"},
		{"true: on", true, "做饭模式还开着吗", []step{say("做饭模式已经打开了。")}, "做饭模式已经打开了。"},
		{"true: off", false, "做饭模式还开着吗", []step{say("做饭模式已经关闭了。")}, "做饭模式已经关闭了。"},
		{"accepted", false, "打开做饭模式", []step{enter("cooking"), say("做饭模式已打开！")}, "做饭模式已打开！"},
		{"accepted exit", true, "退出做饭模式", []step{exit(), say("做饭模式已关闭。")}, "做饭模式已关闭。"},
		{"a question", true, "做饭模式怎么退出", []step{say("要关闭做饭模式吗？")}, "要关闭做饭模式吗？"},
		{"a denial", true, "做饭模式", []step{say("做饭模式没有关闭。")}, "做饭模式没有关闭。"},
		{"about something else", true, "做饭模式里火怎么关", []step{say("等汤开了以后把火关掉就行，锅盖先不要打开，焖上五分钟。")}, "等汤开了以后把火关掉就行，锅盖先不要打开，焖上五分钟。"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKitchen(t, newDisk())
			if c.active {
				k.turn("打开做饭模式", enter("cooking"), say("好。"))
			}
			res := k.turn(c.words, c.steps...)
			if !strings.Contains(res.Reply, c.want) || strings.Contains(c.want, "。") && res.Reply != c.want && !strings.HasPrefix(res.Reply, c.want) {
				t.Fatalf("reply %q, want %q", res.Reply, c.want)
			}
			if c.name == "accepted exit" {
				return // the next turn is in another conversation
			}
			k.turn("然后呢")
			msgs := last(k.model.requests).Messages
			if got := msgs[len(msgs)-2].Content; !strings.HasPrefix(got, res.Reply) {
				t.Errorf("shown afterwards: %q", got)
			}
		})
	}
}

// V9: advice, an offer and a tale claim no switch; one that the device says of
// itself is a claim in the midst of them, too.
func TestModeAdviceIsNoClaim(t *testing.T) {
	const zh, en = "\n现在没有打开任何模式。说“打开做饭模式”就可以进入。", "\nNo mode is active."
	for _, c := range []struct{ words, reply, fix string }{
		{"晚上吃什么好", "想做饭的话，打开做饭模式就好了。", ""},
		{"晚上吃什么好", "番茄炒蛋怎么样？想做的话进入做饭模式就行了。", ""},
		{"晚上吃什么好", "只要打开做饭模式，就可以开始了。", ""},
		{"晚上吃什么好", "等你说“打开做饭模式”，就进入做饭模式了。", ""},
		{"晚上吃什么好", "打开了做饭模式以后，我会一步一步告诉你。", ""},
		{"你会什么", "你可以随时说“打开做饭模式”，这样就进入做饭模式了。", ""},
		{"讲个故事", "从前有个小厨师。有一天，做饭模式打开了，满屋都是香味。", ""},
		{"讲个故事", "机器人说：“我已经打开了做饭模式。”大家都笑了。", ""},
		{"昨天怎么了", "那个小厨师打开了做饭模式。", ""},
		{"what shall we eat", "If you want to cook, opening cooking mode is all you need.", ""},
		{"what shall we eat", "Once cooking mode is on, I'll guide you through it.", ""},
		{"what can you do", "You start by opening cooking mode.", ""},
		{"tell me a story", "One day cooking mode was on, and the kitchen smelled of soup.", ""},
		{"what happened in the film", "The cook opened cooking mode and wept.", ""},
		{"晚上吃什么好", "如果您想做饭，我已经打开了做饭模式。", zh},
		{"晚上吃什么好", "想做饭的话正好，我帮您打开做饭模式了。", zh},
		{"讲个故事", "好的，我已经打开了做饭模式。从前有个小厨师。", zh},
		{"晚上吃什么好", "好的，打开了做饭模式。", zh},
		{"晚上吃什么好", "做饭模式打开啦，你可以说想做什么菜。", zh},
		{"晚上吃什么好", "您说得对，做饭模式打开了。", zh},
		{"晚上吃什么好", "您可以放心，做饭模式打开了，如果想换菜就告诉我。", zh},
		{"what shall we eat", "Cooking mode is now on and you can start.", en},
		{"what shall we eat", "If you want to cook, I've opened cooking mode.", en},
		{"tell me a story", "Okay, I've opened cooking mode. Once there was a cook.", en},
	} {
		got := newKitchen(t, newDisk()).turn(c.words, say(c.reply+"[[continue]]")).Reply
		if c.fix == "" && got != c.reply || !strings.HasPrefix(got, c.reply+c.fix) {
			t.Errorf("%s\n got %q\nwant %q", c.words, got, c.reply+c.fix)
		}
	}
}
