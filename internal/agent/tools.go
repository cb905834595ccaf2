package agent

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"homebot/internal/conversation"
	"homebot/modes"
	"homebot/skills"
	"homebot/voice"
)

// commonTools are offered in every request (R37).
func (a *Agent) commonTools() []skills.Tool {
	return []skills.Tool{
		skills.NewTool("switch_mode",
			"Open or close a run mode that the user names in this message. The answer's say is what to tell the user.",
			callSwitchMode),
		skills.NewTool("note_fact",
			"Remember what the user confirmed. Answers the fact's id.",
			callNoteFact),
		skills.NewTool("read_history", readHistoryText, a.readHistory),
		skills.NewTool(toolVolume, "Your loudness: percent, or change 1 or -1.", a.callSetVolume),
	}
}

// turnKey carries the turn a tool is called in.
type turnKey struct{}

// turnOf finds the turn; tools are only ever called within one.
func turnOf(ctx context.Context) *turn { return ctx.Value(turnKey{}).(*turn) }

type switchModeIn struct {
	Action  string `json:"action" jsonschema:"required,enum=enter,enum=exit"`
	ModeID  string `json:"mode_id,omitempty" jsonschema:"description=for enter"`
	Summary string `json:"summary,omitempty" jsonschema:"description=for exit: what was decided"`
}

// callSwitchMode proposes a switch; the gate and the manager decide (R2, R3).
func callSwitchMode(ctx context.Context, in switchModeIn) (string, error) {
	t := turnOf(ctx)
	if err := tooLongFor("summary", in.Summary, maxSummaryRunes); err != nil {
		return "", err
	}
	var r modes.Result
	switch in.Action {
	case "enter":
		if err := t.holdMode(ctx); err != nil {
			return "", err
		}
		r = t.switching.Enter(in.ModeID)
		if t.switching.Session() == nil {
			t.places.drop(modeKey)
		}
	case "exit":
		r = t.switching.Exit(in.ModeID, in.Summary)
	default:
		return "", fmt.Errorf("action must be enter or exit, not %q", in.Action)
	}
	id := in.ModeID
	if s := t.switching.Session(); id == "" && s != nil {
		id = s.ModeID
	}
	t.result.Switches = append(t.result.Switches, voice.Switch{Action: in.Action, ModeID: id, Accepted: r.OK, Reason: string(r.Reason)})
	t.refusal, t.proposed = r.Say, id
	if r.OK || r.Reason.WantsWords() {
		t.refusal = ""
	}
	if r.OK {
		t.note = strings.TrimSpace(r.Note + " " + r.Say)
	}
	return skills.Answer(r), nil
}

type noteFactIn struct {
	Kind     string `json:"kind" jsonschema:"required,enum=servings,enum=allergy,enum=preference,enum=missing,enum=progress,enum=fact"`
	Text     string `json:"text" jsonschema:"required,description=short; stands on its own"`
	Replaces string `json:"replaces,omitempty" jsonschema:"description=id it corrects"`
}

// factKinds are those of R43.
var factKinds = []string{"servings", "allergy", "preference", "missing", "progress", "fact"}

// callNoteFact puts a fact into the record of this turn (R37).
func callNoteFact(ctx context.Context, in noteFactIn) (string, error) {
	t := turnOf(ctx)
	in.Text = strings.Join(strings.Fields(in.Text), " ")
	switch {
	case !slices.Contains(factKinds, in.Kind):
		return "", fmt.Errorf("kind must be one of %s, not %q", strings.Join(factKinds, ", "), in.Kind)
	case in.Text == "":
		return "", fmt.Errorf("text is empty")
	case tooLongFor("text", in.Text, maxFactRunes) != nil:
		return "", tooLongFor("text", in.Text, maxFactRunes)
	case in.Replaces != "" && !t.knowsFact(in.Replaces):
		return "", fmt.Errorf("there is no fact %q to replace", in.Replaces)
	}
	f := conversation.Fact{ID: t.nextFactID(), Kind: in.Kind, Text: in.Text, Replaces: in.Replaces}
	t.facts = append(t.facts, f)
	return skills.Answer(struct {
		OK bool   `json:"ok"`
		ID string `json:"id"`
	}{true, f.ID}), nil
}

// allFacts are those of the conversation so far and of this turn.
func (t *turn) allFacts() []conversation.Fact {
	var all []conversation.Fact
	for _, r := range t.visible {
		all = append(all, r.Facts...)
	}
	return append(all, t.facts...)
}

func (t *turn) knowsFact(id string) bool {
	return slices.ContainsFunc(t.allFacts(), func(f conversation.Fact) bool { return f.ID == id })
}

// nextFactID counts within the conversation, so ids are short enough for a
// model to repeat.
func (t *turn) nextFactID() string { return "f" + strconv.Itoa(len(t.allFacts())+1) }
