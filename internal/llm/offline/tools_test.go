package offline

import (
	"strings"
	"testing"

	"homebot/internal/llm"
	"homebot/internal/phrases"
)

// V9: without a network timers work in full: the words are read by rules, and
// the same tools are called that a model calls. What cannot be done is said.
func TestTimersWithoutNetwork(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"定时十分钟", `set_timer{"seconds":600}`},
		{"嗯 煮 鸡蛋 八 分钟", `set_timer{"label":"煮鸡蛋","seconds":480}`},
		{"一刻钟后提醒我关火", `set_timer{"label":"关火","seconds":900}`},
		{"明天早上七点半叫我起床", `set_timer{"at":"2026-10-23T07:30:00Z","label":"起床"}`},
		{"remind me in a quarter of an hour to turn off the oven", `set_timer{"label":"turn off the oven","seconds":900}`},
		{"hey home bot, wake me at 7:30 tomorrow morning", `set_timer{"at":"2026-10-23T07:30:00Z"}`},
		{"设个定时", `set_timer{}`},
		{"鸡蛋再加五分钟", `change_timer{"action":"add","seconds":300,"timer":"鸡蛋"}`},
		{"take two minutes off the rice", `change_timer{"action":"add","seconds":-120,"timer":"rice"}`},
		{"knock 5 minutes off", `change_timer{"action":"add","seconds":-300}`},
		{"take the cake out in 5 minutes", `set_timer{"label":"take the cake out","seconds":300}`},
		{"resume the eggs", `change_timer{"action":"resume","timer":"eggs"}`},
		{"恢复鸡蛋", `change_timer{"action":"resume","timer":"鸡蛋"}`},
		{"take off two minutes", `change_timer{"action":"add","seconds":-120}`},
		{"暂停计时", `change_timer{"action":"pause"}`},
		{"继续鸡蛋的定时", `change_timer{"action":"resume","timer":"鸡蛋"}`},
		{"取消鸡蛋的定时", `cancel_timer{"timer":"鸡蛋"}`},
		{"取消十分钟的定时", `cancel_timer{"timer":"十分钟"}`},
		{"cancel all timers", `cancel_timer{"all":true}`},
		{"还剩多久", `list_timers{}`},
		{"how long is left on the pasta", `list_timers{}`},
		{"鸡蛋五分钟，米饭十分钟", `set_timer{"label":"鸡蛋","seconds":300}set_timer{"label":"米饭","seconds":600}`},
		{"set an egg timer for five minutes and a rice timer for ten minutes", `set_timer{"label":"egg","seconds":300}set_timer{"label":"rice","seconds":600}`},
		{"先煮五分钟再焖十分钟", "这里面不止一个时间，我都没有动，请一个一个说。[[end]]"},
		{"five minutes ten minutes", "That was more than one time, so I changed nothing. One at a time, please.[[end]]"},
		{"每天早上七点叫我", "重复的闹钟我还不会，所以没有设。只响一次的可以，请说哪天几点。[[end]]"},
		{"wake me at 6:30 every day", "I can't repeat alarms yet, so none was set. One that rings once is fine: say the day and time.[[end]]"},
		{"set an alarm for 25:00", "There is no such time of day, so nothing was set. Please say the time again.[[end]]"},
		{"定时90", "90分钟，还是90秒？[[continue]]"},
		{"timer 90", "Is that 90 minutes or 90 seconds?[[continue]]"},
		{"set a timer for 400 days", "That length is not possible: it goes from one second to a year, so nothing was set.[[end]]"},
		{"set a timer for 3 years", "That length is not possible: it goes from one second to a year, so nothing was set.[[end]]"},
		{"取消", `cancel_timer{}`},
		{"取消吧", `cancel_timer{}`},
		{"cancel that", `cancel_timer{}`},
		{"cancel", `cancel_timer{}`},
		{"鸡蛋煮几分钟", cannotZH},
		{"how long do I boil an egg", cannotEN},
		{"how long does this step take", cannotEN},
		{"how long does the egg timer have", `list_timers{}`},
		{"how long do the eggs still need", `list_timers{}`},
		{"别取消定时", cannotZH},
	} {
		if got := says(t, newModel(), request(c.words)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.words, got, c.want)
		}
	}
}

// "Which one?" is answered by a name alone.
func TestWhichOneIsAnswered(t *testing.T) {
	earlier := []llm.Message{
		{Role: llm.User, Content: "[19:54 guest]\n取消定时"},
		{Role: llm.Assistant, Content: "有好几个定时：鸡蛋、面条。要哪一个？[[continue]]"},
	}
	if got := says(t, newModel(), request("鸡蛋", earlier...)); got != `cancel_timer{"timer":"鸡蛋"}` {
		t.Errorf("got %s", got)
	}
	if got := says(t, newModel(), request("全部", earlier...)); got != `cancel_timer{"all":true}` {
		t.Errorf("all: got %s", got)
	}
	english := []llm.Message{
		{Role: llm.User, Content: "cancel"},
		{Role: llm.Assistant, Content: "There are several: eggs, rice. Which one?[[continue]]"},
	}
	if got := says(t, newModel(), request("all of them", english...)); got != `cancel_timer{"all":true}` {
		t.Errorf("all of them: got %s", got)
	}
	unit := []llm.Message{
		{Role: llm.User, Content: "timer 90"},
		{Role: llm.Assistant, Content: "Is that 90 minutes or 90 seconds?[[continue]]"},
	}
	if got := says(t, newModel(), request("seconds", unit...)); got != `set_timer{"seconds":90}` {
		t.Errorf("seconds: got %s", got)
	}
	if got := says(t, newModel(), request("现在几点", earlier...)); got != timeZH {
		t.Errorf("something else asked instead: got %s", got)
	}
}

// 继续 with the name of the timer that was paused last means that timer, else the
// recipe.
func TestPausedTimerGoesOn(t *testing.T) {
	paused := []llm.Message{
		{Role: llm.User, Content: "[19:54 guest]\n暂停计时"},
		{Role: llm.Assistant, Content: "好的，鸡蛋暂停了。[[end]]"},
	}
	for _, c := range []struct {
		words   string
		earlier []llm.Message
		want    string
	}{
		{"继续鸡蛋", paused, `change_timer{"action":"resume","timer":"鸡蛋"}`},
		{"继续做菜", paused, phrases.OfflineCannotCooking.ZH + proposeEnd},
		{"继续", paused, `cook_step{"action":"next"}`},
		{"继续鸡蛋", nil, phrases.OfflineCannotCooking.ZH + proposeEnd},
	} {
		r := request(c.words, c.earlier...)
		r.Tools = llm.EncodeTools([]llm.ToolDef{{Name: changeTimer}, {Name: cookStep}})
		if got := says(t, newModel(), r); got != c.want {
			t.Errorf("%s: got %s, want %s", c.words, got, c.want)
		}
	}
}

// V9: what is said after a tool is what it answered.
func TestToolAnswersAreTold(t *testing.T) {
	for _, c := range []struct{ tool, content, want string }{
		{setTimer, `{"ok":true,"say":"好的，定时十分钟。"}`, "好的，定时十分钟。[[end]]"},
		{cancelTimer, `{"ok":false,"reason":"which_one","say":"有好几个定时：鸡蛋、面条。要哪一个？"}`, "有好几个定时：鸡蛋、面条。要哪一个？[[continue]]"},
		{setTimer, `{"ok":false,"reason":"internal"}`, "这个没有办成。[[end]]"},
		{setTimer, `nonsense`, "这个没有办成。[[end]]"},
		{cookStep, `{"ok":true,"recipe":"番茄炒蛋","step":2,"of":4,"text":"打三个鸡蛋。"}`, "打三个鸡蛋。[[end]]"},
		{cookStep, `{"ok":true,"finished":true}`, "做完了，可以开饭了。[[end]]"},
		{cookStep, `{"ok":false,"reason":"no recipe"}`, "现在没有在做的菜谱，想听有哪些就说“有什么菜谱”。[[end]]"},
		{cookStep, `{"ok":false,"reason":"step must be from 1 to 6"}`, "没有这一步，这个菜谱一共6步。[[end]]"},
		{cookStep, `{"ok":false,"reason":"servings must be from 1 to 100"}`, "我最多按100个人算，请换个人数再说一遍。[[end]]"},
		{convert, `{"ok":false,"reason":"weight and volume can be converted only for an ingredient whose density is known: give ingredient (not known: \"藜麦\"), or weigh it"}`, "重量和体积互相换算，要知道是什么：水、奶、油、糖、盐、面粉、米这些我会，别的请称一称。[[end]]"},
		{convert, `{"ok":false,"reason":"克 and 摄氏度 do not measure the same"}`, "这两个单位量的不是一回事，没法换算。[[end]]"},
		{convert, `{"ok":true,"result":"150 克"}`, "150 克。[[end]]"},
		{convert, `{"ok":true,"result":"about 254 grams"}`, "About 254 grams。[[end]]"},
		{cookStep, `{"ok":true,"recipe":"番茄炒蛋","step":2,"of":4,"text":"大火炒软（3 分钟）。"}`, "大火炒软，3 分钟。[[end]]"},
		{cookStep, `{"ok":true,"recipe":"番茄炒蛋","step":1,"of":4,"text":"打蛋。(1 分钟)","ingredients":["鸡蛋: 3 个","盐: 少许"]}`, "好，做番茄炒蛋。材料：鸡蛋 3 个，盐 少许。第一步：打蛋，1 分钟。[[end]]"},
		{findRecipe, `{"ok":true,"recipes":[{"recipe":"番茄炒蛋"},{"recipe":"红烧肉"},{"recipe":"Pancakes"}]}`, "有这些菜谱：番茄炒蛋，红烧肉。要做哪一个？[[continue]]"},
		{findRecipe, `{"ok":true,"recipes":[]}`, "没有找到这样的菜谱。[[end]]"},
		{readRecipe, `{"ok":true,"recipe":"番茄炒蛋","ingredients":["鸡蛋: 3 个"]}`, "番茄炒蛋要用：鸡蛋 3 个。[[end]]"},
	} {
		r := request("好")
		r.Messages = append(r.Messages,
			llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "x", Name: c.tool}}},
			llm.Message{Role: llm.ToolRole, ToolCallID: "x", Content: c.content})
		if got := says(t, newModel(), r); got != c.want {
			t.Errorf("%s %s\n got %s\nwant %s", c.tool, c.content, got, c.want)
		}
	}
}

// V9: two timers of one sentence are both told.
func TestBothTimersAreTold(t *testing.T) {
	r := request("鸡蛋五分钟，米饭十分钟")
	r.Messages = append(r.Messages,
		llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "x", Name: setTimer}, {ID: "y", Name: setTimer}}},
		llm.Message{Role: llm.ToolRole, ToolCallID: "x", Content: `{"ok":true,"say":"好的，鸡蛋，定时五分钟。"}`},
		llm.Message{Role: llm.ToolRole, ToolCallID: "y", Content: `{"ok":false,"say":"定时太多了，请先取消几个。"}`})
	if got, want := says(t, newModel(), r), "好的，鸡蛋，定时五分钟。定时太多了，请先取消几个。[[end]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Where their tools are in, recipe steps, units and volume work too; where they
// are not, it says that it cannot.
func TestKitchenWithoutNetwork(t *testing.T) {
	all := llm.EncodeTools([]llm.ToolDef{{Name: "cook_step"}, {Name: "convert_units"}, {Name: "set_volume"}, {Name: "find_recipe"}, {Name: "read_recipe"}})
	for _, c := range []struct{ words, want string }{
		{"下一步", `cook_step{"action":"next"}`},
		{"继续", `cook_step{"action":"next"}`},
		{"what's the next step", `cook_step{"action":"next"}`},
		{"上一步", `cook_step{"action":"back"}`},
		{"现在做到哪一步了", `cook_step{"action":"where"}`},
		{"这一步要多久", `cook_step{"action":"where"}`},
		{"how long does this step take", `cook_step{"action":"where"}`},
		{"还有几步", `cook_step{"action":"where"}`},
		{"一共几步", `cook_step{"action":"where"}`},
		{"how many steps are left", `cook_step{"action":"where"}`},
		{"三两是多少克", `convert_units{"amount":"3","from":"两","to":"克"}`},
		{"半斤等于几两", `convert_units{"amount":"0.5","from":"斤","to":"两"}`},
		{"250克面粉是多少杯", `convert_units{"amount":"250","from":"克","ingredient":"面粉","to":"杯"}`},
		{"how many grams is 2 cups of flour", `convert_units{"amount":"2","from":"cups","ingredient":"flour","to":"grams"}`},
		{"what is 350 f in celsius", `convert_units{"amount":"350","from":"°F","to":"°C"}`},
		{"两杯面粉多少克", `convert_units{"amount":"2","from":"杯","ingredient":"面粉","to":"克"}`},
		{"到哪了", `cook_step{"action":"where"}`},
		{"跳到第3步", `cook_step{"action":"goto","step":3}`},
		{"回到第二步", `cook_step{"action":"goto","step":2}`},
		{"go to step four", `cook_step{"action":"goto","step":4}`},
		{"第三步", `cook_step{"action":"goto","step":3}`},
		{"第三步是什么", `cook_step{"action":"goto","step":3}`},
		{"Step three.", `cook_step{"action":"goto","step":3}`},
		{"go to step 3", `cook_step{"action":"goto","step":3}`},
		{"what's step 2 again", `cook_step{"action":"goto","step":2}`},
		{"两个人", `cook_step{"action":"where","servings":2}`},
		{"我们三个人吃", `cook_step{"action":"where","servings":3}`},
		{"改成四人份", `cook_step{"action":"where","servings":4}`},
		{"for two people", `cook_step{"action":"where","servings":2}`},
		{"make it for six people please", `cook_step{"action":"where","servings":6}`},
		{"scale it to four servings", `cook_step{"action":"where","servings":4}`},
		{"这道菜做好了", `cook_step{"action":"finish"}`},
		{"the dish is finished", `cook_step{"action":"finish"}`},
		{"开始做番茄炒蛋，3个人吃", `cook_step{"action":"start","recipe":"番茄炒蛋","servings":3}`},
		{"start cooking garlic broccoli for 4 people", `cook_step{"action":"start","recipe":"garlic broccoli","servings":4}`},
		{"开始做番茄炒蛋", `cook_step{"action":"start","recipe":"番茄炒蛋"}`},
		{"麻婆豆腐怎么做", `cook_step{"action":"start","recipe":"麻婆豆腐"}`},
		{"我们来做红烧肉吧", `cook_step{"action":"start","recipe":"红烧肉"}`},
		{"let's cook mapo tofu", `cook_step{"action":"start","recipe":"mapo tofu"}`},
		{"let's cook mapo tofu please", `cook_step{"action":"start","recipe":"mapo tofu"}`},
		{"what are the ingredients for mapo tofu please", `read_recipe{"recipe":"mapo tofu"}`},
		{"How do I make the pancakes?", `cook_step{"action":"start","recipe":"pancakes"}`},
		{"有什么菜谱", `find_recipe{}`},
		{"今天吃什么好", `find_recipe{}`},
		{"用豆腐能做什么菜", `find_recipe{"query":"豆腐"}`},
		{"what recipes are there", `find_recipe{}`},
		{"what can we cook with tofu", `find_recipe{"query":"tofu"}`},
		{"做一份红烧肉", `cook_step{"action":"start","recipe":"红烧肉"}`},
		{"要哪些材料", `cook_step{"action":"where"}`},
		{"红烧肉要哪些材料", `read_recipe{"recipe":"红烧肉"}`},
		{"what are the ingredients", `cook_step{"action":"where"}`},
		{"what are the ingredients for mapo tofu", `read_recipe{"recipe":"mapo tofu"}`},
		{"麻婆豆腐，五个人", `cook_step{"action":"start","recipe":"麻婆豆腐","servings":5}`},
		{"做麻婆豆腐，五个人", `cook_step{"action":"start","recipe":"麻婆豆腐","servings":5}`},
		{"做松饼", `cook_step{"action":"start","recipe":"松饼"}`},
		{"Mapo tofu for five people", `cook_step{"action":"start","recipe":"mapo tofu","servings":5}`},
		{"豆腐能做什么菜", `find_recipe{"query":"豆腐"}`},
		{"牛肉可以做什么", `find_recipe{"query":"牛肉"}`},
		{"今天能做什么", `find_recipe{}`},
		{"which recipes have fish", `find_recipe{"query":"fish"}`},
		{"what do I need", `cook_step{"action":"where"}`},
		{"ingredients", `cook_step{"action":"where"}`},
		{"需要什么", `cook_step{"action":"where"}`},
		{"how many grams is half a cup of sugar", `convert_units{"amount":"0.5","from":"cup","ingredient":"sugar","to":"grams"}`},
		{"how many grams is one and a half cups of flour", `convert_units{"amount":"1.5","from":"cups","ingredient":"flour","to":"grams"}`},
		{"how many ml is a cup", `convert_units{"amount":"1","from":"cup","to":"ml"}`},
		{"how much is 200 fahrenheit in celsius", `convert_units{"amount":"200","from":"°F","to":"°C"}`},
		{"一杯半面粉是多少克", `convert_units{"amount":"1.5","from":"杯","ingredient":"面粉","to":"克"}`},
		{"声音大一点", `set_volume{"change":1}`},
		{"louder please", `set_volume{"change":1}`},
		{"小声点", `set_volume{"change":-1}`},
		{"音量调到三十", `set_volume{"percent":30}`},
		{"volume fifty", `set_volume{"percent":50}`},
	} {
		r := request(c.words)
		r.Tools = all
		if got := says(t, newModel(), r); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.words, got, c.want)
		}
		if got := says(t, newModel(), request(c.words)); got != cannotZH && got != cannotEN {
			t.Errorf("%s without the tools: got %s", c.words, got)
		}
	}
}

// What is asked of a recipe that is being cooked is found in two steps; what
// there is not is told; a title alone answers "which one".
func TestRecipesInSteps(t *testing.T) {
	all := llm.EncodeTools([]llm.ToolDef{{Name: "cook_step"}, {Name: "find_recipe"}, {Name: "read_recipe"}})
	after := func(words, tool, arguments, content string) llm.Request {
		r := request(words)
		r.Tools = all
		r.Messages = append(r.Messages,
			llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "x", Name: tool, Arguments: arguments}}},
			llm.Message{Role: llm.ToolRole, ToolCallID: "x", Content: content})
		return r
	}
	for _, c := range []struct {
		r    llm.Request
		want string
	}{
		{after("要哪些材料", cookStep, `{"action":"where"}`, `{"ok":true,"recipe":"红烧肉","servings":4,"step":1,"of":3,"text":"焯水。"}`), `read_recipe{"recipe":"红烧肉","servings":4}`},
		{after("what are the ingredients", cookStep, `{"action":"where"}`, `{"ok":false,"reason":"no recipe"}`), "No recipe is being cooked right now. To hear them all, say “what recipes are there”.[[end]]"},
		{after("到哪了", cookStep, `{"action":"where"}`, `{"ok":false,"reason":"no recipe"}`), "现在没有在做的菜谱，想听有哪些就说“有什么菜谱”。[[end]]"},
		{after("佛跳墙怎么做", cookStep, `{"action":"start","recipe":"佛跳墙"}`, `{"ok":false,"reason":"there is no recipe"}`), "没有叫“佛跳墙”的菜谱，想听有哪些就说“有什么菜谱”。[[continue]]"},
		{after("这一步要多久", cookStep, `{"action":"where"}`, `{"ok":true,"recipe":"红烧肉","step":2,"of":5,"text":"炖。","seconds":2400}`), "这一步要四十分钟。[[end]]"},
		{after("how long does this step take", cookStep, `{"action":"where"}`, `{"ok":true,"step":2,"of":5,"text":"Stew.","seconds":2400}`), "This step takes 40 minutes.[[end]]"},
		{after("这一步要多久", cookStep, `{"action":"where"}`, `{"ok":true,"recipe":"红烧肉","step":2,"of":5,"text":"炖。"}`), "菜谱没写这一步要多久。[[end]]"},
		{after("还有几步", cookStep, `{"action":"where"}`, `{"ok":true,"recipe":"红烧肉","step":2,"of":5,"text":"炖。"}`), "现在是第2步，一共5步，后面还有3步。[[end]]"},
		{after("how many steps are left", cookStep, `{"action":"where"}`, `{"ok":true,"step":5,"of":5,"text":"Serve."}`), "There are 5 steps, and this is the last.[[end]]"},
		{after("还有几步", cookStep, `{"action":"where"}`, `{"ok":false,"reason":"no recipe"}`), "现在没有在做的菜谱，想听有哪些就说“有什么菜谱”。[[end]]"},
		{after("两个人", cookStep, `{"action":"where","servings":2}`, `{"ok":true,"recipe":"红烧肉","servings":2,"step":3,"of":5,"text":"焯水。","ingredients":["肉: 250 克"]}`), "好，按2人份，材料：肉 250 克。[[end]]"},
		{after("红烧肉五百个人吃", cookStep, `{"action":"start","recipe":"红烧肉","servings":500}`, `{"ok":false,"reason":"servings must be from 1 to 100"}`), "我最多按100个人算，请换个人数再说一遍。[[end]]"},
		{after("for two people", cookStep, `{"action":"where","servings":2}`, `{"ok":false,"reason":"no recipe is being cooked"}`), "No recipe is being cooked right now. To hear them all, say “what recipes are there”.[[end]]"},
		{after("let's make noodles", cookStep, `{"action":"start","recipe":"noodles"}`, `{"ok":false,"reason":"several recipes match"}`), "More than one recipe is called “noodles”. Please say the whole title.[[continue]]"},
	} {
		if got := says(t, newModel(), c.r); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	for words, want := range map[string]string{
		"Mapo tofu":                 `cook_step{"action":"start","recipe":"mapo tofu"}`,
		"Mapo tofu for five people": `cook_step{"action":"start","recipe":"mapo tofu","servings":5}`,
		"麻婆豆腐，三个人吃":                 `cook_step{"action":"start","recipe":"麻婆豆腐","servings":3}`,
	} {
		r := request(words, llm.Message{Role: llm.User, Content: "what can we cook with tofu"},
			llm.Message{Role: llm.Assistant, Content: "There are these recipes: Mapo tofu. Which one shall we cook?[[continue]]"})
		r.Tools = all
		if got := says(t, newModel(), r); got != want {
			t.Errorf("%s: got %s, want %s", words, got, want)
		}
	}
	for asked, want := range map[string]string{
		"没有叫“豆腐汤”的菜谱，想听有哪些就说“有什么菜谱”。[[continue]]": `cook_step{"action":"start","recipe":"松饼"}`,
		"叫“饼”的菜谱不止一个，请说全名。[[continue]]":           `cook_step{"action":"start","recipe":"松饼"}`,
	} {
		r := request("松饼", llm.Message{Role: llm.User, Content: "做饼"}, llm.Message{Role: llm.Assistant, Content: asked})
		r.Tools = all
		if got := says(t, newModel(), r); got != want {
			t.Errorf("after %s: got %s, want %s", asked, got, want)
		}
	}
}

// The title of a recipe by itself begins it, without having been asked for; other
// words stay what they are.
func TestTitleAlone(t *testing.T) {
	cfg := newModel().cfg
	cfg.Dishes = func() []string { return []string{"红烧肉", "Mapo tofu", "Red-braised pork belly", "下一步"} }
	for words, want := range map[string]string{
		"红烧肉":                     `cook_step{"action":"start","recipe":"红烧肉"}`,
		"红烧肉。":                    `cook_step{"action":"start","recipe":"红烧肉"}`,
		"就红烧肉吧":                   `cook_step{"action":"start","recipe":"红烧肉"}`,
		"Mapo tofu":               `cook_step{"action":"start","recipe":"Mapo tofu"}`,
		"the mapo tofu, please":   `cook_step{"action":"start","recipe":"Mapo tofu"}`,
		"red braised pork belly":  `cook_step{"action":"start","recipe":"Red-braised pork belly"}`,
		"下一步":                     `cook_step{"action":"next"}`,
		"红烧肉好吃":                   phrases.OfflineCannotCooking.ZH + proposeEnd,
		"is mapo tofu hot":        phrases.OfflineCannotCooking.EN + proposeEnd,
		"tofu":                    phrases.OfflineCannotCooking.EN + proposeEnd,
		strings.Repeat("红烧肉", 20): phrases.OfflineCannotCooking.ZH + proposeEnd,
	} {
		r := request(words)
		if got := says(t, New(cfg), r); !strings.HasPrefix(got, "没有网络") && !strings.HasPrefix(got, "I can't") {
			t.Errorf("%s where there are no recipes: %s", words, got)
		}
		r.Tools = llm.EncodeTools([]llm.ToolDef{{Name: cookStep}})
		if got := says(t, New(cfg), r); got != want {
			t.Errorf("%s\n got %s\nwant %s", words, got, want)
		}
	}
}

// In a mode help says how to leave it; where recipes are at hand it speaks of them,
// and so does what cannot be answered.
func TestHelpInAMode(t *testing.T) {
	kitchen := llm.EncodeTools([]llm.ToolDef{{Name: "cook_step"}})
	for _, c := range []struct{ words, active, want string }{
		{"help", "study", "There is no network, but you can say “exit study mode”, “set a timer for ten minutes”, “what time is it”, or “repeat that”.[[continue]]"},
		{"帮助", "cooking", "现在没有网络，你可以说“有什么菜谱”、“下一步”、“定时十分钟”，或者“退出做饭模式”。[[continue]]"},
		{"why is the sky blue", "cooking", "I can't answer that without a network, but I can read a recipe step by step, convert units, set timers, tell the time and date, and leave the mode.[[end]]"},
	} {
		cfg := newModel().cfg
		cfg.Active = func() string { return c.active }
		r := request(c.words)
		if c.active == "cooking" {
			r.Tools = kitchen
		}
		if got := says(t, New(cfg), r); got != c.want {
			t.Errorf("%s in %s\n got %s\nwant %s", c.words, c.active, got, c.want)
		}
	}
}

// Outside the mode that has the tool it tells how to get there, and understands no
// more than that.
func TestNeedsMode(t *testing.T) {
	cfg := newModel().cfg
	cfg.Modes = func() []Mode {
		return []Mode{{ID: "cooking", Names: []string{"做饭模式", "cooking mode"}, Tools: []string{cookStep, convert}}}
	}
	m := New(cfg)
	for words, want := range map[string]string{
		"番茄炒蛋怎么做":              "这个在做饭模式里才行，请先说“打开做饭模式”。[[continue]]",
		"let's cook mapo tofu": "That works in cooking mode. Say “open cooking mode” first.[[continue]]",
		"两杯面粉是多少克":             "这个在做饭模式里才行，请先说“打开做饭模式”。[[continue]]",
		"有什么菜谱":                cannotZH,
	} {
		r := request(words)
		if got := says(t, m, r); got != want || m.Understands(r) {
			t.Errorf("%s: got %s, understands %v", words, got, m.Understands(r))
		}
	}
}
