package offline

import (
	"testing"

	"homebot/internal/llm"
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
		{"取消", `cancel_timer{}`},
		{"取消吧", `cancel_timer{}`},
		{"cancel that", `cancel_timer{}`},
		{"cancel", `cancel_timer{}`},
		{"鸡蛋煮几分钟", cannotZH},
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

// V9: what is said after a tool is what it answered.
func TestToolAnswersAreTold(t *testing.T) {
	for _, c := range []struct{ tool, content, want string }{
		{setTimer, `{"ok":true,"say":"好的，定时十分钟。"}`, "好的，定时十分钟。[[end]]"},
		{cancelTimer, `{"ok":false,"reason":"which_one","say":"有好几个定时：鸡蛋、面条。要哪一个？"}`, "有好几个定时：鸡蛋、面条。要哪一个？[[continue]]"},
		{setTimer, `{"ok":false,"reason":"internal"}`, "这个没有办成。[[end]]"},
		{setTimer, `nonsense`, "这个没有办成。[[end]]"},
		{cookStep, `{"ok":true,"recipe":"番茄炒蛋","step":2,"of":4,"text":"打三个鸡蛋。"}`, "打三个鸡蛋。[[end]]"},
		{cookStep, `{"ok":true,"finished":true}`, "做完了，可以开饭了。[[end]]"},
		{cookStep, `{"ok":false,"reason":"no recipe"}`, "现在没有在做的菜谱。[[end]]"},
		{convert, `{"ok":true,"result":"150 克"}`, "150 克。[[end]]"},
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
	all := llm.EncodeTools([]llm.ToolDef{{Name: "cook_step"}, {Name: "convert_units"}, {Name: "set_volume"}})
	for _, c := range []struct{ words, want string }{
		{"下一步", `cook_step{"action":"next"}`},
		{"继续", `cook_step{"action":"next"}`},
		{"what's the next step", `cook_step{"action":"next"}`},
		{"上一步", `cook_step{"action":"back"}`},
		{"现在做到哪一步了", `cook_step{"action":"where"}`},
		{"三两是多少克", `convert_units{"amount":"3","from":"两","to":"克"}`},
		{"半斤等于几两", `convert_units{"amount":"0.5","from":"斤","to":"两"}`},
		{"250克面粉是多少杯", `convert_units{"amount":"250","from":"克","ingredient":"面粉","to":"杯"}`},
		{"how many grams is 2 cups of flour", `convert_units{"amount":"2","from":"cups","ingredient":"flour","to":"grams"}`},
		{"what is 350 f in celsius", `convert_units{"amount":"350","from":"°F","to":"°C"}`},
		{"声音大一点", `set_volume{"change":1,"direction":"up"}`},
		{"louder please", `set_volume{"change":1,"direction":"up"}`},
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
