package homecooking

import (
	"context"
	"errors"
	"fmt"

	"homebot/modes"
	"homebot/skills"
)

type stepIn struct {
	Action   string `json:"action" jsonschema:"required,enum=start,enum=next,enum=back,enum=repeat,enum=where,enum=goto,enum=finish"`
	Recipe   string `json:"recipe,omitempty"`
	Servings int    `json:"servings,omitempty"`
	Step     int    `json:"step,omitempty"`
}

// stepOut is where the cook is. Finished: there is no step after the last.
type stepOut struct {
	OK          bool     `json:"ok"`
	Recipe      string   `json:"recipe"`
	Servings    int      `json:"servings"`
	Step        int      `json:"step,omitempty"`
	Of          int      `json:"of,omitempty"`
	Text        string   `json:"text,omitempty"`
	Seconds     int      `json:"seconds,omitempty"`
	Ingredients []string `json:"ingredients,omitempty"`
	Finished    bool     `json:"finished,omitempty"`
	Note        string   `json:"note,omitempty"`
}

// cookStep moves through a recipe; the step is on disk before it answers.
func cookStep(ctx context.Context, in stepIn) (string, error) {
	b, s, err := kitchen(ctx)
	if err != nil {
		return "", err
	}
	p, err := readProgress(s)
	if err != nil {
		return "", err
	}
	if in.Action == "start" {
		return start(b, s, p, in)
	}
	if p.Recipe == "" || p.Step == 0 {
		return "", errors.New("no recipe is being cooked; call cook_step with action start and a recipe")
	}
	r, err := b.read(p.Recipe)
	if err != nil {
		return "", fmt.Errorf("the recipe %q cannot be read any more: %w", p.Title, err)
	}
	was := p
	out := stepOut{OK: true}
	if out.Note, err = p.move(in, len(r.Steps)); err != nil {
		return "", err
	}
	if p.Step > len(r.Steps) {
		p.Step, out.Finished = 0, true
	}
	if in.Servings != 0 && in.Action == "where" { // more came to eat
		if p.Servings, err = servingsOf(in.Servings, r); err != nil {
			return "", err
		}
		out.Ingredients = r.Scaled(p.Servings)
	}
	if p.Step != was.Step || p.Of != was.Of || p.Servings != was.Servings {
		if err := p.write(s); err != nil {
			return "", err
		}
	}
	return answer(out, p, r), nil
}

func start(b book, s modes.Scope, p progress, in stepIn) (string, error) {
	r, err := b.get(in.Recipe, s.Lang)
	if err != nil {
		return "", err
	}
	n, err := servingsOf(in.Servings, r)
	if err != nil {
		return "", err
	}
	p = p.begin(r, n)
	if err := p.write(s); err != nil {
		return "", err
	}
	return answer(stepOut{OK: true, Ingredients: r.Scaled(n)}, p, r), nil
}

// move changes the step; of is how many there are now, for a recipe may be
// edited while it is cooked. A step beyond of means that the dish is done.
func (p *progress) move(in stepIn, of int) (note string, err error) {
	p.Of = of
	p.Step = min(p.Step, of)
	switch in.Action {
	case "next":
		p.Step++
	case "back":
		if p.Step == 1 {
			return "this is the first step", nil
		}
		p.Step--
	case "repeat", "where":
	case "goto":
		if in.Step < 1 || in.Step > of {
			return "", fmt.Errorf("step must be from 1 to %d", of)
		}
		p.Step = in.Step
	case "finish":
		p.Step = of + 1
	default:
		return "", fmt.Errorf("action must be start, next, back, repeat, where, goto or finish, not %q", in.Action)
	}
	return "", nil
}

func answer(out stepOut, p progress, r *Recipe) string {
	out.Recipe, out.Servings = r.Title, p.Servings
	if p.Step > 0 {
		s := r.Steps[p.Step-1]
		out.Step, out.Of, out.Text, out.Seconds = p.Step, len(r.Steps), s.Text, int(s.Time.Seconds())
	}
	return skills.Answer(out)
}
