package agent

import (
	"slices"
	"strings"
	"time"

	"homebot/internal/contextmode"
	"homebot/internal/conversation"
	"homebot/internal/event"
	"homebot/internal/llm"
	"homebot/internal/phrases"
	"homebot/voice"
)

// viewing is what one turn shows the model of its conversation, and why: the
// decision, made once, and the fold of log and cut records.
type viewing struct {
	cutPath  string // context.jsonl of the conversation
	table    contextmode.Table
	decision contextmode.Decision
	log      []contextmode.Turn // the conversation's turns before this one
	cuts     []contextmode.Cut
	view     contextmode.View
	budget   int
	fixed    int // tokens of system prompt and tools, estimated
	plan     contextmode.Outcome
	trimmed  contextmode.Trimmed
	made     int // cut records of this turn, those after the reply too
	breaks   int
	first    sentHashes // of the first request, if there was one
	estimate int        // tokens of the first request, estimated
	billed   llm.Usage

	decideTime, trimTime time.Duration
	news                 []string // header lines of notices, shown once
}

// profile is the turn's.
func (v *viewing) profile() contextmode.Profile { return v.decision.Profile }

// turnsOf are the turns of a conversation as the context engine sees them.
func turnsOf(records []conversation.Record) []contextmode.Turn {
	turns := make([]contextmode.Turn, 0, len(records)+1)
	for i := range records {
		if records[i].IsTurn() {
			turns = append(turns, turnOfRecord(&records[i]))
		}
	}
	return turns
}

func turnOfRecord(r *conversation.Record) contextmode.Turn {
	t := contextmode.Turn{
		At: r.Timestamp, Speaker: r.SpeakerID, User: r.User, Assistant: r.Assistant,
		Sent: r.SentContent(), Reply: r.RawReply(), Failed: r.Failed != "",
	}
	for _, f := range r.Facts { // what note_fact recorded was confirmed: all of it is pinned
		t.Facts = append(t.Facts, contextmode.Fact{ID: f.ID, Text: f.Text, Replaces: f.Replaces})
	}
	return t
}

// openContext reads the conversation's cut records and decides the profile.
func (t *turn) openContext() {
	began := time.Now()
	t.view.log = turnsOf(t.visible)
	t.view.cuts = t.readCuts(t.view.cutPath, t.view.log)
	t.view.trimTime = time.Since(began)
	t.decide()
}

// sinceCut are the records after the last cut: only what they show counts as
// shown (R35).
func (t *turn) sinceCut() []conversation.Record {
	v := contextmode.Fold(t.view.log, t.view.cuts)
	if v.LastCut < 0 {
		return t.visible
	}
	return afterTurns(t.visible, t.view.cuts[v.LastCut].Cut)
}

// afterTurns are the records from turn n on.
func afterTurns(records []conversation.Record, n int) []conversation.Record {
	for i := range records {
		if !records[i].IsTurn() {
			continue
		}
		if n == 0 {
			return records[i:]
		}
		n--
	}
	return nil
}

// present makes the current message and the view it stands behind. When this is
// the moment for a cut, the cut is on disk before anything is sent (C20).
func (t *turn) present() {
	began := time.Now()
	t.compose()
	t.measure()
	in := t.planInput(t.sent)
	in.Reopen = t.view.decision.Reopens()
	t.view.plan = t.planWithSummaries(in)
	if c := t.view.plan.Cut; c != nil && t.appendCut(*c) {
		t.shown = map[string]string{}
		t.fields = slices.DeleteFunc(t.fields, func(f field) bool { return f.value == "-" })
		t.compose()
	}
	t.fit()
	t.view.view = contextmode.Fold(t.view.log, t.view.cuts)
	t.view.trimmed = contextmode.TrimmedOf(t.view.view, t.view.log)
	t.view.trimTime += time.Since(began)
	t.result.Trimmed = voice.Trimmed(t.view.trimmed)
	t.logContext()
}

// compose writes header and words.
func (t *turn) compose() {
	lines := slices.Concat(t.view.news, contextmode.Corrections(t.view.log, t.view.cuts))
	for _, line := range []string{t.view.decision.Hint.Line(t.Lang), t.styleNotice()} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	t.sent = header(t.Turn, t.fields, t.shown, lines) + t.words()
}

// measure estimates the fixed part and sets the budget (C8, C13).
func (t *turn) measure() {
	m, now := t.meter(), t.cfg.Now()
	t.view.fixed = m.Tokens(t.system) + contextmode.MessageTokens + m.Tokens(string(t.toolsSent))
	urgent := t.cfg.Urgent != nil && t.cfg.Urgent(now) || t.cfg.Timers != nil && t.cfg.Timers.Rings()
	t.view.budget = t.view.table.BudgetAt(t.view.profile(), t.view.decision.Signals.Load, urgent, t.cfg.Window, t.view.fixed)
}

// planInput is what Plan looks at; current is "" after the reply.
func (t *turn) planInput(current string) contextmode.Input {
	return contextmode.Input{
		Log: t.view.log, Cuts: t.view.cuts, Table: t.view.table, Profile: t.view.profile(), Budget: t.view.budget,
		Meter: t.meter(), Current: current, Window: t.cfg.Window, Fixed: t.view.fixed,
	}
}

// fit cuts a message that alone does not fit, and reports what is over the
// budget (C6).
func (t *turn) fit() {
	if !t.view.plan.Overrun {
		return
	}
	t.publish(event.BudgetOverrun, event.Overrun{TurnID: t.ID, Estimate: t.view.plan.After, Budget: t.view.budget})
	t.counters.note(t.view.table.Version, t.view.profile(), func(c *Counts) { c.Overruns++ })
	if room := t.view.plan.Room; room >= 0 {
		t.sent = contextmode.CutMiddle(t.sent, room, t.meter())
		t.tell(phrases.MessageCut.In(t.Lang))
	}
}

// tell has the device say a sentence before the model's own words.
func (t *turn) tell(s string) {
	t.reply.Write(s + "\n")
	t.lead = strings.TrimSpace(t.lead + " " + s)
}

// messages is the turn's first request.
func (t *turn) messages() []llm.Message {
	view := t.view.view.Messages(t.system, t.sent)
	t.view.estimate = t.meter().Messages(view) + t.meter().Tokens(string(t.toolsSent))
	return llmMessages(view)
}

func llmMessages(view []contextmode.Message) []llm.Message {
	msgs := make([]llm.Message, len(view), len(view)+2)
	for i, m := range view {
		msgs[i] = llm.Message{Role: m.Role, Content: m.Content}
	}
	return msgs
}

// learn takes in what the provider reports about one request (C8).
func (t *turn) learn(msgs []llm.Message, u llm.Usage) {
	t.view.billed.Prompt += u.Prompt
	t.view.billed.Cached += u.Cached
	t.view.billed.Completion += u.Completion
	if !t.offline {
		t.calibration.learn(u.Prompt, rawTokens(t.meter(), msgs, t.toolsSent))
	}
}

// rawTokens is the uncalibrated estimate of a request.
func rawTokens(m contextmode.Meter, msgs []llm.Message, tools []byte) int {
	n := m.Raw(string(tools))
	for i := range msgs {
		n += m.Raw(msgs[i].Content) + contextmode.MessageTokens
		for _, c := range msgs[i].ToolCalls {
			n += m.Raw(c.Name) + m.Raw(c.Arguments) + contextmode.MessageTokens
		}
	}
	return n
}

// meter measures in the model's tokens, corrected by what it billed.
func (a *Agent) meter() contextmode.Meter {
	return contextmode.NewMeter(a.cfg.ModelName, a.calibration.value())
}

// logContext writes the decision with its raw signals (C4).
func (t *turn) logContext() {
	v, s := &t.view, t.view.decision.Signals
	if v.table.Spec(v.profile()).DebugLog {
		t.cfg.Logger.Debug("context facts", "turn", t.ID, "facts", v.view.Facts, "blocks", len(v.view.Blocks), "state", v.decision.After)
	}
	t.cfg.Logger.Info("context", "turn", t.ID,
		"profile", v.profile(), "reason", v.decision.Reason, "table", v.table.Version,
		"request", s.Request, "config", s.Config, "mode", s.Mode, "tier", s.Tier, "turns", s.Turns, "load", s.Load,
		"asked", s.Words.Profile, "hint", v.decision.Hint, "before", s.Before.Last,
		"budget", v.budget, "estimate", v.plan.After, "fixed", v.fixed, "start", v.view.Start,
		"trimmed_turns", v.trimmed.Turns, "trimmed_items", v.trimmed.Items, "summarised", v.trimmed.Summarised,
		"decide_ms", millis(v.decideTime), "trim_ms", millis(v.trimTime))
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
