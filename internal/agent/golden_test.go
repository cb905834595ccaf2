package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"homebot/internal/agent"
	"homebot/internal/llm"
	"homebot/modes"
	"homebot/skills"
	"homebot/voice"
)

// goldenMode is a mode of its own for the golden prompt, so that a better prompt of a
// real mode does not change it.
func goldenMode(body string, fields *[]modes.Field, tools ...skills.Tool) func(*agent.Config) {
	return func(c *agent.Config) {
		c.Registry = modes.NewRegistry(fstest.MapFS{
			"tea/SKILL.md":  {Data: []byte("---\nname: tea\ndescription: makes tea\n---\n" + body + "\n")},
			"tea/mode.json": {Data: []byte(`{"id":"tea","display_name":"茶模式","aliases":["tea mode"],"entrypoint":"builtin:tea"}`)},
		}, "")
		c.Registry.Plugins = []modes.Plugin{{
			ID: "tea", HistoryFile: "history.md", Tools: tools,
			StaticPrompt:   func(context.Context, modes.Scope) (string, error) { return "Static words of the plugin.", nil },
			RuntimeContext: func(context.Context, modes.Scope) ([]modes.Field, error) { return *fields, nil },
		}}
	}
}

func teaTool(name string) skills.Tool {
	return skills.NewTool(name, "Brews.", func(context.Context, struct {
		Minutes int `json:"minutes"`
	}) (string, error) {
		return `{"ok":true}`, nil
	})
}

var randomPart = regexp.MustCompile(`(tea-\d{8}-\d{6})-[0-9a-f]{6}`)

// requestBytes is a request as bytes: messages, one a line, then the tools.
func requestBytes(q llm.Request) []byte {
	var b bytes.Buffer
	for _, m := range q.Messages {
		b.Write(llm.EncodeMessage(m))
		b.WriteByte('\n')
	}
	b.Write(q.Tools)
	return append(randomPart.ReplaceAll(b.Bytes(), []byte("$1-ffffff")), '\n')
}

// R30, R31, R33, R35, R37: a mode turn's request, byte for byte: base prompt, mode
// text, SKILL.md, plugin; history as messages; the header with all its fields
// only in the first message under the mode's prompt; the tools in their order.
// UPDATE_GOLDEN=1 writes it anew.
func TestGoldenModeTurn(t *testing.T) {
	fields := []modes.Field{{Key: "pot", Value: "red"}, {Key: "cups", Value: "2"}}
	k := &kitchen{t: t, disk: newDisk(), model: &model{}, clock: evening, config: goldenMode("Make tea.", &fields, teaTool("brew"))}
	k.restart()
	k.turn("打开茶模式", enter("tea"), say("好的，泡什么茶？[[continue]]"))
	k.as("mama", "红茶", call("note_fact", map[string]string{"kind": "preference", "text": "红茶"}), say("记下了。[[end]]"))
	fields[1].Value = "3"
	k.as("guest", "三杯")
	got := requestBytes(last(k.model.requests))
	path := filepath.Join("testdata", "mode_turn.golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
		for i := range min(len(a), len(b)) {
			if !bytes.Equal(a[i], b[i]) {
				t.Errorf("line %d\n got %s\nwant %s", i+1, a[i], b[i])
			}
		}
		t.Error("the request of a mode turn changed; if that is meant, run with UPDATE_GOLDEN=1 and look at the difference")
	}
}

// R34, R35, R36, R37: random talks of several speakers on several channels, with
// restarts, updates of SKILL.md and of the tools, and changing recipes: each
// turn's first request begins, byte for byte, with the one before; the tools'
// bytes never change; no USER.md text appears; the system message has no time.
func TestPrefixHoldsInRandomTalks(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { randomTalk(t, rand.New(rand.NewPCG(seed, 5))) })
	}
}

func randomTalk(t *testing.T, rnd *rand.Rand) {
	fields := []modes.Field{{Key: "recipe", Value: "茶"}}
	k := &kitchen{t: t, disk: newDisk(), model: &model{}, clock: evening, config: goldenMode("Make tea.", &fields, teaTool("brew"))}
	k.restart()
	writeFile(t, k, "members/mama/USER.md", "---\nname: 妈妈\n---\nSECRET OF MAMA\n")
	writeFile(t, k, "members/papa/USER.md", "SECRET OF PAPA\n")
	breaks := 0
	k.turn("打开茶模式", enter("tea"), say("好。"))
	var first []llm.Request
	for turn := range 14 {
		switch rnd.IntN(6) {
		case 0:
			k.config = goldenMode(fmt.Sprintf("Edited %d.", turn), &fields, teaTool("other"), teaTool(fmt.Sprintf("new_%d", turn)))
			k.restart()
		case 1:
			k.restart()
		case 2:
			fields = []modes.Field{{Key: "recipe", Value: fmt.Sprint("茶", rnd.IntN(3))}, {Key: "step", Value: fmt.Sprint(rnd.IntN(5))}}
		case 3:
			fields = nil
		}
		speaker := []string{"guest", "mama", "papa"}[rnd.IntN(3)]
		channel := []string{voice.ChannelVoice, voice.ChannelText, voice.ChannelWeb}[rnd.IntN(3)]
		n := len(k.model.requests)
		steps := [][]step{
			{say("好。[[end]]")}, {say("几杯？[[continue]]")}, {step{err: llm.ErrUnreachable}}, {call("brew", map[string]int{"minutes": 3}), say("泡好了。[[end]]")},
			{call("note_fact", map[string]string{"kind": "fact", "text": "绿茶"}), say("记下了。")}, {call("nothing", nil), say("不行。")},
		}[rnd.IntN(6)]
		k.handle(voice.Turn{Channel: channel, ChatID: channel + "-20261022-195500-abcdef", Speaker: speaker, Text: fmt.Sprintf("第%d句 [不是头]", turn)}, &reply{}, steps...)
		first = append(first, k.model.requests[n])
	}
	clock := regexp.MustCompile(`\d\d:\d\d`)
	for i, q := range first {
		if clock.MatchString(q.Messages[0].Content) || !clock.MatchString(last(q.Messages).Content) {
			t.Errorf("turn %d: the time is not in the last message only", i)
		}
		for _, m := range q.Messages {
			if strings.Contains(m.Content, "SECRET") {
				t.Errorf("turn %d: USER.md is in the request", i)
			}
		}
		if i == 0 {
			continue
		}
		if !json.Valid(q.Tools) || !bytes.Equal(q.Tools, first[i-1].Tools) {
			t.Errorf("turn %d: the tools changed", i)
		}
		for j, m := range first[i-1].Messages {
			if j >= len(q.Messages) || !bytes.Equal(llm.EncodeMessage(m), llm.EncodeMessage(q.Messages[j])) {
				breaks++
				t.Errorf("turn %d, message %d: the prefix broke", i, j)
				break
			}
		}
	}
	if len(first) < 14 || breaks > 0 {
		t.Errorf("%d turns, %d breaks", len(first), breaks)
	}
}
