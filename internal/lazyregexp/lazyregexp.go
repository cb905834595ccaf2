// Package lazyregexp is regexp for package-level variables: an expression is
// compiled when it is first used. Compiling all of them at start cost each of
// homebot's processes, the sound card's children too, some 60 ms and 5 MB.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is an expression that is compiled on first use. It is safe for any
// number of goroutines.
type Regexp struct{ compile func() *regexp.Regexp }

// New returns the expression. One that does not compile panics when it is first
// used: Check in a test finds it.
func New(expr string) *Regexp {
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// Check compiles the expression now; it panics when that fails.
func (r *Regexp) Check() { r.compile() }

// The methods are those of package regexp.

func (r *Regexp) MatchString(s string) bool      { return r.compile().MatchString(s) }
func (r *Regexp) FindString(s string) string     { return r.compile().FindString(s) }
func (r *Regexp) FindStringIndex(s string) []int { return r.compile().FindStringIndex(s) }
func (r *Regexp) FindStringSubmatch(s string) []string {
	return r.compile().FindStringSubmatch(s)
}
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compile().FindStringSubmatchIndex(s)
}
func (r *Regexp) FindAllString(s string, n int) []string { return r.compile().FindAllString(s, n) }
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compile().FindAllStringIndex(s, n)
}
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compile().FindAllStringSubmatch(s, n)
}
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compile().FindAllStringSubmatchIndex(s, n)
}
func (r *Regexp) ReplaceAllString(s, repl string) string {
	return r.compile().ReplaceAllString(s, repl)
}
func (r *Regexp) ReplaceAllStringFunc(s string, repl func(string) string) string {
	return r.compile().ReplaceAllStringFunc(s, repl)
}
func (r *Regexp) SubexpIndex(name string) int { return r.compile().SubexpIndex(name) }
func (r *Regexp) SubexpNames() []string       { return r.compile().SubexpNames() }
