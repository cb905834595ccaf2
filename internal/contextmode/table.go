package contextmode

import (
	_ "embed"
	"sync"
	"time"
)

// Profile is how much context a request carries. The zero value is no profile;
// a Table answers for it as for Compact.
type Profile string

// The three profiles (C1), richest first.
const (
	Full    Profile = "full"    // 深度分析
	Compact Profile = "compact" // 标准对话
	Minimal Profile = "minimal" // 快速应答
)

// Profiles lists them, richest first.
func Profiles() [3]Profile { return [3]Profile{Full, Compact, Minimal} }

// rank is the place in Profiles; what is no profile ranks as Compact.
func (p Profile) rank() int {
	switch p {
	case Full:
		return 0
	case Minimal:
		return 2
	}
	return 1
}

// Richer reports whether p carries more context than q.
func (p Profile) Richer(q Profile) bool { return p.rank() < q.rank() }

// Valid reports whether p is one of the three.
func (p Profile) Valid() bool { return p == Full || p == Compact || p == Minimal }

// Table is one version of everything the profiles differ in, and of the numbers
// they share (C1). It is a value: a copy is complete, and comparable with ==.
type Table struct {
	Version int // from 1; the name of its file, and in every cut record and cache key
	Decide  Rungs
	Load    LoadRule
	Budget  BudgetRule
	Trim    TrimRule
	specs   [3]Spec
}

// Spec is one profile: every difference between profiles is a field here.
type Spec struct {
	Profile        Profile
	NameZH, NameEN string
	TokenBudget    int     // tokens of the variable part, before load
	KeepSystem     bool    // always true (C6)
	KeepSession    bool    // unconfirmed session items survive a cut
	MaxTurns       int     // raw turns left after a cut; -1: no limit
	Summarize      bool    // turns cut off become blocks
	ImportanceKeep float64 // 0…1; items from here on are never trimmed
	Cache          string  // CacheWhole or CacheCore
	CacheLife      time.Duration
	Timeout        time.Duration // for the model's answer
	DebugLog       bool
	Filler         bool   // a slow reply may be announced ([voice] filler says when)
	TemplateZH     string // this profile's own part of the prompt
	TemplateEN     string
}

// The answer cache's policies (C12).
const (
	CacheWhole = "whole" // key: the whole context
	CacheCore  = "core"  // key: the core fields
)

// Rungs are the profiles the rules of Decide give.
type Rungs struct{ FirstTurn, Loaded, Premium, Default Profile }

// LoadRule is C21's hysteresis of the load.
type LoadRule struct {
	Enter, Leave float64 // shares of full load
	HoldTurns    int
	Hold         time.Duration
}

// BudgetRule is C13's coefficient.
type BudgetRule struct{ Base, Slope, Low, High, Urgent float64 }

// TrimRule is C20's arithmetic of cuts; default.toml says what each number is.
type TrimRule struct {
	High, AfterReply, Low float64
	Step, KeepTurns       int
	ReplyReserve          int // tokens
	Blocks, Summary       float64
	MaxTurnsFactor        int
}

// Spec returns the profile's row; Compact's for what is no profile.
func (t Table) Spec(p Profile) Spec { return t.specs[p.rank()] }

// Name is what a person calls the profile, in lang ("zh"; anything else is
// English).
func (t Table) Name(p Profile, lang string) string {
	if lang == chinese {
		return t.Spec(p).NameZH
	}
	return t.Spec(p).NameEN
}

// Template is the profile's own part of the prompt, in lang. It stands behind the
// instructions all profiles share and is frozen with them when the session begins
// (C14).
func (t Table) Template(p Profile, lang string) string {
	if lang == chinese {
		return t.Spec(p).TemplateZH
	}
	return t.Spec(p).TemplateEN
}

// Notice is the header line by which a profile speaks that is not the one the
// session's prompt was frozen with (C14): never through byte 0 of the prompt. It
// is empty for the frozen one.
func (t Table) Notice(frozen, now Profile, lang string) string {
	if frozen == now {
		return ""
	}
	return "[" + t.Name(now, lang) + ": " + t.Template(now, lang) + "]"
}

const chinese = "zh"

//go:embed default.toml
var defaultTOML []byte

// DefaultTOML is the text of the embedded table, for a person to copy and edit.
func DefaultTOML() string { return string(defaultTOML) }

// Default is the embedded table.
func Default() Table { return embedded() }

// embedded parses the embedded text once; a test proves that it is complete.
var embedded = sync.OnceValue(func() Table {
	t, _ := parseOnto(Table{}, "default.toml", defaultTOML)
	return t
})
