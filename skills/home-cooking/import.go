package homecooking

import (
	"encoding/json"
	"errors"
	"html"
	"strconv"
	"strings"

	"homebot/internal/lazyregexp"
	"homebot/internal/text"
)

// Bounds of what is imported: a cookbook's longest recipe has a tenth of it.
const (
	maxImported = 1 << 20
	maxLines    = 200
	maxDepth    = 12
	maxLine     = 2000 // bytes
)

// ErrNotRecipe: nothing in the text looks like a recipe.
var ErrNotRecipe = errors.New("no recipe found: it needs a title, ingredients and steps")

// Import reads a recipe from what people have: a recipe file, a saved web page or
// a JSON text with schema.org data, or pasted text. Nothing is saved; what it
// could not tell (servings) it guesses, and a person looks at it.
func Import(source string) (*Recipe, error) {
	if len(source) > maxImported {
		return nil, ErrTooLong
	}
	source = strings.TrimSpace(strings.ToValidUTF8(strings.TrimPrefix(source, "\ufeff"), ""))
	if strings.HasPrefix(source, "---") {
		if r, err := ParseRecipe("import", []byte(source)); err == nil {
			return r, nil
		}
	}
	for _, data := range jsonIn(source) {
		var v any
		if json.Unmarshal([]byte(data), &v) != nil {
			continue
		}
		if found := findRecipeObject(v, 0); found != nil {
			return whole(fromSchema(found))
		}
	}
	if looksLikeHTML(source) {
		source = plainText(source)
	}
	return whole(fromText(source))
}

// whole completes a recipe, or refuses one with nothing in it.
func whole(r *Recipe) (*Recipe, error) {
	if r.Title == "" || len(r.Ingredients) == 0 || len(r.Steps) == 0 {
		return nil, ErrNotRecipe
	}
	if r.Servings < 1 || r.Servings > maxServings {
		r.Servings = 2
	}
	r.Lang = text.Lang(r.Title, "zh")
	return ParseRecipe("import", []byte(r.Render()))
}

var script = lazyregexp.New(`(?is)<script[^>]*application/ld\+json[^>]*>(.*?)</script>`)

// jsonIn are the JSON texts in a source: itself, or the data blocks of a page.
func jsonIn(source string) []string {
	if strings.HasPrefix(source, "{") || strings.HasPrefix(source, "[") {
		return []string{source}
	}
	var all []string
	for _, m := range script.FindAllStringSubmatch(source, 20) {
		all = append(all, strings.TrimSpace(m[1]))
	}
	return all
}

// findRecipeObject looks for the first object of @type Recipe.
func findRecipeObject(v any, depth int) map[string]any {
	if depth > maxDepth {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		for _, t := range stringsOf(v["@type"], 0) {
			if name := t[strings.LastIndexAny(t, "/#:")+1:]; strings.EqualFold(name, "Recipe") {
				return v
			}
		}
		for _, key := range []string{"@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "hasPart"} {
			if found := findRecipeObject(v[key], depth+1); found != nil {
				return found
			}
		}
	case []any:
		for _, e := range v {
			if found := findRecipeObject(e, depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}

func fromSchema(o map[string]any) *Recipe {
	r := &Recipe{Title: first(stringsOf(o["name"], 0)), Servings: servingsIn(strings.Join(stringsOf(o["recipeYield"], 0), " "))}
	list := stringsOf(o["recipeIngredient"], 0)
	if len(list) == 0 {
		list = stringsOf(o["ingredients"], 0)
	}
	var in []string
	for _, l := range list {
		in = append(in, colonAmount(l))
	}
	r.Lines(limit(in), limit(stringsOf(o["recipeInstructions"], 0)), nil)
	for _, tag := range stringsOf(o["keywords"], 0) {
		for t := range strings.FieldsFuncSeq(tag, func(c rune) bool { return strings.ContainsRune(",，、;", c) }) {
			if t = strings.TrimSpace(t); t != "" && len(r.Tags) < 8 && len(t) <= 40 {
				r.Tags = append(r.Tags, t)
			}
		}
	}
	return r
}

// stringsOf are the texts in a value of schema.org, which may be one, a list, or
// objects with text or name, nested in sections.
func stringsOf(v any, depth int) []string {
	if depth > maxDepth {
		return nil
	}
	var all []string
	switch v := v.(type) {
	case string:
		for l := range strings.Lines(plainText(v)) {
			if l = oneLine(l); l != "" {
				all = append(all, cut(l))
			}
		}
	case float64:
		all = append(all, strconv.FormatFloat(v, 'f', -1, 64))
	case []any:
		for _, e := range v {
			if all = append(all, stringsOf(e, depth+1)...); len(all) > maxLines {
				break
			}
		}
	case map[string]any:
		for _, key := range []string{"itemListElement", "text", "name", "value"} {
			if s := stringsOf(v[key], depth+1); len(s) > 0 {
				return s
			}
		}
	}
	return all
}

func first(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

func limit(all []string) []string { return all[:min(len(all), maxLines)] }

// cut bounds a line without breaking a character.
func cut(s string) string {
	if len(s) <= maxLine {
		return s
	}
	return strings.ToValidUTF8(s[:maxLine], "") + "…"
}

var (
	blocks    = lazyregexp.New(`(?i)<(?:br|/p|/li|/div|/h[1-6]|/tr)[^>]*>`)
	invisible = lazyregexp.New(`(?is)<(script|style|head|nav|footer|noscript|svg)\b.*?</(script|style|head|nav|footer|noscript|svg)>|<!--.*?-->`)
	tags      = lazyregexp.New(`(?s)<[^>]*>`)
)

func looksLikeHTML(s string) bool {
	head := strings.ToLower(s[:min(len(s), 4096)])
	return strings.Contains(head, "<html") || strings.Contains(head, "<body") || strings.Contains(head, "<p>") || strings.Contains(head, "<li>")
}

// plainText takes tags and entities out.
func plainText(s string) string {
	if strings.ContainsRune(s, '<') {
		s = tags.ReplaceAllString(blocks.ReplaceAllString(invisible.ReplaceAllString(s, " "), "\n"), " ")
	}
	return html.UnescapeString(s)
}

var (
	servingsZH = lazyregexp.New(`(\d+)\s*(?:[-~到]\s*\d+\s*)?(?:个)?(?:人份|人|份)`)
	servingsEN = lazyregexp.New(`(?i)(?:serves|servings?|yield|makes|for)\D{0,12}(\d+)|(\d+)\s*(?:servings|people|portions|serves)`)
	anyNumber  = lazyregexp.New(`\d+`)
	numbered   = lazyregexp.New(`^\s*(?:\d{1,3}\s*[.)、．:：]|第[一二三四五六七八九十\d]+步|(?i:step)\s*\d+)\s*[.:：、]?\s*(.+)$`)
)

// servingsIn reads a yield: 4, "4 servings", "4人份"; 0 when it has no number.
func servingsIn(s string) int {
	if n := servingsOfLine(s); n > 0 {
		return n
	}
	n, _ := strconv.Atoi(anyNumber.FindString(s))
	return n
}

func servingsOfLine(s string) int {
	for _, p := range []*lazyregexp.Regexp{servingsZH, servingsEN} {
		if m := p.FindStringSubmatch(s); m != nil {
			for _, g := range m[1:] {
				if n, err := strconv.Atoi(g); err == nil && n > 0 {
					return n
				}
			}
		}
	}
	return 0
}

// fromText reads pasted text: the first line is the title; headings, bullets and
// numbers tell what the others are, and where there are none, an amount does.
func fromText(s string) *Recipe {
	r := &Recipe{}
	var now part
	var in, st, no []string
	for line := range strings.Lines(s) {
		line = cut(oneLine(line))
		bare := strings.TrimSpace(strings.Trim(strings.TrimLeft(line, "# "), "*_：: "))
		switch p, head := headings[strings.ToLower(bare)]; {
		case bare == "":
		case head:
			now = p
		case r.Title == "":
			r.Title = bare
		case now == "" && servingsOfLine(bare) > 0 && len(bare) < 60:
			r.Servings = servingsOfLine(bare)
		case now == notes:
			no = append(no, line)
		case now == steps || now == "" && numbered.MatchString(line):
			st = append(st, unnumbered(line))
		case now == ingredients || isIngredient(bare):
			in = append(in, colonAmount(line))
		default:
			st = append(st, line)
		}
	}
	r.Lines(limit(in), limit(st), limit(no))
	return r
}

func unnumbered(line string) string {
	if m := numbered.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return line
}

// isIngredient: a short line with an amount in it.
func isIngredient(line string) bool {
	if len([]rune(line)) > 30 || strings.ContainsAny(line, "。.!！") {
		return false
	}
	return ParseIngredient(Line{Text: colonAmount(line)}).Amount != nil
}

// colonAmount brings “2 cups flour” and “鸡蛋3个” into the form “flour: 2 cups”,
// which can be scaled; anything else stays as it is.
func colonAmount(line string) string {
	line = oneLine(line)
	if m := item.FindStringSubmatch(line); m != nil && !strings.ContainsAny(line[:1], "0123456789") {
		line = m[1]
	}
	if strings.ContainsAny(line, ":：") {
		return line
	}
	for i, c := range line { // 五花肉 500克: its first character is no amount
		if c < '0' || c > '9' && vulgar[c] == "" && c != '半' {
			continue
		}
		if i == 0 {
			break
		}
		return strings.TrimSpace(line[:i]) + ": " + line[i:]
	}
	if a, rest, ok := CutAmount(line); ok {
		amount := strings.TrimSpace(strings.TrimSuffix(line, rest))
		unit, name, two := strings.Cut(strings.TrimSpace(rest), " ")
		if _, known := findUnit(strings.Trim(unit, ".,")); two && known {
			return strings.TrimPrefix(name, "of ") + ": " + amount + " " + strings.Trim(unit, ".,")
		}
		if a.Low.Sign() > 0 && strings.TrimSpace(rest) != "" && text.Lang(rest, "zh") == text.English {
			return strings.TrimSpace(rest) + ": " + amount
		}
		return line
	}
	for _, vague := range []string{"适量", "少许", "若干"} {
		if name, ok := strings.CutSuffix(line, vague); ok && strings.TrimSpace(name) != "" {
			return strings.TrimSpace(name) + ": " + vague
		}
	}
	return line
}
