package contextmode

import (
	"errors"
	"strings"
	"testing"
	"time"

	"homebot/internal/phrases"
	"homebot/internal/text"
)

// C1: the three profiles, their fields and their names in both languages are in
// the embedded table, which leaves nothing out.
func TestDefaultTable(t *testing.T) {
	alone, err := parseOnto(Table{}, "default.toml", defaultTOML)
	if err != nil || alone != Default() {
		t.Fatalf("the embedded table is not complete: %v", err)
	}
	for _, want := range []struct {
		profile             Profile
		zh, en              string
		budget, maxTurns    int
		session, summarises bool
	}{
		{Full, "深度分析", "deep analysis", 32000, -1, true, false},
		{Compact, "标准对话", "standard", 8000, 10, true, true},
		{Minimal, "快速应答", "quick answer", 2000, 2, false, false},
	} {
		s := Default().Spec(want.profile)
		if s.Profile != want.profile || s.TokenBudget != want.budget || s.MaxTurns != want.maxTurns || s.KeepSession != want.session ||
			s.Summarize != want.summarises || s.ImportanceKeep != 0.8 || !s.KeepSystem {
			t.Errorf("%+v", s)
		}
		if Default().Name(want.profile, "zh") != want.zh || Default().Name(want.profile, "en") != want.en {
			t.Errorf("%s is called %s, %s", want.profile, s.NameZH, s.NameEN)
		}
		if s.Timeout <= 0 || s.Cache == "" || s.CacheLife <= 0 || s.TemplateZH == "" || s.TemplateEN == "" {
			t.Errorf("%s leaves something out: %+v", want.profile, s)
		}
	}
	if got := Default().Spec("no such"); got.Profile != Compact {
		t.Errorf("no profile is %s", got.Profile)
	}
}

// C1, C15: another version changes what it says and nothing else.
func TestTableOverride(t *testing.T) {
	got, err := ParseTable("7.toml", []byte("\xef\xbb\xbfversion = 7\nprofile.compact.token_budget = 6000\n[profile.minimal]\nmax_turns = 4\ntimeout_seconds = 9\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Version = 7
	want.specs[1].TokenBudget = 6000
	want.specs[2].MaxTurns = 4
	want.specs[2].Timeout = 9 * time.Second
	if got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	text := strings.Replace(DefaultTOML(), "version = 1", "version = 2", 1)
	again, err := ParseTable("2.toml", []byte(text))
	if err != nil || again.specs != Default().specs {
		t.Errorf("the text for a person is not the table: %v", err)
	}
}

// C1: every mistake has its line and column, and the way out.
func TestBadTables(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "t.toml:1:1: version: is missing; write version = N"},
		{"version = 0", "t.toml:1:1: version: must be 1 or more"},
		{"version = 2\n[profile.compact]\ntoken_bugdet = 9", "t.toml:3:1: profile.compact.token_bugdet: there is no such key"},
		{"version = 2\n[profile.fast]\n", "t.toml:2:2: profile.fast: there is no such key"},
		{"version = 2\n\n[profile.full]\n  token_budget = \"many\"", "t.toml:4:18: profile.full.token_budget: "},
		{"version = 2\n[profile.full]\ntoken_budget = 12", "t.toml:3:1: profile.full.token_budget: must be 500 … 2000000"},
		{"version = 2\nprofile.full.keep_system = false", "t.toml:2:1: profile.full.keep_system: must be true"},
		{"version = 2\nprofile.full = {max_turns = 0}", "t.toml:2:17: profile.full.max_turns: must be -1"},
		{"version = 2\n[profile.minimal]\nimportance_keep = nan", "t.toml:3:1: profile.minimal.importance_keep: must be 0.1 … 1"},
		{"version = 2\n[profile.minimal]\ncache = \"none\"", `t.toml:3:1: profile.minimal.cache: must be "whole" or "core"`},
		{"version = 2\n[profile.minimal]\nname_zh = \"标准 对话！\"", "t.toml:3:1: profile.minimal.name_zh: is also the name of compact"},
		{"version = 2\n[profile.minimal]\ntemplate_en = \"a\\nb\"", "t.toml:3:1: profile.minimal.template_en: must be some words on one line"},
		{"version = 2\n[decide]\nloaded = \"small\"", `t.toml:3:1: decide.loaded: "small" is no profile; write full, compact or minimal`},
		{"version = 2\n[load]\nleave = 0.9", "t.toml:3:1: load.leave: must be below load.enter"},
		{"version = 2\n[trim]\nlow = 0.95", "t.toml:3:1: trim.low: must be 0.1 … 0.9"},
		{"version = 2\n[trim]\nstep = 0", "t.toml:3:1: trim.step: must be 1 … 50"},
		{"version = 2\n这是 = ", "t.toml:2:1: "},
		{"version = 2\n[profile.full]\ntimeout_seconds = 99999999999", "t.toml:3:1: profile.full.timeout_seconds: must be 1 … 600"},
		{"version = 2\nversion = 3", "t.toml:2:1: "},
	} {
		_, err := ParseTable("t.toml", []byte(tt.text))
		if !errors.Is(err, ErrTable) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q:\ngot  %v\nwant %s…", tt.text, err, tt.want)
		}
		place, _, _ := strings.Cut(tt.want, ": ")
		if zh := phrases.Told(err, phrases.Chinese); !strings.HasPrefix(zh, place+": ") || zh == err.Error() || !text.HasHan(zh) {
			t.Errorf("%q in Chinese: %s", tt.text, zh)
		}
	}
	_, err := ParseTable("t.toml", []byte("version = -1\n[trim]\nstep = 0\nkeep_turns = 0"))
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("three mistakes have not three lines: %v", err)
	}
	if _, err := ParseTable("t.toml", make([]byte, maxTableBytes+1)); !errors.Is(err, ErrTable) {
		t.Errorf("a huge file: %v", err)
	}
}

// C14: what a profile adds to the prompt is frozen with the session; another
// profile speaks through a header line, and the frozen one not at all.
func TestNotice(t *testing.T) {
	table := Default()
	if got := table.Notice(Compact, Compact, "zh"); got != "" {
		t.Errorf("the frozen profile says %q", got)
	}
	if got := table.Notice(Compact, Minimal, "zh"); got != "[快速应答: 只说结论，一两句话。]" {
		t.Errorf("got %q", got)
	}
	if got := table.Notice(Full, Compact, "en"); got != "[standard: Answer briefly and naturally.]" {
		t.Errorf("got %q", got)
	}
}

func FuzzParseTable(f *testing.F) {
	f.Add(defaultTOML)
	f.Add([]byte("version = 2\nprofile.full = {max_turns = 0}"))
	f.Add([]byte("version = 2\n[load]\nenter = inf\nleave = -nan"))
	f.Add([]byte("[[profile]]\nversion = \"\xff\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := ParseTable("f", data)
		if err != nil {
			if table != (Table{}) || !errors.Is(err, ErrTable) {
				t.Fatalf("%+v with %v", table, err)
			}
			for line := range strings.Lines(err.Error()) {
				if !strings.HasPrefix(line, "f:") {
					t.Fatalf("a line without its place: %q", line)
				}
			}
			return
		}
		if table.Version < 1 {
			t.Fatal("accepted without a version")
		}
		// Whatever passes can decide and cut.
		d := Decide(table, Signals{Turns: 3, Load: 1, Now: evening})
		log := kitchenLog(40)
		var cuts []Cut
		for n := 1; n <= len(log); n++ {
			out := Plan(Input{Log: log[:n], Cuts: cuts, Table: table, Profile: d.Profile, Budget: table.BudgetAt(d.Profile, 0.5, true, 0, 0)})
			if out.Cut != nil {
				cuts = append(cuts, *out.Cut)
			}
			checkView(t, Fold(log[:n], cuts), log[:n], cuts)
		}
	})
}
