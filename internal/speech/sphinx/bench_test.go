package sphinx

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"homebot/internal/speech"
)

// BenchmarkAccuracy reports what is recognised of the whole corpus in 20 ms
// chunks; with -v it names what is not. One iteration is one run: use -benchtime 1x.
func BenchmarkAccuracy(b *testing.B) {
	for _, s := range corpora {
		b.Run(s.lang, func(b *testing.B) {
			for range b.N {
				measure(b, s)
			}
		})
	}
}

func measure(b *testing.B, s corpus) {
	l := listen(b, testConfig(b, s.lang), rate/50)
	var wakes, wakeOf, breaths, breathOf, commands, commandOf float64
	for _, v := range s.voices {
		for _, c := range s.breath {
			heard := l.play(pause(900), v.say(b, s.wake+s.join+c), pause(1200))
			wakes += hit(b, v, s.wake, woken(heard))
			breaths += hit(b, v, s.wake+s.join+c, woken(heard)+s.join+final(heard))
			heard = l.play(pause(900), v.say(b, s.wake), pause(1500), v.say(b, c), pause(1200))
			wakes += hit(b, v, s.wake, woken(heard))
			commands += hit(b, v, c, final(heard))
			wakeOf, breathOf, commandOf = wakeOf+2, breathOf+1, commandOf+1
		}
		for _, c := range s.phrases {
			commands += hit(b, v, c, l.command(s.lang, v.say(b, c)))
			commandOf++
		}
	}
	falseWakes, falseCommands, seconds := foreignSpeech(b, l, s)
	b.ReportMetric(100*wakes/wakeOf, "%wakes")
	b.ReportMetric(100*breaths/breathOf, "%one-breath")
	b.ReportMetric(100*commands/commandOf, "%commands")
	b.ReportMetric(falseWakes, "false-wakes")
	b.ReportMetric(falseCommands, "false-commands")
	b.ReportMetric(seconds, "s-foreign")
}

func hit(b *testing.B, v voiced, want, got string) float64 {
	if got == want {
		return 1
	}
	b.Logf("%v: %q was heard as %q", v, want, got)
	return 0
}

// foreignSpeech plays everything that is neither wake phrase nor command, as
// speech while waiting and as an utterance.
func foreignSpeech(b *testing.B, l *listener, s corpus) (wakes, commands, seconds float64) {
	try := func(name string, pcm []int16) {
		seconds += float64(len(pcm)) / rate
		if heard := l.play(pause(900), pcm, pause(900)); woken(heard) != "" {
			b.Logf("%s woke %q", name, woken(heard))
			wakes++
		}
		if text := l.command(s.lang, pcm); text != "" {
			b.Logf("%s is no command, but was heard as %q", name, text)
			commands++
		}
	}
	for _, name := range recordings {
		try(name, recording(b, name))
	}
	for _, other := range corpora {
		for i, text := range other.foreign {
			v := other.voices[i%len(other.voices)]
			try(v.String()+" "+text, v.say(b, text))
		}
	}
	return wakes, commands, seconds
}

// BenchmarkWaiting reports the share of a core while waiting, in 80 ms chunks,
// in a quiet room and beside people who talk, and the longest step.
func BenchmarkWaiting(b *testing.B) {
	for _, langs := range [][]string{{"en"}, {"zh"}, {"en", "zh"}} {
		name := langs[0]
		if len(langs) > 1 {
			name = "both"
		}
		b.Run(name+"/quiet", func(b *testing.B) { steps(b, langs, maxChunk, quietRoom(10), false) })
		b.Run(name+"/talk", func(b *testing.B) { steps(b, langs, maxChunk, talk(b, langs[0]), false) })
	}
}

// BenchmarkTaking is the same within an utterance, in 20 ms chunks.
func BenchmarkTaking(b *testing.B) {
	for _, lang := range []string{"en", "zh"} {
		b.Run(lang, func(b *testing.B) { steps(b, []string{lang}, rate/50, talk(b, lang), true) })
	}
}

// quietRoom is noise as a microphone has it in a quiet room, −62 dBFS.
func quietRoom(seconds int) []int16 {
	var n noiseFloor
	pcm := make([]int16, seconds*rate)
	for i := range pcm {
		pcm[i] = clip(n.next() / 7)
	}
	return pcm
}

func talk(b *testing.B, lang string) []int16 {
	var pcm []int16
	for _, s := range corpora {
		if s.lang != lang {
			continue
		}
		for _, text := range s.foreign[:5] {
			pcm = slices.Concat(pcm, s.voices[0].say(b, text), pause(300))
		}
	}
	return pcm
}

func steps(b *testing.B, langs []string, chunk int, pcm []int16, take bool) {
	l := listen(b, testConfig(b, langs...), chunk)
	var longest, used time.Duration
	b.ResetTimer()
	for range b.N {
		if take {
			if err := l.Take(langs[0]); err != nil {
				b.Fatal(err)
			}
		}
		for c := range slices.Chunk(pcm, chunk) {
			began, busy := time.Now(), cpuTime(b)
			if _, err := l.Accept(c); err != nil {
				b.Fatal(err)
			}
			longest, used = max(longest, time.Since(began)), used+cpuTime(b)-busy
		}
		l.done()
	}
	audio := time.Duration(b.N) * time.Duration(len(pcm)) * time.Second / rate
	b.ReportMetric(100*used.Seconds()/audio.Seconds(), "%core")
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest-step")
}

// cpuTime is what the process has computed, whoever else is on the machine.
func cpuTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkLoad is one new recogniser: dictionary, decoder, grammars, warm-up.
func BenchmarkLoad(b *testing.B) {
	for _, s := range corpora {
		b.Run(s.lang, func(b *testing.B) {
			c := testConfig(b, s.lang)
			busy := cpuTime(b)
			for range b.N {
				e, err := New(c)
				if err != nil {
					b.Fatal(err)
				}
				r, _, err := e.NewRecognizer(b.Context(), speech.Hello{Phrases: phraseList(s.lang, s.phrases)})
				if err != nil {
					b.Fatal(err)
				}
				r.Close()
				e.Close()
			}
			b.ReportMetric(float64((cpuTime(b)-busy).Milliseconds())/float64(b.N), "ms-cpu")
		})
	}
}
