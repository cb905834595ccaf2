package modes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/lazyregexp"
)

// schemaVersion of action.json.
const schemaVersion = 1

// Reasons a mode session ended (R28).
const (
	ExitUser      = "user"
	ExitExpired   = "expired"
	ExitSwitched  = "switched"
	ExitRecovered = "recovered"
)

// Action is action.json: which mode is active and for how long, nothing of what
// was said in it (R26). While inactive only ExitReason may be set.
type Action struct {
	Active      bool
	ModeID      string
	DisplayName string
	SessionID   string
	SkillName   string
	StartedAt   time.Time
	ExpiresAt   time.Time
	SessionDir  string
	ExitReason  string // of the last session; "" before the first exit
}

// actionFile has the keys of action.json in their order (R22).
type actionFile struct {
	SchemaVersion int     `json:"schema_version"`
	Active        bool    `json:"active"`
	ModeID        *string `json:"mode_id"`
	DisplayName   *string `json:"display_name"`
	SessionID     *string `json:"session_id"`
	SkillName     *string `json:"skill_name"`
	StartedAt     *string `json:"started_at"`
	ExpiresAt     *string `json:"expires_at"`
	SessionDir    *string `json:"session_dir"`
	ExitReason    *string `json:"exit_reason"`
}

// encode is the text of action.json, ending in a newline.
func (a Action) encode() []byte {
	f := actionFile{SchemaVersion: schemaVersion, Active: a.Active, ExitReason: orNull(a.ExitReason)}
	if a.Active {
		f.ModeID, f.DisplayName = &a.ModeID, &a.DisplayName
		f.SessionID, f.SkillName, f.SessionDir = &a.SessionID, &a.SkillName, &a.SessionDir
		started, expires := a.StartedAt.Format(conversation.TimeLayout), a.ExpiresAt.Format(conversation.TimeLayout)
		f.StartedAt, f.ExpiresAt = &started, &expires
		f.ExitReason = nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(f) // strings, booleans and a number always encode
	return b.Bytes()
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// sessionPattern keeps a session directory inside the workspace whatever a person
// wrote into action.json: no separator, no dot.
var sessionPattern = lazyregexp.New(`^[a-z][a-z0-9-]*-[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$`)

// decodeAction reads action.json. Any error means: corrupt or foreign (R27).
func decodeAction(data []byte) (Action, error) {
	var f actionFile
	if err := json.Unmarshal(data, &f); err != nil {
		return Action{}, err
	}
	if f.SchemaVersion != schemaVersion {
		return Action{}, fmt.Errorf("schema_version is %d, not %d", f.SchemaVersion, schemaVersion)
	}
	if !f.Active {
		return Action{ExitReason: value(f.ExitReason)}, nil
	}
	a := Action{
		Active: true, ModeID: value(f.ModeID), DisplayName: cleanName(value(f.DisplayName)), SessionID: value(f.SessionID),
		SkillName: value(f.SkillName), SessionDir: value(f.SessionDir),
	}
	var err1, err2 error
	a.StartedAt, err1 = time.Parse(time.RFC3339, value(f.StartedAt))
	a.ExpiresAt, err2 = time.Parse(time.RFC3339, value(f.ExpiresAt))
	if err := errors.Join(err1, err2); err != nil {
		return Action{}, err
	}
	if !idPattern.MatchString(a.ModeID) || !sessionPattern.MatchString(a.SessionID) {
		return Action{}, fmt.Errorf("mode_id %q or session_id %q is not one of ours", a.ModeID, a.SessionID)
	}
	return a, nil
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
