// Package archtest holds the rules of the house as a test: layers, third parties
// and their rooms, goroutines and sleeps, package comments, lengths. Each rule
// reads the module's source and says what breaks it, where, and the way out.
//
// The tables are in tables.go; a change of the house changes them, in sight.
package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// modulePath is the module's name in go.mod.
const modulePath = "homebot"

// module is the source of a whole module.
type module struct {
	fset  *token.FileSet
	files []file // Go files, sorted by path
	texts []text // every text file, Go or not
}

// file is one Go file.
type file struct {
	path  string // relative to the module, with slashes
	dir   string
	test  bool // _test.go
	lines int
	ast   *ast.File
}

// text is one file as text.
type text struct{ path, content string }

// rule returns one line for each violation.
type rule func(*module) []string

// load reads every file below root. Directories that begin with "." or "_" and
// testdata hold no Go code of the module; what make builds is not source.
func load(root fs.FS) (*module, error) {
	m := &module{fset: token.NewFileSet()}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipDir(name):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		return m.add(root, name, d)
	})
	return m, err
}

func skipDir(name string) bool {
	return slices.Contains([]string{".git", "bin", "build"}, name)
}

// add takes one file, binary and huge ones left out.
func (m *module) add(root fs.FS, name string, d fs.DirEntry) error {
	const huge = 1 << 20
	if info, err := d.Info(); err != nil || info.Size() > huge {
		return err
	}
	content, err := fs.ReadFile(root, name)
	if err != nil || slices.Contains(content, 0) {
		return err
	}
	m.texts = append(m.texts, text{name, string(content)})
	if !strings.HasSuffix(name, ".go") || inTestdata(name) {
		return nil
	}
	tree, err := parser.ParseFile(m.fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("archtest: %w", err)
	}
	m.files = append(m.files, file{
		path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
		lines: m.fset.File(tree.Pos()).LineCount(), ast: tree,
	})
	return nil
}

func inTestdata(name string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(part string) bool {
		return part == "testdata" || part != "." && (part[0] == '.' || part[0] == '_')
	})
}

// at is "path:line" of a position.
func (m *module) at(pos token.Pos) string {
	p := m.fset.Position(pos)
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}

// imports returns the import paths of a file with their positions.
func (f file) imports() map[string]token.Pos {
	all := map[string]token.Pos{}
	for _, spec := range f.ast.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil {
			all[name] = spec.Pos()
		}
	}
	return all
}

// forTests reports whether the file is only ever part of tests: a _test.go file,
// or one of a package of test doubles (ledtest), which only tests may import.
func (f file) forTests() bool { return f.test || testPackage(f.dir) }

func testPackage(dir string) bool { return strings.HasSuffix(path.Base(dir), "test") }

// lines splits a table into its lines, without comments and empty ones.
func lines(table string) [][]string {
	var all [][]string
	for line := range strings.Lines(table) {
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 {
			all = append(all, words)
		}
	}
	return all
}
