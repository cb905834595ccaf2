package offline

import (
	"slices"
	"strings"

	"homebot/internal/lazyregexp"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// Words about recipes. Each pattern has one group for a dish or an ingredient in
// each way to say it.
var (
	listWords = sentences(
		`(?:你|我们|家里|这里|都)*(?:有|会)(?:做)?(?:什么|哪些|啥)(?:菜谱|食谱|菜)(?:可以做|能做|可做)?`,
		`(?:列出|念一下|念念|看看)?(?:所有的?|全部)?(?:菜谱|食谱)(?:有哪些|有什么|列表)?`,
		`(?:今天|今晚|我们|现在)*(?:可以|能)?(?:做|吃)(?:点|些)?(?:什么|啥)(?:菜|好|好吃的)`,
		`(?:我们)?(?:用|拿)([\p{Han}]{1,6}?)(?:我们)?(?:可以|能)(?:做|煮)(?:点|些|出)?(?:什么|哪些|啥)(?:菜)?`,
		`(?:现在|今天|今晚|我们|家里|有|只有|还有|剩下的?)*([^\P{Han}我你他她们]{0,6}?)(?:可以|能)(?:做|煮)(?:点|些|出)?(?:什么|哪些|啥)(?:菜)?`,
		`有(?:什么|哪些)(?:用|放|含)?([\p{Han}]{1,6}?)(?:做)?的(?:菜谱|菜)`,
		`(?:what|which) (?:recipes|dishes|meals)(?: (?:do (?:you|we) (?:have|know)|have you got|are there|can (?:you|we|i) (?:cook|make)))?(?: with (?:the |some )?([a-z ]{2,30}?))?`,
		`(?:what|which) (?:recipes|dishes|meals) (?:have|use|contain|need)(?: (?:the|some))? ([a-z ]{2,30}?)(?: in (?:it|them))?`,
		`what (?:can|could|should|shall) (?:we|i) (?:cook|make|eat)(?: with (?:the |some |our )?([a-z ]{2,30}?))?(?: for (?:dinner|lunch|breakfast|supper))?`,
		`(?:list|show|read)(?: me)?(?: the| all| all the| your)? recipes|recipes`)
	ingredientWords = sentences(
		`(?:都|一共)?(?:要|需要|得用|用)(?:准备)?(?:哪些|什么|些什么)(?:材料|食材|原料|用料|配料)`,
		`(?:都|还)?(?:要|需要)(?:准备|用|用到)(?:些|点)?什么|(?:都|还)?需要(?:些|点)?什么`,
		`(?:材料|食材|原料|用料|配料)(?:是什么|有哪些|有什么|都有什么|都有哪些)?`,
		`(?:做)?([\p{Han}]{2,12}?)(?:都)?(?:要|需要|得用|用)(?:准备)?(?:哪些|什么|些什么)(?:材料|食材|原料|用料|配料)`,
		`([\p{Han}]{2,12}?)的(?:材料|食材|原料|用料|配料)(?:是什么|有哪些|有什么)?`,
		`(?:what are|what're|list|read|read me|tell me) the ingredients(?: (?:for|of) (?:the )?([a-z' -]{3,40}?))?`,
		`(?:what|which) ingredients (?:do (?:i|we) need|are needed|are there|are in it)(?: for (?:the )?([a-z' -]{3,40}?))?`,
		`what (?:all |else )?do (?:i|we) need(?: for (?:the )?([a-z' -]{3,40}?))?`,
		`(?:the )?ingredients`)
	startWords = sentences(
		`(?:我们|咱们|我|今天|今晚|现在)*(?:开始|要|想|来|教我|教教我)+(?:做|煮|烧|炒|烤)(?:一个|一道|一份|个|道)?([\p{Han}]{2,12}?)`,
		`([\p{Han}]{2,12}?)(?:要|该|应该)?(?:怎么做|怎么煮|怎么烧|怎么炒|咋做|的做法|如何做)`,
		`(?:做|来)(?:一个|一道|一份|个|道)([\p{Han}]{2,12}?)`,
		`做([\p{Han}]{2,12}?)`,
		`(?:怎么|如何)(?:做|煮|烧|炒)([\p{Han}]{2,12}?)`,
		`(?:let's|let us|i want to|i'd like to|we want to|start|begin|teach me to|show me how to|help me) ?(?:cook|make|prepare|cooking|making) (?:the |a |an |some )?([a-z' -]{3,40}?)`,
		`how (?:do (?:i|we|you)|can (?:i|we)|to|should (?:i|we)) (?:cook|make|prepare) (?:the |a |an |some )?([a-z' -]{3,40}?)`,
		`cook (?:the |a |an |some )?([a-z' -]{3,40}?)`)
	// noDish are words in the place of a dish that name none.
	noDish = lazyregexp.New(`^(?:.*(?:什么|哪|几|多少|怎么).*|然后|接下来|接着|这个|那个|下面|现在|应该|我们|早饭|午饭|晚饭|早餐|午餐|晚餐|点?好吃的|.*(?:模式|定时|步)|it|this|that|something.*|anything|dinner|lunch|breakfast|supper|food|sure.*|me .*|.*(?:timer|alarm).*)$`)
)

// wordOf is what the group of a pattern caught; ok is false when the words are
// none of the pattern's.
func wordOf(p *lazyregexp.Regexp, said string) (word string, ok bool) {
	m := p.FindStringSubmatch(said)
	if m == nil {
		return "", false
	}
	for _, w := range m[1:] {
		if w != "" {
			return strings.TrimSpace(w), true
		}
	}
	return "", true
}

// recipeWords answers words about recipes where the tools of a kitchen are in.
func (m *Model) recipeWords(r llm.Request, t turn, said string) (reply, bool) {
	if what, ok := wordOf(listWords, said); ok {
		return m.inMode(r, t, findRecipe, object("query", what))
	}
	if dish, ok := wordOf(ingredientWords, said); ok {
		if dish == "" || noDish.MatchString(dish) {
			return m.inMode(r, t, cookStep, object("action", "where"))
		}
		return m.inMode(r, t, readRecipe, object("recipe", dish))
	}
	if dish, ok := wordOf(startWords, said); ok && !noDish.MatchString(dish) {
		return m.inMode(r, t, cookStep, object("action", "start", "recipe", dish))
	}
	if m.askedForDish(t) && len([]rune(said)) <= longestDish {
		return m.answeredDish(r, t, said)
	}
	if title, ok := m.titled(r, said); ok {
		return callTool(r, t, cookStep, object("action", "start", "recipe", title))
	}
	return reply{}, false
}

// askedForDish: the last reply waits for the name of a dish.
func (m *Model) askedForDish(t turn) bool {
	for _, q := range []phrases.Phrase{phrases.OfflineRecipes, phrases.OfflineNoSuchRecipe, phrases.OfflineWhichRecipe} {
		if _, asked := m.askedAbout(t, q); asked {
			return true
		}
	}
	return false
}

// inMode calls a tool that only some mode has; outside it, it tells how to get
// there. No more than that is understood then.
func (m *Model) inMode(r llm.Request, t turn, name string, args any) (reply, bool) {
	if a, ok := callTool(r, t, name, args); ok {
		return a, true
	}
	for _, mode := range m.cfg.Modes() {
		if slices.Contains(mode.Tools, name) {
			a := asks(phrases.OfflineNeedsMode.In(t.lang, nameIn(mode, t.lang), words(enter, mode, t.lang)))
			a.cannot = true
			return a, true
		}
	}
	return reply{}, false
}

// longestDish is how long an answer may be that is only a dish, in characters.
const longestDish = 40

// goesOn asks for the ingredients when it is known what is being cooked.
func (m *Model) goesOn(r llm.Request, t turn) (reply, bool) {
	if len(t.answered) != 1 || t.answered[0].tool != cookStep || !t.answered[0].OK {
		return reply{}, false
	}
	a := t.answered[0]
	if dish, ok := wordOf(ingredientWords, m.said(t)); !ok || a.Recipe == "" || dish != "" && !noDish.MatchString(dish) {
		return reply{}, false
	}
	return callTool(r, t, readRecipe, object("recipe", a.Recipe, "servings", a.Servings))
}

// servingsReason is why a dish is not scaled, before how many are the most.
const servingsReason = "servings must be from 1 to "

// tellRecipe says what a recipe tool answered; ok is false when it was none.
func (a answered) tellRecipe(t turn) (reply, bool) {
	switch {
	case strings.HasPrefix(a.Reason, servingsReason):
		return ends(phrases.OfflineServings.In(t.lang, strings.TrimPrefix(a.Reason, servingsReason))), true
	case !a.OK && (a.tool == readRecipe || a.tool == cookStep && a.wanted() != ""):
		if strings.HasPrefix(a.Reason, "several") {
			return asks(phrases.OfflineWhichRecipe.In(t.lang, a.wanted())), true
		}
		return asks(phrases.OfflineNoSuchRecipe.In(t.lang, a.wanted())), true
	case !a.OK:
		return reply{}, false
	case a.tool == findRecipe:
		if len(a.Recipes) == 0 {
			return ends(phrases.OfflineNoRecipes.In(t.lang)), true
		}
		return asks(phrases.OfflineRecipes.In(t.lang, list(a.titles(t.lang), t.lang))), true
	case a.tool == readRecipe:
		return ends(phrases.OfflineIngredients.In(t.lang, a.Recipe, list(a.Ingredients, t.lang))), true
	case a.rescaled():
		return ends(phrases.OfflineScaled.In(t.lang, a.Servings, list(a.Ingredients, t.lang))), true
	case a.Text != "" && len(a.Ingredients) > 0:
		return ends(phrases.OfflineCookStart.In(t.lang, a.Recipe, list(a.Ingredients, t.lang), spokenStep(a.Text, t.lang))), true
	}
	return reply{}, false
}

// titles are those in lang, all when none is.
func (a answered) titles(lang string) []string {
	var all, mine []string
	for _, r := range a.Recipes {
		all = append(all, r.Recipe)
		if text.Lang(r.Recipe, lang) == lang {
			mine = append(mine, r.Recipe)
		}
	}
	if len(mine) > 0 {
		all = mine
	}
	return all
}

func list(items []string, lang string) string {
	items = slices.Clone(items)
	for i, s := range items {
		items[i] = strings.NewReplacer(": ", " ", "：", " ").Replace(s)
	}
	if lang == phrases.Chinese {
		return strings.Join(items, "，")
	}
	return strings.Join(items, ", ")
}

// stepTime is the time at the end of a step, in brackets.
var stepTime = lazyregexp.New(`[。.，,]?\s*[(（]([^()（）]*\d[^()（）]*)[)）]\s*[。.]?$`)

// spokenStep is a step without brackets: nobody says them.
func spokenStep(step, lang string) string {
	if lang == phrases.Chinese {
		return stepTime.ReplaceAllString(step, "，$1。")
	}
	return stepTime.ReplaceAllString(step, ", $1.")
}
