package text

import "testing"

// Words to the device itself are whole sentences; anything more or else is a
// turn.
func TestControlOf(t *testing.T) {
	for words, want := range map[string]Control{
		"停": ControlStop, "停！": ControlStop, "你好小厨，停下": ControlStop, "別說了": ControlStop, "嗯 停": ControlStop,
		"Stop.": ControlStop, "stop talking": ControlStop, "hey home bot stop": ControlStop, "Be quiet!": ControlStop,
		"再说一遍": ControlRepeat, "再 说 一遍 。": ControlRepeat, "請再說一次": ControlRepeat, "你刚才说什么？": ControlRepeat,
		"Repeat that, please.": ControlRepeat, "what did you say?": ControlRepeat, "I didn’t catch that": ControlRepeat,
		"静音": ControlMute, "關掉麥克風": ControlMute, "Mute.": ControlMute, "stop listening": ControlMute,

		"停车费多少": "", "不要停": "", "停止烤箱": "", "够了": "", "可以了": "", "stop the oven": "", "don't stop": "", "stop at eight": "", "enough": "",
		"再说一遍第三步": "", "再来一遍": "", "repeat the third step": "", "what did you say about salt": "",
		"取消静音": "", "不要静音": "", "unmute": "", "is mute a word": "", "静音模式是什么": "", "": "", "。": "",
	} {
		if got := ControlOf(words, nil); got != want {
			t.Errorf("ControlOf(%q) = %q, want %q", words, got, want)
		}
	}
	if got := ControlOf("小爱同学停", []string{"小爱同学"}); got != ControlStop {
		t.Errorf("with another wake phrase: %q", got)
	}
}

func TestParseVolume(t *testing.T) {
	up, down := Volume{Steps: 1}, Volume{Steps: -1}
	vagueUp, vagueDown := Volume{Steps: 1, Vague: true}, Volume{Steps: -1, Vague: true}
	at := func(n int) Volume { return Volume{Percent: n, Absolute: true} }
	for words, want := range map[string]Volume{
		"大声点": up, "大声一点": up, "声音大一点": up, "再大声点": up, "音量调大": up, "把声音调大一点": up, "請大聲一點": up, "调高一点音量": up, "听不见": up, "声音太小了": up, "提高音量": up, "说大声点": up, "你说大一点": up, "大点声": up, "响一点": up, "音量放大一点": up,
		"小声点": down, "声音小一点": down, "音量小点": down, "太吵了": down, "声音太大了": down, "把音量调低一点": down, "小点声": down, "降低音量": down, "说轻一点": down, "声音轻一点": down, "低一点音量": down,
		"louder": up, "Louder, please.": up, "turn it up": vagueUp, "could you turn that up a little please": vagueUp, "turn up": vagueUp, "make it louder": up, "turn it a bit down": vagueDown, "turn it softer": down, "turn up the volume": up, "volume up": up, "speak up": up, "can you speak a bit louder": up, "turn the volume up a bit": up, "I can't hear you": up,
		"quieter": down, "turn it down": vagueDown, "volume down": down, "a bit softer please": down, "that's too loud": down, "lower the volume": down,
		"音量调到三十": at(30), "音量 30": at(30), "把音量调到百分之五十": at(50), "声音调到八十": at(80), "音量一百": at(100), "音量调到零": at(0), "音量设为二十五": at(25), "音量20%": at(20),
		"volume fifty": at(50), "Volume 50%": at(50), "set the volume to thirty percent": at(30), "set volume to 80": at(80), "turn the volume down to twenty five": at(25), "volume one hundred": at(100),
		"音量最大": at(100), "最大声": at(100), "音量调到一半": at(50), "音量最小": at(10), "full volume": at(100), "half volume": at(50), "volume to the max": at(100), "minimum volume": at(10), "turn it all the way up": {Percent: 100, Absolute: true, Vague: true}, "set the volume to half": at(50), "turn the volume to the lowest": at(10),
	} {
		if got, ok := ParseVolume(words); !ok || got != want {
			t.Errorf("ParseVolume(%q) = %+v, %v, want %+v", words, got, ok, want)
		}
	}
	for _, words := range []string{
		"", "声音", "音量", "火大一点", "大一点的碗", "盐少一点", "小一点的土豆", "把火调小", "调小", "音量调到一百二", "音量调到三十再说一遍", "volume", "volume of the bowl", "turn down the heat", "turn it off", "how loud is it", "set the volume to eleven hundred", "不要大声", "别太大声",
		"大一点", "再小一点", "高一点", "低一点", "开大点", "放低一点", "轻一点", "太轻了", "half", "half please", "full", "max", "the lowest", "minimum", "all the way up",
	} {
		if v, ok := ParseVolume(words); ok {
			t.Errorf("ParseVolume(%q) = %+v", words, v)
		}
	}
}

// FuzzControl: no words bring it down, and a volume that is read is one.
func FuzzControl(f *testing.F) {
	f.Add("音量调到三十")
	f.Add("volume fifty")
	f.Add("停")
	f.Fuzz(func(t *testing.T, words string) {
		_ = ControlOf(words, nil)
		_ = NamesVolume(words)
		if v, ok := ParseVolume(words); ok && (v.Percent < 0 || v.Percent > 100 || v.Steps < -1 || v.Steps > 1) {
			t.Errorf("%q is %+v", words, v)
		}
	})
}
