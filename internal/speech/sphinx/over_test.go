package sphinx

import (
	"slices"
	"testing"

	"homebot/internal/speech"
)

// replies are what a device says: nothing in them is a command.
var replies = map[string][]string{
	mandarin: {
		"先把番茄洗干净，切成小块，再把三个鸡蛋打散，加一点盐。", "锅里放两勺油，油热了以后把鸡蛋倒进去，炒到凝固就盛出来。",
		"然后放番茄，中火炒三分钟，出汁以后加一小勺糖，最后把鸡蛋放回去，翻炒均匀就可以出锅了。",
	},
	english: {
		"Cut four tomatoes and one onion into small pieces, and fry the onion gently in a little oil until it is soft.",
		"Then add the tomatoes, a pinch of salt and half a litre of water, and let it simmer for twenty minutes.",
		"At the end stir in some cream and basil, and serve it with bread.",
	},
}

// TestOverhear (V6): while the device speaks, its own words, at full loudness and
// not cancelled, are neither a wake phrase nor, in the end, a set phrase; the wake
// phrase said between them wakes. Partial transcripts do hold 停 and help now and
// then: the Loop believes a final one only, unless the echo is cancelled.
func TestOverhear(t *testing.T) {
	for _, s := range corpora {
		t.Run(s.lang, func(t *testing.T) {
			l := listen(t, testConfig(t), rate/50)
			over := func() {
				if err := l.Recognizer.(speech.Overhearer).Overhear(s.lang); err != nil {
					t.Fatal(err)
				}
				l.taking, l.began, l.stopped = true, l.at, 0
			}
			v := s.voices[0]
			over()
			for _, text := range replies[s.lang] {
				for _, h := range l.play(v.say(t, text), pause(300)) {
					if h.Kind == speech.Wake || h.Kind == speech.Final {
						t.Errorf("its own %q was heard as %s %q%q", text, h.Kind, h.Phrase, h.Text)
					}
				}
				if !l.taking {
					over()
				}
			}
			heard := l.play(v.say(t, replies[s.lang][0]), pause(300), s.voices[1].say(t, s.wake), pause(1200))
			if woken(heard) != s.wake {
				t.Errorf("the wake phrase after its own words: heard %v", heard)
			}
		})
	}
}

// TestOverhearWithoutBeginning (V6): the first 160 ms of a wake phrase over the
// device's voice are lost, as they are where an echo canceller holds back what it
// cannot tell apart; the phrase wakes all the same, and in the language in which
// that takes a second look other speech does not.
func TestOverhearWithoutBeginning(t *testing.T) {
	for _, s := range corpora {
		t.Run(s.lang, func(t *testing.T) {
			over := func(pcm []int16) string {
				l := listen(t, testConfig(t), rate/50)
				if err := l.Recognizer.(speech.Overhearer).Overhear(s.lang); err != nil {
					t.Fatal(err)
				}
				l.taking, l.began, l.stopped = true, l.at, 0
				return woken(l.play(pause(500), pcm, pause(1200)))
			}
			for _, v := range s.voices {
				phrase := slices.Clone(v.say(t, s.wake))
				first := slices.IndexFunc(phrase, func(x int16) bool { return x > 500 || x < -500 })
				clear(phrase[:first+rate*160/1000])
				if over(phrase) != s.wake {
					t.Errorf("%s: the wake phrase without its beginning was not heard", v)
				}
			}
			if s.lang != english { // the command search takes more there
				return
			}
			for _, text := range s.foreign {
				if got := over(s.voices[0].say(t, text)); got != "" {
					t.Errorf("%q was heard as %q", text, got)
				}
			}
		})
	}
}
