package conversation

import (
	"encoding/json"
	"time"
)

// Failed values of a record (R43).
const (
	FailedLLM         = "llm"
	FailedNetwork     = "network"
	FailedInterrupted = "interrupted"
	FailedTool        = "tool"
)

// Record is one line of a conversation log, in R43's key order.
type Record struct {
	Timestamp time.Time // when the user's words were final; written as R25
	Channel   string    // voice, text, web; system for an exit without a turn
	ChatID    string
	SpeakerID string
	User      string
	Assistant string

	ID     string // 16 hex digits
	Sent   string // exact user content sent, when it differs from User
	Raw    string // assistant text to replay, when it differs from Assistant
	Facts  []Fact
	Enter  *Enter
	Exit   *Exit
	Failed string // one of the Failed constants, "" when the turn went well

	// Unknown keeps keys this version does not know, in their order.
	Unknown []UnknownKey
}

// UnknownKey is a key of a record written by another version.
type UnknownKey struct {
	Name  string
	Value json.RawMessage
}

// Fact is something confirmed in the dialogue. Kind is one of servings,
// allergy, preference, missing, progress, fact. Replaces is the id of a fact
// that this one corrects.
type Fact struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Text     string `json:"text"`
	Replaces string `json:"replaces,omitempty"`
}

// Enter marks the turn that entered a run mode.
type Enter struct {
	ModeID    string `json:"mode_id"`
	SessionID string `json:"session_id"`
}

// Exit marks the turn (or the moment) that left a run mode: the intent from
// which recovery finishes R46. Next is the session that begins after it (R11).
type Exit struct {
	Reason  string `json:"reason"`
	Summary string `json:"summary,omitempty"`
	Next    *Enter `json:"next,omitempty"`
}
