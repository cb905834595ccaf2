package homecooking

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"homebot/internal/store"
	"homebot/internal/text"
	"homebot/modes"
)

// ModeID is the mode whose plugin this is; its data directory has the same name.
const ModeID = "cooking"

// Errors of a Kitchen that are not the disk's or a *skills.ParseError.
var (
	ErrNoRecipe = errors.New("there is no such recipe")
	ErrExists   = errors.New("there is a recipe of that name already")
	ErrChanged  = errors.New("the recipe was changed meanwhile")
	ErrNoTitle  = errors.New("the title has no letter in it")
	ErrTooLong  = fmt.Errorf("a recipe has at most %d KiB", maxRecipeBytes>>10)
)

// writing is held while a recipe is read to be written anew: a turn that corrects
// one and a person who edits it on the console must not undo each other.
var writing sync.Mutex

// Kitchen is the family's recipes and the dish in work, for who is no turn: the
// console. Any goroutine may use it.
type Kitchen struct{ book book }

// NewKitchen returns the kitchen of a workspace.
func NewKitchen(fsys store.FS, workspace string) *Kitchen {
	return &Kitchen{book{store.Confine(fsys, filepath.Join(workspace, ModeID))}}
}

// Flawed is a recipe file that cannot be read.
type Flawed struct{ File, Why string }

// Recipes are all recipes, by file name; those that match query when it is not
// empty. The bundled ones are put there first, as at an entry of the mode.
func (k *Kitchen) Recipes(query string) ([]*Recipe, []Flawed, error) {
	if err := k.install(); err != nil {
		return nil, nil, err
	}
	good, bad, err := k.book.all()
	good = slices.DeleteFunc(good, func(r *Recipe) bool { return !r.matches(query) })
	var flaws []Flawed
	for _, f := range bad {
		flaws = append(flaws, Flawed{f.file, f.why})
	}
	return good, flaws, err
}

func (k *Kitchen) install() error {
	writing.Lock()
	defer writing.Unlock()
	return k.book.install()
}

// Recipe reads one recipe by its ID, and its file as it is.
func (k *Kitchen) Recipe(id string) (*Recipe, string, error) {
	data, err := k.file(id)
	if err != nil {
		return nil, "", err
	}
	r, err := ParseRecipe(id, data)
	return r, string(data), err
}

func (k *Kitchen) file(id string) ([]byte, error) {
	if !isID(id) {
		return nil, ErrNoRecipe
	}
	data, err := k.book.data.ReadFile(path.Join(recipesDir, id+".md"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNoRecipe
	case err == nil && len(data) > maxRecipeBytes:
		return nil, ErrTooLong
	}
	return data, err
}

// isID: the name of a file in the directory of recipes, whatever a person called
// it.
func isID(id string) bool {
	return id != "" && len(id) <= 200 && utf8.ValidString(id) && !strings.HasPrefix(id, ".") && !strings.ContainsAny(id, "/\\\x00")
}

// Revision tells one content of a recipe file from another.
func Revision(source string) string {
	sum := sha256.Sum256([]byte(source))
	return hex.EncodeToString(sum[:8])
}

// Add writes a new recipe. Its ID comes from the title.
func (k *Kitchen) Add(source string) (*Recipe, error) {
	if len(source) > maxRecipeBytes {
		return nil, ErrTooLong
	}
	r, err := ParseRecipe("new", []byte(source))
	if err != nil {
		return nil, err
	}
	id := fileName(r.Title)
	if id == "" {
		return nil, ErrNoTitle
	}
	writing.Lock()
	defer writing.Unlock()
	switch _, err := k.file(id); {
	case err == nil:
		return nil, fmt.Errorf("%w: %s", ErrExists, r.Title)
	case !errors.Is(err, ErrNoRecipe):
		return nil, err
	}
	return k.put(id, source)
}

// Change writes a recipe anew; revision is that of what was read, "" for
// whatever is there.
func (k *Kitchen) Change(id, source, revision string) (*Recipe, error) {
	if len(source) > maxRecipeBytes {
		return nil, ErrTooLong
	}
	writing.Lock()
	defer writing.Unlock()
	old, err := k.file(id)
	switch {
	case err != nil:
		return nil, err
	case revision != "" && revision != Revision(string(old)):
		return nil, ErrChanged
	}
	return k.put(id, source)
}

func (k *Kitchen) put(id, source string) (*Recipe, error) {
	r, err := ParseRecipe(id, []byte(source))
	if err != nil {
		return nil, err
	}
	return r, k.book.data.Replace(path.Join(recipesDir, id+".md"), []byte(source))
}

// Delete throws a recipe away. A bundled one does not come back.
func (k *Kitchen) Delete(id string) error {
	if !isID(id) {
		return ErrNoRecipe
	}
	writing.Lock()
	defer writing.Unlock()
	err := k.book.data.Remove(path.Join(recipesDir, id+".md"))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoRecipe
	}
	return err
}

// Cooks reports whether a mode is this kitchen's.
func (k *Kitchen) Cooks(modeID string) bool { return modeID == ModeID }

// Dish is what a mode session cooks.
type Dish struct {
	Recipe   *Recipe // nil: none is in work, or its file is gone
	Title    string
	Servings int
	Step     int // from 1; 0: none is in work, or it is finished
	Finished bool
}

// Dish is what the session of the mode cooks now. It only reads.
func (k *Kitchen) Dish(sessionID string) (Dish, error) {
	p, err := readProgress(modes.Scope{SessionID: sessionID, Data: k.book.data})
	if err != nil || p.Recipe == "" {
		return Dish{}, err
	}
	d := Dish{Title: p.Title, Servings: p.Servings, Step: p.Step, Finished: p.Step == 0}
	if r, err := k.book.read(p.Recipe); err == nil {
		d.Recipe, d.Step = r, min(p.Step, len(r.Steps))
	}
	return d, nil
}

// Compose writes a recipe file of its parts.
func Compose(r Recipe) string {
	r.Title = oneLine(r.Title)
	if r.Lang != "zh" && r.Lang != "en" {
		r.Lang = text.Lang(r.Title, "zh")
	}
	return r.Render()
}

// Lines makes the lists of a recipe of plain lines.
func (r *Recipe) Lines(ingredients, steps, notes []string) {
	for _, l := range cleanLines(ingredients) {
		r.Ingredients = append(r.Ingredients, ParseIngredient(Line{Text: l}))
	}
	for _, l := range cleanLines(steps) {
		r.Steps = append(r.Steps, parseStep(Line{Text: l}))
	}
	for _, l := range cleanLines(notes) {
		r.Notes = append(r.Notes, Line{Text: l})
	}
}
