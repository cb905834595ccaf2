package contextmode

import (
	"math"
	"testing"
	"time"
)

// C2, C3: one function decides, in this order; what is explicit stands before
// everything, the mode's profile replaces only the default.
func TestDecide(t *testing.T) {
	table := Default()
	later := func(s Signals) Signals { s.Turns, s.Now = 5, evening; return s }
	for _, tt := range []struct {
		name   string
		s      Signals
		want   Profile
		reason Reason
	}{
		{"nothing known", Signals{}, Full, ByFirstTurn},
		{"first turn under load", Signals{Load: 1, Tier: TierPremium, Mode: "minimal"}, Full, ByFirstTurn},
		{"later", later(Signals{}), Compact, ByDefault},
		{"mode", later(Signals{Mode: "full"}), Full, ByMode},
		{"premium before mode", later(Signals{Mode: "minimal", Tier: TierPremium}), Full, ByTier},
		{"load before premium", later(Signals{Load: 0.86, Tier: TierPremium}), Minimal, ByLoad},
		{"exactly 0.85 is no load", later(Signals{Load: 0.85}), Compact, ByDefault},
		{"config before load", later(Signals{Load: 1, Config: "full"}), Full, ByConfig},
		{"config before first turn", Signals{Config: " Minimal "}, Minimal, ByConfig},
		{"config auto", later(Signals{Config: "auto"}), Compact, ByDefault},
		{"request before config", later(Signals{Request: "COMPACT", Config: "full"}), Compact, ByRequest},
		{"words before request", later(Signals{Words: Words{Profile: Minimal}, Request: "full", Load: 1}), Minimal, ByExplicit},
		{"words on the first turn", Signals{Words: Words{Profile: Minimal}}, Minimal, ByExplicit},
		{"words of an earlier turn", later(Signals{Before: State{Explicit: Full}, Load: 1}), Full, ByExplicit},
		{"back to default", later(Signals{Before: State{Explicit: Full}, Words: Words{Restore: true}}), Compact, ByDefault},
		{"nonsense everywhere", later(Signals{Load: math.NaN(), Tier: "?", Turns: -3, Before: State{Explicit: "?"}}), Compact, ByDefault},
		{"turns below nothing", Signals{Turns: -3}, Full, ByFirstTurn},
	} {
		d := Decide(table, tt.s)
		if d.Profile != tt.want || d.Reason != tt.reason || d.Table != table.Version {
			t.Errorf("%s: %s because of %s", tt.name, d.Profile, d.Reason)
		}
		if len(d.Bad) > 0 {
			t.Errorf("%s: reports %v", tt.name, d.Bad)
		}
	}
}

// C2: it never answers with nothing, whatever the table and the signals.
func TestDecideIsTotal(t *testing.T) {
	for _, table := range []Table{{}, Default(), {Decide: Rungs{"a", "b", "c", "d"}}} {
		for _, s := range []Signals{{}, {Turns: 9}, {Turns: 9, Load: 2}, {Turns: 9, Tier: TierPremium}, {Words: Words{Profile: "x"}}} {
			if d := Decide(table, s); !d.Profile.Valid() || d.Reason == "" {
				t.Errorf("%+v gave %+v", s, d)
			}
		}
	}
}

// C3: a wrong explicit value decides nothing, and is reported as it came.
func TestBadExplicitValue(t *testing.T) {
	d := Decide(Default(), Signals{Turns: 3, Request: "Ful", Config: "深度", Mode: "tiny"})
	if d.Profile != Compact || d.Reason != ByDefault {
		t.Errorf("%s, %s", d.Profile, d.Reason)
	}
	want := []BadValue{{"request", "Ful"}, {"config", "深度"}, {"mode", "tiny"}}
	if len(d.Bad) != 3 || d.Bad[0] != want[0] || d.Bad[1] != want[1] || d.Bad[2] != want[2] {
		t.Errorf("reports %v", d.Bad)
	}
}

// C3: spoken words hold until the conversation ends or 恢复默认; a hint is for its
// turn only.
func TestSpokenProfileStays(t *testing.T) {
	var state State
	say := func(turn int, words string, load float64) Decision {
		d := Decide(Default(), Signals{Words: ReadWords(words), Turns: turn, Load: load, Now: evening.Add(time.Duration(turn) * time.Minute), Before: state})
		state = d.After
		return d
	}
	for i, tt := range []struct {
		words  string
		want   Profile
		reason Reason
		hint   Hint
	}{
		{"你好", Full, ByFirstTurn, NoHint}, {"切到快速应答", Minimal, ByExplicit, NoHint}, {"下一步，说详细点", Minimal, ByExplicit, Detailed},
		{"下一步", Minimal, ByExplicit, NoHint}, {"恢复默认", Compact, ByDefault, NoHint}, {"下一步", Compact, ByDefault, NoHint},
		{"please use deep analysis", Full, ByExplicit, NoHint}, {"用标准对话吧", Compact, ByExplicit, NoHint},
	} {
		d := say(i, tt.words, 0)
		if d.Profile != tt.want || d.Reason != tt.reason || d.Hint != tt.hint {
			t.Errorf("%d %s: %s, %s, %q", i, tt.words, d.Profile, d.Reason, d.Hint)
		}
	}
	if Decide(Default(), Signals{Turns: 1}).Profile != Compact {
		t.Error("a new conversation remembers")
	}
}

// C20: only an explicit request of this turn for a richer profile may bring turns
// back.
func TestReopens(t *testing.T) {
	for _, tt := range []struct {
		s    Signals
		want bool
	}{
		{Signals{Words: Words{Profile: Full}, Before: State{Last: Minimal}}, true},
		{Signals{Request: "full", Before: State{Last: Compact}, Turns: 3}, true},
		{Signals{Words: Words{Profile: Minimal}, Before: State{Last: Full}}, false},
		{Signals{Before: State{Last: Minimal, Explicit: Full}, Turns: 3}, false},
		{Signals{Before: State{Last: Minimal}, Turns: 3}, false},
		{Signals{Before: State{Last: Minimal}, Turns: 3, Tier: TierPremium}, false},
		{Signals{Words: Words{Profile: Full}}, false},
	} {
		if d := Decide(Default(), tt.s); d.Reopens() != tt.want {
			t.Errorf("%+v: %v", tt.s, d.Reopens())
		}
	}
}

// C21: the load enters above 0.85 and leaves below 0.60; a change it made holds
// for 10 turns or 3 minutes, whichever ends first.
func TestLoadHysteresis(t *testing.T) {
	type step struct {
		turn    int
		seconds int
		load    float64
		want    Profile
	}
	for name, steps := range map[string][]step{
		"between the marks nothing changes": {{1, 0, 0.8, Compact}, {2, 10, 0.9, Minimal}, {3, 500, 0.7, Minimal}, {4, 510, 0.59, Compact}, {5, 900, 0.84, Compact}},
		"three minutes end it":              {{1, 0, 0.9, Minimal}, {2, 60, 0.1, Minimal}, {3, 179, 0.1, Minimal}, {4, 180, 0.1, Compact}},
		"ten turns end it":                  {{1, 0, 0.9, Minimal}, {5, 20, 0.1, Minimal}, {10, 40, 0.1, Minimal}, {11, 44, 0.1, Compact}},
		"leaving holds too":                 {{1, 0, 0.9, Minimal}, {2, 200, 0.1, Compact}, {3, 210, 0.99, Compact}, {4, 380, 0.99, Minimal}},
		"a clock that went back":            {{1, 1000, 0.9, Minimal}, {2, 0, 0.1, Minimal}, {11, 60, 0.1, Compact}},
	} {
		var state State
		for i, s := range steps {
			d := Decide(Default(), Signals{Turns: s.turn, Load: s.load, Now: evening.Add(time.Duration(s.seconds) * time.Second), Before: state})
			if d.Profile != s.want {
				t.Errorf("%s: step %d is %s", name, i, d.Profile)
			}
			state = d.After
		}
	}
	// Flapping at every turn for an hour: at most one change in ten turns.
	var state State
	changes := 0
	for turn := 1; turn <= 300; turn++ {
		d := Decide(Default(), Signals{Turns: turn, Load: float64(turn % 2), Now: evening.Add(time.Duration(turn) * 12 * time.Second), Before: state})
		if turn > 1 && d.Profile != state.Last {
			changes++
		}
		state = d.After
	}
	if changes > 31 {
		t.Errorf("%d changes in 300 turns", changes)
	}
}

// C4: the header's value.
func TestHeaderValue(t *testing.T) {
	d := Decision{Profile: Compact, Reason: ByDefault, Table: 3}
	if got := HeaderName + ": " + HeaderValue(d, Trimmed{Turns: 10, Items: 2, Summarised: 10}); got != "X-Homebot-Context: profile=compact; reason=default; table=3; trimmed=12" {
		t.Error(got)
	}
	// C4: the decision carries its raw signals.
	if d := Decide(Default(), Signals{Request: "?", Load: 0.3, Turns: 2}); d.Signals.Request != "?" || d.Signals.Load != 0.3 {
		t.Errorf("%+v", d.Signals)
	}
}

// C13: a 60 s mean of max(CPU, throttling, wait/3 s), over samples in any order.
func TestLoad(t *testing.T) {
	at := func(ago time.Duration) time.Time { return evening.Add(-ago) }
	for _, tt := range []struct {
		name    string
		samples []Sample
		want    float64
	}{
		{"none", nil, 0},
		{"mean", []Sample{{At: at(10 * time.Second), CPU: 0.2}, {At: at(0), CPU: 0.6}}, 0.4},
		{"the largest of the three", []Sample{{At: at(1), CPU: 0.2, Throttle: 0.5, Wait: 2700 * time.Millisecond}}, 0.9},
		{"too old, and of the future", []Sample{{At: at(time.Minute), CPU: 1}, {At: at(-1), CPU: 1}, {At: at(30 * time.Second), CPU: 0.1}}, 0.1},
		{"broken", []Sample{{At: at(1), CPU: math.NaN(), Throttle: -4}, {At: at(1), Wait: time.Hour}}, 0.5},
	} {
		if got := Load(tt.samples, evening); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// C13: base × clamp(1.25 − 0.75·load, 0.5, 1.25), × 0.75 while a timer rings; C6,
// C8: a small model's window bounds it.
func TestBudgetAt(t *testing.T) {
	table := Default()
	for _, tt := range []struct {
		load          float64
		urgent        bool
		window, fixed int
		want          int
	}{
		{0, false, 0, 0, 10000}, {1, false, 0, 0, 4000}, {0.5, false, 0, 0, 7000}, {9, false, 0, 0, 4000}, {-1, false, 0, 0, 10000},
		{0, true, 0, 0, 7500}, {1, true, 0, 0, 3000}, {0, false, 4096, 1000, 3096}, {0, false, 1_000_000, 1000, 10000},
		{0, false, 1000, 2000, minBudget}, {math.NaN(), false, 0, 0, 10000},
	} {
		if got := table.BudgetAt(Compact, tt.load, tt.urgent, tt.window, tt.fixed); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}
