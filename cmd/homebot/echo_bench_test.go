package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/audio/child"
	"homebot/audio/echo"
	"homebot/internal/event"
)

// bothSides keeps what a microphone heard before the canceller took the echo out.
type bothSides struct {
	audio.Source
	raw []int16
}

func (s *bothSides) Read(p []int16) (int, error) {
	n, err := s.Source.Read(p)
	s.raw = append(s.raw, p[:n]...)
	return n, err
}

// The echo that the canceller takes off on a real sound path (virtual card, room
// with walls at 0 dB, two sound children), in dB of each two seconds: of the
// first text it ever hears, and of the next two; and how much more what is left
// resembles somebody who speaks over it (correlation). It runs once, whatever
// -benchtime says.
func BenchmarkEchoReturn(b *testing.B) {
	card := audiotest.SoundServer(b)
	if err := card.Echo(b.Context(), kitchenWalls...); err != nil {
		b.Fatal(err)
	}
	env := append(card.Env(), asHomebot+"=1")
	c, err := echo.New(func() bool { return false }, nil)
	if err != nil {
		b.Skip(err)
	}
	sink := child.OpenSink(child.Config{Env: env, Tap: c})
	defer sink.Close()
	mic := &bothSides{Source: child.OpenSource(child.Config{Env: env})}
	src := c.Wrap(mic)
	src.SetFrame(audio.SessionFrame)
	text := tale("en", 4)
	speech, err := audio.Resample(spoken(b, text[:len(text)-len("[[end]]")], "en"), audio.CaptureRate, audio.PlaybackRate)
	if err != nil {
		b.Fatal(err)
	}
	var out []int16
	// hear plays in the background what play does, and hears it.
	hear := func(play func()) (raw, left []int16) {
		from := len(mic.raw)
		var playing sync.WaitGroup
		over := make(chan struct{})
		playing.Go(func() { defer close(over); play(); time.Sleep(500 * time.Millisecond) })
		for done := false; !done; {
			p := make([]int16, audio.SessionFrame)
			if _, err := src.Read(p); err != nil {
				b.Fatal(err)
			}
			out = append(out, p...)
			select {
			case <-over:
				done = true
			default:
			}
		}
		playing.Wait()
		return mic.raw[from:], out[from:]
	}
	hear(func() { time.Sleep(time.Second) })
	var later []float64
	for run := range 3 {
		raw, left := hear(func() { _, _ = sink.Write(speech) })
		const two = 2 * audio.CaptureRate
		for at := 0; at+two <= len(raw); at += two {
			removed := 20 * math.Log10((audiotest.Level(raw[at:at+two])+1)/(audiotest.Level(left[at:at+two])+1))
			if run == 0 && at < 4*two {
				b.ReportMetric(removed, fmt.Sprintf("dB-at-%ds", at/audio.CaptureRate))
			}
			if run > 0 {
				later = append(later, removed)
			}
		}
	}
	slices.Sort(later)
	b.ReportMetric(later[len(later)/2], "dB-later")
	b.ReportMetric(later[0], "dB-later-worst")
	near := spoken(b, "hey home bot", "en")
	raw, left := hear(func() {
		var speaking sync.WaitGroup
		speaking.Go(func() { time.Sleep(4 * time.Second); _ = card.Speak(b.Context(), near) })
		_, _ = sink.Write(speech)
		speaking.Wait()
	})
	_, before := audiotest.Match(near, raw[3*audio.CaptureRate:])
	_, after := audiotest.Match(near, left[3*audio.CaptureRate:])
	b.ReportMetric(before, "rho-voice-before")
	b.ReportMetric(after, "rho-voice-after")
	b.ReportMetric(0, "ns/op")
}

// What speaking and listening over an echo costs, in percent of a core and PSS,
// the echo taken out by homebot itself or not at all. It runs once.
func BenchmarkSpeaking(b *testing.B) {
	for _, by := range []string{"process", "off"} {
		b.Run(by, func(b *testing.B) {
			a := talksInTests[0].tellerWith(b, 16, "[audio]\necho = \""+by+"\"\n", kitchenWalls...)
			a.tell(talksInTests[0])
			parts := a.parts()
			before, began := busyAll(parts), time.Now()
			time.Sleep(idleTime)
			took := time.Since(began)
			for name, pid := range parts {
				b.ReportMetric(100*float64(busy(pid)-before[name])/float64(took), "%core-"+name)
				b.ReportMetric(memory(b, pid, "smaps_rollup", "Pss:"), "PSS-MB-"+name)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkBargeIn: from the end of the wake phrase, spoken over the device's own
// voice and its echo, to silence at the loudspeaker (negative: it had paused for
// the voice before), from the wake, and from when it was told to be silent, by either
// (held). Use -benchtime 10x.
func BenchmarkBargeIn(b *testing.B) {
	k := talksInTests[0]
	a := k.telling(b, withoutWake(k), "", kitchenWalls...)
	var phrase, woken, held []time.Duration
	missed := 0
	for b.Loop() {
		a.tell(k)
		s, ok := a.bargesIn(k)
		if !ok {
			missed++
			a.rest(event.Idle, event.Listening)
			continue
		}
		phrase, woken, held = append(phrase, s.phrase), append(woken, s.woken), append(held, s.held)
		a.rest(event.Idle, event.Listening)
	}
	reportQuantiles(b, "phrase", phrase)
	reportQuantiles(b, "woken", woken)
	reportQuantiles(b, "held", held)
	b.ReportMetric(float64(missed), "missed")
	b.ReportMetric(0, "ns/op")
}

// withoutWake is a tale in which the wake phrase does not occur: over that it is
// not believed.
func withoutWake(k aTalk) string {
	var b strings.Builder
	for _, s := range slices.Repeat(stories[k.lang], 2) {
		if !strings.Contains(strings.ToLower(s), k.wake) {
			b.WriteString(s + " ")
		}
	}
	return b.String() + "[[end]]"
}
