package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"homebot/audio/wav"
	"homebot/internal/event"
	"homebot/internal/llm/llmtest"
	"homebot/voice"
)

// aTalk is what a person says in one language, and what the scripted model
// answers.
type aTalk struct {
	lang, wake              string
	open, time, again, exit string
	opened, clock, repeated string
}

// The answer about the time is written in six pieces, slowly.
var talksInTests = []aTalk{
	{"en", "hey home bot", "open cooking mode", "what time is it", "what day is it", "exit cooking mode",
		"Cooking mode is on. Tell me the dish.[[end]]", "It is noon. The water boils soon. Then add the salt and wait for a while.[[end]]", "It is Monday.[[end]]"},
	{"zh", "你好小厨", "打开做饭模式", "现在几点了", "几点了", "退出做饭模式",
		"做饭模式已经打开了，想做什么菜？[[end]]", "现在是中午。水快要开了。然后放一点盐，再等一会儿就好了。[[end]]", "还是中午。[[end]]"},
}

// slow is the pace of the answer about the time.
const (
	slow       = 500 * time.Millisecond
	slowPieces = 6
)

// respond is the model of a talk.
func (k aTalk) respond(r llmtest.Request) llmtest.Step {
	if len(r.Results()) > 0 {
		return llmtest.Reply(k.opened)
	}
	switch bare(r.Words()) {
	case bare(k.open):
		return llmtest.ToolCall("switch_mode", enterCooking)
	case bare(k.exit):
		return llmtest.ToolCall("switch_mode", exitCooking)
	case bare(k.time):
		return llmtest.Reply(k.clock).InChunks((len([]rune(k.clock)) + slowPieces - 1) / slowPieces).Every(slow)
	}
	return llmtest.Reply(k.repeated)
}

// home is a home for the talk; skipped where its language cannot be heard.
func (k aTalk) home(t *testing.T) *home {
	h := newHome(t, k.respond).withSpeech()
	if k.lang == "zh" && modelsHere() == "" {
		t.Skip("no Mandarin model here (set HOMEBOT_SHARED to the folder with models/sphinx-zh)")
	}
	h.configure("[system]\nlanguage = \"" + k.lang + "\"\n")
	return h
}

// V1, V2, V3, V5, R32, R52, S3: spoken to through a sound server, PortAudio, the
// websocket and pocketsphinx, it enters a mode, shows the light and answers
// aloud; each wake is a new voice session that goes on with the dialogue, also
// after a power cut; the mode ends by voice.
func TestSpokenTo(t *testing.T) {
	for _, k := range talksInTests {
		t.Run(k.lang, func(t *testing.T) {
			t.Parallel()
			h := k.home(t)
			r := newRoom(t, h)
			a := h.appliance(r)
			first := a.order(k.wake, k.open, k.lang)
			checkEntered(t, a)
			second := a.order(k.wake, k.time, k.lang)
			checkCarries(t, h, first)
			checkStreams(t, a, h)
			a.kill()
			a = h.appliance(r)
			if s := a.snapshot(); !s.Light.On || s.Mode == nil {
				t.Errorf("after the power cut: light %+v, mode %+v", s.Light, s.Mode)
			}
			third := a.order(k.wake, k.again, k.lang)
			checkCarries(t, h, first, second)
			fourth := a.order(k.wake, k.exit, k.lang)
			checkCarries(t, h, first, second, third)
			checkLeft(t, a)
			ids := map[string]bool{}
			for _, turn := range []event.Turn{first, second, third, fourth} {
				ids[turn.ChatID] = true
			}
			if len(ids) != 4 {
				t.Errorf("four wakes made the voice sessions %v", ids)
			}
		})
	}
}

// checkEntered: the mode is active, its light is on, and the reply was heard.
func checkEntered(t *testing.T, a *appliance) {
	t.Helper()
	s := a.snapshot()
	if act := a.action(); act["active"] != true || act["mode_id"] != "cooking" || !s.Light.On || s.Mode == nil {
		t.Errorf("action %v, light %+v, mode %+v", act, s.Light, s.Mode)
	}
	if d := a.aloud(); d < 500*time.Millisecond {
		t.Errorf("the loudspeaker was audible for %v while it spoke; seen:\n%s", d, story(a.since(0)))
	}
}

// aloud is how long the loudspeaker was audible while the state was speaking.
func (a *appliance) aloud() (d time.Duration) {
	var from time.Time
	for _, e := range a.since(0) {
		switch speaking := e.State.Dialogue == event.Speaking; {
		case speaking && from.IsZero():
			from = e.At
		case !speaking && !from.IsZero():
			d += a.room.sounding(from, e.At)
			from = time.Time{}
		}
	}
	return d
}

// checkCarries: the newest request carries these turns, the words and the
// replies, in their order.
func checkCarries(t *testing.T, h *home, turns ...event.Turn) {
	t.Helper()
	all := h.requests()
	words := map[string]bool{}
	for _, turn := range turns {
		words[turn.User] = true
	}
	newest := all[len(all)-1]
	rest := string(newest.Body)
	for _, turn := range turns {
		for _, said := range []string{turn.User, turn.Assistant} {
			raw, _ := json.Marshal(said)
			_, after, ok := strings.Cut(rest, strings.Trim(string(raw), `"`))
			if !ok {
				t.Errorf("the request for %q does not carry %q: %s", newest.Words(), said, newest.Body)
			}
			rest = after
		}
	}
	if words[newest.Words()] {
		t.Errorf("the newest request is that for %q", newest.Words())
	}
}

// checkStreams: the first sentence sounded before the model had written the
// last piece.
func checkStreams(t *testing.T, a *appliance, h *home) {
	t.Helper()
	all := h.requests()
	written := all[len(all)-1].At.Add((slowPieces - 1) * slow)
	for _, e := range a.since(0) {
		if e.Kind == event.Said && e.At.After(all[len(all)-1].At) {
			if e.At.After(written) {
				t.Errorf("%q sounded %v after all was written", dataOf[event.Words](e).Text, e.At.Sub(written))
			}
			return
		}
	}
	t.Error("nothing was said")
}

// checkLeft: the mode is archived and its light is off.
func checkLeft(t *testing.T, a *appliance) {
	t.Helper()
	a.must(0, "the mode's end", func(e event.Event) bool { return e.State.Mode == nil && !e.State.Light.On })
	if act := a.action(); act["active"] != false || act["exit_reason"] != "user" {
		t.Errorf("action %v", act)
	}
	if found, _ := filepath.Glob(filepath.Join(a.workspace, "modes/sessions/cooking/*/summary.md")); len(found) != 1 {
		t.Errorf("summaries %q", found)
	}
	if s := a.snapshot(); s.Light.On || s.Mode != nil {
		t.Errorf("light %+v, mode %+v", s.Light, s.Mode)
	}
}

// V1: wake word and order in one breath.
func TestOneBreath(t *testing.T) {
	for _, k := range talksInTests {
		t.Run(k.lang, func(t *testing.T) {
			t.Parallel()
			h := k.home(t)
			a := h.appliance(newRoom(t, h))
			a.breath(k.wake+map[string]string{"en": ", ", "zh": "，"}[k.lang], k.open, k.lang)
			checkEntered(t, a)
		})
	}
}

// breath says the wake phrase and an order without a pause, until understood.
func (a *appliance) breath(wake, words, lang string) {
	a.t.Helper()
	for range tries {
		a.rest(event.Idle)
		mark := a.mark()
		a.room.say(wake+words, lang)
		if _, ok := a.await(patience/6, mark, is(event.Woken)); !ok {
			a.t.Logf("%q was not heard", wake)
			continue
		}
		if _, ok := a.turn(mark, words); ok {
			return
		}
	}
	a.t.Fatalf("not understood in %d tries; seen:\n%s\nstderr: %s", tries, story(a.since(0)), a.stderr)
}

// foreign are sentences that hold neither wake phrase.
var foreign = map[string][]string{
	"en": {"good morning everybody, how did you sleep", "the weather is nice today, let us go home", "please pass the salt and the pepper", "hey tom, where did you put the book"},
	"zh": {"今天天气很好我们出去玩吧", "你好，请问厨房在哪里", "晚上想吃点什么菜", "小明你的作业写完了没有"},
}

// V1, V2: other people's speech wakes nothing and asks nobody; that it was heard
// all along shows the wake phrase after it.
func TestForeignSpeechWakesNothing(t *testing.T) {
	t.Parallel()
	k := talksInTests[0]
	h := k.home(t)
	a := h.appliance(newRoom(t, h))
	for _, f := range []string{"jfk", "negative_zh_1", "alexa", "hey_jane_negative"} {
		if pcm, ok := recorded(t, f); ok {
			a.room.play(pcm)
		}
	}
	for lang, sentences := range foreign {
		for _, s := range sentences {
			a.room.say(s, lang)
		}
	}
	a.room.play(make([]int16, 16000)) // the last word's late consequences
	for _, e := range a.since(0) {
		if e.Kind == event.Woken {
			t.Errorf("woken by %+v", dataOf[event.Wake](e))
		}
	}
	if n := len(h.requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
	a.order(k.wake, k.open, k.lang)
}

// recorded is one of the recordings beside the project, if they are here.
func recorded(t *testing.T, name string) ([]int16, bool) {
	root := os.Getenv("HOMEBOT_SHARED")
	if root == "" {
		root = "../../../shared"
	}
	pcm, _, err := wav.ReadFile(filepath.Join(root, "audio", name+".wav"), 16000)
	if err != nil {
		t.Logf("without %s: %v", name, err)
	}
	return pcm, err == nil
}

// V8: homebot-speech is killed in the middle of an utterance: the device says
// so, comes back by itself and hears again.
func TestSpeechServerKilledInUtterance(t *testing.T) {
	t.Parallel()
	k := talksInTests[0]
	h := k.home(t)
	a := h.appliance(newRoom(t, h))
	for range tries {
		a.rest(event.Idle)
		mark := a.mark()
		a.room.say(k.wake, k.lang)
		if _, ok := a.await(patience/6, mark, inState(event.Listening)); ok {
			break
		}
	}
	speech := childOf(a.cmd.Process.Pid, "homebot-speech")
	if speech == 0 || a.snapshot().Dialogue != event.Listening {
		t.Fatalf("homebot-speech is process %d, the state %s", speech, a.snapshot().Dialogue)
	}
	mark := a.mark()
	_ = syscall.Kill(speech, syscall.SIGKILL)
	gone := a.must(mark, "the fault", is(event.FaultAppeared))
	if f := dataOf[event.Fault](gone); f.Code != voice.FaultEars || f.Text == "" {
		t.Errorf("fault %+v", f)
	}
	a.must(mark, "an earcon for it", func(e event.Event) bool {
		return e.Kind == event.EarconPlayed && dataOf[event.Earcon](e).Name == "error"
	})
	a.must(mark, "its end", is(event.FaultCleared))
	a.must(mark, "a sentence about it", is(event.Said))
	a.order(k.wake, k.open, k.lang)
	checkEntered(t, a)
}

// `homebot say` speaks through the configured voice and loudspeaker.
func TestSay(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil).withSpeech()
	r := newRoom(t, h)
	began := time.Now()
	if out, errs, code := h.once("", "say", "The soup is ready."); code != 0 || out != "" {
		t.Fatalf("%d %q %q", code, out, errs)
	}
	if d := r.sounding(began, time.Now()); d < 500*time.Millisecond {
		t.Errorf("audible for %v", d)
	}
}

// A loudspeaker that is not there is told once.
func TestSayWithoutLoudspeaker(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil).withSpeech()
	h.configure("[audio]\noutput = \"no such card\"\n")
	if out, errs, code := h.once("", "say", "The soup is ready."); code != 1 || out != "" || strings.Count(errs, "no such sound device") != 1 {
		t.Errorf("%d %q %q", code, out, errs)
	}
}

// `homebot listen` takes recordings as if spoken and prints what happens.
func TestListen(t *testing.T) {
	t.Parallel()
	k := talksInTests[0]
	h := k.home(t)
	pause := make([]int16, 16000)
	pcm := append(append(spoken(t, k.wake, k.lang), pause...), spoken(t, k.open, k.lang)...)
	file := filepath.Join(t.TempDir(), "order.wav")
	if err := wav.WriteFile(file, pcm, 16000); err != nil {
		t.Fatal(err)
	}
	out, errs, code := h.once("", "listen", file)
	if code != 0 {
		t.Fatalf("%d %s", code, errs)
	}
	kinds := map[event.Kind]bool{}
	for line := range bytes.Lines([]byte(out)) {
		var e event.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		kinds[e.Kind] = true
		if e.State.Deaf() {
			t.Errorf("nothing is wrong, and it says: %s", line)
		}
	}
	for _, want := range []event.Kind{event.Woken, event.FinalHeard, event.Said, event.TurnDone, event.ModeSwitched} {
		if !kinds[want] {
			t.Errorf("no %s among %v; stderr %s", want, kinds, errs)
		}
	}
	if act := h.action(); act["active"] != true {
		t.Errorf("action %v", act)
	}
}
