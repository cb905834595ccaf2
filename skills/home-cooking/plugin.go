// Package homecooking is the cooking mode: the assistant of a real kitchen. It
// finds, reads, keeps, corrects and scales recipes, knows the step the cook is
// at across wakes and power cuts, converts units without the model, and keeps an
// index of what was cooked.
//
// Its files lie in the mode's data directory: recipes/*.md, history.md,
// summaries/*.md for people, current.json for itself.
package homecooking

import (
	"context"
	"fmt"
	"strconv"

	"homebot/modes"
)

// Plugin is `builtin:cooking`.
func Plugin() modes.Plugin {
	return modes.Plugin{
		ID: "cooking", DisplayName: "做饭模式", HistoryFile: historyFile,
		StaticPrompt: prepare, RuntimeContext: runtime, Tools: tools(), AfterExit: archive, Forgotten: forgotten,
	}
}

// prepare puts the bundled recipes into the kitchen. It adds nothing to the
// prompt: a list of recipes there would be wrong after the first new one.
func prepare(_ context.Context, s modes.Scope) (string, error) {
	return "", book{s.Data}.install()
}

// runtime says which dish is in work, at which step, for whom (R35).
func runtime(_ context.Context, s modes.Scope) ([]modes.Field, error) {
	p, err := readProgress(s)
	if err != nil {
		return nil, err
	}
	var fields []modes.Field
	who := people(s.Facts)
	if p.Step > 0 {
		fields = append(fields, modes.Field{Key: "recipe", Value: p.Title}, modes.Field{Key: "step", Value: fmt.Sprintf("%d/%d", p.Step, p.Of)})
		if who == "" {
			who = strconv.Itoa(p.Servings)
		}
	}
	if who != "" {
		fields = append(fields, modes.Field{Key: "people", Value: who})
	}
	return fields, nil
}
