package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"homebot/audio"
	"homebot/audio/audiotest"
	"homebot/audio/virtual"
	"homebot/internal/engine"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/speech/espeak"
	"homebot/internal/speech/sphinx"
)

// patience is how long a busy machine may take for what takes moments.
const patience = 60 * time.Second

// speechDir holds homebot-speech once buildSpeech has run; TestMain removes it.
var speechDir string

// buildSpeech builds homebot-speech, once, as the tests start real processes.
var buildSpeech = sync.OnceValue(func() (err error) {
	if speechDir, err = os.MkdirTemp("", "homebot-speech-"); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-o", speechDir, "homebot/cmd/homebot-speech").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build homebot-speech: %w: %s", err, out)
	}
	return nil
})

// withSpeech lets a home's processes find homebot-speech and the Mandarin model,
// if it is here. The test is skipped where nothing can be heard or spoken.
func (h *home) withSpeech() *home {
	h.t.Helper()
	if _, err := sphinx.New(sphinx.Config{Languages: []string{"en"}}); err != nil {
		h.t.Skipf("no English recogniser here: %v", err)
	}
	if err := espeak.New(espeak.Config{}).Check(h.t.Context()); err != nil {
		h.t.Skip(err)
	}
	if err := buildSpeech(); err != nil {
		h.t.Fatal(err)
	}
	h.setenv("PATH", speechDir+":"+os.Getenv("PATH"))
	if m := modelsHere(); m != "" {
		h.setenv("HOMEBOT_MODELS", m)
	}
	return h
}

// modelsHere is the directory with the Mandarin model, "" where it is absent.
func modelsHere() string {
	root := os.Getenv("HOMEBOT_SHARED")
	if root == "" {
		root = "../../../shared"
	}
	dir, err := filepath.Abs(filepath.Join(root, "models"))
	if err != nil {
		return ""
	}
	if _, err := os.Stat(filepath.Join(dir, "sphinx-zh", "mandarin.dic")); err != nil {
		return ""
	}
	return dir
}

func (h *home) setenv(key, value string) {
	h.env = slices.DeleteFunc(slices.Clone(h.env), func(s string) bool { return strings.HasPrefix(s, key+"=") })
	h.env = append(h.env, key+"="+value)
}

// configure writes the home's configuration file. A console of which it says
// nothing takes any port: tests run side by side.
func (h *home) configure(text string) {
	h.t.Helper()
	if !strings.Contains(text, "[console]") {
		text += "[console]\nlisten = \"127.0.0.1:0\"\n"
	}
	if err := os.MkdirAll(h.workspace, 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.workspace, "homebot.toml"), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// room is a virtual sound card with a person in front of it, and an ear at its
// loudspeaker.
type room struct {
	t    testing.TB
	card *virtual.Card

	mu     sync.Mutex
	levels []levelAt
}

// levelAt is how loud 20 ms were that ended at a time, and their sound.
type levelAt struct {
	at    time.Time
	level float64
	pcm   []int16
}

// newRoom makes a room whose card the home's processes have as their only one.
func newRoom(t testing.TB, h *home) *room {
	t.Helper()
	r := &room{t: t, card: audiotest.SoundServer(t)}
	for _, kv := range r.card.Env() {
		key, value, _ := strings.Cut(kv, "=")
		h.setenv(key, value)
	}
	rec, err := r.card.Loudspeaker(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var recording sync.WaitGroup
	recording.Go(func() { r.record(rec) })
	t.Cleanup(func() { rec.Close(); recording.Wait() })
	return r
}

func (r *room) record(rec io.Reader) {
	pcm := make([]int16, audio.PlaybackRate/50)
	for {
		if _, err := audio.ReadPCM(rec, pcm); err != nil {
			return
		}
		r.mu.Lock()
		r.levels = append(r.levels, levelAt{time.Now(), audiotest.Level(pcm), slices.Clone(pcm)})
		r.mu.Unlock()
	}
}

// sounding is how long the loudspeaker was audible between two times.
func (r *room) sounding(from, to time.Time) (d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.levels {
		if l.at.After(from) && l.at.Before(to) && l.level > 100 {
			d += 20 * time.Millisecond
		}
	}
	return d
}

// until is up to when the loudspeaker was recorded.
func (r *room) until() (at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.levels); n > 0 {
		at = r.levels[n-1].at
	}
	return at
}

// between is what the loudspeaker gave between two times; begin is when its
// first sample sounded.
func (r *room) between(from, to time.Time) (pcm []int16, begin time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.levels {
		if l.at.After(from) && l.at.Before(to) {
			if begin.IsZero() {
				begin = l.at.Add(-20 * time.Millisecond)
			}
			pcm = append(pcm, l.pcm...)
		}
	}
	return pcm, begin
}

// spoken are words as a person says them, 16 kHz.
func spoken(t testing.TB, words, lang string) []int16 {
	t.Helper()
	var pcm []int16
	err := espeak.New(espeak.Config{}).Speak(t.Context(), words, lang, func(p []int16) error {
		pcm = append(pcm, p...)
		return nil
	})
	if err == nil {
		pcm, err = audio.Resample(pcm, audio.PlaybackRate, audio.CaptureRate)
	}
	if err != nil {
		t.Fatal(err)
	}
	return pcm
}

// say speaks words in the room and returns when they were heard there.
func (r *room) say(words, lang string) { r.t.Helper(); r.play(spoken(r.t, words, lang)) }

func (r *room) play(pcm []int16) {
	r.t.Helper()
	if err := r.card.Speak(r.t.Context(), pcm); err != nil {
		r.t.Fatal(err)
	}
}

// appliance is a running `homebot run` and what a watcher on its socket sees.
type appliance struct {
	*home
	room   *room
	cmd    *exec.Cmd
	stderr *log

	mu    sync.Mutex
	state event.State
	seen  []event.Event
	news  chan struct{} // capacity 1
}

// log is a process's standard error.
type log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) { l.mu.Lock(); defer l.mu.Unlock(); return l.buf.Write(p) }
func (l *log) String() string              { l.mu.Lock(); defer l.mu.Unlock(); return l.buf.String() }

// appliance starts `homebot run` and waits until it hears.
func (h *home) appliance(r *room) *appliance {
	h.t.Helper()
	a := &appliance{home: h, room: r, stderr: &log{}, news: make(chan struct{}, 1)}
	a.cmd = h.command("run")
	a.cmd.Stderr = a.stderr
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := a.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(a.kill)
	late := time.AfterFunc(4*patience, func() { _ = a.cmd.Process.Kill() })
	defer late.Stop()
	lines := bufio.NewScanner(out)
	for lines.Scan() && !listens(lines.Text()) {
	}
	if !listens(lines.Text()) {
		h.t.Fatalf("run ended before it heard, or was ended after %v: %s", 4*patience, a.stderr)
	}
	a.watch()
	return a
}

// listens reports whether a line says, in either language, that it hears.
func listens(line string) bool {
	return strings.HasPrefix(line, phrases.RunListens.In(phrases.Chinese, "")) || strings.HasPrefix(line, phrases.RunListens.In(phrases.English, ""))
}

// watch follows the socket until the process is gone.
func (a *appliance) watch() {
	a.t.Helper()
	c, err := engine.Connect(context.Background(), a.workspace, func() (*engine.Engine, error) {
		return nil, errors.New("no engine is there")
	})
	if err != nil {
		a.t.Fatal(err)
	}
	var watching sync.WaitGroup
	watching.Go(func() { _ = c.Watch(context.Background(), a.see) })
	a.t.Cleanup(func() { a.kill(); watching.Wait(); _ = c.Close() })
	<-a.news // the state that the events begin with
}

func (a *appliance) see(s *event.State, e *event.Event) bool {
	a.mu.Lock()
	if e != nil {
		a.seen = append(a.seen, *e)
		s = &e.State
	}
	a.state = *s
	a.mu.Unlock()
	select {
	case a.news <- struct{}{}:
	default:
	}
	return true
}

// kill is a power cut for the process.
func (a *appliance) kill() {
	_ = a.cmd.Process.Kill()
	_ = a.cmd.Wait()
}

// mark is the place in what was seen from which on await looks.
func (a *appliance) mark() int { a.mu.Lock(); defer a.mu.Unlock(); return len(a.seen) }

// since is what was seen from a mark on.
func (a *appliance) since(mark int) []event.Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.seen[mark:])
}

func (a *appliance) snapshot() event.State { a.mu.Lock(); defer a.mu.Unlock(); return a.state }

// await waits for the first event from mark on that is ok.
func (a *appliance) await(limit time.Duration, mark int, ok func(event.Event) bool) (event.Event, bool) {
	late := time.NewTimer(limit)
	defer late.Stop()
	for {
		all := a.since(mark)
		if i := slices.IndexFunc(all, ok); i >= 0 {
			return all[i], true
		}
		mark += len(all)
		select {
		case <-a.news:
		case <-late.C:
			return event.Event{}, false
		}
	}
}

// must is await, or the test ends with what was seen instead.
func (a *appliance) must(mark int, what string, ok func(event.Event) bool) event.Event {
	a.t.Helper()
	e, found := a.await(patience, mark, ok)
	if !found {
		a.t.Fatalf("never came: %s; seen:\n%s\nstderr: %s", what, story(a.since(mark)), a.stderr)
	}
	return e
}

// rest waits until the dialogue rests in one of the states.
func (a *appliance) rest(states ...event.DialogueState) event.DialogueState {
	a.t.Helper()
	mark := a.mark()
	if s := a.snapshot().Dialogue; slices.Contains(states, s) {
		return s
	}
	return a.must(mark, fmt.Sprint("state ", states), func(e event.Event) bool {
		return slices.Contains(states, e.State.Dialogue)
	}).State.Dialogue
}

func is(kind event.Kind) func(event.Event) bool {
	return func(e event.Event) bool { return e.Kind == kind }
}

func inState(s event.DialogueState) func(event.Event) bool {
	return func(e event.Event) bool { return e.State.Dialogue == s }
}

// dataOf reads an event's payload, which came as JSON.
func dataOf[T any](e event.Event) (v T) {
	raw, _ := json.Marshal(e.Data)
	_ = json.Unmarshal(raw, &v)
	return v
}

func story(all []event.Event) string {
	var b strings.Builder
	for _, e := range all {
		raw, _ := json.Marshal(e.Data)
		fmt.Fprintf(&b, "  %s %s %s (%s)\n", e.At.Format("05.000"), e.Kind, raw, e.State.Dialogue)
	}
	return b.String()
}

// tries is how often a person says what was not heard.
const tries = 3

// order wakes the appliance if it rests, says words to it and returns the turn
// it made of them; as a person would, again if it was not understood. The
// dialogue rests when order returns.
func (a *appliance) order(wake, words, lang string) event.Turn {
	a.t.Helper()
	start := a.mark()
	for range tries {
		if a.rest(event.Idle, event.Listening) == event.Idle {
			mark := a.mark()
			a.room.say(wake, lang)
			if _, ok := a.await(patience/6, mark, inState(event.Listening)); !ok {
				a.t.Logf("%q was not heard", wake)
				continue
			}
		}
		mark := a.mark()
		a.room.say(words, lang)
		if t, ok := a.turn(mark, words); ok {
			return t
		}
	}
	a.t.Fatalf("%q was not understood in %d tries; seen:\n%s\nstderr: %s", words, tries, story(a.since(start)), a.stderr)
	return event.Turn{}
}

// turn waits for the turn of words, or for what shows that there is none.
func (a *appliance) turn(mark int, words string) (event.Turn, bool) {
	a.t.Helper()
	e, ok := a.await(patience/2, mark, func(e event.Event) bool { return e.Kind == event.TurnDone || e.Kind == event.NothingHeard })
	if !ok || e.Kind == event.NothingHeard {
		a.t.Logf("%q was not understood", words)
		return event.Turn{}, false
	}
	a.rest(event.Idle, event.Listening)
	t := dataOf[event.Turn](e)
	if bare(t.User) != bare(words) {
		a.t.Logf("%q was understood as %q", words, t.User)
		return t, false
	}
	return t, true
}

// bare is words without what a recogniser does not hear: 作 sounds like 做, and a
// 了 at the end is easily lost.
func bare(words string) string {
	words = strings.NewReplacer(" ", "", ",", "", ".", "", "，", "", "。", "", "作", "做").Replace(words)
	return strings.TrimSuffix(strings.ToLower(words), "了")
}

// childOf is the process of a name that pid started; 0 if there is none.
func childOf(pid int, name string) int {
	all, _ := os.ReadDir("/proc")
	for _, d := range all {
		child, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		_, rest, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(rest)
		args, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child))
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) && strings.Contains(string(args), name) {
			return child
		}
	}
	return 0
}
