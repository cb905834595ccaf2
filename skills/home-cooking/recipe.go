package homecooking

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"homebot/internal/lazyregexp"
	"homebot/internal/phrases"
	"homebot/internal/text"
	"homebot/skills"
)

// Recipe is one recipe file: front matter with title and servings, then lists of
// ingredients, steps and notes under their headings. A person writes and edits
// it; homebot changes single lines of it.
type Recipe struct {
	ID          string // file name without .md
	Title       string
	Lang        string // zh or en
	Servings    int
	Tags        []string
	Ingredients []Ingredient
	Steps       []Step
	Notes       []Line

	lines []string // of the whole file
	heads map[part]int
}

// Line is an item of a list and where it stands: lines[at:end] of the file.
type Line struct {
	Text    string
	at, end int
}

// Ingredient is one ingredient. An amount that cannot be read as a number (适量,
// to taste) stays in Vague and is never scaled.
type Ingredient struct {
	Line
	Name   string
	Amount *Amount // nil: see Vague
	Unit   string  // as written, may be ""
	Vague  string
	Note   string // in brackets after the amount
}

// Step is one step. Time is how long it takes, from the brackets at its end; it
// does not change with the number of people.
type Step struct {
	Line
	Time, TimeMax time.Duration // 0 when not given; TimeMax is the end of a range
}

// part is a list of a recipe.
type part string

const (
	ingredients part = "ingredient"
	steps       part = "step"
	notes       part = "note"
)

// headings of the lists, in lower case.
var headings = map[string]part{
	"用料": ingredients, "食材": ingredients, "原料": ingredients, "ingredients": ingredients,
	"步骤": steps, "做法": steps, "steps": steps, "method": steps, "directions": steps,
	"备注": notes, "小贴士": notes, "提示": notes, "notes": notes, "tips": notes,
}

// maxServings is a party; more is a typing error.
const maxServings = 100

// ParseRecipe reads a recipe file. Errors are *skills.ParseError with the line.
func ParseRecipe(id string, data []byte) (*Recipe, error) {
	var front struct {
		Title    string   `yaml:"title"`
		Lang     string   `yaml:"lang"`
		Servings int      `yaml:"servings"`
		Tags     []string `yaml:"tags"`
	}
	body, first, err := skills.FrontMatter(data, &front)
	var wrong *skills.ParseError
	if errors.As(err, &wrong) && wrong.Reason == skills.NoFrontMatter {
		return nil, skills.Wrong(1, phrases.RecipeNoHead)
	}
	if err != nil {
		return nil, err
	}
	r := &Recipe{ID: id, Title: strings.TrimSpace(front.Title), Lang: front.Lang, Servings: front.Servings, Tags: front.Tags, heads: map[part]int{}}
	r.lines = strings.Split(strings.TrimPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\ufeff"), "\n")
	switch {
	case r.Title == "":
		return nil, skills.Wrong(1, phrases.RecipeNoTitle)
	case r.Servings < 1 || r.Servings > maxServings:
		return nil, skills.Wrong(1, phrases.RecipeServings, maxServings)
	}
	if r.Lang != "zh" && r.Lang != "en" {
		r.Lang = text.Lang(r.Title, "zh")
	}
	r.readBody(body, first-1)
	switch {
	case len(r.Ingredients) == 0:
		return nil, skills.Wrong(first, phrases.RecipeNoIngredients)
	case len(r.Steps) == 0:
		return nil, skills.Wrong(first, phrases.RecipeNoSteps)
	}
	return r, nil
}

var item = lazyregexp.New(`^\s{0,3}(?:[-*+]|\d+[.)、])\s*(.+)$`)

// readBody reads the lists; at is the index of the body's first line.
func (r *Recipe) readBody(body string, at int) {
	var now part
	for line := range strings.SplitSeq(body, "\n") {
		if h, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok {
			now = headings[strings.ToLower(strings.TrimSpace(strings.TrimLeft(h, "#")))]
			if now != "" {
				r.heads[now] = at
			}
		} else if m := item.FindStringSubmatch(line); m != nil && now != "" {
			r.add(now, Line{strings.TrimSpace(m[1]), at, at + 1})
		} else if strings.TrimSpace(line) != "" && now != "" {
			r.goOn(now, strings.TrimSpace(line), at+1)
		}
		at++
	}
}

func (r *Recipe) add(p part, l Line) {
	switch p {
	case ingredients:
		r.Ingredients = append(r.Ingredients, ParseIngredient(l))
	case steps:
		r.Steps = append(r.Steps, parseStep(l))
	case notes:
		r.Notes = append(r.Notes, l)
	}
}

// goOn adds a further line to the last item.
func (r *Recipe) goOn(p part, more string, end int) {
	switch {
	case p == ingredients && len(r.Ingredients) > 0:
		l := r.Ingredients[len(r.Ingredients)-1].Line
		r.Ingredients[len(r.Ingredients)-1] = ParseIngredient(Line{l.Text + " " + more, l.at, end})
	case p == steps && len(r.Steps) > 0:
		l := r.Steps[len(r.Steps)-1].Line
		r.Steps[len(r.Steps)-1] = parseStep(Line{l.Text + " " + more, l.at, end})
	case p == notes && len(r.Notes) > 0:
		l := &r.Notes[len(r.Notes)-1]
		l.Text, l.end = l.Text+" "+more, end
	}
}

var brackets = lazyregexp.New(`\s*[(（]([^()（）]*)[)）]\s*$`)

// ParseIngredient reads “鸡蛋: 3 个 (常温)”. Without a colon all of it is the
// name.
func ParseIngredient(l Line) Ingredient {
	in := Ingredient{Line: l}
	i := strings.IndexAny(l.Text, ":：")
	if i < 0 {
		in.Name = l.Text
		return in
	}
	in.Name = strings.TrimSpace(l.Text[:i])
	rest := strings.TrimSpace(strings.TrimLeft(l.Text[i:], ":："))
	if m := brackets.FindStringSubmatchIndex(rest); m != nil {
		in.Note, rest = strings.TrimSpace(rest[m[2]:m[3]]), strings.TrimSpace(rest[:m[0]])
	}
	a, after, ok := CutAmount(rest)
	if !ok {
		in.Vague = rest
		return in
	}
	in.Unit = strings.TrimSpace(after)
	if u, half := strings.CutSuffix(in.Unit, "半"); half && u != "" { // 一勺半
		a, in.Unit = a.Plus(big.NewRat(1, 2)), u
	}
	in.Amount = &a
	return in
}

var (
	timeWord = lazyregexp.New(`^(小时|个小时|钟头|分钟|分|秒钟|秒|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?:[^a-z]|$)`)
	overTime = lazyregexp.New(`^(?:约|大约|about|ca\.?)?\s*`)
)

func parseStep(l Line) Step {
	s := Step{Line: l}
	if m := brackets.FindStringSubmatch(strings.TrimRight(l.Text, "。. ")); m != nil {
		s.Time, s.TimeMax, _ = ParseTime(m[1])
	}
	return s
}

// ParseTime reads 3 分钟, 1 小时 30 分钟, 3-4 min, 90 s. ok is false for anything
// else; then it is no time.
func ParseTime(s string) (low, high time.Duration, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	s = s[len(overTime.FindString(s)):]
	for s != "" {
		a, rest, ok := CutAmount(s)
		rest = strings.TrimSpace(rest)
		m := timeWord.FindStringSubmatch(rest)
		if !ok || m == nil {
			return 0, 0, false
		}
		lo, hi := seconds(a.Low, m[1]), seconds(a.Low, m[1])
		if a.High != nil {
			hi = seconds(a.High, m[1])
		}
		low, high = low+lo, high+hi
		s = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest[len(m[1]):]), "and "))
	}
	return low, high, low > 0
}

func seconds(x *big.Rat, word string) time.Duration {
	per := time.Second
	switch {
	case strings.HasPrefix(word, "h"), strings.HasSuffix(word, "小时"), word == "钟头":
		per = time.Hour
	case strings.HasPrefix(word, "m"), strings.HasPrefix(word, "分"):
		per = time.Minute
	}
	f, _ := new(big.Rat).Mul(x, big.NewRat(int64(per), 1)).Float64()
	return time.Duration(f).Round(time.Second)
}

// Total is how long all steps take, as far as they say.
func (r *Recipe) Total() (sum time.Duration) {
	for _, s := range r.Steps {
		sum += s.Time
	}
	return sum
}

// Scaled are the ingredients for a number of people. Times do not scale. A note
// that holds a number is left out when the amounts change: it would be wrong.
func (r *Recipe) Scaled(servings int) []string {
	f := big.NewRat(int64(servings), int64(r.Servings))
	out := make([]string, len(r.Ingredients))
	for i, in := range r.Ingredients {
		out[i] = in.scaled(f, r.Lang)
	}
	return out
}

func (in Ingredient) scaled(f *big.Rat, lang string) string {
	same := f.Cmp(big.NewRat(1, 1)) == 0
	if in.Amount == nil || same {
		return in.Text
	}
	u, known := findUnit(in.Unit)
	s := in.Name + ": " + strings.TrimSpace(in.Amount.Times(f).Format(known && u.metric, lang)+" "+in.Unit)
	if in.Note != "" && !hasNumber(in.Note) {
		s += " (" + in.Note + ")"
	}
	return s
}

func hasNumber(s string) bool {
	for i := range s {
		if _, _, ok := cutNumber(s[i:]); ok {
			return true
		}
	}
	return false
}

// Render writes a new recipe file.
func (r *Recipe) Render() string {
	head := map[string][3]string{"zh": {"用料", "步骤", "备注"}, "en": {"Ingredients", "Steps", "Notes"}}[r.Lang]
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntitle: %s\nlang: %s\nservings: %d\n", strconv.Quote(r.Title), r.Lang, r.Servings)
	if len(r.Tags) > 0 {
		quoted := make([]string, len(r.Tags))
		for i, t := range r.Tags {
			quoted[i] = strconv.Quote(oneLine(t))
		}
		b.WriteString("tags: [" + strings.Join(quoted, ", ") + "]\n")
	}
	b.WriteString("---\n\n## " + head[0] + "\n\n")
	for _, in := range r.Ingredients {
		b.WriteString("- " + in.Text + "\n")
	}
	b.WriteString("\n## " + head[1] + "\n\n")
	for i, s := range r.Steps {
		fmt.Fprintf(&b, "%d. %s\n", i+1, s.Text)
	}
	if len(r.Notes) > 0 {
		b.WriteString("\n## " + head[2] + "\n\n")
	}
	for _, n := range r.Notes {
		b.WriteString("- " + n.Text + "\n")
	}
	return b.String()
}
