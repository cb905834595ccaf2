package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"homebot/internal/event"
	"homebot/internal/llm/llmtest"
)

// ringTalk is a ring over a reply, stopped in its language.
type ringTalk struct {
	lang, wake, ask, reply string
	set                    []string // what is set while the reply sounds
	stop                   string
}

var ringTalks = []ringTalk{
	{"en", "hey home bot", "what time is it", strings.Repeat("Cut four tomatoes and one onion into small pieces, then fry them gently. ", 8),
		[]string{"pasta timer for 1 second"}, "stop ringing"},
	{"zh", "你好小厨", "现在几点了", strings.Repeat("先把番茄切成小块，再把鸡蛋打散，油热以后下锅。", 8),
		[]string{"面条定时一秒", "鸡蛋定时两秒"}, "别响了"},
}

// V9: over the real sound path: timers ring while a reply is being spoken, which
// stops; the stop word ends it without a wake word, and the timers are gone from
// disk.
func TestRingsAloud(t *testing.T) {
	if testing.Short() {
		t.Skip("real processes and real sound")
	}
	ringsAloud(t, ringTalks[0])
}

// V9: TestRingsAloud in Chinese, two at once.
func TestRingsAloudSoak(t *testing.T) {
	if os.Getenv("HOMEBOT_SOAK") == "" {
		t.Skip("real processes and real sound, half a minute; set HOMEBOT_SOAK (make soak)")
	}
	ringsAloud(t, ringTalks[1])
}

func ringsAloud(t *testing.T, k ringTalk) {
	t.Parallel()
	h := newHome(t, func(llmtest.Request) llmtest.Step { return llmtest.Reply(k.reply + "[[end]]") }).withSpeech()
	if k.lang == "zh" && modelsHere() == "" {
		t.Skip("no Mandarin model here (set HOMEBOT_SHARED to the folder with models/sphinx-zh)")
	}
	h.configure("[system]\nlanguage = \"" + k.lang + "\"\n")
	r := newRoom(t, h)
	a := h.appliance(r)
	h.ask(t, a, k.wake, k.ask, k.lang)
	mark := a.mark()
	for _, words := range k.set {
		if out, errs, code := h.once("", "timers", "set", words); code != 0 {
			t.Fatalf("timers set %s: %s%s", words, out, errs)
		}
	}
	rang := a.must(mark, "the ring", inState(event.Ringing))
	turn := a.must(mark, "the end of the reply", is(event.TurnDone))
	if got := dataOf[event.Turn](turn); got.Failed != "interrupted" {
		t.Errorf("the reply was not broken off: %+v", got)
	}
	for n := 0; n < len(k.set); n++ {
		mark = a.mark()
		a.must(mark, "a name", is(event.Said))
	}
	if d := r.sounding(rang.At, time.Now()); d < 300*time.Millisecond {
		t.Errorf("the loudspeaker sounded for %v", d)
	}
	h.stopRing(t, a, k.stop, k.lang)
	if out, _, _ := h.once("", "timers", "list"); !strings.Contains(out, "no timer") {
		t.Errorf("left on disk: %s", out)
	}
}

// ask says words after a wake until the reply sounds.
func (h *home) ask(t *testing.T, a *appliance, wake, words, lang string) {
	t.Helper()
	for range tries {
		mark := a.mark()
		a.room.say(wake, lang)
		if _, ok := a.await(patience/6, mark, inState(event.Listening)); !ok {
			continue
		}
		a.room.say(words, lang)
		if _, ok := a.await(patience/3, mark, inState(event.Speaking)); ok {
			return
		}
		a.rest(event.Idle, event.Listening)
	}
	t.Fatalf("%q was not answered; stderr: %s", words, a.stderr)
}

// stopRing says the stop word, in the pauses of the ring as people do, until it
// is quiet.
func (h *home) stopRing(t *testing.T, a *appliance, word, lang string) {
	t.Helper()
	begin := a.mark()
	for range 8 {
		a.await(patience/6, a.mark(), func(e event.Event) bool { return e.Kind == event.Said || e.Kind == event.TimerStopped })
		a.room.say(word, lang)
		if _, ok := a.await(4*time.Second, begin, is(event.TimerStopped)); ok { // a busy machine may have heard it the last time
			a.rest(event.Idle)
			return
		}
		t.Logf("%q was not heard", word)
	}
	t.Fatalf("the ring was not stopped; seen:\n%s\nstderr: %s", story(a.since(begin)), a.stderr)
}
