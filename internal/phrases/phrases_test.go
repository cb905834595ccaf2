package phrases

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// entry is one Phrase variable as written in the source.
type entry struct {
	name, file, doc string
	phrase          Phrase
}

// catalogue parses the package's own files, so that no sentence can be left out
// of a hand-kept list.
func catalogue(t *testing.T) []entry {
	t.Helper()
	var all []entry
	for _, name := range sources(t) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, spec := range gen.Specs {
				all = append(all, readEntry(t, name, gen, spec.(*ast.ValueSpec)))
			}
		}
	}
	return all
}

func sources(t *testing.T) []string {
	t.Helper()
	dir, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range dir {
		if strings.HasSuffix(f.Name(), ".go") && !strings.HasSuffix(f.Name(), "_test.go") {
			names = append(names, f.Name())
		}
	}
	return names
}

func readEntry(t *testing.T, file string, gen *ast.GenDecl, spec *ast.ValueSpec) entry {
	t.Helper()
	e := entry{name: spec.Names[0].Name, file: file, doc: spec.Doc.Text()}
	if len(gen.Specs) == 1 && e.doc == "" {
		e.doc = gen.Doc.Text()
	}
	lit, ok := spec.Values[0].(*ast.CompositeLit)
	if !ok || len(spec.Names) != 1 {
		t.Fatalf("%s: %s: a variable of this package is one Phrase literal", file, e.name)
	}
	for _, elt := range lit.Elts {
		kv := elt.(*ast.KeyValueExpr)
		text, err := strconv.Unquote(kv.Value.(*ast.BasicLit).Value)
		if err != nil {
			t.Fatalf("%s: %s: %v", file, e.name, err)
		}
		if kv.Key.(*ast.Ident).Name == "ZH" {
			e.phrase.ZH = text
		} else {
			e.phrase.EN = text
		}
	}
	return e
}

// Every sentence exists in both languages, each in its own script, with the same
// printf verbs in the same order.
func TestEverySentenceIsInBothLanguages(t *testing.T) {
	all := catalogue(t)
	if len(all) < 40 {
		t.Fatalf("found %d sentences: the catalogue was not read", len(all))
	}
	for _, e := range all {
		if problem := check(e.phrase); problem != "" {
			t.Errorf("%s: %s: %s", e.file, e.name, problem)
		}
		if !strings.HasPrefix(e.doc, e.name) {
			t.Errorf("%s: %s: its comment must begin with its name and say when it is said", e.file, e.name)
		}
	}
}

var verb = regexp.MustCompile(`%[-+# 0-9.]*[a-zA-Z%]`)

// check returns what is wrong with p, or "".
func check(p Phrase) string {
	zh, en := verb.FindAllString(p.ZH, -1), verb.FindAllString(p.EN, -1)
	switch {
	case strings.TrimSpace(p.ZH) == "" || strings.TrimSpace(p.EN) == "":
		return "a language is empty"
	case !hasHan(p.ZH):
		return "zh holds no Chinese character"
	case hasHan(p.EN):
		return "en holds a Chinese character"
	case !slices.Equal(zh, en):
		return "the verbs differ: zh " + strings.Join(zh, " ") + ", en " + strings.Join(en, " ")
	case strings.ContainsAny(p.ZH+p.EN, "\n\t"):
		return "a sentence is one line"
	}
	return ""
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// The rules above can fail.
func TestCheckFindsMistakes(t *testing.T) {
	for name, p := range map[string]Phrase{
		"empty":       {ZH: "好", EN: " "},
		"no Han":      {ZH: "ok", EN: "ok"},
		"Han":         {ZH: "好", EN: "好"},
		"verbs":       {ZH: "第%d步", EN: "step %s"},
		"verb order":  {ZH: "%s第%d步", EN: "step %d of %s"},
		"two lines":   {ZH: "好\n", EN: "ok"},
		"verb missed": {ZH: "第%02d步", EN: "step"},
	} {
		if check(p) == "" {
			t.Errorf("%s: nothing found wrong with %q", name, p)
		}
	}
}

// No sentence is in the catalogue twice: two names for one sentence drift apart. A
// word by itself may be two things in the other language.
func TestNoDuplicates(t *testing.T) {
	seen := map[string]string{}
	for _, e := range catalogue(t) {
		for _, text := range []string{e.phrase.ZH, e.phrase.EN} {
			if !strings.ContainsAny(text, " ，。：；？“%") {
				text = e.phrase.ZH + " / " + e.phrase.EN
			}
			if other := seen[text]; other != "" && other != e.name {
				t.Errorf("%s: %s says the same as %s: %q", e.file, e.name, other, text)
			}
			seen[text] = e.name
		}
	}
}

func TestIn(t *testing.T) {
	p := Phrase{ZH: "已进入%s。", EN: "%s is on."}
	for _, tt := range []struct{ lang, want string }{
		{"zh", "已进入X。"}, {"en", "X is on."}, {"", "X is on."}, {"fr", "X is on."},
	} {
		if got := p.In(tt.lang, "X"); got != tt.want {
			t.Errorf("In(%q) = %q, want %q", tt.lang, got, tt.want)
		}
	}
	if got := p.In("en"); got != "%s is on." {
		t.Errorf("without arguments the text stays as it is, got %q", got)
	}
	if got := ModeExpired.In("zh", "做饭模式", "00:10"); got != "[做饭模式已于 00:10 自动结束，已归档]" { // R49
		t.Errorf("header line of an expired mode: %q", got)
	}
}

// A page in either language finds its own sentence for each fault of a device
// that speaks the other.
func TestFaults(t *testing.T) {
	if got := Faults(English)[NoMicrophone.ZH]; got != NoMicrophone.EN {
		t.Errorf("in English: %q", got)
	}
	if got := Faults(Chinese)[NoMicrophone.EN]; got != NoMicrophone.ZH {
		t.Errorf("in Chinese: %q", got)
	}
	for _, lang := range []string{Chinese, English} {
		if got := len(Faults(lang)); got != len(faults()) {
			t.Errorf("%s: %d sentences of %d", lang, got, len(faults()))
		}
	}
}
