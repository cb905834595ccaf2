package contextmode

import (
	"slices"
	"strings"
	"time"
)

// Roles of a Message.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// Message is one message of a view. It has no field for tool calls (C22).
type Message struct{ Role, Content string }

// Turn is one turn of the log as the context engine sees it. The log holds the
// turns alone, oldest first, failed ones too; a record that is no turn (an expiry)
// is left out by who converts.
type Turn struct {
	At        time.Time
	Speaker   string
	User      string // the words
	Assistant string // the reply, without markers
	Sent      string // user content as it was sent, header and words
	Reply     string // assistant content as it is replayed; "" makes no message
	Facts     []Fact // confirmed in this turn
	Failed    bool   // replayed until the next cut, never summarised (R44)
}

// Fact is something confirmed in the dialogue (R43). It is pinned unless
// Unconfirmed: a preference or a progress that was only inferred.
type Fact struct {
	ID          string
	Text        string
	Replaces    string // id of an earlier fact that this one corrects
	Unconfirmed bool
}

// factsInForce are the facts of turns that stand: not of a failed turn, not
// corrected by a later one, each text once, in the order they were said.
func factsInForce(turns []Turn) []Fact {
	var facts []Fact
	var gone, said map[string]bool
	for i := len(turns) - 1; i >= 0; i-- {
		t := &turns[i]
		if t.Failed || len(t.Facts) == 0 {
			continue
		}
		if gone == nil {
			gone, said = map[string]bool{}, map[string]bool{}
		}
		for j := len(t.Facts) - 1; j >= 0; j-- {
			f := t.Facts[j]
			if f.Replaces != "" && f.Replaces != f.ID {
				gone[f.Replaces] = true
			}
			if text := strings.TrimSpace(f.Text); text != "" && !said[text] && !(f.ID != "" && gone[f.ID]) {
				said[text] = true
				facts = append(facts, f)
			}
		}
	}
	slices.Reverse(facts)
	return facts
}

// Corrections are the header lines of facts corrected since the last cut, in
// their latest wording: each turn repeats them until the next cut (C24).
func Corrections(log []Turn, cuts []Cut) []string {
	from := 0
	if v := Fold(log, cuts); v.LastCut >= 0 {
		from = cuts[v.LastCut].Cut
	}
	var lines []string
	for _, f := range factsInForce(log[from:]) {
		if f.Replaces != "" {
			lines = append(lines, "[更正 "+oneLine(f.Text)+"]")
		}
	}
	return lines
}

// oneLine keeps a fact inside its header line.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("[", "(", "]", ")").Replace(s)), " ")
}
