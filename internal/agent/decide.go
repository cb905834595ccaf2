package agent

import (
	"errors"
	"strings"
	"sync"
	"time"

	"homebot/internal/contextmode"
	"homebot/internal/event"
	"homebot/internal/phrases"
	"homebot/skills"
	"homebot/voice"
)

// decide makes the turn's one decision about its context (C2): the signals are
// collected here and judged by contextmode.Decide; every other part of the turn
// only reads the result.
func (t *turn) decide() {
	began := time.Now()
	v := &t.view
	v.table = t.tables.For(t.id)
	s := contextmode.Signals{
		Words: contextmode.ReadWords(t.Text), Request: t.Profile, Config: t.cfg.Profile, Mode: t.mode.ContextProfile,
		Tier: t.memberTier(t.Speaker), Turns: len(v.log), Load: t.load(), Now: t.cfg.Now(),
		Before: t.minds.before(t.id, v.log, v.cuts),
	}
	v.decision = contextmode.Decide(v.table, s)
	t.minds.keep(t.id, v.decision.After)
	t.under.set(v.table, v.profile())
	v.decideTime = time.Since(began)
	t.result.Profile, t.result.ProfileReason = string(v.profile()), string(v.decision.Reason)
	t.result.Table = v.decision.Table
	for _, b := range v.decision.Bad {
		t.reportBad(b)
	}
}

// mayFill lets the device announce a slow reply, if the profile has it so.
func (t *turn) mayFill() {
	if f, ok := t.reply.(voice.Filled); ok && t.view.table.Spec(t.view.profile()).Filler {
		f.MayFill()
	}
}

// undecided is the result of a turn that never reaches its conversation: what a
// first turn would get.
func (a *Agent) undecided(t voice.Turn) voice.Result {
	d := contextmode.Decide(a.tables.Current(), contextmode.Signals{Request: t.Profile, Config: a.cfg.Profile, Now: a.cfg.Now()})
	return voice.Result{ID: t.ID, Lang: t.Lang, Profile: string(d.Profile), ProfileReason: string(d.Reason), Table: d.Table}
}

// reportBad tells of an explicit value that is no profile (C3).
func (t *turn) reportBad(b contextmode.BadValue) {
	t.cfg.Logger.Warn("no such context profile", "turn", t.ID, "where", b.Where, "value", b.Value)
	if b.Where == "request" {
		t.result.Err = &voice.TurnError{Code: "profile", Text: phrases.ProfileUnknown.In(t.Lang, plainValue(b.Value))}
	}
}

// plainValue keeps a stranger's text short and on one line.
func plainValue(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxSpeakerRunes {
		s = string(r[:maxSpeakerRunes]) + "…"
	}
	return s
}

// expect is the profile a conversation will have when it begins, for what is
// frozen then (C14).
func (a *Agent) expect(t contextmode.Table, s contextmode.Signals) contextmode.Profile {
	s.Config, s.Load, s.Now = a.cfg.Profile, a.load(), a.cfg.Now()
	return contextmode.Decide(t, s).Profile
}

// styleTitle begins the profile's own part of a system prompt.
const styleTitle = "\n# Length\n"

// style is that part: frozen with the prompt for the profile of that moment
// (C14). Later profiles speak through styleNotice.
func (a *Agent) style(t contextmode.Table, p contextmode.Profile) string {
	return styleTitle + t.Template(p, a.cfg.Lang) + "\n\n"
}

// styleNotice is the header line of a profile whose template is not the one the
// model last saw, "" when it is.
func (t *turn) styleNotice() string {
	seen, found := contextmode.Profile(""), false
	turns := contextmode.Fold(t.view.log, t.view.cuts).Turns
	notices := map[string]contextmode.Profile{}
	for _, p := range contextmode.Profiles() {
		notices[t.view.table.Notice("", p, t.cfg.Lang)] = p
	}
	for i := len(turns) - 1; i >= 0 && !found; i-- {
		seen, found = noticeIn(turns[i].Sent, notices)
	}
	if !found {
		seen = t.frozenStyle()
	}
	return t.view.table.Notice(seen, t.view.profile(), t.cfg.Lang)
}

// frozenStyle finds the profile whose template is in the system prompt; "" when
// none of this table is.
func (t *turn) frozenStyle() contextmode.Profile {
	for _, p := range contextmode.Profiles() {
		if strings.Contains(t.system, t.style(t.view.table, p)) {
			return p
		}
	}
	return ""
}

// noticeIn finds one of notices among the header lines of a message.
func noticeIn(sent string, notices map[string]contextmode.Profile) (contextmode.Profile, bool) {
	for line := range strings.Lines(sent) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "[") {
			break
		}
		if p, ok := notices[line]; ok {
			return p, true
		}
	}
	return "", false
}

// memberTier is `tier` in the front matter of a member's USER.md.
func (a *Agent) memberTier(id string) string {
	data := a.userFile(id)
	if data == nil {
		return ""
	}
	var front struct {
		Tier string `yaml:"tier"`
	}
	_, _, err := skills.FrontMatter(data, &front)
	var pe *skills.ParseError
	if err != nil && !errors.As(err, &pe) {
		a.cfg.Logger.Warn("USER.md", "member", id, "err", err)
	}
	return front.Tier
}

// minds remembers what each conversation's decisions need of the ones before.
// What the user chose by words is in the log and is read back from it; the rest
// may be lost with the process. The zero value remembers nothing.
type minds struct {
	mu     sync.Mutex
	states map[string]contextmode.State
}

// maxMinds conversations are remembered; the others are read back.
const maxMinds = 64

func (m *minds) before(id string, log []contextmode.Turn, cuts []contextmode.Cut) contextmode.State {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.states[id]; ok {
		return s
	}
	return recall(log, cuts)
}

func (m *minds) keep(id string, s contextmode.State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.states == nil || len(m.states) >= maxMinds {
		m.states = map[string]contextmode.State{}
	}
	m.states[id] = s
}

// recall reads the state of a conversation back from its log: exactly what words
// chose, and the profile that was last seen at a cut.
func recall(log []contextmode.Turn, cuts []contextmode.Cut) contextmode.State {
	var s contextmode.State
	if v := contextmode.Fold(log, cuts); v.LastCut >= 0 {
		s.Last = cuts[v.LastCut].Profile
	}
	for i := len(log) - 1; i >= 0; i-- {
		if !contextmode.MayChoose(log[i].User) {
			continue
		}
		if w := contextmode.ReadWords(log[i].User); w.Profile.Valid() {
			s.Explicit, s.Last = w.Profile, w.Profile
			break
		} else if w.Restore {
			break
		}
	}
	return s
}

// alarm reports a conversation whose profile flaps (C16), and takes a canary that
// does so back (C15).
func (a *Agent) alarm(session string, table int, changes int) {
	a.cfg.Logger.Warn("context profile flaps", "session", session, "table", table, "changes", changes)
	a.publish(event.ContextAlarm, event.Alarm{Session: session, Table: table, Changes: changes})
	r := a.tables.Rollout()
	if r.Canary == 0 || r.Canary != table {
		return
	}
	if _, err := a.tables.Rollback(); err != nil {
		a.cfg.Logger.Error("canary not rolled back", "table", table, "err", err)
		return
	}
	a.cfg.Logger.Warn("canary rolled back", "table", table)
	a.publish(event.TableRolledBack, event.Rollback{Table: table, Reason: "the profile flapped"})
}
