package offline

import (
	"strings"

	"homebot/internal/lazyregexp"
	"homebot/internal/llm"
	"homebot/internal/text"
)

// Words about the dish in work that hold a number, or end it.
var (
	gotoWords = sentences(
		`(?:跳|回|退|翻)?(?:到|去|回)第([\d零一二两三四五六七八九十百]+)步`,
		`(?:再)?(?:说一遍|说一下|念一下|重复|读|念|说)?第([\d零一二两三四五六七八九十百]+)步(?:是什么|怎么做|做什么|呢)?`,
		`(?:(?:go|jump|skip|move) (?:back |on )?to )?step (?:number )?([a-z]+|\d+)`,
		`(?:what(?:'s| is)|read|say|repeat|show me|tell me) step (?:number )?([a-z]+|\d+)(?: again)?`)
	// servingsWords say no more than how many eat.
	servingsWords = sentences(
		`(?:我们|今天|今晚|现在|一共|总共|改成|换成|改为|算成|是|有|要|做|按|给|为|够|来)*([\d一二两三四五六七八九十百]+)个?人(?:份|吃|来吃|吃饭|用)?(?:的?(?:量|份量|分量))?(?:来?算|来?做)?`,
		`(?:(?:make|cook|do) (?:it|that|this)? ?|scale (?:it |this |that )?(?:up |down )?|it's |that's |enough |change (?:it|that) )?(?:for |to )?([a-z]+|\d+) (?:people|persons?|servings?|portions?)`,
		`(?:we are|we're|there are|there'll be|there will be) ([a-z]+|\d+)(?: of us| people)?`)
	finishWords = sentences(
		`(?:这道|这个)?菜(?:已经)?(?:做好|做完|完成|可以出锅)|(?:可以)?(?:出锅|开饭)`,
		`(?:the |this )?(?:dish|food|meal|recipe) is (?:finished|done|ready)`)
	// bareDish may be a dish by itself, before how many eat.
	bareDish = lazyregexp.New(`^(?:[^\P{Han}我你他她们今明昨来有要给请定叫时]{2,8}|[a-z]+(?:[ '-][a-z]+){0,4})$`)
	// forPeople is how many eat, at the end of words that begin a dish.
	forPeople = []*lazyregexp.Regexp{
		lazyregexp.New(`(?:给|按|为)?([\d一二两三四五六七八九十百]+)(?:个人|个?人(?:份|吃))的?(?:量)?$`),
		lazyregexp.New(` for ([a-z]+|\d+) (?:people|persons?)$`),
	}
)

// dishWords answers words that move in a recipe by number, end it, or begin one
// for so many people.
func (m *Model) dishWords(r llm.Request, t turn, said string) (reply, bool) {
	if word, ok := wordOf(gotoWords, said); ok {
		if n, ok := whole(word); ok {
			return m.inMode(r, t, cookStep, object("action", "goto", "step", n))
		}
	}
	if word, ok := wordOf(servingsWords, said); ok {
		if n, ok := whole(word); ok {
			return m.inMode(r, t, cookStep, object("action", "where", "servings", n))
		}
	}
	if _, ok := wordOf(finishWords, said); ok {
		return callTool(r, t, cookStep, object("action", "finish"))
	}
	before, n := eaters(said)
	dish, starts := wordOf(startWords, before)
	if n > 0 && starts && !noDish.MatchString(dish) {
		return m.inMode(r, t, cookStep, object("action", "start", "recipe", dish, "servings", n))
	}
	if n > 0 && bareDish.MatchString(before) && !noDish.MatchString(before) {
		return callTool(r, t, cookStep, object("action", "start", "recipe", before, "servings", n))
	}
	return reply{}, false
}

// answeredDish begins the dish that is the answer to which one, for as many
// people as the words end with.
func (m *Model) answeredDish(r llm.Request, t turn, said string) (reply, bool) {
	dish, n := eaters(said)
	if n == 0 {
		return m.inMode(r, t, cookStep, object("action", "start", "recipe", said))
	}
	return m.inMode(r, t, cookStep, object("action", "start", "recipe", dish, "servings", n))
}

// aloneWords may be the title of a recipe by itself.
var aloneWords = sentences(`(?:就|要|吃)?([^a-z]+?)`, `(?:the |some |a |an )?(\P{Han}+?)`)

// titled is the title of a recipe there is when the words are no more than that,
// where recipes are at hand.
func (m *Model) titled(r llm.Request, said string) (title string, ok bool) {
	if len([]rune(said)) > longestDish || !offers(r, cookStep) {
		return "", false
	}
	alone, _ := wordOf(aloneWords, said)
	for _, title := range m.cfg.Dishes() {
		if name := letters(title); name != "" && (name == letters(said) || name == letters(alone)) {
			return title, true
		}
	}
	return "", false
}

// letters are how titles are compared: nobody says where a hyphen is.
func letters(s string) string { return strings.ReplaceAll(plain(s), " ", "") }

// eaters are how many eat by the end of words, and what stands before; 0 where
// that is not said, or nothing stands before.
func eaters(said string) (before string, n int64) {
	for _, p := range forPeople {
		at := p.FindStringSubmatchIndex(said)
		if at == nil || strings.TrimSpace(said[:at[0]]) == "" {
			continue
		}
		if n, ok := whole(said[at[2]:at[3]]); ok {
			return strings.TrimSpace(said[:at[0]]), n
		}
	}
	return "", 0
}

// whole is a number that counts.
func whole(word string) (int64, bool) {
	v, ok := text.Number(word)
	n := int64(v)
	return n, ok && n > 0 && float64(n) == v
}
