package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"homebot/internal/llm"
	"homebot/internal/phrases"
)

// Tools beside switch_mode that the answers use where they are offered (R37).
const (
	setTimer    = "set_timer"
	changeTimer = "change_timer"
	cancelTimer = "cancel_timer"
	listTimers  = "list_timers"
	cookStep    = "cook_step"
	findRecipe  = "find_recipe"
	readRecipe  = "read_recipe"
	convert     = "convert_units"
	setVolume   = "set_volume"
)

// answered is a tool's answer in this turn. Tools differ in the field that holds
// what is to be said.
type answered struct {
	tool string
	args string

	OK       bool   `json:"ok"`
	Reason   string `json:"reason"`
	Say      string `json:"say"`
	Text     string `json:"text"`   // cook_step
	Result   string `json:"result"` // convert_units
	Finished bool   `json:"finished"`

	Step    int64 `json:"step"` // cook_step
	Of      int64 `json:"of"`
	Seconds int64 `json:"seconds"` // of the step, where it says so

	Recipe      string   `json:"recipe"`      // cook_step, read_recipe
	Servings    int64    `json:"servings"`    // of it
	Ingredients []string `json:"ingredients"` // of it
	Recipes     []struct {
		Recipe string `json:"recipe"`
	} `json:"recipes"` // find_recipe
}

// wanted is the recipe that the call named.
func (a answered) wanted() string {
	var in struct {
		Recipe string `json:"recipe"`
	}
	if json.Unmarshal([]byte(a.args), &in) != nil {
		return ""
	}
	return in.Recipe
}

// rescaled: the dish in work is for another number of people now.
func (a answered) rescaled() bool {
	var in struct {
		Action   string `json:"action"`
		Servings int64  `json:"servings"`
	}
	return a.tool == cookStep && json.Unmarshal([]byte(a.args), &in) == nil && in.Action == "where" && in.Servings > 0 && len(a.Ingredients) > 0
}

// told are the tools whose answers are said.
var told = []string{setTimer, changeTimer, cancelTimer, listTimers, cookStep, findRecipe, readRecipe, convert, setVolume}

// lastAnswers reads the results of the last calls among msgs, in order, but for
// those of switch_mode.
func lastAnswers(msgs []llm.Message) []answered {
	calls := map[string]llm.ToolCall{}
	var last []answered
	for _, m := range msgs {
		if len(m.ToolCalls) > 0 {
			last = nil
		}
		for _, c := range m.ToolCalls {
			calls[c.ID] = c
		}
		c, ok := calls[m.ToolCallID]
		if m.Role != llm.ToolRole || !ok || !slices.Contains(told, c.Name) {
			continue
		}
		a := answered{}
		if json.Unmarshal([]byte(m.Content), &a) != nil {
			a = answered{}
		}
		a.tool, a.args = c.Name, c.Arguments
		last = append(last, a)
	}
	return last
}

// tellAll says what a switch of mode and the tools did.
func (m *Model) tellAll(r llm.Request, t turn) reply {
	var parts []reply
	if t.switched != nil {
		parts = append(parts, m.tellSwitch(t))
	}
	for _, a := range t.answered {
		said, ok := m.tellStep(t, a)
		if !ok {
			said = a.tell(t)
		}
		parts = append(parts, said)
	}
	if len(parts) == 1 && t.switched != nil {
		if fault := m.besidesFault(t); fault != "" {
			parts = append(parts, tellOrAsk(fault))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	var said []string
	end := proposeEnd
	for _, p := range parts {
		s := strings.TrimSuffix(p.text, proposeEnd)
		if s != p.text {
			said = append(said, s)
			continue
		}
		end = proposeContinue
		said = append(said, strings.TrimSuffix(p.text, proposeContinue))
	}
	return reply{text: strings.Join(said, map[bool]string{true: "", false: " "}[t.lang == phrases.Chinese]) + end}
}

// tell says what a tool did, and nothing that it did not do (V9).
func (a answered) tell(t turn) reply {
	if r, ok := a.tellRecipe(t); ok {
		return r
	}
	switch {
	case !a.OK && a.Say != "":
		if isQuestion(a.Say) {
			return asks(a.Say)
		}
		return ends(a.Say)
	case a.Say != "":
		return ends(a.Say)
	case a.OK && a.Finished:
		return ends(phrases.OfflineCooked.In(t.lang))
	case a.OK && a.Text != "":
		return ends(spokenStep(a.Text, t.lang))
	case a.OK && a.Result != "":
		return ends(upperFirst(a.Result) + map[bool]string{true: "。", false: "."}[t.lang == phrases.Chinese])
	case !a.OK && strings.HasPrefix(a.Reason, stepReason):
		return ends(phrases.OfflineNoSuchStep.In(t.lang, strings.TrimPrefix(a.Reason, stepReason)))
	case !a.OK && strings.HasPrefix(a.Reason, "weight and volume"):
		return ends(phrases.OfflineOfWhat.In(t.lang))
	case !a.OK && strings.Contains(a.Reason, "do not measure the same"):
		return ends(phrases.OfflineOtherMeasure.In(t.lang))
	case !a.OK && a.tool == cookStep:
		return ends(phrases.OfflineNoRecipe.In(t.lang))
	case !a.OK:
		return ends(phrases.OfflineNotDone.In(t.lang))
	}
	return ends(phrases.OfflineAllRight.In(t.lang))
}

// stepReason is why there is no such step, before how many there are.
const stepReason = "step must be from 1 to "

// upperFirst begins an English sentence.
func upperFirst(s string) string {
	if len(s) > 0 && s[0] >= 'a' && s[0] <= 'z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// offers reports whether a tool may be called.
func offers(r llm.Request, name string) bool {
	names, err := llm.DecodeTools(r.Tools)
	return err == nil && slices.Contains(names, name)
}

// callTool asks for a tool if it is offered.
func callTool(r llm.Request, t turn, name string, args any) (reply, bool) {
	if !offers(r, name) {
		return reply{}, false
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return reply{}, false
	}
	return reply{calls: []llm.ToolCall{{ID: fmt.Sprintf("offline_%d", t.number), Name: name, Arguments: string(raw)}}}, true
}

// object is a tool's arguments; empty ones are left out. json sorts the keys.
func object(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case string:
			if strings.TrimSpace(v) == "" {
				continue
			}
		case int64:
			if v == 0 {
				continue
			}
		}
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}
