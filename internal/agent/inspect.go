package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"homebot/internal/agent/tables"
	"homebot/internal/contextmode"
	"homebot/internal/phrases"
)

// What Inspect answers, and the types of question and answer.
const (
	AskTables   = "tables"   // nil → TablesReport
	AskTable    = "table"    // VersionQuery → TextReport
	AskApply    = "apply"    // TableQuery → TextReport
	AskCanary   = "canary"   // TableQuery → TextReport
	AskRollback = "rollback" // nil → TextReport
	AskCompare  = "compare"  // nil → CompareReport
	AskExplain  = "explain"  // ExplainQuery → ExplainReport
)

// VersionQuery names a table version; 0 is the one in force.
type VersionQuery struct {
	Version int `json:"version"`
}

// TableQuery brings a table; Share is a canary's.
type TableQuery struct {
	Name  string  `json:"name"`
	Text  string  `json:"text"`
	Share float64 `json:"share,omitempty"`
}

// ExplainQuery asks for the last turns.
type ExplainQuery struct {
	Last int `json:"last"`
}

// TablesReport lists the table versions.
type TablesReport struct {
	Versions []tables.Version `json:"versions"`
}

// TextReport is one text: a table, or what was done.
type TextReport struct {
	Text string `json:"text"`
	ZH   string `json:"zh,omitempty"` // Text in Chinese; absent for a table
}

func textReport(p phrases.Phrase, args ...any) TextReport {
	return TextReport{p.In(phrases.English, args...), p.In(phrases.Chinese, args...)}
}

// In is the text in lang.
func (r TextReport) In(lang string) string {
	if lang == phrases.Chinese && r.ZH != "" {
		return r.ZH
	}
	return r.Text
}

// CompareReport has one line for each table version that answered turns.
type CompareReport struct {
	Versions []contextmode.VersionStats `json:"versions"`
}

// ExplainReport is the table in force and the newest turns, oldest first (C17).
type ExplainReport struct {
	Table   int             `json:"table"`
	Canary  int             `json:"canary,omitempty"`
	Share   float64         `json:"share,omitempty"`
	Load    float64         `json:"load"`
	Budgets []ProfileReport `json:"profiles"`
	Turns   []TurnLine      `json:"turns"`
}

// ProfileReport is one row of the table, and its budget under the load of now.
type ProfileReport struct {
	Profile   contextmode.Profile `json:"profile"`
	Name      string              `json:"name"`
	Base      int                 `json:"token_budget"`
	Budget    int                 `json:"budget_now"`
	MaxTurns  int                 `json:"max_turns"`
	Summarize bool                `json:"summarize"`
	Session   bool                `json:"keep_session"`
	Keep      float64             `json:"importance_keep"`
	Cache     string              `json:"cache"`
}

// Inspect answers a question about the context engine, or changes its tables; it
// is what `homebot context` asks. Any goroutine may call it.
func (a *Agent) Inspect(_ context.Context, what string, args json.RawMessage) (any, error) {
	switch what {
	case AskTables:
		all, err := a.tables.List()
		return TablesReport{all}, err
	case AskTable:
		return ask(args, a.showTable)
	case AskApply:
		return ask(args, a.applyTable)
	case AskCanary:
		return ask(args, a.canaryTable)
	case AskRollback:
		return a.rollback()
	case AskCompare:
		return a.compare()
	case AskExplain:
		return ask(args, a.explain)
	}
	return nil, phrases.Errorf(phrases.EngineUnknownQuestion, what)
}

func ask[Q, A any](args json.RawMessage, answer func(Q) (A, error)) (any, error) {
	var q Q
	if err := json.Unmarshal(args, &q); err != nil {
		return nil, err
	}
	return answer(q)
}

func (a *Agent) showTable(q VersionQuery) (TextReport, error) {
	if q.Version == 0 {
		q.Version = a.tables.Rollout().Current
	}
	text, err := a.tables.Text(q.Version)
	return TextReport{Text: text}, err
}

func (a *Agent) applyTable(q TableQuery) (TextReport, error) {
	t, err := a.tables.Apply(q.Name, []byte(q.Text))
	return textReport(phrases.TableInForce, t.Version), err
}

func (a *Agent) canaryTable(q TableQuery) (TextReport, error) {
	t, err := a.tables.Canary(q.Name, []byte(q.Text), q.Share)
	return textReport(phrases.TableCanary, t.Version, 100*q.Share), err
}

func (a *Agent) rollback() (TextReport, error) {
	v, err := a.tables.Rollback()
	if errors.Is(err, tables.ErrNothing) {
		return TextReport{}, err
	}
	return textReport(phrases.TableInForce, v), err
}

func (a *Agent) compare() (CompareReport, error) {
	lines, err := a.turnLog.all()
	stats := make([]contextmode.TurnStat, len(lines))
	for i, l := range lines {
		stats[i] = l.stat()
	}
	return CompareReport{contextmode.Compare(stats)}, err
}

func (a *Agent) explain(q ExplainQuery) (ExplainReport, error) {
	lines, err := a.turnLog.all()
	if err != nil {
		return ExplainReport{}, err
	}
	rollout, load := a.tables.Rollout(), a.load()
	r := ExplainReport{Table: rollout.Current, Canary: rollout.Canary, Share: rollout.Share, Load: load}
	table, err := a.tables.Load(rollout.Current)
	if err != nil {
		return r, err
	}
	for _, p := range contextmode.Profiles() {
		s := table.Spec(p)
		r.Budgets = append(r.Budgets, ProfileReport{
			Profile: p, Name: table.Name(p, a.cfg.Lang), Base: s.TokenBudget, MaxTurns: s.MaxTurns, Summarize: s.Summarize,
			Budget: table.BudgetAt(p, load, false, a.cfg.Window, 0), Session: s.KeepSession, Keep: s.ImportanceKeep, Cache: s.Cache,
		})
	}
	q.Last = min(max(q.Last, 1), len(lines))
	r.Turns = slices.Clone(lines[len(lines)-q.Last:])
	return r, nil
}
