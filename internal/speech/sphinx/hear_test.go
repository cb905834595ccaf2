package sphinx

import (
	"fmt"
	"testing"

	"homebot/internal/speech"
	"homebot/internal/speech/speechtest"
)

// each runs f for every language with its corpus, in chunks of so many samples.
func each(t *testing.T, chunks []int, f func(t *testing.T, l *listener, s corpus)) {
	for _, s := range corpora {
		for _, chunk := range chunks {
			t.Run(fmt.Sprintf("%s/%d ms", s.lang, chunk*1000/rate), func(t *testing.T) {
				f(t, listen(t, testConfig(t), chunk), s)
			})
		}
	}
}

// TestWake (V1): the wake phrase is heard in its language, with the samples it
// is at, then a command after a pause. Both decoders run.
func TestWake(t *testing.T) {
	each(t, []int{rate / 50, maxChunk}, func(t *testing.T, l *listener, s corpus) {
		for _, v := range s.voices[:2] {
			l.play(pause(700))
			said := v.say(t, s.wake)
			began := l.at
			heard := l.play(said, pause(1500), v.say(t, s.breath[0]), pause(1200))
			wake := find(heard, speech.Wake)
			if wake.Phrase != s.wake || wake.Lang != s.lang {
				t.Errorf("%v: heard %v instead of the wake phrase", v, heard)
				continue
			}
			if off := wake.End - (began + len(said)); off < -rate/2 || off > rate/4 {
				t.Errorf("%v: the wake phrase ends %d ms off", v, off*1000/rate)
			}
			if got := final(heard); got != s.breath[0] {
				t.Errorf("%v: %q was heard as %q", v, s.breath[0], got)
			}
		}
	})
}

// TestOneBreath (V7's pre-roll on the server's side): a command in one breath
// with the wake phrase is whole. In Mandarin one in four may be lost: see the
// package's table.
func TestOneBreath(t *testing.T) {
	each(t, []int{rate / 50}, func(t *testing.T, l *listener, s corpus) {
		hits, all := 0, 0
		for _, v := range s.voices[:2] {
			for _, c := range s.breath {
				heard := l.play(pause(900), v.say(t, s.wake+s.join+c), pause(1200))
				if woken(heard) != s.wake {
					t.Errorf("%v: %q did not wake: %v", v, s.wake+s.join+c, heard)
				}
				all++
				if got := final(heard); got == c {
					hits++
				} else {
					t.Logf("%v: %q was heard as %q", v, c, got)
				}
			}
		}
		if hits*4 < all*3 || s.lang == english && hits < all {
			t.Errorf("%d of %d commands in one breath", hits, all)
		}
	})
}

// TestFollowUp (V3): after Take a command needs no wake phrase; the messages come
// in order, with counts that grow.
func TestFollowUp(t *testing.T) {
	each(t, []int{rate / 50}, func(t *testing.T, l *listener, s corpus) {
		for _, c := range s.breath[:2] {
			if err := l.Take(s.lang); err != nil {
				t.Fatal(err)
			}
			heard := l.play(pause(300), s.voices[1].say(t, c), pause(600))
			heard = append(heard, l.done()...)
			kinds, last := "", 0
			for _, h := range heard {
				if h.Kind != speech.Partial {
					kinds += string(h.Kind) + " "
				}
				if h.Lang != s.lang || h.End < h.Start || h.End < last {
					t.Errorf("%+v after sample %d", h, last)
				}
				last = h.End
			}
			if kinds != "speech_started speech_stopped final " {
				t.Errorf("%q: heard %v", c, heard)
			}
			if f := find(heard, speech.Final); f.Text != c || f.Confidence <= 1-maxLoopShare {
				t.Errorf("%q was heard as %+v", c, f)
			}
			if find(heard, speech.Partial).Text == "" {
				t.Errorf("%q: no partial transcript came", c)
			}
		}
	})
}

// TestForeignSpeech: what is neither wake phrase nor command wakes nothing and
// is no speech. The near-homophone 你好小芳 wakes (see the package's table).
func TestForeignSpeech(t *testing.T) {
	l := listen(t, testConfig(t), maxChunk)
	try := func(name, lang string, pcm []int16) {
		if p := woken(l.play(pause(700), pcm, pause(700))); p != "" {
			t.Errorf("%s woke %q", name, p)
		}
		if text := l.command(lang, pcm); text != "" {
			t.Errorf("%s was heard as %q", name, text)
		}
	}
	for _, s := range corpora {
		for i, text := range s.foreign[:10] {
			try(text, s.lang, s.voices[i%len(s.voices)].say(t, text))
		}
	}
	for _, name := range recordings[:4] {
		try(name, english, recording(t, name))
	}
}

// TestConformance holds the engine to the contract of every recogniser.
func TestConformance(t *testing.T) {
	c := testConfig(t)
	e, err := New(c)
	if err != nil {
		t.Skip(err)
	}
	defer e.Close()
	var samples []speechtest.Sample
	for _, s := range corpora {
		v := s.voices[1]
		samples = append(samples,
			speechtest.Sample{Name: s.lang + " one breath", Wake: s.wake, Command: s.breath[0], Lang: s.lang, PCM: v.say(t, s.wake+s.join+s.breath[0])},
			speechtest.Sample{Name: s.lang + " command", Command: s.breath[0], Lang: s.lang, PCM: v.say(t, s.breath[0])})
	}
	speechtest.TestRecognizer(t, e, samples...)
}
