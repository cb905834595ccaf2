package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"homebot/internal/agent"
	"homebot/internal/cache"
	"homebot/internal/contextmode"
	"homebot/internal/event"
	"homebot/internal/llm"
	"homebot/voice"
)

// inspect asks the agent as `homebot context` does.
func inspect[A any](t testing.TB, k *kitchen, what string, query any) (answer A) {
	t.Helper()
	answer, err := tryInspect[A](k, what, query)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return answer
}

func tryInspect[A any](k *kitchen, what string, query any) (answer A, err error) {
	args, err := json.Marshal(query)
	if err != nil {
		return answer, err
	}
	r, err := k.agent.Inspect(context.Background(), what, args)
	if err != nil {
		return answer, err
	}
	return r.(A), nil
}

// collect gathers events of the bus until the returned function is called.
func collect(t testing.TB, k *kitchen) (stop func() []event.Event) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	_, events := k.bus.Watch(context.Background(), 1000)
	var running sync.WaitGroup
	running.Go(func() { _ = k.bus.Run(ctx) })
	return func() (all []event.Event) {
		cancel()
		running.Wait()
		for e := range events {
			all = append(all, e)
		}
		return all
	}
}

// C4: decision, signals and what was trimmed are with every turn: in its result,
// in the value of the header on its event, and in the line that is kept.
func TestEveryTurnTellsItsContext(t *testing.T) {
	k := newKitchen(t, newDisk())
	useTable(t, k, tight)
	k.model.unbilled = true
	stop := collect(t, k)
	var res voice.Result
	for i := range 20 {
		res, _ = k.ask(voice.Turn{Text: long(i)})
	}
	if res.Trimmed.Turns == 0 || res.Trimmed.Turns < res.Trimmed.Summarised || res.Table != 2 {
		t.Errorf("result %+v", res)
	}
	want := fmt.Sprintf("profile=compact; reason=default; table=2; trimmed=%d", res.Trimmed.Turns)
	line := last(inspect[agent.ExplainReport](t, k, agent.AskExplain, agent.ExplainQuery{Last: 3}).Turns)
	if line.Header != want || line.ID != res.ID || line.Signals.Turns != 19 || line.Kept+line.Trimmed.Turns != 19 || line.Budget == 0 || line.Estimate == 0 {
		t.Errorf("line %+v", line)
	}
	told := ""
	for _, e := range stop() {
		if turn, ok := e.Data.(event.Turn); ok {
			told = turn.Context
		}
	}
	if told != want {
		t.Errorf("the event says %q, want %q", told, want)
	}
}

// C17, C24: explain shows the table in force and the pinned facts as they stand.
func TestExplain(t *testing.T) {
	k := newKitchen(t, newDisk())
	useTable(t, k, tight)
	k.model.unbilled = true
	k.turn("打开做饭模式", enter("cooking"), say("好。"))
	k.turn("花生过敏", call("note_fact", map[string]string{"kind": "allergy", "text": "花生过敏"}), say("记下了。"))
	for i := range 15 {
		k.turn(long(i))
	}
	r := inspect[agent.ExplainReport](t, k, agent.AskExplain, agent.ExplainQuery{Last: 2})
	if r.Table != 2 || len(r.Turns) != 2 || len(r.Budgets) != 3 || r.Budgets[1].Base != 600 {
		t.Errorf("report %+v", r)
	}
	if got := last(r.Turns).Pinned; fmt.Sprint(got) != "[花生过敏]" {
		t.Errorf("pinned %q", got)
	}
	if n := len(inspect[agent.ExplainReport](t, k, agent.AskExplain, agent.ExplainQuery{Last: 10000}).Turns); n != 17 {
		t.Errorf("%d turns of 17", n)
	}
}

// C16, C15: over six changes of profile in ten minutes are an alarm, once; a
// canary under which that happens is taken back by itself, and reported.
func TestAlarmRollsACanaryBack(t *testing.T) {
	k := newKitchen(t, newDisk())
	report, err := tryInspect[agent.TextReport](k, agent.AskCanary, agent.TableQuery{Name: "c.toml", Text: "version = 7\n", Share: 0.999999})
	if err != nil {
		t.Fatal(report, err)
	}
	stop := collect(t, k)
	for i := range 10 {
		res, _ := k.ask(voice.Turn{Text: "你好", Profile: []string{"full", "minimal"}[i%2]})
		k.clock = k.clock.Add(-30 * time.Second)
		if want := map[bool]int{true: 7, false: 1}[i < 8]; res.Table != want {
			t.Errorf("turn %d: table %d, want %d", i, res.Table, want)
		}
	}
	var alarms, rollbacks int
	for _, e := range stop() {
		switch d := e.Data.(type) {
		case event.Alarm:
			alarms++
			if d.Table != 7 || d.Changes != 7 {
				t.Errorf("alarm %+v", d)
			}
		case event.Rollback:
			rollbacks++
		}
	}
	if alarms != 1 || rollbacks != 1 {
		t.Errorf("%d alarms, %d rollbacks", alarms, rollbacks)
	}
	n := 0
	for _, c := range k.agent.Counters() {
		n += c.Alarms
	}
	if n != 1 {
		t.Errorf("%d alarms counted", n)
	}
}

// C1, C15: another table changes what its numbers say, in the running process, at
// the next turn; a rollback does, too.
func TestTablesActAtOnce(t *testing.T) {
	k := newKitchen(t, newDisk())
	say := func(profile string, table int) {
		t.Helper()
		if res, _ := k.ask(voice.Turn{Text: "你好"}); res.Profile != profile || res.Table != table {
			t.Errorf("%s by table %d, want %s by %d", res.Profile, res.Table, profile, table)
		}
	}
	say("full", 1)
	say("compact", 1)
	inspect[agent.TextReport](t, k, agent.AskApply, agent.TableQuery{Name: "x", Text: "version = 2\n[decide]\ndefault = \"minimal\"\n"})
	say("minimal", 2)
	inspect[agent.TextReport](t, k, agent.AskRollback, nil)
	say("compact", 1)
	all := inspect[agent.TablesReport](t, k, agent.AskTables, nil)
	if len(all.Versions) != 2 || !all.Versions[0].Current {
		t.Errorf("list %+v", all)
	}
	if text := inspect[agent.TextReport](t, k, agent.AskTable, agent.VersionQuery{Version: 2}).Text; !strings.Contains(text, "minimal") {
		t.Errorf("show %q", text)
	}
	for _, what := range []string{agent.AskRollback, agent.AskApply, agent.AskCanary, "fly"} {
		if _, err := tryInspect[agent.TextReport](k, what, agent.TableQuery{Text: "version = x"}); err == nil || strings.Contains(strings.TrimSpace(err.Error()), "\n\n") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// C15: compare has one line a version, with what its turns cost and whether they
// helped.
func TestCompare(t *testing.T) {
	k := newKitchen(t, newDisk())
	k.ask(voice.Turn{Text: "番茄炒蛋怎么做"})
	k.clock = k.clock.Add(-30 * time.Second)
	k.ask(voice.Turn{Text: "番茄炒蛋怎么做？"}) // again: the answer did not help
	useTable(t, k, "")
	heard := ""
	k.handle(voice.Turn{Channel: voice.ChannelText, Text: "继续"}, &reply{heard: &heard})
	r := inspect[agent.CompareReport](t, k, agent.AskCompare, nil).Versions
	if len(r) != 2 || r[0].Table != 1 || r[0].Turns != 2 || r[0].Repeated != 0.5 || r[1].Interrupted != 1 || r[0].Cached != 0.4 {
		t.Errorf("compare %+v", r)
	}
	if got := r[0].PromptMean(); got < 9.99 || got > 10.01 {
		t.Errorf("%v tokens a turn, want 10", got)
	}
}

// C4: the lines survive the process, within their bound, without the words.
func TestTurnLinesAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKitchen(t, newDisk())
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = k.agent.Run(ctx) })
		for i := range 30 {
			k.ask(voice.Turn{Text: fmt.Sprint("秘密的话", i)})
		}
		cancel()
		running.Wait()
		k.restart()
		if n := len(inspect[agent.ExplainReport](t, k, agent.AskExplain, agent.ExplainQuery{Last: 100}).Turns); n != 30 {
			t.Errorf("%d lines of 30", n)
		}
		if text := k.read("context", "turns.jsonl"); strings.Contains(text, "秘密") || strings.Count(text, "\n") != 30 {
			t.Errorf("%d lines: %.200s", strings.Count(text, "\n"), text)
		}
	})
}

// C12: when the network is away the answer that the same question had is said, as
// the last one; not what a tool did, not after a fact changed, not for other
// words, not for ever.
func TestLastAnswer(t *testing.T) {
	k := newKitchen(t, newDisk())
	answers := cache.New(cache.Config{FS: k.disk, Dir: filepath.Join(workspace, "cache", "answers"), Limit: 1 << 20, Now: func() time.Time { return k.clock }})
	k.config = func(c *agent.Config) { c.Answers = answers }
	k.restart()
	away := step{err: llm.ErrUnreachable}
	wake := func(n int, words, profile string, s ...step) voice.Result {
		t.Helper()
		r := &reply{}
		k.handle(voice.Turn{Channel: voice.ChannelVoice, ChatID: fmt.Sprintf("voice-20261022-195500-%06x", n), Text: words, Profile: profile}, r, s...)
		return r.result
	}
	wake(1, "鸡蛋煮多久", "minimal", say("八分钟。[[end]]"))
	wake(2, "记住我不吃辣", "minimal", call("note_fact", map[string]string{"kind": "preference", "text": "不吃辣"}), say("记下了。"))
	wake(3, "牛肉炖多久", "", say("一个小时。"))
	if res := wake(8, "牛肉炖多久", "", away); !strings.HasSuffix(res.Reply, "一个小时。") {
		t.Errorf("in the same whole context: %q", res.Reply)
	}
	if res := wake(4, "鸡蛋，煮多久？", "minimal", away); res.Reply != "现在连不上网络，上次的回答是：八分钟。" || code(res) != "llm_unreachable" {
		t.Errorf("got %q %s", res.Reply, code(res))
	}
	if res := wake(5, "鸡蛋煮多久", "", away); !strings.HasSuffix(res.Reply, "八分钟。") {
		t.Errorf("another profile: %q", res.Reply)
	}
	if res := wake(6, "记住我不吃辣", "minimal", away); strings.Contains(res.Reply, "记下了") {
		t.Errorf("what a tool did: %q", res.Reply)
	}
	if res := wake(7, "鸭蛋煮多久", "minimal", away); strings.Contains(res.Reply, "上次") {
		t.Errorf("other words: %q", res.Reply)
	}
	wake(9, "过敏", "minimal", call("note_fact", map[string]string{"kind": "allergy", "text": "鸡蛋过敏"}), say("记下了。"))
	if res := wake(9, "鸡蛋煮多久", "minimal", away); strings.Contains(res.Reply, "八分钟") {
		t.Errorf("with another fact: %q", res.Reply)
	}
	k.clock = k.clock.Add(time.Hour)
	if res := wake(10, "牛肉炖多久", "", away); strings.Contains(res.Reply, "一个小时") {
		t.Errorf("an hour later: %q", res.Reply)
	}
	k.clock = k.clock.Add(8 * 24 * time.Hour)
	if res := wake(11, "鸡蛋煮多久", "minimal", away); strings.Contains(res.Reply, "八分钟") {
		t.Errorf("eight days later: %q", res.Reply)
	}
	records := k.read("sessions", "voice", fmt.Sprintf("voice-20261022-195500-%06x.jsonl", 4))
	if !strings.Contains(records, `"failed":"network"`) {
		t.Errorf("record %s", records)
	}
}

// C13: a busy machine and a ringing timer shrink the budget, within bounds.
func TestDynamicBudget(t *testing.T) {
	load, urgent := 0.0, false
	k := newKitchen(t, newDisk())
	k.config = func(c *agent.Config) {
		c.Load = func() float64 { return load }
		c.Urgent = func(time.Time) bool { return urgent }
		c.Profile = "compact"
	}
	k.restart()
	budget := func() int {
		k.ask(voice.Turn{Text: "你好"})
		return last(inspect[agent.ExplainReport](t, k, agent.AskExplain, agent.ExplainQuery{Last: 1}).Turns).Budget
	}
	idle := budget()
	load = 1
	busy := budget()
	urgent = true
	both := budget()
	base := contextmode.Default().Spec(contextmode.Compact).TokenBudget
	if idle != base*5/4 || busy != base/2 || both != base*3/8 {
		t.Errorf("budgets %d, %d, %d of %d", idle, busy, both, base)
	}
}

// C20: the time a profile allows acts at once: a model that takes longer is slow.
func TestProfileTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scribe{}
		k := newKitchen(t, newDisk())
		k.config = func(c *agent.Config) { c.Model = sleepy{s, time.Minute}; c.Profile = "minimal" }
		k.restart()
		began := time.Now()
		res, _ := k.ask(voice.Turn{Text: "你好"})
		if took := time.Since(began); took != 15*time.Second || code(res) != "llm_slow" {
			t.Errorf("after %s: %s %q", took, code(res), res.Reply)
		}
	})
}
