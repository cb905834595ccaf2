package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"homebot/internal/agent"
	"homebot/internal/llm"
	"homebot/voice"
)

// speaker is a loudspeaker; -1 is none.
type speaker struct {
	percent int
	err     error // and nothing is changed
}

func (s *speaker) Volume() (int, bool) { return max(s.percent, 0), s.percent >= 0 }

func (s *speaker) SetVolume(_ context.Context, percent int) error {
	if s.err == nil {
		s.percent = percent
	}
	return s.err
}

func newLoud(t *testing.T, s *speaker) *kitchen {
	t.Helper()
	k := &kitchen{t: t, disk: newDisk(), model: &model{}, clock: evening}
	k.config = func(c *agent.Config) { c.Loudspeaker = s }
	k.restart()
	return k
}

// R37, V9: the model turns the loudness with set_volume, in steps or percent; what
// the reply claims is what the tool did.
func TestVolumeByTheModel(t *testing.T) {
	for _, c := range []struct {
		name, words string
		before      int
		err         error
		steps       []step
		want        string
		after       int
	}{
		{"a step", "你的声音能不能再大一些些啊我在炒菜", 40, nil, []step{call("set_volume", args{"change": 1}), say("好，大声了一点。[[end]]")}, "好，大声了一点。", 50},
		{"percent", "I'd like the volume around a third", 40, nil, []step{call("set_volume", args{"percent": 33}), say("The volume is now 33.[[end]]")}, "The volume is now 33.", 33},
		{"advice", "你的声音怎么才能再大一些呢", 40, nil, []step{say("想大声一点的话，把音量调大就好了，说“大声点”。[[end]]")}, "想大声一点的话，把音量调大就好了，说“大声点”。", 40},
		{"a lie", "你的声音能不能再大一些些啊我在炒菜", 40, nil, []step{say("好的，已经调大了。音量现在是60。[[end]]")}, "音量没有变，现在是40。请再说一遍。", 40},
		{"a lie in English", "my ears hurt from that volume", 40, nil, []step{say("Sorry, I've turned it down.[[end]]")}, "The volume did not change, it is 40. Please say that again.", 40},
		{"a refusal, denied", "我觉得音量不对", 40, errors.New("no"), []step{call("set_volume", args{"change": -1}), say("音量已经调小了。[[end]]")}, "音量没有变，现在是40。请再说一遍。", 40},
		{"a wrong call", "我觉得音量不对", 40, nil, []step{call("set_volume", args{"percent": 900}), say("音量我没能调。[[end]]")}, "音量我没能调。", 40},
		{"no words after the tool", "我觉得音量不对", 40, nil, []step{call("set_volume", args{"change": -1}), say("[[end]]")}, "音量30。", 30},
		{"other volumes", "平底锅的容量和声音有关吗", 40, nil, []step{say("容量大的锅，火开大就好。[[end]]")}, "容量大的锅，火开大就好。", 40},
		{"no sound here", "我觉得音量不对", -1, nil, []step{call("set_volume", args{"change": -1}), say("好的，声音调小了。[[end]]")}, "这里只有文字，没有声音可以调。", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &speaker{percent: c.before, err: c.err}
			k := newLoud(t, s)
			if got := k.turn(c.words, c.steps...).Reply; strings.TrimSpace(got) != c.want || s.percent != c.after {
				t.Errorf("%s\n got %q at %d\nwant %q at %d", c.words, got, s.percent, c.want, c.after)
			}
		})
	}
}

// V9, R44: words that are about the loudness and nothing else are done without a
// model, and recorded.
func TestVolumeAtOnce(t *testing.T) {
	s := &speaker{percent: 80}
	k := newLoud(t, s)
	for _, c := range []struct {
		words, want string
		after       int
	}{
		{"大声点", "音量90。", 90},
		{"louder", "Volume 100.", 100},
		{"Louder, please", "That is as loud as I can be.", 100},
		{"音量调到二十", "音量20。", 20},
		{"小声一点", "音量10。", 10},
		{"小声一点", "已经是最小声了，再小就听不见了。", 10},
		{"volume fifty", "Volume 50.", 50},
		{"音量调到零", "音量为零，我说话就没有声音了；定时器响还是听得见。", 0},
	} {
		r := k.turn(c.words)
		if r.Reply != c.want || s.percent != c.after || r.Next != voice.End {
			t.Errorf("%s: %q at %d, want %q at %d", c.words, r.Reply, s.percent, c.want, c.after)
		}
	}
	if n := len(k.model.requests); n != 0 {
		t.Errorf("%d requests", n)
	}
	s.err = errors.New("no")
	if r := k.turn("大声点"); r.Reply != "音量没有变，现在是0。请再说一遍。" {
		t.Errorf("refused: %q", r.Reply)
	}
	k.turn("还有呢", say("没有了。[[end]]"))
	sent := fmt.Sprint(k.model.requests[len(k.model.requests)-1].Messages)
	for _, words := range []string{"大声点", "音量90。", "还有呢"} {
		if !strings.Contains(sent, words) {
			t.Errorf("%q is not in the history", words)
		}
	}
}

// While cooking, "turn it down" may mean the fire: the model decides; words that
// name the sound are done at once there too.
func TestTurnItDownWhileCooking(t *testing.T) {
	s := &speaker{percent: 80}
	k := newLoud(t, s)
	if r := k.turn("turn it down"); r.Reply != "Volume 70." {
		t.Errorf("outside a mode: %q at %d", r.Reply, s.percent)
	}
	k.turn("打开做饭模式", enter("cooking"), say("做饭模式开了。[[end]]"))
	if r := k.turn("turn it down", say("Low heat it is, then.[[end]]")); r.Reply != "Low heat it is, then." || s.percent != 70 {
		t.Errorf("the fire: %q at %d", r.Reply, s.percent)
	}
	if r := k.turn("turn it up a bit", call("set_volume", args{"change": 1}), say("I am louder now.[[end]]")); s.percent != 80 {
		t.Errorf("the voice, by the model: %q at %d", r.Reply, s.percent)
	}
	if r := k.turn("turn the volume down"); r.Reply != "Volume 70." {
		t.Errorf("the voice, by name: %q at %d", r.Reply, s.percent)
	}
}

// R44: "repeat that" says the last reply again without a model: the one this
// device said last, to its end, or that of the conversation; never a failure.
func TestRepeatAtOnce(t *testing.T) {
	k := newLoud(t, &speaker{percent: 40})
	k.turn("打开做饭模式", enter("cooking"), say("做饭模式开了。[[end]]"))
	k.turn("番茄怎么切", say("先切块，好吗？[[continue]]"))
	k.turn("为什么", step{err: llm.ErrRefused})
	k.restart()
	before := len(k.model.requests)
	if r := k.turn("再说一遍"); r.Reply != "先切块，好吗？" {
		t.Errorf("from the conversation: %q", r.Reply)
	}
	said := &reply{}
	k.handle(voice.Turn{Channel: voice.ChannelVoice, Text: "repeat that", Said: "Cut the tomatoes, then the onions."}, said)
	if said.result.Reply != "Cut the tomatoes, then the onions." {
		t.Errorf("what was said: %q", said.result.Reply)
	}
	if n := len(k.model.requests); n != before {
		t.Errorf("%d requests", n-before)
	}
	if r := k.turn("静音"); !strings.Contains(r.Reply, "homebot mute") {
		t.Errorf("mute in text: %q", r.Reply)
	}
}
