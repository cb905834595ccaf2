package console

import (
	"errors"
	"testing"

	"homebot/internal/phrases"
	homecooking "homebot/skills/home-cooking"
)

// What is wrong with a recipe is told wholly in the language of the page.
func TestBadRecipeInBothLanguages(t *testing.T) {
	for source, want := range map[string][2]string{
		"---\ntitle: 蛋\nservings: 2\n---\n\n## 用料\n\n- 鸡蛋: 3 个\n": {
			"菜谱有误：第 5 行：没有步骤；请在“## 步骤”下面写成“1. ……”这样。",
			"The recipe is not right: line 5: no steps; write them like “1. …” below “## Steps”.",
		},
		"---\nservings: 2\n---\n": {
			"菜谱有误：第 1 行：开头两行 --- 之间缺少 title（菜名）。",
			"The recipe is not right: line 1: title is missing between the two lines --- at the beginning.",
		},
		"# 蛋\n": {
			"菜谱有误：第 1 行：文件要以两行 --- 开头，中间写 title 和 servings。",
			"The recipe is not right: line 1: the file must begin with two lines ---, with title and servings between them.",
		},
	} {
		_, err := homecooking.ParseRecipe("x", []byte(source))
		var e refusal
		if !errors.As(kitchenError(err), &e) {
			t.Fatalf("%q: %v", source, err)
		}
		if got := [2]string{e.in(phrases.Chinese), e.in(phrases.English)}; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
