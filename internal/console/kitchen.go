package console

import (
	"errors"
	"net/http"
	"strconv"

	"homebot/internal/phrases"
	"homebot/skills"
	homecooking "homebot/skills/home-cooking"
)

// Kitchen has the recipes and the dish in work (homecooking.Kitchen).
type Kitchen interface {
	Recipes(query string) ([]*homecooking.Recipe, []homecooking.Flawed, error)
	Recipe(id string) (*homecooking.Recipe, string, error)
	Add(source string) (*homecooking.Recipe, error)
	Change(id, source, revision string) (*homecooking.Recipe, error)
	Delete(id string) error
	Cooks(modeID string) bool
	Dish(sessionID string) (homecooking.Dish, error)
}

// cookingOf is a dish for a page.
func cookingOf(d homecooking.Dish) *Cooking {
	c := &Cooking{Title: d.Title, Servings: d.Servings, Step: d.Step, Finished: d.Finished, Steps: []string{}, Ingredients: []string{}, Notes: []string{}}
	r := d.Recipe
	if r == nil {
		return c
	}
	c.Recipe, c.Title, c.Of = r.ID, r.Title, len(r.Steps)
	if c.Servings < 1 {
		c.Servings = r.Servings
	}
	c.Ingredients = r.Scaled(c.Servings)
	for _, s := range r.Steps {
		c.Steps = append(c.Steps, s.Text)
	}
	for _, n := range r.Notes {
		c.Notes = append(c.Notes, n.Text)
	}
	if c.Step > 0 && c.Step <= len(r.Steps) {
		c.Text, c.Seconds = r.Steps[c.Step-1].Text, int(r.Steps[c.Step-1].Time.Seconds())
	}
	return c
}

// docOf is a recipe for a page, for so many people (0: as it is written).
func docOf(r *homecooking.Recipe, source string, servings int) RecipeDoc {
	d := RecipeDoc{
		ID: r.ID, Title: r.Title, Lang: r.Lang, Servings: r.Servings, ScaledTo: r.Servings, Minutes: int(r.Total().Minutes()),
		Tags: r.Tags, Source: source, Revision: homecooking.Revision(source), Ingredients: []string{}, Steps: []string{}, Notes: []string{},
	}
	if servings > 0 {
		d.ScaledTo = servings
	}
	d.Ingredients = r.Scaled(d.ScaledTo)
	for _, s := range r.Steps {
		d.Steps = append(d.Steps, s.Text)
	}
	for _, n := range r.Notes {
		d.Notes = append(d.Notes, n.Text)
	}
	return d
}

// sourceOf is the file of a recipe that a page sent.
func sourceOf(d RecipeDoc) string {
	if d.Source != "" {
		return d.Source
	}
	r := homecooking.Recipe{Title: d.Title, Lang: d.Lang, Servings: d.Servings, Tags: d.Tags}
	r.Lines(d.Ingredients, d.Steps, d.Notes)
	return homecooking.Compose(r)
}

// kitchenError tells a page what is wrong with a recipe.
func kitchenError(err error) error {
	var wrong *skills.ParseError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, homecooking.ErrNoRecipe):
		return refusal{http.StatusNotFound, "not_found", phrases.ConsoleNotFound, nil}
	case errors.Is(err, homecooking.ErrExists):
		return refusal{http.StatusConflict, "exists", phrases.ConsoleExists, nil}
	case errors.Is(err, homecooking.ErrChanged):
		return refusal{http.StatusConflict, "changed", phrases.ConsoleChanged, nil}
	case errors.Is(err, homecooking.ErrTooLong):
		return refusal{http.StatusRequestEntityTooLarge, "too_large", phrases.ConsoleTooLarge, []any{64}}
	case errors.Is(err, homecooking.ErrNotRecipe):
		return refusal{http.StatusUnprocessableEntity, "no_recipe", phrases.ConsoleNoRecipeInText, nil}
	case errors.As(err, &wrong):
		return refusal{http.StatusUnprocessableEntity, "bad_recipe", phrases.ConsoleBadRecipe, []any{wrong}}
	case errors.Is(err, homecooking.ErrNoTitle):
		return refusal{http.StatusUnprocessableEntity, "bad_recipe", phrases.ConsoleTitleWithoutLetter, nil}
	}
	return err
}

func (c *Console) kitchen() (Kitchen, error) {
	if c.Kitchen == nil {
		return nil, refusal{http.StatusNotFound, "no_kitchen", phrases.ConsoleNotFound, nil}
	}
	return c.Kitchen, nil
}

// recipeLines lists the recipes that match a query.
func (c *Console) recipeLines(query string) ([]RecipeLine, []Broken, error) {
	k, err := c.kitchen()
	if err != nil {
		return nil, nil, err
	}
	if len(query) > 200 {
		return nil, nil, badCommand(phrases.ConsoleLong, "q")
	}
	good, bad, err := k.Recipes(query)
	if err != nil {
		return nil, nil, err
	}
	lines, broken := []RecipeLine{}, []Broken{}
	for _, r := range good {
		lines = append(lines, RecipeLine{r.ID, r.Title, r.Lang, r.Servings, int(r.Total().Minutes()), r.Tags})
	}
	for _, f := range bad {
		broken = append(broken, Broken{f.File, f.Why})
	}
	return lines, broken, nil
}

func (c *Console) getRecipes(w http.ResponseWriter, r *http.Request) error {
	lines, broken, err := c.recipeLines(r.URL.Query().Get("q"))
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, map[string]any{"recipes": lines, "broken": broken})
	return nil
}

// recipeDoc is the recipe that a request names, scaled as it says.
func (c *Console) recipeDoc(r *http.Request) (RecipeDoc, error) {
	k, err := c.kitchen()
	if err != nil {
		return RecipeDoc{}, err
	}
	servings := 0
	if s := r.URL.Query().Get("servings"); s != "" {
		if servings, err = strconv.Atoi(s); err != nil || servings < 1 || servings > 100 {
			return RecipeDoc{}, badCommand(phrases.ConsoleRange, "servings", 1, 100)
		}
	}
	rec, source, err := k.Recipe(r.PathValue("id"))
	if err != nil {
		return RecipeDoc{}, kitchenError(err)
	}
	return docOf(rec, source, servings), nil
}

func (c *Console) getRecipe(w http.ResponseWriter, r *http.Request) error {
	doc, err := c.recipeDoc(r)
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, doc)
	return nil
}

// written is the recipe that a request brings, and the kitchen it is for.
func (c *Console) written(w http.ResponseWriter, r *http.Request) (Kitchen, RecipeDoc, error) {
	var in RecipeDoc
	k, err := c.kitchen()
	if err == nil {
		err = c.body(w, r, 4*maxBody, &in)
	}
	return k, in, err
}

func (c *Console) postRecipe(w http.ResponseWriter, r *http.Request) error {
	k, in, err := c.written(w, r)
	if err != nil {
		return err
	}
	rec, err := k.Add(sourceOf(in))
	return c.saved(w, http.StatusCreated, rec, err)
}

func (c *Console) putRecipe(w http.ResponseWriter, r *http.Request) error {
	k, in, err := c.written(w, r)
	if err != nil {
		return err
	}
	rec, err := k.Change(r.PathValue("id"), sourceOf(in), in.Revision)
	return c.saved(w, http.StatusOK, rec, err)
}

// saved answers with a recipe as it is on disk now.
func (c *Console) saved(w http.ResponseWriter, status int, rec *homecooking.Recipe, err error) error {
	if err != nil {
		return kitchenError(err)
	}
	rec, source, err := c.Kitchen.Recipe(rec.ID)
	if err != nil {
		return kitchenError(err)
	}
	c.hub.changed()
	reply(w, status, docOf(rec, source, 0))
	return nil
}

func (c *Console) deleteRecipe(w http.ResponseWriter, r *http.Request) error {
	k, err := c.kitchen()
	if err != nil {
		return err
	}
	if err := k.Delete(r.PathValue("id")); err != nil {
		return kitchenError(err)
	}
	c.hub.changed()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (c *Console) postImport(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Text string `json:"text"`
	}
	if err := c.body(w, r, maxImportBody+maxBody, &in); err != nil {
		return err
	}
	rec, err := homecooking.Import(in.Text)
	if err != nil {
		var wrong *skills.ParseError
		if errors.As(err, &wrong) {
			err = homecooking.ErrNotRecipe
		}
		return kitchenError(err)
	}
	rec.ID = ""
	doc := docOf(rec, "", 0)
	doc.Revision = ""
	reply(w, http.StatusOK, doc)
	return nil
}

func (c *Console) getCooking(w http.ResponseWriter, _ *http.Request) error {
	reply(w, http.StatusOK, c.hub.readCooking())
	return nil
}
