package console

import (
	"time"

	"homebot/internal/event"
	"homebot/internal/llm"
	"homebot/skills/timers"
	"homebot/voice"
)

// The JSON of the API, and what the pages' templates are given. openapi.yaml
// describes them; a test holds both together.

// Snapshot is all a page needs to begin.
type Snapshot struct {
	Type     string       `json:"type"` // "snapshot"
	Boot     string       `json:"boot"` // another one: the device was restarted
	Seq      uint64       `json:"seq"`  // of the last event that it includes
	At       time.Time    `json:"at"`
	State    event.State  `json:"state"`
	Timers   []timers.Row `json:"timers"`
	Cooking  *Cooking     `json:"cooking"`
	Sound    Sound        `json:"sound"`
	Dialogue []Line       `json:"dialogue"` // the newest turns, oldest first
}

// Sound is the device's loudspeaker and microphone.
type Sound struct {
	Present bool `json:"present"` // false: it runs without sound
	Muted   bool `json:"muted"`
	Volume  int  `json:"volume"` // percent
}

// Line is one turn of a dialogue.
type Line struct {
	ID        string    `json:"id"`
	At        time.Time `json:"at"`
	Channel   string    `json:"channel"`
	Speaker   string    `json:"speaker_id"`
	User      string    `json:"user"`
	Assistant string    `json:"assistant"`
	Failed    string    `json:"failed,omitempty"`
	Context   string    `json:"context,omitempty"` // as X-Homebot-Context (C4)
}

// Cooking is the dish in work.
type Cooking struct {
	Recipe      string   `json:"recipe"` // id; "" when none is in work
	Title       string   `json:"title"`
	Servings    int      `json:"servings"`
	Step        int      `json:"step"` // 1 to Of; 0: none in work, or finished
	Of          int      `json:"of"`
	Text        string   `json:"text"`    // of the step
	Seconds     int      `json:"seconds"` // that the step takes; 0: it does not say
	Steps       []string `json:"steps"`
	Ingredients []string `json:"ingredients"` // scaled to Servings
	Notes       []string `json:"notes"`
	Finished    bool     `json:"finished"`
}

// Outcome is a finished turn.
type Outcome struct {
	ID       string              `json:"id"`
	Reply    string              `json:"reply"`
	Dialogue event.DialogueState `json:"dialogue_state"`
	ChatID   string              `json:"chat_id"`
	Mode     *event.Mode         `json:"mode"`
	Switch   []voice.Switch      `json:"switch"`
	Context  string              `json:"context"` // as X-Homebot-Context (C4)
	Usage    llm.Usage           `json:"usage"`
	Latency  Latency             `json:"latency_ms"`
	Error    *voice.TurnError    `json:"error"`
}

// Latency is voice.Latency in whole milliseconds.
type Latency struct {
	Queued     int64 `json:"queued"`
	FirstToken int64 `json:"first_token"`
	Total      int64 `json:"total"`
}

// RecipeLine is a recipe in a list.
type RecipeLine struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Lang     string   `json:"lang"`
	Servings int      `json:"servings"`
	Minutes  int      `json:"minutes,omitempty"`
	Tags     []string `json:"tags,omitempty"`
}

// RecipeDoc is a whole recipe.
type RecipeDoc struct {
	ID          string   `json:"id,omitempty"`
	Title       string   `json:"title"`
	Lang        string   `json:"lang,omitempty"`
	Servings    int      `json:"servings"`
	ScaledTo    int      `json:"scaled_to,omitempty"` // people the ingredients are for
	Minutes     int      `json:"minutes,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Ingredients []string `json:"ingredients"`
	Steps       []string `json:"steps"`
	Notes       []string `json:"notes,omitempty"`
	Source      string   `json:"source,omitempty"`   // the file as a person wrote it; wins over the fields
	Revision    string   `json:"revision,omitempty"` // of the file that was read
}

// Broken is a recipe file that cannot be read.
type Broken struct {
	File string `json:"file"`
	Why  string `json:"why"`
}

// HistoryDay is the finished sessions that began on one day.
type HistoryDay struct {
	Day      string        `json:"day"` // YYYY-MM-DD
	Sessions []SessionLine `json:"sessions"`
}

// SessionLine is a finished session in a list.
type SessionLine struct {
	ID        string    `json:"id"`
	ModeID    string    `json:"mode_id"`
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	Reason    string    `json:"reason"` // one of R28
	Line      string    `json:"line"`
}

// SessionDoc is a finished session.
type SessionDoc struct {
	SessionLine
	Summary string `json:"summary"`
	Source  string `json:"source"` // llm or auto
	Turns   []Line `json:"turns"`
}

// Member is somebody who has a profile or said something.
type Member struct {
	ID      string `json:"id"`
	Profile bool   `json:"profile"`
}

// Access is one browser or program that is let in.
type Access struct {
	ID        string    `json:"id"`
	Kind      string    `json:"kind"` // browser or token
	Name      string    `json:"name"`
	Scope     string    `json:"scope"` // all, read or metrics
	MadeAt    time.Time `json:"made_at"`
	SeenAt    time.Time `json:"seen_at"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	This      bool      `json:"this,omitempty"` // it is who asks
}
