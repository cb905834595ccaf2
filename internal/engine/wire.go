package engine

import (
	"encoding/json"
	"time"

	"homebot/internal/event"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/skills/timers"
	"homebot/voice"
)

// Operations of a Request.
const (
	opTurn   = "turn"   // answered by any number of delta, then one outcome
	opStatus = "status" // answered by one state
	opExit   = "exit"   // answered by one ended
	opWatch  = "watch"  // answered by one state, then events until the client goes
	opTimers = "timers" // answered by one timers
)

// request is one line from a client. A connection carries one request at a time.
type request struct {
	Op     string          `json:"op"`
	Turn   *Turn           `json:"turn,omitempty"`
	Timers *timers.Command `json:"timers,omitempty"`

	Inspect *inspection `json:"inspect,omitempty"`

	Control *Control `json:"control,omitempty"`
}

// Turn is a user message of a client.
type Turn struct {
	ID      string `json:"id,omitempty"` // 16 hex digits; a repeat after a lost answer is not done twice
	Channel string `json:"channel"`
	ChatID  string `json:"chat_id,omitempty"`
	Speaker string `json:"speaker_id,omitempty"`
	Text    string `json:"text"`
	Lang    string `json:"lang,omitempty"`
	Profile string `json:"profile,omitempty"` // context profile asked for (C3)
}

// response is one line to a client; exactly one field is set.
type response struct {
	Delta   string       `json:"delta,omitempty"`
	Outcome *Outcome     `json:"outcome,omitempty"`
	State   *event.State `json:"state,omitempty"`
	Event   *event.Event `json:"event,omitempty"`
	Ended   *ended       `json:"ended,omitempty"`

	Timers *timers.Result `json:"timers,omitempty"`

	Report json.RawMessage `json:"report,omitempty"`

	Error   string `json:"error,omitempty"`    // in English
	ErrorZH string `json:"error_zh,omitempty"` // the same in Chinese, where it is known
}

// failed is the response that err is, in both languages.
func failed(err error) response {
	r := response{Error: err.Error(), ErrorZH: phrases.Told(err, phrases.Chinese)}
	if r.ErrorZH == r.Error {
		r.ErrorZH = ""
	}
	return r
}

// failure is the error that an engine reported.
type failure struct{ en, zh string }

// Error is In English.
func (f *failure) Error() string { return f.en }

// In is the error in lang.
func (f *failure) In(lang string) string {
	if lang == phrases.Chinese && f.zh != "" {
		return f.zh
	}
	return f.en
}

// ended answers opExit; Mode is nil when no mode was active.
type ended struct {
	Mode *event.Mode `json:"mode"`
}

// Outcome is a finished turn as `chat --json` prints it, in this key order. It
// exists only after the turn is durable and the steps of an exit are done.
type Outcome struct {
	ID            string              `json:"id"`
	Reply         string              `json:"reply"`
	DialogueState event.DialogueState `json:"dialogue_state"`
	Mode          *string             `json:"mode"`
	SessionID     *string             `json:"session_id"`
	Switch        []voice.Switch      `json:"switch"`
	Profile       string              `json:"profile"`
	ProfileReason string              `json:"profile_reason"`
	Table         int                 `json:"table"`
	Trimmed       voice.Trimmed       `json:"trimmed"`
	Usage         llm.Usage           `json:"usage"`
	Latency       Latency             `json:"latency_ms"`
	Error         *voice.TurnError    `json:"error"`
}

// Latency is voice.Latency in whole milliseconds.
type Latency struct {
	Queued     int64 `json:"queued"`
	Request    int64 `json:"request,omitempty"` // absent: no model was asked, or at once
	FirstToken int64 `json:"first_token"`
	Total      int64 `json:"total"`
}

// outcomeOf tells a text client what comes next: a line it sends is an answer, so
// no question of the dialogue counts as unanswered.
func outcomeOf(r voice.Result) Outcome {
	o := Outcome{
		ID: r.ID, Reply: r.Reply, DialogueState: event.Idle, Switch: r.Switches,
		Profile: r.Profile, ProfileReason: r.ProfileReason, Table: r.Table, Trimmed: r.Trimmed, Usage: r.Usage,
		Latency: Latency{ms(r.Latency.Queued), ms(r.Latency.Request), ms(r.Latency.FirstToken), ms(r.Latency.Total)}, Error: r.Err,
	}
	if voice.After(r.Next, r.Reply, 0) {
		o.DialogueState = event.Listening
	}
	if r.Mode != nil {
		o.Mode, o.SessionID = &r.Mode.ID, &r.Mode.SessionID
	}
	if o.Switch == nil {
		o.Switch = []voice.Switch{}
	}
	return o
}

func ms(d time.Duration) int64 { return d.Milliseconds() }
