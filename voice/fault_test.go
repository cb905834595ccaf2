package voice_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/internal/speech/speechtest"
	"homebot/voice"
	"homebot/voice/voicetest"
)

// V8: the microphone is unplugged and comes back; while it is gone the state
// says so. It is said once, and not again within a minute.
func TestMicrophoneLost(t *testing.T) {
	unplug := func(at int) voicetest.Step {
		return voicetest.Does(ms(at), "(unplugged)", func(st *voicetest.Stage) { st.Mic.Unplug() })
	}
	plug := func(at int) voicetest.Step {
		return voicetest.Does(ms(at), "(plugged in)", func(st *voicetest.Stage) { st.Mic.Plug() })
	}
	out := play(t, voicetest.Script{
		Lang: "en",
		Steps: []voicetest.Step{
			unplug(1000), plug(10500), unplug(20000), plug(30500), unplug(90000), plug(90500),
			voicetest.Wakes(ms(95000), "en"),
		},
		Until: 110 * seconds,
	})
	has(t, out, "1.007  wrong    microphone", "3.007  fault    microphone", "says     I can't find a microphone.", "healed   microphone", "says     Sound is back.", "woken")
	if n := strings.Count(out, "I can't find a microphone."); n != 1 {
		t.Errorf("said %d times:\n%s", n, out)
	}
	// 1 s is no fault to speak of, but the state had it.
	_, last, _ := strings.Cut(out, " 90.007")
	if strings.Contains(last, "fault") || !strings.Contains(last, "wrong    microphone") {
		t.Errorf("a short loss:\n%s", last)
	}
}

// No voice: the reply is text only, whole for the history; one earcon and a
// fault; the next reply tries again.
func TestNoVoice(t *testing.T) {
	broken := &speechtest.Synthesizer{Err: errors.New("connection refused")}
	out := play(t, voicetest.Script{
		Steps: []voicetest.Step{
			voicetest.Does(ms(500), "(no voice)", func(st *voicetest.Stage) { st.SetVoice(broken) }),
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "几点了", "zh", 500*time.Millisecond),
			voicetest.Does(ms(8000), "(the voice is back)", func(st *voicetest.Stage) { st.SetVoice(&speechtest.Synthesizer{}) }),
			voicetest.Wakes(ms(9000), "zh"),
			voicetest.Says(ms(10500), "几点了", "zh", 500*time.Millisecond),
		},
		Answers: []voicetest.Answer{{Says: "七点。几个人吃？", Next: voice.Continue}, {Says: "七点。", Next: voice.End}},
		Until:   14 * seconds,
	})
	has(t, out, "fault    voice", "earcon   error", "history  几点了 ⇒ \"七点。几个人吃？\"\n", "state    idle", "says     七点。", "healed   voice")
}

// The words never come: the device does not wait for ever.
func TestRecogniserNeverAnswers(t *testing.T) {
	out := play(t, voicetest.Script{
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "zh"),
			voicetest.Says(ms(2500), "几点了", "zh", 500*time.Millisecond),
			voicetest.Does(ms(3600), "", func(st *voicetest.Stage) { st.Ears.Deafen() }),
		},
		Until: 12 * seconds,
	})
	has(t, out, "earcon   done", "8.7", "heard    nothing", "我没听清")
}

// V8: a device whose speech server never comes says so, in its state at once
// and in words after a while; when it comes that is said too.
func TestStartsDeaf(t *testing.T) {
	out := play(t, voicetest.Script{
		Deaf: true, Lang: "en",
		Steps: []voicetest.Step{voicetest.Does(ms(14000), "(it comes)", func(st *voicetest.Stage) { st.Ears.Restore() })},
		Until: 20 * seconds,
	})
	has(t, out, "0.000  wrong    microphone, ears", "10.000  fault    ears", "earcon   error", "says     The speech server is gone.", "(it comes)", "healed   ears", "wrong    nothing", "says     The speech server is back.", "state    idle")
}

// V8: whose words were broken off is told so each time, however short ago the
// same was said.
func TestBrokenOffTwice(t *testing.T) {
	lose := func(st *voicetest.Stage) { st.Ears.Lose() }
	restore := func(st *voicetest.Stage) { st.Ears.Restore() }
	out := play(t, voicetest.Script{
		Lang: "en",
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Does(ms(3000), "(lost)", lose),
			voicetest.Does(ms(6000), "(restored)", restore),
			voicetest.Wakes(ms(15000), "en"),
			voicetest.Does(ms(18000), "(lost again)", lose),
			voicetest.Does(ms(21000), "(restored again)", restore),
		},
		Until: 30 * seconds,
	})
	has(t, out, "(lost)", "earcon   error", "says     The speech server is gone.", "(lost again)", "earcon   error", "says     The speech server is gone.")
}

// V8: the fault of a reply that nobody could hear tells what to look at.
func TestNoLoudspeaker(t *testing.T) {
	var faults []event.Fault
	play(t, voicetest.Script{
		Lang: "en",
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "what time is it", "en", 500*time.Millisecond),
			voicetest.Does(ms(3200), "(unplugged)", func(st *voicetest.Stage) { st.Speaker.Unplug() }),
			voicetest.Does(ms(7000), "(look)", func(st *voicetest.Stage) { faults = st.Bus.Snapshot().Faults }),
		},
		Answers: []voicetest.Answer{{Says: "It is seven.", Next: voice.End}},
		Until:   8 * seconds,
	})
	if len(faults) != 1 || faults[0].Code != voice.FaultVoice || faults[0].Text != phrases.NoLoudspeaker.EN {
		t.Errorf("faults %+v", faults)
	}
}

// V8: a mistake in the configuration is in the state from the beginning, is said
// once, and keeps nobody from talking.
func TestStandingFault(t *testing.T) {
	out := play(t, voicetest.Script{
		Lang:     "en",
		Standing: []voice.Standing{{Code: event.FaultConfig, Say: phrases.ConfigMistake}},
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(30000), "en"),
			voicetest.Says(ms(31500), "what time is it", "en", 500*time.Millisecond),
		},
		Answers: []voicetest.Answer{{Says: "Seven.", Next: voice.End}},
		Until:   140 * seconds,
	})
	has(t, out, "wrong    config", "fault    config", "says     "+strings.SplitAfter(phrases.ConfigMistake.EN, ".")[0], "woken", "says     Seven.")
	if n := strings.Count(out, "fault    config"); n != 1 {
		t.Errorf("told %d times:\n%s", n, out)
	}
}

// V8: a recogniser that is there and loads for long says that, not that it is gone,
// and says when it is ready; a fault is not told again every minute: after the
// first minute it takes two, then four.
func TestLoadingIsNotGone(t *testing.T) {
	var text string
	out := play(t, voicetest.Script{
		Deaf: true, Lang: "en",
		Steps: []voicetest.Step{
			voicetest.Does(ms(3000), "(it loads)", func(st *voicetest.Stage) { st.Ears.Loads() }),
			voicetest.Does(ms(8000), "(it still loads)", func(st *voicetest.Stage) { st.Ears.Loads(); text = st.Bus.Snapshot().Faults[0].Text }),
			voicetest.Does(ms(40000), "(it is ready)", func(st *voicetest.Stage) { st.Ears.Restore() }),
		},
		Until: 50 * seconds,
	})
	has(t, out, "wrong    microphone, ears", "says     I'm still getting ready", "(it is ready)", "healed   ears", "says     I'm ready.")
	if text != phrases.SpeechLoading.EN || strings.Contains(out, "gone") {
		t.Errorf("the state says %q:\n%s", text, out)
	}
}

// V8: a loose cable is not talked about all day: the same sentence comes after one
// minute, two, four, and so on up to an hour.
func TestLooseCable(t *testing.T) {
	var steps []voicetest.Step
	for at := 1000; at < 3600_000; at += 20_000 {
		steps = append(steps,
			voicetest.Does(ms(at), "", func(st *voicetest.Stage) { st.Mic.Unplug() }),
			voicetest.Does(ms(at+10_000), "", func(st *voicetest.Stage) { st.Mic.Plug() }))
	}
	out := play(t, voicetest.Script{Lang: "en", Steps: steps, Until: 3600 * seconds})
	if n := strings.Count(out, "I can't find a microphone."); n < 3 || n > 7 {
		t.Errorf("lost 180 times in an hour, said %d times", n)
	}
}
