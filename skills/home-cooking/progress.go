package homecooking

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"

	"homebot/internal/conversation"
	"homebot/modes"
)

// progressFile holds where the cook is: it outlives wakes and power cuts.
const progressFile = "current.json"

// progress is the dish in work of one mode session.
type progress struct {
	SessionID string   `json:"session_id"`
	Recipe    string   `json:"recipe,omitempty"` // id
	Title     string   `json:"title,omitempty"`
	Servings  int      `json:"servings,omitempty"`
	Step      int      `json:"step,omitempty"` // 1-based; 0: no dish in work
	Of        int      `json:"of,omitempty"`
	Dishes    []string `json:"dishes,omitempty"` // titles of all dishes of the session
}

// readProgress is that of this session; what another session left counts for
// nothing, and neither does a damaged file.
func readProgress(s modes.Scope) (progress, error) {
	fresh := progress{SessionID: s.SessionID}
	data, err := s.Data.ReadFile(progressFile)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return fresh, err
	}
	var p progress
	if json.Unmarshal(data, &p) != nil || p.SessionID != s.SessionID {
		return fresh, nil
	}
	return p, nil
}

func (p progress) write(s modes.Scope) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	return s.Data.Replace(progressFile, append(data, '\n'))
}

// begin starts a dish.
func (p progress) begin(r *Recipe, servings int) progress {
	p.Recipe, p.Title, p.Servings, p.Step, p.Of = r.ID, r.Title, servings, 1, len(r.Steps)
	if !slices.Contains(p.Dishes, r.Title) {
		p.Dishes = append(slices.Clone(p.Dishes), r.Title)
	}
	return p
}

// people is how many eat, as it was confirmed last.
func people(facts []conversation.Fact) string {
	for _, f := range slices.Backward(facts) {
		if f.Kind == "servings" {
			return f.Text
		}
	}
	return ""
}
