package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/internal/event"
	"homebot/internal/llm/llmtest"
)

// What the model and the voice of these benchmarks take: those that a kitchen may
// have, a provider in the same country and a neural voice on a Pi.
const (
	toFirstToken = 300 * time.Millisecond
	tokenPace    = 25 * time.Millisecond // between two chunks of tokenRunes
	tokenRunes   = 4
	voiceRTF     = 0.3 // seconds of work for a second of sound; a sentence comes whole
)

// slowVoice puts an espeak-ng in front of the real one that takes voiceRTF.
func (h *home) slowVoice() {
	h.t.Helper()
	program, err := exec.LookPath("espeak-ng")
	if err != nil {
		h.t.Skip(err)
	}
	dir := h.t.TempDir()
	script := fmt.Sprintf(`#!/bin/sh
f=$(mktemp -p '%s') && '%s' "$@" >"$f" && sleep "$(awk "BEGIN { print %g * ($(stat -c %%s "$f") - 44) / 44100 }")" && cat "$f"
status=$?; rm -f "$f"; exit $status
`, dir, program, voiceRTF)
	if err := os.WriteFile(filepath.Join(dir, "espeak-ng"), []byte(script), 0o700); err != nil {
		h.t.Fatal(err)
	}
	h.setenv("PATH", dir+":"+speechDir+":"+os.Getenv("PATH"))
}

// grams answer the request of a number: each reply is another one, because what
// was spoken once is kept (C12). The first sentence has a place to breathe, as most
// have.
func grams(lang string, n int) string {
	if lang == "zh" {
		return fmt.Sprintf("先放%d克面粉，再倒一点温水。然后慢慢搅拌。[[end]]", 100+n)
	}
	return fmt.Sprintf("Take %d grams of flour, and a little warm water. Then stir slowly.[[end]]", 100+n)
}

// asked is an appliance with the slow model and the slow voice.
func (k aTalk) asked(b *testing.B) *appliance {
	h := newHome(b, func(r llmtest.Request) llmtest.Step {
		return llmtest.Reply(grams(k.lang, r.Number)).After(toFirstToken).InChunks(tokenRunes).Every(tokenPace)
	}).withSpeech()
	if k.lang == "zh" && modelsHere() == "" {
		b.Skip("no Mandarin model here (set HOMEBOT_SHARED to the folder with models/sphinx-zh)")
	}
	h.slowVoice()
	h.configure("[system]\nlanguage = \"" + k.lang + "\"\n")
	return h.appliance(newRoom(b, h))
}

// reportQuantiles gives P50 and P95 (nearest rank) of what was measured.
func reportQuantiles(b *testing.B, what string, all []time.Duration) {
	b.Helper()
	if len(all) == 0 {
		b.Logf("no %s", what)
		return
	}
	all = slices.Sorted(slices.Values(all))
	rank := func(q int) time.Duration { return all[(len(all)*q+99)/100-1] }
	b.ReportMetric(ms(rank(50)), "ms-"+what+"-P50")
	b.ReportMetric(ms(rank(95)), "ms-"+what+"-P95")
}

// sayUntil says words in the room and returns when their last sound was heard
// there: voices end with a pause.
func (r *room) sayUntil(words, lang string) time.Time {
	r.t.Helper()
	pcm := spoken(r.t, words, lang)
	r.play(pcm[:lastLoud(pcm)])
	return time.Now()
}

// lastLoud is where the sound of speech ends.
func lastLoud(pcm []int16) int {
	n := len(pcm)
	for n > 0 && pcm[n-1] < 300 && pcm[n-1] > -300 {
		n--
	}
	return n
}

// firstSound is when the loudspeaker first gave anything after a time.
func (r *room) firstSound(after time.Time) (time.Time, bool) {
	r.t.Helper()
	const longest = 3 * time.Second
	within(r.t, patience, "the loudspeaker's recording", func() bool { return r.until().Sub(after) > longest })
	pcm, begin := r.between(after, after.Add(longest))
	const step = audio.PlaybackRate / 200
	for i := 0; i+step <= len(pcm); i += step {
		if audiotest.Level(pcm[i:i+step]) > 60 {
			return begin.Add(time.Duration(i) * time.Second / audio.PlaybackRate), true
		}
	}
	return time.Time{}, false
}

// answerTimes are what one talk after the other measured.
type answerTimes struct {
	noticed, earcon, phraseEarcon []time.Duration // wake phrase → wake → earcon at the loudspeaker; all of it
	heard, measured               []time.Duration // end of speech → first sound: at the loudspeaker; as turn_measured says
	stages                        map[string][]time.Duration
	missed                        int // words that were not heard
}

// ask leads one talk: the wake phrase, the earcon, a question, the answer.
func (x *answerTimes) ask(b *testing.B, a *appliance, k aTalk) {
	a.rest(event.Idle)
	mark := a.mark()
	said := a.room.sayUntil(k.wake, k.lang)
	woken, ok := a.await(patience/6, mark, is(event.Woken))
	if !ok {
		x.missed++
		return
	}
	x.noticed = append(x.noticed, woken.At.Sub(said))
	if at, ok := a.room.firstSound(woken.At); ok {
		x.earcon, x.phraseEarcon = append(x.earcon, at.Sub(woken.At)), append(x.phraseEarcon, at.Sub(said))
	}
	mark = a.mark()
	ended := a.room.sayUntil(k.time, k.lang)
	first, ok := a.await(patience/3, mark, func(e event.Event) bool { return e.Kind == event.Said || e.Kind == event.NothingHeard })
	if !ok || first.Kind == event.NothingHeard {
		x.missed++
		a.room.play(make([]int16, audio.CaptureRate))
		return
	}
	if at, ok := a.room.firstSound(first.At); ok {
		x.heard = append(x.heard, at.Sub(ended))
	}
	m := dataOf[event.Measured](a.must(mark, "the turn's times", is(event.TurnMeasured)))
	names, at := m.Stages()
	for i, n := range names {
		if n == "first_audio" {
			x.measured = append(x.measured, time.Duration(at[i])*time.Millisecond)
		}
		x.stages[n] = append(x.stages[n], time.Duration(at[i])*time.Millisecond)
	}
}

// BenchmarkAnswer is a spoken question with a model that takes 300 ms to its first
// token and a voice of RTF 0.3, both real processes: from the end of the speech to
// the first sound of the answer, as the loudspeaker's recording has it (heard) and
// as turn_measured has it (measured), with the stages in between (median, from the
// end of the speech); and from the wake phrase to the wake (noticed) and from there
// to its earcon at the loudspeaker. Every reply is a new one. Use -benchtime 20x.
func BenchmarkAnswer(b *testing.B) {
	for _, k := range talksInTests {
		b.Run(k.lang, func(b *testing.B) {
			a := k.asked(b)
			x := answerTimes{stages: map[string][]time.Duration{}}
			for b.Loop() {
				x.ask(b, a, k)
			}
			a.rest(event.Idle)
			reportQuantiles(b, "heard", x.heard)
			reportQuantiles(b, "measured", x.measured)
			reportQuantiles(b, "noticed", x.noticed)
			reportQuantiles(b, "wake-to-earcon", x.earcon)
			reportQuantiles(b, "phrase-to-earcon", x.phraseEarcon)
			for _, n := range []string{"endpoint", "final", "request", "first_token", "first_sentence"} {
				if all := x.stages[n]; len(all) > 0 {
					b.ReportMetric(ms(typical(all)), "ms-"+n)
				}
			}
			b.ReportMetric(float64(x.missed), "missed")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkListening is what taking an utterance costs, in percent of a core and
// PSS: somebody talks for seven seconds without a pause. Use -benchtime 3x.
func BenchmarkListening(b *testing.B) {
	k := talksInTests[0]
	h := newHome(b, llmtest.Always(llmtest.Reply("Okay.[[end]]"))).withSpeech()
	a := h.appliance(newRoom(b, h))
	words := breathless(b)
	parts := a.parts()
	used := map[string]time.Duration{}
	var took time.Duration
	for b.Loop() {
		a.rest(event.Idle)
		mark := a.mark()
		a.room.say(k.wake, k.lang)
		if _, ok := a.await(patience/6, mark, inState(event.Listening)); !ok {
			continue
		}
		before, began := busyAll(parts), time.Now()
		a.room.play(words)
		for name, d := range busyAll(parts) {
			used[name] += d - before[name]
		}
		took += time.Since(began)
		a.rest(event.Idle)
	}
	if took == 0 {
		b.Fatal("it never listened")
	}
	for name, pid := range parts {
		b.ReportMetric(100*float64(used[name])/float64(took), "%core-"+name)
		b.ReportMetric(memory(b, pid, "smaps_rollup", "Pss:"), "PSS-MB-"+name)
	}
	b.ReportMetric(0, "ns/op")
}

// breathless is seven seconds of speech without a pause that ends an utterance.
func breathless(b *testing.B) (pcm []int16) {
	for len(pcm) < 7*audio.CaptureRate {
		s := spoken(b, "the water boils and then we add the salt and then", "en")
		pcm = append(pcm, s[:lastLoud(s)]...)
	}
	return pcm[:7*audio.CaptureRate]
}

// parts are the processes of an appliance, by what they do.
func (a *appliance) parts() map[string]int {
	self := a.cmd.Process.Pid
	all := map[string]int{"homebot": self, "microphone": childOf(self, "\x00source\x00"), "loudspeaker": childOf(self, "\x00sink\x00"), "speech": childOf(self, "homebot-speech")}
	for name, pid := range all {
		if pid == 0 {
			delete(all, name)
		}
	}
	return all
}

// busyAll is the time that each spent on a core.
func busyAll(parts map[string]int) map[string]time.Duration {
	used := map[string]time.Duration{}
	for name, pid := range parts {
		used[name] = busy(pid)
	}
	return used
}
