package console

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"homebot/internal/event"
	"homebot/voice"
)

// The document and the routes name the same operations, with the same scopes.
func TestOpenAPIIsTheRoutes(t *testing.T) {
	var doc struct {
		Paths map[string]map[string]struct {
			ID       string                `yaml:"operationId"`
			Scope    string                `yaml:"x-scope"`
			Security []map[string][]string `yaml:"security"`
		} `yaml:"paths"`
	}
	if err := yaml.Unmarshal(openAPI, &doc); err != nil {
		t.Fatal(err)
	}
	written := map[string]string{}
	for path, ops := range doc.Paths {
		for method, op := range ops {
			if op.ID == "" || op.Scope == "" && op.Security == nil {
				t.Errorf("%s %s has no id, or neither a scope nor security: []", method, path)
			}
			written[strings.ToUpper(method)+" "+path] = op.Scope
		}
	}
	c := newHouse(t, nil).console
	for _, r := range c.api() {
		name := r.method + " " + r.path
		scope, ok := written[name]
		if !ok {
			t.Errorf("%s is not in openapi.yaml", name)
		} else if scope != r.scope && name != "GET /metrics" { // which looks by itself
			t.Errorf("%s needs %q and is said to need %q", name, r.scope, scope)
		}
		delete(written, name)
	}
	for name := range written {
		t.Errorf("%s is in openapi.yaml and is no route", name)
	}
}

// C4: a turn's answer tells how its context was chosen, in a header and, when it
// comes as it is written, in a trailer. A repeat with the same id is not done
// twice.
func TestTurn(t *testing.T) {
	h := newHouse(t, nil)
	var o Outcome
	res := h.do("POST", "/api/v1/turns", object{"id": "00000000000000aa", "text": "现在几点了", "speaker_id": "mama"}, 200, &o)
	if got := res.Header.Get(contextHeader); !strings.HasPrefix(got, "profile=full; reason=first_turn; table=1") || got != o.Context {
		t.Errorf("header %q, context %q", got, o.Context)
	}
	if o.Reply == "" || !strings.HasPrefix(o.ChatID, "web-") || o.ID != "00000000000000aa" {
		t.Errorf("outcome %+v", o)
	}
	h.do("POST", "/api/v1/turns", object{"id": "00000000000000aa", "text": "现在几点了", "speaker_id": "mama"}, 200, &o)
	if o.Error == nil || o.Error.Code != "duplicate" {
		t.Errorf("again: %+v", o)
	}
	r := h.request("POST", "/api/v1/turns", object{"text": "你能做什么", "speaker_id": "mama"})
	r.Header.Set("Accept", "application/x-ndjson")
	res, text := h.send(r)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) < 2 || !strings.HasPrefix(lines[0], `{"delta":`) || !strings.HasPrefix(lines[len(lines)-1], `{"outcome":`) {
		t.Errorf("stream:\n%s", text)
	}
	if got := res.Trailer.Get(contextHeader); !strings.HasPrefix(got, "profile=") {
		t.Errorf("trailer %q", got)
	}
	if n := h.metric(`homebot_turn_duration_seconds_count{channel="web"}`); n != "2" {
		t.Errorf("two turns are counted as %q", n)
	}
}

// What is wrong is said in one line with a code; nothing is done.
func TestBadRequests(t *testing.T) {
	h := newHouse(t, nil)
	for _, c := range []struct {
		method, path string
		body         any
		status       int
		code         string
	}{
		{"POST", "/api/v1/turns", object{"text": "x", "lang": "fr"}, 400, "bad_request"},
		{"POST", "/api/v1/turns", []int{1}, 400, "bad_request"},
		{"POST", "/api/v1/turns", object{"text": strings.Repeat("长", 30000)}, 413, "too_large"},
		{"POST", "/api/v1/device", object{"action": "mute"}, 503, "no_sound"},
		{"POST", "/api/v1/cooking", object{"action": "next"}, 409, "not_cooking"},
		{"POST", "/api/v1/cooking", object{"action": "burn"}, 400, "bad_request"},
		{"POST", "/api/v1/forget", object{"confirm": "yes"}, 400, "not_confirmed"},
		{"GET", "/api/v1/recipes/nothing", nil, 404, "not_found"},
		{"GET", "/api/v1/recipes/%E7%95%AA%E8%8C%84%E7%82%92%E8%9B%8B?servings=1000", nil, 400, "bad_request"},
		{"GET", "/api/v1/history/cook-20261022-195500-abcdef", nil, 404, "not_found"},
		{"DELETE", "/api/v1/members/nobody", nil, 404, "not_found"},
		{"DELETE", "/api/v1/access/nobody", nil, 404, "not_found"},
		{"GET", "/ca.crt", nil, 404, "no_ca"},
		{"GET", "/api/v2/anything", nil, 404, "not_found"},
		{"GET", "/api/v1/talk", nil, 503, "no_speech"},
	} {
		var got struct{ Error problem }
		h.do(c.method, c.path, c.body, c.status, &got)
		if got.Error.Code != c.code || got.Error.Text == "" {
			t.Errorf("%s %s: %+v, want code %s", c.method, c.path, got, c.code)
		}
	}
	r := h.request("POST", "/api/v1/turns", nil)
	r.Body = io.NopCloser(strings.NewReader("text=hello"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if res, text := h.send(r); res.StatusCode != 415 {
		t.Errorf("a form: %d %s", res.StatusCode, text)
	}
}

func TestTimers(t *testing.T) {
	h := newHouse(t, nil)
	var got struct {
		OK     bool
		Say    string
		Timers []struct {
			ID, Label, State string
			Left             int `json:"seconds_left"`
		}
	}
	h.do("POST", "/api/v1/timers", object{"words": "鸡蛋八分钟，米饭二十分钟"}, 200, &got)
	if !got.OK || len(got.Timers) != 2 || got.Timers[0].Label != "鸡蛋" {
		t.Fatalf("%+v", got)
	}
	h.do("POST", "/api/v1/timers", object{"label": "tea", "seconds": 240, "lang": "en"}, 200, &got)
	if !got.OK || len(got.Timers) != 3 || !strings.Contains(got.Say, "4 minutes") && !strings.Contains(got.Say, "four minutes") {
		t.Errorf("%+v", got)
	}
	h.do("DELETE", "/api/v1/timers/"+got.Timers[0].ID, nil, 200, &got)
	if !got.OK || len(got.Timers) != 2 {
		t.Errorf("after one was cancelled: %+v", got)
	}
	h.do("POST", "/api/v1/timers", object{"words": "hello"}, 200, &got)
	if got.OK {
		t.Errorf("no length: %+v", got)
	}
	h.do("DELETE", "/api/v1/timers", nil, 200, &got)
	if !got.OK || len(got.Timers) != 0 {
		t.Errorf("after all were cancelled: %+v", got)
	}
}

// R45, R12, R43: a dish is cooked by touch: the buttons are turns on channel web
// through the same tool as a voice's, recorded; a voice goes on from the step that
// touch left, and the mode ends by a person's own act. Then it stands in the
// history, is exported, and forgotten.
func TestCookByTouch(t *testing.T) {
	h := newHouse(t, nil)
	var got struct {
		Outcome Outcome
		Cooking *Cooking
	}
	cook := func(body object, step int) {
		t.Helper()
		h.do("POST", "/api/v1/cooking", body, 200, &got)
		if got.Cooking == nil || got.Cooking.Step != step {
			t.Fatalf("%v: %+v, want step %d", body, got, step)
		}
	}
	cook(object{"action": "start", "recipe": "番茄炒蛋", "servings": 4, "lang": "zh"}, 1)
	if c := got.Cooking; c.Servings != 4 || !slices.ContainsFunc(c.Ingredients, func(s string) bool { return strings.Contains(s, "鸡蛋") }) || c.Of < 3 {
		t.Errorf("cooking %+v", c)
	}
	cook(object{"action": "next", "lang": "zh"}, 2)
	h.voice("下一步")
	cook(object{"action": "where", "lang": "zh"}, 3)
	cook(object{"action": "back", "lang": "en"}, 2)
	cook(object{"action": "goto", "step": 1, "lang": "zh"}, 1)
	cook(object{"action": "finish", "lang": "zh"}, 0)
	if !got.Cooking.Finished {
		t.Errorf("finished: %+v", got.Cooking)
	}
	web := 0
	for _, r := range h.records() {
		if r.Channel == voice.ChannelWeb && r.User != "" && r.Assistant != "" && r.Failed == "" {
			web++
		}
	}
	if web != 7 { // entering, starting, next, where, back, goto, finish
		t.Errorf("%d turns of touch are recorded, want 7: %+v", web, h.records())
	}
	var ended struct{ Mode *event.Mode }
	h.do("POST", "/api/v1/mode/exit", object{}, 200, &ended)
	if ended.Mode == nil || ended.Mode.ID != "cooking" {
		t.Fatalf("exit: %+v", ended)
	}
	h.checkHistory(ended.Mode.SessionID)
}

// voice is a spoken turn of the device.
func (h *house) voice(words string) {
	h.t.Helper()
	r := &textReply{}
	turn := voice.Turn{Channel: voice.ChannelVoice, ChatID: "voice-20261022-195500-abcdef", Speaker: "mama", Text: words, Lang: "zh"}
	if err := h.agent.Handle(h.t.Context(), turn, r); err != nil || r.result.Err != nil {
		h.t.Fatal(err, r.result.Err)
	}
}

// checkHistory finds a session, exports and forgets it.
func (h *house) checkHistory(id string) {
	h.t.Helper()
	var list struct{ Days []HistoryDay }
	h.do("GET", "/api/v1/history", nil, 200, &list)
	if len(list.Days) != 1 || list.Days[0].Sessions[0].ID != id || !strings.Contains(list.Days[0].Sessions[0].Line, "番茄炒蛋") {
		h.t.Fatalf("history %+v", list)
	}
	h.do("GET", "/api/v1/history?q=nothing", nil, 200, &list)
	if len(list.Days) != 0 {
		h.t.Errorf("a query that matches nothing: %+v", list)
	}
	var doc SessionDoc
	h.do("GET", "/api/v1/history/"+id, nil, 200, &doc)
	if len(doc.Turns) < 7 || doc.Summary == "" || doc.Reason != "user" {
		h.t.Errorf("session %+v", doc)
	}
	for format, want := range map[string]string{"md": "## 对话", "json": `"turns": [`} {
		res, text := h.send(h.request("GET", "/api/v1/history/"+id+"/export?format="+format, nil))
		if !strings.Contains(text, want) || res.Header.Get("Content-Disposition") != fmt.Sprintf("attachment; filename=%q", id+"."+format) {
			h.t.Errorf("export as %s: %v\n%s", format, res.Header, text)
		}
	}
	h.do("DELETE", "/api/v1/members/mama", nil, 204, nil)
	h.do("GET", "/api/v1/history/"+id, nil, 200, &doc)
	for _, l := range doc.Turns {
		if l.Speaker == "mama" {
			h.t.Errorf("mama was not forgotten: %+v", l)
		}
	}
	h.do("DELETE", "/api/v1/history/"+id, nil, 204, nil)
	h.do("GET", "/api/v1/history/"+id, nil, 404, nil)
	if h.exists("cooking/summaries/"+id+".md") || h.exists("modes/sessions/cooking/"+id) {
		h.t.Error("files of a forgotten session are there")
	}
	h.do("POST", "/api/v1/forget", object{"confirm": "everything"}, 204, nil)
}

func TestRecipes(t *testing.T) {
	h := newHouse(t, nil)
	var list struct{ Recipes []RecipeLine }
	h.do("GET", "/api/v1/recipes?q=番茄", nil, 200, &list)
	if len(list.Recipes) < 2 {
		t.Fatalf("recipes %+v", list)
	}
	var r RecipeDoc
	h.do("POST", "/api/v1/recipes", RecipeDoc{
		Title: "Egg fried rice", Servings: 2, Tags: []string{"quick"},
		Ingredients: []string{"rice: 300 g", "eggs: 2"}, Steps: []string{"Fry. (3 min)"},
	}, 201, &r)
	if r.ID != "egg-fried-rice" || r.Minutes != 3 || r.Tags[0] != "quick" {
		t.Errorf("made %+v", r)
	}
	h.do("POST", "/api/v1/recipes", r, 409, nil)
	h.do("GET", "/api/v1/recipes/egg-fried-rice?servings=6", nil, 200, &r)
	if !slices.Equal(r.Ingredients, []string{"rice: 900 g", "eggs: 6"}) || r.ScaledTo != 6 || r.Servings != 2 {
		t.Errorf("scaled %+v", r)
	}
	before := r.Revision
	edit := RecipeDoc{Source: strings.Replace(r.Source, "eggs: 2", "eggs: 3", 1), Revision: before}
	h.do("PUT", "/api/v1/recipes/egg-fried-rice", edit, 200, &r)
	if !slices.Contains(r.Ingredients, "eggs: 3") || r.Revision == before {
		t.Errorf("changed %+v", r)
	}
	h.do("PUT", "/api/v1/recipes/egg-fried-rice", edit, 409, nil) // of what was read before
	h.do("PUT", "/api/v1/recipes/egg-fried-rice", RecipeDoc{Source: "# nothing"}, 422, nil)
	h.do("PUT", "/api/v1/recipes/no-such", edit, 404, nil)
	h.do("DELETE", "/api/v1/recipes/egg-fried-rice", nil, 204, nil)
	h.do("GET", "/api/v1/recipes/egg-fried-rice", nil, 404, nil)
	h.do("POST", "/api/v1/recipes/import", object{"text": "Soup\nServes 4\nIngredients\n- 1 l water\nSteps\n1. Boil."}, 200, &r)
	if r.Title != "Soup" || r.Servings != 4 || r.Ingredients[0] != "water: 1 l" {
		t.Errorf("imported %+v", r)
	}
	h.do("POST", "/api/v1/recipes/import", object{"text": "nothing of the kind"}, 422, nil)
}

// What was said and is forgotten cannot be said again by the device.
func TestForgottenIsNotRepeated(t *testing.T) {
	device := &fakeDevice{}
	h := newHouse(t, func(c *Config) { c.Device = device })
	h.do("POST", "/api/v1/forget", object{"confirm": "everything"}, 204, nil)
	if got := device.heard(); got != "forget" {
		t.Errorf("the device was told %q", got)
	}
}

// V8: /healthz is 200 only when somebody would be heard.
func TestHealth(t *testing.T) {
	device := &fakeDevice{}
	h := newHouse(t, func(c *Config) { c.Device = device })
	status := func() int { res, _ := h.send(h.request("GET", "/healthz", nil)); return res.StatusCode }
	set := func(s event.State) { h.bus.Update(func(now *event.State) { *now = s }, event.StateChanged, nil) }
	for _, c := range []struct {
		state event.State
		want  int
	}{
		{event.State{Dialogue: event.Idle}, 200},
		{event.State{Dialogue: event.Idle, Faults: []event.Fault{{Code: voice.FaultVoice}}}, 200},
		{event.State{Dialogue: event.Idle, Faults: []event.Fault{{Code: voice.FaultMicrophone}}}, 503},
		{event.State{Dialogue: event.Idle, Faults: []event.Fault{{Code: voice.FaultEars}}}, 503},
		{event.State{Dialogue: event.Muted, Muted: true}, 503},
		{event.State{Dialogue: event.Ringing, Muted: true}, 503},
	} {
		set(c.state)
		if got := status(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.state, got, c.want)
		}
	}
	if got := h.metric("homebot_hears"); got != "0" {
		t.Errorf("homebot_hears %q", got)
	}
	if res, _ := newHouse(t, nil).send(h.request("GET", "/healthz", nil)); res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("without sound: %d", res.StatusCode)
	}
}
