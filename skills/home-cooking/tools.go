package homecooking

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"homebot/internal/text"
	"homebot/modes"
	"homebot/skills"
)

// tools of the kitchen. Their answers are data for the model; it chooses the
// words.
func tools() []skills.Tool {
	return []skills.Tool{
		skills.NewTool("find_recipe", "The family's recipes that match query, or all.", findRecipe),
		skills.NewTool("read_recipe", "Read a recipe, scaled exactly to servings.", readRecipe),
		skills.NewTool("save_recipe", "Save a new recipe that the user confirmed. Ingredients as \"name: amount unit\"; a step's time at its end as (3 分钟).", saveRecipe),
		skills.NewTool("correct_recipe", "Change a line of a saved recipe for good.", correctRecipe),
		skills.NewTool("cook_step", "Begin a recipe, move through its steps; the device remembers.", cookStep),
		skills.NewTool("convert_units", "Convert 克 斤 两 千克 毫升 升 杯 勺 茶匙 g kg ml l cup tbsp tsp oz lb °C °F.", convertUnits),
	}
}

// kitchen is the book and scope a tool works in.
func kitchen(ctx context.Context) (book, modes.Scope, error) {
	s, err := modes.ScopeOf(ctx)
	return book{s.Data}, s, err
}

type findIn struct {
	Query string `json:"query,omitempty" jsonschema:"description=of title or tag or ingredient"`
}

type foundRecipe struct {
	Recipe   string `json:"recipe"`
	Servings int    `json:"servings"`
	Minutes  int    `json:"minutes,omitempty"`
}

func findRecipe(ctx context.Context, in findIn) (string, error) {
	b, s, err := kitchen(ctx)
	if err != nil {
		return "", err
	}
	good, bad, err := b.all()
	if err != nil {
		return "", err
	}
	out := struct {
		OK      bool          `json:"ok"`
		Recipes []foundRecipe `json:"recipes"`
		More    int           `json:"more,omitempty"`
		Broken  []string      `json:"broken,omitempty"`
	}{OK: true, Recipes: []foundRecipe{}}
	slices.SortStableFunc(good, func(x, y *Recipe) int { return rank(x, s.Lang) - rank(y, s.Lang) })
	for _, r := range good {
		if !r.matches(in.Query) {
			continue
		}
		if len(out.Recipes) == maxListed {
			out.More++
			continue
		}
		out.Recipes = append(out.Recipes, foundRecipe{r.Title, r.Servings, int(r.Total().Minutes())})
	}
	for _, f := range bad[:min(len(bad), 3)] {
		out.Broken = append(out.Broken, f.file+": "+f.why)
	}
	return skills.Answer(out), nil
}

// maxListed recipes are more than anybody listens to.
const maxListed = 20

// rank puts recipes in the language of the turn first.
func rank(r *Recipe, lang string) int {
	if r.Lang == lang {
		return 0
	}
	return 1
}

func (r *Recipe) matches(query string) bool {
	hay := r.ID + "\n" + r.Title + "\n" + strings.Join(r.Tags, "\n")
	for _, in := range r.Ingredients {
		hay += "\n" + in.Name
	}
	hay = text.Normalize(hay)
	for _, w := range strings.Fields(text.Normalize(query)) {
		if !strings.Contains(hay, w) {
			return false
		}
	}
	return true
}

type readIn struct {
	Recipe   string `json:"recipe" jsonschema:"required"`
	Servings int    `json:"servings,omitempty"`
}

// recipeOut is a recipe for the model.
type recipeOut struct {
	OK          bool     `json:"ok"`
	Recipe      string   `json:"recipe"`
	Servings    int      `json:"servings"`
	Ingredients []string `json:"ingredients,omitempty"`
	Steps       []string `json:"steps,omitempty"`
	Notes       []string `json:"notes,omitempty"`
	Note        string   `json:"note,omitempty"`
}

func readRecipe(ctx context.Context, in readIn) (string, error) {
	out, r, err := scaled(ctx, in)
	if err != nil {
		return "", err
	}
	for _, s := range r.Steps {
		out.Steps = append(out.Steps, s.Text)
	}
	for _, n := range r.Notes {
		out.Notes = append(out.Notes, n.Text)
	}
	if out.Servings != r.Servings {
		out.Note = fmt.Sprintf("numbers inside steps and notes are for %d people; times do not scale; salt and spices: start with less, then taste", r.Servings)
	}
	return skills.Answer(out), nil
}

func scaled(ctx context.Context, in readIn) (recipeOut, *Recipe, error) {
	b, s, err := kitchen(ctx)
	if err != nil {
		return recipeOut{}, nil, err
	}
	r, err := b.get(in.Recipe, s.Lang)
	if err != nil {
		return recipeOut{}, nil, err
	}
	n, err := servingsOf(in.Servings, r)
	if err != nil {
		return recipeOut{}, nil, err
	}
	return recipeOut{OK: true, Recipe: r.Title, Servings: n, Ingredients: r.Scaled(n)}, r, nil
}

func servingsOf(n int, r *Recipe) (int, error) {
	if n == 0 {
		return r.Servings, nil
	}
	if n < 1 || n > maxServings {
		return 0, fmt.Errorf("servings must be from 1 to %d", maxServings)
	}
	return n, nil
}

type saveIn struct {
	Title       string   `json:"title" jsonschema:"required"`
	Servings    int      `json:"servings" jsonschema:"required"`
	Ingredients []string `json:"ingredients" jsonschema:"required"`
	Steps       []string `json:"steps" jsonschema:"required"`
	Notes       []string `json:"notes,omitempty"`
}

func saveRecipe(ctx context.Context, in saveIn) (string, error) {
	b, _, err := kitchen(ctx)
	if err != nil {
		return "", err
	}
	r := &Recipe{Title: oneLine(in.Title), Servings: in.Servings, Lang: text.Lang(in.Title, "zh")}
	r.Lines(in.Ingredients, in.Steps, in.Notes)
	if err := b.save(r); err != nil {
		return "", err
	}
	return skills.Answer(recipeOut{OK: true, Recipe: r.Title, Servings: r.Servings}), nil
}

// cleanLines takes off bullets and numbers that a model put before its lines.
func cleanLines(all []string) []string {
	var kept []string
	for _, l := range all {
		l = oneLine(l)
		if m := item.FindStringSubmatch(l); m != nil {
			l = m[1]
		}
		if l != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

type correctIn struct {
	Recipe string `json:"recipe" jsonschema:"required"`
	Part   string `json:"part" jsonschema:"required,enum=ingredient,enum=step,enum=note"`
	Number int    `json:"number,omitempty" jsonschema:"description=from 1; 0 adds one"`
	Text   string `json:"text,omitempty" jsonschema:"description=the new line; empty removes it"`
}

func correctRecipe(ctx context.Context, in correctIn) (string, error) {
	b, s, err := kitchen(ctx)
	if err != nil {
		return "", err
	}
	r, err := b.get(in.Recipe, s.Lang)
	if err != nil {
		return "", err
	}
	p := part(in.Part)
	if !slices.Contains([]part{ingredients, steps, notes}, p) {
		return "", fmt.Errorf("part must be ingredient, step or note, not %q", in.Part)
	}
	after, err := b.correct(r, p, in.Number, in.Text)
	if err != nil {
		return "", err
	}
	out := recipeOut{OK: true, Recipe: after.Title, Servings: after.Servings}
	for i, l := range after.list(p) {
		out.Note += fmt.Sprintf("%d. %s\n", i+1, l.Text)
	}
	return skills.Answer(out), nil
}

type convertIn struct {
	Amount     string `json:"amount" jsonschema:"required,description=like 1.5 or 1/2 or 2-3"`
	From       string `json:"from" jsonschema:"required"`
	To         string `json:"to" jsonschema:"required"`
	Ingredient string `json:"ingredient,omitempty" jsonschema:"description=between weight and volume"`
}

func convertUnits(ctx context.Context, in convertIn) (string, error) {
	_, s, err := kitchen(ctx)
	if err != nil {
		return "", err
	}
	from, ok := findUnit(in.From)
	if !ok {
		return "", fmt.Errorf("unit %q is not known", in.From)
	}
	to, ok := findUnit(in.To)
	if !ok {
		return "", fmt.Errorf("unit %q is not known", in.To)
	}
	result, err := convertAmount(in.Amount, from, to, in.Ingredient, s.Lang)
	if err != nil {
		return "", err
	}
	return skills.Answer(struct {
		OK     bool   `json:"ok"`
		Result string `json:"result"`
	}{true, result + " " + in.To}), nil
}

// convertAmount converts an amount as written; the result says so when it is rounded
// or rests on a density.
func convertAmount(amount string, from, to unit, ingredient, lang string) (string, error) {
	amount = strings.TrimSpace(amount)
	minus := strings.HasPrefix(amount, "-") && from.dim == temperature
	a, rest, ok := CutAmount(strings.TrimPrefix(amount, "-"))
	if !ok || strings.TrimSpace(rest) != "" || strings.HasPrefix(amount, "-") && !minus {
		return "", fmt.Errorf("amount %q is no number", amount)
	}
	if minus {
		a.Low.Neg(a.Low)
		a.High = nil
	}
	low, exact, err := convert(a.Low, from, to, ingredient)
	if err != nil {
		return "", err
	}
	out := Amount{Low: low}
	if a.High != nil {
		if out.High, _, err = convert(a.High, from, to, ingredient); err != nil {
			return "", err
		}
	}
	if !exact {
		return out.About(to.metric, lang), nil
	}
	return out.Format(to.metric || to.dim == temperature, lang), nil
}
