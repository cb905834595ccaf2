package archtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// rules are the rules of the house by name.
var rules = map[string]rule{
	"imports point down":          importsPointDown,
	"third parties stay home":     thirdPartiesStayHome,
	"cgo stays home":              cgoStaysHome,
	"test doubles stay in tests":  testDoublesStayInTests,
	"goroutines are listed":       goroutinesAreListed,
	"waits are listed":            waitsAreListed,
	"no init":                     noInit,
	"functions are short":         functionsAreShort,
	"files are short":             filesAreShort,
	"packages are documented":     packagesAreDocumented,
	"packages have names":         packagesHaveNames,
	"modes hold no cooking":       modesHoldNoCooking, // R18
	"sentences are said":          sentencesAreSaid,
	"no registry or mirror hosts": noRegistryHosts,
}

// The house is as its tables say. R18: modes/ holds no cooking.
func TestHouse(t *testing.T) {
	m, err := load(os.DirFS(moduleRoot(t)))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.files) < 50 {
		t.Fatalf("read %d Go files: this is not the whole module", len(m.files))
	}
	for name, broken := range rules {
		t.Run(name, func(t *testing.T) {
			wrong := broken(m)
			slices.Sort(wrong)
			for _, line := range wrong {
				t.Error(line)
			}
		})
	}
}

// moduleRoot walks up from here to go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above this test")
		}
		dir = parent
	}
}

// Every rule can fail, and lets pass what it should: each example is a small
// module; want is a part of the one line it gives, or "" for none.
func TestRulesCanFail(t *testing.T) {
	for name, tt := range map[string]struct {
		rule  string
		files map[string]string
		want  string
	}{
		"up":                 {"imports point down", one("internal/store/x.go", `import _ "homebot/internal/agent"`), "store (layer 0) imports agent (layer 3)"},
		"sideways":           {"imports point down", one("modes/x.go", `import _ "homebot/voice"`), "modes (layer 2) imports voice (layer 2)"},
		"sideways in a test": {"imports point down", one("modes/x_test.go", `import _ "homebot/voice"`), "imports go down"},
		"skill to skill":     {"imports point down", one("skills/timers/x.go", `import _ "homebot/skills/home-cooking"`), "skills/timers (layer 3) imports skills/home-cooking (layer 3)"},
		"skills to a skill":  {"imports point down", one("skills/x.go", `import _ "homebot/skills/timers"`), "skills (layer 1) imports skills/timers (layer 3)"},
		"command to command": {"imports point down", one("cmd/homebot/x.go", `import _ "homebot/cmd/homebot-speech"`), "imports go down"},
		"unknown room":       {"imports point down", one("internal/attic/x.go", ""), "internal/attic is no room"},
		"import of nowhere":  {"imports point down", one("cmd/homebot/x.go", `import _ "homebot/internal/attic"`), "imports attic"},
		"root":               {"imports point down", one("x.go", ""), "is no room"},
		"down":               {"imports point down", one("cmd/homebot/x.go", `import _ "homebot/internal/store"`), ""},
		"skill to skills":    {"imports point down", one("skills/timers/x.go", `import _ "homebot/skills"`), ""},
		"own parent":         {"imports point down", one("internal/speech/sphinx/x.go", `import _ "homebot/internal/speech"`), ""},
		"own child":          {"imports point down", one("audio/x.go", `import _ "homebot/audio/wav"`), ""},
		"conversation":       {"imports point down", one("internal/conversation/x.go", `import _ "homebot/internal/store"`), ""},
		"listed sideways":    {"imports point down", one("internal/speech/espeak/x.go", `import _ "homebot/audio"`), ""},
		"unlisted kin":       {"imports point down", one("internal/speech/sphinx/x.go", `import _ "homebot/audio"`), "speech (layer 1) imports audio (layer 1)"},

		"periph elsewhere":     {"third parties stay home", one("voice/x.go", `import _ "periph.io/x/conn/v3/gpio"`), "may be imported only in led/..."},
		"openai in agent":      {"third parties stay home", one("internal/agent/x.go", `import _ "github.com/sashabaranov/go-openai"`), "only in llm/openai"},
		"toml below config":    {"third parties stay home", one("internal/config/sub/x.go", `import _ "github.com/pelletier/go-toml/v2"`), "only in config"},
		"unknown third party":  {"third parties stay home", one("internal/agent/x.go", `import _ "example.com/left-pad"`), "not in the table"},
		"unknown in a test":    {"third parties stay home", one("internal/agent/x_test.go", `import _ "github.com/stretchr/testify"`), "not in the table"},
		"name that begins so":  {"third parties stay home", one("internal/text/x.go", `import _ "github.com/longbridgeapp/openccx"`), "not in the table"},
		"periph at home":       {"third parties stay home", one("internal/led/ledtest/x.go", `import _ "periph.io/x/conn/v3/gpio"`), ""},
		"the standard library": {"third parties stay home", one("internal/text/x.go", `import _ "net/http"`), ""},

		"cgo in voice":                  {"cgo stays home", one("voice/x.go", `import "C"`), "cgo outside"},
		"cgo at home":                   {"cgo stays home", one("audio/portaudio/x.go", `import "C"`), ""},
		"double in agent":               {"test doubles stay in tests", one("internal/agent/x.go", `import _ "homebot/internal/llm/llmtest"`), "is for tests"},
		"double in test":                {"test doubles stay in tests", one("internal/agent/x_test.go", `import _ "homebot/internal/llm/llmtest"`), ""},
		"net/http/httptest is not ours": {"test doubles stay in tests", one("voice/x.go", `import _ "net/http/httptest"`), ""},

		"go statement":   {"goroutines are listed", one("modes/x.go", "func f() { go f() }"), "modes/x.go:4: starts a goroutine"},
		"WaitGroup.Go":   {"goroutines are listed", one("modes/x.go", "import \"sync\"\nfunc f() { var g sync.WaitGroup; g.Go(f) }"), "starts a goroutine"},
		"go in a test":   {"goroutines are listed", one("modes/x_test.go", "func f() { go f() }"), ""},
		"go in a double": {"goroutines are listed", one("voice/voicetest/x.go", "func f() { go f() }"), ""},
		"sleep":          {"waits are listed", one("modes/x.go", "import \"time\"\nfunc f() { time.Sleep(1) }"), "waits blindly"},
		"after":          {"waits are listed", one("modes/x.go", "import \"time\"\nfunc f() { <-time.After(1) }"), "waits blindly"},
		"sleep as value": {"waits are listed", one("modes/x.go", "import \"time\"\nvar f = time.Sleep"), "waits blindly"},
		"tick":           {"waits are listed", one("modes/x.go", "import \"time\"\nvar f = time.Tick(1)"), "waits blindly"},
		"timer":          {"waits are listed", one("modes/x.go", "import \"time\"\nvar f = time.NewTimer(1)"), ""},
		"method After":   {"waits are listed", one("modes/x.go", "import \"time\"\nfunc f(a, b time.Time) bool { return a.After(b) }"), ""},

		"init":            {"no init", one("modes/x.go", "func init() {}"), "func init runs"},
		"method init":     {"no init", one("modes/x.go", "type t int\nfunc (t) init() {}"), ""},
		"long function":   {"functions are short", one("modes/x.go", "func f() {\n"+strings.Repeat("\n", 59)+"}"), "f has 61 lines"},
		"short enough":    {"functions are short", one("modes/x.go", "func f() {\n"+strings.Repeat("\n", 58)+"}"), ""},
		"long test":       {"functions are short", one("modes/x_test.go", "func f() {\n"+strings.Repeat("\n", 99)+"}"), ""},
		"long file":       {"files are short", one("modes/x.go", strings.Repeat("\n", 500)), "more than 500"},
		"no comment":      {"packages are documented", one("modes/x.go", ""), "modes: has no package comment"},
		"comment":         {"packages are documented", map[string]string{"modes/doc.go": "// Package x is x.\npackage x\n", "modes/x.go": "package x\n"}, ""},
		"other comment":   {"packages are documented", map[string]string{"modes/doc.go": "// This is x.\npackage x\n"}, "modes: has no package comment"},
		"detached":        {"packages are documented", map[string]string{"modes/doc.go": "// Package x is x.\n\npackage x\n"}, "modes: has no package comment"},
		"command":         {"packages are documented", map[string]string{"cmd/homebot/main.go": "// Command homebot listens.\npackage main\n"}, ""},
		"command, silent": {"packages are documented", map[string]string{"cmd/homebot/main.go": "package main\n"}, "has no package comment"},
		"util":            {"packages have names", map[string]string{"internal/util/x.go": "package util\n"}, "package util says nothing"},

		"cooking":           {"modes hold no cooking", one("modes/x.go", `const x = "Cooking"`), `modes/x.go:4: "Cook"`},
		"cooking, Chinese":  {"modes hold no cooking", one("modes/script/x.go", "// 例如做饭模式"), "做饭"},
		"cooking in a test": {"modes hold no cooking", one("modes/x_test.go", `const x = "cooking"`), ""},
		"cooking elsewhere": {"modes hold no cooking", one("voice/x.go", `const x = "cooking"`), ""},
		"silent sentence":   {"sentences are said", map[string]string{"internal/phrases/x.go": "package phrases\nvar Hello = 1\n", "voice/x_test.go": "package voice\nvar x = phrases.Hello\n"}, "nobody says Hello"},
		"said sentence":     {"sentences are said", map[string]string{"internal/phrases/x.go": "package phrases\nvar Hello = 1\n", "voice/x.go": "package voice\nvar x = phrases.Hello\n"}, ""},
		"registry":          {"no registry or mirror hosts", map[string]string{"Makefile": "\nexport GOPROXY=https://goproxy" + ".cn,direct\n"}, "Makefile:2: \"goproxy"},
		"mirror":            {"no registry or mirror hosts", map[string]string{"deploy/pi/x": "http://ftp.mirror" + ".example.org/x"}, "is hard-coded"},
		"ordinary address":  {"no registry or mirror hosts", map[string]string{"README.md": "https://api.openai.com/v1 and a mirror on the wall"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{}
			for path, content := range tt.files {
				files[path] = &fstest.MapFile{Data: []byte(content)}
			}
			m, err := load(files)
			if err != nil {
				t.Fatal(err)
			}
			wrong := newLines(rules[tt.rule](m))
			switch {
			case tt.want == "" && len(wrong) > 0:
				t.Errorf("refused: %q", wrong)
			case tt.want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0], tt.want)):
				t.Errorf("got %q, want one line with %q", wrong, tt.want)
			}
		})
	}
}

// one is a module of one file.
func one(path, body string) map[string]string {
	return map[string]string{path: "package x\n\n\n" + body + "\n"}
}

// newLines leaves out what an example says about the real tables' files, which
// it does not have.
func newLines(wrong []string) []string {
	return slices.DeleteFunc(wrong, func(line string) bool { return strings.Contains(line, "for nothing") })
}

// The lists of exceptions stay true: a line needs a reason and a use.
func TestExceptionsStayTrue(t *testing.T) {
	m, err := load(fstest.MapFS{"voice/x.go": &fstest.MapFile{Data: []byte("package x\nfunc f() { go f() }\n")}})
	if err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]string{
		"voice/x.go  joined by f": "",
		"voice/x.go":              "has no reason",
		"voice/x.go  joined by f\nvoice/y.go gone it is": "voice/y.go: is in list for nothing",
	} {
		wrong := m.onlyIn(table, "list", startsGoroutine, "starts a goroutine")
		if got := strings.Join(wrong, "\n"); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q", table, got, want)
		}
	}
}

// R18 and the layers are only as good as what is read: testdata and build output
// are no source, a file that does not parse is an error, the registry this
// machine uses is looked for too.
func TestLoad(t *testing.T) {
	m, err := load(fstest.MapFS{
		"modes/testdata/x.go": {Data: []byte("no Go")},
		"bin/x.go":            {Data: []byte("no Go")},
		"modes/x.bin":         {Data: []byte("a\x00b")},
		"modes/x.go":          {Data: []byte("package modes\n")},
	})
	if err != nil || len(m.files) != 1 || len(m.texts) != 2 {
		t.Errorf("files %d, texts %d, %v; want 1 and 2", len(m.files), len(m.texts), err)
	}
	if _, err := load(fstest.MapFS{"modes/x.go": {Data: []byte("no Go")}}); err == nil {
		t.Error("a file that does not parse passes")
	}
	hosts := registryHosts(func(name string) string {
		return map[string]string{"GOPROXY": "https://u:p@packages.example:8443/go|direct"}[name]
	})
	if !hosts.MatchString("http://packages.example/") || hosts.MatchString("direct") {
		t.Error("the registry of this machine is not looked for")
	}
}
