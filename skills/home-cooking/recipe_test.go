package homecooking

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"homebot/skills"
)

const stew = `---
title: 萝卜炖牛腩
servings: 4
tags: [冬天]
---

妈妈的做法。

## 用料

- 牛腩: 800 克 (切大块)
* 白萝卜：1 根（约 500 克）
- 盐: 适量
- 八角: 2-3 个
- 生抽: 一勺半

## 步骤

1. 牛腩焯水。 (10 分钟)
2) 加热水炖，
   水要没过肉。 (1 小时 30 分钟)
3. 放萝卜再炖。（30-40分钟）

## 备注

- 萝卜不要切太小。
`

func mustParse(t testing.TB, text string) *Recipe {
	t.Helper()
	r, err := ParseRecipe("stew", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestParseRecipe(t *testing.T) {
	r := mustParse(t, stew)
	if r.Title != "萝卜炖牛腩" || r.Lang != "zh" || r.Servings != 4 || len(r.Ingredients) != 5 || len(r.Steps) != 3 || len(r.Notes) != 1 {
		t.Fatalf("%+v", r)
	}
	if got := r.Steps[1]; got.Text != "加热水炖， 水要没过肉。 (1 小时 30 分钟)" || got.Time != 90*time.Minute {
		t.Errorf("step 2: %+v", got)
	}
	if got := r.Steps[2]; got.Time != 30*time.Minute || got.TimeMax != 40*time.Minute {
		t.Errorf("step 3: %+v", got)
	}
	if r.Total() != 130*time.Minute {
		t.Errorf("total %v", r.Total())
	}
	want := "牛腩: 1200 克 (切大块)|白萝卜: 1 1/2 根|盐: 适量|八角: 3-4 1/2 个|生抽: 2 1/4 勺"
	if got := strings.Join(r.Scaled(6), "|"); got != want {
		t.Errorf("for six: %s", got)
	}
	if got := strings.Join(r.Scaled(4), "|"); got != "牛腩: 800 克 (切大块)|白萝卜：1 根（约 500 克）|盐: 适量|八角: 2-3 个|生抽: 一勺半" {
		t.Errorf("as written: %s", got)
	}
}

// A recipe that cannot be read is named with its line and the way out.
func TestParseRecipeSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string
		line     int
		want     string
	}{
		"no front matter": {"---\ntitle", "title", 1, "two lines ---"},
		"no title":        {"title: 萝卜炖牛腩\n", "", 1, "title is missing"},
		"no servings":     {"servings: 4\n", "", 1, "servings"},
		"servings":        {"servings: 4", "servings: four", 3, "int"},
		"too many":        {"servings: 4", "servings: 4000", 1, "servings"},
		"no ingredients":  {"## 用料", "## 别的", 6, "no ingredients"},
		"no steps":        {"## 步骤", "## 别的", 6, "no steps"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseRecipe("x", []byte(strings.Replace(stew, c.from, c.to, 1)))
			var pe *skills.ParseError
			if !errors.As(err, &pe) || pe.Line != c.line || !strings.Contains(pe.Reason, c.want) {
				t.Errorf("got %v (line %d)", err, c.line)
			}
		})
	}
}

// The recipes that come with homebot: ten dishes, each in both languages, read
// without a flaw, every step but the last with its time, no amount inside a step
// that scaling would make wrong.
func TestBundledRecipes(t *testing.T) {
	files, err := bundled.ReadDir(recipesDir)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, f := range files {
		data, _ := bundled.ReadFile(recipesDir + "/" + f.Name())
		r, err := ParseRecipe(strings.TrimSuffix(f.Name(), ".md"), data)
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
			continue
		}
		count[r.Lang]++
		for _, in := range r.Ingredients {
			if in.Amount == nil {
				t.Errorf("%s: %q has no amount", f.Name(), in.Text)
			}
		}
		for i, s := range r.Steps {
			if s.Time == 0 && i < len(r.Steps)-1 {
				t.Errorf("%s: step %d has no time", f.Name(), i+1)
			}
			if amount := amountIn(brackets.ReplaceAllString(s.Text, "")); amount != "" {
				t.Errorf("%s: step %d has the amount %q in it", f.Name(), i+1, amount)
			}
		}
	}
	if count["zh"] != 10 || count["en"] != 10 {
		t.Errorf("%v recipes, want ten dishes in both languages", count)
	}
}

// amountIn finds a number with a unit of weight or volume.
func amountIn(s string) string {
	for i := range s {
		_, rest, ok := CutAmount(s[i:])
		if !ok {
			continue
		}
		for _, u := range units {
			for _, n := range u.names {
				after, is := strings.CutPrefix(strings.TrimSpace(rest), n)
				if is && u.dim != temperature && len(n) > 1 && n != "勺" && n != "杯" && (after == "" || after[0] > 'z' || after[0] < 'a') {
					return s[i:]
				}
			}
		}
	}
	return ""
}

// What is saved reads back the same.
func TestRenderReadsBack(t *testing.T) {
	for _, lang := range []string{"zh", "en"} {
		r := &Recipe{ID: "x", Title: `"Quoted": 炒饭`, Lang: lang, Servings: 3}
		r.Ingredients = []Ingredient{ParseIngredient(Line{Text: "米饭: 2 碗"})}
		r.Steps = []Step{parseStep(Line{Text: "炒。 (5 分钟)"})}
		r.Notes = []Line{{Text: "隔夜饭更好。"}}
		back := mustParse(t, r.Render())
		if back.Title != r.Title || back.Lang != lang || back.Servings != 3 || back.Ingredients[0].Text != "米饭: 2 碗" || back.Steps[0].Time != 5*time.Minute || back.Notes[0].Text != "隔夜饭更好。" {
			t.Errorf("%s: %+v", lang, back)
		}
	}
}

// A correction changes its line and nothing else.
func TestCorrected(t *testing.T) {
	r := mustParse(t, stew)
	for _, c := range []struct {
		p        part
		number   int
		with     string
		from, to string
	}{
		{ingredients, 1, "牛腩: 1 公斤", "- 牛腩: 800 克 (切大块)\n", "- 牛腩: 1 公斤\n"},
		{ingredients, 0, "姜: 5 片", "- 生抽: 一勺半\n", "- 生抽: 一勺半\n- 姜: 5 片\n"},
		{ingredients, 3, "", "- 盐: 适量\n", ""},
		{steps, 2, "加水炖。 (2 小时)", "2) 加热水炖，\n   水要没过肉。 (1 小时 30 分钟)\n", "2. 加水炖。 (2 小时)\n"},
		{steps, 1, "", "1. 牛腩焯水。 (10 分钟)\n2) 加热水炖，\n   水要没过肉。 (1 小时 30 分钟)\n3. 放", "1. 加热水炖，\n   水要没过肉。 (1 小时 30 分钟)\n2. 放"},
		{notes, 1, "萝卜切滚刀块。", "- 萝卜不要切太小。", "- 萝卜切滚刀块。"},
	} {
		lines, err := r.corrected(c.p, c.number, c.with)
		got, want := strings.Join(lines, "\n"), strings.Replace(stew, c.from, c.to, 1)
		if c.p == steps && c.number == 2 {
			got = strings.Replace(got, "1. 牛腩", "1. 牛腩", 1)
		}
		if err != nil || got != want {
			t.Errorf("%s %d %q: %v\n%s", c.p, c.number, c.with, err, got)
		}
	}
	for _, c := range []struct {
		p      part
		number int
		with   string
	}{{ingredients, 9, "x"}, {ingredients, -1, "x"}, {steps, 0, ""}} {
		if _, err := r.corrected(c.p, c.number, c.with); err == nil {
			t.Errorf("%v was done", c)
		}
	}
}

func FuzzParseRecipe(f *testing.F) {
	f.Add(stew)
	f.Add("---\ntitle: x\nservings: 1\n---\n## Ingredients\n- a: 1\n## Steps\n1. b")
	f.Fuzz(func(t *testing.T, in string) {
		r, err := ParseRecipe("x", []byte(in))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of more than one line: %q", err)
			}
			return
		}
		for _, n := range []int{1, 7, 100} {
			if got := r.Scaled(n); len(got) != len(r.Ingredients) {
				t.Errorf("%d ingredients of %d", len(got), len(r.Ingredients))
			}
		}
		for _, p := range []part{ingredients, steps} {
			if lines, err := r.corrected(p, 1, "new: 1"); err == nil {
				if _, err := ParseRecipe("x", []byte(strings.Join(lines, "\n"))); err != nil {
					t.Errorf("after a correction of %s: %v", p, err)
				}
			}
		}
		_ = fmt.Sprint(r.Total())
	})
}
