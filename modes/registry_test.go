package modes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"homebot/internal/phrases"
	"homebot/modes"
	"homebot/skills"
)

// put writes a file of a skills directory.
func put(t testing.TB, dir, path, text string) {
	t.Helper()
	full := filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const skillText = "---\nname: x\ndescription: does x\nlicense: MIT\nallowed-tools: [a]\n---\nBody.\n"

func skill(t testing.TB, dir, name, manifest string) {
	t.Helper()
	put(t, dir, name+"/SKILL.md", skillText)
	put(t, dir, name+"/mode.json", manifest)
}

// builtin is one built-in mode, so that names can clash.
var builtin = fstest.MapFS{
	"home-x/SKILL.md":  {Data: []byte(skillText)},
	"home-x/mode.json": {Data: []byte(`{"id":"xmode","display_name":"某模式","aliases":["x mode"],"entrypoint":"builtin:xmode"}`)},
	"plain/SKILL.md":   {Data: []byte(skillText)}, // a skill without a mode
}

func registry(dir string) *modes.Registry {
	r := modes.NewRegistry(builtin, dir)
	r.Plugins = []modes.Plugin{{ID: "xmode"}, {ID: "ghost"}}
	return r
}

// R14, R15, R16: a folder dropped into the workspace is a mode at the next look,
// without a rebuild; a skill written for other agents loads; taken away it is
// gone.
func TestDroppedInFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "skills")
	r := registry(dir)
	if c := r.Scan(); len(c.Modes) != 1 || len(c.Broken) != 0 {
		t.Fatalf("%+v", c)
	}
	skill(t, dir, "study", `{"id":"study","display_name":"学习模式","aliases":["study mode"],"expires":"06:30","on_enter":"开始吧","session_prefix":"learn","context_profile":"full"}`)
	c := r.Scan()
	m, ok := c.Lookup("study")
	if !ok || m.Folder != "study" || m.Builtin || m.Plugin != nil || m.Expires != "06:30" || m.SessionPrefix != "learn" || m.Skill.Body != "Body." {
		t.Errorf("%+v", m)
	}
	if v := c.Gate().Enter("打开学习模式", "study"); !v.OK {
		t.Errorf("%+v", v)
	}
	if first, _ := c.Lookup("xmode"); first.Expires != "00:10" || first.SessionPrefix != "xmode" || first.Plugin == nil || c.Modes[0].ID != "xmode" {
		t.Errorf("%+v", first)
	}
	put(t, dir, "study/SKILL.md", strings.Replace(skillText, "Body", "Other", 1))
	if m, _ := r.Scan().Lookup("study"); m.Skill.Body != "Other." {
		t.Errorf("an edit is not seen: %q", m.Skill.Body)
	}
	if err := os.RemoveAll(filepath.Join(dir, "study")); err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Scan().Lookup("study"); ok {
		t.Error("still there")
	}
}

// R14, R15: every bad folder is listed with file, line and reason, and stops none
// of the others.
func TestBrokenModes(t *testing.T) {
	for name, c := range map[string]struct {
		manifest string
		line     int
		want     string
	}{
		"duplicate id":     {`{"id":"xmode","display_name":"别的模式"}`, 0, "is taken by built in: home-x"},
		"duplicate name":   {`{"id":"y","display_name":"某 模式"}`, 0, "is taken by"},
		"duplicate alias":  {`{"id":"y","display_name":"别的模式","aliases":["X Mode"]}`, 0, "is taken by"},
		"id with dots":     {"{\n\"id\":\"../../etc\",\n\"display_name\":\"别的模式\"}", 2, "use a small letter"},
		"upper case":       {`{"id":"Y","display_name":"别的模式"}`, 1, "use a small letter"},
		"reserved":         {`{"id":"members","display_name":"别的模式"}`, 1, "uses itself"},
		"no name":          {"{\"id\":\"y\"}", 1, "display_name is missing"},
		"long name":        {`{"id":"y","display_name":"` + strings.Repeat("长", 40) + `模式"}`, 1, "at most 32"},
		"two lines":        {`{"id":"y","display_name":"别的\n模式"}`, 1, "on one line"},
		"alias":            {"{\"id\":\"y\",\"display_name\":\"别的模式\",\n\"aliases\":[\"做\"]}", 2, "must contain 模式"},
		"expires":          {"{\"id\":\"y\",\"display_name\":\"别的模式\",\n\n\"expires\":\"25:00\"}", 3, "use HH:MM"},
		"profile":          {"{\"id\":\"y\",\"display_name\":\"别的模式\",\n\"context_profile\":\"deep\"}", 2, "full, compact or minimal"},
		"prefix":           {`{"id":"y","display_name":"别的模式","session_prefix":"../x"}`, 1, "session_prefix"},
		"python":           {"{\"id\":\"y\",\"display_name\":\"别的模式\",\n\"entrypoint\":\"mode.py:Mode\"}", 2, "Python is not run here; use mode.star:NAME, or drop entrypoint for a static mode"},
		"missing builtin":  {"{\"id\":\"y\",\"display_name\":\"别的模式\",\n\"entrypoint\":\"builtin:nothing\"}", 2, "nothing of that name"},
		"foreign builtin":  {`{"id":"y","display_name":"别的模式","entrypoint":"builtin:ghost"}`, 1, "nothing of that name"},
		"missing script":   {`{"id":"y","display_name":"别的模式","entrypoint":"mode.star:mode"}`, 0, "no such file"},
		"other script":     {`{"id":"y","display_name":"别的模式","entrypoint":"../evil.star:mode"}`, 1, "use mode.star:NAME"},
		"unknown tool":     {`{"id":"y","display_name":"别的模式","tools":["fly"]}`, 1, "there is no tool \"fly\""},
		"unknown key":      {"{\"id\":\"y\",\n\"colour\":1}", 2, "unknown key \"colour\""},
		"wrong type":       {"{\"id\":\"y\",\n\"display_name\":7}", 2, "must be string"},
		"not JSON":         {"{\"id\":\n\"y\",,}", 2, "not JSON"},
		"a list":           {"[1]", 1, "must be one object"},
		"two objects":      {"{\"id\":\"y\",\"display_name\":\"别的模式\"}\n}", 2, "something follows"},
		"deep JSON":        {`{"id":` + strings.Repeat("[", 30000), 1, "depth"},
		"empty":            {"", 1, "is empty"},
		"a voice protocol": {"{\"id\":\"y\",\"display_name\":\"别的模式\",\n\"dialogue_state\":\"listening\"}", 2, "unknown key"}, // R41
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			skill(t, dir, "bad", c.manifest)
			skill(t, dir, "good", `{"id":"good","display_name":"好模式"}`)
			cat := registry(dir).Scan()
			if _, ok := cat.Lookup("good"); !ok || len(cat.Modes) != 2 {
				t.Errorf("the good one is not there: %+v", cat.Modes)
			}
			if len(cat.Broken) != 1 {
				t.Fatalf("broken %+v", cat.Broken)
			}
			b := cat.Broken[0]
			if b.Line != c.line || !strings.Contains(b.Reason, c.want) || !strings.HasPrefix(b.File, filepath.Join(dir, "bad")) || strings.Contains(b.String(), "\n") {
				t.Errorf("got %s\nwant line %d %q", b, c.line, c.want)
			}
			// The operating system's own words are all that is left in English.
			if zh := b.In(phrases.Chinese); (zh == b.String()) != (name == "missing script") || !strings.HasPrefix(zh, b.File+":") {
				t.Errorf("in Chinese %s", zh)
			}
		})
	}
}

// R14, R15: a hostile folder: what leads out, never ends or fills the memory is
// listed as broken within a moment.
func TestHostileFolder(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	skill(t, outside, "evil", `{"id":"evil","display_name":"坏模式"}`)
	link := func(to, name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(filepath.Join(outside, "evil"), "linked")
	put(t, dir, "skill-link/mode.json", `{"id":"a1","display_name":"甲模式"}`)
	link(filepath.Join(outside, "evil", "SKILL.md"), "skill-link/SKILL.md")
	put(t, dir, "manifest-link/SKILL.md", skillText)
	link(filepath.Join(outside, "evil", "mode.json"), "manifest-link/mode.json")
	put(t, dir, "huge/mode.json", `{"id":"a2","display_name":"乙模式"}`)
	put(t, dir, "huge/SKILL.md", "")
	if err := os.Truncate(filepath.Join(dir, "huge/SKILL.md"), 1<<30); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "pipe/SKILL.md", skillText)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe", "mode.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "no-skill/mode.json", `{"id":"a3","display_name":"丙模式"}`)
	put(t, dir, "loop/SKILL.md", skillText)
	link("mode.json", "loop/mode.json")
	skill(t, dir, "good", `{"id":"good","display_name":"好模式"}`)
	put(t, dir, ".hidden/mode.json", "{")
	put(t, dir, "a-file", "x")

	began := time.Now()
	c := registry(dir).Scan()
	if d := time.Since(began); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
	if _, ok := c.Lookup("good"); !ok || len(c.Modes) != 2 {
		t.Errorf("modes %+v", c.Modes)
	}
	found := map[string]bool{}
	for _, b := range c.Broken {
		rel, _ := filepath.Rel(dir, b.File)
		found[strings.Split(rel, "/")[0]] = true
		if b.Reason == "" {
			t.Errorf("no reason: %+v", b)
		}
	}
	for _, name := range []string{"linked", "skill-link", "manifest-link", "huge", "pipe", "no-skill", "loop"} {
		if !found[name] {
			t.Errorf("%s is not listed as broken: %v", name, c.Broken)
		}
	}
}

// R17: the tools a plugin offers, cut to those that mode.json names.
func TestOffered(t *testing.T) {
	dir := t.TempDir()
	tool := func(name string) skills.Tool { return skills.Tool{Name: name} }
	for names, want := range map[string]string{`null`: "[a b]", `["b"]`: "[b]", `[]`: "[]"} {
		skill(t, dir, "y", `{"id":"y","display_name":"别的模式","entrypoint":"builtin:y","tools":`+names+`}`)
		r := registry(dir)
		r.Plugins = []modes.Plugin{{ID: "y", Tools: []skills.Tool{tool("a"), tool("b")}}}
		m, _ := r.Scan().Lookup("y")
		got := []string{}
		for _, o := range m.Offered() {
			got = append(got, o.Name)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", names, got, want)
		}
	}
	for _, bad := range []string{"switch_mode", "a", "Fly", "read_history"} {
		r := registry(dir)
		skill(t, dir, "y", `{"id":"y","display_name":"别的模式","entrypoint":"builtin:y"}`)
		r.Plugins = []modes.Plugin{{ID: "y", Tools: []skills.Tool{tool("a"), tool(bad)}}}
		if c := r.Scan(); !c.IsBroken("y") {
			t.Errorf("tool %q was taken", bad)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add(`{"id":"y","display_name":"别的模式","aliases":["y mode"]}`, skillText)
	f.Add(`{"id":"y","entrypoint":"builtin:y"}`, "---\n---\n")
	f.Fuzz(func(t *testing.T, manifest, text string) {
		c := modes.NewRegistry(fstest.MapFS{"y/mode.json": {Data: []byte(manifest)}, "y/SKILL.md": {Data: []byte(text)}}, "").Scan()
		if len(c.Modes)+len(c.Broken) != 1 {
			t.Errorf("%d modes, %d broken", len(c.Modes), len(c.Broken))
		}
		for _, b := range c.Broken {
			if strings.Contains(b.String(), "\n") || b.Reason == "" {
				t.Errorf("broken %q", b)
			}
		}
	})
}

// What one look at the folders costs: it is done in each turn of a mode.
func BenchmarkScan(b *testing.B) {
	dir := b.TempDir()
	for i := range 5 {
		skill(b, dir, fmt.Sprintf("s%d", i), fmt.Sprintf(`{"id":"s%d","display_name":"第%d模式"}`, i, i))
	}
	r := registry(dir)
	for b.Loop() {
		if c := r.Scan(); len(c.Modes) != 6 {
			b.Fatal(c.Broken)
		}
	}
}
