package homecooking

import (
	"slices"
	"strings"
	"testing"
)

const schemaPage = `<html><head><script type="application/ld+json">
{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"x"},{"@type":["Recipe"],"name":"Banana bread &amp; butter",
"recipeYield":["8","8 slices"],"keywords":"baking, sweet","recipeIngredient":["2 cups flour","3 ripe bananas","salt"],
"recipeInstructions":[{"@type":"HowToSection","itemListElement":[{"@type":"HowToStep","text":"<p>Mash.</p>"},{"@type":"HowToStep","text":"Bake. (60 min)"}]}]}]}
</script></head><body><p>Buy our book</p></body></html>`

const pasted = `红烧肉
3人份
用料：
五花肉 500克
冰糖30克
盐 适量
做法：
1. 切块。
2、焯水
第三步：炖一个小时`

// What people have becomes a recipe whose amounts scale; what is none is said.
func TestImport(t *testing.T) {
	r, err := Import(schemaPage)
	if err != nil {
		t.Fatal(err)
	}
	if r.Title != "Banana bread & butter" || r.Servings != 8 || !slices.Equal(r.Tags, []string{"baking", "sweet"}) || len(r.Steps) != 2 || r.Steps[0].Text != "Mash." {
		t.Errorf("page: %+v", r)
	}
	if got := r.Scaled(16); !slices.Equal(got, []string{"flour: 4 cups", "ripe bananas: 6", "salt"}) {
		t.Errorf("page scaled: %q", got)
	}
	if r, err = Import(pasted); err != nil {
		t.Fatal(err)
	}
	if got := r.Scaled(6); !slices.Equal(got, []string{"五花肉: 1000 克", "冰糖: 60 克", "盐: 适量"}) || r.Title != "红烧肉" || r.Servings != 3 {
		t.Errorf("pasted: %q %+v", got, r)
	}
	if r.Steps[2].Text != "炖一个小时" || r.Steps[1].Text != "焯水" {
		t.Errorf("steps %+v", r.Steps)
	}
	if again, err := Import(r.Render()); err != nil || again.Title != r.Title || len(again.Steps) != 3 {
		t.Errorf("a recipe file: %+v %v", again, err)
	}
	hidden := `{"@type":"Recipe","name":"So\u0000up\u001b[31m\u202e","recipeIngredient":["wa\u0007ter: 1 l"],"recipeInstructions":["Bo\u2066il."]}`
	if r, err = Import(hidden); err != nil || r.Title != "Soup[31m" || r.Ingredients[0].Name != "water" || r.Steps[0].Text != "Boil." {
		t.Errorf("hidden characters: %+v %v", r, err)
	}
	for _, none := range []string{"", "hello", `{"@type":"Person","name":"x"}`, "<html><body>nothing</body></html>", strings.Repeat("[", 100000)} {
		if r, err := Import(none); err == nil {
			t.Errorf("%.40q became %+v", none, r)
		}
	}
}

// FuzzImport: whatever is pasted, it is a recipe that can be saved and read, or an
// error of one line.
func FuzzImport(f *testing.F) {
	for _, s := range []string{schemaPage, pasted, "Soup\nIngredients\n- 1 l water\nSteps\n1. Boil.", "---\ntitle: x\n---", `{"@type":"Recipe","name":1}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := Import(s)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of two lines: %q", err)
			}
			return
		}
		if _, err := ParseRecipe("again", []byte(r.Render())); err != nil {
			t.Errorf("%q cannot be read again: %v", r.Render(), err)
		}
		r.Scaled(7)
	})
}
