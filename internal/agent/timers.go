package agent

import (
	"encoding/json"
	"strings"
	"time"

	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// Timers is what an Agent asks of the timers beside their tools (timers.Desk).
type Timers interface {
	// Status says in one sentence what is set.
	Status(lang string) string
	// News is what nobody heard; told is called when it was said.
	News(lang string) (sentence string, told func() error)
	// Rings reports whether something rings; Silence ends it.
	Rings() bool
	Silence() (stopped bool, err error)
}

// timerTools are the tools that speak of timers; those that change something
// are true.
var timerTools = map[string]bool{"set_timer": true, "change_timer": true, "cancel_timer": true, "list_timers": false}

// timerTurn is what one turn has to do with timers.
type timerTurn struct {
	phrase    text.TimerPhrase
	asked     bool     // the words are about timers
	called    bool     // a timer tool was called
	corrected bool     // the reply was replaced
	changed   string   // what those that changed something confirmed; "" for none
	confirmed []string // what the tools said, each
	told      func() error
	allowed   []time.Duration // lengths that a tool or the user named
	allowedT  []time.Time
}

// readTimers looks whether the words are about timers. They are cleaned for
// that; the gate and the record have them as they came (R7).
func (t *turn) readTimers() {
	words := text.Heard(t.Text, t.Lang, text.Signals{Wake: t.cfg.Wake})
	p, asked := text.ParseTimer(words, t.Heard)
	t.timers.allowed = text.Spans(words)
	t.timers.allowedT = text.Moments(words, t.Heard)
	timed := len(t.timers.allowed)+len(t.timers.allowedT) > 0
	if all, _ := text.ParseTimers(words, t.Heard); len(all) > 1 {
		t.timers.allowed, t.timers.allowedT = nil, nil // of several only those that were set
	}
	if timed && asksToBeTold(words) {
		if !asked || p.Action == text.TimerAdd && !p.Named { // give me a shout
			p, asked = text.TimerPhrase{Action: text.TimerSet}, true
		}
		p.Sure = true
	}
	t.timers.phrase, t.timers.asked = p, asked
}

// silences ends a ring when the words ask for just that: no model is needed, and
// none is waited for.
func (t *turn) silences() bool {
	if t.cfg.Timers == nil || !text.IsStop(text.Heard(t.Text, t.Lang, text.Signals{Wake: t.cfg.Wake})) || !t.cfg.Timers.Rings() {
		return false
	}
	p := phrases.TimerStopped
	if _, err := t.cfg.Timers.Silence(); err != nil {
		t.cfg.Logger.Error("the ring was not ended", "err", err)
		p = phrases.TimerNotSaved
	}
	t.say(p.In(t.Lang))
	return true
}

// timerNews is what nobody heard, said once on whatever channel comes first.
func (t *turn) timerNews() string {
	if t.cfg.Timers == nil {
		return ""
	}
	var s string
	s, t.timers.told = t.cfg.Timers.News(t.Lang)
	return s
}

// newsTold is called when the turn is on disk.
func (t *turn) newsTold() {
	if t.timers.told == nil {
		return
	}
	if err := t.timers.told(); err != nil {
		t.cfg.Logger.Error("missed timers will be told again", "err", err)
	}
}

// noteTimer keeps what a timer tool confirmed.
func (t *turn) noteTimer(c llm.ToolCall, out string) {
	changes, is := timerTools[c.Name]
	if !is || t.cfg.Timers == nil {
		return
	}
	var r struct {
		OK     bool   `json:"ok"`
		Say    string `json:"say"`
		Timers []struct {
			Left    int64     `json:"seconds_left"`
			RingsAt time.Time `json:"rings_at"`
		} `json:"timers"`
	}
	if json.Unmarshal([]byte(out), &r) != nil {
		return
	}
	t.timers.called = true
	t.timers.confirmed = append(t.timers.confirmed, r.Say)
	t.timers.allowed = append(t.timers.allowed, text.Spans(r.Say)...)
	t.timers.allowedT = append(t.timers.allowedT, text.Moments(r.Say, t.Heard)...)
	for _, row := range r.Timers {
		t.timers.allowed = append(t.timers.allowed, time.Duration(row.Left)*time.Second)
		t.timers.allowedT = append(t.timers.allowedT, row.RingsAt.In(t.Heard.Location()))
	}
	if r.OK && changes {
		t.timers.changed = strings.TrimSpace(t.timers.changed + " " + r.Say)
		t.note = t.timers.changed
	}
}

// spoken is the model's own part of the reply that was not checked before it was
// said.
func (t *turn) spoken() string {
	if t.timers.corrected {
		return ""
	}
	return t.said.String()
}

// holdsTimers: what is said about timers waits until it can be checked.
func (t *turn) holdsTimers() bool {
	return t.timers.asked && (t.timers.phrase.Sure || t.timers.phrase.Action != text.TimerSet) || t.timers.called
}

// orders: the words ask for a change of the timers, which can be done as it was
// said.
func (t *turn) orders() bool {
	p := t.timers.phrase
	return t.timers.asked && p.Sure && p.Action != text.TimerQuery && p.Action != text.TimerStop && p.Fault == ""
}

// checkTimers returns the sentence that is true instead of reply, "" when reply
// claims nothing that no tool confirmed (V9).
func (t *turn) checkTimers(reply string) string {
	switch {
	case strings.TrimSpace(reply) == "":
		return ""
	case t.cfg.Timers == nil:
		return t.checkNoTimers(reply)
	}
	return text.Unmarked(t.checkClaims(reply))
}

// checkNoTimers is checkTimers where timers do not work, so every claim is false.
func (t *turn) checkNoTimers(reply string) string {
	p := t.timers.phrase
	guessed := t.timers.asked && p.Action == text.TimerQuery && p.Named && len(text.Spans(reply)) > 0
	ignored := t.orders() && !text.EndsWithQuestion(reply) && !deniesTimer(reply)
	if t.claimsTimer(t.unconfirmed(reply), false) || guessed || ignored {
		return phrases.TimersDown.In(t.Lang)
	}
	return ""
}

func (t *turn) checkClaims(reply string) string {
	p := t.timers.phrase
	listed := t.timers.asked && p.Action == text.TimerQuery && t.timers.called && t.agrees(reply)
	switch {
	case t.timers.changed != "":
		if !t.agrees(reply) {
			return phrases.TimerExactly.In(t.Lang, t.timers.changed)
		}
	case t.claimsTimer(t.unconfirmed(reply), listed), t.orders() && !t.timers.called && !text.EndsWithQuestion(reply):
		if t.timers.asked && p.Action != text.TimerSet {
			return phrases.TimerReally.In(t.Lang, t.cfg.Timers.Status(t.Lang))
		}
		return phrases.TimerNotSet.In(t.Lang, t.cfg.Timers.Status(t.Lang))
	case t.timers.asked && p.Action == text.TimerQuery && p.Named && !t.timers.called && len(text.Spans(reply)) > 0:
		return t.cfg.Timers.Status(t.Lang)
	}
	return ""
}

// unconfirmed is reply without the sentences that the tools gave, which are true,
// and without those that say why nothing was done.
func (t *turn) unconfirmed(reply string) string {
	known := t.timers.confirmed
	if why, ok := phrases.TimerFault(string(t.timers.phrase.Fault), t.timers.phrase.Label, t.Lang); ok {
		known = append(known[:len(known):len(known)], why)
	}
	for _, s := range known {
		if s != "" {
			reply = strings.ReplaceAll(reply, s, "")
		}
	}
	return reply
}

// agrees: every length and time of day in reply is one that the user or a tool
// named. What is left may be rounded.
func (t *turn) agrees(reply string) bool {
	for _, d := range text.Spans(reply) {
		if !containsAbout(t.timers.allowed, d) {
			return false
		}
	}
	for _, at := range text.Moments(reply, t.Heard) {
		if !containsClock(t.timers.allowedT, at) {
			return false
		}
	}
	return true
}

func containsAbout(all []time.Duration, d time.Duration) bool {
	for _, a := range all {
		if gap := (a - d).Abs(); gap <= 5*time.Second || gap <= min(a, time.Hour)/20 {
			return true
		}
	}
	return false
}

func containsClock(all []time.Time, at time.Time) bool {
	for _, a := range all {
		if a.Hour()%12 == at.Hour()%12 && (a.Minute()-at.Minute())*(a.Minute()-at.Minute()) <= 1 {
			return true
		}
	}
	return false
}
