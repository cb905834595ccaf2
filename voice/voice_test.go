package voice_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"homebot/audio"
	"homebot/internal/event"
	"homebot/internal/speech"
	"homebot/voice"
	"homebot/voice/voicetest"
)

var _ voice.Ears = (*speech.Client)(nil)

// play plays a script and returns its transcript, and the stage for questions.
func play(t *testing.T, s voicetest.Script) (transcript string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { transcript = voicetest.Play(t, s) })
	return transcript
}

// has fails unless every line occurs, in this order.
func has(t *testing.T, transcript string, lines ...string) {
	t.Helper()
	rest := transcript
	for _, l := range lines {
		_, after, found := strings.Cut(rest, l)
		if !found {
			t.Fatalf("%q is missing (in this order) in\n%s", l, transcript)
		}
		rest = after
	}
}

// V3: what the model proposed, else a question that is no courtesy, and not
// after two in a row that brought nothing.
func TestAfter(t *testing.T) {
	for _, c := range []struct {
		next       voice.Next
		reply      string
		unanswered int
		want       bool
	}{
		{voice.Continue, "好的。", 0, true},
		{voice.Continue, "好的。", 9, true},
		{voice.End, "几个人吃？", 0, false},
		{voice.Unstated, "几个人吃？", 0, true},
		{voice.Unstated, "好的。几个人吃？", 1, true},
		{voice.Unstated, "几个人吃？", 2, false},
		{voice.Unstated, "几个人吃？先放盐。", 0, false},
		{voice.Unstated, "放好了。还需要别的吗？", 0, false},
		{voice.Unstated, "How many people?", 0, true},
		{voice.Unstated, "Done. Anything else?", 0, false},
		{voice.Unstated, "", 0, false},
	} {
		if got := voice.After(c.next, c.reply, c.unanswered); got != c.want {
			t.Errorf("After(%d, %q, %d) = %v", c.next, c.reply, c.unanswered, got)
		}
	}
}

// V1: before the wake word a remote recogniser gets not one sample; then it
// gets the sound since the end of the wake phrase, and the utterance; nothing
// while the device thinks and speaks; then the follow-up window.
func TestRemoteHearsOnlyUtterances(t *testing.T) {
	type count struct {
		at   string
		sent int
	}
	var counts []count
	var first time.Duration
	note := func(at time.Duration, what string) voicetest.Step {
		return voicetest.Does(at, what, func(st *voicetest.Stage) {
			n, began := st.Remote.Sent()
			counts = append(counts, count{what, n})
			if !began.IsZero() && first == 0 {
				first = began.Sub(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
			}
		})
	}
	out := play(t, voicetest.Script{
		Remote: true,
		Steps: []voicetest.Step{
			note(ms(1700), "before the wake"),
			voicetest.Wakes(ms(1000+800), "zh"),
			voicetest.Says(ms(2620), "几点了", "zh", 700*time.Millisecond),
			note(ms(4200), "thinking"),
			note(ms(4700), "later"),
			note(ms(12000), "idle again"),
			note(ms(13000), "still idle"),
		},
		Answers: []voicetest.Answer{{Says: "七点。", After: time.Second, Next: voice.End}},
		Until:   14 * seconds,
	})
	has(t, out, "heard    几点了", "says     七点。")
	if counts[0].sent != 0 || first < 2607*time.Millisecond {
		t.Errorf("sound left the device before the wake word: %+v, first at %v", counts, first)
	}
	// From the wake phrase's end in the frame of 2.56 to the end of the
	// utterance about 4.03: everything, also before the wake message was read.
	if got := counts[1].sent; got < 23040 || got > 24320 {
		t.Errorf("the utterance had %d samples", got)
	}
	for _, c := range counts[2:] {
		if c.sent != counts[1].sent {
			t.Errorf("sound left the device outside utterances: %+v", counts)
		}
	}
}

// The remote recogniser is lost in an utterance: it is said, and the next
// utterance goes to the one on the device.
func TestRemoteLost(t *testing.T) {
	out := play(t, voicetest.Script{
		Remote: true,
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2000), "几点了", "zh", 700*time.Millisecond),
			voicetest.Does(ms(2300), "", func(st *voicetest.Stage) { st.Remote.Lose() }),
			voicetest.Wakes(ms(8000), "zh"),
			voicetest.Does(ms(9000), "", func(st *voicetest.Stage) {
				go st.Ears.Says("现在几点", "zh", 700*time.Millisecond)
			}),
		},
		Answers: []voicetest.Answer{{Says: "七点。", Next: voice.End}},
		Until:   14 * seconds,
	})
	has(t, out, "fault    remote_ears", "says     远程语音识别连不上", "woken", "heard    现在几点", "says     七点。")
}

// V1: 80 ms reads while only waiting for the wake word; 20 ms in a voice
// session, also while the device thinks and speaks and after a wake phrase of
// its own; 80 ms again after it.
func TestFrames(t *testing.T) {
	frame := func(at, want int) voicetest.Step {
		return voicetest.Does(ms(at), "", func(st *voicetest.Stage) {
			if got := st.Mic.Frame(); got != want {
				t.Errorf("at %d ms: reads of %d samples, not %d", at, got, want)
			}
		})
	}
	const short, long = audio.SessionFrame, audio.WaitingFrame
	out := play(t, voicetest.Script{
		Steps: []voicetest.Step{
			frame(500, long),
			voicetest.Wakes(ms(1000), "zh"),
			frame(2000, short), // listening
			voicetest.Says(ms(2500), "怎么叫你", "zh", 500*time.Millisecond),
			frame(3900, short),              // thinking
			voicetest.Wakes(ms(4000), "zh"), // its own voice
			frame(5200, short),              // speaking
			frame(7500, long),
		},
		Answers: []voicetest.Answer{{Says: "说“你好小厨”就可以叫我，我随时都在听着呢，请放心。", Next: voice.End}},
		Until:   8 * seconds,
	})
	has(t, out, "3.743  state    thinking", "state    speaking", "state    idle")
}

// V2: a wake starts a fresh voice session with its own chat id; follow-up turns
// keep it. The turn carries the language, the time and the words as heard.
func TestSessions(t *testing.T) {
	var turns []voice.Turn
	play(t, voicetest.Script{
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "做汤", "zh", 500*time.Millisecond),
			voicetest.Says(ms(8000), "三个人", "zh", 500*time.Millisecond),
			voicetest.Wakes(ms(14000), "en"),
			voicetest.Says(ms(15500), "what time is it", "en", 500*time.Millisecond),
			voicetest.Does(ms(20000), "", func(st *voicetest.Stage) { turns = st.Handler.Turns() }),
		},
		Answers: []voicetest.Answer{
			{Says: "几个人吃？", Next: voice.Continue},
			{Says: "好的。", Next: voice.End},
			{Says: "Seven.", Next: voice.End},
		},
		Until: 21 * seconds,
	})
	if len(turns) != 3 {
		t.Fatalf("%d turns", len(turns))
	}
	a, b, c := turns[0], turns[1], turns[2]
	if a.ChatID == "" || a.ChatID != b.ChatID || b.ChatID == c.ChatID {
		t.Errorf("chats %q %q %q", a.ChatID, b.ChatID, c.ChatID)
	}
	if a.ID == b.ID || len(a.ID) != 16 {
		t.Errorf("ids %q %q", a.ID, b.ID)
	}
	if c.Lang != "en" || c.Text != "what time is it" || c.Speaker != "guest" || c.Channel != voice.ChannelVoice {
		t.Errorf("turn %+v", c)
	}
	if at := a.Heard.Sub(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)); at.Round(time.Millisecond) != 3743*time.Millisecond {
		t.Errorf("heard at %v", at)
	}
}

// V3: who is not understood twice in a row is not asked a third time.
func TestUnansweredTwice(t *testing.T) {
	out := play(t, conversations["07-no-speech"])
	if n := strings.Count(out, "我没听清"); n != 1 {
		t.Errorf("asked %d times:\n%s", n, out)
	}
	has(t, out, "我没听清", "state    listening", "heard    nothing", "earcon   error", "state    idle")
}

// V5: the first sentence sounds while the rest is still being written.
func TestSpeaksWhileWriting(t *testing.T) {
	long := "第一句话。" + strings.Repeat("后面还有很多很多的话，", 20) + "完。"
	out := play(t, voicetest.Script{
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "讲故事", "zh", 500*time.Millisecond),
			voicetest.Wakes(ms(4500), "zh"),
		},
		Answers: []voicetest.Answer{{Says: long}},
		Until:   6 * seconds,
	})
	// 227 letters at 4 a 20 ms are written by 5.2; the first sentence, complete
	// at 4.08, sounds at 4.16.
	has(t, out, "  4.1", "says     第一句话。", "barge-in", "(interrupted)")
}

// V6: the wake word stops playback within 200 ms, and what was heard is a
// prefix of the reply up to a word border; a turn of the next session begins
// only after the one broken off was recorded.
func TestBargeIn(t *testing.T) {
	const wake = 9807 * time.Millisecond // when the recogniser reports it
	var flushed []time.Time
	reply := conversations["06-barge-in"].Answers[0].Says
	s := conversations["06-barge-in"]
	s.Steps = []voicetest.Step{
		s.Steps[0], s.Steps[1], voicetest.Wakes(ms(9000), "en"),
		voicetest.Does(ms(11000), "", func(st *voicetest.Stage) { flushed = st.Speaker.Flushed() }),
	}
	s.Until = 12 * seconds
	out := play(t, s)
	if len(flushed) != 1 {
		t.Fatalf("silenced at %v:\n%s", flushed, out)
	}
	bubble := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	if d := flushed[0].Sub(bubble) - wake; d < 0 || d > 200*time.Millisecond {
		t.Errorf("silent after %v", d)
	}
	has(t, out, "barge-in", "(interrupted)")
	_, line, _ := strings.Cut(out, "⇒ \"")
	heard, _, _ := strings.Cut(line, "\" (interrupted)")
	if heard == "" || !strings.HasPrefix(reply, heard) || heard == reply {
		t.Errorf("history got %q", heard)
	}
	if next := reply[len(heard):]; !strings.HasPrefix(next, " ") {
		t.Errorf("cut inside a word: %q | %q", heard, next)
	}
}

// V7: the device never hears itself: a wake phrase in the sentence that sounds
// is not a wake.
func TestOwnVoiceDoesNotWake(t *testing.T) {
	out := play(t, voicetest.Script{
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "怎么叫你", "zh", 500*time.Millisecond),
			voicetest.Wakes(ms(4000), "zh"),
		},
		Answers: []voicetest.Answer{{Says: "说“你好小厨”就可以叫我，我随时都在听着呢，请放心。", Next: voice.End}},
		Until:   10 * seconds,
	})
	if n := strings.Count(out, "woken"); n != 1 {
		t.Errorf("woken %d times:\n%s", n, out)
	}
	has(t, out, "请放心。\"", "state    idle")
}

// R41: an active run mode changes nothing of what the device does after a reply.
func TestModeDoesNotLeadTheDialogue(t *testing.T) {
	states := func(mode *event.Mode) string {
		out := play(t, voicetest.Script{
			Steps: []voicetest.Step{
				voicetest.Wakes(ms(1000), "zh"),
				voicetest.Says(ms(2500), "做汤", "zh", 500*time.Millisecond),
				voicetest.Says(ms(8000), "三个人", "zh", 500*time.Millisecond),
			},
			Answers: []voicetest.Answer{{Says: "几个人吃？", Enter: mode}, {Says: "好的。", Enter: mode}},
			Until:   22 * seconds,
		})
		var all []string
		for line := range strings.Lines(out) {
			if _, s, ok := strings.Cut(line, "state    "); ok {
				all = append(all, strings.TrimSpace(s))
			}
		}
		return strings.Join(all, " ")
	}
	with, without := states(&event.Mode{ID: "cooking", SessionID: "cook-1"}), states(nil)
	if with != without || without != "idle listening thinking speaking listening thinking speaking idle" {
		t.Errorf("with a mode: %s\nwithout:     %s", with, without)
	}
}

// Nothing is listened to while muted, and what goes on is broken off.
func TestMute(t *testing.T) {
	var sent [2]int
	mute := func(on bool) func(*voicetest.Stage) {
		return func(st *voicetest.Stage) {
			if err := st.Loop.Mute(context.Background(), on); err != nil {
				t.Error(err)
			}
		}
	}
	out := play(t, voicetest.Script{
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Does(ms(3000), "(muted)", mute(true)),
			voicetest.Does(ms(3100), "", func(st *voicetest.Stage) { sent[0], _ = st.Ears.Sent() }),
			voicetest.Wakes(ms(4000), "zh"),
			voicetest.Does(ms(6000), "(unmuted)", func(st *voicetest.Stage) {
				sent[1], _ = st.Ears.Sent()
				mute(false)(st)
			}),
			voicetest.Wakes(ms(7000), "zh"),
		},
		Until: 8500 * time.Millisecond,
	})
	has(t, out, "state    listening", "(muted)", "state    muted", "(unmuted)", "state    idle", "7.807  woken")
	if strings.Count(out, "woken") != 2 || sent[0] != sent[1] {
		t.Errorf("muted, and heard %v:\n%s", sent, out)
	}
}

// slow is a Handler that takes its time to end after it was cancelled, and to
// begin.
type slow struct {
	events []string
	mu     sync.Mutex
}

func (h *slow) note(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, what)
}

func (h *slow) Handle(ctx context.Context, t voice.Turn, r voice.Reply) error {
	h.note("begin " + t.Text)
	if t.Text == "one" {
		<-ctx.Done()
		time.Sleep(5 * time.Second) // a disk that is slow
	} else if w, ok := r.(voice.Waiter); ok {
		w.Waiting()
	}
	r.Finish(ctx, voice.End)
	r.Done(voice.Result{})
	h.note("end " + t.Text)
	return nil
}

// R44: a turn begins only when the one broken off is recorded, however long
// that takes. R50: the user who waits for a turn hears an earcon.
func TestTurnsDoNotOverlap(t *testing.T) {
	h := &slow{}
	out := play(t, voicetest.Script{
		Handler: h,
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "one", "en", 500*time.Millisecond),
			voicetest.Wakes(ms(5000), "en"),
			voicetest.Says(ms(6500), "two", "en", 500*time.Millisecond),
		},
		Until: 14 * seconds,
	})
	if got := strings.Join(h.events, ", "); got != "begin one, end one, begin two, end two" {
		t.Errorf("%s\n%s", got, out)
	}
	has(t, out, "heard    two", "10.807  earcon   done", "state    idle")
}

// Ping answers while the Loop runs, and says when it does not.
func TestPing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var st *voicetest.Stage
		voicetest.Play(t, voicetest.Script{
			Steps: []voicetest.Step{voicetest.Does(ms(1000), "", func(s *voicetest.Stage) {
				st = s
				if err := s.Loop.Ping(context.Background()); err != nil {
					t.Error(err)
				}
			})},
			Until: 2 * seconds,
		})
		if err := st.Loop.Ping(context.Background()); !errors.Is(err, voice.ErrOver) {
			t.Errorf("after Run: %v", err)
		}
	})
}

// V7: without a follow-up window even [[continue]] ends the voice session.
func TestNoFollowUp(t *testing.T) {
	s := conversations["03-follow-up"]
	s.Rule = voice.Endpointing{FollowUp: -1}
	has(t, play(t, s), "says     好的，几个人吃？", "5.047  state    idle")
}
