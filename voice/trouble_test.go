package voice_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"homebot/internal/phrases"
	"homebot/voice"
	"homebot/voice/voicetest"
)

func network(at int, wrong bool) voicetest.Step {
	what := map[bool]string{true: "(the network goes)", false: "(the network comes)"}[wrong]
	return voicetest.Does(ms(at), what, func(st *voicetest.Stage) {
		_ = st.Loop.Trouble(context.Background(), "network", phrases.NetworkGone, phrases.NetworkBack, wrong)
	})
}

// V8: what is wrong with the house is not called into an empty kitchen; it is said
// once, after the next talk, and that it is over only soon after.
func TestTroubleIsToldAfterATalk(t *testing.T) {
	out := play(t, voicetest.Script{
		Lang: "en",
		Steps: []voicetest.Step{
			network(1000, true),
			voicetest.Wakes(ms(60000), "en"),
			voicetest.Says(ms(61500), "what time is it", "en", 500*time.Millisecond),
			voicetest.Wakes(ms(75000), "en"),
			voicetest.Says(ms(76500), "what time is it", "en", 500*time.Millisecond),
			network(90000, false),
			network(100000, true), // flaps: not again
			network(110000, false),
		},
		Answers: []voicetest.Answer{{Says: "It is seven.", Next: voice.End}, {Says: "It is seven.", Next: voice.End}},
		Until:   120 * seconds,
	})
	has(t, out, "(the network goes)", "60.007  USER", "says     It is seven.", "says     There is no network.", "75.007", "says     It is seven.", "(the network comes)", "says     The network is back.")
	for _, p := range []string{"There is no network.", "The network is back."} {
		if n := strings.Count(out, p); n != 1 {
			t.Errorf("%q was said %d times:\n%s", p, n, out)
		}
	}
}

// V8: a reply that has told it is enough.
func TestTroubleToldByTheReply(t *testing.T) {
	failed := &voice.TurnError{Code: "llm_unreachable", Text: phrases.LLMDown.EN}
	out := play(t, voicetest.Script{
		Lang: "en",
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "what time is it", "en", 500*time.Millisecond),
			network(4000, true), // found out by that request
			network(60000, false),
		},
		Answers: []voicetest.Answer{{Says: phrases.LLMDown.EN, Next: voice.End, Failed: failed}},
		Until:   70 * seconds,
	})
	has(t, out, "says     I can't reach my language model.", "(the network comes)", "says     The network is back.")
	if strings.Contains(out, "There is no network.") {
		t.Errorf("told twice:\n%s", out)
	}
}

// V8: a voice that was lost is tried again by itself, and what it tries to say is
// no news until it was heard: it stands nowhere as if it had been spoken.
func TestTrialIsToldWhenHeard(t *testing.T) {
	out := play(t, voicetest.Script{
		Lang: "en",
		Steps: []voicetest.Step{
			voicetest.Wakes(ms(1000), "en"),
			voicetest.Says(ms(2500), "what time is it", "en", 500*time.Millisecond),
			voicetest.Does(ms(3000), "(the loudspeaker is gone)", func(st *voicetest.Stage) { st.Speaker.Unplug() }),
			voicetest.Does(ms(50000), "(it is back)", func(st *voicetest.Stage) { st.Speaker.Plug() }),
		},
		Answers: []voicetest.Answer{{Says: "It is seven.", Next: voice.End}},
		Until:   200 * seconds,
	})
	has(t, out, "(the loudspeaker is gone)", "fault    voice", "(it is back)", "says     "+phrases.VoiceBack.EN, "healed   voice")
	if n := strings.Count(out, phrases.VoiceBack.EN); n != 1 {
		t.Errorf("it was told %d times:\n%s", n, out)
	}
	if before, _, _ := strings.Cut(out, "(it is back)"); strings.Count(before, "state    speaking") < 2 {
		t.Errorf("it was not tried meanwhile:\n%s", out)
	}
}
