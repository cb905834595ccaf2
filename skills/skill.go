package skills

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"homebot/internal/phrases"
)

// Builtin holds SKILL.md and mode.json of every built-in skill, one folder each.
//
//go:embed */SKILL.md */mode.json
var Builtin embed.FS

// File is the name of the file that makes a folder a skill.
const File = "SKILL.md"

// maxSkillBytes bounds a SKILL.md: it is put into every request of its mode.
const maxSkillBytes = 64 << 10

// Skill is one folder's SKILL.md, parsed.
type Skill struct {
	Name        string // front matter name
	Description string // front matter description: one sentence for the model
	Body        string // the text after the front matter, without outer white space
}

// ParseError says what is wrong in a SKILL.md and in which line of it.
type ParseError struct {
	Line   int // 1-based; 0 when it concerns the whole file
	Reason string
	Says   phrases.Phrase // Reason in both languages, where people read it; else zero
	Args   []any
}

// Wrong is a ParseError that is told in both languages.
func Wrong(line int, says phrases.Phrase, args ...any) *ParseError {
	return &ParseError{Line: line, Reason: says.In(phrases.English, args...), Says: says, Args: args}
}

// In is Error in a language.
func (e *ParseError) In(lang string) string {
	reason := e.ReasonIn(lang)
	if e.Line == 0 {
		return reason
	}
	return phrases.FileLine.In(lang, e.Line, reason)
}

// ReasonIn is Reason in a language as far as it is told in that.
func (e *ParseError) ReasonIn(lang string) string {
	if e.Says == (phrases.Phrase{}) {
		return e.Reason
	}
	return e.Says.In(lang, e.Args...)
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// Load reads and parses dir/SKILL.md of fsys.
func Load(fsys fs.FS, dir string) (Skill, error) {
	data, err := ReadFile(fsys, path.Join(dir, File), maxSkillBytes)
	if err != nil {
		return Skill{}, err
	}
	return Parse(data)
}

// ReadFile reads a regular file of at most limit bytes. A larger one, or one
// that is no regular file, is a *ParseError: what people drop into a folder must
// not fill the memory or block for ever (R14).
func ReadFile(fsys fs.FS, name string, limit int64) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, Wrong(0, phrases.SkillNoFile)
	}
	if info.Size() > limit {
		return nil, Wrong(0, phrases.SkillTooLong, limit)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, limit))
	return data, errors.Join(err, f.Close())
}

// Parse parses the text of a SKILL.md: a front matter between two lines `---`
// with name and description (other keys are ignored), then the body. A
// *ParseError names the line.
func Parse(data []byte) (Skill, error) {
	if len(data) > maxSkillBytes {
		return Skill{}, Wrong(0, phrases.SkillTooLong, maxSkillBytes)
	}
	if i := notText(data); i >= 0 {
		return Skill{}, Wrong(1+bytes.Count(data[:i], []byte("\n")), phrases.SkillNotUTF8)
	}
	var f struct {
		Name        string `yaml:"name"`
		Description string `yaml:"description"`
	}
	body, _, err := FrontMatter(data, &f)
	var pe *ParseError
	if errors.As(err, &pe) && pe.Reason == NoFrontMatter {
		return Skill{}, Wrong(1, phrases.SkillNoHead)
	}
	if err != nil {
		return Skill{}, err
	}
	if f.Name == "" || f.Description == "" {
		return Skill{}, Wrong(1, phrases.SkillBareHead)
	}
	return Skill{Name: f.Name, Description: oneLine(f.Description), Body: strings.TrimSpace(body)}, nil
}

// notText finds the first byte of data that is no UTF-8 text, -1 when all is.
func notText(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n <= 1 || r == 0 {
			return i
		}
		i += n
	}
	return -1
}

// NoFrontMatter is the Reason where a document does not begin with one.
const NoFrontMatter = "no front matter"

// FrontMatter decodes the YAML between two lines `---` at the beginning of a
// document into into and returns the text after it, with \n at the ends of
// lines, and the line of the file where that text begins. Errors are
// *ParseError.
func FrontMatter(data []byte, into any) (body string, line int, err error) {
	text := strings.TrimPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\ufeff")
	front, body, ok := cutFrontMatter(text)
	if !ok {
		return "", 0, &ParseError{Line: 1, Reason: NoFrontMatter}
	}
	if err := yaml.NewDecoder(bytes.NewBufferString(front)).Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return "", 0, yamlError(err)
	}
	return body, 1 + strings.Count(strings.TrimSuffix(text, body), "\n"), nil
}

func cutFrontMatter(text string) (front, body string, ok bool) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", "", false
	}
	if body, ok := strings.CutPrefix(rest, "---\n"); ok {
		return "", body, true
	}
	front, body, ok = strings.Cut(rest, "\n---\n")
	if !ok {
		front, ok = strings.CutSuffix(strings.TrimRight(rest, "\n"), "\n---")
	}
	return front, body, ok
}

// yamlError turns "yaml: line 2: …" (counted inside the front matter) into the
// line of the file, which begins with ---.
func yamlError(err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	var te *yaml.TypeError
	if errors.As(err, &te) && len(te.Errors) > 0 {
		msg = te.Errors[0]
	}
	var line int
	if n, _ := fmt.Sscanf(msg, "line %d:", &line); n == 1 {
		_, msg, _ = strings.Cut(msg, ": ")
		return Wrong(line+1, phrases.SkillNoYAML, oneLine(msg))
	}
	return Wrong(1, phrases.SkillNoYAML, oneLine(msg))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
