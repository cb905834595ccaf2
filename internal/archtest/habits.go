package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// goroutinesAreListed: outside tests, a `go` statement or WaitGroup.Go occurs
// only in goroutineFiles, and every file there has one.
func goroutinesAreListed(m *module) []string {
	return m.onlyIn(goroutineFiles, "goroutineFiles", startsGoroutine,
		"starts a goroutine; call the function instead, or add the file to goroutineFiles with who joins it")
}

// waitsAreListed: outside tests, time.Sleep, time.After and time.Tick occur only
// in waitFiles, and every file there has one.
func waitsAreListed(m *module) []string {
	return m.onlyIn(waitFiles, "waitFiles", waits,
		"waits blindly; wait for the event itself (with ctx.Done beside it), or add the file to waitFiles with the reason")
}

func startsGoroutine(n ast.Node) bool {
	if _, ok := n.(*ast.GoStmt); ok {
		return true
	}
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Go"
}

func waits(n ast.Node) bool {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "time" && slices.Contains([]string{"Sleep", "After", "Tick"}, sel.Sel.Name)
}

// onlyIn reports the nodes that match outside tests and outside the files of
// table (file, then the reason), and the lines of table that have no match or no
// reason any more.
func (m *module) onlyIn(table, name string, match func(ast.Node) bool, what string) []string {
	allowed, wrong := reasons(table, name)
	used := map[string]bool{}
	for _, f := range m.files {
		if f.forTests() {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if n == nil || !match(n) {
				return true
			}
			if used[f.path] = true; !allowed[f.path] {
				wrong = append(wrong, m.at(n.Pos())+": "+what)
			}
			return true
		})
	}
	for path := range allowed {
		if !used[path] {
			wrong = append(wrong, fmt.Sprintf("%s: is in %s for nothing; take the line out", path, name))
		}
	}
	return wrong
}

// reasons reads a table of files with reasons.
func reasons(table, name string) (allowed map[string]bool, wrong []string) {
	allowed = map[string]bool{}
	for _, words := range lines(table) {
		allowed[words[0]] = true
		if len(words) < 3 {
			wrong = append(wrong, fmt.Sprintf("%s: has no reason in %s; say it in a few words", words[0], name))
		}
	}
	return allowed, wrong
}

// noInit: nothing runs before main.
func noInit(m *module) []string {
	return m.functions(func(f file, fn *ast.FuncDecl) string {
		if fn.Recv == nil && fn.Name.Name == "init" {
			return "func init runs before anybody asked; let the constructor or main do it"
		}
		return ""
	})
}

// functionsAreShort: no function of the product is longer than a review allows.
func functionsAreShort(m *module) []string {
	return m.functions(func(f file, fn *ast.FuncDecl) string {
		if f.forTests() || fn.Body == nil {
			return ""
		}
		if n := m.line(fn.Body.Rbrace) - m.line(fn.Pos()) + 1; n > maxFunctionLines {
			return fmt.Sprintf("%s has %d lines, more than %d; give its steps names", fn.Name.Name, n, maxFunctionLines)
		}
		return ""
	})
}

// functions reports what judge says about each function declaration.
func (m *module) functions(judge func(file, *ast.FuncDecl) string) []string {
	var wrong []string
	for _, f := range m.files {
		for _, decl := range f.ast.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				if what := judge(f, fn); what != "" {
					wrong = append(wrong, m.at(fn.Pos())+": "+what)
				}
			}
		}
	}
	return wrong
}

func (m *module) line(pos token.Pos) int { return m.fset.Position(pos).Line }

// filesAreShort: no file holds more than one idea.
func filesAreShort(m *module) []string {
	var wrong []string
	for _, f := range m.files {
		if f.lines > maxFileLines {
			wrong = append(wrong, fmt.Sprintf("%s: has %d lines, more than %d; split it by the nouns inside", f.path, f.lines, maxFileLines))
		}
	}
	return wrong
}

// packagesAreDocumented: each package says in its comment what it is.
func packagesAreDocumented(m *module) []string {
	documented := map[string]bool{}
	for _, f := range m.files {
		if !f.test {
			documented[f.dir] = documented[f.dir] || isPackageComment(f)
		}
	}
	var wrong []string
	for dir, ok := range documented {
		if !ok {
			wrong = append(wrong, fmt.Sprintf("%s: has no package comment; begin one of its files with \"// Package %s …\" (a command: \"// Command …\")", dir, dir[strings.LastIndex(dir, "/")+1:]))
		}
	}
	return wrong
}

func isPackageComment(f file) bool {
	doc, name := f.ast.Doc.Text(), f.ast.Name.Name
	return strings.HasPrefix(doc, "Package "+name+" ") || name == "main" && doc != ""
}

// packagesHaveNames: no package is called by a word that says nothing.
func packagesHaveNames(m *module) []string {
	var wrong []string
	for _, f := range m.files {
		if slices.Contains(strings.Fields(vagueNames), f.ast.Name.Name) {
			wrong = append(wrong, fmt.Sprintf("%s: package %s says nothing about what is inside; name it for its noun", f.path, f.ast.Name.Name))
		}
	}
	return wrong
}
