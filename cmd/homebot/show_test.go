package main

import (
	"strings"
	"testing"
	"time"

	"homebot/internal/event"
	"homebot/internal/phrases"
)

// What run --show prints of a turn: in columns, in the language of the terminal.
func TestShow(t *testing.T) {
	began := time.Now()
	stage, prompt, cached := int64(250), 900, 600
	lit := event.State{Dialogue: event.Listening, Light: event.Light{On: true}}
	all := []event.Event{
		{Kind: event.Woken, Data: event.Wake{Phrase: "你好小厨"}, State: event.State{Dialogue: event.Idle}},
		{Kind: event.FinalHeard, Data: event.Words{Text: "定时"}, State: lit},
		{Kind: event.Said, At: began.Add(time.Second), Data: event.Words{Text: "好的。"}, State: lit},
		{Kind: event.TurnDone, Data: event.Turn{Channel: "text", Speaker: "mama", User: "汤", Assistant: "好", First: time.Second, Total: 2 * time.Second}, State: lit},
		{Kind: event.TurnMeasured, Data: event.Measured{Since: event.SinceSpeechEnd, Final: &stage, FirstAudio: &stage, Prompt: &prompt, Cached: &cached}, State: lit},
		{Kind: event.TimerRang, Data: event.Timer{ID: "t1", Label: "汤"}, State: lit},
		{Kind: event.FaultCleared, Data: event.Fault{Text: "好了"}, State: lit},
	}
	for lang, want := range map[string][]string{
		phrases.English: {
			"woken by     你好小厨", "state        idle", "light        ON", "heard        定时", "state        listening", "says         好的。   (1000 ms after the words)",
			"text from mama 汤", "reply        好", "turn done    text (first text 1000 ms, whole turn 2000 ms)",
			"measured     ms since speech end: final 250 first audio 250; 600 of 900 tokens cached", "timer ring   t1 汤", "fault_cleared 好了",
		},
		phrases.Chinese: {
			"被叫醒       你好小厨", "状态         待命", "灯           亮", "听到         定时", "状态         在听", "说           好的。   （话音后 1000 毫秒）",
			"text 来自 mama 汤", "回答         好", "一轮结束     text（首字 1000 毫秒，全部 2000 毫秒）",
			"用时         从话说完起的毫秒数： 认出文字 250 开始出声 250；缓存 600 词元，共 900", "定时响了     t1 汤", "故障消除     好了",
		},
	} {
		var out strings.Builder
		s := newShow(&out, lang, nil)
		s.began = began
		for _, e := range all {
			if e.At.IsZero() {
				e.At = began
			}
			s.print(e)
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			_, rest, _ := strings.Cut(line, "s  ")
			got = append(got, strings.TrimSuffix(rest, "\n"))
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", lang, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
