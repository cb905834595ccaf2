package main

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/audio/child"
	"homebot/internal/config"
	"homebot/internal/event"
	"homebot/internal/llm/llmtest"
)

// ms is a duration as benchmarks report it.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// typical is the median.
func typical(all []time.Duration) time.Duration {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// reportTimes gives the median and the worst of what was measured.
func reportTimes(b *testing.B, what string, all []time.Duration) {
	if len(all) == 0 {
		b.Fatalf("no %s", what)
	}
	b.ReportMetric(ms(typical(all)), "ms-"+what)
	b.ReportMetric(ms(slices.Max(all)), "ms-"+what+"-worst")
}

// A turn through `chat --json` with a model that answers at once: the process,
// the history, the request, two fdatasyncs. Aim: 5 ms.
func BenchmarkTurnOverhead(b *testing.B) {
	h := newHome(b, llmtest.Always(llmtest.Reply("好的。[[end]]")))
	k := h.talk()
	k.say("打开做饭模式")
	var all []time.Duration
	for b.Loop() {
		began := time.Now()
		if o := k.say("切菜"); o.Error != nil {
			b.Fatal(o.Error)
		}
		all = append(all, time.Since(began))
	}
	reportTimes(b, "turn", all)
}

// begun is a process that was started and the times of what it said.
type begun struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
	at    time.Time
}

func (h *home) begin(args ...string) begun {
	h.t.Helper()
	c := h.command(args...)
	out, err := c.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	g := begun{c, bufio.NewScanner(out), time.Now()}
	if err := c.Start(); err != nil {
		h.t.Fatal(err)
	}
	return g
}

// until is how long after the start a line that begins so came.
func (g begun) until(b *testing.B, prefix string) time.Duration {
	for g.lines.Scan() {
		if strings.HasPrefix(g.lines.Text(), prefix) {
			return time.Since(g.at)
		}
	}
	b.Fatalf("it never said %q", prefix)
	return 0
}

func (g begun) end() { _ = g.cmd.Process.Kill(); _ = g.cmd.Wait() }

// Start to ready without sound, and what it keeps in memory. Aims: 200 ms, 30 MB.
func BenchmarkStartText(b *testing.B) {
	h := newHome(b, llmtest.Always(llmtest.Reply("好的。[[end]]")))
	var ready []time.Duration
	var rss, pss float64
	for b.Loop() {
		g := h.begin("run", "--no-sound")
		ready = append(ready, g.until(b, "homebot is ready"))
		b.StopTimer()
		k := h.talk()
		for range 3 {
			k.say("你好")
		}
		rss, pss = memory(b, g.cmd.Process.Pid, "status", "VmRSS:"), memory(b, g.cmd.Process.Pid, "smaps_rollup", "Pss:")
		g.end()
		b.StartTimer()
	}
	reportTimes(b, "ready", ready)
	b.ReportMetric(rss, "RSS-MB")
	b.ReportMetric(pss, "PSS-MB")
}

// Start to ready with sound, to the first look at the wake word (both languages
// where the Mandarin model is). Aim: 1 s.
func BenchmarkStartSound(b *testing.B) {
	h := newHome(b, llmtest.Always(llmtest.Reply("好的。[[end]]"))).withSpeech()
	newRoom(b, h)
	var ready, listens []time.Duration
	for b.Loop() {
		g := h.begin("run")
		ready = append(ready, g.until(b, "homebot is ready"))
		listens = append(listens, g.until(b, "homebot listens"))
		g.end()
	}
	reportTimes(b, "ready", ready)
	reportTimes(b, "listens", listens)
}

// idleTime is how long the idle cost is measured.
const idleTime = 30 * time.Second

// What waiting for the wake word costs, in percent of a core and PSS: homebot
// with its sound child (aims: 0.6 %, 30 MB), homebot-speech (aim: 6 % with two
// languages); where it is still, and where a quiet room rustles all the time. It
// runs once, whatever -benchtime says.
func BenchmarkIdle(b *testing.B) {
	b.Run("still", func(b *testing.B) { idle(b, false) })
	b.Run("rustling", func(b *testing.B) { idle(b, true) })
}

func idle(b *testing.B, rustle bool) {
	h := newHome(b, llmtest.Always(llmtest.Reply("好的。[[end]]"))).withSpeech()
	a := h.appliance(newRoom(b, h))
	if rustle {
		var playing sync.WaitGroup
		ctx, stop := context.WithCancel(context.Background())
		playing.Go(func() { _ = a.room.card.Speak(ctx, rustling(idleTime+10*time.Second)) })
		defer playing.Wait()
		defer stop()
	}
	self := a.cmd.Process.Pid
	parts := map[string]int{"homebot": self, "audio": childOf(self, "\x00source\x00"), "speech": childOf(self, "homebot-speech")}
	time.Sleep(3 * time.Second) // what the start left to do
	before := map[string]time.Duration{}
	for name, pid := range parts {
		before[name] = busy(pid)
	}
	began := time.Now()
	time.Sleep(idleTime)
	took := time.Since(began)
	for name, pid := range parts {
		b.ReportMetric(100*float64(busy(pid)-before[name])/float64(took), "%core-"+name)
		b.ReportMetric(memory(b, pid, "smaps_rollup", "Pss:"), "PSS-MB-"+name)
	}
	b.ReportMetric(memory(b, self, "status", "VmRSS:"), "RSS-MB-homebot")
	b.ReportMetric(0, "ns/op")
}

// rustling is white noise of 50 dB below full scale, as in a quiet kitchen.
func rustling(d time.Duration) []int16 {
	pcm := make([]int16, int(d.Seconds()*audio.CaptureRate))
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range pcm {
		pcm[i] = int16(100 * rnd.NormFloat64())
	}
	return pcm
}

// memory is a line of a file in /proc, in MB.
func memory(b *testing.B, pid int, file, key string) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var kb float64
		if rest, ok := strings.CutPrefix(line, key); ok {
			fmt.Sscan(rest, &kb)
			return kb / 1024
		}
	}
	b.Fatalf("no %s", key)
	return 0
}

// busy is the time all threads of a process spent on a core.
func busy(pid int) (d time.Duration) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, t := range threads {
		text, _ := os.ReadFile(t)
		var ns time.Duration
		fmt.Sscan(string(text), &ns)
		d += ns
	}
	return d
}

// stampedSource notes when the last loud sample was handed over.
type stampedSource struct {
	audiotest.Source
	mu   sync.Mutex
	loud time.Time
}

// Read is audio.Source. Samples are handed over when they have all sounded.
func (s *stampedSource) Read(p []int16) (int, error) {
	n, err := s.Source.Read(p)
	now := time.Now()
	for i := n - 1; i >= 0; i-- {
		if p[i] > 300 || p[i] < -300 {
			s.mu.Lock()
			s.loud = now.Add(-time.Duration(n-1-i) * time.Second / audio.CaptureRate)
			s.mu.Unlock()
			break
		}
	}
	return n, err
}

// quietSince is when the last loud sample sounded.
func (s *stampedSource) quietSince() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.loud }

// stampedSink notes when the card took the first sound after forget.
type stampedSink struct {
	audio.Sink
	mu    sync.Mutex
	first time.Time
}

func (s *stampedSink) Write(p []int16) (int, error) {
	n, err := s.Sink.Write(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first.IsZero() {
		s.first = time.Now()
	}
	return n, err
}

func (s *stampedSink) forget()          { s.mu.Lock(); defer s.mu.Unlock(); s.first = time.Time{} }
func (s *stampedSink) taken() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.first }

// bench is an appliance in this process, with real homebot-speech, a real sound
// child for the loudspeaker, and a microphone whose samples are timed.
type bench struct {
	b      *testing.B
	home   *home
	source *stampedSource
	sink   *stampedSink
	house  *house
	events <-chan event.Event
}

func newBench(b *testing.B) *bench {
	h := newHome(b, llmtest.Always(llmtest.Reply("It is noon.[[end]]"))).withSpeech()
	card := audiotest.SoundServer(b)
	b.Setenv("PATH", speechDir+":"+os.Getenv("PATH"))
	get := func(key string) string {
		for _, kv := range h.env {
			if v, ok := strings.CutPrefix(kv, key+"="); ok {
				return v
			}
		}
		return ""
	}
	cfg, err := config.Load("", get)
	if err != nil {
		b.Fatal(err)
	}
	x := &bench{b: b, home: h, source: &stampedSource{}}
	x.sink = &stampedSink{Sink: child.OpenSink(child.Config{Env: append(card.Env(), asHomebot+"=1")})}
	a := &app{getenv: get, stdout: os.Stderr, stderr: os.Stderr}
	x.house = build(cfg, slog.New(slog.DiscardHandler))
	s := a.newSound(x.house, soundOptions{source: x.source, sink: x.sink})
	ctx, stop := context.WithCancel(context.Background())
	_, x.events = x.house.bus.Watch(ctx, 1024)
	var running sync.WaitGroup
	running.Go(func() { _ = x.house.engine(s.Run).Run(ctx) })
	b.Cleanup(func() { stop(); running.Wait() })
	x.until("the ears", func(e event.Event) bool { return e.Kind == event.StateChanged && len(e.State.Faults) == 0 })
	return x
}

// until waits for an event.
func (x *bench) until(what string, ok func(event.Event) bool) event.Event {
	e, found := x.within(patience, ok)
	if !found {
		x.b.Fatalf("never came: %s", what)
	}
	return e
}

func (x *bench) within(limit time.Duration, ok func(event.Event) bool) (event.Event, bool) {
	late := time.NewTimer(limit)
	defer late.Stop()
	for {
		select {
		case e := <-x.events:
			if ok(e) {
				return e, true
			}
		case <-late.C:
			return event.Event{}, false
		}
	}
}

// BenchmarkSpokenTo is a spoken turn on real parts, but for the model, which
// answers at once. Aims: end of speech → request 30 ms beyond the 700 ms of
// silence that end an utterance; first sentence complete → its first sound
// handed to the card 150 ms; wake message → earcon handed to the card 150 ms.
func BenchmarkSpokenTo(b *testing.B) {
	x := newBench(b)
	wake, words := spoken(b, "hey home bot", "en"), spoken(b, "what time is it", "en")
	var woken, earcon, request, sound []time.Duration
	missed := 0
	for b.Loop() {
		x.sink.forget()
		x.source.Say(wake)
		e, ok := x.within(5*time.Second, is(event.Woken))
		if !ok {
			missed++
			continue
		}
		woken = append(woken, e.At.Sub(x.source.quietSince()))
		within(b, patience, "the earcon", func() bool { return !x.sink.taken().IsZero() })
		earcon = append(earcon, x.sink.taken().Sub(e.At))
		x.source.Say(make([]int16, audio.CaptureRate), words)
		if e, ok = x.within(15*time.Second, func(e event.Event) bool { return e.Kind == event.FinalHeard || e.State.Dialogue == event.Idle }); !ok || e.Kind != event.FinalHeard {
			missed++
			x.within(15*time.Second, func(e event.Event) bool { return e.State.Dialogue == event.Idle })
			continue
		}
		ended := x.source.quietSince()
		said := x.until("the answer", is(event.Said))
		all := x.home.requests()
		asked := all[len(all)-1].At
		request = append(request, asked.Sub(ended)-x.house.cfg.Voice.EndSilence)
		sound = append(sound, said.At.Sub(asked))
		x.until("rest", func(e event.Event) bool { return e.State.Dialogue == event.Idle })
	}
	reportTimes(b, "woken", woken)
	reportTimes(b, "earcon", earcon)
	reportTimes(b, "request", request)
	reportTimes(b, "sound", sound)
	b.ReportMetric(float64(missed), "missed")
	b.ReportMetric(0, "ns/op")
}
