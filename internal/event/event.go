// Package event is what a watcher may see of homebot: the State it is in, the
// Events that change it, and a Bus that hands both out.
//
// voice.Loop and the turn in progress publish; the light, the console and the
// socket's clients only watch. One goroutine (Bus.Run) publishes, so all
// watchers see one order. A watcher that is slow loses events, never delays the
// device: the event that takes their place carries the count of what it lost.
package event

import "time"

// DialogueState is what the device is doing in the dialogue (spec V3).
type DialogueState string

// The six dialogue states. voice.Loop holds the table of legal transitions.
const (
	Idle      DialogueState = "idle"
	Listening DialogueState = "listening"
	Thinking  DialogueState = "thinking"
	Speaking  DialogueState = "speaking"
	Ringing   DialogueState = "ringing"
	Muted     DialogueState = "muted"
)

// Mode describes the active run mode.
type Mode struct {
	ID          string    `json:"mode_id"`
	DisplayName string    `json:"display_name"`
	SessionID   string    `json:"session_id"`
	ExpiresAt   time.Time `json:"expires_at"`
}

// Light is the mode light as the device drives it. Present is false on a host
// without the pin; On still says what it would show.
type Light struct {
	Pin     string `json:"pin"`
	Present bool   `json:"present"`
	On      bool   `json:"on"`
}

// Fault is one thing that is wrong now. Code is stable (for programs), Text is
// one sentence in the language of the configuration (for people).
type Fault struct {
	Code  string    `json:"code"`
	Text  string    `json:"text"`
	Since time.Time `json:"since"`
}

// State is the whole of what a watcher may see at one instant.
type State struct {
	Dialogue DialogueState `json:"dialogue_state"`
	Mode     *Mode         `json:"mode"`
	Light    Light         `json:"light"`
	Faults   []Fault       `json:"faults"`
	Volume   int           `json:"volume"` // percent
	Muted    bool          `json:"muted"`  // the microphone is off, also while it rings
}

// Kind names an event; Data holds the payload that the comment names.
type Kind string

// Kinds of event and the type of their Data.
const (
	StateChanged    Kind = "state"          // nil; Event.State is the news
	Woken           Kind = "wake"           // Wake
	PartialHeard    Kind = "partial"        // Words
	FinalHeard      Kind = "final"          // Words
	NothingHeard    Kind = "no_speech"      // nil
	Said            Kind = "said"           // Words: one sentence handed to the loudspeaker
	TurnDone        Kind = "turn"           // Turn
	ModeSwitched    Kind = "mode"           // Switch
	PrefixBroken    Kind = "prefix_break"   // PrefixBreak
	ContextAlarm    Kind = "context_alarm"  // Alarm: a context profile flaps (C16)
	BudgetOverrun   Kind = "budget_overrun" // Overrun (C6)
	TableRolledBack Kind = "table_rollback" // Rollback (C15)
	ClockStepped    Kind = "clock_step"     // ClockStep
	BargedIn        Kind = "barge_in"       // nil
	SpeechHeld      Kind = "speech_held"    // nil: the reply rests, somebody may want to speak
	SpeechResumed   Kind = "speech_resumed" // nil: nobody did; it goes on
	EarconPlayed    Kind = "earcon"         // Earcon
	LightChanged    Kind = "light"          // nil; Event.State.Light is the news
	FaultAppeared   Kind = "fault"          // Fault
	FaultCleared    Kind = "fault_cleared"  // Fault

	TimerSet       Kind = "timer_set"       // Timer
	TimerChanged   Kind = "timer_changed"   // Timer: more time, paused, going on
	TimerCancelled Kind = "timer_cancelled" // Timer
	TimerRang      Kind = "timer_ring"      // Timer: it begins to ring
	TimerStopped   Kind = "timer_stopped"   // Timer: somebody ended the ring
	TimerMissed    Kind = "timer_missed"    // Timer: nobody heard it
)

// Event is one thing that happened. State is the state after it.
type Event struct {
	Seq   uint64    `json:"seq"`
	At    time.Time `json:"at"`
	Kind  Kind      `json:"kind"`
	Data  any       `json:"data,omitempty"`
	State State     `json:"state"`
	Lost  int       `json:"lost,omitempty"` // older events this watcher missed (Bus.Watch)
}

// Wake is the payload of Woken.
type Wake struct {
	Phrase string `json:"phrase"`
	Lang   string `json:"lang"`
	ChatID string `json:"chat_id"`
}

// Words is text in one language, heard or said.
type Words struct {
	Text string `json:"text"`
	Lang string `json:"lang"`
}

// Turn is the payload of TurnDone, published after the turn is durable (S3).
type Turn struct {
	ID        string        `json:"id"`
	Channel   string        `json:"channel"`
	ChatID    string        `json:"chat_id"`
	Speaker   string        `json:"speaker_id"`
	User      string        `json:"user"`
	Assistant string        `json:"assistant"`
	Failed    string        `json:"failed,omitempty"`
	First     time.Duration `json:"first_token_ns"`
	Total     time.Duration `json:"total_ns"`
	Context   string        `json:"context,omitempty"` // value of X-Homebot-Context (C4)
}

// Switch is the payload of ModeSwitched. Reason is one of R28 on leaving.
type Switch struct {
	Action string `json:"action"` // enter or exit
	ModeID string `json:"mode_id"`
	Reason string `json:"reason,omitempty"`
}

// PrefixBreak is the payload of PrefixBroken (C23): at message At the request
// stopped being an extension of the one before it.
type PrefixBreak struct {
	At     int    `json:"at"`
	Reason string `json:"reason"`
}

// Alarm is the payload of ContextAlarm: in Session the profile changed Changes
// times within ten minutes, under table version Table.
type Alarm struct {
	Session string `json:"session"`
	Table   int    `json:"table"`
	Changes int    `json:"changes"`
}

// Overrun is the payload of BudgetOverrun: what must be sent is over the budget,
// both in tokens.
type Overrun struct {
	TurnID   string `json:"turn_id"`
	Estimate int    `json:"estimate"`
	Budget   int    `json:"budget"`
}

// Rollback is the payload of TableRolledBack: a canary version of the profile
// table was taken back by itself.
type Rollback struct {
	Table  int    `json:"table"`
	Reason string `json:"reason"`
}

// ClockStep is the payload of ClockStepped: how far the wall clock jumped
// against the monotonic one.
type ClockStep struct {
	By time.Duration `json:"by_ns"`
}

// Earcon is the payload of EarconPlayed: wake, done, error, mode-on, mode-off.
type Earcon struct {
	Name string `json:"name"`
}

// Timer is the payload of the timers' events: one timer or alarm.
type Timer struct {
	ID      string    `json:"id"`
	Label   string    `json:"label"`
	Lang    string    `json:"lang"`
	Due     time.Time `json:"due"`
	Alarm   bool      `json:"alarm"`
	Paused  bool      `json:"paused"`
	Ringing bool      `json:"ringing"`
}
