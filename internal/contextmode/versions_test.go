package contextmode

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// C15: the canary gets its share of the sessions, each session always the same
// version; rolling back is another Rollout and nothing else.
func TestPick(t *testing.T) {
	r := Rollout{Current: 3, Canary: 4, Share: 0.2}
	n, kept := 0, true
	for i := range 5000 {
		session := fmt.Sprintf("cook-20261022-%06d-a1b2c3", i)
		v := r.Pick(session)
		if v == 4 {
			n++
		}
		more := r
		more.Share = 0.5
		kept = kept && (v != 4 || more.Pick(session) == 4)
		if v != r.Pick(session) || (Rollout{Current: 3, Share: 1}).Pick(session) != 3 {
			t.Fatal("a session changes its version")
		}
	}
	if n < 900 || n > 1100 {
		t.Errorf("%d of 5000 sessions at 0.2", n)
	}
	if !kept {
		t.Error("a larger share lost sessions")
	}
	for share, want := range map[float64]int{0: 3, 1: 4, 7: 4, -1: 3, math.NaN(): 3} {
		if got := (Rollout{Current: 3, Canary: 4, Share: share}).Pick("x"); got != want {
			t.Errorf("share %v: %d", share, got)
		}
	}
}

func stat(session string, second int, p Profile, reason Reason) TurnStat {
	return TurnStat{Session: session, At: evening.Add(time.Duration(second) * time.Second), Table: 3, Profile: p, Reason: reason}
}

// C16: more than 6 changes in 10 minutes of one conversation are an alarm; the
// first turn's rule does not count.
func TestSwitchRate(t *testing.T) {
	flap := func(changes, every int) []TurnStat {
		turns := []TurnStat{stat("s", 0, Full, ByFirstTurn)}
		for i := range changes + 1 {
			turns = append(turns, stat("s", 10+i*every, []Profile{Compact, Minimal}[i%2], ByLoad))
		}
		return turns
	}
	for _, tt := range []struct {
		changes, every, want int
		alarm                bool
	}{{6, 30, 6, false}, {7, 30, 7, true}, {7, 100, 6, false}, {20, 30, 20, true}, {20, 120, 5, false}, {0, 1, 0, false}} {
		turns := flap(tt.changes, tt.every)
		if got := Switches(turns); got != tt.want || Flapping(turns) != tt.alarm {
			t.Errorf("%d changes every %d s: %d, %v", tt.changes, tt.every, got, Flapping(turns))
		}
	}
	if Switches(nil) != 0 || Flapping([]TurnStat{stat("s", 0, Full, ByFirstTurn)}) {
		t.Error("nothing flaps")
	}
	// It fired, though it no longer does.
	turns := append(flap(9, 10), stat("s", 5000, Compact, ByDefault))
	if Flapping(turns) || !Flaps(turns) {
		t.Error("what was is forgotten, or lasts")
	}
}

// C15: versions are compared by quality, latency, cost, switch rate and direction;
// a canary on which C16 fires goes.
func TestCompare(t *testing.T) {
	say := func(session string, second int, table int, words string) TurnStat {
		s := stat(session, second, Compact, ByDefault)
		s.Table, s.Words, s.Prompt, s.Cached, s.Latency = table, WordsKey(words), 1000, 900, time.Duration(second)*time.Millisecond
		return s
	}
	turns := []TurnStat{say("a", 0, 3, "盐呢？"), say("a", 59, 3, "盐 呢"), say("a", 130, 3, "盐呢"), say("b", 131, 3, "盐呢"), say("b", 140, 3, "")}
	turns[1].Corrected, turns[2].Interrupted, turns[2].Fallbacks, turns[3].Cuts, turns[4].Breaks = true, true, 2, 1, 1
	turns[2].Profile = Minimal
	for i := range 9 {
		s := say("c", 200+i, 4, fmt.Sprint(i))
		s.Profile = []Profile{Full, Minimal}[i%2]
		turns = append(turns, s)
	}
	got := Compare(turns)
	if len(got) != 2 {
		t.Fatalf("%d versions", len(got))
	}
	want := VersionStats{
		Table: 3, Sessions: 2, Turns: 5, Repeated: 0.2, Corrected: 0.2, Interrupted: 0.2, Fallbacks: 2, LatencyP50: 130 * time.Millisecond, LatencyP95: 140 * time.Millisecond,
		Billed: 190, Cached: 0.9, Cuts: 1, Breaks: 1, Down: 1, SwitchRate: 0.2,
	}
	if got[0] != want {
		t.Errorf("got  %+v\nwant %+v", got[0], want)
	}
	if c := got[1]; c.Table != 4 || c.Up != 4 || c.Down != 4 || c.Alarms != 1 {
		t.Errorf("%+v", c)
	}
	if !(Rollout{Current: 3, Canary: 4}).RollBack(got) || (Rollout{Current: 4, Canary: 3}).RollBack(got) || (Rollout{Current: 4}).RollBack(got) {
		t.Error("the canary that flaps stays, or the wrong one goes")
	}
	if len(Compare(nil)) != 0 {
		t.Error("nothing has versions")
	}
}
