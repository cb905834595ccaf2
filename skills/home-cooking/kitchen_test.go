package homecooking

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"homebot/internal/conversation"
	"homebot/internal/store"
	"homebot/internal/store/storetest"
	"homebot/modes"
)

// counter is one mode session in one kitchen, as the tools see it.
type counter struct {
	t testing.TB
	s modes.Scope
}

func newCounter(t testing.TB) *counter {
	t.Helper()
	c := &counter{t, modes.Scope{ModeID: "cooking", SessionID: "cook-20261022-195500-a1b2c3", Lang: "zh", Data: store.Confine(store.OS(), filepath.Join(t.TempDir(), "cooking"))}}
	if _, err := Plugin().StaticPrompt(context.Background(), c.s); err != nil {
		t.Fatal(err)
	}
	return c
}

// call calls a tool with arguments like `recipe=x servings=3`.
func (c *counter) call(name string, args any) map[string]any {
	c.t.Helper()
	data, _ := json.Marshal(args)
	for _, tool := range Plugin().Tools {
		if tool.Name == name {
			var out map[string]any
			if err := json.Unmarshal([]byte(tool.Call(modes.WithScope(context.Background(), c.s), data)), &out); err != nil {
				c.t.Fatal(err)
			}
			return out
		}
	}
	c.t.Fatalf("no tool %s", name)
	return nil
}

type args map[string]any

func (c *counter) fields() string {
	c.t.Helper()
	f, err := Plugin().RuntimeContext(context.Background(), c.s)
	if err != nil {
		c.t.Fatal(err)
	}
	return fmt.Sprint(f)
}

// R20: recipes are installed once, and one that was thrown away stays away.
func TestInstall(t *testing.T) {
	c := newCounter(t)
	if out := c.call("find_recipe", args{}); len(out["recipes"].([]any)) != 20 {
		t.Errorf("recipes %v", out)
	}
	gone := filepath.Join(c.s.Data.Dir(), "recipes", "松饼.md")
	mine := filepath.Join(c.s.Data.Dir(), "recipes", "番茄炒蛋.md")
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Plugin().StaticPrompt(context.Background(), c.s); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(gone); err == nil {
		t.Error("a recipe that was thrown away came back")
	}
	if data, _ := os.ReadFile(mine); string(data) != "mine" {
		t.Error("a recipe of the family was overwritten")
	}
	if out := c.call("find_recipe", args{"query": "松饼"}); len(out["broken"].([]any)) != 1 {
		t.Errorf("the broken recipe is not named: %v", out)
	}
}

func TestFindAndRead(t *testing.T) {
	c := newCounter(t)
	for query, want := range map[string]string{"鸡腿肉": "宫保鸡丁", "红烧": "红烧肉", "紅燒肉": "红烧肉", "pancakes": "Pancakes", "川菜 豆腐": "麻婆豆腐"} {
		out := c.call("find_recipe", args{"query": query})
		if found := out["recipes"].([]any); len(found) != 1 || found[0].(map[string]any)["recipe"] != want {
			t.Errorf("%s: %v", query, out)
		}
	}
	out := c.call("read_recipe", args{"recipe": "番茄炒蛋", "servings": 3})
	if got := fmt.Sprint(out["ingredients"]); got != "[番茄: 3 个 (中等大小) 鸡蛋: 4 1/2 个 葱: 1 1/2 根 盐: 3/4 茶匙 糖: 1 1/2 茶匙 食用油: 3 勺]" {
		t.Errorf("ingredients %s", got)
	}
	if len(out["steps"].([]any)) != 6 || out["servings"] != 3.0 || !strings.Contains(out["note"].(string), "for 2 people") {
		t.Errorf("%v", out)
	}
	for _, a := range []args{{"recipe": "佛跳墙"}, {"recipe": ""}, {"recipe": "番茄"}, {"recipe": "番茄炒蛋", "servings": 1000}, {"recipe": "../../secret"}} {
		if out := c.call("read_recipe", a); out["ok"] != false {
			t.Errorf("%v: %v", a, out)
		}
	}
	if out := c.call("read_recipe", args{"recipe": "红烧肉", "servings": 6}); !strings.Contains(fmt.Sprint(out["ingredients"]), "带皮五花肉: 1200 克") {
		t.Errorf("%v", out)
	}
}

func TestSaveAndCorrect(t *testing.T) {
	c := newCounter(t)
	dish := args{"title": "外婆的炒饭", "servings": 2, "ingredients": []string{"- 米饭: 2 碗", "鸡蛋: 2 个"}, "steps": []string{"1. 炒蛋。 (1 分钟)", "2. 炒饭。 (3 分钟)"}, "notes": []string{"隔夜饭"}}
	if out := c.call("save_recipe", dish); out["ok"] != true {
		t.Fatalf("%v", out)
	}
	if out := c.call("save_recipe", dish); out["ok"] != false || !strings.Contains(out["reason"].(string), "already") {
		t.Errorf("saved over: %v", out)
	}
	for _, bad := range []args{{"title": "…", "servings": 2, "ingredients": []string{"a: 1"}, "steps": []string{"b"}}, {"title": "x", "servings": 0, "ingredients": []string{"a: 1"}, "steps": []string{"b"}}, {"title": "x", "servings": 2, "ingredients": []string{}, "steps": []string{"b"}}} {
		if out := c.call("save_recipe", bad); out["ok"] != false {
			t.Errorf("%v was saved", bad)
		}
	}
	if out := c.call("correct_recipe", args{"recipe": "外婆的炒饭", "part": "ingredient", "number": 2, "text": "鸡蛋: 3 个"}); out["ok"] != true || !strings.Contains(out["note"].(string), "2. 鸡蛋: 3 个") {
		t.Errorf("%v", out)
	}
	data, err := c.s.Data.ReadFile("recipes/外婆的炒饭.md")
	if want := "---\ntitle: \"外婆的炒饭\"\nlang: zh\nservings: 2\n---\n\n## 用料\n\n- 米饭: 2 碗\n- 鸡蛋: 3 个\n\n## 步骤\n\n1. 炒蛋。 (1 分钟)\n2. 炒饭。 (3 分钟)\n\n## 备注\n\n- 隔夜饭\n"; err != nil || string(data) != want {
		t.Errorf("%v\n%s", err, data)
	}
	for _, bad := range []args{{"recipe": "外婆的炒饭", "part": "title", "text": "x"}, {"recipe": "外婆的炒饭", "part": "step", "number": 7, "text": "x"}, {"recipe": "没有", "part": "step", "text": "x"}} {
		if out := c.call("correct_recipe", bad); out["ok"] != false {
			t.Errorf("%v was done", bad)
		}
	}
}

// R35: the step is on disk before the tool answers: another wake, a new process
// and an edited recipe go on from there; another session begins with none.
func TestSteps(t *testing.T) {
	c := newCounter(t)
	if out := c.call("cook_step", args{"action": "next"}); out["ok"] != false {
		t.Errorf("before a recipe: %v", out)
	}
	if got := c.fields(); got != "[]" {
		t.Errorf("fields %s", got)
	}
	out := c.call("cook_step", args{"action": "start", "recipe": "番茄炒蛋", "servings": 4})
	if out["step"] != 1.0 || out["of"] != 6.0 || out["seconds"] != 180.0 || len(out["ingredients"].([]any)) != 6 {
		t.Errorf("start: %v", out)
	}
	for _, m := range []struct {
		action string
		want   float64
	}{{"back", 1}, {"next", 2}, {"next", 3}, {"repeat", 3}, {"where", 3}, {"back", 2}} {
		if out := c.call("cook_step", args{"action": m.action}); out["step"] != m.want {
			t.Errorf("%s: %v, want %v", m.action, out, m.want)
		}
	}
	out = c.call("cook_step", args{"action": "where", "servings": 2})
	if out["step"] != 2.0 || out["servings"] != 2.0 || len(out["ingredients"].([]any)) != 6 || c.fields() != "[{recipe 番茄炒蛋} {step 2/6} {people 2}]" {
		t.Errorf("for two: %v, %s", out, c.fields())
	}
	c.s.Facts = []conversation.Fact{{Kind: "servings", Text: "两个人"}, {Kind: "allergy", Text: "花生"}, {Kind: "servings", Text: "四个人"}}
	if got := c.fields(); got != "[{recipe 番茄炒蛋} {step 2/6} {people 四个人}]" {
		t.Errorf("fields %s", got)
	}
	for _, bad := range []args{{"action": "goto", "step": 9}, {"action": "where", "servings": 1000}, {"action": "jump"}, {"action": "start", "recipe": "没有"}} {
		if out := c.call("cook_step", bad); out["ok"] != false {
			t.Errorf("%v: %v", bad, out)
		}
	}
	c.call("cook_step", args{"action": "goto", "step": 6})
	c.call("correct_recipe", args{"recipe": "番茄炒蛋", "part": "step", "number": 6})
	if out := c.call("cook_step", args{"action": "where"}); out["step"] != 5.0 || out["of"] != 5.0 {
		t.Errorf("after the recipe got shorter: %v", out)
	}
	if out := c.call("cook_step", args{"action": "next"}); out["finished"] != true || out["step"] != nil {
		t.Errorf("past the end: %v", out)
	}
	other := *c
	other.s.SessionID = "cook-20261023-195500-a1b2c3"
	c.call("cook_step", args{"action": "start", "recipe": "番茄炒蛋"})
	if got := other.fields(); !strings.HasPrefix(got, "[{people") {
		t.Errorf("another session begins with %s", got)
	}
}

// R46: the summary is copied and the index has one line for each session, newest
// first, whatever is repeated, out of order, or written by a person.
func TestHistory(t *testing.T) {
	c := newCounter(t)
	end := func(id, day string) {
		t.Helper()
		c.s.SessionID = id
		at, _ := time.Parse("2006-01-02", day)
		if err := Plugin().AfterExit(context.Background(), c.s, modes.Ended{StartedAt: at, EndedAt: at, Summary: "summary of " + id}); err != nil {
			t.Fatal(err)
		}
	}
	c.call("cook_step", args{"action": "start", "recipe": "番茄炒蛋", "servings": 3})
	c.call("cook_step", args{"action": "start", "recipe": "红烧肉", "servings": 3})
	end("cook-20261022-195500-a1b2c3", "2026-10-22")
	c.s.Facts = []conversation.Fact{{Kind: "servings", Text: "两个人"}}
	end("cook-20261024-195500-a1b2c3", "2026-10-24")
	end("cook-20261023-195500-a1b2c3", "2026-10-23")
	end("cook-20261022-195500-a1b2c3", "2026-10-22")
	want := "# 做饭历史 · Cooking history\n\n" +
		"- 2026-10-24 · — · 两个人 · [cook-20261024-195500-a1b2c3](summaries/cook-20261024-195500-a1b2c3.md)\n" +
		"- 2026-10-23 · — · 两个人 · [cook-20261023-195500-a1b2c3](summaries/cook-20261023-195500-a1b2c3.md)\n" +
		"- 2026-10-22 · 番茄炒蛋、红烧肉 · 3 人 · [cook-20261022-195500-a1b2c3](summaries/cook-20261022-195500-a1b2c3.md)\n"
	if got, _ := c.s.Data.ReadFile(historyFile); string(got) != want {
		t.Errorf("history.md\n%s\nwant\n%s", got, want)
	}
	if got, _ := c.s.Data.ReadFile("summaries/cook-20261023-195500-a1b2c3.md"); string(got) != "summary of cook-20261023-195500-a1b2c3" {
		t.Errorf("summary %q", got)
	}
}

// The line of a session in English is English.
func TestHistoryInEnglish(t *testing.T) {
	c := newCounter(t)
	c.s.SessionID, c.s.Lang = "cook-20261022-195500-a1b2c3", "en"
	c.call("cook_step", args{"action": "start", "recipe": "Pancakes", "servings": 2})
	c.call("cook_step", args{"action": "start", "recipe": "Mapo tofu", "servings": 3})
	at := time.Date(2026, 10, 22, 0, 0, 0, 0, time.UTC)
	if err := Plugin().AfterExit(context.Background(), c.s, modes.Ended{StartedAt: at, EndedAt: at, Summary: "s"}); err != nil {
		t.Fatal(err)
	}
	got, _ := c.s.Data.ReadFile(historyFile)
	if want := "- 2026-10-22 · Pancakes, Mapo tofu · for 3 · ["; !strings.Contains(string(got), want) {
		t.Errorf("history.md\n%s\nwant\n%s", got, want)
	}
}

// R46, S3: a power cut at any instant of step 3 and its repetition leave one
// line and one summary.
func TestHistoryCrashes(t *testing.T) {
	scope := func(d *storetest.Disk) modes.Scope {
		return modes.Scope{SessionID: "cook-20261022-195500-a1b2c3", Data: store.Confine(d, "/home/cooking")}
	}
	ended := modes.Ended{StartedAt: time.Date(2026, 10, 22, 0, 0, 0, 0, time.UTC), Summary: "s"}
	n := storetest.EachCrash(t,
		func(d *storetest.Disk) error { return nil },
		func(d *storetest.Disk) error { return archive(context.Background(), scope(d), ended) },
		func(c storetest.Crash) error {
			s := scope(c.Disk)
			if err := archive(context.Background(), s, ended); err != nil {
				return err
			}
			index, err := s.Data.ReadFile(historyFile)
			if err != nil || strings.Count(string(index), "\n- ") != 1 {
				return fmt.Errorf("index %q: %w", index, err)
			}
			_, err = s.Data.ReadFile("summaries/cook-20261022-195500-a1b2c3.md")
			return err
		})
	if n < 10 {
		t.Errorf("only %d states", n)
	}
}
