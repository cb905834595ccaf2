package homecooking

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"homebot/internal/store"
	"homebot/internal/text"
	"homebot/skills"
)

// Recipes that come with homebot; they are copied into the workspace once, and
// are the family's own from then on.
//
//go:embed recipes/*.md
var bundled embed.FS

// Where a book keeps its recipes, in the mode's data directory, and what it put
// there itself.
const (
	recipesDir = "recipes"
	markerFile = "recipes/.installed"
)

// maxRecipeBytes bounds a recipe, maxRecipes how many are read.
const (
	maxRecipeBytes = 64 << 10
	maxRecipes     = 2000
)

// book is the recipes of a kitchen.
type book struct{ data store.Confined }

// install copies the bundled recipes that were never there before; one that the
// family threw away does not come back.
func (b book) install() error {
	marker, err := b.data.ReadFile(markerFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	had := strings.Fields(string(marker))
	files, err := bundled.ReadDir(recipesDir)
	if err != nil {
		return err
	}
	var all []string
	news := false
	for _, f := range files {
		all = append(all, f.Name())
		if slices.Contains(had, f.Name()) {
			continue
		}
		news = true
		if err := b.installOne(f.Name()); err != nil {
			return err
		}
	}
	if !news {
		return nil
	}
	return b.data.Replace(markerFile, []byte(strings.Join(all, "\n")+"\n"))
}

func (b book) installOne(name string) error {
	file := path.Join(recipesDir, name)
	if _, err := b.data.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := bundled.ReadFile(file)
	if err != nil {
		return err
	}
	return b.data.Replace(file, data)
}

// flawed is a recipe that cannot be read.
type flawed struct{ file, why string }

// all reads every recipe, by file name; the flawed ones are named.
func (b book) all() (good []*Recipe, bad []flawed, err error) {
	entries, err := b.data.ReadDir(recipesDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".md")
		if !ok || strings.HasPrefix(id, ".") || len(good) == maxRecipes {
			continue
		}
		r, err := b.read(id)
		if err != nil {
			bad = append(bad, flawed{path.Join(recipesDir, e.Name()), oneLine(err.Error())})
			continue
		}
		good = append(good, r)
	}
	return good, bad, nil
}

func (b book) read(id string) (*Recipe, error) {
	data, err := b.data.ReadFile(path.Join(recipesDir, id+".md"))
	if err != nil {
		return nil, err
	}
	if len(data) > maxRecipeBytes {
		return nil, &skills.ParseError{Reason: fmt.Sprintf("longer than %d bytes", maxRecipeBytes)}
	}
	return ParseRecipe(id, data)
}

// get finds one recipe by file name or title. lang decides between two of one
// dish.
func (b book) get(name, lang string) (*Recipe, error) {
	good, bad, err := b.all()
	if err != nil {
		return nil, err
	}
	want := plain(name)
	if want == "" {
		return nil, errors.New("recipe is missing: give its title")
	}
	var near []*Recipe
	for _, r := range good {
		switch {
		case r.ID == name || plain(r.Title) == want || plain(r.ID) == want:
			return r, nil
		case strings.Contains(plain(r.Title), want):
			near = append(near, r)
		}
	}
	if i := slices.IndexFunc(near, func(r *Recipe) bool { return r.Lang == lang }); i > 0 {
		near[0], near[i] = near[i], near[0]
	}
	if len(near) == 1 || len(near) > 1 && near[0].Lang == lang && near[1].Lang != lang {
		return near[0], nil
	}
	for _, f := range bad {
		if strings.Contains(plain(f.file), want) {
			return nil, fmt.Errorf("%s cannot be read: %s", f.file, f.why)
		}
	}
	if len(near) > 1 {
		return nil, fmt.Errorf("several recipes match %q: %s", name, titles(near))
	}
	return nil, fmt.Errorf("there is no recipe %q; find_recipe lists what there is", name)
}

func titles(all []*Recipe) string {
	var s []string
	for _, r := range all[:min(len(all), 10)] {
		s = append(s, r.Title)
	}
	return strings.Join(s, ", ")
}

// plain is how names are compared.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text.Normalize(s))
}

// oneLine is s without line ends, and without what a page that is imported may
// hide in it.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if text.Unseen(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)), " ")
}

// fileName is the id of a new recipe: its title, as far as file names may.
func fileName(title string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		case unicode.IsSpace(r) || r == '-' || r == '_':
			return '-'
		}
		return -1
	}, title)
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40])
	}
	return strings.Trim(s, "-")
}

// save writes a new recipe; it never writes over one.
func (b book) save(r *Recipe) error {
	r.ID = fileName(r.Title)
	if r.ID == "" {
		return errors.New("the title has no letter in it")
	}
	data := []byte(r.Render())
	if _, err := ParseRecipe(r.ID, data); err != nil {
		return err
	}
	file := path.Join(recipesDir, r.ID+".md")
	writing.Lock()
	defer writing.Unlock()
	if _, err := b.data.Stat(file); err == nil {
		return fmt.Errorf("there is a recipe %q already; change it with correct_recipe, or choose another title", r.Title)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return b.data.Replace(file, data)
}

// correct changes one line of a recipe and leaves everything else as the family
// wrote it. number counts from 1; 0 adds a line; an empty text takes one out.
func (b book) correct(r *Recipe, p part, number int, with string) (*Recipe, error) {
	writing.Lock()
	defer writing.Unlock()
	r, err := b.read(r.ID) // as it is now
	if err != nil {
		return nil, err
	}
	lines, err := r.corrected(p, number, oneLine(with))
	if err != nil {
		return nil, err
	}
	data := []byte(strings.Join(lines, "\n"))
	after, err := ParseRecipe(r.ID, data)
	if err != nil {
		return nil, fmt.Errorf("not changed, the recipe would not be readable any more: %w", err)
	}
	return after, b.data.Replace(path.Join(recipesDir, r.ID+".md"), data)
}

func (r *Recipe) corrected(p part, number int, with string) ([]string, error) {
	list := r.list(p)
	head, there := r.heads[p]
	if !there {
		return nil, fmt.Errorf("the recipe has no list of that kind (%s); add its heading to %s.md", p, r.ID)
	}
	mark := "- "
	if p == steps {
		mark = "1. "
	}
	at, end := head+1, head+1
	switch {
	case number < 0 || number > len(list):
		return nil, fmt.Errorf("number must be from 1 to %d, or 0 to add one", len(list))
	case number > 0:
		at, end = list[number-1].at, list[number-1].end
	case with == "":
		return nil, errors.New("text is empty")
	case len(list) > 0:
		at, end = list[len(list)-1].end, list[len(list)-1].end
	}
	var put []string
	if with != "" {
		put = []string{mark + with}
	}
	lines := slices.Concat(r.lines[:at], put, r.lines[end:])
	if p == steps {
		renumber(lines, head)
	}
	return lines, nil
}

// list are the places of a list's items.
func (r *Recipe) list(p part) []Line {
	var all []Line
	switch p {
	case ingredients:
		for _, in := range r.Ingredients {
			all = append(all, in.Line)
		}
	case steps:
		for _, s := range r.Steps {
			all = append(all, s.Line)
		}
	case notes:
		all = r.Notes
	}
	return all
}

// renumber counts the steps below the heading at head anew.
func renumber(lines []string, head int) {
	n := 0
	for i := head + 1; i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), "#"); i++ {
		if m := item.FindStringSubmatch(lines[i]); m != nil {
			n++
			lines[i] = strconv.Itoa(n) + ". " + m[1]
		}
	}
}
