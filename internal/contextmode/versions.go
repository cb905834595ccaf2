package contextmode

import (
	"cmp"
	"hash/fnv"
	"slices"
	"time"
)

// Rollout is which table versions are in force: one for everybody, and perhaps
// another one for a share of the sessions (C15).
type Rollout struct {
	Current int
	Canary  int     // 0: none
	Share   float64 // of sessions that get the canary, 0…1
}

// Pick is the version for a session, by a hash of its id: the same for the whole
// session and on any machine. A share that grows keeps the sessions it had.
func (r Rollout) Pick(session string) int {
	if r.Canary == 0 || bucket(session) >= share(finite(r.Share)) {
		return r.Current
	}
	return r.Canary
}

// bucket spreads sessions over 0 … 1.
func bucket(session string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(session))
	x := h.Sum64()
	x ^= x >> 33 // FNV leaves the low bits of similar ids similar
	x *= 0xFF51AFD7ED558CCD
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

// TurnStat is what is counted about one turn.
type TurnStat struct {
	Session string // conversation id
	At      time.Time
	Table   int
	Profile Profile
	Reason  Reason
	Words   uint64 // WordsKey of what the user said

	Corrected, Interrupted bool
	Fallbacks              int           // summaries that were refused
	Latency                time.Duration // until the first word
	Prompt, Cached         int           // tokens
	Completion             int
	Cuts, Breaks           int // cut records made; prefix breaks
	Trimmed                int
}

// WordsKey is a hash of what the user said, alike for words that differ only in
// case, punctuation and space; 0 for no words.
func WordsKey(words string) uint64 {
	folded := foldWords(words)
	if folded == "" {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(folded))
	return h.Sum64()
}

// repeatWithin is the span within which the same words again mean that the answer
// did not help (C15).
const repeatWithin = 60 * time.Second

// VersionStats compares one table version with another (C15). Shares are of its
// turns.
type VersionStats struct {
	Table, Sessions, Turns           int
	Repeated, Corrected, Interrupted float64
	Fallbacks                        int
	LatencyP50, LatencyP95           time.Duration
	Billed                           float64 // prompt tokens a turn, cached ones at a tenth
	Cached                           float64 // share of the prompt tokens
	Cuts, Breaks                     int
	Up, Down                         int     // changes to a richer, to a lighter profile
	SwitchRate                       float64 // changes a turn
	Alarms                           int     // sessions in which C16 fired
}

// cachedPrice is what a cached token costs (context-engine.md: 0.1 of a fresh one).
const cachedPrice = 0.1

// Compare folds turns, in the order they happened, into one line a table version,
// lowest version first.
func Compare(turns []TurnStat) []VersionStats {
	var all []*tally
	byTable := map[int]*tally{}
	last := map[string]TurnStat{}
	said := map[wordsOf]time.Time{}
	for _, t := range turns {
		v := byTable[t.Table]
		if v == nil {
			v = &tally{VersionStats: VersionStats{Table: t.Table}, sessions: map[string][]TurnStat{}}
			byTable[t.Table], all = v, append(all, v)
		}
		key := wordsOf{t.Session, t.Words}
		at, before := said[key]
		v.add(t, last[t.Session], before && t.Words != 0 && t.At.Sub(at) <= repeatWithin)
		last[t.Session], said[key] = t, t.At
	}
	slices.SortFunc(all, func(a, b *tally) int { return cmp.Compare(a.Table, b.Table) })
	stats := make([]VersionStats, len(all))
	for i, v := range all {
		stats[i] = v.result()
	}
	return stats
}

type wordsOf struct {
	session string
	words   uint64
}

// tally is a VersionStats while it is counted: shares are sums.
type tally struct {
	VersionStats
	sessions       map[string][]TurnStat
	latencies      []time.Duration
	prompt, cached int
}

func (v *tally) add(t, before TurnStat, repeated bool) {
	v.Turns++
	v.sessions[t.Session] = append(v.sessions[t.Session], t)
	v.Repeated += count(repeated)
	v.Corrected += count(t.Corrected)
	v.Interrupted += count(t.Interrupted)
	v.Fallbacks += t.Fallbacks
	v.Cuts += t.Cuts
	v.Breaks += t.Breaks
	v.latencies = append(v.latencies, t.Latency)
	v.prompt += t.Prompt
	v.cached += t.Cached
	if changed(before, t) {
		v.SwitchRate++
		if t.Profile.Richer(before.Profile) {
			v.Up++
		} else {
			v.Down++
		}
	}
}

func count(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (v *tally) result() VersionStats {
	turns := float64(v.Turns)
	v.Repeated, v.Corrected, v.Interrupted, v.SwitchRate = v.Repeated/turns, v.Corrected/turns, v.Interrupted/turns, v.SwitchRate/turns
	v.Sessions = len(v.sessions)
	for _, s := range v.sessions {
		if Flaps(s) {
			v.Alarms++
		}
	}
	slices.Sort(v.latencies)
	v.LatencyP50, v.LatencyP95 = v.latencies[len(v.latencies)/2], v.latencies[min(len(v.latencies)*95/100, len(v.latencies)-1)]
	v.Billed = (float64(v.prompt-v.cached) + cachedPrice*float64(v.cached)) / turns
	if v.prompt > 0 {
		v.Cached = float64(v.cached) / float64(v.prompt)
	}
	return v.VersionStats
}

// changed reports whether the profile changed between two turns of a
// conversation. The first turn's rule does not count, neither into nor out of it
// (C16).
func changed(before, now TurnStat) bool {
	return before.Profile != "" && before.Profile != now.Profile && before.Reason != ByFirstTurn && now.Reason != ByFirstTurn
}

// C16: more changes than this within this span are an alarm.
const (
	maxSwitches  = 6
	switchWindow = 10 * time.Minute
)

// Switches counts the changes of profile within the 10 minutes that end with the
// last of the turns of one conversation, oldest first.
func Switches(turns []TurnStat) int {
	n := 0
	for i := len(turns) - 1; i > 0 && turns[len(turns)-1].At.Sub(turns[i].At) < switchWindow; i-- {
		if changed(turns[i-1], turns[i]) {
			n++
		}
	}
	return n
}

// Flapping reports whether the switch-rate alarm holds after the last of turns
// (C16).
func Flapping(turns []TurnStat) bool { return Switches(turns) > maxSwitches }

// Flaps reports whether the alarm held after any of the turns.
func Flaps(turns []TurnStat) bool {
	for i := range turns {
		if Flapping(turns[:i+1]) {
			return true
		}
	}
	return false
}

// RollBack reports whether the canary must go at once: C16 fired in one of its
// sessions.
func (r Rollout) RollBack(stats []VersionStats) bool {
	return r.Canary != 0 && slices.ContainsFunc(stats, func(v VersionStats) bool { return v.Table == r.Canary && v.Alarms > 0 })
}

// PromptMean is the prompt's tokens a turn, cached ones counted whole.
func (v VersionStats) PromptMean() float64 {
	return v.Billed / (1 - (1-cachedPrice)*v.Cached)
}
