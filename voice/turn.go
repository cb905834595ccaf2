package voice

import (
	"context"
	"time"

	"homebot/internal/event"
	"homebot/internal/llm"
)

// Channels a turn can come from (R43).
const (
	ChannelVoice = "voice"
	ChannelText  = "text"
	ChannelWeb   = "web"
)

// Turn is one user message on its way to a Handler.
type Turn struct {
	ID      string    // 16 hex digits, unique; a repeat of a recorded one is ignored
	Channel string    // one of the Channel constants
	ChatID  string    // the voice session, or the text conversation; "" lets the Handler choose (R1)
	Speaker string    // member id; "guest" when unknown
	Text    string    // the words as heard or typed, before any cleaning (R7)
	Lang    string    // "zh" or "en"; "" means: judge by the text
	Heard   time.Time // when the words were final
	Said    string    // what this device said last before, whole; "" where it said nothing or has no voice
	Profile string    // context profile asked for by a request's own field; "" decides nothing (C3)
	// Direct: the words stand on a button, and the device answers them by itself,
	// without a language model, if it understands them.
	Direct bool
}

// Next is what the model proposed to come after its reply (V3).
type Next int

// Proposals. Unstated means there was no marker: the device decides.
const (
	Unstated Next = iota
	Continue
	End
)

// Handler answers turns: the http.Handler of speech. The agent implements it;
// the voice loop, the text channel and the console call it, each turn on its own
// goroutine. Cancelling ctx is barge-in: Handle then returns soon, after the
// turn was recorded with what was heard.
//
// Handle reports failures of the model, tools or disk in Result.Err, in the
// user's language, through Reply.Done; a returned error is only for what left
// nothing to say (ctx ended before the turn began, workspace lost).
type Handler interface {
	Handle(ctx context.Context, t Turn, r Reply) error
}

// Reply receives the answer of one turn, from the goroutine that runs Handle,
// in this order: any number of Write, one Finish, one Done.
type Reply interface {
	// Write hands over more of the reply as it is written, marker removed.
	// Pieces may break anywhere, also inside a sentence or a number.
	Write(text string)
	// Finish says that the reply is complete and waits until the user has
	// heard it, or ctx ends (barge-in). It returns the text that was heard and
	// whether that is all of it. A text channel returns at once.
	Finish(ctx context.Context, next Next) (heard string, whole bool)
	// Done is called once, after the turn is durable and the steps of an exit
	// are done.
	Done(Result)
}

// Waiter is what a Reply may also be: a Handler that has waited a second for
// the turn before to end calls Waiting, and the user hears that he was heard
// (R50).
type Waiter interface{ Waiting() }

// Filled is what a Reply may also be: a Handler that allows it calls MayFill
// before the first Write, and a reply that is slow is announced with a word (“One
// moment.”), which is no part of it.
type Filled interface{ MayFill() }

// Switch is one attempt to switch the run mode within a turn.
type Switch struct {
	Action   string `json:"action"`
	ModeID   string `json:"mode_id"`
	Accepted bool   `json:"accepted"`
	Reason   string `json:"reason"`
}

// Trimmed counts what the context engine left out of the last request.
type Trimmed struct {
	Turns      int `json:"turns"`
	Items      int `json:"items"`
	Summarised int `json:"summarised"`
}

// Latency is where the time of a turn went, in whole milliseconds on the wire.
// Queued is the wait for the turn lock.
type Latency struct {
	Queued     time.Duration
	Request    time.Duration // until the first request to the model went out; 0: none was asked
	FirstToken time.Duration
	Total      time.Duration
}

// TurnError is a failure that the user was told about. Code is stable:
// empty, profile, llm_unreachable, llm_refused, llm_slow, llm_nonsense, tool_rounds,
// disk_full, disk_readonly, disk_failed, cancelled, duplicate, busy, too_long.
type TurnError struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Result is everything the outside may know of a finished turn.
type Result struct {
	ID            string
	Reply         string // what was said, marker removed
	Next          Next
	Lang          string
	ChatID        string
	Mode          *event.Mode // active mode after the turn, nil if none
	Switches      []Switch
	Profile       string
	ProfileReason string
	Table         int
	Trimmed       Trimmed
	Usage         llm.Usage
	Latency       Latency
	Err           *TurnError
}
