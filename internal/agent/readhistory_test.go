package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"homebot/internal/contextmode"
)

// remembers is what read_history answered.
type remembers struct {
	OK       bool
	Reason   string
	Sessions []string
	Text     string
	More     int
	Note     string
}

// lookUp has the model call read_history in a normal turn.
func (k *kitchen) lookUp(args map[string]string) (r remembers, tokens int) {
	k.t.Helper()
	k.turn("上次呢", call("read_history", args), say("看看。"))
	answer := last(last(k.model.requests).Messages).Content
	if err := json.Unmarshal([]byte(answer), &r); err != nil {
		k.t.Fatalf("%s: %v", answer, err)
	}
	return r, contextmode.Meter{}.Raw(answer)
}

// cookOnce is one whole session of a day.
func (k *kitchen) cookOnce(day int, summary string, words ...string) (id string) {
	k.t.Helper()
	k.clock = evening.AddDate(0, 0, day)
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	id = k.action()["session_id"].(string)
	for _, w := range words {
		k.turn(w, say("记住了："+w))
	}
	k.turn("退出做饭模式", call("switch_mode", map[string]string{"action": "exit", "summary": summary}), say("再见。"))
	return id
}

// R39: finished sessions are found by words, date and id, in normal mode too:
// index lines newest first, then one session's summary and dialogue; nothing of
// it is in a request before it is asked for.
func TestReadHistory(t *testing.T) {
	k := newKitchen(t, newDisk())
	if r, _ := k.lookUp(nil); !r.OK || r.Note == "" || len(r.Sessions) != 0 {
		t.Errorf("nothing yet: %+v", r)
	}
	pork := k.cookOnce(1, "做了红烧肉，偏甜，下次少放糖。", "红烧肉放三十克冰糖", "炖一个小时")
	soup := k.cookOnce(2, "做了紫菜汤。", "两个人喝汤")
	k.clock = evening.AddDate(0, 0, 3)
	for name, c := range map[string]struct {
		args map[string]string
		want []string
	}{
		"all":     {nil, []string{soup, pork}},
		"summary": {map[string]string{"query": "紅燒肉"}, []string{pork}},
		"said":    {map[string]string{"query": "冰糖 三十克"}, []string{pork}},
		"date":    {map[string]string{"date": "2026-10-24"}, []string{soup}},
		"month":   {map[string]string{"date": "2026-10"}, []string{soup, pork}},
		"nothing": {map[string]string{"query": "披萨"}, []string{soup, pork}},
	} {
		r, _ := k.lookUp(c.args)
		if len(r.Sessions) != len(c.want) {
			t.Errorf("%s: %+v", name, r)
			continue
		}
		for i, id := range c.want {
			if !strings.Contains(r.Sessions[i], id) {
				t.Errorf("%s: line %d is %q", name, i, r.Sessions[i])
			}
		}
		if (r.Note != "") != (name == "nothing") {
			t.Errorf("%s: note %q", name, r.Note)
		}
	}
	r, _ := k.lookUp(map[string]string{"session_id": pork})
	for _, want := range []string{"偏甜，下次少放糖", "guest: 红烧肉放三十克冰糖 → 记住了", "炖一个小时"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("session lacks %q: %s", want, r.Text)
		}
	}
	if r, _ := k.lookUp(map[string]string{"session_id": pork, "query": "糖"}); strings.Contains(r.Text, "打开做饭模式") || !strings.Contains(r.Text, "三十克冰糖") {
		t.Errorf("around a word: %s", r.Text)
	}
	if r, _ := k.lookUp(map[string]string{"session_id": "cook-20260101-000000-aaaaaa"}); r.OK || r.Reason == "" {
		t.Errorf("no such session: %+v", r)
	}
	if r, _ := k.lookUp(map[string]string{"session_id": "../../action.json"}); r.OK {
		t.Errorf("outside: %+v", r)
	}
	for _, q := range k.model.requests {
		if first := q.Messages[0].Content; strings.Contains(first, "偏甜") || strings.Contains(first, pork) {
			t.Error("a summary or an index line is in a system prompt")
		}
	}
}

// R39: an answer stays within 1500 tokens, however long the session and however
// many of them.
func TestReadHistoryIsBounded(t *testing.T) {
	k := newKitchen(t, newDisk())
	id := k.cookOnce(1, strings.Repeat("很长的总结", 200), strings.Repeat("很长的一句话", 60), strings.Repeat("another long line ", 60), strings.Repeat("最后一句", 300))
	for day := range 60 {
		other := fmt.Sprintf("cook-202501%02d-195500-%06x", 1+day%28, day)
		writeFile(t, k, "modes/sessions/cooking/"+other+"/summary.md", "---\nsession_id: "+other+"\nstarted_at: 2025-01-02T19:55:00+08:00\n---\n\n"+strings.Repeat("很长的总结", 60)+"\n")
	}
	for name, args := range map[string]map[string]string{"list": nil, "session": {"session_id": id}} {
		r, tokens := k.lookUp(args)
		if !r.OK || r.More == 0 || tokens > 1500 || tokens < 1000 {
			t.Errorf("%s: %d tokens, more %d", name, tokens, r.More)
		}
	}
}

// R39, R35: while a mode is active only the path of its index is in the header.
func TestHistoryIsNotInjected(t *testing.T) {
	k := newKitchen(t, newDisk())
	pork := k.cookOnce(1, "做了红烧肉。")
	k.clock = evening.AddDate(0, 0, 2)
	n := len(k.model.requests)
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	k.turn("两个人")
	for _, q := range k.model.requests[n:] {
		for _, m := range q.Messages {
			if strings.Contains(m.Content, pork) || strings.Contains(m.Content, "红烧肉") {
				t.Errorf("the history is in a request: %s", m.Content)
			}
		}
	}
	if all := fmt.Sprint(texts(last(k.model.requests).Messages)); !strings.Contains(all, "[history_file: /home/kitchen/modes/sessions/cooking]") {
		t.Errorf("no path: %s", all)
	}
}

// What a look into twenty evenings costs, on the model of a disk.
func BenchmarkReadHistory(b *testing.B) {
	k := newKitchen(b, newDisk())
	for day := range 20 {
		k.cookOnce(day, "总结", "一句话", "另一句话")
	}
	k.clock = k.clock.Add(time.Hour)
	for b.Loop() {
		k.lookUp(map[string]string{"query": "没有的词"})
	}
}
