package contextmode

import (
	"strconv"
	"strings"
	"time"
)

// Reason is the rule that decided. Its text is stable: logs, records and the
// header carry it (C4).
type Reason string

// The rules in their order (C3).
const (
	ByExplicit  Reason = "explicit"   // the user said so
	ByRequest   Reason = "request"    // a field of the request
	ByConfig    Reason = "config"     // [context] profile
	ByFirstTurn Reason = "first_turn" // of the conversation, not of the voice session
	ByLoad      Reason = "load"
	ByTier      Reason = "tier"    // a premium member
	ByMode      Reason = "mode"    // the run mode's context_profile
	ByDefault   Reason = "default" // of the table
)

// Auto is the value of a request field or of [context] profile that decides
// nothing; empty is the same.
const Auto = "auto"

// TierPremium is the member tier that gets the table's premium profile.
const TierPremium = "premium"

// Signals are the raw values a decision is made from, collected wherever they
// arise and judged only by Decide (C2). The zero value is a first turn about
// which nothing is known.
type Signals struct {
	Words   Words  // what ReadWords found in the user's words
	Request string // the request's own field, as it came
	Config  string // [context] profile, as it is in the file
	Mode    string // the active run mode's context_profile, as it is in its file
	Tier    string // the speaker's
	Turns   int    // turns of the conversation before this one
	Load    float64
	Now     time.Time
	Before  State // Decision.After of the turn before
}

// State is what a decision remembers of the ones before it: one value for each
// conversation, kept by the caller. The zero value is a new conversation.
type State struct {
	Explicit Profile // chosen by words until the conversation ends or 恢复默认; "" none
	Loaded   bool    // the load rule is on
	Changed  bool    // the load rule changed at …
	At       time.Time
	Turn     int
	Last     Profile // what the turn before had; "" none
}

// BadValue is an explicit value that is no profile: reported as it came, never
// silently ignored (C3).
type BadValue struct{ Where, Value string }

// Decision is the answer for one turn. Profile is always one of the three.
type Decision struct {
	Profile Profile
	Reason  Reason
	Table   int  // version of the table that decided
	Hint    Hint // for this turn only; no change of view
	Bad     []BadValue
	After   State   // Signals.Before of the next turn
	Signals Signals // as they came, for the log (C4)
}

// Decide is the one entry that decides the profile (C2). It is pure, total and
// quick: no I/O, no clock.
func Decide(t Table, s Signals) Decision {
	d := Decision{Table: t.Version, Hint: s.Words.Hint, Signals: s, After: s.Before}
	d.After.remember(t.Load, s)
	d.Profile, d.Reason = d.choose(t, s)
	if !d.Profile.Valid() { // a table built by hand
		d.Profile = Compact
	}
	d.After.Last = d.Profile
	return d
}

func (d *Decision) choose(t Table, s Signals) (Profile, Reason) {
	request, config, mode := d.explicit("request", s.Request), d.explicit("config", s.Config), d.explicit("mode", s.Mode)
	switch {
	case d.After.Explicit.Valid():
		return d.After.Explicit, ByExplicit
	case request != "":
		return request, ByRequest
	case config != "":
		return config, ByConfig
	case s.Turns <= 0:
		return t.Decide.FirstTurn, ByFirstTurn
	case d.After.Loaded:
		return t.Decide.Loaded, ByLoad
	case s.Tier == TierPremium:
		return t.Decide.Premium, ByTier
	case mode != "":
		return mode, ByMode
	}
	return t.Decide.Default, ByDefault
}

// explicit reads a profile that somebody wrote; "" when it decides nothing. What
// cannot be read is noted.
func (d *Decision) explicit(where, value string) Profile {
	word := Profile(strings.ToLower(strings.TrimSpace(value)))
	switch {
	case word == "" || word == Auto:
		return ""
	case word.Valid():
		return word
	}
	d.Bad = append(d.Bad, BadValue{where, value})
	return ""
}

// remember carries words and load into the state (C3, C21).
func (st *State) remember(rule LoadRule, s Signals) {
	switch {
	case s.Words.Profile.Valid():
		st.Explicit = s.Words.Profile
	case s.Words.Restore || !st.Explicit.Valid():
		st.Explicit = ""
	}
	if st.holds(rule, s) {
		return
	}
	if next := st.Loaded && s.Load >= rule.Leave || s.Load > rule.Enter; next != st.Loaded {
		st.Loaded, st.Changed, st.At, st.Turn = next, true, s.Now, s.Turns
	}
}

// holds reports whether the last load-driven change still stands: for HoldTurns
// turns or Hold, whichever ends first.
func (st *State) holds(rule LoadRule, s Signals) bool {
	return st.Changed && s.Turns-st.Turn < rule.HoldTurns && s.Now.Sub(st.At) < rule.Hold
}

// Reopens reports whether the user asked in this very turn for a profile richer
// than the one before: the one case in which cut-off turns may come back (C20).
func (d Decision) Reopens() bool {
	asked := d.Signals.Words.Profile.Valid() && d.Reason == ByExplicit || d.Reason == ByRequest
	before := d.Signals.Before.Last
	return asked && before.Valid() && d.Profile.Richer(before)
}

// HeaderName is the HTTP header that carries HeaderValue (C4).
const HeaderName = "X-Homebot-Context"

// HeaderValue is the header's value: profile, reason, table and how much was
// trimmed, turns and items together.
func HeaderValue(d Decision, trimmed Trimmed) string {
	return "profile=" + string(d.Profile) + "; reason=" + string(d.Reason) +
		"; table=" + strconv.Itoa(d.Table) + "; trimmed=" + strconv.Itoa(trimmed.Turns+trimmed.Items)
}
