package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
)

// modesHoldNoCooking: the kernel of the run modes knows no mode (R18).
func modesHoldNoCooking(m *module) []string {
	words := regexp.MustCompile(`(?i)` + strings.ReplaceAll(cookingWords, " ", "|"))
	kernel := func(t text) bool {
		return strings.HasPrefix(t.path, "modes/") && strings.HasSuffix(t.path, ".go") &&
			!strings.HasSuffix(t.path, "_test.go") && !testPackage(path.Dir(t.path))
	}
	return m.grep(kernel, words, "modes/ knows no mode of its own (R18); move it into the skill")
}

// sentencesAreSaid: every sentence of the catalogue is used outside it. One that
// is not is a promise nobody keeps.
func sentencesAreSaid(m *module) []string {
	said := map[string]bool{}
	for _, f := range m.files {
		if f.dir == catalogue || f.forTests() {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				said[sel.Sel.Name] = true
			}
			return true
		})
	}
	var wrong []string
	for _, f := range m.files {
		if f.dir != catalogue || f.test {
			continue
		}
		for _, name := range variables(f.ast) {
			if name.IsExported() && !said[name.Name] {
				wrong = append(wrong, fmt.Sprintf("%s: nobody says %s; say it or take it out", m.at(name.Pos()), name.Name))
			}
		}
	}
	return wrong
}

// catalogue is the directory of the sentences.
const catalogue = "internal/phrases"

// variables returns the names of a file's package-level variables.
func variables(f *ast.File) []*ast.Ident {
	var names []*ast.Ident
	for _, decl := range f.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.VAR {
			for _, spec := range gen.Specs {
				names = append(names, spec.(*ast.ValueSpec).Names...)
			}
		}
	}
	return names
}

// noRegistryHosts: where packages come from is the machine's business.
func noRegistryHosts(m *module) []string {
	everything := func(t text) bool { return true }
	return m.grep(everything, registryHosts(os.Getenv), "a registry or mirror is hard-coded; take the host from the machine's own configuration (go env, apt, pip)")
}

// registryHosts matches the public registries, anything called a mirror, and
// those this machine is configured to use. The names are put together here, so
// that this file does not match.
func registryHosts(getenv func(string) string) *regexp.Regexp {
	dot := `\.`
	all := []string{
		"proxy" + dot + "golang" + dot + "org", "sum" + dot + "golang" + dot + "org", "goproxy" + dot + "(cn|io)",
		"(deb|security)" + dot + "debian" + dot + "org", "archive" + dot + "ubuntu" + dot + "com",
		"pypi" + dot + "org", "files" + dot + "pythonhosted" + dot + "org", "registry" + dot + "npmjs" + dot + "org",
		`https?://[a-z0-9.-]*` + `mirrors?` + dot + `[a-z0-9-]+` + dot,
	}
	for _, variable := range []string{"GOPROXY", "GOSUMDB", "PIP_INDEX_URL", "NPM_CONFIG_REGISTRY", "npm_config_registry"} {
		for _, entry := range strings.FieldsFunc(getenv(variable), func(r rune) bool { return strings.ContainsRune(",| ", r) }) {
			if u, err := url.Parse(entry); err == nil && strings.Contains(u.Hostname(), ".") {
				all = append(all, regexp.QuoteMeta(u.Hostname()))
			}
		}
	}
	return regexp.MustCompile(`(?i)` + strings.Join(all, "|"))
}

// grep reports each line of the chosen files that matches words.
func (m *module) grep(choose func(text) bool, words *regexp.Regexp, what string) []string {
	var wrong []string
	for _, t := range m.texts {
		if !choose(t) || !words.MatchString(t.content) {
			continue
		}
		n := 0
		for line := range strings.Lines(t.content) {
			n++
			if found := words.FindString(line); found != "" {
				wrong = append(wrong, fmt.Sprintf("%s:%d: %q: %s", t.path, n, found, what))
			}
		}
	}
	return wrong
}
