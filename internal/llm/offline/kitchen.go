package offline

import (
	"strconv"
	"strings"
	"time"

	"homebot/internal/lazyregexp"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/internal/text"
)

// order is one kind of thing to be done by a tool: words that ask for it, in both
// languages, as whole sentences without lead and tail.
type order struct {
	tool    string
	args    map[string]any
	pattern *lazyregexp.Regexp
}

// Questions about the step in work that its place answers.
var (
	stepLength = sentences(
		`(?:这一步|这步|当前步骤)(?:大概|一共|总共)?(?:要|需要|得|用|要花|要做)?(?:多久|多长时间|多少时间|几分钟|多少分钟)`,
		`how (?:long|many minutes|much time) (?:does|will|do i need for|for) (?:this|the) (?:step|one)(?: take| need| last)?`)
	stepsLeft = sentences(
		`(?:后面|下面|一共|总共)?(?:还有|还剩下|还剩|剩下|还要|剩)(?:几|多少)(?:个)?(?:步骤|步)(?:没做|要做|做完)?`,
		`(?:一共|总共|共)?有?(?:几|多少)(?:个)?(?:步骤|步)`,
		`how many (?:more )?steps(?: (?:are|do we have|do i have|is|have we got))?(?: there)?(?: left| to go| remaining| remain)?`)
)

var orders = []order{
	{cookStep, object("action", "next"), sentences(
		`(?:到|去|进行|继续|说)?下一步(?:是什么|怎么做|干什么|做什么)?|继续|然后呢|接下来(?:呢|怎么做|做什么)?|好了下一步|做完了|做好了`,
		`(?:go to |what's |what is )?(?:the )?next(?: step)?|what(?:'s| is| comes) next|and then(?: what)?|continue|go on|done(?: next)?`)},
	{cookStep, object("action", "back"), sentences(
		`(?:回到|返回|退回)?上一步(?:是什么|怎么做)?|退回去`,
		`(?:go )?back(?: one step| a step)?|(?:the )?previous(?: step)?|(?:the )?last step`)},
	{cookStep, object("action", "where"), sentences(
		`(?:现在)?(?:做|到|进行)?到?(?:哪|第几)(?:一)?步|(?:现在)?(?:我们)?(?:做)?到哪(?:里|儿)?`,
		`(?:which|what) step(?: are we (?:on|at)| am i (?:on|at)| is (?:it|this))?|where (?:are we|was i|were we)`)},
	{cookStep, object("action", "where"), stepLength},
	{cookStep, object("action", "where"), stepsLeft},
	{cookStep, object("action", "repeat"), sentences(
		`(?:这一步|这步|当前步骤)(?:再说一遍|重复一遍|怎么做)?|重复这一步`,
		`(?:repeat|say) (?:this|the|that) step(?: again)?`)},
}

// tellStep answers a question about the step in work; ok is false for any other.
func (m *Model) tellStep(t turn, a answered) (reply, bool) {
	said := m.said(t)
	switch {
	case a.tool != cookStep || !a.OK || a.Step == 0:
		return reply{}, false
	case stepLength.MatchString(said) && a.Seconds == 0:
		return ends(phrases.OfflineStepUntimed.In(t.lang)), true
	case stepLength.MatchString(said):
		return ends(phrases.OfflineStepLength.In(t.lang, text.SaySpan(time.Duration(a.Seconds)*time.Second, t.lang))), true
	case stepsLeft.MatchString(said) && a.Step == a.Of:
		return ends(phrases.OfflineLastStep.In(t.lang, a.Of)), true
	case stepsLeft.MatchString(said):
		return ends(phrases.OfflineStepsLeft.In(t.lang, a.Step, a.Of, a.Of-a.Step)), true
	}
	return reply{}, false
}

// kitchenWords answers what the tools of a mode and of the device can do without
// a model: recipe steps, units, volume.
func (m *Model) kitchenWords(r llm.Request, t turn, said string) (reply, bool) {
	if a, ok := m.dishWords(r, t, said); ok {
		return a, true
	}
	for _, o := range orders {
		if o.pattern.MatchString(said) {
			if a, ok := callTool(r, t, o.tool, o.args); ok {
				return a, true
			}
		}
	}
	if v, ok := text.ParseVolume(t.words); ok {
		if v.Vague && m.cfg.Active != nil && m.cfg.Active() != "" {
			return asks(phrases.VolumeOrElse.In(t.lang)), true
		}
		args := map[string]any{"change": v.Steps}
		if v.Absolute {
			args = map[string]any{"percent": v.Percent}
		}
		if a, ok := callTool(r, t, setVolume, args); ok {
			return a, true
		}
	}
	if from, to, amount, what, ok := conversion(text.Normalize(t.words)); ok {
		return m.inMode(r, t, convert, object("amount", amount, "from", from, "to", to, "ingredient", what))
	}
	return m.recipeWords(r, t, said)
}

// Questions after units: 三两是多少克, 250克面粉是多少杯, how many grams is 2 cups of
// flour, what is 350 f in celsius.
var conversions = []*lazyregexp.Regexp{
	lazyregexp.New(`(?P<n>[\d./]+|[零一二两三四五六七八九十百半]+)\s?个?(?P<from>` + unitsZH + `)(?P<half>半)?的?(?P<what>[\p{Han}]{0,6}?)(?:(?:是|等于|合|换算成|有|换成|转成)(?:多少|几)?|多少|几)个?(?P<to>` + unitsZH + `)`),
	lazyregexp.New(`how many (?P<to>` + unitsEN + `) (?:are |is |in |are in |is in |are there in )?(?P<n>` + amountEN + `) (?P<from>` + unitsEN + `)\b(?: of (?P<what>\pL+))?`),
	lazyregexp.New(`(?:what(?:'s| is| are)|how much (?:is|are)|convert) (?P<n>` + amountEN + `) ?(?:degrees )?(?P<from>` + unitsEN + `)(?: of (?P<what>\pL+))? (?:in|to|into) (?P<to>` + unitsEN + `)`),
}

const (
	unitsZH  = `克|千克|公斤|斤|两|毫升|升|杯|汤匙|大勺|勺|茶匙|小勺|盎司|磅|摄氏度|华氏度|g|kg|ml|l`
	amountEN = `half an?|(?:[\d./]+|\pL+)(?: and a half)?`
	unitsEN  = `grams?|g|kilograms?|kg|millilit(?:er|re)s?|ml|lit(?:er|re)s?|l|cups?|tablespoons?|tbsp|teaspoons?|tsp|ounces?|oz|pounds?|lbs?|fahrenheit|celsius|f|c|°f|°c`
)

// unitOf is a unit as convert_units knows it.
var unitOf = strings.NewReplacer("摄氏度", "°C", "华氏度", "°F", "fahrenheit", "°F", "celsius", "°C", "汤匙", "勺", "大勺", "勺", "小勺", "茶匙", "公斤", "千克")

func conversion(said string) (from, to, amount, what string, ok bool) {
	for _, c := range conversions {
		m := c.FindStringSubmatch(said)
		if m == nil {
			continue
		}
		get := func(name string) string {
			if i := c.SubexpIndex(name); i >= 0 {
				return m[i]
			}
			return ""
		}
		v, ok := amountOf(get("n"))
		if !ok {
			return "", "", "", "", false
		}
		if get("half") != "" { // 一杯半
			v += 0.5
		}
		return unitName(get("from")), unitName(get("to")), strconv.FormatFloat(v, 'f', -1, 64), get("what"), true
	}
	return "", "", "", "", false
}

// amountOf is a number with the words for halves and for one.
func amountOf(words string) (float64, bool) {
	switch words {
	case "半", "half a", "half an", "half":
		return 0.5, true
	case "a", "an":
		return 1, true
	}
	whole, half := strings.CutSuffix(words, " and a half")
	v, ok := text.Number(whole)
	if half {
		v += 0.5
	}
	return v, ok
}

func unitName(u string) string {
	switch u {
	case "f", "°f":
		return "°F"
	case "c", "°c":
		return "°C"
	}
	return unitOf.Replace(u)
}
