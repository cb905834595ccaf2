package agent_test

import (
	"strings"
	"testing"

	"homebot/internal/agent"
	"homebot/voice"
)

// spokenTo is a turn of the voice channel, in one voice session.
func (k *kitchen) spokenTo(words string, steps ...step) { k.t.Helper(); k.turn(words, steps...) }

// newest is the last message of the newest request: its header lines, and the
// words.
func (k *kitchen) newest() (header []string, words string) {
	k.t.Helper()
	msgs := last(k.model.requests).Messages
	all := strings.Split(msgs[len(msgs)-1].Content, "\n")
	return all[:len(all)-1], all[len(all)-1]
}

// R7, R35, R36, V1: a command in one breath with the wake phrase reaches the model
// without it; the record has all of the words, and the headers of such records
// still tell what was shown: no field is sent twice.
func TestWakePhraseIsCutFromTheWords(t *testing.T) {
	for _, c := range []struct{ said, words string }{
		{"你好小厨番茄怎么切", "番茄怎么切"},
		{"你好，小厨！番茄怎么切？", "番茄怎么切？"},
		{"Hey home bot, how do I cut a tomato?", "how do I cut a tomato?"},
		{"你好小厨", "你好小厨"}, // nothing would be left
		{"跟你好小厨说番茄", "跟你好小厨说番茄"},
		{"番茄怎么切", "番茄怎么切"},
	} {
		k := newKitchen(t, newDisk())
		k.spokenTo(c.said, say("先切块。[[continue]]"))
		header, words := k.newest()
		if words != c.words || len(header) != 3 {
			t.Errorf("%q: the model got %q under %q", c.said, words, header)
		}
		k.spokenTo("然后呢", say("再切片。[[end]]"))
		if header, _ := k.newest(); strings.Contains(strings.Join(header, ""), "[date:") {
			t.Errorf("%q: what was shown is sent again: %q", c.said, header)
		}
		msgs := last(k.model.requests).Messages
		if got := msgs[1].Content; !strings.HasSuffix(got, "]\n"+c.words) {
			t.Errorf("%q: replayed as %q", c.said, got)
		}
		if log := k.read("sessions/voice/voice-20261022-195500-abcdef.jsonl"); !strings.Contains(log, `"user":"`+c.said+`"`) {
			t.Errorf("%q is not in the record: %s", c.said, log)
		}
	}
}

// R7, R5: the gate gets the words as they were heard, the wake phrase before them;
// in text nobody says one, and what looks like one is the user's.
func TestWakePhraseElsewhere(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.spokenTo("你好小厨打开做饭模式", enter("cooking"), say("好。[[continue]]"))
	if k.action()["active"] != true {
		t.Error("the mode was not entered in one breath with the wake phrase")
	}
	k.spokenTo("你好小厨，番茄怎么切", say("切块。[[continue]]"))
	if header, words := k.newest(); words != "番茄怎么切" || len(header) < 3 {
		t.Errorf("in a mode: %q under %q", words, header)
	}
	k.spokenTo("然后呢", say("切片。[[end]]"))
	if header, _ := k.newest(); strings.Contains(strings.Join(header, ""), "[date:") {
		t.Errorf("in a mode what was shown is sent again: %q", header)
	}
	k = newKitchen(t, newDisk())
	k.handle(voice.Turn{Channel: voice.ChannelText, Text: "你好小厨番茄怎么切"}, &reply{}, say("切块。[[end]]"))
	if _, words := k.newest(); words != "你好小厨番茄怎么切" {
		t.Errorf("in text: %q", words)
	}
}

// V1: the phrases of the configuration are cut, and only they.
func TestWakePhraseOfOnesOwn(t *testing.T) {
	k := &kitchen{t: t, disk: newDisk(), model: &model{}, clock: evening}
	k.config = func(c *agent.Config) { c.Wake = []string{"小爱同学"} }
	k.restart()
	for said, want := range map[string]string{"小爱同学，几点了": "几点了", "你好小厨几点了": "你好小厨几点了"} {
		k.spokenTo(said, say("七点。[[end]]"))
		if _, words := k.newest(); words != want {
			t.Errorf("%q: %q", said, words)
		}
	}
}

// V5, C1: a slow reply may be announced where the profile says so: in full and
// compact, not in minimal; the table alone decides it.
func TestFillerIsTheProfiles(t *testing.T) {
	for _, c := range []struct {
		table string
		want  map[string]int
	}{
		{"", map[string]int{"full": 1, "compact": 1, "minimal": 0}},
		{"[profile.minimal]\nfiller = true\n[profile.full]\nfiller = false\n", map[string]int{"full": 0, "compact": 1, "minimal": 1}},
	} {
		k := newKitchen(t, newDisk())
		if c.table != "" {
			useTable(t, k, c.table)
			k.restart()
		}
		for profile, want := range c.want {
			r := &reply{}
			k.handle(voice.Turn{Channel: voice.ChannelVoice, ChatID: "voice-20261022-195500-abcdef", Text: "番茄怎么切", Profile: profile}, r, say("切块。[[end]]"))
			if r.fills != want || r.result.Profile != profile {
				t.Errorf("table %q, %s: %d calls of MayFill in profile %s, want %d", c.table, profile, r.fills, r.result.Profile, want)
			}
		}
	}
}
