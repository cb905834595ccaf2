package contextmode

import "testing"

// C3: the words that choose a profile or ask for a shorter or longer reply, in
// both languages; and those that only look like it.
func TestReadWords(t *testing.T) {
	for _, tt := range []struct {
		words string
		want  Words
	}{
		{"用快速应答", Words{Profile: Minimal}}, {"切到标准对话", Words{Profile: Compact}}, {"切换到深度分析模式", Words{Profile: Full}},
		{"切 到 深度 分析 。", Words{Profile: Full}}, {"幫我切換到快速應答", Words{Profile: Minimal}}, {"改用一下快速回答吧", Words{Profile: Minimal}},
		{"别用快速应答了，用深度分析", Words{Profile: Full}}, {"用深度分析，然后再切回标准对话", Words{Profile: Compact}},
		{"恢复默认", Words{Restore: true}}, {"切回默认模式", Words{Restore: true}}, {"先用深度分析……算了，恢复默认吧", Words{Restore: true}},
		{"不要用快速应答", Words{}}, {"先别切到深度分析", Words{}}, {"不用恢复默认", Words{}}, {"快速应答是什么", Words{}}, {"用快速应答是什么意思", Words{}},
		{"深度分析一下这道菜", Words{}}, {"用盐还是用酱油", Words{}}, {"你好", Words{}}, {"", Words{}}, {"\xff\xfe", Words{}},

		{"use quick answer mode", Words{Profile: Minimal}}, {"Switch to the standard profile please", Words{Profile: Compact}},
		{"quick answer mode", Words{Profile: Minimal}}, {"go to deep analysis", Words{Profile: Full}}, {"Deep Analysis mode.", Words{Profile: Full}},
		{"change to standard.", Words{Profile: Compact}}, {"don't use deep analysis", Words{}}, {"do not switch to quick answers", Words{}},
		{"restore default", Words{Restore: true}}, {"go back to the default", Words{Restore: true}}, {"reset to defaults", Words{Restore: true}},
		{"what is quick answer mode", Words{}}, {"use the full pot of water", Words{}}, {"use a standard pan", Words{}}, {"give me the full recipe", Words{}},
		{"a quick answer would be nice", Words{}},

		{"简单说", Words{Hint: Brief}}, {"清蒸鲈鱼怎么做，说简单一点", Words{Hint: Brief}}, {"长话短说", Words{Hint: Brief}}, {"说详细点", Words{Hint: Detailed}},
		{"讲得详细一些", Words{Hint: Detailed}}, {"详细说说怎么炖", Words{Hint: Detailed}}, {"不用说详细点", Words{}}, {"别说得太详细", Words{}},
		{"briefly, how long does it take", Words{Hint: Brief}}, {"keep it short", Words{Hint: Brief}}, {"explain it in detail", Words{Hint: Detailed}},
		{"not in detail", Words{}}, {"this is a simple dish", Words{}}, {"简单的菜有哪些", Words{}},
		{"用快速应答，不过这次说详细点", Words{Profile: Minimal, Hint: Detailed}},
	} {
		if got := ReadWords(tt.words); got != tt.want {
			t.Errorf("%q: %+v, want %+v", tt.words, got, tt.want)
		}
		if (tt.want.Profile != "" || tt.want.Restore) && !MayChoose(tt.words) {
			t.Errorf("%q would be passed over in a log", tt.words)
		}
	}
	if (NoHint).Line("zh") != "" || Brief.Line("zh") != "[简短回答]" || Detailed.Line("en") != "[answer in detail]" {
		t.Error("a hint's line is wrong")
	}
}

// C3: hints of the table's own names: what the profiles are called can be said.
func TestNamesCanBeSaid(t *testing.T) {
	for _, p := range Profiles() {
		for _, words := range []string{"用" + Default().Name(p, "zh"), "switch to " + Default().Name(p, "en"), "use " + string(p)} {
			if got := ReadWords(words); got.Profile != p {
				t.Errorf("%q: %+v", words, got)
			}
		}
	}
}

// A quick look passes over what most people say.
func TestMayChoose(t *testing.T) {
	for _, words := range []string{"第三步做完了，接下来放多少克盐？", "番茄切多大块……", "how much salt do I need", ""} {
		if MayChoose(words) {
			t.Errorf("%q is looked at", words)
		}
	}
}

func FuzzReadWords(f *testing.F) {
	f.Add("用快速应答，说详细点")
	f.Add("don't switch to deep analysis mode, briefly")
	f.Fuzz(func(t *testing.T, words string) {
		w := ReadWords(words)
		if w != ReadWords(words) || w.Restore && w.Profile != "" || w.Profile != "" && !w.Profile.Valid() {
			t.Fatalf("%+v", w)
		}
		if (w.Profile != "" || w.Restore) && !MayChoose(words) {
			t.Fatalf("%+v would be passed over in a log", w)
		}
	})
}
