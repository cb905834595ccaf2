package led

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// Signal is one thing that the state light shows: a name (a dialogue state or
// the code of a fault), a pattern that repeats, and what it means.
type Signal struct {
	Name  string
	Steps []Step
	Means phrases.Phrase
}

// Step is one part of a pattern. Zero For is for ever: a steady light.
type Step struct {
	On  bool
	For time.Duration
}

// Names of signals that are no dialogue state.
const (
	alarm = string(event.Ringing)
	other = "fault" // of a code that has no pattern of its own
)

// A short and a long flash, the dark between two, and the dark after the last.
// Patterns of faults are counted: three short ones at most in a row can be told
// apart at a glance, and a long one is three times a short one.
const (
	short = 250 * time.Millisecond
	long  = 3 * short
	gap   = 250 * time.Millisecond
	pause = 1500 * time.Millisecond
)

// signals is the whole table, the first that applies wins: what somebody is doing
// with the device now, then why it does not hear, then what else is wrong, then
// that all is well. docs/LIGHT.md and `homebot doctor --light-codes` come from it.
var signals = []Signal{
	{alarm, even(100 * time.Millisecond), phrases.LightRinging},
	{string(event.Listening), []Step{{On: true}}, phrases.LightListening},
	{string(event.Thinking), even(300 * time.Millisecond), phrases.LightThinking},
	{string(event.Speaking), []Step{{true, 900 * time.Millisecond}, {false, 100 * time.Millisecond}}, phrases.LightSpeaking},
	{string(event.Muted), []Step{{true, 2700 * time.Millisecond}, {false, 300 * time.Millisecond}}, phrases.LightMuted},
	{event.FaultMicrophone, flashes(short, short), phrases.LightMicrophone},
	{event.FaultEars, flashes(short, short, short), phrases.LightEars},
	{event.FaultUpdate, even(time.Second), phrases.LightUpdate},
	{event.FaultConfig, flashes(long, short), phrases.LightConfig},
	{event.FaultVoice, flashes(short, long), phrases.LightVoice},
	{event.FaultDisk, flashes(long, short, short), phrases.LightDisk},
	{event.FaultNetwork, flashes(long, long), phrases.LightNetwork},
	{event.FaultLLM, flashes(long, long, long), phrases.LightLLM},
	{event.FaultClock, flashes(long, short, short, short), phrases.LightClock},
	{event.FaultRemoteEars, flashes(short, short, long), phrases.LightRemoteEars},
	{other, flashes(short), phrases.LightFault},
	{string(event.Idle), []Step{{true, 40 * time.Millisecond}, {false, 9960 * time.Millisecond}}, phrases.LightIdle},
}

// Signals is a copy of the table, in the order of precedence.
func Signals() []Signal { return slices.Clone(signals) }

func even(d time.Duration) []Step { return []Step{{true, d}, {false, d}} }

func flashes(on ...time.Duration) (all []Step) {
	for _, d := range on {
		all = append(all, Step{true, d}, Step{false, gap})
	}
	all[len(all)-1].For = pause
	return all
}

// signalOf is what the state light shows of s.
func signalOf(s event.State) Signal {
	for _, sig := range signals {
		if applies(sig.Name, s) {
			return sig
		}
	}
	return signals[len(signals)-1]
}

func applies(name string, s event.State) bool {
	switch name {
	case string(event.Idle):
		return true
	case other:
		return len(s.Faults) > 0
	case string(event.Muted):
		return s.Muted || s.Dialogue == event.Muted
	case string(s.Dialogue):
		return true
	}
	return slices.ContainsFunc(s.Faults, func(f event.Fault) bool { return f.Code == name })
}

// Pattern is the steps in words of lang: milliseconds lit, then dark, and so on.
func (s Signal) Pattern(lang string) string {
	if s.Steps[0].For == 0 {
		return phrases.ModesLightOn.In(lang)
	}
	var all []string
	for _, step := range s.Steps {
		all = append(all, strconv.FormatInt(step.For.Milliseconds(), 10))
	}
	return strings.Join(all, "-")
}
