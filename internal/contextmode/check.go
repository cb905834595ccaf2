package contextmode

import (
	"strconv"
	"strings"
	"time"

	"homebot/internal/phrases"
)

// check finds every value that cannot work.
func (p *problems) check(t Table) {
	if _, ok := p.places["version"]; !ok {
		p.add(1, 1, "version", phrases.TableNoVersion)
	} else if t.Version < 1 {
		p.at("version", phrases.TableLowVersion)
	}
	p.checkRungs(t.Decide)
	p.share("load.enter", t.Load.Enter, 0.01, 1)
	p.share("load.leave", t.Load.Leave, 0, 1)
	if t.Load.Leave >= t.Load.Enter {
		p.at("load.leave", phrases.TableLeave)
	}
	p.count("load.hold_turns", t.Load.HoldTurns, 0, 1000)
	p.count("load.hold_seconds", int(t.Load.Hold/time.Second), 0, 3600)
	p.checkBudget(t.Budget)
	p.checkTrim(t.Trim)
	for _, s := range t.specs {
		p.checkSpec(s, t.Trim)
	}
	p.checkNames(t)
}

func (p *problems) checkRungs(r Rungs) {
	for _, f := range []struct {
		key   string
		value Profile
	}{
		{"decide.first_turn", r.FirstTurn}, {"decide.loaded", r.Loaded},
		{"decide.premium", r.Premium}, {"decide.default", r.Default},
	} {
		if !f.value.Valid() {
			p.at(f.key, phrases.TableNoProfile, plain(string(f.value)))
		}
	}
}

func (p *problems) checkBudget(b BudgetRule) {
	p.share("budget.base", b.Base, 0.1, 4)
	p.share("budget.slope", b.Slope, 0, 4)
	p.share("budget.low", b.Low, 0.1, 1)
	p.share("budget.high", b.High, 1, 4)
	p.share("budget.urgent", b.Urgent, 0.1, 1)
}

func (p *problems) checkTrim(t TrimRule) {
	p.share("trim.high", t.High, 0.5, 1)
	p.share("trim.after_reply", t.AfterReply, 0.5, 1)
	p.share("trim.low", t.Low, 0.1, 0.9)
	p.count("trim.step", t.Step, 1, 50)
	p.count("trim.keep_turns", t.KeepTurns, 1, 50)
	p.count("trim.reply_reserve", t.ReplyReserve, 0, 10000)
	p.share("trim.blocks", t.Blocks, 0, 0.5)
	p.share("trim.summary", t.Summary, 0.05, 1)
	p.count("trim.max_turns_factor", t.MaxTurnsFactor, 1, 100)
}

func (p *problems) checkSpec(s Spec, t TrimRule) {
	at := func(key string) string { return "profile." + string(s.Profile) + "." + key }
	p.count(at("token_budget"), s.TokenBudget, max(500, 2*t.ReplyReserve), 2_000_000)
	if !s.KeepSystem {
		p.at(at("keep_system"), phrases.TableKeepSystem)
	}
	if s.MaxTurns < 1 && s.MaxTurns != -1 || s.MaxTurns > 100_000 {
		p.at(at("max_turns"), phrases.TableMaxTurns)
	}
	p.share(at("importance_keep"), s.ImportanceKeep, 0.1, 1)
	if s.Cache != CacheWhole && s.Cache != CacheCore {
		p.at(at("cache"), phrases.TableCache)
	}
	p.count(at("cache_seconds"), int(s.CacheLife/time.Second), 0, maxSeconds)
	p.count(at("timeout_seconds"), int(s.Timeout/time.Second), 1, 600)
	for _, f := range []struct{ key, text string }{
		{"name_zh", s.NameZH}, {"name_en", s.NameEN}, {"template_zh", s.TemplateZH}, {"template_en", s.TemplateEN},
	} {
		if strings.TrimSpace(f.text) == "" || strings.ContainsAny(f.text, "\n\r[]") {
			p.at(at(f.key), phrases.TableWords)
		}
	}
}

// checkNames: a name says which profile is meant.
func (p *problems) checkNames(t Table) {
	owner := map[string]Profile{}
	for _, s := range t.specs {
		for _, f := range []struct{ key, name string }{{"name_zh", s.NameZH}, {"name_en", s.NameEN}} {
			name := foldWords(f.name)
			if other, taken := owner[name]; taken && other != s.Profile && name != "" {
				p.at("profile."+string(s.Profile)+"."+f.key, phrases.TableSameName, string(other))
			}
			owner[name] = s.Profile
		}
	}
}

// share refuses what is outside low … high, and NaN.
func (p *problems) share(key string, x, low, high float64) {
	if !(x >= low && x <= high) {
		p.at(key, phrases.TableRange, number(low), number(high))
	}
}

func (p *problems) count(key string, n, low, high int) {
	if n < low || n > high {
		p.at(key, phrases.TableRange, strconv.Itoa(low), strconv.Itoa(high))
	}
}
