package contextmode

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"homebot/internal/phrases"
)

// ErrTable is wrapped by every error of ParseTable.
var ErrTable = errors.New("profile table is refused")

// maxTableBytes bounds what ParseTable looks at; a table has about 3 KB.
const maxTableBytes = 1 << 20

// ParseTable reads a profile table. What it leaves out is as in Default; a key it
// does not know, a value out of range or a missing version is refused. The error
// has one line for each mistake, "name:line:column: key: what is wrong; the way
// out", and wraps ErrTable. Name is the file's, for those lines only.
func ParseTable(name string, data []byte) (Table, error) {
	return parseOnto(Default(), name, data)
}

func parseOnto(base Table, name string, data []byte) (Table, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // Windows editors
	p := problems{file: name}
	if len(data) > maxTableBytes {
		p.add(0, 0, "", phrases.TableTooLarge)
		return Table{}, p.err()
	}
	f := fileOf(base)
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		p.decoding(data, err)
		return Table{}, p.err()
	}
	p.places = places(data)
	t := f.table()
	p.check(t)
	if err := p.err(); err != nil {
		return Table{}, err
	}
	return t, nil
}

// file is a table as it is written.
type file struct {
	Version int `toml:"version"`
	Decide  struct {
		FirstTurn string `toml:"first_turn"`
		Loaded    string `toml:"loaded"`
		Premium   string `toml:"premium"`
		Default   string `toml:"default"`
	} `toml:"decide"`
	Load struct {
		Enter       float64 `toml:"enter"`
		Leave       float64 `toml:"leave"`
		HoldTurns   int     `toml:"hold_turns"`
		HoldSeconds int     `toml:"hold_seconds"`
	} `toml:"load"`
	Budget struct {
		Base   float64 `toml:"base"`
		Slope  float64 `toml:"slope"`
		Low    float64 `toml:"low"`
		High   float64 `toml:"high"`
		Urgent float64 `toml:"urgent"`
	} `toml:"budget"`
	Trim struct {
		High           float64 `toml:"high"`
		AfterReply     float64 `toml:"after_reply"`
		Low            float64 `toml:"low"`
		Step           int     `toml:"step"`
		KeepTurns      int     `toml:"keep_turns"`
		ReplyReserve   int     `toml:"reply_reserve"`
		Blocks         float64 `toml:"blocks"`
		Summary        float64 `toml:"summary"`
		MaxTurnsFactor int     `toml:"max_turns_factor"`
	} `toml:"trim"`
	Profile struct {
		Full    row `toml:"full"`
		Compact row `toml:"compact"`
		Minimal row `toml:"minimal"`
	} `toml:"profile"`
}

type row struct {
	NameZH         string  `toml:"name_zh"`
	NameEN         string  `toml:"name_en"`
	TokenBudget    int     `toml:"token_budget"`
	KeepSystem     bool    `toml:"keep_system"`
	KeepSession    bool    `toml:"keep_session"`
	MaxTurns       int     `toml:"max_turns"`
	Summarize      bool    `toml:"summarize"`
	ImportanceKeep float64 `toml:"importance_keep"`
	Cache          string  `toml:"cache"`
	CacheSeconds   int     `toml:"cache_seconds"`
	TimeoutSeconds int     `toml:"timeout_seconds"`
	DebugLog       bool    `toml:"debug_log"`
	Filler         bool    `toml:"filler"`
	TemplateZH     string  `toml:"template_zh"`
	TemplateEN     string  `toml:"template_en"`
}

// fileOf is the table written out, except the version, which each file must say.
func fileOf(t Table) (f file) {
	f.Decide.FirstTurn, f.Decide.Loaded = string(t.Decide.FirstTurn), string(t.Decide.Loaded)
	f.Decide.Premium, f.Decide.Default = string(t.Decide.Premium), string(t.Decide.Default)
	f.Load.Enter, f.Load.Leave = t.Load.Enter, t.Load.Leave
	f.Load.HoldTurns, f.Load.HoldSeconds = t.Load.HoldTurns, int(t.Load.Hold/time.Second)
	f.Budget.Base, f.Budget.Slope, f.Budget.Urgent = t.Budget.Base, t.Budget.Slope, t.Budget.Urgent
	f.Budget.Low, f.Budget.High = t.Budget.Low, t.Budget.High
	f.Trim.High, f.Trim.AfterReply, f.Trim.Low = t.Trim.High, t.Trim.AfterReply, t.Trim.Low
	f.Trim.Step, f.Trim.KeepTurns, f.Trim.ReplyReserve = t.Trim.Step, t.Trim.KeepTurns, t.Trim.ReplyReserve
	f.Trim.Blocks, f.Trim.Summary, f.Trim.MaxTurnsFactor = t.Trim.Blocks, t.Trim.Summary, t.Trim.MaxTurnsFactor
	for i, r := range f.rows() {
		*r = rowOf(t.specs[i])
	}
	return f
}

func (f *file) rows() [3]*row {
	return [3]*row{&f.Profile.Full, &f.Profile.Compact, &f.Profile.Minimal}
}

func rowOf(s Spec) row {
	return row{
		s.NameZH, s.NameEN, s.TokenBudget, s.KeepSystem, s.KeepSession, s.MaxTurns, s.Summarize, s.ImportanceKeep,
		s.Cache, int(s.CacheLife / time.Second), int(s.Timeout / time.Second), s.DebugLog, s.Filler, s.TemplateZH, s.TemplateEN,
	}
}

func (f *file) table() Table {
	t := Table{
		Version: f.Version,
		Decide:  Rungs{Profile(f.Decide.FirstTurn), Profile(f.Decide.Loaded), Profile(f.Decide.Premium), Profile(f.Decide.Default)},
		Load:    LoadRule{f.Load.Enter, f.Load.Leave, f.Load.HoldTurns, seconds(f.Load.HoldSeconds)},
		Budget:  BudgetRule{f.Budget.Base, f.Budget.Slope, f.Budget.Low, f.Budget.High, f.Budget.Urgent},
		Trim: TrimRule{
			f.Trim.High, f.Trim.AfterReply, f.Trim.Low, f.Trim.Step, f.Trim.KeepTurns, f.Trim.ReplyReserve,
			f.Trim.Blocks, f.Trim.Summary, f.Trim.MaxTurnsFactor,
		},
	}
	for i, r := range f.rows() {
		t.specs[i] = r.spec(Profiles()[i])
	}
	return t
}

func (r row) spec(p Profile) Spec {
	return Spec{
		p, r.NameZH, r.NameEN, r.TokenBudget, r.KeepSystem, r.KeepSession, r.MaxTurns, r.Summarize, r.ImportanceKeep,
		r.Cache, seconds(r.CacheSeconds), seconds(r.TimeoutSeconds), r.DebugLog, r.Filler, r.TemplateZH, r.TemplateEN,
	}
}

// seconds does not overflow: check refuses what is out of range by its own value.
func seconds(n int) time.Duration { return time.Duration(min(max(n, -1), maxSeconds+1)) * time.Second }

// maxSeconds is a year: longer lives and timeouts are mistakes.
const maxSeconds = 366 * 24 * 3600

// problems collects the mistakes of one file.
type problems struct {
	file   string
	places map[string][2]int // key → line, column
	found  []mistake
}

// mistake is where one is, and what it is.
type mistake struct {
	place string // "name:line:column: key: "
	says  error
}

func (p *problems) add(line, column int, key string, says phrases.Phrase, args ...any) {
	var b strings.Builder
	b.WriteString(p.file)
	if line > 0 {
		fmt.Fprintf(&b, ":%d:%d", line, column)
	}
	b.WriteString(": ")
	if key != "" {
		b.WriteString(key + ": ")
	}
	p.found = append(p.found, mistake{b.String(), phrases.Errorf(says, args...)})
}

// at blames a key where the file sets it.
func (p *problems) at(key string, says phrases.Phrase, args ...any) {
	place := p.places[key]
	p.add(place[0], place[1], key, says, args...)
}

func (p *problems) err() error {
	if len(p.found) == 0 {
		return nil
	}
	return &tableError{p.found}
}

// tableError has a line for each mistake and still is ErrTable.
type tableError struct{ found []mistake }

// Error is In English.
func (e *tableError) Error() string { return e.In(phrases.English) }
func (e *tableError) Unwrap() error { return ErrTable }

// In are the mistakes in lang.
func (e *tableError) In(lang string) string {
	lines := make([]string, len(e.found))
	for i, m := range e.found {
		lines[i] = m.place + phrases.Told(m.says, lang)
	}
	return strings.Join(lines, "\n")
}

// decoding turns the decoder's error into lines.
func (p *problems) decoding(data []byte, err error) {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		for _, e := range strict.Errors {
			line, column := e.Position()
			p.add(line, charColumn(data, line, column), plain(strings.Join(e.Key(), ".")), phrases.TableNoKey)
		}
		return
	}
	why := plain(strings.TrimPrefix(err.Error(), "toml: "))
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		p.add(line, charColumn(data, line, column), plain(strings.Join(at.Key(), ".")), phrases.ConfigNoTOML, why)
		return
	}
	p.add(0, 0, "", phrases.ConfigNoTOML, why)
}

// plain keeps text that came out of a file on one line.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > 160 {
		s = string(runes[:160]) + "…"
	}
	return s
}

// charColumn turns a column in bytes into one in characters.
func charColumn(data []byte, line, column int) int {
	rows := bytes.Split(data, []byte("\n"))
	if line < 1 || line > len(rows) {
		return column
	}
	row := rows[line-1]
	return 1 + utf8.RuneCount(row[:min(max(column-1, 0), len(row))])
}

// places finds where every key of valid TOML is written.
func places(data []byte) map[string][2]int {
	var p unstable.Parser
	found := map[string][2]int{}
	var under []string
	p.Reset(data)
	for p.NextExpression() {
		node := p.Expression()
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			under = place(found, data, nil, node)
		case unstable.KeyValue:
			inline(found, data, place(found, data, under, node), node)
		}
	}
	return found
}

// inline notes the keys of an inline table.
func inline(found map[string][2]int, data []byte, under []string, node *unstable.Node) {
	if node.Value().Kind != unstable.InlineTable {
		return
	}
	for children := node.Value().Children(); children.Next(); {
		if child := children.Node(); child.Kind == unstable.KeyValue {
			inline(found, data, place(found, data, under, child), child)
		}
	}
}

// place notes one key and returns its path.
func place(found map[string][2]int, data []byte, under []string, node *unstable.Node) []string {
	path := append([]string(nil), under...)
	offset := -1
	for key := node.Key(); key.Next(); {
		if offset < 0 {
			offset = int(key.Node().Raw.Offset)
		}
		path = append(path, string(key.Node().Data))
	}
	if offset >= 0 {
		before := data[:min(offset, len(data))]
		start := bytes.LastIndexByte(before, '\n') + 1
		found[strings.Join(path, ".")] = [2]int{1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])}
	}
	return path
}

// number formats a bound as a person writes it.
func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
